"""Whole rounds settled as the rules engine settles them, in whole cents.

Every wager has a line: its stake, its result, what is returned and what is paid on top.
Lines are numbered in the order in which the engine settles them, first the player's own
wagers, then those for the dealer. The rules engine cites the clauses; a test plays random
rounds of every house through both.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import STRENGTHS

LINE_NAMES = (
    "ante",
    "ante_bonus",
    "play",
    "blind",
    "trips",
    "bad_beat",
    "ultimate_pairs",
    "play_the_board",
    "bonus",
    "progressive",
    "envy",
)
"""The lines of a hand in settlement order. Those from the progressive on are paid by the link."""
LINES = len(LINE_NAMES)
ANTE, ANTE_BONUS, PLAY, BLIND, TRIPS, BAD_BEAT = range(6)
ULTIMATE_PAIRS, PLAY_THE_BOARD, BONUS, PROGRESSIVE, ENVY = range(6, LINES)

FOR_PLAYER, FOR_DEALER = 0, 1

RESULT_NAMES = ("", "win", "lose", "push", "returned")
NO_LINE, WIN, LOSE, PUSH, RETURNED = range(len(RESULT_NAMES))

HANDS_MAX = 64
"""How many hands one simulated round can have."""
MULTIPLES_MAX = 100
"""The largest Play wager that a house may offer, as a multiple of the Ante."""
AWARDS_MAX = 64
"""Award 0 is none, so a paytable has 63 rows at most."""


HOUSE = np.dtype(
    [
        # By line and hand strength, the row of the paytable that pays, from 1; 0 for none.
        ("awards", np.uint8, (LINES, STRENGTHS)),
        # By line and award: pays to per.
        ("pays", np.int64, (LINES, AWARDS_MAX)),
        ("per", np.int64, (LINES, AWARDS_MAX)),
        # By two hole cards, 52 * first + second: the Ultimate Pairs rows that they match, as bits.
        ("hole_rows", np.uint64, (52 * 52,)),
        # By the dealer's two cards: the rows that those allow.
        ("dealer_rows", np.uint64, (52 * 52,)),
        # By award of the progressive: the share of the meter; 0 for a fixed award.
        ("share_numerators", np.int64, (AWARDS_MAX,)),
        ("share_denominators", np.int64, (AWARDS_MAX,)),
        # By award: 0 for the largest share, equal shares alike, -1 for a fixed award.
        ("share_groups", np.int64, (AWARDS_MAX,)),
        ("groups", np.int64),
        # By award: 1 if the share is the whole meter, which is then seeded again.
        ("share_wholes", np.int64, (AWARDS_MAX,)),
        ("seed_cents", np.int64),
        ("envy", np.int64, (AWARDS_MAX,)),
        # The Play wagers of each street as rising multiples of the Ante, then zeros.
        ("multiples", np.int64, (3, MULTIPLES_MAX)),
        # By strength, the payout of a winning Blind in parts of the Ante, and the number of parts
        # in an Ante.
        ("blind_units", np.int64, (STRENGTHS,)),
        ("blind_scale", np.int64),
        # With an unqualified dealer every Ante is settled before any other line (W.12).
        ("refunds_first", np.bool_),
        # The wagers that a folded hand loses are collected before any other line (C.6).
        ("folds_first", np.bool_),
        ("is_draw", np.bool_),
        # Whether each seat's hands come from a deck of their own (R.11).
        ("own_decks", np.bool_),
        # The weakest strength with which the dealer qualifies.
        ("qualifying", np.int64),
        ("unit_cents", np.int64),
        # The progressive reads hole cards and flop, or the five cards before the draw.
        ("reads_early", np.bool_),
        ("splits_shares", np.bool_),
        ("losses_use_cover", np.bool_),
    ],
    align=True,
)
"""A house's rules as numbers."""

LAYOUT = np.dtype(
    [
        ("hands", np.int64),
        # By hand, in dealing order.
        ("seats", np.int64, (HANDS_MAX,)),
        # The hands in the order in which they are settled.
        ("order", np.int64, (HANDS_MAX,)),
        # By hand, beneficiary and line, in cents; Play is filled in during the round.
        ("stakes", np.int64, (HANDS_MAX, 2, LINES)),
        # The player/dealer's bank wager; -1 if the house banks.
        ("cover_cents", np.int64),
        ("meter_cents", np.int64),
        ("has_progressive", np.bool_),
        # By line, the most that all wagers of that kind are paid in a round; 0 for no limit (R.36).
        ("aggregates", np.int64, (LINES,)),
        ("has_aggregates", np.bool_),
    ],
    align=True,
)
"""The hands of a round, their seats and their wagers."""

BOOKS = np.dtype(
    [
        ("results", np.int8, (HANDS_MAX, 2, LINES)),
        ("stakes", np.int64, (HANDS_MAX, 2, LINES)),
        ("returned", np.int64, (HANDS_MAX, 2, LINES)),
        ("payouts", np.int64, (HANDS_MAX, 2, LINES)),
    ],
    align=True,
)
"""The lines of one round, by hand, beneficiary and line."""


@kernel
def enter(
    books: np.record, house: np.record, hand: int, beneficiary: int, line: int,
    stake: int, result: int, pays: int, per: int,
) -> None:  # fmt: skip
    """Write one line; a payout is rounded down to the house's unit (R.15)."""
    books.results[hand, beneficiary, line] = result
    books.stakes[hand, beneficiary, line] = stake
    books.returned[hand, beneficiary, line] = 0 if result == LOSE else stake
    books.payouts[hand, beneficiary, line] = (
        stake * pays // (per * house.unit_cents) * house.unit_cents if result == WIN else 0
    )


@kernel
def enter_by_table(
    books: np.record,
    house: np.record,
    hand: int,
    beneficiary: int,
    line: int,
    stake: int,
    award: int,
) -> None:
    """Write a line that wins by its paytable, or loses."""
    if award:
        pays, per = house.pays[line, award], house.per[line, award]
        enter(books, house, hand, beneficiary, line, stake, WIN, pays, per)
    else:
        enter(books, house, hand, beneficiary, line, stake, LOSE, 0, 1)


@kernel
def enter_even_money(
    books: np.record,
    house: np.record,
    hand: int,
    beneficiary: int,
    line: int,
    stake: int,
    margin: int,
) -> None:
    """Write a line that follows the comparison of the two hands."""
    if margin > 0:
        enter(books, house, hand, beneficiary, line, stake, WIN, 1, 1)
    elif margin < 0:
        enter(books, house, hand, beneficiary, line, stake, LOSE, 0, 1)
    else:
        enter(books, house, hand, beneficiary, line, stake, PUSH, 0, 1)


@kernel
def settle_ante_and_blind(
    books: np.record, house: np.record, hand: int, beneficiary: int, stake: int,
    multiple: int, player: int, dealer: int,
) -> None:  # fmt: skip
    """Ante, Play and Blind of one hand (R.2, R.4, R.5); multiple 0 is a fold."""
    if multiple == 0:
        enter(books, house, hand, beneficiary, ANTE, stake, LOSE, 0, 1)
        enter(books, house, hand, beneficiary, BLIND, stake, LOSE, 0, 1)
        return
    margin = player - dealer
    if dealer < house.qualifying:
        enter(books, house, hand, beneficiary, ANTE, stake, PUSH, 0, 1)
    else:
        enter_even_money(books, house, hand, beneficiary, ANTE, stake, margin)
    enter_even_money(books, house, hand, beneficiary, PLAY, stake * multiple, margin)
    award = house.awards[BLIND, player]
    if margin > 0 and award == 0:
        enter(books, house, hand, beneficiary, BLIND, stake, PUSH, 0, 1)
    elif margin > 0:
        enter_by_table(books, house, hand, beneficiary, BLIND, stake, award)
    else:
        enter_even_money(books, house, hand, beneficiary, BLIND, stake, margin)


@kernel
def lowest_bit(rows: np.uint64) -> int:
    """Number the first row of a set of rows from 1; 0 for none."""
    number = 0
    while rows:
        number += 1
        if rows & np.uint64(1):
            return number
        rows >>= np.uint64(1)
    return 0


@kernel
def holdem_award(
    house: np.record, line: int, player: int, dealer: int, board: int, rows: np.uint64
) -> int:
    """Return the award of an optional wager of hold'em; the row of its table, 0 for none.

    `player`, `dealer` and `board` are strengths, `rows` the matching Ultimate Pairs rows.
    """
    if line == TRIPS:
        return int(np.int64(house.awards[TRIPS, player]))
    if line == BAD_BEAT:
        if player == dealer:
            return 0
        return int(np.int64(house.awards[BAD_BEAT, min(player, dealer)]))
    if line == ULTIMATE_PAIRS:
        return lowest_bit(rows)
    return int(np.int64(house.awards[PLAY_THE_BOARD, board]))


@kernel
def settle_holdem_hand(
    books: np.record, house: np.record, stakes: npt.NDArray[np.int64], hand: int,
    multiple: int, player: int, dealer: int, board: int, rows: np.uint64,
) -> None:  # fmt: skip
    """Settle every wager of one hold'em hand but the progressive."""
    for beneficiary in range(2):
        if stakes[hand, beneficiary, ANTE]:
            ante = stakes[hand, beneficiary, ANTE]
            settle_ante_and_blind(books, house, hand, beneficiary, ante, multiple, player, dealer)
        for line in range(TRIPS, PLAY_THE_BOARD + 1):
            stake = stakes[hand, beneficiary, line]
            if stake:
                award = holdem_award(house, line, player, dealer, board, rows)
                enter_by_table(books, house, hand, beneficiary, line, stake, award)


@kernel
def settle_draw_hand(
    books: np.record, house: np.record, stakes: npt.NDArray[np.int64], hand: int,
    player: int, dealer: int,
) -> None:  # fmt: skip
    """Settle Ante, Ante Bonus and Bonus of one Ultimate Draw hand (D.10 to D.13, R.25)."""
    for beneficiary in range(2):
        ante = stakes[hand, beneficiary, ANTE]
        if ante:
            if dealer < house.qualifying:
                enter(books, house, hand, beneficiary, ANTE, ante, WIN, 1, 2)
            else:
                enter_even_money(books, house, hand, beneficiary, ANTE, ante, player - dealer)
            award = house.awards[ANTE_BONUS, player]
            if award:
                enter_by_table(books, house, hand, beneficiary, ANTE_BONUS, ante, award)
                books.stakes[hand, beneficiary, ANTE_BONUS] = 0
                books.returned[hand, beneficiary, ANTE_BONUS] = 0
        stake = stakes[hand, beneficiary, BONUS]
        if stake:
            award = house.awards[BONUS, player]
            enter_by_table(books, house, hand, beneficiary, BONUS, stake, award)


@kernel
def cover_line(
    books: np.record, house: np.record, hand: int, beneficiary: int, line: int, left: int
) -> int:
    """Settle one line as far as the cover reaches; return the cover it used (R.18)."""
    taken = books.stakes[hand, beneficiary, line] - books.returned[hand, beneficiary, line]
    if left == 0:
        books.results[hand, beneficiary, line] = RETURNED
        books.returned[hand, beneficiary, line] = books.stakes[hand, beneficiary, line]
        books.payouts[hand, beneficiary, line] = 0
        return 0
    if books.results[hand, beneficiary, line] == LOSE:
        if not house.losses_use_cover:
            return 0
        used = min(taken, left)
        books.returned[hand, beneficiary, line] += taken - used
        return int(used)
    used = min(books.payouts[hand, beneficiary, line], left)
    books.payouts[hand, beneficiary, line] = used
    return int(used)


FOLDS, REFUNDS, ALL_OTHERS = range(3)
"""The order in which lines use up the cover."""


@kernel
def cover_lines(books: np.record, house: np.record, layout: np.record, qualified: bool) -> int:
    """Settle the lines in action order against the bank wager; return the cover that is left."""
    left = layout.cover_cents
    refunds = house.refunds_first and not qualified
    for turn in range(ALL_OTHERS + 1):
        for place in range(layout.hands):
            hand = layout.order[place]
            for beneficiary in range(2):
                for line in range(PROGRESSIVE):
                    result = books.results[hand, beneficiary, line]
                    if result not in (WIN, LOSE):
                        continue
                    own_turn = ALL_OTHERS
                    if house.folds_first and result == LOSE and has_folded(books, house, hand):
                        own_turn = FOLDS
                    elif refunds and line == ANTE and result == WIN:
                        own_turn = REFUNDS
                    if turn == own_turn:
                        left -= cover_line(books, house, hand, beneficiary, line, left)
    return int(left)


@kernel
def cut_payouts(books: np.record, house: np.record, layout: np.record) -> None:
    """Cut the payouts of each wager to its aggregate, in proportion (R.36)."""
    for line in range(PROGRESSIVE):
        most = layout.aggregates[line]
        due = 0
        for hand in range(layout.hands):
            for beneficiary in range(2):
                due += books.payouts[hand, beneficiary, line]
        if most == 0 or due <= most:
            continue
        for hand in range(layout.hands):
            for beneficiary in range(2):
                payout = books.payouts[hand, beneficiary, line]
                paid = payout * most // (due * house.unit_cents) * house.unit_cents
                books.payouts[hand, beneficiary, line] = paid


@kernel
def has_folded(books: np.record, house: np.record, hand: int) -> bool:
    """Return whether a hand was folded: in hold'em every other hand has a Play wager."""
    if house.is_draw or books.stakes[hand, FOR_PLAYER, ANTE] == 0:
        return False
    return bool(books.stakes[hand, FOR_PLAYER, PLAY] == 0)


@kernel
def pay_shares(
    books: np.record, house: np.record, layout: np.record, awards: npt.NDArray[np.int64]
) -> None:
    """Pay the shares of the meter, the largest first and split, or hand after hand (R.24).

    A meter that has been won whole is seeded again at once.
    """
    left = layout.meter_cents
    for group in range(house.groups if house.splits_shares else 1):
        winners = 0
        whole = 0
        for hand in range(layout.hands):
            winners += house.share_groups[awards[hand]] == group
        before = left
        for place in range(layout.hands):
            hand = layout.order[place]
            award = awards[hand]
            if house.splits_shares:
                if house.share_groups[award] != group:
                    continue
                meter, parts = before, winners
            else:
                if house.share_groups[award] < 0:
                    continue
                meter, parts = left, 1
            parts *= house.share_denominators[award] * house.unit_cents
            paid = meter * house.share_numerators[award] // parts * house.unit_cents
            books.payouts[hand, FOR_PLAYER, PROGRESSIVE] = paid
            left -= paid
            if not house.splits_shares and house.share_wholes[award]:
                left = max(left, house.seed_cents)
            whole = house.share_wholes[award]
        if house.splits_shares and whole:
            left = max(left, house.seed_cents)


@kernel
def settle_progressive(
    books: np.record, house: np.record, layout: np.record, awards: npt.NDArray[np.int64]
) -> None:
    """Settle every progressive wager and all Envy.

    `awards` holds each hand's award, 0 for none; those of hands without the wager are
    taken out.
    """
    shared = False
    for hand in range(layout.hands):
        stake = layout.stakes[hand, FOR_PLAYER, PROGRESSIVE]
        if stake == 0:
            awards[hand] = 0
            continue
        award = awards[hand]
        books.results[hand, FOR_PLAYER, PROGRESSIVE] = WIN if award else LOSE
        books.stakes[hand, FOR_PLAYER, PROGRESSIVE] = stake
        books.payouts[hand, FOR_PLAYER, PROGRESSIVE] = stake * house.pays[PROGRESSIVE, award]
        if house.share_groups[award] >= 0:
            shared = True
    if shared:
        pay_shares(books, house, layout, awards)
    for winner in range(layout.hands):
        if house.envy[awards[winner]]:
            pay_envy(books, layout, winner, house.envy[awards[winner]])


@kernel
def pay_envy(books: np.record, layout: np.record, winner: int, envy: int) -> None:
    """Pay every other seat's hand with the wager (R.22)."""
    for hand in range(layout.hands):
        stake = layout.stakes[hand, FOR_PLAYER, PROGRESSIVE]
        if stake and layout.seats[hand] != layout.seats[winner]:
            books.results[hand, FOR_PLAYER, ENVY] = WIN
            books.payouts[hand, FOR_PLAYER, ENVY] += stake * envy
