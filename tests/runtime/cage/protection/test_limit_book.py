"""Limits of players: tighter at once, looser after a day, and no race that goes beyond them."""

import sqlite3
import threading
from collections.abc import Callable

import pytest

from openfelt.ledger.play_limits import ExclusionTerm, LimitKind, LimitPeriod, LimitSide
from openfelt.rules import CloseBets, Refusal, SetWagers
from openfelt.runtime.audit import audit
from openfelt.runtime.cage.cage import Cage
from openfelt.runtime.cage.protection.limit_book import LimitBook, VersionedLimits
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.requests import Answer
from openfelt.table.commands import BuyIn, Collect, LeaveSeat, TakeSeat
from tests.kit.audit.forgeries import rehash
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Desk, Shift, request

DAY, WEEK = LimitPeriod.DAY, LimitPeriod.WEEK
LOSS, TIME, DEPOSIT = LimitKind.LOSS, LimitKind.TIME, LimitKind.DEPOSIT


def book_of(shift: Shift) -> LimitBook:
    """The limits that the tables of a process ask."""
    return shift.worker_services.people.limits


def limit(
    shift: Shift,
    kind: LimitKind,
    most: int | None,
    *,
    period: LimitPeriod = DAY,
    side: LimitSide = LimitSide.OWN,
    id: str = "limit",  # noqa: A002
) -> VersionedLimits:
    """Let Ann, or the house, set a limit of Ann's."""
    return book_of(shift).set_limit(
        "ann", side=side, kind=kind, period=period, most=most, by="ann", id=id, reason="asked for"
    )


def refused(act: Callable[[], object], code: str) -> str:
    """Check that an action is refused with this code."""
    with pytest.raises(Refusal) as caught:
        act()
    assert caught.value.code == code
    return caught.value.sentence


def most(shift: Shift, kind: LimitKind = LOSS) -> int | None:
    """Ann's limit of a day that is in force."""
    book = book_of(shift)
    current = book.reload("ann")
    return current.limits.most(kind, DAY, book.now_ms(current))


def ante(dollars: int, spot: str = "1.1") -> SetWagers:
    """A wager on an Ante, which brings its Blind and can cost up to six times as much."""
    return SetWagers(spot_of(spot), wagers_of(f"ante {dollars}" if dollars else ""))


def lose(desk: Desk, dollars: int) -> None:
    """Let Ann lose twice as much: an Ante and its Blind, folded."""
    desk.do(ante(dollars), "ann").do(CloseBets(), "ann")
    for decision in ("check", "check", "fold"):
        desk.choose("ann", "1.1", decision)


@pytest.fixture
def desk(shift: Shift) -> Desk:
    """A table with Ann, who has bought in for $500."""
    return shift.open_table("online").sit("ann", 1, 500)


# Setting ---------------------------------------------------------------------------


def test_tighter_at_once_and_looser_after_a_day(shift: Shift) -> None:
    assert most(shift) is None
    limit(shift, LOSS, 5_000)
    assert most(shift) == 5_000
    limit(shift, LOSS, 4_000, id="tighter")
    assert most(shift) == 4_000
    limit(shift, LOSS, 9_000, id="looser")
    refused(lambda: limit(shift, LOSS, 9_000, id="looser again"), "limit_unchanged")
    shift.clock.pass_ms(DAY_MS - 1)
    assert most(shift) == 4_000
    shift.clock.pass_ms(1)
    assert most(shift) == 9_000
    limit(shift, LOSS, None, id="none")
    assert most(shift) == 9_000
    # A player who returns to the limit in force has no pending change.
    limit(shift, LOSS, 9_000, id="kept")
    shift.clock.pass_ms(2 * DAY_MS)
    assert most(shift) == 9_000
    assert audit(shift.store).clean


def test_neither_side_loosens_what_the_other_has_set(shift: Shift) -> None:
    limit(shift, LOSS, 5_000, side=LimitSide.HOUSE, id="house")
    limit(shift, LOSS, 8_000, id="own")
    limit(shift, LOSS, None, id="removed")
    shift.clock.pass_ms(2 * DAY_MS)
    assert most(shift) == 5_000


def test_a_clock_that_is_set_back_loosens_nothing(shift: Shift) -> None:
    limit(shift, LOSS, 5_000)
    limit(shift, LOSS, 9_000, id="looser")
    shift.clock.jump_ms(-5 * DAY_MS)
    assert most(shift) == 5_000
    book_of(shift).exclude("ann", ExclusionTerm.DAY, by="ann", id="x")
    shift.clock.jump_ms(5 * DAY_MS)
    current = book_of(shift).reload("ann")
    assert current.limits.excluded(book_of(shift).now_ms(current))


def test_a_repeated_id_sets_a_limit_once(shift: Shift) -> None:
    limit(shift, LOSS, 5_000, id="a")
    limit(shift, LOSS, 9_000, id="b")
    limit(shift, LOSS, 5_000, id="a")
    assert book_of(shift).reload("ann").version == 2
    refused(lambda: limit(shift, LOSS, 1, id="a"), "id_reused")


def test_an_exclusion_only_becomes_longer(shift: Shift) -> None:
    book = book_of(shift)
    book.exclude("ann", ExclusionTerm.WEEK, by="ann", id="1")
    refused(lambda: book.exclude("ann", ExclusionTerm.DAY, by="ann", id="2"), "excluded_longer")
    book.exclude("ann", ExclusionTerm.FOR_GOOD, by="ann", id="3")
    refused(
        lambda: book.exclude("ann", ExclusionTerm.FIVE_YEARS, by="ann", id="4"), "excluded_longer"
    )
    shift.clock.pass_ms(40 * 365 * DAY_MS)
    current = book.reload("ann")
    assert current.limits.excluded(book.now_ms(current))


# Losses ----------------------------------------------------------------------------


def test_a_wager_that_can_cost_more_than_is_left_is_refused(shift: Shift, desk: Desk) -> None:
    limit(shift, LOSS, 12_000)
    answer = desk.refuses(ante(21), "ann", "loss_limit")
    assert "$120.00 is left, and the hands can cost $126.00" in (answer.sentence or "")
    lose(desk, 10)
    # $20 are lost, so $100 are left: less than the $102 of an Ante of $17.
    desk.refuses(ante(17), "ann", "loss_limit")
    desk.do(ante(16), "ann")
    # The hand was accepted, so it is played as its player wants.
    desk.do(CloseBets(), "ann").choose("ann", "1.1", "4x")
    assert audit(shift.store).clean


def test_wagers_are_taken_back_although_the_limit_is_reached(shift: Shift, desk: Desk) -> None:
    desk.do(ante(10), "ann")
    limit(shift, LOSS, 100)
    desk.refuses(ante(11), "ann", "loss_limit")
    desk.do(ante(5), "ann").do(ante(0), "ann")
    desk.refuses(ante(5), "ann", "loss_limit")
    desk.do(Collect(1), "ann")


def test_what_was_lost_before_the_limit_counts(shift: Shift, desk: Desk) -> None:
    lose(desk, 50)
    limit(shift, LOSS, 10_000)
    desk.refuses(ante(5), "ann", "loss_limit")
    desk.do(LeaveSeat(1), "ann").refuses(TakeSeat(1), "ann", "loss_limit")
    shift.clock.pass_ms(DAY_MS)
    desk.do(TakeSeat(1), "ann")
    limit(shift, LOSS, 10_000, period=WEEK, id="week")
    desk.refuses(BuyIn(1, 10_000), "ann", "loss_limit")


def test_a_round_over_midnight_belongs_to_the_day_of_its_first_wager(
    shift: Shift, desk: Desk
) -> None:
    limit(shift, LOSS, 12_000)
    shift.clock.pass_ms(DAY_MS - 1_000)
    desk.do(ante(20), "ann")
    shift.clock.pass_ms(2_000)
    desk.do(CloseBets(), "ann").void()
    use = book_of(shift).use("ann", shift.clock.wall_ms())
    assert use.lost_cents(DAY, shift.clock.wall_ms()) == 0
    desk.refuses(ante(21), "ann", "loss_limit")


def test_two_hands_and_two_tables_share_one_limit(shift: Shift, desk: Desk) -> None:
    other = shift.open_table("online", name="table-2").sit("ann", 1, 500)
    limit(shift, LOSS, 12_000)
    desk.do(ante(10), "ann")
    other.refuses(ante(11), "ann", "loss_limit")
    other.do(ante(10), "ann")
    desk.refuses(ante(11), "ann", "loss_limit")
    # The other table plays in another process, which reads what is left from the record.
    desk.do(ante(0), "ann")
    beside = other.restart()
    beside.do(ante(20), "ann").refuses(ante(21), "ann", "loss_limit")
    desk.refuses(ante(5), "ann", "loss_limit")


@pytest.mark.parametrize("closed", [False, True], ids=["betting", "deciding"])
def test_a_first_limit_during_a_hand_reserves_its_play_wager(
    shift: Shift, desk: Desk, *, closed: bool
) -> None:
    other = shift.open_table("online", name="table-2").sit("ann", 1, 500)
    desk.do(ante(10), "ann")
    if closed:
        desk.do(CloseBets(), "ann")
    limit(shift, LOSS, 12_000)
    # The hand can still cost $60, with a Play wager of four Antes, so $60 are left.
    answer = other.refuses(ante(11), "ann", "loss_limit")
    assert "$60.00 is left, and the hands can cost $66.00" in (answer.sentence or "")
    other.do(ante(5), "ann")
    if not closed:
        desk.do(CloseBets(), "ann")
    for decision in ("check", "check", "fold"):
        desk.choose("ann", "1.1", decision)
    # It has cost $20, and what it had reserved besides is free again.
    other.do(ante(16), "ann").refuses(ante(17), "ann", "loss_limit")


def test_a_table_that_was_slower_decides_again(shift: Shift, desk: Desk) -> None:
    other = shift.beside().open_table("online", name="table-2").sit("ann", 1, 500)
    limit(shift, LOSS, 12_000)
    # Another process trusts what it has read of a player for a second.
    shift.clock.pass_ms(1_000)
    other.refuses(ante(21), "ann", "loss_limit")
    shift.store.meanwhile = [lambda: other.do(ante(15), "ann")]
    desk.refuses(ante(10), "ann", "loss_limit")
    desk.do(ante(5), "ann")


def test_many_tables_at_once_never_go_beyond_a_limit(shift: Shift) -> None:
    desks = [
        shift.beside().open_table("online", name=f"t-{number}").sit("ann", 1, 100)
        for number in range(6)
    ]
    limit(shift, LOSS, 12_000)
    shift.clock.pass_ms(1_000)
    start = threading.Barrier(len(desks))
    answers: list[Answer] = []

    def wager(desk: Desk) -> None:
        start.wait()
        answers.extend(desk.worker.handle([request(ante(10), "ann")]))

    threads = [threading.Thread(target=wager, args=(desk,)) for desk in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Each can cost $60, and $120 are left.
    assert sorted(answer.refused or "" for answer in answers) == ["", "", *["loss_limit"] * 4]
    assert audit(shift.store).clean


def test_commands_of_one_batch_share_a_limit(shift: Shift, desk: Desk) -> None:
    limit(shift, LOSS, 12_000)
    lose(desk, 10)
    batch = [request(ante(dollars), "ann") for dollars in (16, 17, 10)]
    answers = desk.worker.handle(batch)
    assert [answer.refused for answer in answers] == [None, "loss_limit", None]
    assert book_of(shift).limits_of("ann").limits.reserves["table-1"].cents == 6_000


# Time ------------------------------------------------------------------------------


def test_time_is_that_between_transfers_of_rounds(shift: Shift, desk: Desk) -> None:
    limit(shift, TIME, 12)
    for _ in range(3):
        lose(desk, 5)
        shift.clock.pass_ms(4 * 60_000)
    # 8 minutes by now: nothing tells that the last four were played.
    desk.do(ante(5), "ann")
    desk.refuses(ante(6), "ann", "time_limit")
    desk.do(CloseBets(), "ann").choose("ann", "1.1", "4x")
    desk.refuses(ante(5), "ann", "time_limit")
    shift.clock.pass_ms(DAY_MS)
    desk.do(ante(5), "ann")


def test_a_break_is_no_play_and_two_tables_count_once(shift: Shift, desk: Desk) -> None:
    other = shift.open_table("online", name="table-2").sit("ann", 1, 500)
    limit(shift, TIME, 60)
    lose(desk, 5)
    shift.clock.pass_ms(11 * 60_000)
    lose(desk, 5)
    lose(other, 5)
    shift.clock.pass_ms(5 * 60_000)
    lose(other, 5)
    lose(desk, 5)
    now_ms = shift.clock.wall_ms()
    assert book_of(shift).use("ann", now_ms).played_ms(DAY, now_ms) == 5 * 60_000


# Deposits and exclusion --------------------------------------------------------------


def test_deposits_of_every_way_share_a_limit(shift: Shift) -> None:
    cage = Cage.of(shift.store, shift.worker_services.codec, shift.clock)
    shift.cashier.deposit("bob", 9_000, id="bob")
    bobs = cage.vouchers.issue("bob", 3_000, id="v").code
    limit(shift, DEPOSIT, 10_000)
    assert shift.cashier.deposit("ann", 4_000, id="1").accepted
    cage.vouchers.redeem(bobs or "", "ann", id="r")
    cage.drawers.open("w1", {10_000: 5}, by="cal", id="o")
    sentence = refused(
        lambda: cage.drawers.take_cash("w1", "ann", 3_001, by="cal", id="c"), "deposit_limit"
    )
    assert "$30.00 is left" in sentence
    cage.drawers.take_cash("w1", "ann", 2_000, by="cal", id="c2")
    assert shift.cashier.fill_up("ann", 10_001, id="f").refused == "deposit_limit"
    assert shift.cashier.fill_up("ann", 10_000, id="f2").accepted
    # A voucher of her own is no deposit: the money was hers.
    own = cage.vouchers.issue("ann", 5_000, id="own").code
    cage.vouchers.redeem(own or "", "ann", id="back")
    assert shift.cents("wallet:ann") == 10_000
    assert shift.cashier.deposit("ann", 1, id="2").refused == "deposit_limit"
    assert audit(shift.store).clean


def test_two_windows_at_once_do_not_both_use_what_is_left(shift: Shift) -> None:
    limit(shift, DEPOSIT, 10_000)
    other = shift.beside()
    shift.store.meanwhile = [lambda: other.cashier.deposit("ann", 6_000, id="other")]
    cage = Cage.of(shift.store, shift.worker_services.codec, shift.clock)
    cage.drawers.open("w1", {}, by="cal", id="o")
    shift.store.meanwhile = [lambda: other.cashier.deposit("ann", 1_000, id="other 2")]
    refused(lambda: cage.drawers.take_cash("w1", "ann", 4_000, by="cal", id="c"), "deposit_limit")
    assert shift.cents("wallet:ann") == 7_000


def test_an_excluded_player_takes_the_money_out_and_brings_none_in(
    shift: Shift, desk: Desk
) -> None:
    cage = Cage.of(shift.store, shift.worker_services.codec, shift.clock)
    shift.cashier.deposit("ann", 5_000, id="wallet")
    desk.do(ante(10), "ann").do(CloseBets(), "ann")
    book_of(shift).exclude("ann", ExclusionTerm.HALF_YEAR, by="ann", id="x")
    # The hand in progress is finished, and the money comes home.
    for decision in ("check", "check", "fold"):
        desk.choose("ann", "1.1", decision)
    desk.refuses(ante(5), "ann", "excluded")
    desk.refuses(BuyIn(1, 1_000), "ann", "excluded")
    desk.do(LeaveSeat(1), "ann").refuses(TakeSeat(1), "ann", "excluded")
    assert shift.cashier.deposit("ann", 1, id="no").refused == "excluded"
    voucher = cage.vouchers.issue("ann", 1_000, id="out").code
    refused(lambda: cage.vouchers.redeem(voucher or "", "ann", id="in"), "excluded")
    assert shift.cashier.withdraw("ann", 52_000, id="all").accepted
    assert shift.cents("wallet:ann") == 0
    shift.clock.pass_ms(183 * DAY_MS - 1)
    assert shift.cashier.deposit("ann", 1, id="early").refused == "excluded"
    shift.clock.pass_ms(1)
    assert shift.cashier.deposit("ann", 1, id="later").accepted


# The record --------------------------------------------------------------------------


def test_limits_are_read_again_from_their_snapshot(shift: Shift, desk: Desk) -> None:
    limit(shift, LOSS, 40_000)
    for _ in range(101):
        desk.do(ante(5), "ann").do(ante(6), "ann").do(ante(0), "ann")
    assert shift.store.snapshot("limits/ann") is not None
    assert book_of(shift.beside()).reload("ann") == book_of(shift).reload("ann")
    assert audit(shift.store).clean


def test_limits_that_cannot_be_read_stop_their_player_and_no_table(
    shift: Shift, desk: Desk
) -> None:
    limit(shift, LOSS, 40_000)
    desk.do(LeaveSeat(1), "ann")
    shift.store._write("UPDATE events SET body = '{}' WHERE stream = ?", ("limits/ann",))
    shift.clock.pass_ms(2_000)
    beside = desk.restart()
    assert beside.ask(TakeSeat(1), "ann").refused == "failed"
    beside.sit("bob", 1, 100).do(ante(5), "bob")


def test_the_audit_finds_a_looser_limit_that_has_not_waited(shift: Shift) -> None:
    limit(shift, LOSS, 5_000)
    limit(shift, LOSS, 9_000, id="looser")
    shift.store._write(
        "UPDATE events SET body = replace(body, 'true', 'false') WHERE stream = ?", ("limits/ann",)
    )
    with sqlite3.connect(shift.path) as connection:
        rehash(connection, "limits/ann")
    assert any("delayed if it is looser" in str(finding) for finding in audit(shift.store).findings)
