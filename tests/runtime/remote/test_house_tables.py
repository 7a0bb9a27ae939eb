"""Tables of several processes: run by one, played and watched through another."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openfelt.catalog import load_house
from openfelt.rules import CloseBets, SetWagers
from openfelt.rules.refusal import Refusal
from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import Bus, NoAnswer
from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.runtime.remote import house_tables
from openfelt.runtime.remote.request_forms import request_text
from openfelt.runtime.remote.table_fold import TableFold
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.recovery import rebuilds
from openfelt.runtime.tables.stops import UNREADABLE, StopReason
from openfelt.runtime.tables.sweeper import Expired
from openfelt.runtime.tables.watchers import Change
from openfelt.storage.addresses import open_store
from openfelt.storage.cluster.cluster_door import WANTED
from openfelt.storage.door import Store, Unavailable
from openfelt.table.commands import ChangeRules, LeaveSeat, OpenTable, TakeSeat
from tests.kit.cases import with_variants
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import request, until
from tests.kit.lossy_bus import LossyBus
from tests.kit.own_houses import own_house
from tests.kit.shared_floors import (
    CENTS,
    HOUSES,
    FloorProcess,
    floor_process,
    open_table,
    play_rounds,
    seat_players,
)
from tests.kit.storage.newer_events import write_newer_event
from tests.kit.tables import FLOOR


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(str(tmp_path / "felt.db"))


@pytest.fixture
async def bus() -> AsyncIterator[Bus]:
    made = LocalBus()
    yield made
    await made.close()


@pytest.fixture
async def owner(store: Store, bus: Bus) -> AsyncIterator[FloorProcess]:
    async with floor_process(store, bus, "owner") as process:
        yield process


@pytest.fixture
async def gateway(store: Store, bus: Bus, owner: FloorProcess) -> AsyncIterator[FloorProcess]:
    async with floor_process(store, bus, "gateway", runs_tables=False) as process:
        yield process


async def test_a_table_of_another_process_is_played_and_watched(
    owner: FloorProcess, gateway: FloorProcess
) -> None:
    await open_table(gateway, "one")
    followed = await gateway.followed("one")
    changes: list[Change] = []
    followed.watch(changes.append)
    begun = followed.version
    await seat_players(gateway, "one", "ann")
    assert not gateway.floor.running
    assert owner.floor.running["one"].table == followed.table
    assert followed.table.seats[1].credit_cents == CENTS
    # Every change is told before its answer, and none is told twice or left out.
    assert [change.version for change in changes] == sorted({c.version for c in changes})
    assert sum(len(change.events) for change in changes) == followed.version - begun
    again = await gateway.tables.ask("one", request(TakeSeat(9), "bob"))
    assert again.refused == "no_such_seat"
    assert again.version == followed.version


@pytest.mark.parametrize("house", with_variants(list(HOUSES), plain=3))
async def test_a_follower_is_the_owner_after_random_rounds_over_a_lossy_bus(
    store: Store, house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_tables, "AGAIN_MS", 0)
    bus = LossyBus(seed=len(house))
    async with (
        floor_process(store, bus, "owner") as owner,
        floor_process(store, bus, "gateway", runs_tables=False) as gateway,
    ):
        await open_table(owner, "one", house, here=True)
        await seat_players(gateway, "one", "ann", *(["bob"] if house != "online" else []))
        await play_rounds(gateway, "one", rounds=3, seed=5)
        followed = await gateway.followed("one")
        await gateway.tables.look()
        mailbox = owner.floor.running["one"]
        await until(lambda: followed.version == mailbox.version)
        assert followed.table == mailbox.table
        assert followed.table.rounds >= 3
    await bus.close()
    # A card in a message would stand there as in JSON. Commands of a dealer have cards, and are
    # sealed by the bus that carries them.
    assert house in {"washington", "california"} or not any(
        '"As"' in body or '"Kd"' in body for body in bus.sent
    )


async def test_a_table_goes_on_for_its_watchers_when_another_process_takes_it_over(
    store: Store, bus: Bus
) -> None:
    async with floor_process(store, bus, "gateway", runs_tables=False) as gateway:
        async with floor_process(store, bus, "first") as first:
            await open_table(gateway, "one")
            await seat_players(gateway, "one", "ann")
            followed = await gateway.followed("one")
            assert "one" in first.floor.running
        changes: list[Change] = []
        followed.watch(changes.append)
        async with floor_process(store, bus, "second") as second:
            await gateway.do("one", LeaveSeat(1), "ann")
            assert "one" in second.floor.running
            assert await gateway.followed("one") is followed
            assert followed.table == second.floor.running["one"].table
    assert changes


async def test_a_process_keeps_its_watchers_when_it_takes_a_table_up_and_hands_it_over(
    store: Store, bus: Bus
) -> None:
    async with floor_process(store, bus, "both") as both:
        async with floor_process(store, bus, "first") as first:
            await open_table(first, "one", here=True)
            followed = await both.followed("one")
            changes: list[Change] = []
            followed.watch(changes.append)
            begun = followed.version
            await seat_players(both, "one", "ann")
            assert not both.floor.running
        mailbox = await both.floor.mailbox("one")
        assert followed.local is mailbox
        await both.do("one", LeaveSeat(1), "ann")
        assert followed.table == both.floor.running["one"].table
        assert await both.followed("one") is followed
        await both.floor.rest()
        assert sum(len(change.events) for change in changes) == followed.version - begun


async def test_what_a_follower_lacks_is_told_until_it_is_read(
    owner: FloorProcess, gateway: FloorProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(owner, "one", here=True)
    followed = await gateway.followed("one")
    await until(lambda: gateway.tables.lag_ms == 0)

    def away(*_: object) -> None:
        raise Unavailable("The store is away.")

    monkeypatch.setattr("openfelt.runtime.remote.followed_table.RETRY_MS", 1)
    with monkeypatch.context() as patched:
        patched.setattr(TableFold, "read_on", away)
        await owner.floor.ask("one", request(TakeSeat(1), "ann"))
        await until(lambda: gateway.tables.lag_ms > 20)
    await until(lambda: gateway.tables.lag_ms == 0)
    assert followed.version == owner.floor.running["one"].version


async def test_what_a_lost_message_told_is_read_at_the_next_look(
    store: Store, owner: FloorProcess, gateway: FloorProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(owner, "one", here=True)
    followed = await gateway.followed("one")
    await until(lambda: followed.version == owner.floor.running["one"].version)
    monkeypatch.setattr(followed, "hear", lambda _: None)
    owner.floor.cashier.deposit("ann", CENTS, id="first")
    with monkeypatch.context() as patched:
        # A look of the gateway's own, every few seconds, does not come in between.
        patched.setattr(followed, "want", lambda _: None)
        answer = await owner.tables.ask("one", request(TakeSeat(1), "ann"))
        assert followed.version < answer.version
    await gateway.tables.look()
    await until(lambda: followed.version == answer.version)
    assert followed.table.seats[1].player == "ann"


async def test_a_process_that_has_lost_its_lease_says_nothing(
    store: Store, bus: Bus, owner: FloorProcess, gateway: FloorProcess
) -> None:
    await open_table(owner, "one")
    mailbox = await owner.floor.mailbox("one")
    followed = await gateway.followed("one")
    # Another process takes the lease, as after a pause that was longer than it.
    lease = mailbox.worker.lease
    assert lease is not None
    store.release_lease(lease)
    assert store.take_lease(table_stream("one"), "other", ttl_ms=60_000) is not None
    asked = request(TakeSeat(1), "ann")
    text = request_text(gateway.floor.worker_services.rulebook, asked)
    with pytest.raises(NoAnswer):
        await bus.request(subjects.commands("one"), text, timeout_ms=300)
    await until(lambda: mailbox.lost)
    assert followed.table.seats == {}
    # Nor of what it would have refused without writing.
    again = request_text(gateway.floor.worker_services.rulebook, request(LeaveSeat(1), "ann"))
    with pytest.raises(NoAnswer):
        await bus.request(subjects.commands("one"), again, timeout_ms=300)


async def test_a_full_mailbox_that_has_lost_its_lease_does_not_refuse(
    store: Store, bus: Bus, owner: FloorProcess
) -> None:
    await open_table(owner, "one")
    mailbox = await owner.floor.mailbox("one")
    mailbox._waiting_max = 0
    text = request_text(owner.floor.worker_services.rulebook, request(TakeSeat(1), "ann"))
    busy = await bus.request(subjects.commands("one"), text, timeout_ms=30_000)
    assert "busy" in busy
    lease = mailbox.worker.lease
    assert lease is not None
    store.release_lease(lease)
    assert store.take_lease(table_stream("one"), "other", ttl_ms=60_000) is not None
    with pytest.raises(NoAnswer):
        await bus.request(subjects.commands("one"), text, timeout_ms=300)


@pytest.mark.parametrize("stopped", [True, False], ids=["stopped", "repeated refusal"])
async def test_what_needs_no_writing_is_not_answered_without_the_lease(
    store: Store, bus: Bus, owner: FloorProcess, stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(owner, "one")
    mailbox = await owner.floor.mailbox("one")
    if stopped:
        mailbox.worker.stopped = StopReason(RuntimeCode.STOPPED, UNREADABLE)
        monkeypatch.setattr(mailbox.worker, "try_again", lambda: False)
    text = request_text(owner.floor.worker_services.rulebook, request(TakeSeat(9), "ann"))
    refused = await bus.request(subjects.commands("one"), text, timeout_ms=30_000)
    assert ("stopped" if stopped else "no_such_seat") in refused
    lease = mailbox.worker.lease
    assert lease is not None
    store.release_lease(lease)
    assert store.take_lease(table_stream("one"), "other", ttl_ms=60_000) is not None
    with pytest.raises(NoAnswer):
        await bus.request(subjects.commands("one"), text, timeout_ms=300)


async def test_a_record_that_cannot_be_followed_is_logged_once_and_without_its_cards(
    owner: FloorProcess,
    gateway: FloorProcess,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(*_: object) -> None:
        failures.append("As")
        raise ValueError("the card As is not in the deck")

    failures: list[str] = []
    await open_table(owner, "one", here=True)
    followed = await gateway.followed("one")
    monkeypatch.setattr("openfelt.runtime.remote.followed_table.RETRY_MS", 1)
    monkeypatch.setattr("openfelt.runtime.remote.table_fold.fold", fails)
    await owner.floor.ask("one", request(TakeSeat(1), "ann"))
    await until(lambda: len(failures) > 2)
    assert followed.stopped is not None
    assert caplog.text.count("table one cannot be followed") == 1
    assert "ValueError" in caplog.text
    assert "the card As" not in caplog.text


async def test_an_older_gateway_stands_still_before_an_event_of_a_newer_version(
    owner: FloorProcess,
    gateway: FloorProcess,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await open_table(owner, "one", here=True)
    await open_table(owner, "two", here=True)
    followed = await gateway.followed("one")
    before = followed.version
    monkeypatch.setattr("openfelt.runtime.remote.followed_table.RETRY_MS", 1)
    version = write_newer_event(store, table_stream("one"), "seat_taken")
    followed.want(version)
    await until(lambda: followed.stopped is not None)
    await until(lambda: gateway.tables.lag_ms > 0)
    assert followed.stopped == StopReason(RuntimeCode.STOPPED, UNREADABLE)
    assert followed.version == before, "nothing beyond the event is told"
    await asyncio.sleep(0.05)
    told = f"table one cannot be followed: Event {version} of table/one: seat_taken has version 9"
    assert caplog.text.count(told) == 1
    # Other tables go on at this gateway.
    await gateway.do("two", TakeSeat(1), "ann")


async def test_without_an_answer_it_is_unknown_whether_a_command_was_carried_out(
    gateway: FloorProcess, owner: FloorProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(gateway, "one")
    await gateway.followed("one")
    monkeypatch.setattr(house_tables, "ASK_MS", 50)
    monkeypatch.setattr(gateway.tables, "send", _never)
    answer = await gateway.tables.ask("one", request(TakeSeat(1), "ann"))
    assert answer.refused == RuntimeCode.STOPPED


async def _never(*_: object) -> object:
    from openfelt.runtime.requests import Answer

    return Answer(version=0, refused=RuntimeCode.STOPPED.value, sentence="")


async def test_new_rules_travel_whole(gateway: FloorProcess, owner: FloorProcess) -> None:
    await open_table(gateway, "one")
    changed = own_house("online", {"wagers.ante.max_cents": 77_700})
    await gateway.do("one", ChangeRules(changed), FLOOR)
    followed = await gateway.followed("one")
    await until(lambda: followed.table == owner.floor.running["one"].table)


async def test_a_long_record_without_a_snapshot_is_followed_while_its_table_runs(
    gateway: FloorProcess, owner: FloorProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(owner, "one", here=True)
    await seat_players(owner, "one", "ann")
    mailbox, lease = owner.floor.running["one"], owner.floor.running["one"].worker.lease
    monkeypatch.setattr(rebuilds, "REPLAYED_AT_ONCE_MAX", 1)
    for process in (gateway, owner):
        await process.tables._drop("one")
        assert (await process.followed("one")).version == mailbox.version
        assert not process.floor.rebuilds.tables
    await gateway.do("one", LeaveSeat(1), "ann")
    assert (owner.floor.running["one"], mailbox.worker.lease) == (mailbox, lease)


async def test_a_gateway_has_a_resting_table_rebuilt_by_a_process_that_runs_tables(
    gateway: FloorProcess, owner: FloorProcess, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(owner, "one", here=True)
    await seat_players(owner, "one", "ann")
    await owner.floor._put_down("one", owner.floor.running["one"])
    assert store.held_leases(table_stream("one")) == ()
    monkeypatch.setattr(rebuilds, "REPLAYED_AT_ONCE_MAX", 1)
    assert not await gateway.floor.ready("one")
    assert not gateway.floor.rebuilds.tables
    assert [lease.owner for lease in store.held_leases(table_stream("one"))] == [WANTED]


@pytest.mark.clause("O.unfinished")
async def test_a_gateway_has_old_rounds_refunded_by_the_process_that_runs_them(
    gateway: FloorProcess, owner: FloorProcess, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(owner, "one", here=True)
    await seat_players(gateway, "one", "ann")
    for command in (SetWagers(spot_of("1.1"), wagers_of("ante 10")), CloseBets()):
        await gateway.do("one", command, "ann")
    expired = Expired("one", owner.floor.running["one"].table.rounds, 31)
    monkeypatch.setattr(gateway.floor._sweeper, "due", lambda **_: [expired])
    await gateway.floor.sweep(ask=gateway.tables.ask)
    assert "round_voided" in [stored.name for stored in store.events(table_stream("one"))]


async def test_a_table_that_is_not_there_is_refused(gateway: FloorProcess) -> None:
    with pytest.raises(Refusal, match="no table"):
        await gateway.tables.access("nowhere")
    answer = await gateway.tables.ask("nowhere", request(TakeSeat(1), "ann"))
    assert answer.refused == "no_such_table"
    command = OpenTable(table="one", house=load_house("online"))
    await gateway.tables.open_table(command, by=FLOOR)
    with pytest.raises(Refusal, match="exists"):
        await gateway.tables.open_table(command, by=FLOOR)


async def test_a_table_whose_process_is_silent_stands_still_for_its_watchers(
    store: Store, bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.runtime.remote.followed_table.SILENT_MS", 50)
    async with floor_process(store, bus, "gateway", runs_tables=False) as gateway:
        async with floor_process(store, bus, "first") as first:
            await open_table(first, "one", here=True)
            followed = await gateway.followed("one")
        await until(lambda: followed.stopped is not None)
        assert followed.stopped is not None
        assert followed.stopped.code is RuntimeCode.MOVED
        async with floor_process(store, bus, "second") as second:
            monkeypatch.setattr("openfelt.runtime.remote.followed_table.SILENT_MS", 60_000)
            await second.floor.mailbox("one")
            await until(lambda: followed.stopped is None)
            await asyncio.sleep(0)
