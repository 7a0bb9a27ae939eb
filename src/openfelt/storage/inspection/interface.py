"""What every store offers to an audit besides reading: its own checks, and rows on their own."""

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


class Integrity(NamedTuple):
    """What the database's own check of its files has found."""

    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be checked, and why."""


class Stray(NamedTuple):
    """A row that belongs to no event."""

    table: str
    row: str
    expected: str
    found: str
    version: int | None = None
    """Of events beyond a head, the first version that the stream does not have."""


class LeaseRow(NamedTuple):
    """What the row of a stream says of its lease."""

    stream: str
    fence: int
    owner: str
    left_ms: int
    """How long it still lasts, 0 if it is over."""


class Inspection(Protocol):
    """What every store offers to an audit."""

    def integrity(self) -> Integrity:
        """The database's own check of its files, indexes and schema; it may take minutes."""
        ...

    def strays(self) -> tuple[Stray, ...]:
        """Some rows that belong to no stream, or lie beyond the head of theirs."""
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

    def renew_codes(self, lost: Collection[str] = ()) -> int:
        """Authenticate all heads with the newest key; gives how many had an older one.

        What is authentic under keys that are ``lost`` is taken as it is found. A commit that
        declares a key lost does the same. Raises Forged, or KeyMissing.
        """
        ...

    def old_answers_digest(self) -> tuple[int, str]:
        """How many old answers there are, without refusals, and a hash of them."""
        ...
