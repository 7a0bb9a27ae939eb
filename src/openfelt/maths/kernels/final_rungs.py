"""Ultimate Draw: in how many ways further cards make a pair, two pairs or three of a kind.

Some cards are held, and the others are any of those that are left. Hands are read by their ranks,
because a hand with a pair is no flush.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import DRAWS, RANKS
from openfelt.maths.kernels.rung_ranks import THREE_RUNG, TWO_PAIR_RUNG


@kernel
def sum_singles(
    held: npt.NDArray[np.int64], left: npt.NDArray[np.int64], out: npt.NDArray[np.int64]
) -> None:
    """Write, for each number of cards, the sets of cards of different ranks that are not held."""
    out[:] = 0
    out[0] = 1
    for rank in range(RANKS):
        if held[rank] == 0 and left[rank]:
            for size in range(DRAWS - 1, 0, -1):
                out[size] += left[rank] * out[size - 1]


@kernel
def leave_out(singles: npt.NDArray[np.int64], cards: int, out: npt.NDArray[np.int64]) -> None:
    """Write the sets of `sum_singles` without a rank that has so many cards left."""
    out[0] = 1
    for size in range(1, DRAWS):
        out[size] = singles[size] - cards * out[size - 1]


@kernel
def at(sums: npt.NDArray[np.int64], size: int) -> int:
    """Return the number of sets of some cards; no set has fewer than none."""
    return int(sums[size]) if size >= 0 else 0


@kernel
def add_hands(
    held: npt.NDArray[np.int64], left: npt.NDArray[np.int64], size: int, ways: int,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the hands of each rung that some held cards make with `size` of those that are left.

    Each hand counts `ways` times.
    """
    singles = np.zeros(DRAWS, dtype=np.int64)
    sum_singles(held, left, singles)
    pair, pairs, threes, fours = -1, 0, 0, 0
    for rank in range(RANKS):
        if held[rank] == 2:
            pair, pairs = rank, pairs + 1
        threes += held[rank] == 3
        fours += held[rank] == 4
    if fours or (threes and pairs):
        return
    if threes:
        out[THREE_RUNG] += ways * singles[size]
    elif pairs == 2:
        out[TWO_PAIR_RUNG] += ways * singles[size]
    elif pairs:
        add_to_pair(held, left, pair, size, ways, singles, out)
    else:
        add_to_singles(held, left, size, ways, singles, out)


@kernel
def add_to_pair(
    held: npt.NDArray[np.int64], left: npt.NDArray[np.int64], pair: int, size: int, ways: int,
    singles: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the hands of held cards with one pair."""
    others = np.zeros(DRAWS, dtype=np.int64)
    out[pair] += ways * singles[size]
    out[THREE_RUNG] += ways * left[pair] * at(singles, size - 1)
    for rank in range(RANKS):
        if held[rank] == 1:
            out[TWO_PAIR_RUNG] += ways * left[rank] * at(singles, size - 1)
        elif held[rank] == 0 and left[rank] > 1:
            leave_out(singles, left[rank], others)
            two = left[rank] * (left[rank] - 1) // 2
            out[TWO_PAIR_RUNG] += ways * two * at(others, size - 2)


@kernel
def add_to_singles(
    held: npt.NDArray[np.int64], left: npt.NDArray[np.int64], size: int, ways: int,
    singles: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the hands of held cards without a pair."""
    others = np.zeros(DRAWS, dtype=np.int64)
    # Cards that pair a held one, pairs of them, and pairs of cards of one other rank.
    matches, match_pairs, new_pairs, two_new_pairs, match_and_pair = 0, 0, 0, 0, 0
    threes, by_cards, blocked = 0, 0, 0
    for rank in range(RANKS):
        n = left[rank]
        two = n * (n - 1) // 2
        if held[rank]:
            out[rank] += ways * n * at(singles, size - 1)
            match_pairs += n * matches
            matches += n
            threes += two * at(singles, size - 2)
        elif two:
            leave_out(singles, n, others)
            out[rank] += ways * two * at(others, size - 2)
            two_new_pairs += two * new_pairs
            blocked += two * by_cards + n * two * new_pairs
            new_pairs += two
            by_cards += two * n
            match_and_pair += two * at(others, size - 3)
            threes += two * (n - 2) // 3 * at(others, size - 3)
    two_pairs = match_pairs * at(singles, size - 2) + matches * match_and_pair
    if size == DRAWS - 2:
        two_pairs += two_new_pairs
    elif size == DRAWS - 1:
        # The fifth card has neither rank.
        two_pairs += two_new_pairs * singles[1] - blocked
    out[TWO_PAIR_RUNG] += ways * two_pairs
    out[THREE_RUNG] += ways * threes


@kernel
def count_final_rungs(
    hands: npt.NDArray[np.uint8], holds: npt.NDArray[np.uint8], weights: npt.NDArray[np.int64],
    cards: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the draws of each hand's hold that end on each rung, with a weight for each hand.

    `cards` is how many cards of each rank the deck has.
    """
    held = np.zeros(RANKS, dtype=np.int64)
    left = np.zeros(RANKS, dtype=np.int64)
    for row in range(holds.size):
        held[:] = 0
        left[:] = cards
        size = 0
        for place in range(hands.shape[1]):
            rank = hands[row, place] >> 2
            left[rank] -= 1
            if holds[row] >> place & 1:
                held[rank] += 1
            else:
                size += 1
        add_hands(held, left, size, weights[row], out)
