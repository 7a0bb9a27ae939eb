"""The event of a verification: the whole record, or what was new in it, was audited."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordVerified:
    """An audit of the record has ended."""

    full: bool
    """Whether everything was checked, and not only what was new."""
    asked: bool
    """Whether a person asked for it; otherwise it was time for it."""
    took_ms: int
    events: int
    """How many events were checked."""
    rounds: int
    """How many rounds were settled again."""
    transfers: int
    findings: int
    named: tuple[str, ...] = ()
    """The first findings, in words. They never name a card."""
    problem: str = ""
    """Why the audit could not end, empty if it did."""
