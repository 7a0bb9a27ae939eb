"""Checkpoints of the floor: its figures at a moment, kept in the record."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from openfelt.record_events.floor_checkpoint_events import CheckpointFigures, FloorCheckpointed
from openfelt.rules.refusal import Refusal
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import FLOOR_STREAM
from openfelt.storage.door import Append, Commit, Conflict, Store
from openfelt.storage.event_forms import EventCodec

LISTED_MAX: Final = 50
"""How many checkpoints are listed, the newest ones."""
ATTEMPTS_MAX: Final = 20


@dataclass(frozen=True, slots=True)
class FloorCheckpoint:
    """A checkpoint as the record has it."""

    number: int
    at_ms: int
    by: str
    """Who kept it, such as ``floor:sue``."""
    kept: FloorCheckpointed


class FloorCheckpoints:
    """The checkpoints of one store. All calls block."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock

    def newest(self) -> list[FloorCheckpoint]:
        """The last checkpoints, the newest first."""
        head = self._store.head(FLOOR_STREAM)
        after = max(0, head.version - LISTED_MAX)
        return [
            FloorCheckpoint(
                stored.version, stored.at_ms, stored.cause.actor, self._codec.decode(stored)
            )
            for stored in self._store.record(FLOOR_STREAM, after=after, head=head)
        ][::-1]

    def keep(
        self, day: date, tables: Mapping[str, CheckpointFigures], *, note: str
    ) -> FloorCheckpoint:
        """Keep the figures of the floor."""
        event = self._codec.encode(
            FloorCheckpointed(day=day, note=note, tables=dict(tables)), cause=acting()
        )
        for _ in range(ATTEMPTS_MAX):
            version = self._store.head(FLOOR_STREAM).version
            append = Append(stream=FLOOR_STREAM, expected_version=version, events=(event,))
            try:
                self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
            except Conflict:
                continue
            return next(
                checkpoint for checkpoint in self.newest() if checkpoint.number == version + 1
            )
        raise Refusal(RuntimeCode.BUSY, "The floor is busy; try again.")
