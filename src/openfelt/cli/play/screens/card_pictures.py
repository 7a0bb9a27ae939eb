"""Cards as they look on the screen: boxes with rank and suit, backs, and empty places."""

from collections.abc import Sequence
from enum import Enum

from rich.text import Text

from openfelt.cards import Card, Suit

_CARD = "on grey93"
_TWO_COLOURS = {
    Suit.CLUBS: "black",
    Suit.DIAMONDS: "red3",
    Suit.HEARTS: "red3",
    Suit.SPADES: "black",
}
_FOUR_COLOURS = _TWO_COLOURS | {Suit.CLUBS: "dark_green", Suit.DIAMONDS: "blue3"}


class Size(Enum):
    """The size of drawn cards."""

    SMALL = 3
    LARGE = 5

    @property
    def inside(self) -> int:
        """The width between the borders."""
        return self.value

    @property
    def height(self) -> int:
        """How many lines a card takes."""
        return self.value


class CardPlace(Enum):
    """A place where a card will lie."""

    EMPTY = "empty"


Shown = Card | None | CardPlace
"""A card, the back of one (None), or a place without one."""


def card_style(card: Card, *, four_colour: bool = False) -> str:
    """The colour of a card's signs."""
    return f"bold {(_FOUR_COLOURS if four_colour else _TWO_COLOURS)[card.suit]}"


def draw_cards(
    cards: Sequence[Shown], *, size: Size = Size.SMALL, four_colour: bool = False
) -> list[Text]:
    """Cards side by side, line by line, with one space between them.

    >>> for line in draw_cards([Card.parse("10h"), None]):
    ...     print(line)
    ╭───╮ ╭───╮
    │10♥│ │░░░│
    ╰───╯ ╰───╯
    """
    drawn = [_draw(card, size, four_colour) for card in cards]
    return [Text(" ").join(parts) for parts in zip(*drawn, strict=True)]


def _draw(card: Shown, size: Size, four_colour: bool) -> list[Text]:
    if isinstance(card, CardPlace):
        return _boxed([" " * size.inside] * (size.height - 2), "dim", "dim", "╭╌╮╎╰╯")
    if card is None:
        back = ["░" * size.inside] * (size.height - 2)
        return _boxed(back, "blue on grey93", f"grey50 {_CARD}", "╭─╮│╰╯")
    signs = f"{card_style(card, four_colour=four_colour)} {_CARD}"
    return _boxed(_face(card, size), signs, f"grey50 {_CARD}", "╭─╮│╰╯")


def _face(card: Card, size: Size) -> list[str]:
    if size is Size.SMALL:
        return [card.symbol.ljust(3)]
    rank = card.symbol[:-1]
    return [rank.ljust(5), card.suit.symbol.center(5), rank.rjust(5)]


def _boxed(rows: list[str], inner: str, border: str, signs: str) -> list[Text]:
    left_top, across, right_top, side, left_bottom, right_bottom = tuple(signs)
    bar = across * len(rows[0])
    return [
        Text(left_top + bar + right_top, border),
        *(Text.assemble((side, border), (row, inner), (side, border)) for row in rows),
        Text(left_bottom + bar + right_bottom, border),
    ]


def inline_cards(cards: Sequence[Shown], *, four_colour: bool = False) -> Text:
    """Cards inside a line of text, backs as shaded blocks, empty places as dots.

    >>> print(inline_cards([Card.parse("As"), None, CardPlace.EMPTY]))
    A♠ ░░ ··
    """
    parts = []
    for card in cards:
        if isinstance(card, CardPlace):
            parts.append(Text("··", "dim"))
        elif card is None:
            parts.append(Text("░░", "blue"))
        else:
            red = card.suit in (Suit.HEARTS, Suit.DIAMONDS)
            colours = {Suit.DIAMONDS: "bright_blue", Suit.CLUBS: "green"} if four_colour else {}
            parts.append(Text(card.symbol, colours.get(card.suit, "red" if red else "bold")))
    return Text(" ").join(parts)
