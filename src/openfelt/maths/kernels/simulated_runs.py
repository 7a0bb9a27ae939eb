"""Batches of simulated rounds added up in whole numbers, and sessions with a bankroll."""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.random_cards import seed_stream
from openfelt.maths.kernels.simulated_round import (
    NO_LIMIT,
    TableRecords,
    play_draw,
    play_holdem,
)
from openfelt.maths.kernels.simulated_settlement import (
    FOR_PLAYER,
    LINES,
    NO_LINE,
    RESULT_NAMES,
)

SPLIT_BITS = 21
"""Squares are added up in parts, so that no sum of a batch overflows 64 bits."""
NET_MAX_CENTS = 1 << 42
"""No round may win or lose this much, or the squares of a batch might overflow 64 bits."""
ROUNDS_IN_BATCH = 1 << 16
HISTOGRAM_SLOTS = 1 << 15
DISTINCT_MAX = HISTOGRAM_SLOTS * 3 // 4
"""How many distinct results a batch can count."""

RUINED, REACHED_GOAL, PLAYED_OUT = range(3)
SESSION_STREAMS = 1 << 63
"""Sessions use the streams from this number on, so that they share no cards with batches."""


TOTALS = np.dtype(
    [
        # By beneficiary and line.
        ("staked", np.int64, (2, LINES)),
        ("net", np.int64, (2, LINES)),
        # By beneficiary, line and result.
        ("results", np.int64, (2, LINES, len(RESULT_NAMES))),
        # Rounds that lost, broke even and won for the player.
        ("signs", np.int64, (3,)),
        # With net = a * 2^21 + b: the sums of a * a, a * b and b * b.
        ("square_parts", np.int64, (3,)),
        # The histogram, an open hash table: net results and how often they occurred.
        ("nets", np.int64, (HISTOGRAM_SLOTS,)),
        ("net_counts", np.int64, (HISTOGRAM_SLOTS,)),
        ("distinct", np.int64),
        # Rounds whose result did not fit in the histogram.
        ("unlisted", np.int64),
    ],
    align=True,
)
"""The totals of a batch."""

SESSION = np.dtype(
    [
        ("rounds_max", np.int64),
        ("bankroll", np.int64),
        # The bankroll at which the player leaves; 0 for none.
        ("goal", np.int64),
        # The stakes when a round begins, and the bankroll that is needed to begin one.
        ("staked", np.int64),
        ("needed", np.int64),
    ],
    align=True,
)
"""The data that all sessions share, in cents."""


@kernel
def prepare_felt(felt: np.record, seed: np.uint64, stream: np.uint64) -> None:
    """Lay out a fresh deck, and set the generator to the start of its stream."""
    seed_stream(seed, stream, felt.random)
    for card in range(52):
        felt.deck[card] = card


@kernel
def count_net(totals: np.record, net: int) -> None:
    """Count a round's result: its sign, its square, and its place in the histogram."""
    totals.signs[1 + (net > 0) - (net < 0)] += 1
    high = net >> SPLIT_BITS
    low = net - (high << SPLIT_BITS)
    totals.square_parts[0] += high * high
    totals.square_parts[1] += high * low
    totals.square_parts[2] += low * low
    slot = (net * 0x9E3779B1 >> 16) & (HISTOGRAM_SLOTS - 1)
    while totals.net_counts[slot] and totals.nets[slot] != net:
        slot = (slot + 1) & (HISTOGRAM_SLOTS - 1)
    if totals.net_counts[slot] == 0:
        if totals.distinct == DISTINCT_MAX:
            totals.unlisted += 1
            return
        totals.distinct += 1
        totals.nets[slot] = net
    totals.net_counts[slot] += 1


@kernel
def add_lines(totals: np.record, books: np.record, hands: int) -> int:
    """Add the lines of a round; return the player's net result."""
    player_net = 0
    for hand in range(hands):
        for beneficiary in range(2):
            for line in range(LINES):
                result = books.results[hand, beneficiary, line]
                if result == NO_LINE:
                    continue
                stake = books.stakes[hand, beneficiary, line]
                net = (
                    books.returned[hand, beneficiary, line]
                    + books.payouts[hand, beneficiary, line]
                    - stake
                )
                totals.staked[beneficiary, line] += stake
                totals.net[beneficiary, line] += net
                totals.results[beneficiary, line, result] += 1
                if beneficiary == FOR_PLAYER:
                    player_net += net
    return player_net


@kernel
def simulate_batch(
    seed: np.uint64, batch: np.uint64, rounds: int, table: TableRecords, felt: np.record,
    books: np.record, totals: np.record,
) -> None:  # fmt: skip
    """Play the rounds of one numbered batch, and add them to totals that begin at zero."""
    prepare_felt(felt, seed, batch)
    for _ in range(rounds):
        if table.house.is_draw:
            play_draw(table, felt, books)
        else:
            play_holdem(table, felt, books, NO_LIMIT)
        count_net(totals, add_lines(totals, books, table.layout.hands))


@kernel
def bankroll_change(books: np.record, hands: int) -> int:
    """Return what a round added to the player's bankroll.

    The player pays the wagers for the dealer; the dealer keeps what they win (R.12).
    """
    change = 0
    for hand in range(hands):
        for line in range(LINES):
            for beneficiary in range(2):
                change += (
                    books.returned[hand, beneficiary, line] - books.stakes[hand, beneficiary, line]
                )
            change += books.payouts[hand, FOR_PLAYER, line]
    return change


@kernel
def simulate_session(
    session: np.record, table: TableRecords, felt: np.record, books: np.record,
    end: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Play one session; fill in its end, lowest bankroll, rounds and how it ended."""
    left = lowest = session.bankroll
    needed, goal = session.needed, session.goal
    played = 0
    while left >= needed and played < session.rounds_max and (goal == 0 or left < goal):
        if table.house.is_draw:
            play_draw(table, felt, books)
        else:
            play_holdem(table, felt, books, left - session.staked)
        left += bankroll_change(books, table.layout.hands)
        lowest = min(lowest, left)
        played += 1
    end[0], end[1], end[2] = left, lowest, played
    if left < needed:
        end[3] = RUINED
    else:
        end[3] = REACHED_GOAL if goal and left >= goal else PLAYED_OUT


@kernel
def simulate_sessions(
    seed: np.uint64, first: np.uint64, session: np.record, table: TableRecords,
    felt: np.record, books: np.record, ends: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Play a session for each row of `ends`, from the numbered stream `first` on."""
    for row in range(ends.shape[0]):
        prepare_felt(felt, seed, first + np.uint64(row))
        simulate_session(session, table, felt, books, ends[row])
