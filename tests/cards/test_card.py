"""Cards: identity, order, and every way to write them."""

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openfelt.cards import (
    FULL_DECK,
    UNKNOWN_CARD,
    Card,
    Rank,
    Suit,
    format_cards,
    has_card,
    parse_cards,
)

CARDS = st.sampled_from(FULL_DECK)


@pytest.mark.clause("O.1", "C.deck", "S.overview.single_deck")
def test_the_deck_has_four_suits_of_thirteen_ranks() -> None:
    assert len(set(FULL_DECK)) == 52
    assert {(card.rank, card.suit) for card in FULL_DECK} == {(r, s) for r in Rank for s in Suit}


@pytest.mark.parametrize("number", range(52))
def test_a_number_gives_the_card_and_the_card_its_number(number: int) -> None:
    card = Card(number)
    assert card is FULL_DECK[number]
    assert card is Card.of(card.rank, card.suit)
    assert card.number == number == 4 * (card.rank - 2) + card.suit == hash(card)


@pytest.mark.parametrize("number", [-1, 52, 10**9, True, 1.0, "1", None], ids=repr)
def test_other_numbers_are_no_cards(number: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 51"):
        Card(number)


@pytest.mark.parametrize(
    ("text", "symbol", "words"),
    [
        ("2c", "2♣", "two of clubs"),
        ("9d", "9♦", "nine of diamonds"),
        ("Th", "10♥", "ten of hearts"),
        ("Jc", "J♣", "jack of clubs"),
        ("As", "A♠", "ace of spades"),
    ],
)
def test_a_card_is_written_for_programs_screens_and_ears(
    text: str, symbol: str, words: str
) -> None:
    card = Card.parse(text)
    assert (str(card), card.symbol, card.words) == (text, symbol, words)
    assert repr(card) == f"Card({text!r})"


def test_the_plural_of_six_is_sixes() -> None:
    assert [Rank.FIVE.plural, Rank.SIX.plural, Rank.ACE.plural] == ["fives", "sixes", "aces"]


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))]
)
def test_a_copy_of_a_card_is_the_card(copied: object) -> None:
    assert callable(copied)
    assert all(copied(card) is card for card in FULL_DECK)


def test_a_card_does_not_change() -> None:
    card = Card(0)
    for name in ("rank", "number", "suit", "colour"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(card, name, Rank.ACE)
    for name in ("rank", "number", "suit"):
        with pytest.raises(AttributeError, match="immutable"):
            delattr(card, name)
    assert (card.rank, card.suit, card.number) == (Rank.TWO, Suit.CLUBS, 0)


@pytest.mark.clause("C.ranking.2", "C.ranking.2a", "O.ranking.cards")
def test_ranks_rise_from_two_to_ace() -> None:
    letters = [rank.letter for rank in sorted(Rank)]
    assert "".join(letters) == "23456789TJQKA"


def test_cards_are_ordered_by_number_and_by_nothing_else() -> None:
    assert sorted(set(FULL_DECK)) == list(FULL_DECK)
    assert all(low < high and high >= low and low != high for low, high in pairwise(FULL_DECK))
    with pytest.raises(TypeError):
        assert Card(0) < 1  # type: ignore[operator]
    number: object = 0
    assert Card(0) != number


def test_a_card_is_found_among_others_as_equality_would_find_it() -> None:
    some = (*FULL_DECK[3:20], UNKNOWN_CARD)
    assert [card for card in FULL_DECK if has_card(some, card)] == list(FULL_DECK[3:20])
    assert all(has_card(some, card) == (card in some) for card in (*FULL_DECK, UNKNOWN_CARD))
    again = pickle.loads(pickle.dumps(FULL_DECK[5]))
    assert has_card(some, again)
    assert has_card(some, copy.deepcopy(UNKNOWN_CARD))


def test_a_card_is_written_by_its_rank_and_its_suit() -> None:
    assert [str(card) for card in FULL_DECK] == [
        card.rank.letter + card.suit.letter for card in FULL_DECK
    ]


CARD_TEXTS = [
    ("As", "As"),
    ("as", "As"),
    ("aS", "As"),
    ("A♠", "As"),
    ("A♤", "As"),
    ("A♠\ufe0f", "As"),
    ("10h", "Th"),
    ("10H", "Th"),
    ("Th", "Th"),
    ("tH", "Th"),
    ("10♥\ufe0f", "Th"),
    ("  2c\n", "2c"),
    ("As Kd", "As Kd"),
    ("AsKd", "As Kd"),
    ("As,Kd", "As Kd"),
    ("As , Kd ,", "As Kd"),
    ("A♠K♦10♥2♣", "As Kd Th 2c"),
    ("A♠\ufe0fK♦\ufe0f", "As Kd"),
    ("10h10d10c", "Th Td Tc"),
    ("AsAs", "As As"),
    ("", ""),
    (" , ", ""),
]


@pytest.mark.parametrize(("text", "cards"), CARD_TEXTS, ids=ascii)
def test_cards_are_read(text: str, cards: str) -> None:
    assert format_cards(parse_cards(text)) == cards


NOT_CARDS = [
    ("A", "A"),
    ("s", "s"),
    ("1s", "1s"),
    ("0h", "0h"),
    ("11h", "11h"),
    ("100h", "100h"),
    ("Ax", "Ax"),
    ("As Kx", "Kx"),
    ("As;Kd", ";Kd"),
    ("AsK", "K"),
    ("A s", "A s"),
    ("Ace", "e"),
    ("🂡", "🂡"),
    ("\u212as", "\u212as"),  # the Kelvin sign, whose small letter is k
    ("A\u017f", "A\u017f"),  # the long s, whose capital is S
    ("\ufe0f", "\ufe0f"),
    ("A\x00s", "A\\x00s"),
    ("joker", "joke"),
]


@pytest.mark.parametrize(("text", "part"), NOT_CARDS, ids=ascii)
def test_what_is_no_card_is_refused_with_the_part_and_the_way_to_write(
    text: str, part: str
) -> None:
    with pytest.raises(ValueError, match="write a rank") as refused:
        parse_cards(text)
    message = str(refused.value)
    assert message.startswith((f"'{part}", repr(part)[:-1]))
    assert "as in As or 10h" in message


@pytest.mark.parametrize("text", ["", "As Kd", "AsAs"])
def test_one_card_is_one_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not one card"):
        Card.parse(text)


@settings(deadline=None)
@given(st.lists(CARDS, max_size=9), st.sampled_from([" ", "", ", ", "\n"]), st.booleans())
def test_printed_cards_read_back(cards: list[Card], between: str, symbols: bool) -> None:
    text = between.join(card.symbol if symbols else str(card) for card in cards)
    assert parse_cards(text) == tuple(cards)
    assert parse_cards(format_cards(cards)) == tuple(cards)


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=8) | st.text("AaKkTt10cdhs♠♥ ,\ufe0f\u017f\u212a", max_size=8))
def test_any_text_is_cards_or_refused(text: str) -> None:
    try:
        cards = parse_cards(text)
    except ValueError:
        return
    assert parse_cards(format_cards(cards)) == cards
