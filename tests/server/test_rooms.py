"""Rooms: who is sent what, and who is let go."""

import asyncio
from pathlib import Path

import msgspec

from openfelt.rules.house import DealerMode
from openfelt.server.messages import SetWagers, TakeSeat, WagerAsked
from openfelt.server.rooms import QUEUE_MAX, Place
from openfelt.server.viewer import Viewer
from openfelt.table.commands import Person, Role
from tests.server.halls import Hall, hall


def drained(place: Place) -> list[bytes | None]:
    """What is on its way to a place."""
    found = []
    while not place.queue.empty():
        found.append(place.queue.get_nowait())
    return found


def test_a_viewer_who_takes_nothing_is_let_go_and_nobody_waits() -> None:
    async def run() -> None:
        place = Place(None)
        for number in range(QUEUE_MAX):
            place.send(str(number).encode())
        assert place.queue.full()
        place.send(b"one too many")
        place.send(b"and more")
        assert place.too_slow
        assert drained(place) == [None]

    asyncio.run(run())


def test_a_slow_viewer_does_not_keep_the_table(tmp_path: Path) -> None:
    async def story(here: Hall) -> None:
        await here.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
        room = await here.rooms.room("hall-1")
        slow = await room.enter(Viewer(Person(Role.PLAYER, "slow")), seen=None)
        async with here.terminal("hall-1", "ann") as ann:
            await ann.sit(buy_in_cents=50_000)
            for number in range(QUEUE_MAX):
                cents = 1000 + 100 * (number % 2)
                wagers = [WagerAsked(kind="ante", cents=cents)]
                await ann.ask(SetWagers(spot="1.1", wagers=wagers))
            assert slow.too_slow
            await ann.bet()

    async def run() -> None:
        async with asyncio.timeout(60), hall(tmp_path) as here:
            await story(here)

    asyncio.run(run())


def test_who_comes_back_gets_what_was_missed_and_the_own_view_whole(tmp_path: Path) -> None:
    async def story(here: Hall) -> None:
        await here.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
        async with here.terminal("hall-1", "ann") as ann:
            room = await here.rooms.room("hall-1")
            seen = room.version
            await ann.ask(TakeSeat())
            bob = Viewer(Person(Role.PLAYER, "bob"))
            missed = drained(await room.enter(bob, seen=seen))
            back = [msgspec.json.decode(one) for one in missed if one]
            assert [one["type"] for one in back] == ["public_change", "private_change"]
            assert back[0]["patch"] == {"seats_taken": [1]}
            assert back[1]["whole"] is True
            for unknown in (None, 0, room.version + 1):
                (first,) = drained(await room.enter(bob, seen=unknown))
                assert first is not None
                assert msgspec.json.decode(first)["type"] == "welcome"

    async def run() -> None:
        async with asyncio.timeout(60), hall(tmp_path) as here:
            await story(here)

    asyncio.run(run())
