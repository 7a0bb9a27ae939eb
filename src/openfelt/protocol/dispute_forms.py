"""Disputes: rounds that are frozen, with what was noted about them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from openfelt.protocol.form_fields import Taken, TypedName, TypedReason


class NewDispute(Taken):
    """A finished round that is to be frozen."""

    table: TypedName
    round: Annotated[int, Field(ge=1, le=2**53)]
    note: TypedReason
    """The subject of the dispute."""


class DisputeNote(Taken):
    """A note on a dispute."""

    note: TypedReason


class DisputeOutcome(Taken):
    """The outcome of a dispute, which is final."""

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


class DisputeSeatView(BaseModel):
    """The dealer's or one seat's view of a frozen round, step by step, and as a picture."""

    seat: int
    """0 for the dealer and every spectator."""
    player: str
    steps: list[dict[str, Any]]
    picture: str | None
    """The last step as SVG, drawn when the round was frozen; null for rounds that an earlier
    version froze."""
    picture_sha256: str | None
    renderer: str | None
    """How the picture was drawn, such as ``openfelt.picture/1``."""
    house: str
    fingerprint: str
    proof_missing: str | None
    """Why there is no proof; null if there is one."""
