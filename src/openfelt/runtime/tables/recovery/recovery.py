"""The recovery of a table from its newest snapshot, and the schedule of its snapshots."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import msgspec

from openfelt.rules.persistent_map import SMALL
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Round, plan_of
from openfelt.rules.round_events import RoundOpened, RoundSettled, RoundVoided
from openfelt.rules.unknown_cards import has_unknown_cards
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.shuffle.deck_secrets import round_key, stored_decks
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import table_stream
from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import (
    Damaged,
    Forged,
    Head,
    Irrecoverable,
    KeyLost,
    KeyMissing,
    Snapshot,
    Store,
)
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.shown_names import shown
from openfelt.table.chips import transfers_of
from openfelt.table.events import ClockStarted, TableEvent, TableOpened
from openfelt.table.state import Table, open_table
from openfelt.table.transitions import after

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
        """The time left on the running clock at the last event, None if none runs.

        An outage never costs a player time: the time after the last event does not count.
        """
        clock = self.table.clock
        if clock is None:
            return None
        return clock.ms - min(max(self.head.at_ms - self.since.clock_ms, 0), clock.ms)


_IMPOSSIBLE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    ProofError,
    Refusal,
    TypeError,
    ValueError,
)
"""Errors from replaying a record that this program would not have written."""


def recover(
    store: Store,
    codec: EventCodec,
    table: str,
    *,
    without_cards: bool = False,
    decks: bool = True,
) -> Recovered | None:
    """Recover a table from its record; None if there is no such table.

    ``without_cards`` recovers a round in progress even if its key was declared lost: its cards are
    then unknown. Without ``decks`` their order, which only the dealing process needs, is not read.
    Raises KeyMissing, KeyLost, CodecError or Damaged, and Unavailable.
    """
    stream = table_stream(table)
    head = store.head(stream)
    if head.version == 0:
        return None
    with replaying(stream):
        return _recovered(store, codec, stream, head, without_cards=without_cards, with_decks=decks)


@contextmanager
def replaying(stream: str) -> Iterator[None]:
    """Raise Damaged where a record cannot be replayed."""
    try:
        yield
    except _IMPOSSIBLE as error:
        # The error is not passed on: it comes from deep within the rules, and might quote a card.
        fault = f"it cannot be replayed ({type(error).__name__})"
        raise Damaged("events", stream, fault) from None


def _recovered(
    store: Store,
    codec: EventCodec,
    stream: str,
    head: Head,
    *,
    without_cards: bool,
    with_decks: bool,
) -> Recovered:
    state, since, built_on = _from_snapshot(codec, stream, _snapshot(store, stream))
    if state is None:
        _check_beginning(store, stream)
    for stored in store.record(stream, after=built_on, head=head):
        event = codec.decode(stored)
        state = fold(state, event)
        since = since.after(event, stored.at_ms)
    if state is None:
        raise CodecError(f"{shown(stream)} does not begin with the opening of a table.")
    if state.round is not None and has_unknown_cards(state.round):
        state = _without_purged_round(stream, state, without_cards=without_cards)
    decks = _decks(store, stream, state, without_cards=without_cards) if with_decks else {}
    _check_end(store, stream, head)
    return Recovered(state, head, decks, since, built_on)


def _check_end(store: Store, stream: str, head: Head) -> None:
    """Refuse a record behind whose head an event lies: no other could be written there."""
    beyond = next(store.events(stream, after=head.version, damage=lambda _: None), None)
    if beyond is not None and store.head(stream).version < beyond.version:
        raise Forged("events", f"{stream}/{beyond.version}")


def _without_purged_round(stream: str, state: Table, *, without_cards: bool) -> Table:
    """The table without the cards of its last round, which are unknown."""
    if state.playing is None:
        return replace(state, round=None)
    if not without_cards:
        key = f"{stream}/{round_key(state.rounds)}"
        raise Damaged("secrets", key, "it encrypts the cards of a round in progress, and is gone")
    return state


def _decks(
    store: Store, stream: str, state: Table, *, without_cards: bool
) -> dict[str, SecretDeck]:
    """The decks that the table has committed to."""
    if not state.commitments:
        return {}
    try:
        bodies = stored_decks(store, stream, state.deck_round)
    except KeyLost:
        if without_cards:
            return {}
        raise
    return {name: SecretDeck.from_json(body) for name, body in bodies.items()}


def fold(state: Table | None, event: TableEvent) -> Table:
    """A table after one more event of its record, which begins with the table's opening."""
    if isinstance(event, TableOpened):
        return open_table(event)
    if state is None:
        raise CodecError("The record of a table begins with its opening.")
    return after(state, event, transfers_of(state, event))


def events_between(
    store: Store, codec: EventCodec, head: Head, recovered: Recovered
) -> tuple[TableEvent, ...]:
    """The events of a table from one of its heads to where it was recovered."""
    stream = table_stream(recovered.table.id)
    stored = store.events(stream, after=head.version, up_to=recovered.head.version)
    return tuple(map(codec.decode, stored))


def _check_beginning(store: Store, stream: str) -> None:
    """Say what to do where the beginning of a record is in an archive and no snapshot is there."""
    if next(store.events(stream, up_to=1), None) is None and store.archive(with_state=False):
        raise CodecError(
            f"The beginning of {shown(stream)} is in an archive, and no snapshot of it can be "
            "used. Put the archive back with openfelt archive --put-back."
        )


# Snapshots -----------------------------------------------------------------------


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
    table, _, _ = _from_snapshot(codec, "a table", Snapshot(version=1, at_ms=0, body=body))
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


def _snapshot(store: Store, stream: str) -> Snapshot | None:
    """The newest snapshot of a table, None if it cannot be decrypted."""
    try:
        return store.snapshot(stream)
    except (KeyMissing, Irrecoverable) as error:
        logger.warning("ignoring the snapshot of %s: %s", shown(stream), error)
        return None


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
            # What is wrong with it is not said, because it could quote a card.
            logger.warning("ignoring the snapshot of %s: %s", shown(stream), type(error).__name__)
    return None, Since(), 0


def _with_plan(state: Round | None) -> Round | None:
    """Plan the deal of a round again, as it was planned when bets were closed."""
    if state is None:
        return None
    return replace(state, plan=plan_of(state, tuple(state.hands)))
