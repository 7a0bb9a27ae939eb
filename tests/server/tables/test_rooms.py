"""Rooms: who is sent what, and who is disconnected."""

import asyncio
import contextlib
from random import Random
from typing import Any

import msgspec
import pytest

from openfelt.client import Refused
from openfelt.protocol.merge_patch import Plain, apply_patch
from openfelt.protocol.messages import Check, SetWagers, TakeSeat, WagerAsked
from openfelt.protocol.table_views import PrivateView
from openfelt.rules import Refusal
from openfelt.rules.house import DealerMode
from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.runtime.remote.house_tables import SharedTables
from openfelt.runtime.requests import Request
from openfelt.server.accounts.public_names import UNKNOWN, PublicNames
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.tables import room as room_module
from openfelt.server.tables import rooms
from openfelt.server.tables.room import Room
from openfelt.server.tables.rooms import Rooms
from openfelt.server.tables.subscriptions import QUEUE_MAX, Subscription
from openfelt.server.tables.views import private_view
from openfelt.storage.door import Unavailable
from openfelt.table import commands
from openfelt.table.commands import SYSTEM, EndTime, Person, Role
from openfelt.table.croupier.seed_commands import awaits_seeds
from tests.kit.cases import with_variants
from tests.kit.own_houses import own_house
from tests.kit.server.halls import Hall
from tests.kit.tables import SECONDS

ANN = Person(Role.PLAYER, "ann")
VIRTUAL = {name: own_house(name, {"table.dealer": "either"}) for name in ("stadium", "washington")}


def player(name: str) -> Viewer:
    return Viewer(Person(Role.PLAYER, name))


def drained(subscription: Subscription) -> list[dict[str, Any]]:
    """The messages on their way to a viewer."""
    messages = []
    while not subscription.queue.empty():
        messages.append(msgspec.json.decode(subscription.queue.get_nowait()))
    return messages


NOTHING = PrivateView(
    credit_cents=0,
    wallet_cents=0,
    bet_cents=0,
    win_cents=0,
    net_cents=0,
    collection_cents=0,
    deck_round=1,
    deck_sealed=True,
    seed_revealed=False,
    hands={},
    may=[],
)


def test_a_viewer_who_reads_nothing_is_disconnected() -> None:
    subscription = Subscription(None, NOTHING)
    for number in range(QUEUE_MAX):
        subscription.send(str(number))
    assert subscription.queue.full()
    subscription.send("one too many")
    subscription.send("and more")
    assert subscription.gone.is_set()
    assert drained(subscription) == []


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


async def test_a_change_is_one_message_with_both_parts(hall: Hall) -> None:
    await hall.open("mine", "online", private_to="ann")
    async with hall.terminal("mine", "ann") as ann:
        room = await hall.rooms.room("mine")
        await ann.sit(buy_in_cents=50_000)
        await asyncio.sleep(0.05)
        own, visitor = await room.enter(player("ann"), seen=None), await room.enter(None, seen=None)
        drained(own), drained(visitor)
        version = await ann.bet(ante=1000)
        (change,) = drained(own)
        assert change["version"] >= version
        assert change["public"]["round"]["phase"] == "wagering"
        assert change["private"]["bet_cents"] == 2000
        (public,) = drained(visitor)
        assert public == {key: change[key] for key in change if key != "private"}


async def test_a_player_who_sits_down_has_the_seat_before_the_answer(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann:
        seats: list[int | None] = []
        take = ann._take

        async def noting(message: Any) -> None:
            await take(message)
            seats.append(ann.private.seat)

        ann._take = noting  # type: ignore[method-assign]
        version = await ann.ask(TakeSeat())
        assert ann.private.seat == 1
        assert ann.version >= version
        assert seats[0] == 1


async def test_a_reconnecting_viewer_gets_the_missed_changes_and_the_whole_private_view(
    hall: Hall,
) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann, hall.terminal("hall-1", "bob") as bob:
        room = await hall.rooms.room("hall-1")
        await ann.ask(TakeSeat())
        await bob.until(lambda now: now.public.players == 1)
        seen = room.version
        await ann.leave()
        await bob.until(lambda now: now.public.players == 0)
        missed = drained(await room.enter(player("bob"), seen=seen))
        assert [change["type"] for change in missed] == ["change", "change"]
        # What came with the version that was seen may not have arrived, so it comes again.
        assert [change["public"] for change in missed] == [{"players": 1}, {"players": 0}]
        assert [change["version"] for change in missed] == [seen, room.version]
        assert [change.get("whole", False) for change in missed] == [False, True]
        assert missed[-1]["private"]["name"] == "bob"
        for unknown in (None, 0, room.version + 1):
            (first,) = drained(await room.enter(player("bob"), seen=unknown))
            assert first["type"] == "welcome"


async def test_a_version_of_an_earlier_room_is_not_resumed_from(hall: Hall) -> None:
    """Its viewers may have heard of that version before its public changes were sent."""
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    room = await hall.rooms.room("hall-1")
    (first,) = drained(await room.enter(player("bob"), seen=room.version))
    assert first["type"] == "welcome"


async def test_a_version_that_may_be_of_another_process_is_not_resumed_from(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    shared = SharedTables(hall.floor, LocalBus(), process="hall", takes=None)
    async with shared, Rooms(hall.floor, tables=shared) as rooms_here:
        room = await rooms_here.room("hall-1")
        async with hall.terminal("hall-1", "ann") as ann:
            await ann.ask(TakeSeat())
            await ann.leave()
        await at_rest(room)
        (first,) = drained(await room.enter(player("bob"), seen=room.version))
        assert first["type"] == "welcome"


async def end_clock(hall: Hall) -> None:
    """Let the running clock of the table end now, if one is running."""
    mailbox = await hall.floor.mailbox("hall-1")
    clock = mailbox.worker.table.clock
    if clock is not None:
        await mailbox.ask(Request(by=SYSTEM, command=EndTime(clock.number), id=None))


async def at_rest(room: Room) -> None:
    """Wait until the terminals have revealed their seeds by themselves, and the room knows."""
    access = room.access
    while awaits_seeds(access.table) or room.version < access.version:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)


class Watched:
    """A viewer's views, made of the messages, and every version with which they may be left."""

    def __init__(self, room: Room, subscription: Subscription) -> None:
        self.room = room
        self.subscription = subscription
        self.version = 0
        self.public: Plain = {}
        self.private: Plain = {}

    def read(self) -> "list[tuple[int, Plain, Plain]]":
        """Apply what has come, and give the views after each message."""
        moments = []
        for message in drained(self.subscription):
            assert message["version"] >= self.version
            fresh = message["type"] == "welcome"
            self.public = apply_patch({} if fresh else self.public, message.get("public", {}))
            whole = fresh or message.get("whole", False)
            self.private = apply_patch({} if whole else self.private, message.get("private", {}))
            self.version = message["version"]
            moments.append((self.version, self.public, self.private))
        return moments

    async def check_resume(self, moments: "list[tuple[int, Plain, Plain]]") -> None:
        """From every moment on, a viewer who comes back has what one who comes anew is sent."""
        welcomed = Watched(self.room, await self.room.enter(self.subscription.viewer, seen=None))
        welcomed.read()
        for version, public, private in moments:
            entered = await self.room.enter(self.subscription.viewer, seen=version)
            back = Watched(self.room, entered)
            back.version, back.public, back.private = version, public, private
            back.read()
            assert (back.public, back.private) == (welcomed.public, welcomed.private)
            assert back.version == welcomed.version
            self.room.leave(entered)
        self.room.leave(welcomed.subscription)


@pytest.mark.parametrize("table", ["stadium", "washington"])
@pytest.mark.parametrize("seed", with_variants(range(3)))
async def test_a_viewer_may_be_lost_at_any_moment_and_comes_back_to_the_same_views(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, table: str, seed: int
) -> None:
    monkeypatch.setattr(room_module, "PACE_SECONDS", 3600)
    monkeypatch.setattr(rooms, "REFRESH_SECONDS", 3600)
    monkeypatch.setattr(room_module, "CHANGES_KEPT", 12)
    monkeypatch.setattr(room_module, "VIEWERS_AT_ONCE", 1)
    chance = Random(seed)
    await hall.open("hall-1", VIRTUAL[table], mode=DealerMode.VIRTUAL, clock=SECONDS)
    async with hall.terminal("hall-1", "ann") as ann, hall.terminal("hall-1", "bob") as bob:
        room = await hall.rooms.room("hall-1")
        watched = Watched(room, await room.enter(player("ann"), seen=None))
        moments = watched.read()
        for terminal in (ann, bob):
            await terminal.sit(buy_in_cents=50_000)
        hands = room.access.table.house.hands_per_seat
        for _ in range(40):
            with contextlib.suppress(Refused):
                terminal = chance.choice([ann, bob])
                if "decide" in terminal.private.may:
                    await terminal.decide(Check())
                else:
                    ante = chance.choice([0, 1000, 2500])
                    await terminal.bet(hand=chance.randint(1, hands), ante=ante)
            if chance.random() < 0.1:
                await end_clock(hall)
            if chance.random() < 0.4:
                room.refresh()
            await at_rest(room)
            moments += watched.read()
            if chance.random() < 0.3:
                await watched.check_resume(moments)
        await watched.check_resume(moments)
        assert watched.version > 10


async def test_a_private_view_that_fails_costs_one_viewer_the_connection_and_no_other(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hall.open("mine", "online", private_to="ann")
    room = await hall.rooms.room("mine")
    broken = await room.enter(player("mal"), seen=None)

    def failing(table: Any, viewer: Person | None, **others: Any) -> Any:
        if viewer is not None and viewer.name == "mal":
            raise ValueError("no view")
        return private_view(table, viewer, **others)

    monkeypatch.setattr(room_module, "private_view", failing)
    async with hall.terminal("mine", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
        await ann.until(lambda now: now.public.players == 1)
        assert broken.gone.is_set()


@pytest.mark.usefixtures("slow_news")
async def test_a_view_that_fails_in_a_hall_costs_one_viewer_the_connection_too(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There a bet is sent to its player, visitors and staff, apart from the public change."""
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    room = await hall.rooms.room("hall-1")
    staff = [await room.enter(Viewer(Person(Role.FLOOR, name)), seen=None) for name in "abcd"]

    def failing(table: Any, viewer: Person | None, **others: Any) -> Any:
        if viewer is not None and viewer.role is Role.FLOOR:
            raise ValueError("no view")
        return private_view(table, viewer, **others)

    monkeypatch.setattr(room_module, "private_view", failing)
    async with hall.terminal("hall-1", "ann") as ann:
        await ann.sit(buy_in_cents=50_000)
        assert ann.private.credit_cents == 50_000
        assert all(viewer.gone.is_set() for viewer in staff)


async def test_viewers_who_wait_for_an_answer_are_sent_a_change_before_the_rest_of_the_hall(
    hall: Hall,
) -> None:
    await hall.open("mine", VIRTUAL["washington"], mode=DealerMode.VIRTUAL)
    room = await hall.rooms.room("mine")
    viewers = [await room.enter(None, seen=None) for _ in range(3 * room_module.VIEWERS_AT_ONCE)]
    asking = viewers[::50]
    for viewer in viewers:
        drained(viewer)
    still: asyncio.Task[None] = asyncio.create_task(asyncio.sleep(0))
    for viewer in asking:
        viewer.asking.add(still)
    await hall.floor.ask("mine", Request(by=ANN, command=commands.TakeSeat(1), id="sit"))
    reached = [viewer for viewer in viewers if not viewer.queue.empty()]
    assert set(asking) < set(reached)
    assert len(reached) <= len(asking) + 2 * room_module.VIEWERS_AT_ONCE < len(viewers)
    # The next change comes after what is left of this one, and each viewer gets both.
    gone = next(viewer for viewer in viewers if viewer.queue.empty())
    room.leave(gone)
    await hall.floor.ask("mine", Request(by=ANN, command=commands.LeaveSeat(1), id="go"))
    room.refresh()
    for viewer in viewers:
        players = [message["public"]["players"] for message in drained(viewer)]
        assert players == ([] if viewer is gone else [1, 0])


async def test_no_answer_overtakes_a_change_that_has_not_had_its_turn(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "REFRESH_SECONDS", 3600)
    await hall.open("mine", VIRTUAL["washington"], mode=DealerMode.VIRTUAL)
    async with hall.terminal("mine", "ann") as ann, hall.terminal("mine", "bob") as bob:
        room = await hall.rooms.room("mine")
        # From now on, only viewers who wait for an answer are sent a change.
        monkeypatch.setattr(room_module, "VIEWERS_AT_ONCE", 0)
        await hall.floor.ask("mine", Request(by=ANN, command=commands.TakeSeat(1), id="sit"))
        assert max(ann.version, bob.version) < room.version
        # As a terminal repeats a command whose answer was lost with its last connection.
        assert await ann.ask(TakeSeat(seat=1), id="sit") == room.version
        assert (ann.version, ann.private.seat) == (room.version, 1)
        with pytest.raises(Refused):
            await bob.ask(TakeSeat(seat=1))
        assert (bob.version, bob.public.players) == (room.version, 1)
        monkeypatch.undo()


@pytest.fixture
def slow_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is published but what must be at once."""
    monkeypatch.setattr(room_module, "PACE_SECONDS", 3600)
    monkeypatch.setattr(rooms, "REFRESH_SECONDS", 3600)


@pytest.mark.usefixtures("slow_news")
async def test_bets_in_a_hall_gather_for_the_others_and_reach_their_player_at_once(
    hall: Hall,
) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    room = await hall.rooms.room("hall-1")
    watching = player("cat")
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
        # No other viewer has been told yet, and one who comes back now has missed nothing.
        assert drained(cat) == []
        late = await room.enter(watching, seen=room.version)
        (whole,) = drained(late)
        assert (whole["version"], whole["whole"]) == (room.version, True)
        assert "public" not in whole
        room.refresh()
        (news,) = drained(cat)
        assert news["public"] == {"round": {"hands_in_play": 2}, "seeds": {"committed": 2}}
        assert news["version"] == whole["version"]
        assert "private" not in news
        assert drained(late) == [news]


@pytest.mark.usefixtures("slow_news")
async def test_a_player_who_has_heard_of_a_bet_before_the_room_misses_nothing(hall: Hall) -> None:
    """The private view is at a version whose public change has not been sent yet."""
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    async with hall.terminal("hall-1", "ann") as ann, hall.terminal("hall-1", "bob") as bob:
        room = await hall.rooms.room("hall-1")
        await ann.sit(buy_in_cents=50_000)
        await bob.sit(buy_in_cents=50_000)
        await ann.bet(ante=1000)
        version = await bob.bet(ante=1000)
        assert bob.version == version
        assert bob.public.round is not None
        assert bob.public.round.hands_in_play == 1
        seen = bob.version
        room.refresh()
        (change,) = drained(await room.enter(player("bob"), seen=seen))
        assert change["version"] == version
        assert change["public"] == {"round": {"hands_in_play": 2}, "seeds": {"committed": 2}}
        assert change["private"]["bet_cents"] == 2000


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
        left_ms = room.access.time_left_ms
        assert left_ms is not None
        back = drained(await room.enter(player("bob"), seen=seen))
        assert left_ms - 1000 < back[-1]["clock_left_ms"] <= left_ms
        assert ann.public.clock is not None
        assert left_ms <= ann.public.clock.total_ms - 200


async def test_rooms_that_were_opened_once_leave_nothing_behind(hall: Hall) -> None:
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    await hall.rooms.room("hall-1")
    for number in range(20):
        with pytest.raises(Refusal):
            await hall.rooms.room(f"made-up-{number}")
    assert not hall.rooms._opening


async def test_a_room_that_is_replaced_during_the_refreshing_stays_open(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "REFRESH_SECONDS", 0.04)
    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    await hall.open("hall-2", "stadium", mode=DealerMode.VIRTUAL)
    async with Rooms(hall.floor) as watched:
        first, empty = [await watched.room(name) for name in ("hall-1", "hall-2")]
        await first.enter(None, seen=None)
        replaced: list[Room] = []
        refreshed: asyncio.Queue[None] = asyncio.Queue()

        async def load_dealer() -> None:
            if not replaced:
                del watched._rooms["hall-2"]
                replaced.append(await watched.room("hall-2"))
                await replaced[0].enter(None, seen=None)
            refreshed.put_nowait(None)

        monkeypatch.setattr(first, "load_dealer", load_dealer)
        for _ in range(3):
            await asyncio.wait_for(refreshed.get(), timeout=5)
        assert replaced != [empty]
        assert watched._rooms["hall-2"] is replaced[0]
        assert watched.viewers == 2


async def test_a_room_that_fails_or_a_store_that_is_away_does_not_end_the_refreshing(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "REFRESH_SECONDS", 0.04)

    class Accounts:
        away = False

        def get(self, name: str) -> None:
            if self.away:
                raise Unavailable(f"{name} cannot be read now.")

    await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
    await hall.open("hall-2", "stadium", mode=DealerMode.LIVE)
    eve = Person(Role.FLOOR, "eve")
    sign_on = Request(by=eve, command=commands.ChangeDealer("dan"), id="dan")
    assert (await hall.floor.ask("hall-2", sign_on)).accepted
    accounts = Accounts()
    names = PublicNames(accounts)  # type: ignore[arg-type]
    async with Rooms(hall.floor, names=names) as watched:
        broken, whole = [await watched.room(name) for name in ("hall-1", "hall-2")]
        for room in (broken, whole):
            await room.enter(None, seen=None)
        accounts.away = True
        refreshed: asyncio.Queue[None] = asyncio.Queue()

        def failing() -> None:
            raise ValueError("no view")

        for method in ("refresh", "refresh_meter"):
            monkeypatch.setattr(broken, method, failing)
        monkeypatch.setattr(whole, "refresh", lambda: refreshed.put_nowait(None))
        for _ in range(3):
            await asyncio.wait_for(refreshed.get(), timeout=5)
        assert names.shown("dan") == UNKNOWN
