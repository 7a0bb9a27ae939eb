"""Ultimate Draw: the columns of results, for all hands of the player together or by category.

A hold has `RESULTS` columns, or `RESULTS` for each category that an Ante Bonus can pay. The length
of its row says which, so the same kernels count both.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import (
    FULL_HOUSES,
    HIGH_CARDS,
    LOSE,
    RESULTS,
    STRAIGHT_FLUSHES,
    STRAIGHTS,
    WIN,
    add_result,
)

BELOW_FLUSH, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH, ROYAL_FLUSH = range(6)
SPREAD = 6
"""The categories that are counted separately: all hands below a flush, and each of the others."""
FOURS = 7297
"""The weakest four of a kind."""
ROYAL = 7462
"""The royal flush, the strongest hand."""
TIE = 2
"""The column that the kernels of the player's flushes use in place of unqualified dealers."""


@kernel
def category_of(strength: int) -> int:
    """Return which of the separately counted categories a hand belongs to."""
    if strength <= STRAIGHTS:
        return BELOW_FLUSH
    if strength < FULL_HOUSES:
        return FLUSH
    if strength < FOURS:
        return FULL_HOUSE
    if strength < STRAIGHT_FLUSHES:
        return FOUR_OF_A_KIND
    return STRAIGHT_FLUSH if strength < ROYAL else ROYAL_FLUSH


@kernel
def first_column(out: npt.NDArray[np.int64], strength: int) -> int:
    """Return the first column, in a hold's row, for the results of a player's hand."""
    return RESULTS * category_of(strength) if out.size > RESULTS else 0


@kernel
def spread_result(out: npt.NDArray[np.int64], strength: int, dealer: int, deals: int) -> None:
    """Count deals that end with these two hands: wins, losses and unqualified dealers."""
    first = first_column(out, strength)
    add_result(out[first : first + RESULTS], strength, dealer, deals)


@kernel
def compare_hands(out: npt.NDArray[np.int64], strength: int, dealer: int, deals: int) -> None:
    """Count deals that end with these two hands: wins, losses and ties with qualified dealers."""
    if dealer > HIGH_CARDS:
        column = WIN if strength > dealer else LOSE if strength < dealer else TIE
        out[first_column(out, strength) + column] += deals
