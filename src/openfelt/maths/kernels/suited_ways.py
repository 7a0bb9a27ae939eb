"""Ultimate Draw: how many hands the dealer can have, by ranks and by the cards of one suit.

A row has all hands with the same ranks that hold the same of them, and have the same ranks in the
suit. Their number follows from the cards that are taken, so hands need not be enumerated.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.unqualified_pairs import bits

MATCHED, BY_RANKS, STRAIGHT, FOUR_ONLY, FLUSH = range(5)
"""Kinds of rows: with a pair; held by ranks; a straight; four of a suit; five of a suit."""


class SuitedRows(NamedTuple):
    """The rows of a deck."""

    kinds: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int8]
    """The five ranks of the hands of each row, lowest first."""
    masks: npt.NDArray[np.int64]
    """The different ranks."""
    inside: npt.NDArray[np.int64]
    """The ranks in the suit."""
    fours: npt.NDArray[np.int64]
    """The ranks that are held if they are of one suit, else 0."""


class TakenCards(NamedTuple):
    """The cards that are taken, in one suit and in the others."""

    own: int
    """The ranks that are taken in the suit."""
    left: npt.NDArray[np.int64]
    """How many cards are left of each rank in the other suits."""
    others: npt.NDArray[np.int64]
    """The ranks that are taken in each other suit."""


@kernel
def matched_ways(rows: SuitedRows, row: int, taken: TakenCards) -> int:
    """Count hands with a pair, or better without a straight."""
    ways, before, number = 1, -1, 0
    for rank in rows.ranks[row]:
        if rank != before:
            # The first card of a rank is the one in the suit, if there is one.
            before, number = rank, 0
            if rows.inside[row] >> rank & 1:
                continue
        ways *= taken.left[rank] - number
        number += 1
        if number > 1:
            ways //= number
    return ways


@kernel
def outside_ways(rows: SuitedRows, row: int, taken: TakenCards) -> int:
    """Count the ways to choose suits outside the suit, for hands of different ranks."""
    ways = 1
    for rank in rows.ranks[row]:
        if not rows.inside[row] >> rank & 1:
            ways *= taken.left[rank]
    return ways


@kernel
def plain_ways(rows: SuitedRows, row: int, taken: TakenCards) -> int:
    """Count hands of different ranks that have neither four nor five cards of a suit."""
    mask, inside = rows.masks[row], rows.inside[row]
    within = bits(inside)
    if within > 3:
        return 0
    ways = outside_ways(rows, row, taken)
    if within == 1:
        ways -= suits_that_have(mask & ~inside, taken)
    elif within == 0:
        ways -= suits_that_have(mask, taken)
        for rank in rows.ranks[row]:
            ways -= four_outside(mask & ~(1 << rank), rank, taken)
    return ways


@kernel
def suits_that_have(mask: int, taken: TakenCards) -> int:
    """Count the other suits in which none of these cards is taken."""
    suits = 0
    for other in taken.others:
        suits += other & mask == 0
    return suits


@kernel
def four_outside(four: int, odd: int, taken: TakenCards) -> int:
    """Count hands with four cards of another suit, and the fifth in neither that nor the suit."""
    ways = 0
    for other in taken.others:
        if other & four == 0:
            ways += taken.left[odd] - (1 - (other >> odd & 1))
    return ways


@kernel
def four_ways(mask: int, inside: int, four: int, taken: TakenCards) -> int:
    """Count hands with four cards of one suit."""
    odd = bits((mask & ~four) - 1)
    if inside == four:
        return int(taken.left[odd])
    if inside == mask & ~four:
        return suits_that_have(four, taken)
    return four_outside(four, odd, taken) if inside == 0 else 0


@kernel
def count_suited_ways(rows: SuitedRows, taken: TakenCards, out: npt.NDArray[np.int64]) -> None:
    """Write the number of hands of every row."""
    for row in range(rows.kinds.size):
        kind, mask, inside = rows.kinds[row], rows.masks[row], rows.inside[row]
        out[row] = 0
        if inside & taken.own:
            continue
        if kind == MATCHED:
            out[row] = matched_ways(rows, row, taken)
        elif kind == FLUSH:
            out[row] = 1 if inside else suits_that_have(mask, taken)
        elif kind == STRAIGHT:
            ways = outside_ways(rows, row, taken)
            out[row] = ways - (0 if inside else suits_that_have(mask, taken))
        else:
            ways = plain_ways(rows, row, taken) if kind == BY_RANKS else 0
            if rows.fours[row]:
                ways += four_ways(mask, inside, rows.fours[row], taken)
            out[row] = ways


@kernel
def add_up(
    places: npt.NDArray[np.int64], ways: npt.NDArray[np.int64], out: npt.NDArray[np.int64]
) -> None:
    """Add each number of hands to its entry."""
    for row in range(places.size):
        out[places[row]] += ways[row]
