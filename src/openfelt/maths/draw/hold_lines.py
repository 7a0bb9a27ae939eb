"""A strategy for Ultimate Draw in plain lines: the first line that fits a hand says what to hold.

A line names cards, such as "four to a flush" or "an ace and a king". A player who has them holds
them, and discards the others. A hand that no line fits is discarded.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from openfelt.cards import Rank
from openfelt.maths.draw.holds import Holds

NOT_HELD = 255
"""Marks a hand that a line does not fit."""
_HAND = 5
_ALL = (1 << _HAND) - 1
_LOWEST = int(min(Rank))
_BITS = 1 << np.arange(_HAND)
_WORDS = {rank.word: rank for rank in Rank}
_PLURALS = {rank.plural: rank for rank in Rank}
_SEQUENCES = [(1 << 12 | 0b111), *(0b1111 << low for low in range(10))]
"""Four ranks in sequence, lowest first; an ace may count below a deuce."""
_STRAIGHTS = [(1 << 12 | 0b1111), *(0b11111 << low for low in range(9))]
_FAMILIES = ("straight or better", "three of a kind", "two pair", "a pair of RANKS or better",
             "four to a flush", "three to a straight flush", "three to a royal flush",
             "four in sequence", "four in sequence, open at both ends", "an ace and a king",
             "a suited ace and king", "an ace")  # fmt: skip
Mask = npt.NDArray[np.uint8]


class HandFeatures:
    """The features of many hands of five cards that the lines use."""

    def __init__(self, hands: npt.NDArray[np.integer]) -> None:
        """Each hand has its cards in ascending order."""
        self.ranks = hands.astype(np.int64) >> 2
        self.suits = hands.astype(np.int64) & 3

    @cached_property
    def rank_set(self) -> npt.NDArray[np.int64]:
        """The ranks of each hand, as bits."""
        return np.asarray(np.bitwise_or.reduce(1 << self.ranks, axis=1))

    @cached_property
    def equals(self) -> npt.NDArray[np.int64]:
        """By hand and card, how many cards have the rank of this one."""
        return np.asarray((self.ranks[:, :, None] == self.ranks[:, None, :]).sum(axis=2))

    @cached_property
    def matched(self) -> Mask:
        """The cards whose rank occurs more than once."""
        return _mask(self.equals > 1)

    @cached_property
    def pairs(self) -> npt.NDArray[np.int64]:
        """How many pairs of cards of equal rank each hand has.

        A pair has 1, two pairs have 2, three of a kind has 3, a full house 4, and four of a kind 6.
        """
        return np.asarray((self.equals - 1).sum(axis=1) // 2)

    @cached_property
    def standing(self) -> npt.NDArray[np.bool_]:
        """Whether a hand is a straight or better."""
        flush = (self.suits == self.suits[:, :1]).all(axis=1)
        straight = np.isin(self.rank_set, _STRAIGHTS)
        return np.asarray(flush | straight | (self.pairs > 3))

    def of_ranks(self, ranks: int) -> Mask:
        """The first card of each of these ranks, if a hand has them all."""
        first = np.ones(self.ranks.shape, dtype=np.bool_)
        first[:, 1:] = self.ranks[:, 1:] != self.ranks[:, :-1]
        held = _mask(first & (ranks >> self.ranks & 1 == 1))
        held[self.rank_set & ranks != ranks] = NOT_HELD
        return held

    def of_suit(self, ranks: int, count: int) -> Mask:
        """All cards of one suit among some ranks, if a hand has exactly this many of them."""
        held = np.full(len(self.ranks), NOT_HELD, dtype=np.uint8)
        for suit in range(4):
            chosen = (self.suits == suit) & (ranks >> self.ranks & 1 == 1)
            held = np.where(chosen.sum(axis=1) == count, _mask(chosen), held)
        return held


def _mask(chosen: npt.NDArray[np.bool_]) -> Mask:
    return np.asarray((chosen * _BITS).sum(axis=1), dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class HoldLine:
    """One line: what it is called, and which cards of a hand it holds."""

    words: str
    held: Callable[[HandFeatures], Mask]

    def __str__(self) -> str:
        return self.words


def held_by_lines(lines: Iterable[HoldLine], hands: npt.NDArray[np.integer]) -> Holds:
    """The holds of some lines for many hands, as bits; the lowest card has the lowest bit."""
    features = HandFeatures(hands)
    held = np.full(len(hands), NOT_HELD, dtype=np.uint8)
    for line in lines:
        open_hands = held == NOT_HELD
        held[open_hands] = line.held(features)[open_hands]
    held[held == NOT_HELD] = 0
    return held


def first_line(lines: Sequence[HoldLine], hand: Sequence[int]) -> tuple[int, int]:
    """The place of the first line that fits a hand, and what it holds as bits.

    The place is the number of all lines if none fits. The cards are in ascending order.

    >>> first_line([parse_line("two pair"), parse_line("an ace")], [0, 5, 20, 31, 51])
    (1, 16)
    """
    features = HandFeatures(np.array([hand]))
    for place, line in enumerate(lines):
        held = int(line.held(features)[0])
        if held != NOT_HELD:
            return place, held
    return len(lines), 0


def parse_lines(text: str) -> list[HoldLine]:
    """Read a strategy: one strategy line per line of text, `#` before a comment.

    Raises ValueError for a text without a strategy line, and for one that names no cards.

    >>> [line.words for line in parse_lines("Two pair\\n# and then\\na pair of nines or better")]
    ['two pair', 'a pair of nines or better']
    """
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    parsed = [parse_line(line) for line in lines if line]
    if not parsed:
        raise ValueError("a strategy needs a line, such as 'four to a flush'")
    return parsed


def parse_line(text: str) -> HoldLine:
    """Read one line.

    >>> parse_line("An ace and a king").words
    'an ace and a king'
    """
    words = " ".join(text.lower().rstrip(".").split())
    if words in _FIXED:
        return HoldLine(words, _FIXED[words])
    if match := re.fullmatch(r"a pair of (\w+)(?: or better)?", words):
        low = _PLURALS.get(match[1])
        if low is not None:
            high = max(Rank) if words.endswith("better") else low
            return HoldLine(words, _pair(int(low), int(high)))
    suited = words.startswith("a suited ")
    names = re.split(r", | and ", words.removeprefix("a suited "))
    ranks = [_WORDS.get(re.sub("^an? ", "", name)) for name in names]
    if None not in ranks and len(set(ranks)) == len(ranks) <= (4 if suited else 5):
        bits = sum(1 << int(rank) - _LOWEST for rank in ranks if rank is not None)
        return HoldLine(words, _suited(bits) if suited else _ranks(bits))
    raise ValueError(f"{text!r} names no cards to hold; lines are {', '.join(_FAMILIES)}")


def _standing(hands: HandFeatures) -> Mask:
    return np.where(hands.standing, _ALL, NOT_HELD).astype(np.uint8)


def _matched(pairs: int) -> Callable[[HandFeatures], Mask]:
    def held(hands: HandFeatures) -> Mask:
        return np.where(hands.pairs == pairs, hands.matched, NOT_HELD).astype(np.uint8)

    return held


def _pair(low: int, high: int) -> Callable[[HandFeatures], Mask]:
    def held(hands: HandFeatures) -> Mask:
        rank = np.where(hands.equals == 2, hands.ranks, 0).max(axis=1) + _LOWEST
        fits = (hands.pairs == 1) & (rank >= low) & (rank <= high)
        return np.where(fits, hands.matched, NOT_HELD).astype(np.uint8)

    return held


def _four_to_a_flush(hands: HandFeatures) -> Mask:
    return hands.of_suit((1 << 13) - 1, 4)


def _three_suited(sequences: Sequence[int]) -> Callable[[HandFeatures], Mask]:
    """Three cards of one suit within the same straight; the highest such straight."""

    def held_cards(hands: HandFeatures) -> Mask:
        held = np.full(len(hands.ranks), NOT_HELD, dtype=np.uint8)
        for straight in sequences:
            fits = hands.of_suit(straight, 3)
            held = np.where(fits != NOT_HELD, fits, held)
        return held

    return held_cards


def _sequence(sequences: Sequence[int]) -> Callable[[HandFeatures], Mask]:
    def held_cards(hands: HandFeatures) -> Mask:
        held = np.full(len(hands.ranks), NOT_HELD, dtype=np.uint8)
        for ranks in sequences:
            fits = hands.of_ranks(ranks)
            held = np.where(fits != NOT_HELD, fits, held)
        return held

    return held_cards


def _ranks(bits: int) -> Callable[[HandFeatures], Mask]:
    return lambda hands: hands.of_ranks(bits)


def _suited(bits: int) -> Callable[[HandFeatures], Mask]:
    return lambda hands: hands.of_suit(bits, bits.bit_count())


_FIXED: dict[str, Callable[[HandFeatures], Mask]] = {
    "straight or better": _standing,
    "a straight or better": _standing,
    "three of a kind": _matched(3),
    "two pair": _matched(2),
    "a pair": _pair(2, 14),
    "four to a flush": _four_to_a_flush,
    "three to a straight flush": _three_suited(_STRAIGHTS),
    "three to a royal flush": _three_suited(_STRAIGHTS[-1:]),
    "four in sequence": _sequence(_SEQUENCES),
    "four in sequence, open at both ends": _sequence(_SEQUENCES[1:-1]),
    "nothing": lambda hands: np.zeros(len(hands.ranks), dtype=np.uint8),
}


# The basic strategy ---------------------------------------------------------------

_BASIC = """
a straight or better
three of a kind
two pair
a pair of fours or better
four to a flush
an ace and a king
a king and a queen
an ace
a king
a queen
a pair
a jack
"""


def basic_draw_lines() -> tuple[HoldLine, ...]:
    """The basic strategy, as the search in `line_search` found it for the usual Ante Bonus.

    Lines that never match the same hand are in an order that is easy to remember.
    """
    return tuple(parse_lines(_BASIC))
