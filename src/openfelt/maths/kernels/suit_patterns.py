"""Ultimate Draw: tables of the dealer's hands with four and five cards of a suit, by ranks.

Ranks determine almost everything that the dealer holds, and the number of hands with given ranks is
a product of the cards left of each. Only hands with four or five cards of one suit hold other
cards, or stand. The tables count these by the ranks that are taken in the suit, for all sets of
ranks.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import ALL_RANKS, HIGH_CARDS, RANKS, strength_of
from openfelt.maths.kernels.unqualified_pairs import bits

LOW_RANKS = 9
"""The ranks below the jack, which the house way does not hold as single cards."""
HIGH_SETS = 16
"""The number of sets of high ranks; the jack has the lowest bit."""
SEQUENCES = 11
"""Four ranks in sequence, from ace to four upwards."""
PLAIN_HOLDS = HIGH_SETS + SEQUENCES
"""What ranks without a pair or a straight hold: high cards, or four in sequence."""
STRAIGHT_RANKS = -1
MASKS = 1 << RANKS


class SuitPatterns(NamedTuple):
    """The tables, which are the same for every hand of the player."""

    holds: npt.NDArray[np.int8]
    """By mask of five ranks, the number of what they hold, or STRAIGHT_RANKS."""
    sequences: npt.NDArray[np.int64]
    """The masks of four ranks in sequence."""
    straights: npt.NDArray[np.bool_]
    """By mask, whether it is a straight."""
    fours: npt.NDArray[np.int16]
    """By ranks taken, the rank of a fifth card, and what the five hold: the number of sets of four
    ranks."""
    fives: npt.NDArray[np.int16]
    """By ranks taken and what the five hold: the number of sets of five ranks."""
    misses: npt.NDArray[np.int16]
    """By ranks taken, drawn rank, and the rank of a fifth card: the number of sets of four ranks
    that neither of the two completes to a straight."""
    draws: npt.NDArray[np.int8]
    """By draws and high ranks held: the number of sets of draws that give neither a pair nor a
    straight."""
    odd_hands: npt.NDArray[np.int64]
    """The masks of five ranks that hold a sequence, or are a straight; low ones first."""
    odd_ranks: npt.NDArray[np.int64]
    """The ranks of each of these, lowest first."""


@kernel
def sequence_mask(number: int) -> int:
    """Return the ranks of four in sequence; the first one begins with the ace."""
    if number == 0:
        return 0b111 | 1 << (RANKS - 1)
    return 0b1111 << (number - 1)


@kernel
def held_by_ranks(mask: int, straights: npt.NDArray[np.bool_]) -> int:
    """Return what five different ranks hold: of several sequences, the highest one."""
    if straights[mask]:
        return STRAIGHT_RANKS
    for number in range(SEQUENCES - 1, -1, -1):
        four = sequence_mask(number)
        if mask & four == four:
            return HIGH_SETS + number
    return mask >> LOW_RANKS


@kernel
def sum_free(table: npt.NDArray[np.int16]) -> None:
    """Replace the entry of each set by the sum over all sets that avoid these ranks."""
    flat = table.reshape(MASKS, -1)
    for rank in range(RANKS):
        for mask in range(MASKS):
            if mask >> rank & 1:
                flat[mask] += flat[mask ^ 1 << rank]
    for mask in range(MASKS // 2):
        for place in range(flat.shape[1]):
            below, above = flat[mask, place], flat[ALL_RANKS ^ mask, place]
            flat[mask, place] = above
            flat[ALL_RANKS ^ mask, place] = below


@kernel
def draws_without(mask: int, held: int, straights: npt.NDArray[np.bool_]) -> int:
    """Count the sets of draws, of cards of one suit, that leave high ranks without a pair."""
    draws, part = 0, mask
    while part:
        if bits(part | held) == bits(part) + bits(held) == 5 and not straights[part | held]:
            draws += 1
        part = (part - 1) & mask
    return draws


@kernel
def list_odd_hands(holds: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """List the masks of five ranks that hold a sequence, or are a straight."""
    listed = np.zeros(MASKS, dtype=np.int64)
    hands = 0
    for mask in range(MASKS):
        if bits(mask) == 5 and (holds[mask] == STRAIGHT_RANKS or holds[mask] >= HIGH_SETS):
            listed[hands] = mask
            hands += 1
    return listed[:hands].copy()


@kernel
def add_four_of_suit(
    four: int, holds: npt.NDArray[np.int8], straights: npt.NDArray[np.bool_],
    fours: npt.NDArray[np.int16], misses: npt.NDArray[np.int16],
) -> None:  # fmt: skip
    """Enter four ranks of one suit, with every rank of a fifth card."""
    for odd in range(RANKS):
        whole = four | 1 << odd
        if whole == four or straights[whole]:
            continue
        fours[four, odd, holds[whole]] = 1
        for drawn in range(RANKS):
            made = four | 1 << drawn
            misses[four, drawn, odd] = made != four and not straights[made]


@kernel
def suit_patterns(keys: npt.NDArray[np.uint64], reading: np.record) -> SuitPatterns:
    """Fill the tables; `keys` has the rank key of every mask."""
    straights = np.zeros(MASKS, dtype=np.bool_)
    holds = np.zeros(MASKS, dtype=np.int8)
    fours = np.zeros((MASKS, RANKS, PLAIN_HOLDS), dtype=np.int16)
    fives = np.zeros((MASKS, PLAIN_HOLDS), dtype=np.int16)
    misses = np.zeros((MASKS, RANKS, RANKS), dtype=np.int16)
    draws = np.zeros((MASKS, HIGH_SETS), dtype=np.int8)
    for mask in range(MASKS):
        if bits(mask) == 5:
            straights[mask] = strength_of(keys[mask], reading) > HIGH_CARDS
            holds[mask] = held_by_ranks(mask, straights)
            if holds[mask] != STRAIGHT_RANKS:
                fives[mask, holds[mask]] = 1
    for mask in range(MASKS):
        if bits(mask) == 4:
            add_four_of_suit(mask, holds, straights, fours, misses)
        if 4 <= bits(mask) <= 5:
            for high in range(HIGH_SETS):
                draws[mask, high] = draws_without(mask, high << LOW_RANKS, straights)
    sum_free(fours)
    sum_free(fives)
    sum_free(misses)
    sequences = np.zeros(SEQUENCES, dtype=np.int64)
    for number in range(SEQUENCES):
        sequences[number] = sequence_mask(number)
    odd_hands = list_odd_hands(holds)
    odd_ranks = np.zeros((odd_hands.size, 5), dtype=np.int64)
    for number in range(odd_hands.size):
        rest = odd_hands[number]
        for place in range(5):
            odd_ranks[number, place] = bits((rest & -rest) - 1)
            rest &= rest - 1
    return SuitPatterns(
        holds, sequences, straights, fours, fives, misses, draws, odd_hands, odd_ranks
    )
