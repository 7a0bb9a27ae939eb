"""Strategies of Ultimate Draw in a few lines: what to hold, by the first line that fits a hand."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from openfelt.cards import Rank
from openfelt.maths.draw.holds import Holds
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.hand_reader import read_five
from openfelt.maths.kernels.house_way import HOLD_ALL

_HAND = 5
_PLACES = 1 << np.arange(_HAND)
_LOWEST = int(min(Rank))
_STRAIGHTS = [0b1_0000_0000_1111, *(0b11111 << low for low in range(9))]
Numbers = npt.NDArray[np.int64]
Fits = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class HandFacts:
    """What lines ask about hands, for many hands at once; each has its lowest card first."""

    cards: npt.NDArray[np.uint8]

    @cached_property
    def ranks(self) -> Numbers:
        """Ranks from 0 for the deuce to 12 for the ace."""
        return (self.cards >> 2).astype(np.int64)

    @cached_property
    def category(self) -> Numbers:
        """The category of each hand."""
        reading = reading_tables()
        strengths = [read_five(cards, reading) for cards in self.cards.astype(np.int64)]
        return reading.categories[np.array(strengths)].astype(np.int64)

    @cached_property
    def matched(self) -> Numbers:
        """The cards whose rank occurs more than once, as bits."""
        same = (self.ranks[:, :, None] == self.ranks[:, None, :]).sum(axis=2) > 1
        return _bits(same)

    @cached_property
    def pair(self) -> Numbers:
        """The rank of the highest matched cards, -1 where there are none."""
        same = (self.ranks[:, :, None] == self.ranks[:, None, :]).sum(axis=2) > 1
        return np.where(same, self.ranks, -1).max(axis=1)

    @cached_property
    def four_suited(self) -> Numbers:
        """Four cards of one suit, as bits, 0 where there are not four."""
        suits = self.cards & 3
        found = np.zeros(len(suits), dtype=np.int64)
        for suit in range(4):
            same = suits == suit
            found = np.where(same.sum(axis=1) == _HAND - 1, _bits(same), found)
        return found

    def straight_draw(self, outs: int) -> Numbers:
        """Four cards that this many ranks complete to a straight, as bits, 0 without."""
        found = np.zeros(len(self.cards), dtype=np.int64)
        complete = np.array([any(m & s == s for s in _STRAIGHTS) for m in range(1 << 13)])
        ways = np.sum([complete[np.arange(1 << 13) | 1 << rank] for rank in range(13)], axis=0)
        for odd in range(_HAND):
            others = [place for place in range(_HAND) if place != odd]
            mask = np.bitwise_or.reduce(1 << self.ranks[:, others], axis=1)
            fits = (np.bitwise_count(mask) == _HAND - 1) & (ways[mask] == outs)
            found = np.where(fits, HOLD_ALL ^ 1 << odd, found)
        return found

    def high_cards(self, lowest: Rank, most: int) -> Numbers:
        """The highest cards from a rank on, so many at most, as bits."""
        high = self.ranks >= lowest - _LOWEST
        keep = np.arange(_HAND) >= _HAND - most
        return _bits(high & keep)


def _bits(places: Fits) -> Numbers:
    return (places * _PLACES).sum(axis=1)


@dataclass(frozen=True)
class HoldLine:
    """One line: its words, and what it holds of each hand, or -1 where it does not fit."""

    words: str
    holds: Callable[[HandFacts], Numbers]


def line_holds(lines: tuple[HoldLine, ...], hands: npt.NDArray[np.uint8]) -> Holds:
    """What the first line that fits holds of each hand; nothing where none does."""
    facts = HandFacts(hands)
    held = np.full(len(hands), -1, dtype=np.int64)
    for line in lines:
        held = np.where(held < 0, line.holds(facts), held)
    return np.maximum(held, 0).astype(np.uint8)
