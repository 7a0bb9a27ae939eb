"""Who has a terminal at another process, and for how long that is believed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from openfelt.catalog import load_house
from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.runtime.remote.house_tables import SharedTables
from openfelt.runtime.tables.floor import Floor
from openfelt.server.cluster.presence import GONE_MS, Attendance, Presence
from openfelt.server.tables.absence_rules import ABSENT_MS, SEAT_MS
from openfelt.server.tables.absentees import Absentees
from openfelt.storage.addresses import open_store
from openfelt.table.commands import OpenTable, TakeSeat
from tests.kit.floors import StandingClock, request, until
from tests.kit.tables import FLOOR


class _House:
    """A process that runs tables, and the words of a gateway."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.bus = StandingClock(), LocalBus()
        self.floor = Floor(open_store(str(folder / "felt.db")), owner="owner", clock=self.clock)
        self.absentees = Absentees(self.floor, shared=True)
        tables = SharedTables(self.floor, self.bus, process="owner", takes=None)
        self.presence = Presence(self.bus, tables, self.absentees)

    async def tell(self, table: str, *people: str) -> None:
        """The gateway tells who is at a table."""
        told = Attendance("gateway", table, list(people))
        await self.bus.publish(subjects.PRESENCE, msgspec.json.encode(told).decode())
        await asyncio.sleep(0)

    def pass_ms(self, ms: int, *, cut_off: bool = False) -> None:
        """Let time pass, and look at who is silent as often as the server does."""
        self.bus.connected = not cut_off
        for _ in range(ms // 1000):
            self.clock.pass_ms(1000)
            self.bus.lost_ms += 1000 if cut_off else 0
            self.presence.forget_silent()
        self.bus.connected = True

    @property
    def absent(self) -> set[str]:
        """Who is absent at the first table."""
        return set(self.absentees.absent("one"))

    async def look(self) -> None:
        """Have the absences looked at that are due."""
        due = self.absentees._due()
        self.absentees._begin(due)
        await until(lambda: not self.absentees._acting)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[_House]:
    house = _House(tmp_path)
    async with house.floor:
        listening = asyncio.create_task(house.presence.run())
        await asyncio.sleep(0)
        for table, player in (("one", "ann"), ("two", "bob")):
            await house.floor.open_table(
                OpenTable(table=table, house=load_house("online")), by=FLOOR
            )
            assert (await house.floor.ask(table, request(TakeSeat(1), player))).accepted
            await house.tell(table, player)
        yield house
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listening
    await house.bus.close()


async def test_a_table_of_which_a_gateway_says_nothing_more_has_no_terminals_there(
    house: _House,
) -> None:
    # Its last word, that ann has gone, is lost; of the other table it goes on to tell.
    for _ in range((GONE_MS + ABSENT_MS) // 4000 + 2):
        house.pass_ms(4000)
        await house.tell("two", "bob")
    assert house.absent == {"ann"}
    assert not house.absentees.absent("two")
    await house.tell("one", "ann")
    assert not house.absent


async def test_nobody_becomes_absent_while_the_bus_is_lost(house: _House) -> None:
    house.pass_ms(10_000)
    house.pass_ms(2 * SEAT_MS, cut_off=True)
    await house.look()
    house.pass_ms(GONE_MS - 1000)
    await house.tell("one", "ann")
    house.pass_ms(10_000)
    await house.look()
    assert not house.absent
    assert house.floor.running["one"].table.seats


async def test_who_went_before_the_bus_was_lost_may_have_come_back_elsewhere(
    house: _House,
) -> None:
    await house.tell("one")
    house.pass_ms(ABSENT_MS)
    assert house.absent == {"ann"}
    house.pass_ms(SEAT_MS, cut_off=True)
    assert not house.absent
    await house.look()
    assert house.floor.running["one"].table.seats
    # When all gateways have told again and ann is with none of them, the seat is free.
    house.pass_ms(GONE_MS + 1000)
    await house.look()
    assert not house.floor.running["one"].table.seats
