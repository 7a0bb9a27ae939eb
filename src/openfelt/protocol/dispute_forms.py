"""Disputes: rounds that are frozen, with what was noted about them."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from openfelt.protocol.form_fields import Taken, TypedName, TypedReason

SeatNumber = Annotated[int, Field(ge=1, le=100_000)]


class NewDispute(Taken):
    """A finished round that is to be frozen."""

    table: TypedName
    round: Annotated[int, Field(ge=1, le=2**53)]
    note: TypedReason
    """What the dispute is about."""
    seats: Annotated[list[SeatNumber], Field(max_length=16, default_factory=list)]
    """In a hall, the seats whose views are written out; by default the first that played."""


class DisputeNote(Taken):
    """A note on a dispute."""

    note: TypedReason


class DisputeOutcome(Taken):
    """The outcome of a dispute, which stands."""

    outcome: Literal["upheld", "rejected", "settled"]
    note: TypedReason


class DisputeEntry(BaseModel):
    """Something that was added to a dispute."""

    at_ms: int
    by: str
    note: str
    outcome: Literal["upheld", "rejected", "settled"] | None
    """The outcome, null for a note."""


class DisputeView(BaseModel):
    """A dispute."""

    number: int
    table: str
    round: int
    at_ms: int
    by: str
    note: str
    seats: list[int]
    """The seats whose views are frozen."""
    until_ms: int
    """Until when the frozen round is kept at least."""
    purged: bool
    """Whether cards that were never shown had been purged before."""
    digest: str
    """The SHA-256 of the frozen round."""
    outcome: Literal["upheld", "rejected", "settled"] | None
    entries: list[DisputeEntry]
