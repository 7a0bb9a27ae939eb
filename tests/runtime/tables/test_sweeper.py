"""The sweeper finds rounds that have waited too long, and no others."""

import pytest
from _pytest.logging import LogCaptureFixture

from openfelt.rules import Bet, Check, CloseBets, MakeDecision, SetWagers
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.requests import Request
from openfelt.runtime.tables import sweeper as sweeper_module
from openfelt.runtime.tables.recovery.recovery import RecoveredTable, recover
from openfelt.runtime.tables.sweeper import Sweeper
from openfelt.storage.door import KeyLost, KeyMissing, Store, StoreError, Unavailable
from openfelt.storage.event_forms import EventCodec
from openfelt.table.commands import (
    SYSTEM,
    ExpireRound,
    OpenBets,
    Person,
    Role,
    TableCommand,
)
from openfelt.table.croupier.permits import Permits
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Desk, Shift, check_books, request

ANN = Person(Role.PLAYER, "ann")
ONE = spot_of("1.1")


def waiting(shift: Shift, name: str = "table-1", player: str = "ann") -> Desk:
    """A table with a round in which a player has to decide."""
    desk = shift.open_table("online", name=name).sit(player, 1, 500)
    return desk.bet(player, "1.1", "ante 10").do(CloseBets(), player)


@pytest.mark.clause("O.unfinished")
def test_a_round_is_due_after_thirty_days(shift: Shift) -> None:
    waiting(shift)
    sweeper = Sweeper(shift.worker_services)
    shift.clock.pass_ms(30 * DAY_MS - 1)
    assert sweeper.due() == []
    shift.clock.pass_ms(1)
    assert sweeper.due() == [("table-1", 1, 30)]
    shift.clock.pass_ms(DAY_MS)
    assert sweeper.due() == [("table-1", 1, 31)]


def test_the_days_count_from_the_opening_of_the_round(shift: Shift) -> None:
    desk = waiting(shift)
    shift.clock.pass_ms(29 * DAY_MS)
    desk.choose("ann", "1.1", "check")
    shift.clock.pass_ms(DAY_MS)
    assert Sweeper(shift.beside().worker_services).due() == [("table-1", 1, 30)]


@pytest.mark.parametrize(
    "error",
    [
        KeyMissing("0a1b2c3d", stream="table/table-1", where="keys"),
        KeyLost("0a1b2c3d", stream="table/table-1"),
    ],
)
def test_a_round_that_could_not_be_read_once_is_due_the_next_time(
    shift: Shift, monkeypatch: pytest.MonkeyPatch, error: StoreError
) -> None:
    waiting(shift)
    waiting(shift, "table-2", "bob")
    sweeper = Sweeper(shift.worker_services)
    shift.clock.pass_ms(30 * DAY_MS)

    def failing(store: Store, codec: EventCodec, table: str) -> RecoveredTable | None:
        if table == "table-1":
            raise error
        return recover(store, codec, table)

    with monkeypatch.context() as patch:
        patch.setattr(sweeper_module, "recover", failing)
        assert sweeper.due() == [("table-2", 1, 30)]
    assert sweeper.due() == [("table-1", 1, 30), ("table-2", 1, 30)]


def test_rounds_that_are_over_and_houses_that_wait_for_ever_are_not_due(shift: Shift) -> None:
    waiting(shift).void()
    shift.open_table("washington", name="table-2").do(OpenBets(), "dan")
    shift.open_table("online", name="table-3")
    sweeper = Sweeper(shift.worker_services)
    shift.clock.pass_ms(400 * DAY_MS)
    assert sweeper.due() == []
    assert sweeper.due() == []


def test_a_table_with_nothing_to_sweep_is_read_again_after_new_events(shift: Shift) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500)
    sweeper = Sweeper(shift.worker_services)
    assert sweeper.due() == []
    desk.bet("ann", "1.1", "ante 10")
    shift.clock.pass_ms(30 * DAY_MS)
    assert sweeper.due() == [("table-1", 1, 30)]


def test_the_sweepers_memory_is_bounded(shift: Shift, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openfelt.runtime.tables.sweeper.REMEMBERED_MAX", 2)
    for number in range(5):
        shift.open_table("online", name=f"table-{number}")
    waiting(shift, "waiting")
    shift.clock.pass_ms(30 * DAY_MS)
    sweeper = Sweeper(shift.worker_services)
    for _ in range(2):
        assert sweeper.due() == [("waiting", 1, 30)]
        assert len(sweeper._nothing_at) == 2


def test_a_round_that_is_swept_is_refunded_once(shift: Shift) -> None:
    desk = waiting(shift)
    shift.clock.pass_ms(30 * DAY_MS)
    for refused in (None, "no_round"):
        (answer,) = desk.worker.handle([Request(by=SYSTEM, command=ExpireRound(1, 30))])
        assert answer.refused == refused
    assert desk.credit("ann") == 50_000
    assert Sweeper(shift.worker_services).due() == []
    check_books(shift, desk)


@pytest.mark.clause("O.unfinished")
def test_a_game_of_thirty_one_days_is_not_played_on_until_it_is_swept(shift: Shift) -> None:
    desk = waiting(shift)
    betting = shift.open_table("online", name="table-2").sit("bob", 1, 500)
    betting.bet("bob", "1.1", "ante 10")
    shift.clock.pass_ms(31 * DAY_MS)
    for command in (MakeDecision(ONE, Check()), MakeDecision(ONE, Bet(4))):
        assert refusal(desk, command, "ann") == "round_expired"
    for late in (SetWagers(ONE, wagers_of("ante 50")), SetWagers(ONE, ()), CloseBets()):
        assert refusal(betting, late, "bob") == "round_expired"
    assert Permits(desk.table, desk.worker.outside(desk.table)).of(ANN) == ["buy_in"]
    for table, number, days in Sweeper(shift.worker_services).due():
        worker = (desk if table == "table-1" else betting).worker
        assert worker.handle([Request(by=SYSTEM, command=ExpireRound(number, days))])[0].accepted
    assert (desk.credit("ann"), betting.credit("bob")) == (50_000, 50_000)
    desk.bet("ann", "1.1", "ante 10").do(CloseBets(), "ann").choose("ann", "1.1", "check")
    check_books(shift, desk, betting)


def test_the_last_day_may_still_be_played(shift: Shift) -> None:
    desk = waiting(shift)
    shift.clock.pass_ms(30 * DAY_MS - 1)
    desk.choose("ann", "1.1", "check")


def refusal(desk: Desk, command: TableCommand, player: str) -> str | None:
    """The code with which a table refuses a player's command."""
    (answer,) = desk.worker.handle([request(command, player)])
    return answer.refused


def test_tables_that_are_not_ready_are_left_for_the_next_sweep(shift: Shift) -> None:
    waiting(shift)
    shift.clock.pass_ms(30 * DAY_MS)
    sweeper = Sweeper(shift.worker_services)
    assert sweeper.due(skips=lambda table: table == "table-1") == []
    assert sweeper.due() == [("table-1", 1, 30)]


def test_an_unreadable_table_does_not_hold_up_the_others(
    shift: Shift, caplog: LogCaptureFixture
) -> None:
    waiting(shift, "broken")
    waiting(shift, "whole", "bob")
    shift.store._write("UPDATE events SET body = '?' WHERE stream = ?", ("table/broken",))
    shift.clock.pass_ms(30 * DAY_MS)
    assert Sweeper(shift.beside().worker_services).due() == [("whole", 1, 30)]
    assert "table/broken cannot be swept" in caplog.text


def test_an_unavailable_store_is_reported(shift: Shift) -> None:
    waiting(shift)
    shift.store.gone = True
    with pytest.raises(Unavailable):
        Sweeper(shift.worker_services).due()
