"""Ultimate Draw: one suit of the deck, and the dealer's hands in it.

A hand that draws a flush draws cards of one suit only, so each suit is treated separately: its
cards are bits of a mask of ranks. A *suited group* has all hands of the dealer that hold the same
ranks and either hold cards of this suit only, or do not.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import RankDraws


class OneSuit(NamedTuple):
    """One suit of a deck, and the cards of it that the player's hand leaves."""

    free: int
    """The ranks that the player does not have in this suit."""
    masks: npt.NDArray[np.int64]
    """All sets of the deck's ranks with at most five members, by size."""
    starts: npt.NDArray[np.int64]
    """Where the masks of each size begin; the last entry is the end."""
    keys: npt.NDArray[np.uint64]
    """The rank key of every mask."""
    left: npt.NDArray[np.int64]
    """How many cards of each rank the player's hand leaves, in all suits."""
    factors: npt.NDArray[np.int64]
    """The number of orders of five draw cards, by how many cards are drawn first and later."""
    draws: RankDraws


class SuitedGroups(NamedTuple):
    """The dealer's hands, in groups that hold the same ranks, either of the suit alone or not."""

    keys: npt.NDArray[np.uint64]
    masks: npt.NDArray[np.int64]
    """The ranks held."""
    suited: npt.NDArray[np.bool_]
    """Whether everything held is of the suit, so that drawn cards can make a flush."""
    strengths: npt.NDArray[np.int64]
    """The strength of hands that draw nothing, else 0."""
    drawn: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    """Where the rows of each group begin; the last entry is the end."""
    ranks: npt.NDArray[np.int8]
    """The ranks of the hands of each row; rows with the same ranks are together."""
    kinds: npt.NDArray[np.int64]
    """A number for these ranks."""
    inside: npt.NDArray[np.int64]
    """The ranks that the hands of each row have in the suit."""
    ways: npt.NDArray[np.int64]
    short_starts: npt.NDArray[np.int64]
    """Where the next two arrays begin for each group; the last entry is the end."""
    short_inside: npt.NDArray[np.int64]
    """The different values of `inside` in each group."""
    short_ways: npt.NDArray[np.int64]
    """How many hands have each of these."""


@kernel
def flush_of(mask: int, reading: np.record) -> int:
    """Return the strength of five cards of one suit."""
    return int(np.int64(reading.flushes[mask]))


@kernel
def hands_without(groups: SuitedGroups, group: int, drawn: int) -> int:
    """Count the hands of a group that have none of these cards of the suit."""
    hands = 0
    for row in range(groups.short_starts[group], groups.short_starts[group + 1]):
        if groups.short_inside[row] & drawn == 0:
            hands += groups.short_ways[row]
    return hands


@kernel
def change_mask(left: npt.NDArray[np.int64], mask: int, by: int) -> None:
    """Take away the cards of a mask, or put them back."""
    for rank in range(left.size):
        left[rank] += by * (mask >> rank & 1)
