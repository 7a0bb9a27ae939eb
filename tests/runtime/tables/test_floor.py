"""Floors: tables taken up, held, lost and put down by processes on one store."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from fractions import Fraction
from typing import Any

import pytest
from _pytest.logging import LogCaptureFixture

from openfelt.catalog import load_house
from openfelt.rules import CloseBets, Refusal, SetWagers
from openfelt.rules.house import ClockRule
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.requests import Answer
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.floor import Floor, FloorTimes
from openfelt.runtime.tables.watchers import Change
from openfelt.storage.door import Lease
from openfelt.table.commands import (
    BuyIn,
    ChangeDealer,
    OpenBets,
    OpenTable,
    TableCommand,
    TakeSeat,
)
from openfelt.table.links.link_referee import OpenLink, PauseLink
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Shift, check_books, request, until
from tests.kit.tables import DEALER, FLOOR

ANTE = SetWagers(spot_of("1.1"), wagers_of("ante 10"))
MORE = SetWagers(spot_of("1.1"), wagers_of("ante 15"))
QUIET = FloorTimes(lease_ms=3_600_000, sweep_ms=3_600_000, idle_ms=3_600_000)
"""Chores that never come up while a test runs; it does them itself."""
ONLINE = OpenTable(table="table-1", house=load_house("online"))


@asynccontextmanager
async def floor_of(
    shift: Shift, owner: str = "one", times: FloorTimes = QUIET
) -> AsyncIterator[Floor]:
    """A floor in a process, going by its clock."""
    floor = Floor(
        shift.store,
        owner=owner,
        shuffler=Shuffler(SeededEntropy(1)),
        clock=shift.clock,
        times=times,
    )
    async with floor:
        yield floor


@pytest.fixture
async def floor(shift: Shift) -> AsyncIterator[Floor]:
    """A floor that is open until the end of the test."""
    async with floor_of(shift) as running:
        yield running


async def ask(floor: Floor, command: TableCommand, by: str, **options: Any) -> Answer:
    """Ask something of the one table."""
    return await floor.ask("table-1", request(command, by, **options))


async def seated(floor: Floor, command: OpenTable = ONLINE) -> None:
    """A table on the floor with ann at seat 1 and 500 dollars."""
    await floor.open_table(command, by=FLOOR)
    floor.cashier.deposit("ann", 50_000, id="1")
    assert (await ask(floor, TakeSeat(1), "ann")).accepted
    assert (await ask(floor, BuyIn(1, 50_000), "ann")).accepted


# Opening and asking --------------------------------------------------------------------------


async def test_a_table_is_opened_and_played_at(shift: Shift) -> None:
    async with floor_of(shift) as floor:
        seen: list[Change] = []
        await seated(floor)
        end = await floor.watch("table-1", seen.append)
        assert (await ask(floor, ANTE, "ann")).accepted
        end()
        assert (await ask(floor, CloseBets(), "ann")).accepted
        assert [type(event).__name__ for event in seen[0].events] == [*("RoundOpened", "WagersSet")]
        assert len(seen) == 1
    desk = shift.work_at()
    assert desk.round.street == "before_flop"
    check_books(shift, desk)


async def test_a_table_exists_once(shift: Shift) -> None:
    async with floor_of(shift) as one, floor_of(shift.beside(), "two") as two:
        await one.open_table(ONLINE, by=FLOOR)
        for floor in (one, two):
            with pytest.raises(Refusal, match="A table called table-1 already exists") as caught:
                await floor.open_table(ONLINE, by=FLOOR)
            assert caught.value.code == "table_exists"
        with pytest.raises(Refusal, match="A dealer may not do that"):
            await one.open_table(OpenTable(table="x", house=ONLINE.house), by=DEALER)


async def test_a_missing_table_is_refused(floor: Floor) -> None:
    answer = await ask(floor, TakeSeat(1), "ann")
    assert (answer.refused, answer.version) == ("no_such_table", 0)
    with pytest.raises(Refusal, match="There is no table called table-1"):
        await floor.watch("table-1", lambda change: None)


async def test_many_requests_at_once_start_a_table_once(shift: Shift) -> None:
    shift.open_table("washington")

    async with floor_of(shift) as floor:
        asks = [ask(floor, TakeSeat(1 + n % 6), f"player-{n}") for n in range(30)]
        answers = await asyncio.gather(*asks)
        assert sum(answer.accepted for answer in answers) == 6
    assert shift.store.head("table/table-1").fence == 1


async def test_a_slow_table_does_not_delay_the_others(shift: Shift) -> None:
    for number in range(12):
        shift.open_table("washington", name=f"table-{number}")

    async with floor_of(shift) as floor:
        asks = [
            floor.ask(f"table-{number}", request(TakeSeat(seat), f"player-{seat}"))
            for number in range(12)
            for seat in range(1, 7)
        ]
        assert all(answer.accepted for answer in await asyncio.gather(*asks))


async def test_requests_for_invented_names_leave_nothing_behind(floor: Floor) -> None:
    for number in range(50):
        answer = await floor.ask(f"table-{number}", request(TakeSeat(1), "ann"))
        assert answer.refused == "no_such_table"
    assert not floor._taking_up
    assert not floor._used_ms


async def test_tables_that_are_put_down_leave_nothing_behind(shift: Shift) -> None:
    for number in range(5):
        shift.open_table("washington", name=f"table-{number}")

    async with floor_of(shift) as floor:
        for number in range(5):
            await floor.ask(f"table-{number}", request(TakeSeat(1), "ann"))
        assert len(floor._used_ms) == 5
        shift.clock.pass_ms(QUIET.idle_ms + 1)
        await floor.rest()
        for left in (floor.running, floor._used_ms, floor._taking_up):
            assert not left


# A store that is not there -----------------------------------------------------------------------


async def test_an_unavailable_store_is_reported(shift: Shift) -> None:
    shift.open_table("online")

    async with floor_of(shift) as floor:
        shift.store.gone = True
        answer = await ask(floor, TakeSeat(1), "ann")
        assert answer.refused == "stopped"
        assert answer.sentence == "The store is unavailable: The disk cannot be read."
        shift.store.gone = False
        assert (await ask(floor, TakeSeat(1), "ann")).accepted


async def test_a_full_disk_stops_a_table_clearly_and_it_comes_back(shift: Shift) -> None:
    async with floor_of(shift) as floor:
        await seated(floor)
        worker = (await floor.mailbox("table-1")).worker
        shift.store.full = True
        answer = await ask(floor, ANTE, "ann", id="a")
        assert answer.sentence == "This table has stopped: The disk is full."
        assert worker.stopped is not None
        assert floor.stopped == {"table-1": "This table has stopped: The disk is full."}
        assert worker.table.seats[1].credit_cents == 50_000
        shift.store.full = False
        assert (await ask(floor, ANTE, "ann", id="a")).accepted
    check_books(shift, shift.work_at())


async def test_a_floor_closes_although_its_store_is_gone(
    shift: Shift, caplog: LogCaptureFixture
) -> None:
    async with floor_of(shift) as floor:
        await seated(floor)
        shift.store.gone = True
        shift.store._writing_connection().execute("PRAGMA query_only = 1")
    assert "the lease of table/table-1 could not be released" in caplog.text


# Leases --------------------------------------------------------------------------------------


async def test_a_table_runs_in_one_process_only(shift: Shift) -> None:
    async with floor_of(shift) as one:
        await seated(one)
        async with floor_of(shift.beside(), "two") as two:
            answer = await ask(two, TakeSeat(1), "bob")
            assert answer.refused == "moved"
            assert answer.sentence == "table-1 is run by another process."
        assert (await ask(one, ANTE, "ann")).accepted


async def test_a_lease_that_is_renewed_keeps_the_table(shift: Shift) -> None:
    async with floor_of(shift) as one, floor_of(shift.beside(), "two") as two:
        await seated(one)
        for _ in range(3):
            shift.clock.pass_ms(QUIET.lease_ms - 1)
            await one.renew_leases()
        assert (await ask(two, TakeSeat(1), "bob")).refused == "moved"


async def test_a_process_that_stops_renewing_loses_its_table(shift: Shift) -> None:
    async with floor_of(shift) as one, floor_of(shift.beside(), "two") as two:
        await seated(one)
        shift.clock.pass_ms(QUIET.lease_ms + 1)
        assert (await ask(two, ANTE, "ann", id="a")).accepted
        assert (await ask(one, CloseBets(), "ann")).refused == "moved"
        assert (await ask(one, CloseBets(), "ann")).refused == "moved"
        assert (await ask(two, ANTE, "ann", id="a")).accepted
        assert (await ask(two, CloseBets(), "ann")).accepted
    assert shift.names().count("wagers_set") == 1
    check_books(shift, shift.work_at())


async def test_a_lease_that_has_passed_on_puts_the_table_down(
    shift: Shift, caplog: LogCaptureFixture
) -> None:
    async with floor_of(shift) as one, floor_of(shift.beside(), "two") as two:
        await seated(one)
        old = await one.mailbox("table-1")
        shift.clock.pass_ms(QUIET.lease_ms + 1)
        assert (await ask(two, ANTE, "ann")).accepted
        await one.renew_leases()
        assert "the lease of table-1 has passed to another process" in caplog.text
        assert old.lost
        assert (await ask(one, CloseBets(), "ann")).refused == "moved"
        await two.renew_leases()
        assert (await ask(two, CloseBets(), "ann")).accepted


async def test_a_floor_that_closes_hands_its_tables_over(shift: Shift) -> None:
    async with floor_of(shift.beside(), "two") as two:
        async with floor_of(shift) as one:
            await seated(one)
        assert (await ask(two, ANTE, "ann")).accepted


async def test_a_clock_continues_in_the_other_process(shift: Shift) -> None:
    rule = ClockRule(wager_seconds=25, decision_seconds=15)

    async with floor_of(shift.beside(), "two") as two:
        async with floor_of(shift) as one:
            await seated(one, OpenTable(table="table-1", house=ONLINE.house, clock=rule))
            assert (await ask(one, ANTE, "ann")).accepted
            # A chore that is under way when the time passes would give the time back.
            await asyncio.sleep(0.5)
            shift.clock.pass_ms(5_000)
            assert (await ask(one, MORE, "ann")).accepted
        shift.clock.pass_ms(7_000)
        worker = (await two.mailbox("table-1")).worker
        assert worker.time_left_ms == 20_000


# Chores --------------------------------------------------------------------------------------


async def test_an_idle_table_is_put_down_and_taken_up_again(shift: Shift) -> None:
    async with floor_of(shift) as one, floor_of(shift.beside(), "two") as two:
        await seated(one)
        first = await one.mailbox("table-1")
        lost = []
        for ms in (QUIET.idle_ms, 1):
            shift.clock.pass_ms(ms)
            await one.rest()
            lost.append(first.lost)
        assert lost == [False, True]
        assert (await ask(two, ANTE, "ann")).accepted
        shift.clock.pass_ms(QUIET.idle_ms + 1)
        await two.rest()
        assert (await ask(one, CloseBets(), "ann")).accepted
    check_books(shift, shift.work_at())


async def test_a_table_with_a_watcher_is_not_put_down(shift: Shift) -> None:
    seen: list[Change] = []
    async with floor_of(shift) as floor:
        await seated(floor)
        end = await floor.watch("table-1", seen.append)
        shift.clock.pass_ms(QUIET.idle_ms + 1)
        await floor.rest()
        assert (await ask(floor, ANTE, "ann")).accepted
        assert len(seen) == 1
        end()
        shift.clock.pass_ms(QUIET.idle_ms + 1)
        before = await floor.mailbox("table-1")
        await floor.rest()
        assert before.lost


async def test_a_table_with_a_running_clock_is_not_put_down(shift: Shift) -> None:
    rule = ClockRule(wager_seconds=3600, decision_seconds=15)

    async with floor_of(shift) as floor:
        await seated(floor, OpenTable(table="table-1", house=ONLINE.house, clock=rule))
        assert (await ask(floor, ANTE, "ann")).accepted
        before = await floor.mailbox("table-1")
        floor._used_ms["table-1"] = -QUIET.idle_ms
        await floor.rest()
        assert not before.lost


async def test_a_request_while_a_table_is_put_down_is_answered(shift: Shift) -> None:
    async with floor_of(shift) as floor:
        await floor.open_table(ONLINE, by=FLOOR)
        for number in range(20):
            shift.clock.pass_ms(QUIET.idle_ms + 1)
            resting = asyncio.create_task(floor.rest())
            asks = [ask(floor, TakeSeat(1), f"player-{number}-{n}") for n in range(5)]
            answers = await asyncio.gather(*asks)
            await resting
            assert {answer.refused for answer in answers} <= {None, "seat_taken"}
    assert shift.names().count("seat_taken") == 1


def waiting(shift: Shift, *, days: int = 30) -> None:
    """A round of some days ago waits for a player's decision; the table is not running."""
    desk = shift.open_table("online").sit("ann", 1, 500).do(ANTE, "ann").do(CloseBets(), "ann")
    assert desk.credit("ann") == 48_000
    shift.clock.pass_ms(days * DAY_MS)


@pytest.mark.clause("O.unfinished")
async def test_a_server_that_restarts_within_the_hour_sweeps_at_every_start(shift: Shift) -> None:
    waiting(shift, days=31)

    # The next sweep would be in an hour; a server that restarts sooner would never sweep.
    async with floor_of(shift, times=QUIET):
        await until(lambda: "round_voided" in shift.names())

    assert shift.work_at().credit("ann") == 50_000


async def test_an_old_round_is_cancelled_and_refunded_once(shift: Shift) -> None:
    waiting(shift, days=0)

    async with floor_of(shift) as one, floor_of(shift.beside(), "two") as two:
        shift.clock.pass_ms(30 * DAY_MS)
        await asyncio.gather(one.sweep(), two.sweep())
        await one.sweep()
        await two.sweep()
    assert shift.names().count("round_voided") == 1
    desk = shift.work_at()
    assert desk.credit("ann") == 50_000
    assert desk.round.void_reason == "Not finished within 30 days."
    check_books(shift, desk)


async def test_a_table_of_another_process_is_left_to_that_process(shift: Shift) -> None:
    waiting(shift)
    lease = shift.store.take_lease(table_stream("table-1"), "two", ttl_ms=3_600_000)
    assert lease is not None

    async with floor_of(shift) as one:
        await one.sweep()
        assert shift.names().count("round_voided") == 0
        shift.store.release_lease(lease)
        await one.sweep()
        assert shift.names().count("round_voided") == 1


async def test_a_pause_in_another_process_reaches_the_tables(shift: Shift) -> None:
    opened = OpenLink(link="main", contribution=Fraction(1, 4), seed_cents=100)
    shift.worker_services.links.command("main", opened)
    house = load_house("washington")
    wager = SetWagers(spot_of("1.1"), wagers_of("ante 10, progressive 1"))

    async with floor_of(shift) as floor:
        await seated(floor, OpenTable(table="table-1", house=house, link="main"))
        assert (await ask(floor, ChangeDealer("dan"), "dan")).accepted
        assert (await ask(floor, OpenBets(), "dan")).accepted
        shift.beside().worker_services.links.command("main", PauseLink("a test"))
        await floor.refresh_links()
        assert (await ask(floor, wager, "ann")).refused == "link_paused"


async def test_chores_are_done_without_being_asked(shift: Shift) -> None:
    waiting(shift)
    often = FloorTimes(lease_ms=300, sweep_ms=1, idle_ms=40)

    async with floor_of(shift, times=often) as floor:
        await until(lambda: "round_voided" in shift.names())
        await until(lambda: "table-1" in floor.running)
        shift.clock.pass_ms(100)
        await until(lambda: "table-1" not in floor.running)


async def test_a_chore_that_fails_is_done_again(shift: Shift, caplog: LogCaptureFixture) -> None:
    waiting(shift)
    often = FloorTimes(lease_ms=300, sweep_ms=1, idle_ms=60_000)

    shift.store.gone = True
    async with floor_of(shift, times=often) as floor:
        await until(lambda: "the store is unavailable" in caplog.text)
        floor._sweeper = None  # type: ignore[assignment]
        await until(lambda: "a chore failed" in caplog.text)
        shift.store.gone = False
        floor._sweeper = Floor(shift.store, owner="spare", clock=shift.clock)._sweeper
        await until(lambda: "round_voided" in shift.names())


async def test_an_observer_that_fails_changes_no_answer(
    shift: Shift, caplog: LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("the next card is As")

    async with Floor(
        shift.store, owner="one", clock=shift.clock, times=QUIET, observer=broken
    ) as floor:
        await floor.open_table(OpenTable(table="t", house=load_house("washington")), by=FLOOR)
        assert (await floor.ask("t", request(TakeSeat(1), "ann"))).accepted
        assert floor.cashier.deposit("ann", 100, id="1").accepted
    assert "an observer of commits has failed: RuntimeError in test_floor.py" in caplog.text
    assert "As" not in caplog.text


async def test_a_lease_that_is_taken_anew_during_its_renewal_is_not_lost(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    def renewed(leases: Sequence[Lease], *, ttl_ms: int) -> tuple[Lease, ...]:
        held = renew(leases, ttl_ms=ttl_ms)
        lease = shift.store.take_lease(leases[0].stream, leases[0].owner, ttl_ms=ttl_ms)
        floor.running["t"].worker.lease = lease
        return held if confirmed else ()

    async with floor_of(shift) as floor:
        await floor.open_table(OpenTable(table="t", house=load_house("washington")), by=FLOOR)
        renew = shift.store.renew_leases
        monkeypatch.setattr(shift.store, "renew_leases", renewed)
        for confirmed in (True, False):
            await floor.renew_leases()
            assert "t" in floor.running
            assert (
                await floor.ask("t", request(TakeSeat(1 + confirmed), f"p{int(confirmed)}"))
            ).accepted
