"""The event of a reading: who has read which part of the record."""

from dataclasses import dataclass
from enum import StrEnum


class ReadingKind(StrEnum):
    """The subject that was read. The values are stored and never change."""

    ROUND = "round"
    """A finished round, as the dealer and each seat saw it."""
    DISPUTE = "dispute"
    """The frozen round of a dispute."""
    EXPORT = "export"
    """Files of the record."""


@dataclass(frozen=True, slots=True)
class RecordRead:
    """A restricted part of the record has been read."""

    kind: ReadingKind
    subject: str
    """Which one, such as ``stadium-1/31``."""
