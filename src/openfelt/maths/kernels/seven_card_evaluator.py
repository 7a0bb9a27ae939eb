"""The fast evaluator's inner loops: from seven cards to one number.

Every card has a 64-bit key. Its low half is the key of its rank, so that the sum over seven cards
identifies their ranks; above it are four counters of four bits, one for each suit. They start at
three, so five cards of a suit set the counter's highest bit, and one test detects a flush. Numbers
that are not cards are counted in the bits above.

Larger strengths are better, equal strengths tie: 1 is 7-5-4-3-2, 7,462 a royal flush.

Two choices here look odd and were measured. Everything is unsigned, because Numba checks
signed indices for negative values, and because mixing signs makes it use floats. Loops are
written so that LLVM does not vectorise them: look-ups by vector gather took three to ten
times as long.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.strength_tables import ROW_BITS, ROW_WIDTH

KEY_START = np.uint64(0x3333 << 32)
FLUSH_BITS = np.uint64(0x8888 << 32)
ONE_OF_EACH_SUIT = np.uint64(0x1111 << 32)
NOT_A_CARD = np.uint64(1 << 56)
ALARM_BITS = np.uint64((0x8888 << 32) | (7 << 56))
RANK_BITS = np.uint64(0xFFFF_FFFF)
SUIT_RANKS = np.uint64(0x1FFF)

BLOCKS_AT_ONCE = 128
"""Blocks that are checked and then evaluated while they are in the L1 cache."""

_ROW_BITS = np.uint64(ROW_BITS)
_IN_ROW = np.uint64(ROW_WIDTH - 1)
_BYTE = np.uint64(0xFF)
_SIX_BITS = np.uint64(0x3F)
_0, _1, _2, _3, _4 = (np.uint64(number) for number in range(5))
_8, _16, _24, _32, _40, _48, _64 = (np.uint64(number) for number in (8, 16, 24, 32, 40, 48, 64))
_COUNTER_TOP = np.uint64(35)


@kernel_part
def rank_strength(
    key: np.uint64, offsets: npt.NDArray[np.uint32], strengths: npt.NDArray[np.uint16]
) -> np.uint16:
    """Look up seven cards without a flush by the sum of their rank keys."""
    value: np.uint16 = strengths[np.uint64(offsets[key >> _ROW_BITS]) + (key & _IN_ROW)]
    return value


@kernel_part
def flush_suit(key: np.uint64) -> np.uint64:
    """Return which suit's counter has reached five."""
    counters = (key & FLUSH_BITS) >> _COUNTER_TOP
    above_clubs = np.uint64(counters > np.uint64(0x1))
    above_diamonds = np.uint64(counters > np.uint64(0x10))
    return above_clubs + above_diamonds + np.uint64(counters > np.uint64(0x100))


@kernel_part
def packed_suit_mask(packed: np.uint64, suit: np.uint64) -> np.uint64:
    """Return the rank bits of the cards of one suit among seven cards packed in bytes."""
    mask = _0
    for _ in range(7):
        card = packed & _BYTE
        mask |= np.uint64(card & _3 == suit) << (card >> _2)
        packed >>= _8
    return mask


@kernel_part
def packed_key(packed: np.uint64, keys: npt.NDArray[np.uint64]) -> np.uint64:
    """Add the keys of seven cards packed in bytes."""
    # In three short chains, not one long one, so that the additions overlap.
    first = KEY_START + keys[packed & _BYTE] + keys[(packed >> _8) & _BYTE]
    second = keys[(packed >> _16) & _BYTE] + keys[(packed >> _24) & _BYTE]
    third = keys[(packed >> _32) & _BYTE] + keys[(packed >> _40) & _BYTE]
    key: np.uint64 = first + second + (third + keys[(packed >> _48) & _BYTE])
    return key


@kernel
def evaluate_words(
    words: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.uint32], strengths: npt.NDArray[np.uint16],
    flushes: npt.NDArray[np.uint16], out: npt.NDArray[np.uint16],
) -> int:  # fmt: skip
    """Evaluate eight hands from every seven little-endian words, 56 bytes.

    One load for many cards leaves the load ports to the tables. Returns the first hand
    with a number that is no card, or -1.
    """
    for block in range(words.shape[0]):
        for place in range(8):
            word = (7 * place) >> 3
            shift = np.uint64(((7 * place) & 7) * 8)
            packed = words[block, word] >> shift
            if shift > _8:
                packed |= words[block, word + 1] << (_64 - shift)
            key = packed_key(packed, keys)
            if key & ALARM_BITS:
                if key >= NOT_A_CARD:
                    return block * 8 + place
                out[block * 8 + place] = flushes[packed_suit_mask(packed, flush_suit(key))]
            else:
                out[block * 8 + place] = rank_strength(key & RANK_BITS, offsets, strengths)
    return -1


@kernel
def unpack_hands(words: npt.NDArray[np.uint64], packed: npt.NDArray[np.uint64]) -> None:
    """Unpack each hand into a word of its own, its seven cards in the low bytes."""
    for block in range(words.shape[0]):
        for place in range(8):
            word = (7 * place) >> 3
            shift = np.uint64(((7 * place) & 7) * 8)
            packed[block * 8 + place] = words[block, word] >> shift
            if shift > _8:
                packed[block * 8 + place] |= words[block, word + 1] << (_64 - shift)


@kernel
def any_repeat(packed: npt.NDArray[np.uint64]) -> np.uint64:
    """Return whether any hand has the same card twice: nonzero if so."""
    # The loop has no early exit, so LLVM does vectorise it.
    repeats = _0
    for hand in range(packed.size):
        cards = packed[hand]
        # Six bits of each: a number above 63 is not a card, which the evaluation detects.
        seen = _1 << (cards & _SIX_BITS)
        total = seen
        for _ in range(6):
            cards >>= _8
            bit = _1 << (cards & _SIX_BITS)
            seen |= bit
            total += bit
        repeats |= seen ^ total
    return repeats


@kernel
def evaluate_checked(
    words: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.uint32], strengths: npt.NDArray[np.uint16],
    flushes: npt.NDArray[np.uint16], out: npt.NDArray[np.uint16],
) -> int:  # fmt: skip
    """Evaluate like `evaluate_words`, but also stop at a hand with the same card twice."""
    room = np.empty(8 * BLOCKS_AT_ONCE, dtype=np.uint64)
    for first in range(0, words.shape[0], BLOCKS_AT_ONCE):
        blocks = words[first : first + BLOCKS_AT_ONCE]
        packed = room[: 8 * blocks.shape[0]]
        unpack_hands(blocks, packed)
        if any_repeat(packed):
            for hand in range(packed.size):
                if any_repeat(packed[hand : hand + 1]):
                    return first * 8 + hand
        bad = evaluate_words(blocks, keys, offsets, strengths, flushes, out[8 * first :])
        if bad >= 0:
            return 8 * first + bad
    return -1


@kernel
def count_strengths(  # noqa: PLR0912
    keys: npt.NDArray[np.uint64], masks: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.uint32], strengths: npt.NDArray[np.uint16],
    flushes: npt.NDArray[np.uint16], counts: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Evaluate all C(52,7) hands one by one and count how often each strength occurs."""
    # One deeply nested function: a call inside would cost an eighth of the speed.
    for card1 in range(52):
        for card2 in range(card1 + 1, 52):
            for card3 in range(card2 + 1, 52):
                for card4 in range(card3 + 1, 52):
                    key4 = KEY_START + keys[card1] + keys[card2] + keys[card3] + keys[card4]
                    mask4 = masks[card1] | masks[card2] | masks[card3] | masks[card4]
                    for card5 in range(card4 + 1, 52):
                        key5 = key4 + keys[card5]
                        mask5 = mask4 | masks[card5]
                        for card6 in range(card5 + 1, 52):
                            key6 = key5 + keys[card6]
                            if (key6 + ONE_OF_EACH_SUIT) & FLUSH_BITS:
                                mask6 = mask5 | masks[card6]
                                for card in range(card6 + 1, 52):
                                    key = key6 + keys[card]
                                    if key & FLUSH_BITS:
                                        mask = (mask6 | masks[card]) >> (_16 * flush_suit(key))
                                        counts[flushes[mask & SUIT_RANKS]] += 1
                                    else:
                                        key &= RANK_BITS
                                        counts[rank_strength(key, offsets, strengths)] += 1
                            else:
                                # No flush is possible: four look-ups run at once.
                                key6 &= RANK_BITS
                                card7 = np.uint64(card6 + 1)
                                while card7 & _3:
                                    key = key6 + (keys[card7] & RANK_BITS)
                                    counts[rank_strength(key, offsets, strengths)] += 1
                                    card7 += _1
                                while card7 < np.uint64(52):
                                    key = key6 + (keys[card7] & RANK_BITS)
                                    first = rank_strength(key, offsets, strengths)
                                    key = key6 + (keys[card7 + _1] & RANK_BITS)
                                    second = rank_strength(key, offsets, strengths)
                                    key = key6 + (keys[card7 + _2] & RANK_BITS)
                                    third = rank_strength(key, offsets, strengths)
                                    key = key6 + (keys[card7 + _3] & RANK_BITS)
                                    fourth = rank_strength(key, offsets, strengths)
                                    counts[first] += 1
                                    counts[second] += 1
                                    counts[third] += 1
                                    counts[fourth] += 1
                                    card7 += _4
