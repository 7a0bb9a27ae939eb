"""Tables whose record is long and has no snapshot: rebuilt in the background, on both stores."""

import asyncio
from pathlib import Path

import pytest

from openfelt.rules.refusal import Refusal
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.recovery import rebuilds, snapshots
from openfelt.runtime.tables.recovery.recovery import recover
from openfelt.storage.cluster.cluster_door import WANTED
from tests.kit.audit import audited_floors
from tests.kit.storage.store_places import Place

pytestmark = pytest.mark.anyio


@pytest.fixture
def played(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A table with a long record and one with a short one; a snapshot of neither is left."""
    monkeypatch.setattr(rebuilds, "REPLAYED_AT_ONCE_MAX", 60)
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 40)
    floor = audited_floors.Floor(tmp_path / "unused.db", store=place.open())
    floor.open("long-1", "online")
    floor.open("short-1", "online")
    floor.play("long-1", 10)
    floor.play("short-1")
    place.run("DELETE FROM snapshots")
    return place


async def test_other_tables_run_while_one_is_rebuilt(played: Place) -> None:
    store = played.open()
    async with Floor(store, owner="new") as floor:
        begin = asyncio.Event()
        write_snapshot = floor.rebuilds.write_snapshot
        loop = asyncio.get_running_loop()

        def slowly(table: str) -> None:
            asyncio.run_coroutine_threadsafe(begin.wait(), loop).result()
            write_snapshot(table)

        floor.rebuilds.write_snapshot = slowly  # type: ignore[method-assign]
        with pytest.raises(Refusal) as refused:
            await floor.mailbox("long-1")
        assert refused.value.code is RuntimeCode.STOPPED
        assert floor.rebuilds.tables == {"long-1"}
        assert (await floor.mailbox("short-1")).worker.table.rounds == 1
        begin.set()
        async with asyncio.timeout(60):
            while "long-1" not in floor.running:  # noqa: ASYNC110 (a floor has no bell)
                await asyncio.sleep(0.02)
        mailbox = await floor.mailbox("long-1")
        assert mailbox.worker.table.rounds == 10
    snapshot = store.snapshot("table/long-1")
    assert snapshot is not None
    recovered = recover(store, floor.worker_services.codec, "long-1")
    assert recovered is not None
    assert recovered.snapshot_version == snapshot.version
    # The audit compares the time of a snapshot with that of its event.
    (event,) = store.events("table/long-1", after=snapshot.version - 1, up_to=snapshot.version)
    assert snapshot.at_ms == event.at_ms


async def test_a_rebuilt_table_is_not_rebuilt_again(played: Place) -> None:
    async with Floor(played.open(), owner="first") as floor:
        floor.rebuilds.write_snapshot("long-1")
        assert not floor.rebuilds.needed("long-1")
        assert (await floor.mailbox("long-1")).worker.table.rounds == 10


async def test_closing_does_not_wait_for_other_tables(played: Place) -> None:
    async with Floor(played.open(), owner="first") as floor:
        with pytest.raises(Refusal):
            await floor.mailbox("long-1")
    assert floor.rebuilds.tables == frozenset()


async def test_a_rebuilt_table_whose_process_has_died_is_still_found(played: Place) -> None:
    store = played.open()
    for wanted in (False, True):
        if wanted:
            store.want_owner(table_stream("long-1"))
        async with Floor(store, owner="first") as floor:
            floor.rebuilds.write_snapshot("long-1")
        held = [lease.owner for lease in store.held_leases(table_stream("long-1"))]
        assert held == ([WANTED] if wanted else [])
