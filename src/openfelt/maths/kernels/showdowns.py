"""Wins, ties and losses of every two-card hand on one board, against every other hand.

On a board where suit s can still make a flush, two cards of one rank, neither of suit
s, are worth the same; on a board where no flush is possible, all cards of a rank are. So
hands are counted by type: pairs of symbols, 13 (ranks) or 26 (ranks out of and in suit s).
All cards of a symbol meet the same number of weaker hands, so running counts with card
removal work on symbols: a hand beats every weaker hand except those that hold one of its
two cards, and no weaker hand holds both.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import PLAIN_TYPES, SUITED_TYPES, long_suit
from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.seven_card_evaluator import RANK_BITS, rank_strength

RANKS = 13
SYMBOLS = 2 * RANKS
"""The ranks outside the flush suit, and the ranks in it."""
RESULTS = 5
"""Won or lost against a dealer who qualifies or does not, and tied, in this order:
won qualified, won unqualified, tied, lost qualified, lost unqualified."""

SHOWDOWNS = np.dtype(
    [
        # By symbol: the suits, as bits, of the cards that are not on the board.
        ("alive", np.int64, (SYMBOLS,)),
        # By symbol: how many these are.
        ("left", np.int64, (SYMBOLS,)),
        # The types that can be held: how many, and which, weakest first.
        ("count", np.int64),
        ("numbers", np.int64, (SUITED_TYPES,)),
        ("sort_space", np.int64, (SUITED_TYPES,)),
        # By type: its strength, and how many hands it has.
        ("strengths", np.int64, (SUITED_TYPES,)),
        ("held", np.int64, (SUITED_TYPES,)),
        # By type: how many hands it has on all boards of the class, and how many are suited.
        ("hands", np.int64, (SUITED_TYPES,)),
        ("suited", np.int64, (SUITED_TYPES,)),
        # The ranks of the board, as a sum of keys, and the pairs of ranks that can be held with
        # these: how many, which, weakest first, and how strong.
        ("rank_key", np.uint64),
        ("rank_count", np.int64),
        ("rank_order", np.int64, (PLAIN_TYPES,)),
        ("rank_strengths", np.int64, (PLAIN_TYPES,)),
        # By type: the dealer hands that are weaker, not better, and below the qualifying hand.
        ("wins", np.int64, (SUITED_TYPES,)),
        ("not_lost", np.int64, (SUITED_TYPES,)),
        ("unqualified", np.int64, (SUITED_TYPES,)),
        # How many hands the dealer can hold against any one hand.
        ("dealer_hands", np.int64),
        # By type: the dealer hands by the result of the showdown.
        ("results", np.int64, (SUITED_TYPES, RESULTS)),
    ],
    align=True,
)
"""Every hand type on one board, against every dealer hand; overwritten by the next board."""


def _type_symbols() -> npt.NDArray[np.int64]:
    return np.array([(low, high) for high in range(SYMBOLS) for low in range(high + 1)])


TYPE_SYMBOLS = _type_symbols()
"""The two symbols of each type; type (low, high) has the number high (high + 1) / 2 + low."""


@kernel
def count_symbols(
    board: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], suit: int, showdowns: np.record
) -> None:  # fmt: skip
    """Fill in the suits and the number of the cards of each symbol that are not on the board."""
    alive, left = showdowns.alive, showdowns.left
    alive[:] = 0
    left[:] = 0
    for card in deck:
        symbol = (card >> 2) + (13 if card & 3 == suit else 0)
        alive[symbol] |= 1 << (card & 3)
        left[symbol] += 1
    for card in board:
        symbol = (card >> 2) + (13 if card & 3 == suit else 0)
        alive[symbol] &= ~(1 << (card & 3))
        left[symbol] -= 1


@kernel
def type_strengths(
    board: npt.NDArray[np.int64], suit: int, reading: np.record, showdowns: np.record
) -> int:
    """Fill in the strength of every type that can be held; return the number of types."""
    board_key = np.uint64(0)
    board_mask = 0
    board_suited = 0
    for card in board:
        board_key += reading.keys[card] & RANK_BITS
        if card & 3 == suit:
            board_mask |= 1 << (card >> 2)
            board_suited += 1
    for number in range(PLAIN_TYPES):
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        # A type that cannot be held, such as a fifth king, has no place in the table.
        low_left = showdowns.left[low] + showdowns.left[low + 13]
        high_left = showdowns.left[high] + showdowns.left[high + 13]
        if low_left >= (2 if low == high else 1) and high_left:
            key = board_key + (reading.keys[4 * low] & RANK_BITS)
            key += reading.keys[4 * high] & RANK_BITS
            showdowns.strengths[number] = rank_strength(key, reading.offsets7, reading.strengths7)
    if suit < 0:
        return PLAIN_TYPES
    for number in range(SUITED_TYPES):
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        if number >= PLAIN_TYPES:
            first = min(low % 13, high - 13)
            second = max(low % 13, high - 13)
            showdowns.strengths[number] = showdowns.strengths[second * (second + 1) // 2 + first]
        if board_suited + (low >= 13) + (high >= 13) >= 5:
            mask = board_mask
            if low >= 13:
                mask |= 1 << (low - 13)
            if high >= 13:
                mask |= 1 << (high - 13)
            showdowns.strengths[number] = reading.flushes[mask]
    return SUITED_TYPES


@kernel_part
def hands_of(low: int, high: int, left: npt.NDArray[np.int64]) -> int:
    """Count the hands of a type by how many cards of its symbols are left."""
    return left[low] * (left[high] - 1) // 2 if low == high else left[low] * left[high]  # type: ignore[no-any-return]


@kernel
def list_alive_types(types: int, showdowns: np.record) -> None:
    """Count the hands of every type; list the types with any hands."""
    count = 0
    left = showdowns.left
    for number in range(types):
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        held = hands_of(low, high, left)
        showdowns.held[number] = held
        if held:
            showdowns.numbers[count] = number
            count += 1
    showdowns.count = count


@kernel
def sort_types(showdowns: np.record) -> None:
    """Sort the listed types by strength, weakest first."""
    # Two rounds of counting sort by seven bits: strengths stay below 8,192.
    count = showdowns.count
    for shift in (0, 7):
        starts = np.zeros(129, dtype=np.int64)
        for place in range(count):
            starts[(showdowns.strengths[showdowns.numbers[place]] >> shift & 127) + 1] += 1
        for bucket in range(128):
            starts[bucket + 1] += starts[bucket]
        for place in range(count):
            number = showdowns.numbers[place]
            bucket = showdowns.strengths[number] >> shift & 127
            showdowns.sort_space[starts[bucket]] = number
            starts[bucket] += 1
        showdowns.numbers[:count] = showdowns.sort_space[:count]


@kernel_part
def add_held(
    number: int, showdowns: np.record, with_card: npt.NDArray[np.int64]
) -> int:  # fmt: skip
    """Add the hands of a type to the running counts by symbol; return how many they are."""
    low = TYPE_SYMBOLS[number, 0]
    high = TYPE_SYMBOLS[number, 1]
    if low == high:
        with_card[low] += showdowns.left[low] - 1
    else:
        with_card[low] += showdowns.left[high]
        with_card[high] += showdowns.left[low]
    return showdowns.held[number]  # type: ignore[no-any-return]


@kernel
def count_showdowns(qualifying: int, showdowns: np.record) -> None:
    """Count, for a hand of each listed type, the dealer hands it meets.

    The types are listed weakest first. Fills in how many dealer hands are weaker, how many
    are weaker or equal, and how many are weaker than `qualifying`.
    """
    total = 0
    with_card = np.zeros(SYMBOLS, dtype=np.int64)
    total_unqualified = -1
    with_card_unqualified = np.zeros(SYMBOLS, dtype=np.int64)
    count = showdowns.count
    begin = 0
    while begin < count:
        strength = showdowns.strengths[showdowns.numbers[begin]]
        if total_unqualified < 0 and strength >= qualifying:
            total_unqualified = total
            with_card_unqualified[:] = with_card
        end = begin
        while end < count and showdowns.strengths[showdowns.numbers[end]] == strength:
            number = showdowns.numbers[end]
            low = TYPE_SYMBOLS[number, 0]
            high = TYPE_SYMBOLS[number, 1]
            showdowns.wins[number] = total - with_card[low] - with_card[high]
            end += 1
        for place in range(begin, end):
            total += add_held(showdowns.numbers[place], showdowns, with_card)
        for place in range(begin, end):
            number = showdowns.numbers[place]
            low = TYPE_SYMBOLS[number, 0]
            high = TYPE_SYMBOLS[number, 1]
            # The hand itself holds both of its cards: it is taken off twice, give one back.
            showdowns.not_lost[number] = total - with_card[low] - with_card[high] + 1
        begin = end
    if total_unqualified < 0:
        total_unqualified = total
        with_card_unqualified[:] = with_card
    for place in range(count):
        number = showdowns.numbers[place]
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        itself = 1 if showdowns.strengths[number] < qualifying else 0
        showdowns.unqualified[number] = (
            total_unqualified - with_card_unqualified[low] - with_card_unqualified[high] + itself
        )


@kernel_part
def fill_results(
    number: int, wins: int, not_lost: int, unqualified: int, showdowns: np.record
) -> None:  # fmt: skip
    """Fill in the dealer hands of a type by the result, from what was counted of them."""
    lost_unqualified = max(0, unqualified - not_lost)
    showdowns.results[number, 0] = max(0, wins - unqualified)
    showdowns.results[number, 1] = min(wins, unqualified)
    showdowns.results[number, 2] = not_lost - wins
    showdowns.results[number, 3] = showdowns.dealer_hands - not_lost - lost_unqualified
    showdowns.results[number, 4] = lost_unqualified


@kernel
def count_results(deck_size: int, qualifying: int, showdowns: np.record) -> None:
    """Count the dealer hands that the listed types meet, and fill in the results."""
    count_showdowns(qualifying, showdowns)
    showdowns.dealer_hands = (deck_size - 7) * (deck_size - 8) // 2
    for place in range(showdowns.count):
        number = showdowns.numbers[place]
        fill_results(
            number, showdowns.wins[number], showdowns.not_lost[number],
            showdowns.unqualified[number], showdowns,
        )  # fmt: skip


@kernel
def fill_showdowns(
    board: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], qualifying: int,
    reading: np.record, showdowns: np.record,
) -> None:  # fmt: skip
    """Fill in everything about a board; `qualifying` is the dealer's least strength."""
    suit = long_suit(board)
    count_symbols(board, deck, suit, showdowns)
    list_alive_types(type_strengths(board, suit, reading, showdowns), showdowns)
    sort_types(showdowns)
    count_results(deck.size, qualifying, showdowns)


def _type_cells() -> npt.NDArray[np.int64]:
    low = np.minimum(TYPE_SYMBOLS[:, 0] % 13, TYPE_SYMBOLS[:, 1] % 13)
    high = np.maximum(TYPE_SYMBOLS[:, 0] % 13, TYPE_SYMBOLS[:, 1] % 13)
    return np.stack((13 * high + low, 13 * low + high), axis=1)


TYPE_CELLS = _type_cells()
"""Where the suited and the unsuited hands of a type stand in the grid of starting hands.

Thirteen by thirteen cells: suited hands at 13 * higher + lower rank, unsuited hands at
13 * lower + higher rank, pairs on the diagonal (ranks from 0, the deuce)."""
