"""The events of archiving: history was moved out of the database, or put back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HistoryArchived:
    """History up to a checkpoint has been moved to a file."""

    number: int
    """The number of the archive."""
    checkpoint: int
    transfer: int
    """The number of the last transfer that was moved."""
    sha256: str
    """The hash of the file."""


@dataclass(frozen=True, slots=True)
class HistoryReturned:
    """The history of the newest archive has been put back."""

    number: int
