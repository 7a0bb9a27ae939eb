"""The report of an audit: counts of what it has checked, and findings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from openfelt.storage.shown_names import shown
from openfelt.table.seeds import FairnessCounts

FINDINGS_MAX: Final = 100
"""How many findings a report keeps; further ones are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding: what is wrong, and where."""

    where: str
    """A stream such as ``table/stadium-1``, or ``transfers``, ``balances``, ``checkpoints``
    or ``published``."""
    version: int | None = None
    """The number of the event, transfer, checkpoint or line; None if there is no such number."""
    sentence: str
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        text = f"{self.place}: {self.sentence}"
        if self.expected or self.found:
            text += f" Expected: {self.expected}. Found: {self.found}."
        return text

    @property
    def place(self) -> str:
        """The place of a finding, in words."""
        if self.version is None:
            return self.where
        noun = _NUMBERED.get(self.where)
        return f"{noun} {self.version}" if noun else f"event {self.version} of {self.where}"


_NUMBERED: Final = {
    "transfers": "transfer",
    "checkpoints": "checkpoint",
    "published": "line of the published file",
    "segments": "segment",
}


@dataclass(slots=True, kw_only=True)
class Counts:
    """How much an audit has checked."""

    segments: int = 0
    """Segments of a shipped copy, each signed and following the one before."""
    streams: int = 0
    tables: int = 0
    links: int = 0
    wallets: int = 0
    vouchers: int = 0
    drawers: int = 0
    """Cashiers' drawers."""
    trays: int = 0
    """Trays of live tables."""
    dealers: int = 0
    """Dealers who have signed on, each compared with the tables that name the dealer."""
    purges: int = 0
    """Tables whose old decks were purged."""
    others: int = 0
    """Streams of other kinds; only their chains are checked, and that they move no money."""
    events: int = 0
    transfers: int = 0
    accounts: int = 0
    """Accounts that are not at zero."""
    rounds_settled: int = 0
    rounds_voided: int = 0
    rounds_in_progress: int = 0
    rounds_counted: int = 0
    """Rounds that links have counted, each compared with its table's settlement."""
    decks: int = 0
    """Secret decks that match the roots their tables had committed to."""
    rounds_sealed_late: int = 0
    """Rounds of an earlier version of Openfelt, which committed to its decks with the wagers."""
    seeds: int = 0
    """Seeds of players, each the one that its seat was bound to."""
    seeds_withheld: int = 0
    rounds_purged: int = 0
    """Rounds whose hidden cards were removed after their time; what was shown is checked."""
    rounds_unreadable: int = 0
    """Rounds whose hidden cards were encrypted with a key that was declared lost."""
    keys_lost: int = 0
    """Keys that were declared lost."""
    proofs_dropped: int = 0
    """Purged rounds whose proofs are no longer kept."""
    decks_purged: int = 0
    """Secret decks that were removed after their time; only shown cards can be proved."""
    cards: int = 0
    """Cards dealt, each from its place in its deck where the deck is virtual."""
    snapshots: int = 0
    heads_authentic: int = 0
    """Streams whose heads were written with a key of the house."""
    events_unauthenticated: int = 0
    """Events of earlier versions, from before appends were authentic."""
    answers: int = 0
    checkpoints: int = 0
    published: int = 0
    """Checkpoints in the published file."""
    unpublished: int = 0
    """Checkpoints of the database that are not in the published file yet."""
    streams_uncovered: int = 0
    """Streams with events that no checkpoint covers yet."""
    events_uncovered: int = 0
    """Events that no checkpoint covers yet."""
    events_lost: int = 0
    """Signed events that are gone since an older state was restored, as a checkpoint says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """The result of an audit: what it has checked, and its findings."""

    counts: Counts
    findings: tuple[Finding, ...]
    more_findings: int
    """How many findings there were beyond those kept."""
    notes: tuple[str, ...]
    """Checks that could not be made, and why."""
    signers: tuple[str, ...]
    """The public keys that the checkpoints name."""
    fairness: Mapping[str, FairnessCounts] = field(default_factory=dict)
    """By virtual table, its void rounds and withheld seeds: the means by which a house or a
    player could still influence which rounds count."""

    @property
    def clean(self) -> bool:
        """Whether there are no findings."""
        return not self.findings


@dataclass(slots=True)
class ReportDraft:
    """A report while its audit runs."""

    findings_max: int = FINDINGS_MAX
    counts: Counts = field(default_factory=Counts)
    findings: list[Finding] = field(default_factory=list)
    more_findings: int = 0
    notes: list[str] = field(default_factory=list)
    signers: set[str] = field(default_factory=set)
    fairness: dict[str, FairnessCounts] = field(default_factory=dict)

    def find(
        self,
        where: str,
        sentence: str,
        *,
        version: int | None = None,
        expected: str = "",
        found: str = "",
    ) -> None:
        """Add a finding, or only count it if there are too many."""
        self.add(
            Finding(
                where=shown(where),
                version=version,
                sentence=sentence,
                expected=expected,
                found=found,
            )
        )

    def add(self, finding: Finding) -> None:
        """Add a finding, or only count it if there are too many."""
        if len(self.findings) >= self.findings_max:
            self.more_findings += 1
        else:
            self.findings.append(finding)

    def note(self, sentence: str) -> None:
        """Add a note, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def finished(self) -> AuditReport:
        """The report of everything found so far."""
        return AuditReport(
            counts=self.counts,
            findings=tuple(self.findings),
            more_findings=self.more_findings,
            notes=tuple(self.notes),
            signers=tuple(sorted(self.signers)),
            fairness=dict(sorted(self.fairness.items())),
        )
