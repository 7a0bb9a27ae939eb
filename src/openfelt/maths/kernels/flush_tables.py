"""Ultimate Draw: one suit of the deck, and the dealer's hands in it.

A hand that draws a flush draws cards of one suit only, so one suit is looked at by itself: its
cards are bits of a mask of ranks. A *suited group* has all hands of the dealer that hold the same
ranks and either hold cards of this suit only, or do not.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import RankDraws


class OneSuit(NamedTuple):
    """One suit of a deck, and what the player leaves of it."""

    free: int
    """The ranks that the player does not have in this suit."""
    masks: npt.NDArray[np.int64]
    """All sets of the deck's ranks with at most five members, by size."""
    starts: npt.NDArray[np.int64]
    """Where the masks of each size begin, and where the last ones end."""
    keys: npt.NDArray[np.uint64]
    """The rank key of every mask."""
    left: npt.NDArray[np.int64]
    """How many cards the player leaves of each rank, in all suits."""
    factors: npt.NDArray[np.int64]
    """By numbers of cards drawn first and later, the orders of five draw cards."""
    draws: RankDraws


class SuitedGroups(NamedTuple):
    """The dealer's hands, in groups that hold the same ranks, of the suit alone or not."""

    keys: npt.NDArray[np.uint64]
    masks: npt.NDArray[np.int64]
    """The ranks held."""
    suited: npt.NDArray[np.bool_]
    """Whether everything held is of the suit, so that drawn cards can make a flush."""
    strengths: npt.NDArray[np.int64]
    """The strength of hands that draw nothing, else 0."""
    drawn: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    """Where the rows of each group begin, and where the last ones end."""
    ranks: npt.NDArray[np.int8]
    """The ranks of the hands of each row; rows with the same ranks are together."""
    kinds: npt.NDArray[np.int64]
    """A number for these ranks."""
    inside: npt.NDArray[np.int64]
    """The ranks that the hands of each row have in the suit."""
    ways: npt.NDArray[np.int64]
    short_starts: npt.NDArray[np.int64]
    """Where the next two arrays begin for each group, and where they end."""
    short_inside: npt.NDArray[np.int64]
    """The different values of `inside` in each group."""
    short_ways: npt.NDArray[np.int64]
    """How many hands have each of these."""


@kernel
def flush_of(mask: int, reading: np.record) -> int:
    """Read five cards of one suit."""
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
    """Take the cards of a mask away, or put them back."""
    for rank in range(left.size):
        left[rank] += by * (mask >> rank & 1)
