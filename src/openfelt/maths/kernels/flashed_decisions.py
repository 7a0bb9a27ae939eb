"""The best first decision of a hand, from the sums of every flop given the seen cards."""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flashed_boards import BASE, PLAY, RIVER


@kernel
def best_on_flop(sums: npt.NDArray[np.int64], flop_multiples: npt.NDArray[np.int64]) -> int:
    """The best of checking and of each bet on a flop, from its sums of `BASE`, `PLAY`, `RIVER`."""
    best = sums[RIVER]
    for multiple in flop_multiples:
        best = max(best, sums[BASE] + multiple * sums[PLAY])
    return int(best)


@kernel
def best_of_flops(
    flops: npt.NDArray[np.int64],
    multiples: npt.NDArray[np.int64],
    flop_multiples: npt.NDArray[np.int64],
) -> int:
    """The best decision before the flop, if no card of the board is known."""
    base = 0
    play = 0
    later = 0
    for flop in range(flops.shape[0]):
        base += flops[flop, BASE]
        play += flops[flop, PLAY]
        later += best_on_flop(flops[flop], flop_multiples)
    best = later
    for multiple in multiples:
        best = max(best, base + multiple * play)
    return best


@kernel
def best_with_flop_card(
    size: int,
    flops: npt.NDArray[np.int64],
    multiples: npt.NDArray[np.int64],
    flop_multiples: npt.NDArray[np.int64],
) -> int:
    """The same if one card of the flop is known, summed over that card."""
    sums = np.zeros((size, 3), dtype=np.int64)
    for high in range(2, size):
        for middle in range(1, high):
            for low in range(middle):
                flop = low + CHOOSE[middle, 2] + CHOOSE[high, 3]
                base = flops[flop, BASE]
                play = flops[flop, PLAY]
                later = best_on_flop(flops[flop], flop_multiples)
                for place in (low, middle, high):
                    sums[place, BASE] += base
                    sums[place, PLAY] += play
                    sums[place, RIVER] += later
    return sum_best(sums, multiples)


@kernel
def best_with_turn_card(
    size: int,
    turns: npt.NDArray[np.int64],
    multiples: npt.NDArray[np.int64],
    flop_multiples: npt.NDArray[np.int64],
) -> int:
    """The same if the turn or the river is known, summed over that card."""
    sums = np.zeros((size, 3), dtype=np.int64)
    for row in range(turns.shape[0]):
        place = row % size
        base = turns[row, BASE]
        play = turns[row, PLAY]
        sums[place, BASE] += base
        sums[place, PLAY] += play
        sums[place, RIVER] += best_on_flop(turns[row], flop_multiples)
    return sum_best(sums, multiples)


@kernel
def sum_best(sums: npt.NDArray[np.int64], multiples: npt.NDArray[np.int64]) -> int:
    """Sum the best first decision over rows of `BASE`, `PLAY` and the value of a check."""
    total = 0
    for place in range(sums.shape[0]):
        best = sums[place, RIVER]
        for multiple in multiples:
            best = max(best, sums[place, BASE] + multiple * sums[place, PLAY])
        total += best
    return total
