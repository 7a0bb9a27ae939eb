"""What a process has to take up and to hand over, and that it does so."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from fractions import Fraction

import pytest

from openfelt.catalog import load_house
from openfelt.rules import CloseBets, Refusal, SetWagers
from openfelt.runtime.cluster import ownership as module
from openfelt.runtime.cluster.membership import Membership
from openfelt.runtime.cluster.ownership import Moves, Ownership, moves, pause_ms
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import link_stream, name_of, table_stream
from openfelt.runtime.tables.floor import Floor, FloorTimes
from openfelt.runtime.tables.stops import UNREADABLE
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage.cluster.cluster_door import (
    UNREPORTED,
    WANTED,
    BusReport,
    BusState,
    HeldLease,
    Member,
    NewMember,
)
from openfelt.storage.codec import CodecError
from openfelt.table.commands import BuyIn, ChangeLink, OpenTable, TakeSeat
from openfelt.table.links.link_referee import OpenLink
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import request, until
from tests.kit.storage.newer_events import write_newer_event
from tests.kit.storage.store_places import Place
from tests.kit.tables import FLOOR

LEASE_MS = 1000
TABLES = ("a", "b", "c", "d")
ONLINE = load_house("online")
ANTE = SetWagers(spot_of("1.1"), wagers_of("ante 10"))


LOST = BusReport(BusState.LOST, module.CUT_OFF_MS)
CONNECTED = BusReport(BusState.CONNECTED, module.CUT_OFF_MS)
NO_BUS = BusReport(BusState.NONE)


def member(
    name: str,
    *,
    role: str = "both",
    living: bool = True,
    left_ms: int = 900,
    drained: bool = False,
    bus: BusReport = UNREPORTED,
) -> Member:
    return Member(
        name=name,
        home=name,
        run=name,
        role=role,
        version="1",
        started_ms=0,
        silent_ms=0,
        left_ms=left_ms if living else 0,
        drained=drained,
        bus=bus,
    )


def lease(table: str, owner: str, *, left_ms: int = 900) -> HeldLease:
    return HeldLease(table_stream(table), owner, 1, left_ms)


ALL_EAST = [lease(table, "east") for table in TABLES]

CASES = {
    "nothing to do": (
        [lease("a", "east"), lease("b", "west")],
        [member("east"), member("west")],
        ("a",),
        Moves((), ()),
    ),
    "a dead process": (
        [lease("a", "east"), lease("b", "west", left_ms=0)],
        [member("east"), member("west", living=False)],
        ("a",),
        Moves(("b",), ()),
    ),
    "a process that may be dead": (
        [lease("a", "east"), lease("b", "west")],
        [member("east"), member("west", living=False)],
        ("a",),
        Moves((), ()),
    ),
    "a table that was handed over": (
        [lease("a", "east"), lease("b", WANTED, left_ms=0)],
        [member("east")],
        ("a",),
        Moves(("b",), ()),
    ),
    "its own leases from before a restart": (
        ALL_EAST,
        [member("east")],
        (),
        Moves(TABLES, ()),
    ),
    "the last one is drained": (
        ALL_EAST,
        [member("east", drained=True)],
        TABLES,
        Moves((), ()),
    ),
    "it is drained": (
        ALL_EAST,
        [member("east", drained=True), member("west")],
        TABLES,
        Moves((), TABLES),
    ),
    "only it has lost the bus": (
        [*ALL_EAST[:3], lease("d", WANTED, left_ms=0)],
        [member("east", bus=LOST), member("west", bus=CONNECTED)],
        ("a", "b", "c"),
        Moves((), ("a", "b", "c")),
    ),
    "all have lost the bus": (
        [*ALL_EAST[:2], lease("c", "west")],
        [member("east", bus=LOST), member("west", bus=LOST)],
        ("a", "b"),
        Moves((), ()),
    ),
    "it has lost the bus a moment ago": (
        [lease("a", "east"), lease("b", "west")],
        [member("east", bus=LOST._replace(for_ms=9999)), member("west", bus=CONNECTED)],
        ("a",),
        Moves((), ()),
    ),
    "the other has found the bus a moment ago": (
        [lease("a", "east"), lease("b", "west")],
        [member("east", bus=LOST), member("west", bus=CONNECTED._replace(for_ms=9999))],
        ("a",),
        Moves((), ()),
    ),
    "only it has lost the bus, and no other runs tables": (
        ALL_EAST,
        [member("east", bus=LOST), member("west", bus=CONNECTED, role="gateway")],
        TABLES,
        Moves((), ()),
    ),
    "a gateway takes none": (
        ALL_EAST,
        [member("east"), member("west", role="gateway")],
        TABLES,
        Moves((), ()),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_moves(name: str) -> None:
    leases, members, running, expected = CASES[name]
    assert moves("east", leases, members, running) == expected


def test_a_process_that_joins_is_given_half() -> None:
    due = moves("east", ALL_EAST, [member("east"), member("west")], TABLES)
    assert due.take == ()
    assert len(due.give) == 2


PAUSES = {
    "all renewed in time": ([lease("a", "west")], [member("west", left_ms=950)], 300),
    "another's lease ends": ([lease("a", "west", left_ms=40)], [], 45),
    "another's lease has ended": ([lease("a", "west", left_ms=0)], [], 300),
    "its own lease ends": ([lease("a", "east", left_ms=40)], [], 300),
    "another member ends": ([], [member("east", left_ms=10), member("west", left_ms=20)], 25),
    "another member has ended": ([], [member("west", living=False)], 300),
}


@pytest.mark.parametrize("name", PAUSES)
def test_the_next_comparison_waits_for_the_end_of_a_lease(name: str) -> None:
    leases, members, expected = PAUSES[name]
    assert pause_ms("east", leases, members, longest_ms=300) == expected


class Process:
    """A floor and its ownership, as a server has them, driven by the test."""

    def __init__(self, place: Place, name: str, *, run: str = "1") -> None:
        self.store = place.open()
        self.floor = Floor(
            self.store, owner=name, times=FloorTimes(lease_ms=LEASE_MS, sweep_ms=None)
        )
        me = NewMember(name=name, home=name, run=run, role="both", version="1")
        self.membership = Membership(self.store, me, ttl_ms=LEASE_MS)
        self.membership._try_to_join()
        self.ownership = Ownership(self.floor, self.membership, lease_ms=LEASE_MS)


@pytest.fixture
async def processes(place: Place) -> AsyncIterator[Callable[[str], Process]]:
    async with AsyncExitStack() as stack:

        def made(name: str, *, run: str = "1") -> Process:
            process = Process(place, name, run=run)
            stack.push_async_callback(process.floor.__aexit__)
            return process

        yield made


async def opened(process: Process) -> None:
    for table in TABLES:
        await process.floor.open_table(OpenTable(table=table, house=ONLINE), by=FLOOR)


async def test_tables_of_a_dead_process_are_taken_up_without_a_visitor(
    place: Place, processes: Callable[[str], Process]
) -> None:
    east = processes("east")
    await opened(east)
    west = processes("west")
    place.clock.ms += LEASE_MS
    west.membership._try_to_join()
    await west.ownership.step()
    assert set(west.floor.running) == set(TABLES)
    # The dead one wakes up: it learns that it has lost them, and does not get them back.
    await east.floor.renew_leases()
    assert dict(east.floor.running) == {}


async def test_a_table_is_taken_up_as_soon_as_the_lease_of_a_dead_process_is_over(
    place: Place, processes: Callable[[str], Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(processes("east"))
    west = processes("west")
    place.clock.ms += LEASE_MS - 1
    west.membership._try_to_join()
    await west.ownership.step()
    assert not west.floor.running
    place.clock.ms += 1
    monkeypatch.setattr(module, "STEP_MS_MAX", 10**9)
    monkeypatch.setattr(west.ownership, "_lease_ms", 10**9)
    task = asyncio.create_task(west.ownership.run())
    try:
        await until(lambda: set(west.floor.running) == set(TABLES))
    finally:
        task.cancel()


async def test_a_restarted_process_takes_its_own_tables_at_once(
    processes: Callable[..., Process],
) -> None:
    await opened(processes("east"))
    again = processes("east", run="2")
    await again.ownership.step()
    assert set(again.floor.running) == set(TABLES)


async def test_a_process_that_lost_its_name_takes_none(processes: Callable[..., Process]) -> None:
    east = processes("east")
    await opened(east)
    processes("east", run="2")
    assert not east.store.renew_member(east.membership.member, ttl_ms=LEASE_MS)
    other = replace(east.membership.member, home="another", run="3")
    east.membership.member = other
    await east.membership.renew()
    assert not east.membership.active


async def test_a_table_moves_between_rounds_or_after_a_while(
    processes: Callable[[str], Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    east = processes("east")
    await opened(east)
    west = processes("west")
    east.floor.cashier.deposit("ann", 400_000, id="1")
    for table in TABLES:
        for command in (TakeSeat(1), BuyIn(1, 100_000), ANTE, CloseBets()):
            assert (await east.floor.ask(table, request(command, "ann"))).accepted
    await east.ownership.step()
    assert len(east.floor.running) == 4, "rounds are in progress"
    monkeypatch.setattr(module, "PATIENCE_MS", 0)
    await east.ownership.step()
    assert len(east.floor.running) == 2
    await west.ownership.step()
    moved = set(west.floor.running)
    assert moved == set(TABLES) - set(east.floor.running)
    for table in moved:
        state = west.floor.running[table].worker.table.playing
        assert state is not None, "the hand goes on"
        assert len(state.hands[spot_of("1.1")].cards) == 2


def _is_cut_off(process: Process) -> bool:
    return process.ownership.cut_off


async def test_a_process_that_alone_has_lost_the_bus_gives_up_its_hands(
    processes: Callable[[str], Process],
) -> None:
    east = processes("east")
    await opened(east)
    west = processes("west")
    east.floor.cashier.deposit("ann", 400_000, id="1")
    for command in (TakeSeat(1), BuyIn(1, 100_000), ANTE, CloseBets()):
        assert (await east.floor.ask("a", request(command, "ann"))).accepted
    east.membership.bus, west.membership.bus = lambda: LOST, lambda: CONNECTED
    for process in (east, west):
        await process.membership.renew()
    await east.ownership.step()
    assert _is_cut_off(east)
    assert not east.floor.running, "the hand in play goes on elsewhere, without waiting for its end"
    await east.ownership.step()
    assert not east.floor.running, "it takes none"
    await west.ownership.step()
    assert set(west.floor.running) == set(TABLES)
    assert west.floor.running["a"].worker.table.playing is not None
    # When the bus is back, it takes its share.
    east.membership.bus = lambda: CONNECTED
    await east.membership.renew()
    await west.ownership.step()
    await east.ownership.step()
    assert not _is_cut_off(east)
    assert east.floor.running


async def test_processes_without_a_bus_are_told_about(
    processes: Callable[[str], Process], caplog: pytest.LogCaptureFixture
) -> None:
    east, west = processes("east"), processes("west")
    for process in (east, west):
        process.membership.bus = lambda: NO_BUS
        await process.membership.renew()
    for _ in range(2):
        await east.ownership.step()
    assert east.ownership.apart == ("east", "west")
    assert caplog.text.count("share this database: east, west") == 1
    west.store.leave(west.membership.member)
    await east.ownership.step()
    assert not east.ownership.apart


async def test_abandoned_tables_are_told_after_a_while(
    place: Place, processes: Callable[[str], Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    east = processes("east")
    await opened(east)
    watcher = processes("west")
    watcher.membership.active = False
    place.clock.ms += LEASE_MS
    await watcher.ownership.step()
    assert not watcher.ownership.abandoned
    monkeypatch.setattr(watcher.ownership, "_lease_ms", -1)
    assert list(watcher.ownership.abandoned) == list(TABLES)


async def test_a_table_at_rest_needs_no_process(processes: Callable[[str], Process]) -> None:
    east = processes("east")
    await opened(east)
    await east.floor._put_down("a", east.floor.running["a"])
    await east.ownership.step()
    assert set(east.floor.running) == {"b", "c", "d"}
    assert east.ownership.is_resting("a")
    assert not east.ownership.is_resting("b")
    # A gateway that needs it asks for it.
    east.store.want_owner(table_stream("a"))
    await east.ownership.step()
    assert set(east.floor.running) == set(TABLES)


async def test_a_table_that_its_process_cannot_read_is_taken_up_by_another(
    place: Place, processes: Callable[..., Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in an upgrade: the record has an event that the older of two versions does not know."""
    await opened(processes("first"))
    old, new = processes("old"), processes("new")
    place.clock.ms += LEASE_MS
    for process in (old, new):
        process.membership._try_to_join()

    def unreadable(*_: object, **__: object) -> None:
        raise CodecError("There is no event called seat_sold.")

    with monkeypatch.context() as patched:
        patched.setattr(TableWorker, "start", unreadable)
        await old.ownership.step()
    assert dict(old.floor.running) == {}
    assert set(old.floor.stopped.values()) == {UNREADABLE}
    await new.ownership.step()
    assert len(new.floor.running) == 2, "its own share"
    monkeypatch.setattr(new.ownership, "_lease_ms", -1)
    await new.ownership.step()
    assert set(new.floor.running) == set(TABLES)
    # They are more than its share, but the older process would not take them.
    for _ in range(2):
        await new.ownership.step()
        await old.ownership.step()
    assert set(new.floor.running) == set(TABLES)
    assert old.floor.stopped == {}, "another process runs them"
    # The older one is restarted with the new version.
    await old.floor.__aexit__()
    upgraded = processes("old", run="2")
    await new.ownership.step()
    assert len(new.floor.running) == 2
    await upgraded.ownership.step()
    assert len(upgraded.floor.running) == 2


async def test_a_table_leaves_an_older_process_when_its_link_has_an_event_of_a_newer_one(
    place: Place, processes: Callable[[str], Process], caplog: pytest.LogCaptureFixture
) -> None:
    """As in an upgrade: another table of the same link runs in a process of the next version."""
    old = processes("old")
    opening = OpenLink(link="main", contribution=Fraction(1, 4), seed_cents=0)
    old.floor.worker_services.links.command("main", opening)
    house = load_house("washington")
    for name in ("a", "b"):
        linked = OpenTable(table=name, house=house, link="main" if name == "a" else None)
        await old.floor.open_table(linked, by=FLOOR)
    write_newer_event(old.store, link_stream("main"), "link_paused")
    await old.floor.refresh_links()
    await old.floor.refresh_links()
    assert caplog.text.count("the link main cannot be read: Event 3 of link/main: link_paused") == 1
    await old.ownership.step()
    assert set(old.floor.running) == {"b"}, "the table without the link stays"
    assert "table a needs an event that only a newer Openfelt can read" in caplog.text
    # It does not come back to a process that cannot count it.
    with pytest.raises(Refusal, match=UNREADABLE):
        await old.floor.mailbox("a")
    assert "table a cannot be taken up: Event 3 of link/main: link_paused has version 9" in (
        caplog.text
    )
    (lease,) = [lease for lease in old.store.held_leases("table/") if name_of(lease.stream) == "a"]
    assert lease.owner == WANTED
    # Screens of a process that cannot read the link show the table without its meter.
    assert processes("gateway").floor.worker_services.links.meter_cents("main") is None


async def test_a_table_that_meets_a_newer_event_stops_and_is_left_to_another_process(
    place: Place, processes: Callable[[str], Process], caplog: pytest.LogCaptureFixture
) -> None:
    """A command needs what a newer process wrote a moment ago: it is refused, and nothing else."""
    old = processes("old")
    opening = OpenLink(link="main", contribution=Fraction(1, 4), seed_cents=0)
    old.floor.worker_services.links.command("main", opening)
    await old.floor.open_table(OpenTable(table="a", house=load_house("washington")), by=FLOOR)
    write_newer_event(old.store, link_stream("main"), "link_paused")
    old.floor.worker_services.links._links.clear()
    before = old.store.head(table_stream("a")).version
    answer = await old.floor.ask("a", request(ChangeLink("main", "the jackpot"), FLOOR))
    assert answer.refused == RuntimeCode.STOPPED
    assert answer.sentence == UNREADABLE
    assert old.store.head(table_stream("a")).version == before
    assert "Event 2 of link/main: link_paused has version 9" in caplog.text
    assert "Traceback" not in caplog.text
    await old.ownership.step()
    assert dict(old.floor.running) == {}
    # A table in whose own record such an event stands is not taken up either.
    await old.floor.open_table(OpenTable(table="b", house=ONLINE), by=FLOOR, run=False)
    write_newer_event(old.store, table_stream("b"), "seat_sold")
    with pytest.raises(Refusal, match=UNREADABLE):
        await old.floor.mailbox("b")
    assert "table b cannot be taken up: Event 2 of table/b: There is no event called seat_sold" in (
        caplog.text
    )
    assert old.floor.stopped == {"b": UNREADABLE}


async def test_a_lost_race_for_a_table_is_run_again_at_the_next_step(
    place: Place, processes: Callable[[str], Process]
) -> None:
    await opened(processes("first"))
    east = processes("east")
    place.clock.ms += LEASE_MS
    east.membership._try_to_join()
    stream = table_stream("a")
    faster = east.store.take_lease(stream, "west", ttl_ms=LEASE_MS)
    assert faster is not None
    await east.ownership._take(["a"])
    assert "a" not in east.floor.running
    east.store.release_lease(faster, wanted=True)
    await east.ownership.step()
    assert "a" in east.floor.running
