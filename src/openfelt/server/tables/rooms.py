"""Rooms: everybody who watches one table, and what each of them is sent.

What everybody may see is worked out and encoded once for each change, and sent to all;
what only one viewer may see is worked out for that viewer. In a stadium, where a change is
often just one more bet, everybody is told at intervals how many there are, and only the
player concerned at once. A viewer who cannot keep up is let go, so that nobody waits for
the slowest.
"""

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Final, Self
from weakref import WeakValueDictionary

import msgspec

from openfelt.protocol.merge_patch import Plain, merge_patch
from openfelt.protocol.messages import (
    PROTOCOL,
    PrivateChange,
    PublicChange,
    Welcome,
    encode,
    encoder,
)
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.mailbox import Change, Mailbox
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.http.rate_limits import Buckets, Rate
from openfelt.server.process.metrics import Metrics
from openfelt.server.tables.absentees import Absences
from openfelt.server.tables.audience import concerned
from openfelt.server.tables.views import private_view, public_view
from openfelt.table.chips import wallet_of
from openfelt.table.commands import Role

QUEUE_MAX: Final = 256
"""How many messages may wait for one viewer before the viewer is let go."""
CHANGES_KEPT: Final = 200
"""How many changes a viewer who comes back may have missed without getting all anew."""
REFRESH_SECONDS: Final = 1
MESSAGES: Final = Rate(per_minute=3000, burst=200)
"""How many messages of one person are taken; more of them wait on the line."""
PACE_SECONDS: Final = 0.00025
"""For each viewer of a stadium, how long the news of how many have bet may gather."""


def _raw(plain: Plain) -> msgspec.Raw:
    return msgspec.Raw(encoder.encode(plain))


@dataclass(eq=False, slots=True)
class Place:
    """One viewer's place in a room: the messages on their way to it."""

    viewer: Viewer | None
    queue: "asyncio.Queue[str]" = field(default_factory=lambda: asyncio.Queue(QUEUE_MAX))
    private: Plain = field(default_factory=dict)
    """The private view as it was last sent."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the viewer is let go."""

    def send(self, message: str) -> None:
        """Put a message on its way; a viewer who does not take them is let go."""
        if self.gone.is_set():
            return
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.let_go()

    @property
    def player(self) -> str | None:
        """The player who looks on here, None where it is somebody else."""
        if self.viewer is None or self.viewer.person.role is not Role.PLAYER:
            return None
        return self.viewer.name

    def let_go(self) -> None:
        """End the socket; what waits for it is forgotten, and the terminal comes back."""
        self.gone.set()
        while not self.queue.empty():
            self.queue.get_nowait()


class Room:
    """Everybody at one table."""

    def __init__(self, floor: Floor, mailbox: Mailbox, metrics: Metrics, pace: Buckets) -> None:
        self._floor = floor
        self.metrics = metrics
        self.pace = pace
        self.mailbox = mailbox
        self.places: set[Place] = set()
        self._places_of: defaultdict[str | None, set[Place]] = defaultdict(set)
        """The same places by their players; those of everybody else under None."""
        self._table = mailbox.worker.table
        """The table as the viewers have last been told of it."""
        self._publishing: asyncio.TimerHandle | None = None
        self._entering = 0
        self._absences = Absences(mailbox)
        self._public: Plain = self._public_now()
        self.version = self._told_version = mailbox.worker.head.version
        """The version that everybody has been sent, and the one that some have been told of."""
        self._changes: deque[tuple[int, str]] = deque(maxlen=CHANGES_KEPT)
        """The last public changes, each with the version that it follows on."""
        self._unwatch = mailbox.watch(self._changed)

    def close(self) -> None:
        """Stop watching the table, and let everybody go."""
        self._unwatch()
        if self._publishing is not None:
            self._publishing.cancel()
        for place in self.places:
            place.let_go()

    # Coming and going ------------------------------------------------------------------

    async def enter(self, viewer: Viewer | None, *, seen: int | None) -> Place:
        """A new place, with the whole table or what was missed already on its way to it."""
        place = Place(viewer)
        self._entering += 1
        try:
            place.private = await self._private_now(viewer)
        finally:
            self._entering -= 1
        missed = self._missed(seen)
        if missed is None:
            place.send(encode(self._welcome(place)))
        else:
            for change in missed:
                place.send(change)
            # The clock has gone on since then.
            place.send(encode(self._change({}, self.version)))
            patch = _raw(place.private)
            place.send(encode(PrivateChange(version=self._told_version, patch=patch, whole=True)))
        self.places.add(place)
        self._places_of[place.player].add(place)
        return place

    @property
    def empty(self) -> bool:
        """Whether nobody is here or on the way in."""
        return not self.places and not self._entering

    def leave(self, place: Place) -> None:
        """The viewer has gone."""
        self.places.discard(place)
        others = self._places_of[place.player]
        others.discard(place)
        if not others:
            del self._places_of[place.player]

    def _missed(self, seen: int | None) -> list[str] | None:
        """The public changes after a version, None where some of them are not kept any more."""
        if seen is None or not self._changes or seen < self._changes[0][0] or seen > self.version:
            return None
        return [message for before, message in self._changes if before >= seen]

    def _welcome(self, place: Place) -> Welcome:
        return Welcome(
            protocol=PROTOCOL,
            version=self.version,
            public=self._public,  # type: ignore[arg-type]
            private=place.private,  # type: ignore[arg-type]
            clock_left_ms=self.mailbox.worker.time_left_ms,
        )

    def look_for_absent(self) -> None:
        """Let nobody wait for ever for players whose terminals are gone."""
        present = {place.viewer.name for place in self.places if place.viewer is not None}
        self._absences.look(present, self._floor.tools.clock.monotonic_ms())

    # Changes ---------------------------------------------------------------------------

    def _changed(self, change: Change) -> None:
        """Send everybody what has changed. Called after the change was written."""
        before, self._table = self._table, self.mailbox.worker.table
        players = concerned(before, change.events, self._table)
        self._told_version = change.version
        if players is None:
            self._publish()
        elif self._publishing is None:
            wait = PACE_SECONDS * len(self.places)
            self._publishing = asyncio.get_running_loop().call_later(wait, self._publish)
        for place in self._hearing(players):
            self._send_private(place)

    def _hearing(self, players: frozenset[str] | None) -> list[Place]:
        """The places of these players and of everybody who is no player; None for all."""
        if players is None:
            return [*self.places]
        return [place for who in (*players, None) for place in self._places_of.get(who, ())]

    def refresh(self) -> None:
        """Send what has changed without an event: a meter that other tables feed, a stop."""
        self._publish()

    def _publish(self) -> None:
        """Send everybody the public change; none where a version brings nothing to see."""
        if self._publishing is not None:
            self._publishing.cancel()
            self._publishing = None
        version = self._told_version
        public = self._public_now()
        patch = merge_patch(self._public, public)
        if not patch and version == self.version:
            return
        encoded = encode(self._change(patch, version))
        self._changes.append((self.version, encoded))
        self._public, self.version = public, version
        for place in tuple(self.places):
            place.send(encoded)

    def _change(self, patch: Plain, version: int) -> PublicChange:
        left_ms = self.mailbox.worker.time_left_ms
        return PublicChange(version=version, patch=_raw(patch), clock_left_ms=left_ms)

    def _send_private(self, place: Place) -> None:
        if place.viewer is None or place.gone.is_set():
            return
        now = self._private(place.viewer, place.private.get("wallet_cents", 0))
        patch = merge_patch(place.private, now)
        if patch:
            place.private = now
            raw = _raw(patch)
            place.send(encode(PrivateChange(version=self._told_version, patch=raw)))

    async def refresh_wallet(self, place: Place) -> None:
        """Send a viewer the wallet as it is now, after money has moved to or from it."""
        now = await self._private_now(place.viewer)
        patch = merge_patch(place.private, now)
        if patch:
            place.private = now
            raw = _raw(patch)
            place.send(encode(PrivateChange(version=self._told_version, patch=raw)))

    # Views -----------------------------------------------------------------------------

    def _public_now(self) -> Plain:
        table = self._table
        link = table.link
        known = self._floor.tools.links.get(link).link if link else None
        view = public_view(
            table,
            meter_cents=known.meter.display_cents if known else None,
            stopped=self.mailbox.worker.stopped,
        )
        plain = msgspec.to_builtins(view)
        assert isinstance(plain, dict)
        return plain

    async def _private_now(self, viewer: Viewer | None) -> Plain:
        return self._private(viewer, await self._wallet_cents(viewer))

    async def _wallet_cents(self, viewer: Viewer | None) -> int:
        if viewer is None or viewer.person.role is not Role.PLAYER:
            return 0
        wallet = wallet_of(viewer.person.name)
        return await asyncio.to_thread(self._floor.tools.store.balance, wallet)

    def _private(self, viewer: Viewer | None, wallet_cents: int) -> Plain:
        person = viewer.person if viewer else None
        remote = viewer is not None and viewer.remote_at(self._table.house)
        view = private_view(self._table, person, wallet_cents=wallet_cents, remote=remote)
        plain = msgspec.to_builtins(view)
        assert isinstance(plain, dict)
        return plain


class Rooms:
    """The rooms of all tables that somebody watches."""

    def __init__(self, floor: Floor, metrics: Metrics | None = None) -> None:
        self.floor = floor
        self.metrics = metrics or Metrics()
        self._pace = Buckets(MESSAGES, floor.tools.clock)
        self._rooms: dict[str, Room] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._refreshing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._refreshing = asyncio.create_task(self._refresh(), name="rooms")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._refreshing is not None:
            self._refreshing.cancel()
            await asyncio.gather(self._refreshing, return_exceptions=True)
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()

    async def room(self, table: str) -> Room:
        """The room of a table; raises Refusal where this process cannot run it."""
        async with self._opening.setdefault(table, asyncio.Lock()):
            mailbox = await self.floor.mailbox(table)
            room = self._rooms.get(table)
            if room is None or room.mailbox is not mailbox:
                if room is not None:
                    room.close()
                room = self._rooms[table] = Room(self.floor, mailbox, self.metrics, self._pace)
            return room

    async def _refresh(self) -> None:
        """Every second, show what changes without an event; end rooms that are empty or lost."""
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            for table, room in tuple(self._rooms.items()):
                if room.empty or room.mailbox.lost:
                    room.close()
                    del self._rooms[table]
                else:
                    room.refresh()
                    room.look_for_absent()

    @property
    def viewers(self) -> int:
        """How many places are taken in all rooms."""
        return sum(len(room.places) for room in self._rooms.values())
