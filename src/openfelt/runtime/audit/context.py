"""What the audits of single streams share: the store, the report, and sums across streams."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from openfelt.ledger import Account
from openfelt.rules.refusal import Refusal
from openfelt.runtime.audit.link_tallies import Tallies
from openfelt.runtime.audit.report import ReportDraft
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.storage.codec import CodecError
from openfelt.storage.door import KeyMissing, Snapshot, Store, StoredEvent
from openfelt.storage.event_forms import EventCodec


class ImpossibleEvent(Exception):
    """An event that cannot have happened where it stands; the sentence says why."""


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
"""What replaying an impossible event can raise. Applying an event never refuses, so it fails on
whatever the event takes for granted."""


@dataclass(slots=True)
class AuditContext:
    """What the audits of single streams share."""

    store: Store
    codec: EventCodec
    report: ReportDraft
    balances: dict[Account, int] = field(default_factory=dict)
    """What accounts must hold according to the records of tables and links."""
    broken: set[str] = field(default_factory=set)
    """Streams of tables and links that could not be replayed to their end."""
    tallies: Tallies = field(default_factory=Tallies)
    feeding: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By link, the tables whose own records name it."""
    fed: dict[str, frozenset[str]] = field(default_factory=dict)
    """By link, the tables that the link's record names."""

    def find(self, stored: StoredEvent, sentence: str, *, expected: str, found: str) -> None:
        """Report a finding about an event."""
        self.report.find(
            stored.stream, sentence, version=stored.version, expected=expected, found=found
        )

    def find_impossible(self, stored: StoredEvent, error: Exception) -> None:
        """Report an event that cannot be read, or cannot have happened where it stands."""
        # Other errors come from deep within the rules, and might quote a card.
        quotable = isinstance(error, CodecError | ImpossibleEvent | Refusal)
        reason = str(error).rstrip(".") if quotable else type(error).__name__
        if isinstance(error, CodecError):
            self.find(stored, "It cannot be read.", expected=f"a {stored.name}", found=reason)
        else:
            sentence = f"A {stored.name} cannot have happened here."
            self.find(stored, sentence, expected="a possible event", found=reason)

    def note_sealed(self, stream: str, error: KeyMissing) -> None:
        """Note that the cards of a table are sealed with a key that is not here.

        Its chain is checked, but its rounds cannot be replayed.
        """
        self.broken.add(stream)
        self.report.note(
            f"The rounds of {stream} are not replayed: its cards are sealed with the key "
            f"{error.key}, which is not here."
        )

    def check_snapshot_version(self, stream: str, snapshot: Snapshot | None) -> None:
        """Report a snapshot of a version that the stream does not have."""
        version = self.store.head(stream).version
        if snapshot is not None and snapshot.version > version:
            self.report.find(
                stream,
                "There is a snapshot of a version that the stream does not have.",
                version=snapshot.version,
                expected=f"a version up to {version}",
                found=f"version {snapshot.version}",
            )
