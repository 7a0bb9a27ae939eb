"""Progressive links as one process knows them: states, versions, and commands to them.

Many tables, perhaps in many processes, feed one link. No process owns it: each writer names
the version that it has read, and reads again if another writer was faster.
"""

import logging
from dataclasses import dataclass
from typing import Final, NamedTuple

from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.streams import link_stream
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Append, Cause, Commit, Conflict, Damaged, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.shown_names import shown
from openfelt.table.links.link import Link, apply_link, link_moves
from openfelt.table.links.link_events import LinkEvent
from openfelt.table.links.link_referee import (
    LinkCommand,
    ReceiveLink,
    RetireLink,
    decide_link,
)

LINK_SNAPSHOT_EVERY: Final = 200
ATTEMPTS_MAX: Final = 50

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VersionedLink:
    """A link at one version, None before it is opened."""

    link: Link | None
    version: int


class CausedLinkEvent(NamedTuple):
    """An event of a link, and its cause."""

    event: LinkEvent
    cause: Cause


class Links:
    """The links that the tables of this process feed."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._links: dict[str, VersionedLink] = {}

    def get(self, link: str) -> VersionedLink:
        """A link as this process last saw it."""
        return self._links.get(link) or self.reload(link)

    def reload(self, link: str) -> VersionedLink:
        """A link as it is in the store now."""
        stream = link_stream(link)
        before = self._links.get(link) or self._from_snapshot(stream)
        state, version = before.link, before.version
        for stored in self._store.record(stream, after=version):
            state = apply_link(state, self._codec.decode(stored))
            version = stored.version
        current = VersionedLink(state, version)
        if state is not None:
            # A missing link may be opened by another process at any time.
            self._links[link] = current
        return current

    def refresh(self) -> None:
        """Read what other processes have done to the links that this process uses."""
        for link in tuple(self._links):
            try:
                self.reload(link)
            except (Damaged, CodecError) as error:
                # The tables of this link stop at their next round; others go on.
                logger.error("the link %s cannot be read: %s", shown(link), error)

    def _from_snapshot(self, stream: str) -> VersionedLink:
        """A link at its newest snapshot; an unreadable snapshot is ignored."""
        snapshot = self._store.snapshot(stream)
        if snapshot is not None:
            try:
                state = self._codec.codec.from_json(Link, snapshot.body)
            except CodecError as error:
                logger.warning(
                    "ignoring the snapshot of %s: %s", shown(stream), type(error).__name__
                )
            else:
                return VersionedLink(state, snapshot.version)
        return VersionedLink(None, 0)

    def keep(self, link: str, current: VersionedLink) -> None:
        """Keep a link as it is after a commit of this process."""
        self._links[link] = current

    def append(
        self, link: str, before: VersionedLink, events: tuple[CausedLinkEvent, ...]
    ) -> Append:
        """What a commit appends to a link's stream, after the version that was read."""
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

    def command(self, link: str, command: LinkCommand) -> Link:
        """Carry out a supervisor's command on a link; raises Refusal or StoreError."""
        for _ in range(ATTEMPTS_MAX):
            current = self.reload(link)
            appends = [self._decided(link, current, command)]
            if isinstance(command, RetireLink) and command.into is not None:
                # Both links change in one commit, or neither does.
                appends.append(self._received(current, command.into))
            try:
                self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=tuple(appends)))
            except Conflict:
                continue
            state = self.reload(link).link
            assert state is not None
            return state
        raise Conflict(link_stream(link), expected=current.version, found=current.version + 1)

    def _decided(self, link: str, current: VersionedLink, command: LinkCommand) -> Append:
        events = decide_link(current.link, command)
        return self.append(link, current, tuple(CausedLinkEvent(one, acting()) for one in events))

    def _received(self, retired: VersionedLink, into: str) -> Append:
        """What the link that takes over has to append."""
        assert retired.link is not None
        meter, reserve = retired.link.meter.leaving
        command = ReceiveLink(link=retired.link.id, meter=meter, reserve=reserve)
        return self._decided(into, self.reload(into), command)
