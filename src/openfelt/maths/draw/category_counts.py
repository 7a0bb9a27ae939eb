"""The results of selected holds by category of the final hand, as far as ranks decide them."""

import inspect
from collections.abc import Sequence
from pathlib import Path

from openfelt.maths.draw.hold_columns import ColumnKind
from openfelt.maths.draw.rank_counts import FullRanks, Keep, KeptCounts, Ranks, count_by_thrown
from openfelt.maths.kernels import category_ranks
from openfelt.maths.kernels.category_ranks import COLUMNS, count_categories
from openfelt.maths.kernels.kernel_cache import kernel_sources


def count_category_ranks(full: FullRanks, keep: Keep, thrown: Sequence[Ranks]) -> KeptCounts:
    """Count the categories for some kept ranks, with each of the given discards."""
    return count_by_thrown(full, keep, thrown, count_categories, COLUMNS)


def category_kind() -> ColumnKind:
    """Wins, losses and unqualified dealers of each category; hands that are drawn to only."""
    sources = [Path(__file__), *kernel_sources(inspect.getfile(category_ranks))]
    return ColumnKind(
        "draw-categories", COLUMNS, count_category_ranks, whole=False, sources=sources
    )
