"""The transfers behind a figure of the floor's pages."""

from typing import Literal

from pydantic import BaseModel


class FigureTransferView(BaseModel):
    """One transfer of the ledger, as a part of a figure."""

    number: int
    at_ms: int
    reason: str
    round: str | None
    """The round that it comes from, such as ``stadium-1/31``."""
    slip: int | None
    """The slip of a fill or a credit."""
    debit: str
    """The account that the money came from."""
    credit: str
    """The account that it went to."""
    cents: int
    """Its contribution to the figure; negative if it is subtracted."""
    clause: str | None
    note: str
    stream: str
    version: int
    """The event that has caused it."""
    event: str
    """The name of that event; empty if it is in an archive."""
    actor: str
    """Who has caused it, such as ``dealer:dan``."""


class StartLineView(BaseModel):
    """A count that a figure begins with, which is not a transfer."""

    what: Literal["opening_count", "closing_count"]
    cents: int
    at_ms: int
    by: str
    """Who has signed it."""


class FigureTransfersView(BaseModel):
    """A figure, what its transfers add up to, and a page of them, the newest first."""

    figure_cents: int
    """The figure as its own page has it."""
    sum_cents: int
    """The sum of the counts and all transfers of the list."""
    count: int
    starts: list[StartLineView]
    from_ms: int | None
    """From when on; null for a figure of all time."""
    to_ms: int | None
    """The end; null if it has not ended."""
    found: int
    """How many transfers match the search; all of them without a search."""
    found_cents: int
    rows: list[FigureTransferView]
    next: int | None
    """The value of ``before`` for the next page; null at the end."""
    archived_ms: int | None
    """Transfers before this time are in an archive and are not listed; null if none is missing."""
