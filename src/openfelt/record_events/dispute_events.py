"""The events of a dispute: a round is frozen, notes are added, and it is decided.

A dispute has its own stream, and its frozen round is a secret of that stream. Neither the purge of
cards nor an archive removes them. Who caused an event is in its cause.
"""

from dataclasses import dataclass
from enum import StrEnum


class DisputeEnd(StrEnum):
    """The outcome of a dispute."""

    UPHELD = "upheld"
    """The player was right."""
    REJECTED = "rejected"
    """The round stands as it was settled."""
    SETTLED = "settled"
    """The house and the player have agreed otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOpened:
    """A finished round is frozen, with what each seat and the dealer saw of it."""

    table: str
    round: int
    seats: tuple[int, ...]
    """The seats whose views are frozen: all that played, or in older records sixteen at most."""
    digest: str
    """The SHA-256 of the frozen round."""
    until_ms: int
    """Until when it is kept at least."""
    purged: bool
    """Whether cards that were never shown had been purged before."""
    note: str


@dataclass(frozen=True, slots=True)
class DisputeNoted:
    """A note was added to a dispute."""

    note: str


@dataclass(frozen=True, slots=True)
class DisputeDecided:
    """A dispute has ended."""

    outcome: DisputeEnd
    note: str


DisputeEvent = DisputeOpened | DisputeNoted | DisputeDecided
