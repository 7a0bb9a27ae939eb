"""Cards as they look on the screen."""

from openfelt.cards import FULL_DECK, Card
from openfelt.cli.play.screens.card_pictures import (
    CardPlace,
    Size,
    card_style,
    draw_cards,
    inline_cards,
)


def test_large_cards_show_rank_twice_and_suit_once() -> None:
    lines = [line.plain for line in draw_cards([Card.parse("10h"), None], size=Size.LARGE)]
    assert lines == [
        "╭─────╮ ╭─────╮",
        "│10   │ │░░░░░│",
        "│  ♥  │ │░░░░░│",
        "│   10│ │░░░░░│",
        "╰─────╯ ╰─────╯",
    ]


def test_every_card_of_the_deck_is_as_wide_as_its_back() -> None:
    for size in Size:
        for card in FULL_DECK:
            widths = {line.cell_len for line in draw_cards([card], size=size)}
            assert widths == {size.inside + 2}


def test_an_empty_place_is_no_card() -> None:
    assert [line.plain for line in draw_cards([CardPlace.EMPTY])] == ["╭╌╌╌╮", "╎   ╎", "╰╌╌╌╯"]


def test_two_colours_or_four() -> None:
    suits = [Card.parse(text) for text in ("As", "Ah", "Ad", "Ac")]
    assert len({card_style(card) for card in suits}) == 2
    assert len({card_style(card, four_colour=True) for card in suits}) == 4
    styles = {span.style for span in inline_cards(suits, four_colour=True).spans}
    assert {"bright_blue", "green", "red"} <= styles
