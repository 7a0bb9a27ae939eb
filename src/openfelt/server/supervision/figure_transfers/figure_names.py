"""Names of figures, and scopes: a figure as its page shows it, and where its transfers are."""

from dataclasses import dataclass
from typing import Literal

from openfelt.server.errors import Denied, not_found
from openfelt.server.supervision.figure_transfers.figure_terms import WagerTransferTerms
from openfelt.storage.balances.transfer_terms import TransferRange

StartKind = Literal["opening_count", "closing_count"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureName:
    """Which figure of which page."""

    subject: str
    figure: str
    name: str = ""
    """The table, link, drawer or dealer; empty for all tables."""
    wager: str = ""
    span: str = "now"
    number: int = 0
    """The opening count of a tray's shift, the event that has opened a drawer, or when the shift
    of a dealer began."""


@dataclass(frozen=True, slots=True)
class StartLine:
    """A count that a figure begins with, which is no transfer."""

    what: StartKind
    cents: int
    at_ms: int
    by: str


@dataclass(frozen=True, slots=True)
class FigurePart:
    """A part of the book that a figure adds up."""

    named: TransferRange
    unnamed: TransferRange | None = None
    """Transfers of which the settlement says whether they belong to the figure."""
    wagers: WagerTransferTerms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureScope:
    """A figure as its page shows it, and where its transfers are."""

    cents: int
    parts: tuple[FigurePart, ...]
    from_ms: int | None
    to_ms: int | None = None
    starts: tuple[StartLine, ...] = ()
    moving: bool = False
    """Whether the book may have changed between the figure and the list."""


def unknown_figure() -> Denied:
    """The requested name is not a figure of any page."""
    return not_found("There is no such figure.")
