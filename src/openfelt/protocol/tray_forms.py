"""The forms of the chips of live tables, and of the money of a shift.

An unknown figure is null, never zero. What people have counted by hand is named
counted; everything else is added up from the record, to the cent, and covers the time from
``from_ms`` to ``to_ms``.
"""

from typing import Literal

from pydantic import BaseModel

from openfelt.protocol.cage_forms import CageCommand, CountLine, CountLines
from openfelt.protocol.form_fields import TypedReason

# What is sent --------------------------------------------------------------------------------


class TrayCountForm(CageCommand):
    """The chips of a tray, as they were counted, with the first signature."""

    moment: Literal["opening", "closing"]
    count: CountLines
    reason: TypedReason | None = None
    """Why the count differs from the book."""


class ChipsRequest(CageCommand):
    """Chips that are to be brought to a tray or taken from it."""

    kind: Literal["fill", "credit"]
    count: CountLines
    note: TypedReason | None = None


class TrayRefusal(CageCommand):
    """Why a count is not signed, or a request is not carried out."""

    reason: TypedReason


# What is answered ------------------------------------------------------------------------------


class ChipMoveView(BaseModel):
    """A fill or a credit that has not come yet."""

    table: str
    number: int
    kind: Literal["fill", "credit"]
    count: list[CountLine]
    cents: int
    by: str
    by_supervisor: bool
    at_ms: int
    note: str
    given_by: str | None
    """Who has approved it and given the chips; null while it waits."""
    given_ms: int | None
    slip: int | None
    """The number of the slip, once the chip bank has made it."""


class WaitingCountView(BaseModel):
    """A count with one signature."""

    number: int
    moment: Literal["opening", "closing"]
    count: list[CountLine]
    cents: int
    by: str
    by_supervisor: bool
    """Whether a supervisor has counted, and the dealer of the table signs."""
    at_ms: int
    reason: str


class TrayView(BaseModel):
    """The tray of a live table, for the people who sign for its chips."""

    table: str
    open: bool
    opened_ms: int | None
    opening_cents: int | None
    book_cents: int | None
    """The amount that the tray must hold now, by its book; null for staff who count it blind, and
    before the first opening."""
    waiting: WaitingCountView | None
    moves: list[ChipMoveView]


class SlipView(BaseModel):
    """A slip of the chip bank, as it is printed. Slips are numbered in one row without a gap."""

    slip: int
    table: str
    request: int
    kind: Literal["fill", "credit"]
    count: list[CountLine]
    cents: int
    requested_by: str
    given_by: str
    received_by: str | None
    """Null while the chips are on their way."""
    refused_by: str | None
    """Who has noted that the chips went back, and the slip is void."""
    reason: str
    """Why they went back."""
    at_ms: int


class ChipBankView(BaseModel):
    """The chip bank at the cage: what waits there, and the newest slips."""

    moves: list[ChipMoveView]
    slips: list[SlipView]
    """The newest first."""


class TablePlayView(BaseModel):
    """The play at a table, added up from its record, in cents."""

    bought_in_cents: int
    """The drop: what players have bought chips or credit for."""
    collected_cents: int
    """The amount that players have cashed in."""
    win_cents: int
    """The win of the house's bank, less payouts, including tips, without adjustments."""
    tips_cents: int
    contributed_cents: int
    """Progressive wagers, which belong to the link."""
    awarded_cents: int
    """Awards and Envy, which the link pays."""
    collections_cents: int
    corrections_cents: int
    """Adjustments that the house got, less those that it paid."""


class WagerPlayView(BaseModel):
    """One kind of wager, in rounds that were settled."""

    wager: str
    stakes_cents: int
    win_cents: int
    """The house's win on it, less payouts; for the progressive, the link's income."""


class SignedCountView(BaseModel):
    """A count that both have signed."""

    number: int
    """The count's own number, which no other count of the tray has."""
    at_ms: int
    count: list[CountLine]
    cents: int
    dealer: str
    supervisor: str
    difference_cents: int | None
    """The count less the book; null at the first opening, where there is nothing to compare."""
    reason: str


class TrayShiftView(BaseModel):
    """The tray of a table from its opening to its closing."""

    opening: SignedCountView
    closing: SignedCountView | None
    fills_cents: int
    credits_cents: int
    book_cents: int
    """The amount that the tray must hold, or had to hold at the closing."""
    counted_win_cents: int | None
    """Closing + credits + drop - opening - fills, as counted; null before the closing."""
    before: TablePlayView
    """The play before the opening, while the tray was closed; booked with the opening."""


class TableMoneyView(BaseModel):
    """The money of a shift at one table."""

    table: str
    house_name: str
    live: bool
    """Whether a dealer deals it, who has a tray of chips."""
    covers: Literal["shift", "day"]
    """Whether the figures are those of the tray's shift, or of the day in UTC."""
    from_ms: int
    to_ms: int
    rounds: int
    play: TablePlayView
    wagers: list[WagerPlayView]
    stakes_cents: int
    """All stakes of settled rounds, without progressive wagers."""
    shift: TrayShiftView | None
    """Null if the tray was never opened, or the table has none."""
    waiting: WaitingCountView | None
    moves: list[ChipMoveView]


class WinToDropView(BaseModel):
    """Win to drop of a table, or of the house, in a period, beside the 365 days before it."""

    table: str | None
    """Null for the whole house."""
    span: Literal["day", "month", "year"]
    first: str
    last: str
    """The last day that was counted; a month or a year goes up to it."""
    days: int
    """How many days of the period were counted."""
    drop_cents: int
    win_cents: int
    days_before: int
    """How many days with a drop there are in the 365 days before the period."""
    usual: float | None
    """Win to drop of those days, as a share; null if they are too few, as the others are."""
    low: float | None
    """The band in which chance alone keeps the period in 95 of 100 times; null without a drop."""
    high: float | None
    outside: bool


class FloorMoneyView(BaseModel):
    """The money of a shift at all tables."""

    at_ms: int
    tables: list[TableMoneyView]
    missing: list[str]
    """Tables whose record cannot be read; they are in no sum."""
    win_to_drop: list[WinToDropView]
    """The house, then each table: the last day, its month and its year; empty before the first day
    is over."""


class TableShiftsView(BaseModel):
    """The money of one table: the shift in progress or the last one, and those before it."""

    now: TableMoneyView
    before: list[TrayShiftView]
    """Shifts that are over, the newest first; the last one is in ``now`` until the next begins."""
    slips: list[SlipView]
    """The slips of this table, the newest first."""
