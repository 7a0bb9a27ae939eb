"""Snapshots of a table: when one is written, what it holds, and the table that is read from it."""

import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

import msgspec

from openfelt.rules.persistent_map import SMALL
from openfelt.rules.round import Round, plan_of
from openfelt.rules.round_events import RoundOpened, RoundSettled, RoundVoided
from openfelt.runtime.clock import DAY_MS
from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import Irrecoverable, KeyMissing, Snapshot, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.shown_names import shown
from openfelt.table.events import ClockStarted, TableEvent
from openfelt.table.state import Table

SNAPSHOT_FORM = 5
"""Increased when the form of a table's state changes; older snapshots are then ignored."""

SNAPSHOT_EVERY: Final = 500
"""A snapshot is written after a round, once this many events have followed the last one."""
LATE_MAX: Final = 200_000
"""A stadium's snapshot is written after its players are answered, and with them after so many."""

logger = logging.getLogger(__name__)


class Since(NamedTuple):
    """The start of the running clock and of the round in progress."""

    clock_ms: int = 0
    """When the running clock was started; meaningless if none runs."""
    round_ms: int = 0
    """When the round in progress was opened."""

    def after(self, event: TableEvent, at_ms: int) -> "Since":
        """The same after one more event."""
        if isinstance(event, ClockStarted):
            return self._replace(clock_ms=at_ms)
        if isinstance(event, RoundOpened):
            return self._replace(round_ms=at_ms)
        return self

    def round_days(self, now_ms: int) -> int:
        """For how many whole days the round in progress has been open."""
        return max(0, now_ms - self.round_ms) // DAY_MS


class SnapshotSchedule:
    """The schedule of a table's snapshots."""

    def __init__(self, version: int) -> None:
        self.version = version
        """The version of the last snapshot, 0 if there is none."""
        self.late = False
        """Whether a stadium's snapshot of its last round is still to be written."""

    def is_due(self, table: Table, version: int, events: Iterable[TableEvent]) -> bool:
        """Whether one is written with these events, which lead to this table and version.

        It is due right after a round, once enough events have followed the last one. It holds the
        cards of that round. Later, these may be purged already.
        """
        if table.playing is not None or version - self.version < SNAPSHOT_EVERY:
            return False
        ended = any(isinstance(event, RoundSettled | RoundVoided) for event in events)
        if table.round is not None and not ended:
            return False
        if len(table.seats) > SMALL and version - self.version < LATE_MAX:
            self.late = True
            return False
        return True


def snapshot_of(codec: EventCodec, table: Table, since: Since) -> str:
    """A snapshot of a table. The plan of its round follows from the hands and is left out."""
    state = table.round
    kept = replace(table, round=replace(state, plan=()) if state else None)
    plain = {
        "form": SNAPSHOT_FORM,
        "since": since,
        "dealt": state is not None and bool(state.plan),
        "table": msgspec.Raw(codec.codec.to_json(Table, kept).encode()),
    }
    return msgspec.json.encode(plain).decode()


def table_of(codec: EventCodec, body: str) -> Table | None:
    """The table in a snapshot, None if it has another form or cannot be read."""
    table, _, _ = table_from_snapshot(codec, "a table", Snapshot(version=1, at_ms=0, body=body))
    return table


def usable_version(snapshot: Snapshot | None) -> int:
    """The version from which a snapshot saves the replay, 0 if it is missing or of no use."""
    if snapshot is None:
        return 0
    try:
        return snapshot.version if read_json(snapshot.body)["form"] == SNAPSHOT_FORM else 0
    except (CodecError, TypeError, LookupError):
        return 0


def without_round(snapshot: Snapshot) -> Snapshot:
    """A snapshot without the round that was played last, whose cards are purged."""
    plain = read_json(snapshot.body)
    plain["table"].pop("round", None)
    plain["dealt"] = False
    return replace(snapshot, body=msgspec.json.encode(plain).decode())


def newest_snapshot(store: Store, stream: str) -> Snapshot | None:
    """The newest snapshot of a table, None if it cannot be decrypted."""
    try:
        return store.snapshot(stream)
    except (KeyMissing, Irrecoverable) as error:
        logger.warning("ignoring the snapshot of %s: %s", shown(stream), error)
        return None


def table_from_snapshot(
    codec: EventCodec, stream: str, snapshot: Snapshot | None
) -> tuple[Table | None, Since, int]:
    """The table of a snapshot, its times and its version; no table if it cannot be used.

    A snapshot only saves time. An unreadable one is ignored, because the events before it are
    all there.
    """
    if snapshot is not None:
        try:
            plain = read_json(snapshot.body)
            if plain["form"] == SNAPSHOT_FORM:
                table: Table = codec.codec.from_plain(Table, plain["table"])
                since = Since(*map(int, plain["since"]))
                if plain["dealt"]:
                    table = replace(table, round=_with_plan(table.round))
                return table, since, snapshot.version
        except (CodecError, TypeError, ValueError, LookupError) as error:
            # What is wrong with it is not said, because it could quote a card.
            logger.warning("ignoring the snapshot of %s: %s", shown(stream), type(error).__name__)
    return None, Since(), 0


def _with_plan(state: Round | None) -> Round | None:
    """Plan the deal of a round again, as it was planned when bets were closed."""
    if state is None:
        return None
    return replace(state, plan=plan_of(state, tuple(state.hands)))
