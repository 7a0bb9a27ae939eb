"""Shared state of the audits of single streams: the store, the report, and sums across streams."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from openfelt.ledger import Account
from openfelt.rules.refusal import Refusal
from openfelt.runtime.audit.link_tallies import Tallies
from openfelt.runtime.audit.report import ReportDraft
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.storage.codec import Codec, CodecError
from openfelt.storage.door import (
    Damage,
    Damaged,
    DamagedFile,
    Head,
    Irrecoverable,
    KeyMissing,
    Snapshot,
    Store,
    StoredEvent,
    StoreError,
    Unavailable,
)
from openfelt.storage.event_forms import EVENT_FORMS, EventCodec
from openfelt.storage.shown_names import shown

Result = TypeVar("Result")


class ImpossibleEvent(Exception):
    """An event that cannot have happened at its place in the record; the sentence says why."""


REPLAY_ERRORS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    CodecError,
    ImpossibleEvent,
    LookupError,
    ProofError,
    Refusal,
    TypeError,
    ValueError,
)
"""Errors that replaying an impossible event can raise. Applying an event never refuses, so it fails
on the assumptions of the event."""


@dataclass(slots=True)
class AuditContext:
    """Shared state of the audits of single streams."""

    store: Store
    codec: EventCodec
    report: ReportDraft
    balances: dict[Account, int] = field(default_factory=dict)
    """The balances that follow from the records of tables and links."""
    keys_here: bool = False
    """Whether keys of the house are here: then none of those that the record names is missing."""
    all_listed: bool = False
    """Whether no event is of a version that did not list the forms of events."""
    heads: Mapping[str, Head] = field(default_factory=dict)
    """Where every stream ended when the audit began."""
    full: bool = True
    """Whether everything is checked that is there, and not only what is new."""
    archived: Mapping[str, int] = field(default_factory=dict)
    """By stream, the version up to which its events are in an archive."""
    listed_forms: Mapping[str, int] = field(default_factory=dict)
    """The forms of events that were listed when a full audit began."""
    forms: dict[str, int] = field(default_factory=dict)
    """By event, the newest form that was seen."""
    shipped: bool = False
    """Whether it is a copy of the log that was shipped: it has no secrets, and no deck.
    Every round contains only what was shown, as after a purge."""
    broken: set[str] = field(default_factory=set)
    """Streams of tables and links that could not be replayed to their end."""
    tallies: Tallies = field(default_factory=Tallies)
    feeding: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By link, the tables whose own records name it."""
    fed: dict[str, frozenset[str]] = field(default_factory=dict)
    """By link, the tables that the link's record names."""
    folded: dict[str, Mapping[str, int]] = field(default_factory=dict)
    """By link, how much it has counted of the feed of each table."""

    dealing: dict[str, str | None] = field(default_factory=dict)
    """By table, the dealer that the table's record names."""
    signed_on: dict[str, str | None] = field(default_factory=dict)
    """By dealer, the table that the dealer's record names."""

    @contextmanager
    def reporting(self, where: str) -> Iterator[None]:
        """Report what cannot be read, and continue after it."""
        try:
            yield
        except KeyMissing as error:
            self.note_encrypted(where, error)
        except DamagedFile as error:
            self.report.find(where, str(error))
            self.broken.add(where)
        except Unavailable:
            raise
        except StoreError as error:
            self.report.find(where, str(error))
            self.broken.add(where)
        except REPLAY_ERRORS as error:
            # It comes from deep within the record, and might quote it.
            self.report.find(where, f"It cannot be audited ({type(error).__name__}).")
            self.broken.add(where)

    def damage(self, where: str) -> Damage:
        """Reports damaged rows, which are then left out."""

        def report(error: Damaged) -> None:
            self.report.find(where, str(error))
            self.broken.add(where)

        return report

    def snapshot(self, stream: str) -> Snapshot | None:
        """The snapshot of a stream, which must be authentic."""
        try:
            stored = self.store.stored_snapshot(stream)
        except KeyMissing as error:
            self.note_encrypted(stream, error)
            return None
        except Irrecoverable as error:
            self.report.note(
                f"The snapshot of {shown(stream)} cannot be read, and is not used. {error}"
            )
            return None
        except Damaged as error:
            self.report.find(stream, str(error))
            return None
        if stored is None:
            return None
        snapshot, authentic = stored
        if not authentic:
            self.report.find(
                stream,
                "The snapshot was not written with a key of the house.",
                version=snapshot.version,
                expected="an authentic snapshot",
                found="another one",
            )
        return snapshot

    def check_snapshot(
        self,
        snapshot: Snapshot | None,
        stored: StoredEvent,
        state: object,
        *,
        word: str,
        codec: Codec | None = None,
    ) -> None:
        """Compare the snapshot of this event, if there is one, with the state after the event.

        ``word`` says what the state is. ``codec`` reads it, by default that of tables and money.
        """
        if snapshot is None or snapshot.version != stored.version:
            return
        self.report.counts.snapshots += 1
        self.check_snapshot_time(snapshot, stored)
        try:
            kept: Any = (codec or self.codec.codec).from_json(type(state), snapshot.body)
        except REPLAY_ERRORS as error:
            self.find_unreadable(stored, error)
            return
        if kept != state:
            self.find(
                stored,
                f"The snapshot differs from the {word} that its events give.",
                expected=f"the {word} as replayed",
                found="another state",
            )

    def check_snapshot_time(self, snapshot: Snapshot, stored: StoredEvent) -> None:
        """Report a snapshot whose time is not that of its event."""
        if snapshot.at_ms != stored.at_ms:
            self.find(
                stored,
                "The time of the snapshot differs from that of its event.",
                expected=str(stored.at_ms),
                found=str(snapshot.at_ms),
            )

    def find_unreadable(self, stored: StoredEvent, error: Exception) -> None:
        """Report a snapshot that cannot be read."""
        self.find(
            stored,
            "The snapshot cannot be read.",
            expected="a snapshot",
            found=type(error).__name__,
        )

    def check_secret_names(self, stream: str, allowed: Callable[[str], bool]) -> None:
        """Report secrets of a stream that no event of it can have written.

        The name of a secret is used once, so that one in advance would stop the table.
        """
        unknown = [name for name in self.store.secret_names(stream) if not allowed(name)]
        if unknown and self.has_moved(stream):
            return
        for name in unknown:
            self.report.find(
                stream,
                "There is a secret that no event names.",
                expected="no such secret",
                found=shown(name),
            )

    def see_form(self, stored: StoredEvent) -> None:
        """Remember the newest form of an event."""
        self.forms[stored.name] = max(stored.schema, self.forms.get(stored.name, 0))

    def check_forms(self) -> None:
        """Report forms of events that the list of them does not have: it guards a downgrade."""
        listed = self.store.event_forms(damage=self.damage("event_forms"))
        for name, schema in sorted(self.forms.items()):
            # Databases of earlier versions list only what was written since.
            if (name in listed or self.all_listed) and listed.get(name, 0) < schema:
                self._find_form(name, str(schema), str(listed.get(name, "none")))
        for name, schema in sorted(listed.items()):
            # An event that is only in an archive is not seen here.
            if name in EVENT_FORMS and schema > EVENT_FORMS[name].schema:
                self._find_form(name, str(EVENT_FORMS[name].schema), str(schema))
        # What was listed before the audit began has been read since.
        for name, schema in sorted(self.listed_forms.items()):
            if schema > self.forms.get(name, 0):
                self._find_form(name, str(self.forms.get(name, "none")), str(schema))

    def _find_form(self, name: str, expected: str, found: str) -> None:
        sentence = f"The form of {shown(name)} in its list is not the newest that was written."
        self.report.find("event_forms", sentence, expected=expected, found=found)

    def has_moved(self, stream: str) -> bool:
        """Whether a stream was written to since the audit has begun."""
        head = self.heads.get(stream)
        return head is not None and self.head_version(stream) > head.version

    def head_version(self, stream: str) -> int:
        """The version of a stream now, 0 if its head cannot be read."""
        try:
            return self.store.head(stream).version
        except Damaged:
            return 0

    def find(self, stored: StoredEvent, sentence: str, *, expected: str, found: str) -> None:
        """Report a finding about an event."""
        self.report.find(
            stored.stream, sentence, version=stored.version, expected=expected, found=found
        )

    def find_impossible(self, stored: StoredEvent, error: Exception) -> None:
        """Report an event that cannot be read, or cannot have happened at its place."""
        # Other errors come from deep within the rules, and might quote a card.
        quotable = isinstance(error, CodecError | ImpossibleEvent | Refusal)
        reason = str(error).rstrip(".") if quotable else type(error).__name__
        if isinstance(error, CodecError):
            wanted = f"a {shown(stored.name)}"
            self.find(stored, "It cannot be read.", expected=wanted, found=reason)
        else:
            sentence = f"A {shown(stored.name)} cannot have happened here."
            self.find(stored, sentence, expected="a possible event", found=reason)

    def find_break(self, stored: StoredEvent, error: Exception) -> None:
        """Report an event that cannot be replayed, so that the state after it is unknown."""
        self.find_impossible(stored, error)
        self.broken.add(stored.stream)

    def replayed(
        self, stored: StoredEvent, replay: Callable[[StoredEvent], Result]
    ) -> Result | None:
        """What replaying an event gives; None after a finding, and for all later events then."""
        if stored.stream in self.broken:
            return None
        try:
            return replay(stored)
        except REPLAY_ERRORS as error:
            self.find_break(stored, error)
            return None

    def note_encrypted(self, stream: str, error: KeyMissing) -> None:
        """Note that a stream is encrypted with a key that is not here.

        Its chain is checked, but it cannot be replayed. Where other keys of the house are here,
        it is a finding: a key of the house would be here too, or have been declared lost.
        """
        self.broken.add(stream)
        if self.keys_here:
            self.report.find(
                stream,
                "It needs a key that is not here, and that was not declared lost.",
                expected="a key of the house",
                found=error.key,
            )
            return
        self.report.note(
            f"The rounds of {shown(stream)} are not replayed: its cards are encrypted with the key "
            f"{error.key}, which is not here."
        )

    def check_snapshot_version(self, stream: str, snapshot: Snapshot | None) -> None:
        """Report a snapshot of a version that the stream does not have."""
        version = self.head_version(stream)
        if snapshot is not None and snapshot.version > version:
            self.report.find(
                stream,
                "There is a snapshot of a version that the stream does not have.",
                version=snapshot.version,
                expected=f"a version up to {version}",
                found=f"version {snapshot.version}",
            )
