"""The results of a strategy of Ultimate Draw by the dealer's rung; see `qualifying_hands`."""

import inspect
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw.ante_results import HOLDS, deals_of
from openfelt.maths.draw.drawn_flushes import count_drawn_flushes
from openfelt.maths.draw.final_hands import KEPT
from openfelt.maths.draw.hold_columns import ColumnKind, HoldColumns
from openfelt.maths.draw.holds import DrawHolds, Holds
from openfelt.maths.draw.qualifying_hands import RungResult, Rungs
from openfelt.maths.draw.rank_counts import FullRanks, Keep, KeptCounts, Ranks, count_by_thrown
from openfelt.maths.kernels import rung_ranks
from openfelt.maths.kernels.final_rungs import count_final_rungs
from openfelt.maths.kernels.hold_results import RANKS
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.kernels.rung_ranks import RUNGS, count_rungs
from openfelt.maths.parallel import Progress

_HAND = 5
Numbers = npt.NDArray[np.int64]


def count_rung_ranks(full: FullRanks, keep: Keep, thrown: Sequence[Ranks]) -> KeptCounts:
    """Count wins less losses by rung for some kept ranks, with each of the given discards."""
    return count_by_thrown(full, keep, thrown, count_rungs, RUNGS)


def rung_kind() -> ColumnKind:
    """Wins less losses by rung."""
    sources = [Path(__file__), *kernel_sources(inspect.getfile(rung_ranks))]
    return ColumnKind("draw-rungs", RUNGS, count_rung_ranks, whole=True, sources=sources)


def count_rung_results(
    holds: DrawHolds,
    chosen: Holds,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Rungs:
    """Count the results by rung of a player with these holds.

    For 52 cards this takes minutes of processor time, the first time on a machine.
    """
    rows, times = np.arange(len(chosen)), holds.classes.hands.counts.astype(np.int64)
    nets = rung_nets(holds, rows, chosen, times, workers=workers, progress=progress)
    unseen = len(holds.classes.deck) - _HAND
    every = deals_of(unseen) * int(times.sum())
    often = rung_frequencies(holds)
    return tuple(
        RungResult(share, Fraction(net, every)) for share, net in zip(often, nets, strict=True)
    )


def rung_nets(
    holds: DrawHolds,
    rows: Numbers,
    chosen: Holds,
    times: Numbers,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[int]:
    """Wins less losses in deals, by rung: some classes with a hold and a weight each, added up."""
    by_ranks = count_rungs_by_ranks(holds, rows, chosen, workers=workers, progress=progress)
    flushes = count_drawn_flushes(holds, rows, chosen, times, workers=workers, progress=progress)
    # Unbounded integers: all deals of a deck are more than 64 bits hold.
    nets = [
        sum(net * weight for net, weight in zip(column, times.tolist(), strict=True))
        for column in by_ranks.T.tolist()
    ]
    return [net + 2 * deals for net, deals in zip(nets, flushes, strict=True)]


def count_rungs_by_ranks(
    holds: DrawHolds,
    rows: Numbers,
    chosen: Holds,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Numbers:
    """Wins less losses in deals for a hold of each of some classes, by rung, without flushes."""
    columns = HoldColumns(tuple(holds.classes.deck.tolist()), rung_kind())
    return columns.count(rows * HOLDS + chosen, workers=workers, progress=progress)


def rung_frequencies(holds: DrawHolds) -> list[Fraction]:
    """How often a hand that holds the house way ends on each rung."""
    deck = holds.classes.deck
    left = np.bincount(deck >> 2, minlength=RANKS).astype(np.int64)
    weights = holds.classes.hands.counts * holds.weights[KEPT[holds.house_way]]
    out = np.zeros(RUNGS, dtype=np.int64)
    count_final_rungs(holds.hands, holds.house_way, weights.astype(np.int64), left, out)
    return [Fraction(draws, holds.draws) for draws in out.tolist()]
