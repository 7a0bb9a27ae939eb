"""Progressive links as one process knows them: states, versions, folds, and commands to them.

Many tables, perhaps in many processes, feed one link. No process owns it: each writer names the
version that it has read, and reads again if another writer was faster. A table writes its confirmed
rounds to its own feed, so tables do not wait for each other; each process folds what waits in all
feeds of a link into the link's record, several times a second.
"""

import logging
import threading
from collections.abc import Collection, Mapping
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.links.drafted_link import DraftedLink
from openfelt.runtime.links.versioned_link import CausedLinkEvent, FedRound, VersionedLink
from openfelt.runtime.streams import feed_of, feed_stream, feeds_prefix, link_stream
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Append, Commit, Conflict, Damaged, Head, Store
from openfelt.storage.event_forms import EventCodec, NewerEvent
from openfelt.storage.shown_names import shown as shown_name
from openfelt.table.links.link import Link, apply_link, link_moves
from openfelt.table.links.link_events import RoundFed
from openfelt.table.links.link_referee import LinkCommand, ReceiveLink, RetireLink

LINK_SNAPSHOT_EVERY: Final = 200
ATTEMPTS_MAX: Final = 50

logger = logging.getLogger(__name__)


class Links:
    """The links that the tables of this process feed. Many threads may use it at a time."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._links: dict[str, VersionedLink] = {}
        self._lock = threading.Lock()
        self._left: dict[str, tuple[str, int] | None] = {}
        """By link, the table and version of the first round that waited at the last refresh."""
        self.newer: set[str] = set()
        """Links with an event that only a newer Openfelt can read: their tables go elsewhere."""
        self._faults: dict[str, str] = {}
        """By link, why it cannot be read, as the log has it."""

    def get(self, link: str) -> VersionedLink:
        """A link as this process last saw it."""
        return self._links.get(link) or self.reload(link)

    def shown(self, link: str) -> Link | None:
        """A link as screens show it: with the rounds that it has not counted yet.

        It is not shown where only a newer Openfelt can read it.
        """
        try:
            return self.get(link).shown
        except NewerEvent as error:
            self._note_fault(link, error)
            return None

    def meter_cents(self, link: str | None) -> int | None:
        """The meter of a link as shown, None without a link."""
        state = self.shown(link) if link is not None else None
        return state.meter.display_cents if state is not None else None

    def reload(self, link: str) -> VersionedLink:
        """A link as it is in the store now, with all rounds that wait in its feeds."""
        stream = link_stream(link)
        # The feeds come first: a share that is in one of them has been counted in the record.
        heads = self._store.heads(feeds_prefix(link))
        before = self._links.get(link) or self._from_snapshot(stream)
        state, version = before.link, before.version
        for stored in self._store.record(stream, after=version):
            state = apply_link(state, self._codec.decode(stored))
            version = stored.version
        current = VersionedLink(state, version)
        if state is None:
            # A missing link may be opened by another process at any time.
            return current
        feeds, waiting = self._fed(heads, state, before)
        return self.keep(link, VersionedLink(state, version, feeds, waiting))

    def _fed(
        self, heads: Mapping[str, Head], state: Link, before: VersionedLink
    ) -> tuple[dict[str, int], tuple[FedRound, ...]]:
        """The versions of all feeds of a link, and what waits in them beyond what is known."""
        feeds, waiting = dict(state.folded), list(before.waiting)
        for stream, head in heads.items():
            _, table = feed_of(stream)
            feeds[table] = max(head.version, state.folded.get(table, 0))
            read_version = max(before.feeds.get(table, 0), state.folded.get(table, 0))
            if head.version > read_version:
                for stored in self._store.record(stream, after=read_version, head=head):
                    fed: RoundFed = self._codec.decode(stored)
                    waiting.append(FedRound(table, stored.version, fed, stored.cause))
        return feeds, tuple(waiting)

    def refresh(self, fed: Mapping[str, Collection[str]] | None = None) -> None:
        """Read what other processes have done to the links that this process uses.

        ``fed`` has the tables of this process by link. Where a round of one of them is the first
        that waits, this process folds the link; that of another process, only if its own process
        has left it waiting since the last time.
        """
        fed = fed or {}
        for link in sorted({*self._links, *fed}):
            try:
                waiting = self.reload(link).waiting
                first = waiting[0][:2] if waiting else None
                own = first is not None and first[0] in fed.get(link, ())
                if own or (link in fed and first is not None and first == self._left.get(link)):
                    self.fold(link)
                self._left[link] = first
                self.newer.discard(link)
                self._faults.pop(link, None)
            except (Damaged, CodecError, Refusal) as error:
                # The tables of this link stop when they need it; others go on.
                self._note_fault(link, error)

    def _note_fault(self, link: str, error: Exception) -> None:
        """Note that a link cannot be read. The log gets it once, because it is tried for hours."""
        if isinstance(error, NewerEvent):
            self.newer.add(link)
        if self._faults.get(link) != str(error):
            logger.error("the link %s cannot be read: %s", shown_name(link), error)
            self._faults[link] = str(error)

    def _from_snapshot(self, stream: str) -> VersionedLink:
        """A link at its newest snapshot; an unreadable snapshot is ignored."""
        snapshot = self._store.snapshot(stream)
        if snapshot is not None:
            try:
                state = self._codec.codec.from_json(Link, snapshot.body)
            except CodecError as error:
                logger.warning(
                    "ignoring the snapshot of %s: %s", shown_name(stream), type(error).__name__
                )
            else:
                return VersionedLink(state, snapshot.version)
        return VersionedLink(None, 0)

    def keep(self, link: str, current: VersionedLink) -> VersionedLink:
        """Keep what was read of a link or written to it, with what other threads know of it."""
        with self._lock:
            cached = self._links.get(link)
            # A reading is merged also with itself, which drops what its record has counted.
            merged = (cached or current).merged(current)
            self._links[link] = merged
        return merged

    def append(
        self, link: str, before: VersionedLink, events: tuple[CausedLinkEvent, ...]
    ) -> Append:
        """The append of a commit to a link's stream, after the version that was read."""
        state, added = before.link, []
        for event, cause in events:
            added.append(self._codec.encode(event, link_moves(state, event), cause=cause))
            state = apply_link(state, event)
        version = before.version + len(events)
        due = before.version // LINK_SNAPSHOT_EVERY < version // LINK_SNAPSHOT_EVERY
        return Append(
            stream=link_stream(link),
            expected_version=before.version,
            events=tuple(added),
            snapshot=self._codec.codec.to_json(Link, state) if due else None,
        )

    def appends(self, link: str, drafted: DraftedLink) -> tuple[Append, ...]:
        """The appends of a commit to a link's record and to the feed of a table."""
        appends = []
        if drafted.fed:
            first = drafted.fed[0]
            events = tuple(self._codec.encode(fed.fed, cause=fed.cause) for fed in drafted.fed)
            stream = feed_stream(link, first.table)
            appends.append(Append(stream=stream, expected_version=first.version - 1, events=events))
        if drafted.events:
            appends.append(self.append(link, drafted.before, drafted.events))
        # An append without events only makes sure that the stream is still at this version.
        for table, version in drafted.guarded.items():
            appends.append(Append(stream=feed_stream(link, table), expected_version=version))
        return tuple(appends)

    def fold(self, link: str) -> int:
        """Let a link count the waiting rounds of its feeds; returns their number.

        If another process was faster, the rest waits for the next time.
        """
        drafted = DraftedLink.of(self.reload(link)).folded()
        if drafted.events:
            try:
                self._commit(self.appends(link, drafted))
            except Conflict:
                self.reload(link)
                return 0
            self.keep(link, drafted.written)
        return len(drafted.events)

    def command(self, link: str, command: LinkCommand) -> Link:
        """Carry out a supervisor's command on a link; raises Refusal or StoreError.

        The link counts all waiting rounds first, so that the command is decided by the exact meter.
        """
        for _ in range(ATTEMPTS_MAX):
            current = self.reload(link)
            drafted = DraftedLink.of(current).folded()
            appends = [self._decided(link, drafted, command)]
            if isinstance(command, RetireLink) and command.into is not None:
                # Both links change in one commit, or neither does.
                appends.append(self._received(drafted, command.into))
            try:
                self._commit(tuple(appends))
            except Conflict:
                continue
            state = self.reload(link).link
            assert state is not None
            return state
        raise Conflict(link_stream(link), expected=current.version, found=current.version + 1)

    def _commit(self, appends: tuple[Append, ...]) -> None:
        self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=appends))

    def _decided(self, link: str, drafted: DraftedLink, command: LinkCommand) -> Append:
        return self.append(link, drafted.before, drafted.after(command, acting()).events)

    def _received(self, retired: DraftedLink, into: str) -> Append:
        """The append to the link that takes over."""
        assert retired.link is not None
        meter, reserve = retired.link.meter.leaving
        command = ReceiveLink(link=retired.link.id, meter=meter, reserve=reserve)
        return self._decided(into, DraftedLink.of(self.reload(into)).folded(), command)
