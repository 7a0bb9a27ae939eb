"""The recovery of a table from its newest snapshot and the events after it."""

import logging
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from openfelt.rules.dealing import dealing_plan
from openfelt.rules.round import Round, RoundOpened
from openfelt.runtime.shuffle.deck_secrets import stored_decks
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import table_stream
from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import Head, Snapshot, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.chips import transfers_of
from openfelt.table.events import ClockStarted, TableEvent, TableOpened
from openfelt.table.state import Table, after, open_table

SNAPSHOT_FORM = 4
"""Increased when the form of a table's state changes; older snapshots are then ignored."""

logger = logging.getLogger(__name__)


class Since(NamedTuple):
    """When the running clock and the round in progress began."""

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


@dataclass(frozen=True, slots=True)
class Recovered:
    """A table as it was when its last event was written."""

    table: Table
    head: Head
    decks: dict[str, SecretDeck]
    since: Since
    snapshot_version: int
    """The version of the snapshot from which it was recovered, 0 for none."""

    @property
    def clock_left_ms(self) -> int | None:
        """What was left of the running clock at the last event, None if none runs.

        An outage never costs a player time: the time after the last event does not count.
        """
        clock = self.table.clock
        if clock is None:
            return None
        return clock.ms - min(max(self.head.at_ms - self.since.clock_ms, 0), clock.ms)


def recover(store: Store, codec: EventCodec, table: str) -> Recovered | None:
    """Recover a table from its record; None if there is no such table."""
    stream = table_stream(table)
    head = store.head(stream)
    if head.version == 0:
        return None
    snapshot = store.snapshot(stream)
    state, since, built_on = _from_snapshot(codec, stream, snapshot)
    for stored in store.events(stream, after=built_on, up_to=head.version):
        event = codec.decode(stored)
        state = fold(state, event)
        since = since.after(event, stored.at_ms)
    if state is None:
        raise CodecError(f"{stream} does not begin with the opening of a table.")
    bodies = stored_decks(store, stream, state.deck_round) if state.commitments else {}
    decks = {name: SecretDeck.from_json(body) for name, body in bodies.items()}
    return Recovered(state, head, decks, since, built_on)


def fold(state: Table | None, event: TableEvent) -> Table:
    """A table after one more event of its record, which begins with the table's opening."""
    if isinstance(event, TableOpened):
        return open_table(event)
    if state is None:
        raise CodecError("The record of a table begins with its opening.")
    return after(state, event, transfers_of(state, event))


# Snapshots -----------------------------------------------------------------------


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


def _from_snapshot(
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
            logger.warning("ignoring the snapshot of %s: %s", stream, error)
    return None, Since(), 0


def _with_plan(state: Round | None) -> Round | None:
    """Plan the deal of a round again, as it was planned when bets were closed."""
    if state is None:
        return None
    plan = dealing_plan(state.house, state.opened.procedure, tuple(state.hands))
    return replace(state, plan=plan)
