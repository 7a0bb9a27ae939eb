"""Counted containers, such as drawers and trays: each read from its record, from the last closing.

The snapshot of a container is taken when it is closed. One of another version of the program is
ignored: the record has it all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from openfelt.runtime.streams import StreamKind, names_in
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec

State = TypeVar("State")
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Container(Generic[State, Event]):
    """A kind of container: how it begins, and what it is after each event."""

    kind: StreamKind
    state: type[State]
    begun: Callable[[str], State]
    """A container of this name that was never opened."""
    after: Callable[[State, Event, int], State]
    """A container after an event, with the time of the event."""


@dataclass(frozen=True, slots=True)
class ContainerRecords(Generic[State, Event]):
    """The records of all containers of one kind. All calls block."""

    container: Container[State, Event]
    store: Store
    codec: EventCodec

    def names(self) -> list[str]:
        """The names of all containers that have a record."""
        return names_in(self.store, self.container.kind)

    def read(self, name: str) -> tuple[State, int]:
        """A container as it is now, and the version of its record."""
        stream = self.container.kind.prefix + name
        state, version = self.container.begun(name), 0
        snapshot = self.store.snapshot(stream)
        if snapshot is not None:
            try:
                state = self.codec.codec.from_json(self.container.state, snapshot.body)
                version = snapshot.version
            except CodecError:
                state, version = self.container.begun(name), 0
        for stored in self.store.record(stream, after=version):
            event: Event = self.codec.decode(stored)
            state, version = self.container.after(state, event, stored.at_ms), stored.version
        return state, version
