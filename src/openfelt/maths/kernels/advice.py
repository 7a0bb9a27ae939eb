"""One hand's decisions against every deal that is still possible, whatever has been seen.

The dealer's hands are counted by their two ranks, 91 look-ups a board, and apart from
that those that make a flush. Nothing is assumed about which cards are left.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.seven_card_evaluator import (
    FLUSH_BITS,
    KEY_START,
    RANK_BITS,
    SUIT_RANKS,
    flush_suit,
    rank_strength,
)

BELOW, NOT_LOST, UNQUALIFIED, TOTAL = range(4)
"""What is counted of the dealer's hands: weaker than the player's, not better, weaker
than the qualifying hand, and all."""

_16 = np.uint64(16)


@kernel_part
def hand_strength(
    key: np.uint64, mask: np.uint64, offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
) -> int:  # fmt: skip
    """Give the strength of seven cards from their key and mask."""
    if key & FLUSH_BITS:
        return int(flushes[(mask >> (_16 * flush_suit(key))) & SUIT_RANKS])
    return int(rank_strength(key & RANK_BITS, offsets, strengths))


@kernel_part
def tally(
    dealer: int, hands: int, player: int, qualifying: int, counts: npt.NDArray[np.int64]
) -> None:
    """Count dealer hands of one strength."""
    counts[BELOW] += hands * (dealer < player)
    counts[NOT_LOST] += hands * (dealer <= player)
    counts[UNQUALIFIED] += hands * (dealer < qualifying)
    counts[TOTAL] += hands


@kernel
def count_unsuited_dealers(
    player: int, qualifying: int, board_key: np.uint64, left: npt.NDArray[np.int64],
    suited_left: int, keys: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], counts: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the dealer hands without a flush, by their two ranks.

    `left` is how many cards of each rank they may use; with three suited cards on the
    board, two cards of `suited_left` together would be a flush and are not counted here.
    """
    below = 0
    not_lost = 0
    unqualified = 0
    total = 0
    for high in range(13):
        if left[high] == 0:
            continue
        high_key = board_key + (keys[4 * high] & RANK_BITS)
        for low in range(high + 1):
            hands = left[high] * left[low]
            if low == high:
                hands = left[high] * (left[high] - 1) // 2
            elif suited_left >> high & suited_left >> low & 1:
                hands -= 1
            if hands == 0:
                continue
            dealer = rank_strength(high_key + (keys[4 * low] & RANK_BITS), offsets, strengths)
            below += hands * (dealer < player)
            not_lost += hands * (dealer <= player)
            unqualified += hands * (dealer < qualifying)
            total += hands
    counts[BELOW] += below
    counts[NOT_LOST] += not_lost
    counts[UNQUALIFIED] += unqualified
    counts[TOTAL] += total


@kernel
def count_suited_dealers(
    player: int, qualifying: int, board_mask: int, board_suited: int, suited_left: int,
    others_left: int, flushes: npt.NDArray[np.uint16], counts: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the dealer hands with a flush on a board with three or more of a suit."""
    for high in range(13):
        if not suited_left >> high & 1:
            continue
        with_high = board_mask | 1 << high
        if board_suited >= 4:
            tally(flushes[with_high], others_left, player, qualifying, counts)
        for low in range(high):
            if suited_left >> low & 1:
                tally(flushes[with_high | 1 << low], 1, player, qualifying, counts)
    if board_suited == 5:
        pairs = others_left * (others_left - 1) // 2
        tally(flushes[board_mask], pairs, player, qualifying, counts)


@kernel
def count_dealers(
    board: npt.NDArray[np.int64], hole: npt.NDArray[np.int64], dealer: npt.NDArray[np.int64],
    unseen: npt.NDArray[np.int64], qualifying: int, keys: npt.NDArray[np.uint64],
    masks: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
    left: npt.NDArray[np.int64], counts: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Count the hands the dealer may hold on a full board; give the player's strength.

    `dealer` has the cards of the dealer that are known. `unseen` has the cards that may
    still be anywhere, on the board or not: how many of each rank, then a mask of ranks
    for each suit. `left` is room for the same without the board.
    """
    counts[:] = 0
    left[:] = unseen
    key = KEY_START
    mask = np.uint64(0)
    for card in board:
        key += keys[card]
        mask |= masks[card]
        bit = left[13 + (card & 3)] >> (card >> 2) & 1
        left[card >> 2] -= bit
        left[13 + (card & 3)] -= bit << (card >> 2)
    player = hand_strength(
        key + keys[hole[0]] + keys[hole[1]], mask | masks[hole[0]] | masks[hole[1]],
        offsets, strengths, flushes,
    )  # fmt: skip
    if dealer.size:
        count_known_dealer(
            player, qualifying, key, mask, dealer, left,
            keys, masks, offsets, strengths, flushes, counts,
        )  # fmt: skip
        return player
    # The counters start at three: six and above are three cards of a suit or more.
    suit = 0
    board_suited = 0
    for one_suit in range(4):
        held = int((key >> np.uint64(32 + 4 * one_suit)) & np.uint64(15)) - 3
        if held >= 3:
            suit = one_suit
            board_suited = held
    suited_left = left[13 + suit] if board_suited else 0
    if board_suited:
        others_left = 0
        for rank in range(13):
            bit = suited_left >> rank & 1
            others_left += left[rank] - bit
            # With four suited cards on the board, one more is a flush already.
            left[rank] -= bit if board_suited >= 4 else 0
        board_mask = int((mask >> np.uint64(16 * suit)) & SUIT_RANKS)
        count_suited_dealers(
            player, qualifying, board_mask, board_suited, suited_left, others_left, flushes, counts
        )
    if board_suited < 5:
        count_unsuited_dealers(
            player, qualifying, key & RANK_BITS, left, suited_left if board_suited == 3 else 0,
            keys, offsets, strengths, counts,
        )  # fmt: skip
    return player


@kernel
def count_known_dealer(
    player: int, qualifying: int, key: np.uint64, mask: np.uint64,
    dealer: npt.NDArray[np.int64], left: npt.NDArray[np.int64],
    keys: npt.NDArray[np.uint64], masks: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.uint32], strengths: npt.NDArray[np.uint16],
    flushes: npt.NDArray[np.uint16], counts: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the dealer hands that hold one or two known cards."""
    for card in dealer:
        key += keys[card]
        mask |= masks[card]
    if dealer.size == 2:
        strength = hand_strength(key, mask, offsets, strengths, flushes)
        tally(strength, 1, player, qualifying, counts)
        return
    for card in range(52):
        if left[13 + (card & 3)] >> (card >> 2) & 1:
            strength = hand_strength(
                key + keys[card], mask | masks[card], offsets, strengths, flushes
            )
            tally(strength, 1, player, qualifying, counts)


@kernel
def price_showdown(
    player: int, counts: npt.NDArray[np.int64], ante: int, blind: npt.NDArray[np.int64],
    categories: npt.NDArray[np.uint8], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Give Ante and Blind, a Play wager of one, and a fold, summed over the dealer's hands."""
    won = counts[BELOW]
    won_qualified = max(0, won - counts[UNQUALIFIED])
    lost = counts[TOTAL] - counts[NOT_LOST]
    lost_qualified = lost - max(0, counts[UNQUALIFIED] - counts[NOT_LOST])
    out[0] = ante * (won_qualified - lost_qualified - lost) + blind[categories[player]] * won
    out[1] = ante * (won - lost)
    out[2] = -2 * ante * counts[TOTAL]
