"""Wins and losses of some holds of some classes of hands, counted without those of all others."""

import inspect
from collections.abc import Sequence

import numpy as np

from openfelt.maths.draw.ante_results import DrawQuestion, _holds, draw_tables, orders_of
from openfelt.maths.draw.dealer_groups import dealer_hands
from openfelt.maths.draw.flush_counts import (
    Changes,
    CountKind,
    Hand,
    count_hands,
    flush_sources,
)
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels import hold_results
from openfelt.maths.kernels.hold_results import LOSE, RESULTS, WIN, count_rank_results
from openfelt.maths.kernels.kernel_cache import kernel_sources


def spot_kind() -> CountKind:
    """The deals that win and lose, but for a loss that is the same for all holds of a class."""
    sources = {*flush_sources(), *kernel_sources(inspect.getfile(hold_results))}
    return CountKind("draw-holds", 2, count_spots, sorted(sources))


def count_spots(deck: tuple[int, ...], hands: Sequence[Hand]) -> Changes:
    """Count some holds of some hands: by ranks, and with the flushes that are drawn.

    By ranks, half a second for each hand of 52 cards, and with flushes some milliseconds more.
    """
    changes = count_hands(deck, hands)
    for number, cards, holds in hands:
        for hold, (win, lose) in zip(holds, _by_ranks(deck, cards, holds), strict=True):
            won, lost = changes[number, hold]
            changes[number, hold] = (won + win, lost + lose)
    return changes


def _by_ranks(
    deck: tuple[int, ...], cards: tuple[int, ...], wanted: Sequence[int]
) -> list[tuple[int, int]]:
    """The deals that win and lose by ranks, for each of the wanted holds."""
    question, tables = DrawQuestion(cards, (), deck), draw_tables(deck)
    dealer = dealer_hands(deck)
    holds, places = _holds(cards, wanted)
    out = np.zeros((len(holds.keys), RESULTS), dtype=np.int64)
    count_rank_results(
        dealer.hold_groups(dealer.left_by(cards)), tables.draws, tables.splits, holds,
        question.left(), orders_of(question.unseen), reading_tables(), out,
    )  # fmt: skip
    return [(int(row[WIN]), int(row[LOSE])) for row in out[places]]
