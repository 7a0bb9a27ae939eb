"""Cards and their notation.

A card is one of 52 numbers: ``number = 4 * (rank - 2) + suit``, with ranks 2 to
14 (ace) and suits clubs 0, diamonds 1, hearts 2, spades 3. The deuce of clubs is
0 and the ace of spades 51. The arrays of ``openfelt.maths`` use the same numbers.
"""

import re
from collections.abc import Iterable
from enum import IntEnum
from functools import total_ordering
from typing import Final, Self


class Suit(IntEnum):
    """The four suits. They have no order among themselves in these games."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The suit's letter: ``c``, ``d``, ``h`` or ``s``."""
        return "cdhs"[self]

    @property
    def symbol(self) -> str:
        """The suit's symbol: ♣, ♦, ♥ or ♠."""
        return "♣♦♥♠"[self]


class Rank(IntEnum):
    """The thirteen ranks, deuce to ace. The ace is high; straights also use it low."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One character: ``2`` to ``9``, then ``T J Q K A``."""
        return _RANK_LETTERS[self - 2]

    @property
    def word(self) -> str:
        """The rank as a dealer says it: ``"king"``."""
        return self.name.lower()

    @property
    def plural(self) -> str:
        """Several of the rank as a dealer says it: ``"kings"``, ``"sixes"``."""
        return self.word + ("es" if self is Rank.SIX else "s")


_RANK_LETTERS: Final = "23456789TJQKA"
_RANKS_BY_TEXT: Final = {letter: Rank(n + 2) for n, letter in enumerate(_RANK_LETTERS)} | {
    "10": Rank.TEN
}
_SUITS_BY_TEXT: Final = {
    text: suit for suit in Suit for text in (suit.letter, suit.symbol, "♧♢♡♤"[suit])
}
_ONE_CARD: Final = re.compile(r"(10|[2-9tjqka])([cdhs♣♦♥♠♧♢♡♤])\ufe0f?", re.IGNORECASE | re.ASCII)
_BETWEEN_CARDS: Final = re.compile(r"[\s,]*")


@total_ordering
class Card:
    """One card of the deck. There is one object per number, so cards are cheap to store.

    >>> Card(51), Card(51).rank.word, Card(51).suit.symbol
    (Card('As'), 'ace', '♠')
    """

    __slots__ = ("number", "rank", "suit")

    number: int
    """0 to 51: ``4 * (rank - 2) + suit``."""
    rank: Rank
    suit: Suit

    def __new__(cls, number: int) -> Self:
        """Return the card of this number; raises ValueError for an invalid number."""
        if type(number) is not int or not 0 <= number < 52:
            raise ValueError(f"a card number must be a whole number from 0 to 51, not {number!r}")
        return FULL_DECK[number]  # type: ignore[return-value]

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> "Card":
        """Return the card of this rank and suit.

        >>> Card.of(Rank.TEN, Suit.HEARTS)
        Card('Th')
        """
        return FULL_DECK[4 * (rank - 2) + suit]

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Parse one card: ``"As"``, ``"A♠"``, ``"10h"`` or ``"Th"``.

        >>> Card.parse("10♥")
        Card('Th')
        """
        cards = parse_cards(text)
        if len(cards) != 1:
            raise ValueError(f"{text!r} is not one card")
        return cards[0]

    @property
    def symbol(self) -> str:
        """The card with its suit's symbol, as on a screen: ``10♥``."""
        return ("10" if self.rank is Rank.TEN else self.rank.letter) + self.suit.symbol

    @property
    def words(self) -> str:
        """The card in words, for announcements: ``"ten of hearts"``."""
        return f"{self.rank.word} of {self.suit.name.lower()}"

    def __str__(self) -> str:
        return _TEXTS[self.number]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __hash__(self) -> int:
        return self.number

    def __lt__(self, other: "Card") -> bool:
        return self.number < other.number if isinstance(other, Card) else NotImplemented

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("cards are immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("cards are immutable")

    def __reduce__(self) -> tuple[type["Card"], tuple[int]]:
        return (Card, (self.number,))


def _print_deck() -> tuple[Card, ...]:
    deck = []
    for number in range(52):
        card = object.__new__(Card)
        object.__setattr__(card, "number", number)
        object.__setattr__(card, "rank", Rank(number // 4 + 2))
        object.__setattr__(card, "suit", Suit(number % 4))
        deck.append(card)
    return tuple(deck)


FULL_DECK: Final[tuple[Card, ...]] = _print_deck()
"""All 52 cards in number order."""
_TEXTS: Final = tuple(card.rank.letter + card.suit.letter for card in FULL_DECK)
"""Every card in two letters, because each is written whenever it is dealt or shown."""
_CARDS_BY_TEXT: Final = dict(zip(_TEXTS, FULL_DECK, strict=True))


class _UnknownCard(Card):
    """The card of a purged record."""

    __slots__ = ()

    @property
    def symbol(self) -> str:
        return "??"

    @property
    def words(self) -> str:
        return "unknown card"

    def __str__(self) -> str:
        return "??"

    def __reduce__(self) -> str:  # type: ignore[override]
        return "UNKNOWN_CARD"


def _unknown_card() -> Card:
    card = object.__new__(_UnknownCard)
    object.__setattr__(card, "number", -1)
    return card


UNKNOWN_CARD: Final = _unknown_card()
"""A placeholder for a card that the record no longer shows. It has neither rank nor suit, so that
no hand can be made of it."""


def has_card(cards: Iterable[Card], card: Card) -> bool:
    """Whether a card is among these.

    There is one object per card, so it is found by identity. ``in`` would ask for equality, which
    is a call for each card, because cards also have an order.

    >>> has_card(parse_cards("As Kd"), Card.parse("Kd"))
    True
    """
    for other in cards:  # noqa: SIM110 (a generator costs more than the few cards)
        if other is card:
            return True
    return False


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse cards written one after another, with or without spaces or commas.

    Raises ValueError for invalid text. Duplicate cards are allowed: a deal refuses
    them, but a list of examples may contain them.

    >>> parse_cards("As K♦ 10h"), parse_cards("AsKdTh")
    ((Card('As'), Card('Kd'), Card('Th')), (Card('As'), Card('Kd'), Card('Th')))
    """
    try:
        # Nearly every text was written by this program, and the catalog of texts is quicker.
        return tuple([_CARDS_BY_TEXT[part] for part in text.split(" ")])
    except KeyError:
        return _parse_any_form(text)


def _parse_any_form(text: str) -> tuple[Card, ...]:
    cards = []
    at = _skip(text, 0)
    while at < len(text):
        match = _ONE_CARD.match(text, at)
        if match is None:
            raise ValueError(
                f"{text[at : at + 4].strip()!r} is not a card: write a rank "
                "(2 to 9, 10 or T, J, Q, K, A) and a suit (c, d, h, s or ♣ ♦ ♥ ♠), as in As or 10h"
            )
        rank_text, suit_text = match.groups()
        cards.append(Card.of(_RANKS_BY_TEXT[rank_text.upper()], _SUITS_BY_TEXT[suit_text.lower()]))
        at = _skip(text, match.end())
    return tuple(cards)


def _skip(text: str, at: int) -> int:
    match = _BETWEEN_CARDS.match(text, at)
    return match.end() if match else at


def format_cards(cards: Iterable[Card]) -> str:
    """Format cards with spaces between them, in a form that ``parse_cards`` accepts.

    >>> format_cards(parse_cards("A♠Kd"))
    'As Kd'
    """
    return " ".join(map(str, cards))
