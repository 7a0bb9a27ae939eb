"""The recovery of a table from its newest snapshot and the events after it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from openfelt.rules.refusal import Refusal
from openfelt.rules.unknown_cards import has_unknown_cards
from openfelt.runtime.shuffle.deck_secrets import round_key, stored_decks
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.recovery.snapshots import Since, newest_snapshot, table_from_snapshot
from openfelt.storage.codec import CodecError
from openfelt.storage.door import (
    Damaged,
    Forged,
    Head,
    KeyLost,
    Store,
)
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.shown_names import shown
from openfelt.table.chips import transfers_of
from openfelt.table.events import TableEvent, TableOpened
from openfelt.table.state import Table, open_table
from openfelt.table.transitions import after


@dataclass(frozen=True, slots=True)
class RecoveredTable:
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
) -> RecoveredTable | None:
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
) -> RecoveredTable:
    state, since, built_on = table_from_snapshot(codec, stream, newest_snapshot(store, stream))
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
    return RecoveredTable(state, head, decks, since, built_on)


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
    store: Store, codec: EventCodec, head: Head, recovered: RecoveredTable
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
