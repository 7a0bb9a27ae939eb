"""An audit replays a table's record event by event, and a wallet's.

What the table then holds, each seat's credit and what lies on the felt, is what the accounts
must hold.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from openfelt.ledger import Account, AccountKind
from openfelt.ledger.wallet import Deposited, Withdrawn, wallet_transfer
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import RoundSettled
from openfelt.runtime.audit.chain import Booked, check_transfers
from openfelt.runtime.audit.link_tallies import Tallies, counted_by_table
from openfelt.runtime.audit.report import Finding, OutOfPlace, Pad
from openfelt.runtime.audit.rounds import RoundsAudit
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.streams import name_of
from openfelt.runtime.tables.recovery import SNAPSHOT_FORM, Since, snapshot_of
from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import Snapshot, Store, StoredEvent
from openfelt.storage.event_forms import EventCodec
from openfelt.table.chips import transfers_of
from openfelt.table.events import TableEvent, TableOpened
from openfelt.table.state import Table, after, open_table

IMPOSSIBLE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    CodecError,
    LookupError,
    OutOfPlace,
    ProofError,
    Refusal,
    TypeError,
    ValueError,
)
"""What comes of applying an event that cannot have happened: replaying never refuses, so it
stumbles over whatever is missing."""


@dataclass(slots=True)
class Desk:
    """What the audits of single streams share."""

    store: Store
    codec: EventCodec
    pad: Pad
    balances: dict[Account, int] = field(default_factory=dict)
    """What accounts must hold by the records of tables and links."""
    broken: set[str] = field(default_factory=set)
    """Tables and links whose record could not be replayed to its end."""
    tallies: Tallies = field(default_factory=Tallies)
    feeding: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By link, the tables whose records say that they feed it."""
    fed: dict[str, frozenset[str]] = field(default_factory=dict)
    """By link, the tables that feed it by its own record."""

    def find(self, stored: StoredEvent, sentence: str, *, expected: str, found: str) -> None:
        """Keep a finding about an event."""
        self.pad.find(
            Finding(
                where=stored.stream,
                version=stored.version,
                sentence=sentence,
                expected=expected,
                found=found,
            )
        )


def impossible(desk: Desk, stored: StoredEvent, error: Exception) -> None:
    """Keep the finding that an event cannot be read, or cannot have happened here."""
    # Other errors come from deep within the rules, and might quote a card.
    told = isinstance(error, CodecError | OutOfPlace | Refusal)
    found = str(error).rstrip(".") if told else type(error).__name__
    if isinstance(error, CodecError):
        sentence, expected = "It cannot be read.", f"a {stored.name}"
    else:
        sentence, expected = f"A {stored.name} cannot have happened here.", "an event that can"
    desk.find(stored, sentence, expected=expected, found=found)


class TableAudit:
    """The record of one table."""

    def __init__(self, desk: Desk, stream: str) -> None:
        self._desk = desk
        self._stream = stream
        self._id = name_of(stream)
        self._rounds = RoundsAudit(desk.store, stream, desk.pad)
        self._snapshot = desk.store.snapshot(stream)
        self._table: Table | None = None

    def take(self, booked: Booked) -> None:
        """Replay one event; nothing more once an event could not be replayed."""
        if self._stream in self._desk.broken:
            return
        try:
            event = self._desk.codec.decode(booked.stored)
            self._table = self._after(event, booked)
        except IMPOSSIBLE as error:
            impossible(self._desk, booked.stored, error)
            self._desk.broken.add(self._stream)
            return
        if self._snapshot is not None and self._snapshot.version == booked.stored.version:
            self._check_snapshot(self._snapshot, booked.stored, self._table)

    def _after(self, event: Any, booked: Booked) -> Table:
        stored, pad = booked.stored, self._desk.pad
        if self._table is None:
            if not isinstance(event, TableOpened) or event.table != self._id:
                raise OutOfPlace(f"The record does not begin with the opening of {self._id}")
            check_transfers(stored, (), booked.transfers, pad)
            return open_table(event)
        transfers = transfers_of(self._table, event)
        check_transfers(stored, transfers, booked.transfers, pad)
        self._rounds.take(self._table, event, stored)
        self._count(self._table, event)
        return after(self._table, event, transfers)

    def _count(self, table: Table, event: TableEvent) -> None:
        """Remember what the link must have counted of a settled round."""
        if isinstance(event, RoundSettled):
            counted = counted_by_table(table, event.settlement)
            if counted is not None:
                self._desk.tallies.at_table(table.link or "", table.id, counted)

    def finish(self) -> None:
        """Say what the table's accounts must hold."""
        table, desk = self._table, self._desk
        if table is None:
            desk.broken.add(self._stream)
        if table is None or self._stream in desk.broken:
            return
        check_snapshot_reached(desk, self._stream, self._snapshot)
        if table.link is not None:
            desk.feeding[table.link].add(table.id)
        for number, seat in table.seats.items():
            desk.balances[table.credit(number)] = seat.credit_cents
        if (state := table.playing) is not None:
            desk.pad.counts.rounds_in_progress += 1
            desk.balances[Account(AccountKind.WAGERS, table.round_id)] = sum(
                wager.cents for hand in state.hands.values() for wager in hand.wagers
            )
            if state.opened.banker is not None:
                bank = Account(AccountKind.BANKER, table.round_id)
                desk.balances[bank] = state.opened.banker.cover_cents

    def _check_snapshot(self, snapshot: Snapshot, stored: StoredEvent, table: Table) -> None:
        """A snapshot is the state that the events before it give."""
        desk = self._desk
        wanted = read_json(snapshot_of(desk.codec, table, Since()))
        try:
            kept = read_json(snapshot.body)
            if kept["form"] != SNAPSHOT_FORM:
                desk.pad.note(f"The snapshot of {self._stream} has an older form.")
                return
            differing = [
                name for name in wanted["table"] if kept["table"].get(name) != wanted["table"][name]
            ]
            differing += sorted(kept["table"].keys() - wanted["table"].keys())
            if kept["dealt"] != wanted["dealt"]:
                differing.append("dealt")
        except IMPOSSIBLE as error:
            desk.find(stored, "The snapshot cannot be read.", expected="one", found=str(error))
            return
        if differing:
            desk.find(
                stored,
                "The snapshot is not what the events up to here give.",
                expected="the table as replayed",
                found=f"another {' and '.join(differing)}",
            )
        desk.pad.counts.snapshots += 1


def check_snapshot_reached(desk: Desk, stream: str, snapshot: Snapshot | None) -> None:
    """A snapshot of a version that the stream does not have is nobody's state."""
    version = desk.store.head(stream).version
    if snapshot is not None and snapshot.version > version:
        desk.pad.find(
            Finding(
                where=stream,
                version=snapshot.version,
                sentence="There is a snapshot, but no such event.",
                expected=f"a version up to {version}",
                found=f"version {snapshot.version}",
            )
        )


class WalletAudit:
    """The record of one wallet: every payment has its transfer."""

    def __init__(self, desk: Desk, stream: str) -> None:
        self._desk = desk
        self._player = name_of(stream)

    def take(self, booked: Booked) -> None:
        """Check one payment."""
        try:
            event = self._desk.codec.decode(booked.stored)
            if not isinstance(event, Deposited | Withdrawn) or event.player != self._player:
                raise OutOfPlace(f"It is no payment of {self._player}")
        except IMPOSSIBLE as error:
            impossible(self._desk, booked.stored, error)
            return
        check_transfers(booked.stored, (wallet_transfer(event),), booked.transfers, self._desk.pad)

    def finish(self) -> None:
        """A wallet's balance comes from its own payments and from tables alike."""


class OtherAudit:
    """A stream of a kind that this audit does not know: it may move no money."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def take(self, booked: Booked) -> None:
        """Check that the event moves nothing."""
        check_transfers(booked.stored, (), booked.transfers, self._desk.pad)

    def finish(self) -> None:
        """There is nothing to say about it."""
