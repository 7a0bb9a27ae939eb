"""The interface of every store for an audit besides reading: its own checks, and single rows."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentication:
    """From when on the appends of a database are authentic, as its stream ``appends`` records."""

    database: str
    """The id of the database, which was chosen then."""
    streams: int = 0
    """How many streams were there already, written by earlier versions without a key."""
    events: int = 0
    """How many events they had."""
    answers: int = 0
    """How many old answers there were, without refusals."""
    answers_digest: str = ""
    """A hash of them all."""
    epoch: str = ""
    """The id to which codes are bound besides the database; a restored or copied database begins a
    new one. Empty in databases from before there were epochs."""
    keys: tuple[str, ...] = ()
    """The ids of all keys that were ever used; empty if the first of them was not recorded."""


class Integrity(NamedTuple):
    """The result of the database's own check of its files."""

    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Checks that could not be made, and why."""


class Stray(NamedTuple):
    """A row that belongs to no event."""

    table: str
    row: str
    expected: str
    found: str
    version: int | None = None
    """Of events beyond a head, the first version that the stream does not have."""


class LeaseRow(NamedTuple):
    """The lease in the row of a stream."""

    stream: str
    fence: int
    owner: str
    left_ms: int
    """How long it still lasts, 0 if it is over."""


class StreamRows(NamedTuple):
    """The rows of a stream besides its head and its events."""

    last_transfer: int
    """The number of its last transfer, 0 for none."""
    others: bool
    """Whether it has a snapshot, a secret or an old answer."""


class Inspection(Protocol):
    """The interface of every store for an audit."""

    def integrity(self) -> Integrity:
        """The database's own check of its files, indexes and schema; it may take minutes."""
        ...

    def strays(self) -> tuple[Stray, ...]:
        """Some rows that belong to no stream, or lie beyond the head of theirs."""
        ...

    def stream_rows(self) -> dict[str, StreamRows]:
        """The rows of every stream besides its events, in one statement."""
        ...

    def lease_rows(self) -> tuple[LeaseRow, ...]:
        """The rows of all streams that have ever been leased."""
        ...

    def rule_set_names(self) -> tuple[str, ...]:
        """The fingerprints of all rule sets."""
        ...

    def append_key_ids(self) -> tuple[str, ...]:
        """The ids of the keys under which heads are authentic."""
        ...

    def renew_codes(self, lost: Collection[str] = (), *, at_ms: int = 0) -> int:
        """Authenticate all heads with the newest key; returns how many had an older one.

        Heads that are authentic under ``lost`` keys are accepted as they are. A commit that
        declares a key lost does the same. Raises Forged, KeyMissing, or KeyFailure for a key that
        the database has never used.
        """
        ...

    def key_ids(self) -> tuple[str, ...]:
        """The ids of the keys that are here."""
        ...

    def keys_used(self) -> tuple[str, ...]:
        """The ids of the keys that the database has ever used, as its own stream says.

        Whether that stream is authentic is not checked: its key may be the one that is lost.
        """
        ...

    def was_authenticated(self) -> bool:
        """Whether the record beside the keys knows a database with codes in this place."""
        ...

    def begin_epoch(self, at_ms: int, reason: str) -> None:
        """Bind all codes to a new epoch, so that rows of any other copy are not authentic here.

        Rows that were not authentic before stay so. Raises KeyMissing, and StoreError while a
        server runs.
        """
        ...

    def old_answers_digest(self) -> tuple[int, str]:
        """How many old answers there are, without refusals, and a hash of them."""
        ...
