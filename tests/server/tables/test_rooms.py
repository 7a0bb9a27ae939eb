"""Rooms: who is sent what, and who is let go."""

import asyncio

import msgspec
import pytest

from openfelt.protocol.messages import SetWagers, TakeSeat, WagerAsked
from openfelt.rules import Refusal
from openfelt.rules.house import DealerMode
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.tables import rooms
from openfelt.server.tables.rooms import QUEUE_MAX, Place
from openfelt.table.commands import Person, Role
from tests.kit.server.halls import Hall


def drained(place: Place) -> list[str]:
    """What is on its way to a place."""
    found = []
    while not place.queue.empty():
        found.append(place.queue.get_nowait())
    return found


def test_a_viewer_who_takes_nothing_is_let_go_and_nobody_waits() -> None:
    place = Place(None)
    for number in range(QUEUE_MAX):
        place.send(str(number))
    assert place.queue.full()
    place.send("one too many")
    place.send("and more")
    assert place.gone.is_set()
    assert drained(place) == []


async def test_a_slow_viewer_does_not_keep_the_table(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    room = await hall.rooms.room("hall-1")
    slow = await room.enter(Viewer(Person(Role.PLAYER, "slow")), seen=None)
    async with hall.terminal("hall-1", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
        for number in range(QUEUE_MAX):
            cents = 1000 + 100 * (number % 2)
            wagers = [WagerAsked(kind="ante", cents=cents)]
            await ann.ask(SetWagers(spot="1.1", wagers=wagers))
        assert slow.gone.is_set()
        await ann.bet()


async def test_who_comes_back_gets_what_was_missed_and_the_own_view_whole(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann:
        room = await hall.rooms.room("hall-1")
        seen = room.version
        await ann.ask(TakeSeat())
        bob = Viewer(Person(Role.PLAYER, "bob"))
        missed = drained(await room.enter(bob, seen=seen))
        back = [msgspec.json.decode(one) for one in missed if one]
        assert [one["type"] for one in back] == [
            "public_change",
            "public_change",
            "private_change",
        ]
        assert back[0]["patch"] == {"players": 1}
        assert (back[1]["patch"], back[1]["version"]) == ({}, room.version)
        assert back[2]["whole"] is True
        for unknown in (None, 0, room.version + 1):
            (first,) = drained(await room.enter(bob, seen=unknown))
            assert first is not None
            assert msgspec.json.decode(first)["type"] == "welcome"


@pytest.fixture
def slow_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is published but what must be at once."""
    monkeypatch.setattr(rooms, "PACE_SECONDS", 3600)
    monkeypatch.setattr(rooms, "REFRESH_SECONDS", 3600)


def kinds(messages: list[str]) -> list[str]:
    return [msgspec.json.decode(one)["type"] for one in messages if one]


@pytest.mark.usefixtures("slow_news")
async def test_bets_in_a_hall_gather_for_the_others_and_reach_their_player_at_once(
    hall: Hall,
) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    room = await hall.rooms.room("hall-1")
    watching = Viewer(Person(Role.PLAYER, "cat"))
    async with hall.terminal("hall-1", "ann") as ann, hall.terminal("hall-1", "bob") as bob:
        await ann.sit(buy_in_cents=50_000)
        await bob.sit(buy_in_cents=50_000)
        await ann.bet(ante=1000)
        cat = await room.enter(watching, seen=None)
        room.refresh()
        drained(cat)
        before = ann.private.credit_cents
        version = await ann.bet(ante=1500)
        await ann.until(lambda now: now.private.credit_cents == before - 1000)
        assert await bob.bet(ante=1000) > version
        # Nobody else has been told yet, and who comes back now has missed nothing.
        assert drained(cat) == []
        late = await room.enter(watching, seen=room.version)
        assert kinds(drained(late)) == ["public_change", "private_change"]
        room.refresh()
        (news,) = drained(cat)
        assert news is not None
        assert msgspec.json.decode(news)["patch"] == {"round": {"hands_in_play": 2}}
        assert drained(late) == [news]


@pytest.mark.usefixtures("slow_news")
async def test_a_change_of_the_round_brings_what_has_gathered_with_it(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
        await ann.bet(ante=1000)
        await ann.bet(ante=1000, hand=2)
        await ann.deal()
        await ann.until(
            lambda now: (
                now.public.round is not None
                and now.public.round.phase == "playing"
                and now.public.round.hands_in_play == 2
            )
        )


async def test_who_comes_back_is_told_how_much_time_is_left_now(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann:
        room = await hall.rooms.room("hall-1")
        await ann.sit(buy_in_cents=50_000)
        seen = room.version
        await ann.bet(ante=1000)
        await ann.until(lambda now: now.public.clock is not None)
        await asyncio.sleep(0.2)
        back = drained(await room.enter(Viewer(Person(Role.PLAYER, "bob")), seen=seen))
        left = [msgspec.json.decode(one).get("clock_left_ms") for one in back[:-1]]
        assert left[-1] <= left[0] - 200


async def test_rooms_that_were_opened_once_leave_nothing_behind(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    await hall.rooms.room("hall-1")
    for number in range(20):
        with pytest.raises(Refusal):
            await hall.rooms.room(f"made-up-{number}")
    assert not hall.rooms._opening
