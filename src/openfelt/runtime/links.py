"""Progressive links as one process knows them: states, versions, and commands to them.

Many tables, perhaps in many processes, feed one link. Nobody owns it: whoever writes to
it names the version that was read, and reads again where another writer was faster.
"""

from dataclasses import dataclass
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.storage.codec import read_json
from openfelt.storage.door import Append, Commit, Conflict, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.link import Link, apply_link, link_moves
from openfelt.table.link_events import LinkEvent
from openfelt.table.link_referee import LinkCommand, decide_link

LINK_SNAPSHOT_EVERY: Final = 200
ATTEMPTS_MAX: Final = 50


def link_stream(link: str) -> str:
    """The stream that holds a link's record."""
    return f"link/{link}"


@dataclass(frozen=True, slots=True)
class KnownLink:
    """A link as it was at one version."""

    link: Link | None
    version: int


class Links:
    """The links that the tables of this process feed."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._known: dict[str, KnownLink] = {}

    def get(self, link: str) -> KnownLink:
        """A link as this process last saw it."""
        return self._known.get(link) or self.reload(link)

    def reload(self, link: str) -> KnownLink:
        """A link as it is in the store now."""
        stream = link_stream(link)
        before = self._known.get(link)
        if before is None:
            snapshot = self._store.snapshot(stream)
            before = KnownLink(None, 0)
            if snapshot is not None:
                plain = read_json(snapshot.body)
                before = KnownLink(self._codec.codec.from_plain(Link, plain), snapshot.version)
        state, version = before.link, before.version
        for stored in self._store.events(stream, after=version):
            state = apply_link(state, self._codec.decode(stored))
            version = stored.version
        self._known[link] = KnownLink(state, version)
        return self._known[link]

    def seen(self, link: str, known: KnownLink) -> None:
        """Remember a link as it is after a commit of this process."""
        self._known[link] = known

    def append(self, link: str, known: KnownLink, events: tuple[LinkEvent, ...]) -> Append:
        """What a commit adds to a link's stream, on top of what was known of it."""
        state, added = known.link, []
        for event in events:
            added.append(self._codec.encode(event, link_moves(state, event)))
            state = apply_link(state, event)
        version = known.version + len(events)
        due = known.version // LINK_SNAPSHOT_EVERY < version // LINK_SNAPSHOT_EVERY
        return Append(
            stream=link_stream(link),
            expected_version=known.version,
            events=tuple(added),
            snapshot=self._codec.codec.to_json(Link, state) if due else None,
        )

    def command(self, link: str, command: LinkCommand) -> Link:
        """Carry out a supervisor's command at a link; raises Refusal or StoreError."""
        for _ in range(ATTEMPTS_MAX):
            known = self.reload(link)
            events = decide_link(known.link, command)
            append = self.append(link, known, events)
            try:
                self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
            except Conflict:
                continue
            state = self.reload(link).link
            assert state is not None
            return state
        raise Conflict(link_stream(link), expected=known.version, found=known.version + 1)
