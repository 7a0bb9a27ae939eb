"""What a player sees before a decision, as a row of small numbers: its features.

A strategy's lines are boxes over these features: a lowest and a highest value for each.
Ranks are written as on the card, 2 to 14 for the ace; 0 stands for none.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.advice import (
    BELOW,
    DEALERS,
    NOT_LOST,
    TOTAL,
    UNQUALIFIED,
    count_unknown_dealer,
)
from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import strength_of_key

FLOP_FEATURES = (
    "made",  # the category of the five cards
    "uses_hole",  # 1 where a hole card is part of a pair or better, not a mere kicker
    "hidden_pair",  # the rank of the best pair with a hole card in it
    "pocket",  # 1 for two hole cards of one rank
    "flush_draw",  # four of a suit: the highest hole card among them
    "straight_draw",  # how many ranks would make a straight
    "high",  # the higher hole card
    "low",  # the lower hole card
    "overcards",  # how many hole cards are higher than the flop
    "flop_made",  # the category of the flop alone: 0, 1 or 3
    "flop_high",  # the highest card of the flop
)
RIVER_FEATURES = (
    "made",  # the category of the best five of seven
    "uses_hole",
    "hidden_pair",
    "pocket",
    "board_made",  # the category of the board alone
    "high",
    "low",
    "kickers_above",  # how many ranks above the higher hole card are not on the board
    "outs",  # how many unseen cards beat the hand if the dealer holds one of them
)
FLOP_SIZE = len(FLOP_FEATURES)
RIVER_SIZE = len(RIVER_FEATURES)


BOXES_MAX = 64
"""How many boxes the lines of a street may have together."""
FLOPS = 22_100
FLOP_CLASSES = 1755
HANDS_OF_TWO = 1326
HANDS_OF_FIVE = 2_598_960
HOLD_BY_HOUSE_WAY, HOLD_EVERYTHING, HOLD_BY_TABLE = range(3)
_DECK = 52
LOW_FLOP_BET = 2
"""The entry of a table of flops that bets the lower multiple."""


STRATEGY = np.dtype(
    [
        # By starting hand, 13 * 13: suited at 13 * high + low, others at 13 * low + high.
        ("before_flop", np.int64, (169,)),
        # By box and feature.
        ("flop_lows", np.int64, (BOXES_MAX, FLOP_SIZE)),
        ("flop_highs", np.int64, (BOXES_MAX, FLOP_SIZE)),
        ("flop_boxes", np.int64),
        ("flop_multiple", np.int64),
        # What an entry of 2 in the table of flops bets.
        ("flop_low_multiple", np.int64),
        ("river_lows", np.int64, (BOXES_MAX, RIVER_SIZE)),
        ("river_highs", np.int64, (BOXES_MAX, RIVER_SIZE)),
        ("river_boxes", np.int64),
        ("river_multiple", np.int64),
        # Whether any line uses the dealer's outs, which take the longest to count.
        ("counts_outs", np.bool_),
        # Weigh all dealer hands on the river instead of reading lines.
        ("perfect_river", np.bool_),
        # Look flops up by class and hand instead of reading lines.
        ("exact_flop", np.bool_),
        # By number of the flop: its class under permutations of the suits.
        ("flop_classes", np.int32, (FLOPS,)),
        # By class and number of the hand: 1 to bet, 2 to bet the lower multiple.
        ("flop_bets", np.uint8, (FLOP_CLASSES, HANDS_OF_TWO)),
        # Ultimate Draw: the hold rule, and the holds by the number of the five cards, lowest first.
        ("hold_rule", np.int64),
        ("holds", np.uint8, (HANDS_OF_FIVE,)),
    ],
    align=True,
)
"""A strategy as numbers. Multiples are of the Ante, 0 to check or fold."""


@kernel
def starting_hand(first: int, second: int) -> int:
    """Return the place of two cards in the grid of 169 starting hands."""
    high = max(first >> 2, second >> 2)
    low = min(first >> 2, second >> 2)
    return 13 * high + low if first & 3 == second & 3 else 13 * low + high


@kernel
def hidden_pair(hole: npt.NDArray[np.int64], board: npt.NDArray[np.int64], count: int) -> int:
    """Return the rank of the best pair that a hole card is part of, 0 for none."""
    if hole[0] >> 2 == hole[1] >> 2:
        return int(hole[0] >> 2) + 2
    best = 0
    for place in range(2):
        for other in range(count):
            if board[other] >> 2 == hole[place] >> 2:
                best = max(best, (hole[place] >> 2) + 2)
    return best


@kernel
def flush_draw(hole: npt.NDArray[np.int64], flop: npt.NDArray[np.int64]) -> int:
    """Return the highest hole card of a suit with four or five cards; 0 for none."""
    best = 0
    for place in range(2):
        suit = hole[place] & 3
        suited = 1 + (hole[1 - place] & 3 == suit)
        for other in range(3):
            suited += flop[other] & 3 == suit
        if suited >= 4:
            best = max(best, (hole[place] >> 2) + 2)
    return best


@kernel
def flop_features(
    hole: npt.NDArray[np.int64], flop: npt.NDArray[np.int64], reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill in the features of two hole cards and the first three cards of `flop`."""
    keys, masks = reading.keys, reading.masks
    flop_key = np.uint64(0x3333 << 32) + keys[flop[0]] + keys[flop[1]] + keys[flop[2]]
    flop_mask = masks[flop[0]] | masks[flop[1]] | masks[flop[2]]
    strength = strength_of_key(
        flop_key + keys[hole[0]] + keys[hole[1]],
        flop_mask | masks[hole[0]] | masks[hole[1]],
        reading.offsets5, reading.strengths5, reading.flushes,
    )  # fmt: skip
    ranks = 0
    for place in range(3):
        ranks |= 1 << (flop[place] >> 2)
    first, second = hole[0] >> 2, hole[1] >> 2
    highest = max(flop[0] >> 2, flop[1] >> 2, flop[2] >> 2)
    alike = (
        (flop[0] >> 2 == flop[1] >> 2) + (flop[0] >> 2 == flop[2] >> 2)
        + (flop[1] >> 2 == flop[2] >> 2)
    )  # fmt: skip
    made = np.int64(reading.categories[strength])
    out[0] = made
    out[1] = 1 if made > alike else 0
    out[2] = hidden_pair(hole, flop, 3)
    out[3] = 1 if first == second else 0
    out[4] = flush_draw(hole, flop)
    out[5] = reading.straight_draws[ranks | 1 << first | 1 << second]
    out[6] = max(first, second) + 2
    out[7] = min(first, second) + 2
    out[8] = (first > highest) + (second > highest)
    # Three equal cards make three pairs, and three of a kind is category 3 as well.
    out[9] = alike
    out[10] = highest + 2


@kernel
def river_features(
    hole: npt.NDArray[np.int64], board: npt.NDArray[np.int64], board_key: np.uint64,
    board_mask: np.uint64, board_strength: int, strength: int, with_outs: bool,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill in the features of two hole cards and the whole board.

    `board_key`, `board_mask` and `board_strength` describe the board alone, `strength` all
    seven cards. Without `with_outs` no outs are counted, and 0 is entered.
    """
    high = max(hole[0] >> 2, hole[1] >> 2)
    made = np.int64(reading.categories[strength])
    out[0] = made
    out[1] = 1 if made and reading.cores[strength] > reading.cores[board_strength] else 0
    out[2] = hidden_pair(hole, board, 5)
    out[3] = 1 if hole[0] >> 2 == hole[1] >> 2 else 0
    out[4] = reading.categories[board_strength]
    out[5] = high + 2
    out[6] = min(hole[0] >> 2, hole[1] >> 2) + 2
    ranks = 0
    for place in range(5):
        ranks |= 1 << (board[place] >> 2)
    above = 0
    for rank in range(high + 1, 13):
        above += 1 - (ranks >> rank & 1)
    out[7] = above
    out[8] = dealer_outs(hole, board_key, board_mask, strength, reading) if with_outs else 0


@kernel
def dealer_outs(
    hole: npt.NDArray[np.int64], board_key: np.uint64, board_mask: np.uint64,
    strength: int, reading: np.record,
) -> int:  # fmt: skip
    """Count the unseen cards that, added to the board alone, beat the player's hand."""
    outs = 0
    for card in range(_DECK):
        mask = reading.masks[card]
        if board_mask & mask or card in (hole[0], hole[1]):
            continue
        dealer = strength_of_key(
            board_key + reading.keys[card], board_mask | mask,
            reading.offsets6, reading.strengths6, reading.flushes,
        )  # fmt: skip
        outs += dealer > strength
    return outs


@kernel
def fits_any(
    features: npt.NDArray[np.int64], boxes: int, lows: npt.NDArray[np.int64],
    highs: npt.NDArray[np.int64],
) -> bool:  # fmt: skip
    """Return whether the features lie in any of the first `boxes` boxes."""
    for box in range(boxes):
        inside = True
        for feature in range(lows.shape[1]):
            if not lows[box, feature] <= features[feature] <= highs[box, feature]:
                inside = False
                break
        if inside:
            return True
    return False


@kernel
def fill_flop_bets(
    flops: npt.NDArray[np.uint8], strategy: np.record, reading: np.record,
    out: npt.NDArray[np.uint8],
) -> None:  # fmt: skip
    """Apply the lines to every flop of a list and every hand; 1 to bet, 0 to check."""
    features = np.zeros(FLOP_SIZE, dtype=np.int64)
    hole = np.zeros(2, dtype=np.int64)
    for row in range(flops.shape[0]):
        flop = flops[row].astype(np.int64)
        flop_mask = reading.masks[flop[0]] | reading.masks[flop[1]] | reading.masks[flop[2]]
        for high in range(_DECK):
            for low in range(high):
                if flop_mask & (reading.masks[low] | reading.masks[high]):
                    continue
                hole[0], hole[1] = low, high
                flop_features(hole, flop, reading, features)
                if fits_any(features, strategy.flop_boxes, strategy.flop_lows, strategy.flop_highs):
                    out[row, CHOOSE[high, 2] + low] = 1


@kernel
def looks_up_bet(
    hole: npt.NDArray[np.int64], flop: npt.NDArray[np.int64],
    flop_classes: npt.NDArray[np.int32], flop_bets: npt.NDArray[np.uint8],
) -> int:  # fmt: skip
    """Look up a hand in a table of flop classes, after the same permutation of suits as the flop.

    Suits are permuted so that their rank masks on the flop descend; sets of cards are
    numbered as in `card_sets`, which defines the classes.
    """
    suit_masks = np.zeros(4, dtype=np.int64)
    for place in range(3):
        suit_masks[flop[place] & 3] |= 1 << (flop[place] >> 2)
    new_suit = np.zeros(4, dtype=np.int64)
    for suit in range(4):
        for other in range(4):
            if suit_masks[other] > suit_masks[suit] or (
                suit_masks[other] == suit_masks[suit] and other < suit
            ):
                new_suit[suit] += 1
    card1, card2, card3 = flop[0], flop[1], flop[2]
    low, high = min(card1, card2, card3), max(card1, card2, card3)
    middle = card1 + card2 + card3 - low - high
    flop_number = CHOOSE[low, 1] + CHOOSE[middle, 2] + CHOOSE[high, 3]
    first = (hole[0] & ~3) | new_suit[hole[0] & 3]
    second = (hole[1] & ~3) | new_suit[hole[1] & 3]
    hand_number = CHOOSE[max(first, second), 2] + min(first, second)
    return int(flop_bets[flop_classes[flop_number], hand_number])


@kernel
def river_counts(
    hole: npt.NDArray[np.int64], board_key: np.uint64, board_mask: np.uint64, strength: int,
    qualifying: int, reading: np.record, counts: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count all weaker and all stronger dealer hands, and how many of each qualify."""
    dealers = np.zeros(1, dtype=DEALERS)[0]
    for card in range(_DECK):
        if not board_mask & reading.masks[card] and card not in (hole[0], hole[1]):
            dealers.left[card >> 2] += 1
            dealers.left[13 + (card & 3)] |= 1 << (card >> 2)
    count_unknown_dealer(strength, qualifying, board_key, board_mask, reading, dealers)
    wins, not_lost = dealers.counts[BELOW], dealers.counts[NOT_LOST]
    unqualified, total = dealers.counts[UNQUALIFIED], dealers.counts[TOTAL]
    counts[0], counts[1] = wins, total - not_lost
    counts[2] = max(0, wins - unqualified)
    counts[3] = total - not_lost - max(0, unqualified - not_lost)
    counts[4] = total
