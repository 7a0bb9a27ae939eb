"""The event of a shipment: a segment of the log was written to a copy."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SegmentShipped:
    """A signed segment of the log has been written to a folder."""

    copy: str
    """The id of the copy in that folder."""
    number: int
    """The number of the segment, counted from 1."""
    hash: str
    """The hash of its manifest, by which the next segment names it."""
    events: int
    """How many events it has."""
