"""How often two pairs, three of a kind and straights lose to a flush that the dealer draws.

This is counted for some holds of hands of Ultimate Draw with the same ranks, which share most of
the work: as long as the dealer draws three cards or fewer, the number of hands depends on the ranks
of the player's hand and on which of these it has in the suit.
"""

import inspect
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw import ante_results, dealer_groups
from openfelt.maths.draw.ante_results import DrawQuestion, draw_tables
from openfelt.maths.draw.dealer_groups import FEW_DRAWS, GroupChoice, dealer_hands
from openfelt.maths.draw.flush_counts import Changes, CountKind, Hand, with_same_ranks
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels import dealer_flush_losses, suited_ways
from openfelt.maths.kernels.dealer_flush_losses import (
    MIDDLE,
    FlushHands,
    HeldCards,
    HeldDraws,
    count_long_losses,
    count_short_losses,
    held_draws,
    list_flush_hands,
)
from openfelt.maths.kernels.hand_reader import read_five
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.kernels.strength_tables import RANK_KEYS

_HAND = 5
Numbers = npt.NDArray[np.int64]


@lru_cache(maxsize=2)
def _flush_hands(deck: tuple[int, ...]) -> FlushHands:
    live = sum(1 << rank for rank in {card >> 2 for card in deck})
    return list_flush_hands(live, draw_tables(deck).mask_keys, reading_tables())


class SameRanksLosses:
    """Hands that have the same ranks, and the losses of some of their holds."""

    def __init__(
        self, deck: tuple[int, ...], wanted: Mapping[tuple[int, ...], Sequence[int]]
    ) -> None:
        """`wanted` has the holds of each hand."""
        self._deck, self._wanted = deck, wanted
        self._suits = sorted({card & 3 for card in deck})
        self._draws: dict[tuple[int, int], HeldDraws] = {}
        self._few: dict[tuple[int, int, bool], Numbers] = {}
        self._many: dict[tuple[int, int, tuple[int, ...]], Numbers] = {}

    def losses(self, hand: tuple[int, ...]) -> Numbers:
        """By wanted hold and category, the deals that are lost to a flush."""
        question = DrawQuestion(hand, (), self._deck)
        free = {suit: question.suit(suit).free for suit in self._suits}
        total = np.zeros((len(self._wanted[hand]), MIDDLE), dtype=np.int64)
        for place, hold in enumerate(self._wanted[hand]):
            for suit in self._suits:
                others = tuple(sorted(free[other] for other in self._suits if other != suit))
                few = hold, free[suit], len({card & 3 for card in hand}) == 1
                if few not in self._few:
                    self._few[few] = self._count(question, hold, suit, GroupChoice.FEW_DRAWN)
                many = hold, free[suit], others
                if many not in self._many:
                    self._many[many] = self._count(question, hold, suit, GroupChoice.MANY_DRAWN)
                total[place] += self._few[few] + self._many[many]
        return total

    def _count(
        self, question: DrawQuestion, hold: int, number: int, choice: GroupChoice
    ) -> Numbers:
        """Count the losses of one hold to the dealer's flushes of one suit."""
        reading, flush_hands = reading_tables(), _flush_hands(self._deck)
        suit, held = question.suit(number), _held(question.cards, hold)
        groups = dealer_hands(self._deck).suited_groups(question.cards, number, choice)
        out = np.zeros(MIDDLE, dtype=np.int64)
        count_short_losses(suit, groups, held, flush_hands, reading, out)
        few = choice is GroupChoice.FEW_DRAWN
        others = [question.suit(other).free for other in self._suits if other != number]
        for dealers in range(1, FEW_DRAWS + 1) if few else (FEW_DRAWS + 1,):
            if dealers < held.drawn:
                if (hold, dealers) not in self._draws:
                    self._draws[hold, dealers] = held_draws(suit, held, dealers, reading)
                draws = self._draws[hold, dealers]
                count_long_losses(suit, np.array(others), draws, flush_hands, out)
        return out


def _held(cards: tuple[int, ...], hold: int) -> HeldCards:
    key = sum(RANK_KEYS[card >> 2] for place, card in enumerate(cards) if hold >> place & 1)
    return HeldCards(
        key=np.uint64(key),
        drawn=_HAND - hold.bit_count(),
        standing=int(read_five(np.array(cards), reading_tables())),
    )


def count_loss_hands(deck: tuple[int, ...], hands: Sequence[Hand]) -> Changes:
    """Count the losses of some holds of some hands; hands with the same ranks together."""
    losses: Changes = {}
    for alike in with_same_ranks(hands):
        ranks = SameRanksLosses(deck, {cards: holds for _, cards, holds in alike})
        for number, cards, holds in alike:
            for hold, row in zip(holds, ranks.losses(cards).tolist(), strict=True):
                losses[number, hold] = tuple(row)
    return losses


def loss_kind() -> CountKind:
    """The kind of the losses to the dealer's flushes by category."""
    modules = (ante_results, dealer_groups)
    kernels = {
        path
        for module in (dealer_flush_losses, suited_ways)
        for path in kernel_sources(inspect.getfile(module))
    }
    sources = [Path(__file__), *(Path(inspect.getfile(module)) for module in modules), *kernels]
    return CountKind("draw-losses", MIDDLE, count_loss_hands, sources)
