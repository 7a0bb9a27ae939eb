"""Trays: counted by two people at both ends, filled by three, and exact to the cent with play."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from openfelt.ledger import AccountKind
from openfelt.ledger.counts import counted_cents
from openfelt.ledger.trays import SlipKind, TrayMoment, TrayShift
from openfelt.rules import Refusal
from openfelt.rules.house import DealerMode
from openfelt.runtime.audit import audit
from openfelt.runtime.cage.blind_tries import FORGOTTEN_MS
from openfelt.runtime.cage.tray_rules import Signer, TrayRole
from openfelt.storage.door import Unknown
from openfelt.table.commands import Collect
from tests.independent.record import check_record
from tests.kit.cages import Cage
from tests.kit.cases import with_variants
from tests.kit.floors import Desk, Shift, steps_of_a_round
from tests.kit.trays import CAL, DAN, OPENING, SUE, TABLE, bring, count, tray_cage

OPEN, CLOSE = TrayMoment.OPENING, TrayMoment.CLOSING
FILL, CREDIT = SlipKind.FILL, SlipKind.CREDIT
SAM = Signer("sam", TrayRole.SUPERVISOR)
DEE = Signer("dee", TrayRole.DEALER)


@pytest.fixture
def cage(shift: Shift) -> Cage:
    """A cage, and a live table whose tray was opened with $2,500."""
    shift.open_table("washington", mode=DealerMode.LIVE)
    cage = tray_cage(shift)
    count(cage, OPEN, OPENING)
    return cage


def refused(act: Callable[[], object], code: str) -> Refusal:
    """Check that an action is refused with this code."""
    with pytest.raises(Refusal) as caught:
        act()
    assert caught.value.code == code
    return caught.value


def in_order(shift: Shift) -> None:
    """The audit and the independent check find nothing."""
    report = audit(shift.store)
    assert report.clean, report.findings
    check_record(shift.path)


# A shift -----------------------------------------------------------------------------


@pytest.mark.parametrize("house", with_variants(["washington", "california", "stadium"]))
def test_a_whole_shift_closes_to_the_cent(shift: Shift, house: str) -> None:
    desk = shift.open_table(house, mode=DealerMode.LIVE)
    cage = tray_cage(shift)
    # Play before the first count is no play of the tray.
    desk.sit("ann", 1, 1_000).sit("bob", 2, 1_000)
    count(cage, OPEN, OPENING)
    rounds(desk, 2)
    bring(cage, FILL, {10_000: 7})
    rounds(desk, 2)
    bring(cage, CREDIT, {500: 20})
    desk.do(Collect(2), "bob")
    tray = cage.trays.get(TABLE)
    play, _ = cage.trays.play_since(TABLE, tray.mark)
    assert play.collected_cents
    held = tray.cents + play.tray_cents
    assert held == 250_000 + 70_000 - 10_000 + play.tray_cents
    closed = count(cage, CLOSE, {1: held})
    assert not closed.open
    shifted = last_shift(cage)
    assert shifted.counted_win_cents(play) == play.win_cents == shift.cents("house:table-1")
    assert shift.cents("tray:table-1") == -held
    assert not shift.cents("house:table-1/tray")
    assert not shift.cents("chips:table-1/moved")
    in_order(shift)


def last_shift(cage: Cage) -> TrayShift:
    """The shift that was closed last, from the record."""
    return cage.trays.shifts(TABLE)[-1]


def rounds(desk: Desk, number: int) -> None:
    """Play some rounds to their end."""
    for seed in range(number):
        for command, who in steps_of_a_round(desk, seed=seed + desk.table.rounds):
            desk.do(command, who)


@pytest.mark.parametrize("cents", [-500, 500])
def test_a_difference_needs_a_reason_and_is_the_houses(
    shift: Shift, cage: Cage, cents: int
) -> None:
    counted = OPENING | {500: 100 + cents // 500}
    # The dealer counts without being told what the book has, also by a refusal.
    told = refused(lambda: count(cage, CLOSE, counted), "difference_unexplained")
    assert "$" not in told.sentence
    by_sue = partial(cage.trays.count, TABLE, CLOSE, counted, by=SUE, id="sue")
    assert "$5.00" in refused(by_sue, "difference_unexplained").sentence
    count(cage, CLOSE, counted, reason="a chip was miscounted")
    assert shift.cents("house:table-1/tray") == cents
    assert list(shift.store.transfers())[-1].transfer.note == "a chip was miscounted"
    # The next shift begins with what was counted; a chip that went at night is found.
    refused(lambda: count(cage, OPEN, OPENING), "difference_unexplained")
    count(cage, OPEN, OPENING, reason="found under the tray")
    assert shift.cents("house:table-1/tray") == 0
    in_order(shift)


def test_a_dealer_does_not_find_out_what_the_book_has_by_counting(shift: Shift, cage: Cage) -> None:
    """Two chips too many lie in the tray. A dealer who learns that they are two would take them."""

    def tried(chips: int, *, by: Signer = DAN, reason: str = "") -> None:
        counted = OPENING | {500: chips}
        name = f"{chips} {by.name} {reason}"
        cage.trays.count(TABLE, CLOSE, counted, by=by, id=name, reason=reason)

    for chips in (102, 103, 101):
        assert "count again" in refused(partial(tried, chips), "difference_unexplained").sentence
    # From now on no answer depends on the book, not even for another dealer.
    for signer in (DAN, DEE):
        told = refused(partial(tried, 100, by=signer), "difference_unexplained")
        assert "give a reason" in told.sentence
        ask = partial(cage.trays.request, TABLE, CREDIT, {10_000: 1}, by=signer)
        refused(partial(ask, id=f"credit {signer.name}"), "wrong_signer")
    cage.trays.request(TABLE, FILL, {500: 1}, by=DAN, id="a fill")
    cage.trays.refuse(TABLE, 1, by=DAN, id="no fill", reason="not needed")
    tried(102, reason="two chips over")
    assert cage.trays.get(TABLE).waiting is not None
    cage.trays.drop_count(TABLE, cage.trays.get(TABLE).counts, by=SUE, id="drop", reason="again")
    # The supervisor sees the book, and the next shift begins anew.
    refused(partial(tried, 104, by=SUE), "difference_unexplained")
    shift.clock.pass_ms(FORGOTTEN_MS)
    assert "count again" in refused(partial(tried, 105), "difference_unexplained").sentence
    in_order(shift)


def test_a_dealer_does_not_find_out_what_the_book_has_by_credits(cage: Cage) -> None:
    def asked(chips: int) -> None:
        cage.trays.request(TABLE, CREDIT, {500: chips}, by=DAN, id=f"{chips}")

    for chips in (700, 600, 550):
        refused(partial(asked, chips), "tray_short")
    for chips in (525, 500, 1):
        refused(partial(asked, chips), "wrong_signer")
    cage.trays.request(TABLE, CREDIT, {500: 1}, by=SUE, id="by the supervisor")
    assert cage.trays.get(TABLE).requests == 1


def test_play_while_the_tray_is_closed_is_booked_at_the_next_opening(
    shift: Shift, cage: Cage
) -> None:
    count(cage, CLOSE, OPENING)
    shift.work_at(TABLE).sit("ann", 1, 500)
    opened = count(cage, OPEN, OPENING | {10_000: 15})
    assert opened.shift is not None
    assert opened.shift.opened.play.bought_in_cents == 50_000
    assert opened.shift.opened.difference_cents == 0
    in_order(shift)


def test_a_count_is_repeated_if_chips_have_moved_since(shift: Shift, cage: Cage) -> None:
    cage.trays.count(TABLE, CLOSE, OPENING, by=DAN, id="1")
    shift.work_at(TABLE).sit("ann", 1, 100)
    refused(partial(cage.trays.sign, TABLE, 2, by=SUE, id="2"), "chips_moved")
    now = OPENING | {10_000: 19}
    cage.trays.count(TABLE, CLOSE, now, by=DAN, id="3")
    refused(partial(cage.trays.sign, TABLE, 2, by=SUE, id="4"), "no_such_count")
    assert not cage.trays.sign(TABLE, 3, by=SUE, id="5").open
    in_order(shift)


@pytest.mark.parametrize("kind", SlipKind)
def test_a_count_is_repeated_after_a_fill_or_a_credit(
    shift: Shift, cage: Cage, kind: SlipKind
) -> None:
    # Otherwise a fill that came after the count would be a difference without a reason.
    cage.trays.count(TABLE, CLOSE, OPENING, by=DAN, id="1")
    bring(cage, kind, {500: 4})
    refused(partial(cage.trays.sign, TABLE, 2, by=SUE, id="2"), "chips_moved")
    count(cage, CLOSE, OPENING | {500: 104 if kind is FILL else 96})
    assert not shift.cents("house:table-1/tray")
    in_order(shift)


# Signatures --------------------------------------------------------------------------


def test_a_dealer_and_a_supervisor_sign_and_no_person_twice(shift: Shift, cage: Cage) -> None:
    trays = cage.trays
    refused(partial(trays.count, TABLE, OPEN, OPENING, by=DAN, id="0"), "tray_open")
    refused(partial(trays.count, TABLE, CLOSE, OPENING, by=CAL, id="1"), "wrong_signer")
    trays.count(TABLE, CLOSE, OPENING, by=SUE, id="2")
    refused(partial(trays.count, TABLE, CLOSE, OPENING, by=DAN, id="3"), "count_waits")
    both = Signer("sue", TrayRole.DEALER)
    for number, signer in enumerate((SUE, both)):
        refused(partial(trays.sign, TABLE, 2, by=signer, id=f"own {number}"), "own_request")
    for number, signer in enumerate((SAM, CAL)):
        refused(partial(trays.sign, TABLE, 2, by=signer, id=f"role {number}"), "wrong_signer")
    refused(partial(trays.drop_count, TABLE, 2, by=DAN, id="4", reason=" "), "malformed")
    trays.drop_count(TABLE, 2, by=DAN, id="5", reason="count the greens again")
    refused(partial(trays.sign, TABLE, 2, by=DAN, id="6"), "no_such_count")
    trays.count(TABLE, CLOSE, OPENING, by=SUE, id="7")
    trays.sign(TABLE, 3, by=DAN, id="8")
    closed = last_shift(cage).closed
    assert closed is not None
    assert (closed.dealer, closed.supervisor) == ("dan", "sue")
    refused(partial(trays.count, TABLE, CLOSE, OPENING, by=DAN, id="9"), "tray_closed")
    in_order(shift)


@pytest.mark.parametrize("kind", SlipKind)
def test_three_people_move_chips(shift: Shift, cage: Cage, kind: SlipKind) -> None:
    trays, chips = cage.trays, {500: 4}
    refused(partial(trays.request, TABLE, kind, chips, by=CAL, id="0"), "wrong_signer")
    trays.request(TABLE, kind, chips, by=SUE, id="1")
    giver, taker = (CAL, DAN) if kind is FILL else (DAN, CAL)
    refused(partial(trays.receive, TABLE, 1, by=taker, id="2"), "not_given")
    wrong = [SAM, taker, Signer("sue", giver.role)]
    codes = ["wrong_signer", "wrong_signer", "own_request"]
    for number, (signer, code) in enumerate(zip(wrong, codes, strict=True)):
        refused(partial(trays.give, TABLE, 1, by=signer, id=f"give {number}"), code)
    trays.give(TABLE, 1, by=giver, id="3")
    assert shift.cents("chips:table-1/moved") == -2_000
    refused(partial(trays.give, TABLE, 1, by=giver, id="4"), "already_given")
    twice = Signer(giver.name, taker.role)
    for number, signer in enumerate((twice, Signer("sue", taker.role))):
        refused(partial(trays.receive, TABLE, 1, by=signer, id=f"own {number}"), "own_request")
    refused(partial(trays.receive, TABLE, 1, by=SAM, id="5"), "wrong_signer")
    refused(partial(trays.count, TABLE, CLOSE, OPENING, by=DAN, id="6"), "chips_wait")
    for _ in range(2):
        tray = trays.receive(TABLE, 1, by=taker, id="7")
        assert tray.cents == 250_000 + (2_000 if kind is FILL else -2_000)
    refused(partial(trays.receive, TABLE, 1, by=taker, id="8"), "no_such_request")
    in_order(shift)


def test_what_a_dealer_requests_a_supervisor_receives(cage: Cage) -> None:
    cage.trays.request(TABLE, FILL, {500: 4}, by=DAN, id="1")
    cage.trays.give(TABLE, 1, by=CAL, id="2")
    refused(partial(cage.trays.receive, TABLE, 1, by=DEE, id="3"), "wrong_signer")
    assert cage.trays.receive(TABLE, 1, by=SUE, id="4").cents == 252_000


def test_a_refused_request_moves_nothing_and_chips_on_their_way_go_back(
    shift: Shift, cage: Cage
) -> None:
    trays = cage.trays
    for number, kind in ((1, FILL), (2, CREDIT)):
        trays.request(TABLE, kind, {500: 4}, by=DAN, id=f"ask {number}")
        trays.give(TABLE, number, by=CAL if kind is FILL else SUE, id=f"give {number}")
        refused(
            partial(trays.refuse, TABLE, number, by=SUE, id=f"no {number}", reason="no"),
            "wrong_signer",
        )
        trays.refuse(TABLE, number, by=CAL, id=f"back {number}", reason="the wrong colours")
    trays.request(TABLE, FILL, {500: 4}, by=DAN, id="ask 3")
    refused(partial(trays.refuse, TABLE, 3, by=DEE, id="no 3", reason="no"), "wrong_signer")
    trays.refuse(TABLE, 3, by=DAN, id="back 3", reason="enough")
    assert trays.get(TABLE).cents == 250_000
    assert not cage.trays.get(TABLE).moves
    # The slip of the fill keeps its number; the credit never had one.
    assert [made.number for _, made in trays.slips()] == [1]
    in_order(shift)


def test_a_tray_gives_no_more_than_it_holds(cage: Cage) -> None:
    too_many = partial(cage.trays.request, TABLE, CREDIT, {10_000: 26}, by=SUE)
    assert "$2,500.00" in refused(partial(too_many, id="1"), "tray_short").sentence
    by_dan = partial(cage.trays.request, TABLE, CREDIT, {10_000: 26}, by=DAN, id="dan")
    assert "$" not in refused(by_dan, "tray_short").sentence
    for number, chips in enumerate(({}, {500: 0}, {0: 5}, {500: -1}, [500])):
        bad = partial(cage.trays.request, TABLE, FILL, chips, by=SUE, id=f"bad {number}")  # type: ignore[arg-type]
        refused(bad, "malformed")
    count(cage, CLOSE, OPENING)
    refused(partial(cage.trays.request, TABLE, FILL, {500: 1}, by=SUE, id="2"), "tray_closed")


# Once, and without gaps --------------------------------------------------------------


def test_a_repeated_press_moves_nothing_again(shift: Shift, cage: Cage) -> None:
    trays = cage.trays
    trays.request(TABLE, FILL, {500: 4}, by=SUE, id="1")
    shift.store.loses_answer = True
    with pytest.raises(Unknown):
        trays.give(TABLE, 1, by=CAL, id="2")
    trays.give(TABLE, 1, by=CAL, id="2")
    trays.request(TABLE, FILL, {500: 4}, by=SUE, id="1")
    refused(partial(trays.request, TABLE, FILL, {500: 5}, by=SUE, id="1"), "id_reused")
    refused(partial(trays.give, TABLE, 2, by=CAL, id="2"), "id_reused")
    assert (trays.get(TABLE).requests, len(trays.slips())) == (1, 1)
    in_order(shift)


def test_slips_of_all_tables_have_one_row_of_numbers_however_many_press_at_once(
    shift: Shift, cage: Cage
) -> None:
    tables = [TABLE, "table-2", "table-3"]
    for table in tables[1:]:
        shift.open_table("washington", name=table, mode=DealerMode.LIVE)
        count(cage, OPEN, OPENING, table=table)
    for table in tables:
        for number in range(4):
            cage.trays.request(table, FILL, {500: 1}, by=SUE, id=f"{table} {number}")
    cages = [cage, *(Cage(shift.beside().store, shift.clock) for _ in range(3))]

    def give(number: int) -> bool:
        # Each is pressed at two windows, under two ids: chips go once.
        table, request = tables[number % 3], number // 3 % 4 + 1
        try:
            cages[number % 4].trays.give(table, request, by=CAL, id=f"press {number}")
        except Refusal as refusal:
            if refusal.code != "already_given":
                raise
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        given = sum(threads.map(give, range(24)))
    assert given == 12
    assert [made.number for _, made in cage.trays.slips()] == list(range(1, 13))
    assert cage.by_kind()[AccountKind.TRAY] == -3 * counted_cents(OPENING)
    assert cage.by_kind()[AccountKind.CHIPS] == 3 * counted_cents(OPENING)
    in_order(shift)
