"""One hand's decisions against every deal that is still possible, whatever has been seen.

The dealer's hands are counted by their two ranks, 91 look-ups per board; those that make a flush
are counted separately. No assumption is made about which cards are left.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.hand_reader import strength_of_key
from openfelt.maths.kernels.seven_card_evaluator import (
    KEY_START,
    RANK_BITS,
    SUIT_RANKS,
    rank_strength,
)

BELOW, NOT_LOST, UNQUALIFIED, TOTAL = range(4)
"""The counts of the dealer's hands: weaker than the player's, not better, below the qualifying
hand, and all."""
BASE, PLAY, FOLD = range(3)
"""The prices: Ante and Blind at a showdown, a Play wager of one unit, and a fold."""
RANKS_AND_SUITS = 17

QUESTION = np.dtype(
    [
        ("hole", np.int64, (2,)),
        # The dealer's cards that are known: how many, and which.
        ("dealer_count", np.int64),
        ("dealer", np.int64, (2,)),
        # The cards that may still be anywhere, on the board or not: how many of each rank,
        # then a mask of ranks for each suit.
        ("unseen", np.int64, (RANKS_AND_SUITS,)),
    ],
    align=True,
)
"""What a player knows besides the board."""

DEALERS = np.dtype(
    [
        # The unseen cards without those on the board, in the form of `QUESTION`.
        ("left", np.int64, (RANKS_AND_SUITS,)),
        # The dealer's hands by `BELOW` to `TOTAL`.
        ("counts", np.int64, (4,)),
        # Sums over the dealer's hands, by `BASE` to `FOLD`.
        ("prices", np.int64, (3,)),
    ],
    align=True,
)
"""The hands that the dealer may hold on one full board; overwritten by the next board."""


@kernel_part
def tally(strength: int, hands: int, player: int, qualifying: int, dealers: np.record) -> None:
    """Count dealer hands of one strength."""
    dealers.counts[BELOW] += hands * (strength < player)
    dealers.counts[NOT_LOST] += hands * (strength <= player)
    dealers.counts[UNQUALIFIED] += hands * (strength < qualifying)
    dealers.counts[TOTAL] += hands


@kernel
def count_unsuited_dealers(
    player: int, qualifying: int, board_key: np.uint64, suited_left: int, reading: np.record,
    dealers: np.record,
) -> None:  # fmt: skip
    """Count the dealer hands without a flush, by their two ranks.

    `dealers.left` is how many cards of each rank they may use; with three suited cards on
    the board, two cards of `suited_left` together would be a flush and are not counted here.
    """
    below = 0
    not_lost = 0
    unqualified = 0
    total = 0
    left = dealers.left
    for high in range(13):
        if left[high] == 0:
            continue
        high_key = board_key + (reading.keys[4 * high] & RANK_BITS)
        for low in range(high + 1):
            hands = left[high] * left[low]
            if low == high:
                hands = left[high] * (left[high] - 1) // 2
            elif suited_left >> high & suited_left >> low & 1:
                hands -= 1
            if hands == 0:
                continue
            key = high_key + (reading.keys[4 * low] & RANK_BITS)
            strength = rank_strength(key, reading.offsets7, reading.strengths7)
            below += hands * (strength < player)
            not_lost += hands * (strength <= player)
            unqualified += hands * (strength < qualifying)
            total += hands
    dealers.counts[BELOW] += below
    dealers.counts[NOT_LOST] += not_lost
    dealers.counts[UNQUALIFIED] += unqualified
    dealers.counts[TOTAL] += total


@kernel
def count_suited_dealers(
    player: int, qualifying: int, board_mask: int, board_suited: int, suited_left: int,
    others_left: int, reading: np.record, dealers: np.record,
) -> None:  # fmt: skip
    """Count the dealer hands with a flush on a board with three or more of a suit."""
    flushes = reading.flushes
    for high in range(13):
        if not suited_left >> high & 1:
            continue
        with_high = board_mask | 1 << high
        if board_suited >= 4:
            tally(flushes[with_high], others_left, player, qualifying, dealers)
        for low in range(high):
            if suited_left >> low & 1:
                tally(flushes[with_high | 1 << low], 1, player, qualifying, dealers)
    if board_suited == 5:
        pairs = others_left * (others_left - 1) // 2
        tally(flushes[board_mask], pairs, player, qualifying, dealers)


@kernel
def count_known_dealer(
    player: int, qualifying: int, key: np.uint64, mask: np.uint64, question: np.record,
    reading: np.record, dealers: np.record,
) -> None:  # fmt: skip
    """Count the dealer hands that hold one or two known cards."""
    for place in range(question.dealer_count):
        key += reading.keys[question.dealer[place]]
        mask |= reading.masks[question.dealer[place]]
    if question.dealer_count == 2:
        strength = strength_of_key(key, mask, reading.offsets7, reading.strengths7, reading.flushes)
        tally(strength, 1, player, qualifying, dealers)
        return
    for card in range(52):
        if dealers.left[13 + (card & 3)] >> (card >> 2) & 1:
            strength = strength_of_key(
                key + reading.keys[card], mask | reading.masks[card],
                reading.offsets7, reading.strengths7, reading.flushes,
            )  # fmt: skip
            tally(strength, 1, player, qualifying, dealers)


@kernel
def count_unknown_dealer(
    player: int, qualifying: int, key: np.uint64, mask: np.uint64, reading: np.record,
    dealers: np.record,
) -> None:  # fmt: skip
    """Count the dealer hands of any two cards left, with and without a flush."""
    # The counters start at three, so six and above mean three or more cards of a suit.
    suit = 0
    board_suited = 0
    for counter in range(4):
        held = int((key >> np.uint64(32 + 4 * counter)) & np.uint64(15)) - 3
        if held >= 3:
            suit = counter
            board_suited = held
    suited_left = dealers.left[13 + suit] if board_suited else 0
    if board_suited:
        others_left = 0
        for rank in range(13):
            bit = suited_left >> rank & 1
            others_left += dealers.left[rank] - bit
            # With four suited cards on the board, one more is a flush already.
            dealers.left[rank] -= bit if board_suited >= 4 else 0
        board_mask = int((mask >> np.uint64(16 * suit)) & SUIT_RANKS)
        count_suited_dealers(
            player, qualifying, board_mask, board_suited, suited_left, others_left, reading,
            dealers,
        )  # fmt: skip
    if board_suited < 5:
        suited_left = suited_left if board_suited == 3 else 0
        count_unsuited_dealers(player, qualifying, key & RANK_BITS, suited_left, reading, dealers)


@kernel
def count_dealers(
    board: npt.NDArray[np.int64], question: np.record, qualifying: int, reading: np.record,
    dealers: np.record,
) -> int:  # fmt: skip
    """Count the hands the dealer may hold on a full board; return the player's strength."""
    dealers.counts[:] = 0
    dealers.left[:] = question.unseen
    key = KEY_START
    mask = np.uint64(0)
    for card in board:
        key += reading.keys[card]
        mask |= reading.masks[card]
        bit = dealers.left[13 + (card & 3)] >> (card >> 2) & 1
        dealers.left[card >> 2] -= bit
        dealers.left[13 + (card & 3)] -= bit << (card >> 2)
    first, second = question.hole[0], question.hole[1]
    player = strength_of_key(
        key + reading.keys[first] + reading.keys[second],
        mask | reading.masks[first] | reading.masks[second],
        reading.offsets7, reading.strengths7, reading.flushes,
    )  # fmt: skip
    if question.dealer_count:
        count_known_dealer(player, qualifying, key, mask, question, reading, dealers)
    else:
        count_unknown_dealer(player, qualifying, key, mask, reading, dealers)
    return player


@kernel
def price_showdown(
    board: npt.NDArray[np.int64], question: np.record, terms: np.record, reading: np.record,
    dealers: np.record,
) -> None:  # fmt: skip
    """Fill in Ante and Blind, a Play wager of one, and a fold, over the dealer's hands."""
    player = count_dealers(board, question, terms.qualifying, reading, dealers)
    price_counts(player, terms, reading, dealers)


@kernel
def price_counts(player: int, terms: np.record, reading: np.record, dealers: np.record) -> None:
    """Price a player's hand of this strength against the dealer hands that were counted."""
    counts = dealers.counts
    won = counts[BELOW]
    won_qualified = max(0, won - counts[UNQUALIFIED])
    lost = counts[TOTAL] - counts[NOT_LOST]
    lost_qualified = lost - max(0, counts[UNQUALIFIED] - counts[NOT_LOST])
    blind = terms.blind[reading.categories[player]]
    dealers.prices[BASE] = terms.ante * (won_qualified - lost_qualified - lost) + blind * won
    dealers.prices[PLAY] = terms.ante * (won - lost)
    dealers.prices[FOLD] = -2 * terms.ante * counts[TOTAL]
