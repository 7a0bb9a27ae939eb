"""The forms of the auditor's page: the log of events, verifications, checkpoints and exports."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from openfelt.protocol.form_fields import Taken, TypedName

ExportName = Literal["rounds", "lines", "transfers", "events"]
DayText = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]


class LogEntryView(BaseModel):
    """A significant event: who, when, what, and why."""

    at_ms: int
    stream: str
    """The record that it belongs to, such as ``table/pit-3``."""
    version: int
    """Its number in that record."""
    name: str
    actor: str
    """A role and a name, such as ``floor:sue``."""
    terminal: str
    why: str
    """The reason that was given, empty for none."""
    fields: dict[str, Any]
    """The content that was written. Encrypted parts of an event are not included."""


class LogPageView(BaseModel):
    """A page of the log, the newest first."""

    entries: list[LogEntryView]
    next: str | None
    """Where to continue, null at the beginning of the record."""
    scanned: int
    """How many events were read for this page."""


class LogEventView(BaseModel):
    """One event in depth."""

    entry: LogEntryView
    before: LogEntryView | None
    """The last event before it about the same object, such as a terminal or a seat; null if there
    was none."""
    values: dict[str, Any]
    """The values that the object had before, by the fields that this event sets."""
    command: str
    hash: str
    previous: str
    """The hash of the event before it in its record."""


class RecallForm(Taken):
    """A finished round that is to be shown as it was seen."""

    table: TypedName
    round: Annotated[int, Field(ge=1, le=2**53)]
    seats: Annotated[
        list[Annotated[int, Field(ge=1, le=100_000)]],
        Field(max_length=16, default_factory=list),
    ]
    """In a hall, the seats whose views are wanted; by default the first that played."""


class ArchiveView(BaseModel):
    """History that was moved out of the database into a file."""

    number: int
    at_ms: int
    """History before this time is in it."""
    checkpoint: int
    """The notary's last checkpoint in it."""
    transfer: int
    """The last transfer in it."""
    sha256: str
    """The hash of its file."""
    file: str | None
    """The name of its file, null if it is not at hand."""
    problem: str
    """Why a file that is there cannot be read; empty if it can."""


class ArchivesView(BaseModel):
    """All archives of the database, the newest first."""

    archives: list[ArchiveView]
    folder: bool
    """Whether the operator has named a folder of archives."""


class RecalledRound(BaseModel):
    """A finished round as the dealer and each seat saw it; the reading of it is recorded."""

    replay: Literal[True] = True
    """It is a replay, and never a round in progress."""
    table: str
    round: int
    recalled_ms: int
    frozen: str
    """JSON in the form of a dispute's frozen round: its record, rules, views and proof."""


class VerificationView(BaseModel):
    """A verification of the record that has ended."""

    at_ms: int
    by: str
    full: bool
    """Whether everything was checked, and not only what was new."""
    asked: bool
    took_ms: int
    events: int
    rounds: int
    transfers: int
    findings: int
    named: list[str]
    """The first findings, in words."""
    problem: str
    """Why it could not end, empty if it did."""


class VerificationProgress(BaseModel):
    """A verification in progress."""

    since_ms: int
    by: str
    full: bool
    done: int
    total: int
    """How many events there are, 0 until that is known."""


class VerificationsView(BaseModel):
    """The state of the verifications of the record."""

    running: VerificationProgress | None
    results: list[VerificationView]
    """The last results, the newest first."""
    every_hours: int
    """How often the record is verified automatically, 0 for never."""
    next_ms: int | None


class VerificationForm(Taken):
    """A verification that is to begin."""

    full: bool = False
    """Whether to check everything again, and not only what is new."""


class SignedCheckpointView(BaseModel):
    """A checkpoint of the notary."""

    number: int
    at_ms: int
    streams: int
    """How many records it names."""
    hash: str
    key: str
    """The public key, in hexadecimal digits."""
    restored: str | None
    """Why an older state had been restored before it, null if none was."""


class SignedCheckpointsView(BaseModel):
    """The notary and its last checkpoints, the newest first."""

    status: str
    """``ok``, ``off``, or what keeps the notary from signing."""
    checkpoints: list[SignedCheckpointView]


class ExportForm(Taken):
    """An export that is to be made."""

    tables: Annotated[list[ExportName], Field(min_length=1, max_length=4)]
    format: Literal["csv", "json", "parquet"] = "csv"
    first: DayText
    """The first day, UTC."""
    last: DayText


class ExportedFileView(BaseModel):
    """A file of an export."""

    name: str
    rows: int
    sha256: str


class ExportView(BaseModel):
    """An export, in progress or ready."""

    number: int
    by: str
    at_ms: int
    tables: list[str]
    format: str
    done: int
    total: int
    ended: bool
    problem: str
    files: list[ExportedFileView]
    key: str
    """The public key that has signed its manifest, empty until it is ready."""


class ExportsView(BaseModel):
    """The last export, null if there was none since the server started."""

    export: ExportView | None
