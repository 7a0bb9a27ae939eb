"""The events of a table's tray of chips, its state after each of them, and their transfers.

A tray is opened and closed by a count that a dealer and a supervisor sign. In between, chips go to
it by fills and from it by credits, each requested, given and received by three people. What play
does to the chips is in the record of the table; a count books it up to the point in that record
which it names, so that the book of the tray is exact. What a count lacks or has too much is a loss
or a gain of the house, with a reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from openfelt.ledger.accounts import Account, AccountKind
from openfelt.ledger.counts import Count, counted_cents, moved, moved_either_way
from openfelt.ledger.table_play import TablePlay
from openfelt.ledger.transfers import Reason, Transfer

CHIP_BANK: Final = Account(AccountKind.CHIPS)
"""The chips at the cage; its balance is what it has given out."""


class TrayMoment(StrEnum):
    """At which end of a shift a tray is counted."""

    OPENING = "opening"
    CLOSING = "closing"


class SlipKind(StrEnum):
    """The direction of chips between the chip bank and a tray."""

    FILL = "fill"
    """From the chip bank to the tray."""
    CREDIT = "credit"
    """From the tray to the chip bank."""


@dataclass(frozen=True, slots=True)
class RecordMark:
    """A point in the record of a table."""

    version: int
    """The last event before it."""
    transfer: int
    """The number of the last transfer before it."""


# Events ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TrayCounted:
    """A dealer or a supervisor has counted the tray and signed; the other has to sign too."""

    table: str
    number: int
    moment: TrayMoment
    count: Count
    by: str
    supervisor: bool
    """Whether the supervisor has counted, and the dealer has to sign."""
    mark: RecordMark
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TrayCountDropped:
    """A count was not signed by the second person, or was withdrawn by the first."""

    number: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayOpened:
    """The tray is open: both have signed the opening count."""

    table: str
    number: int
    count: Count
    dealer: str
    supervisor: str
    difference_cents: int
    """The count less what the book has since the last closing; negative if chips are short."""
    play: TablePlay
    """The play since the last closing, while the tray was closed."""
    mark: RecordMark
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayClosed:
    """The tray is closed: both have signed the closing count. The chips stay in the tray."""

    table: str
    number: int
    count: Count
    dealer: str
    supervisor: str
    difference_cents: int
    play: TablePlay
    """The play since the opening."""
    mark: RecordMark
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChipsRequested:
    """A dealer or a supervisor wants chips brought to the tray or taken from it."""

    number: int
    kind: SlipKind
    count: Count
    by: str
    supervisor: bool
    """Whether a supervisor has requested them, and the dealer is the second person at the table."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChipsGiven:
    """The chips are approved and on their way, from the chip bank or from the tray."""

    number: int
    by: str
    slip: int | None = None
    """The number of the slip of a fill, which the chip bank makes when it gives the chips."""


@dataclass(frozen=True, slots=True)
class ChipsReceived:
    """The chips have come, and were counted by the person who received them."""

    number: int
    by: str
    slip: int | None = None
    """The number of the slip of a credit, which the chip bank makes when it gets the chips."""


@dataclass(frozen=True, slots=True)
class ChipsRefused:
    """A request was rejected or withdrawn; chips on their way go back where they came from."""

    number: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class SlipMade:
    """The chip bank has made a slip. Slips of the house are numbered in one row without a gap."""

    number: int
    table: str
    request: int
    version: int
    """The event of the tray that this slip is for."""


TrayEvent = (
    TrayCounted
    | TrayCountDropped
    | TrayOpened
    | TrayClosed
    | ChipsRequested
    | ChipsGiven
    | ChipsReceived
    | ChipsRefused
)


# State -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WaitingCount:
    """A count with one signature."""

    counted: TrayCounted
    at_ms: int
    book_cents: int
    """The tray's book at that time, without play; fills and credits since change it."""


@dataclass(frozen=True, slots=True)
class ChipMove:
    """Chips that were requested and have not come yet."""

    request: ChipsRequested
    at_ms: int
    given: ChipsGiven | None = None
    given_ms: int | None = None

    @property
    def cents(self) -> int:
        """The value of the chips."""
        return counted_cents(self.request.count)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayShift:
    """The time of a tray from its opening to its closing."""

    opened: TrayOpened
    opened_ms: int
    first: bool = False
    """Whether it is the first shift of the tray, whose opening has nothing to be compared with."""
    fills_cents: int = 0
    """Fills that were received."""
    credits_cents: int = 0
    """Credits that were taken from the tray."""
    closed: TrayClosed | None = None
    closed_ms: int | None = None

    @property
    def opening_cents(self) -> int:
        """The count at the opening."""
        return counted_cents(self.opened.count)

    @property
    def closing_cents(self) -> int | None:
        """The count at the closing, None before it."""
        return None if self.closed is None else counted_cents(self.closed.count)

    def counted_win_cents(self, play: TablePlay) -> int | None:
        """The win as the counts have it, None before the closing.

        It is closing + credits + drop - opening - fills, where the drop is what players bought
        chips for less what they brought back, and the chips of the link are not the house's.
        """
        if self.closing_cents is None:
            return None
        drop_cents = play.bought_in_cents - play.collected_cents
        link_cents = play.contributed_cents - play.awarded_cents
        counted = self.closing_cents + self.credits_cents + drop_cents
        return counted - self.opening_cents - self.fills_cents - link_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Tray:
    """The tray of a table as its record has it."""

    id: str
    """The name of the table."""
    open: bool = False
    shift: TrayShift | None = None
    """The shift that is open, or the one that was closed last, as long as that is kept."""
    cents: int = 0
    """Its value at the last count, with fills and credits since, and without play since."""
    mark: RecordMark | None = None
    """The point in the record of the table at which it was counted last."""
    waiting: WaitingCount | None = None
    moves: Mapping[int, ChipMove] = field(default_factory=dict)
    """Chips that were requested and have not come yet, by number."""
    requests: int = 0
    """How often chips were ever requested; requests are numbered without gaps."""
    counts: int = 0
    """How many counts there ever were; they are numbered without gaps."""


def tray_after(tray: Tray, event: TrayEvent, at_ms: int) -> Tray:
    """A tray after an event."""
    match event:
        case TrayCounted():
            return replace(
                tray, waiting=WaitingCount(event, at_ms, tray.cents), counts=event.number
            )
        case TrayCountDropped():
            return replace(tray, waiting=None)
        case TrayOpened():
            shift = TrayShift(opened=event, opened_ms=at_ms, first=tray.mark is None)
            return replace(_recounted(tray, event), open=True, shift=shift)
        case TrayClosed():
            assert tray.shift is not None
            shift = replace(tray.shift, closed=event, closed_ms=at_ms)
            return replace(_recounted(tray, event), open=False, shift=shift)
        case ChipsRequested():
            moves = {**tray.moves, event.number: ChipMove(event, at_ms)}
            return replace(tray, moves=moves, requests=event.number)
        case ChipsGiven():
            move = replace(tray.moves[event.number], given=event, given_ms=at_ms)
            moved = replace(tray, moves={**tray.moves, event.number: move})
            is_credit = move.request.kind is SlipKind.CREDIT
            return _with_credits(moved, move.cents) if is_credit else moved
        case ChipsReceived():
            move = tray.moves[event.number]
            moved = _without(tray, event.number)
            is_fill = move.request.kind is SlipKind.FILL
            return _with_fills(moved, move.cents) if is_fill else moved
        case ChipsRefused():
            move = tray.moves[event.number]
            moved = _without(tray, event.number)
            back = move.given is not None and move.request.kind is SlipKind.CREDIT
            return _with_credits(moved, -move.cents) if back else moved


def between_shifts(tray: Tray) -> Tray:
    """The state of a closed tray; the finished shift is in its record."""
    return replace(tray, shift=None)


def _recounted(tray: Tray, event: TrayOpened | TrayClosed) -> Tray:
    return replace(tray, cents=counted_cents(event.count), mark=event.mark, waiting=None)


def _with_credits(tray: Tray, cents: int) -> Tray:
    assert tray.shift is not None
    shift = replace(tray.shift, credits_cents=tray.shift.credits_cents + cents)
    return replace(tray, cents=tray.cents - cents, shift=shift)


def _with_fills(tray: Tray, cents: int) -> Tray:
    assert tray.shift is not None
    shift = replace(tray.shift, fills_cents=tray.shift.fills_cents + cents)
    return replace(tray, cents=tray.cents + cents, shift=shift)


def _without(tray: Tray, number: int) -> Tray:
    left = {each: move for each, move in tray.moves.items() if each != number}
    return replace(tray, moves=left)


# Money -----------------------------------------------------------------------------


def tray_account(table: str) -> Account:
    """The chips in the tray of a table.

    >>> str(tray_account("pit-1"))
    'tray:pit-1'
    """
    return Account(AccountKind.TRAY, table)


def in_play_account(table: str) -> Account:
    """The chips that went from the tray of a table into play, by its record."""
    return Account(AccountKind.CHIPS, table)


def moved_account(table: str) -> Account:
    """The chips that are on their way to or from the tray of a table."""
    return Account(AccountKind.CHIPS, f"{table}/moved")


def differences_account(table: str) -> Account:
    """The house's losses and gains by differences of a tray."""
    return Account(AccountKind.HOUSE, f"{table}/tray")


def tray_transfers(tray: Tray, event: TrayEvent) -> tuple[Transfer, ...]:
    """The transfers that an event causes, given the tray as it was before.

    Chips that come to a tray are a debit of it, as cash that comes to a drawer is.
    """
    own, on_the_way = tray_account(tray.id), moved_account(tray.id)
    match event:
        case TrayOpened() if tray.mark is None:
            return moved(own, CHIP_BANK, counted_cents(event.count), Reason.TRAY_OPENED)
        case TrayOpened() | TrayClosed():
            return (
                *moved_either_way(
                    own, in_play_account(tray.id), event.play.tray_cents, Reason.TRAY_PLAY
                ),
                *moved_either_way(
                    own,
                    differences_account(tray.id),
                    event.difference_cents,
                    Reason.TRAY_DIFFERENCE,
                    event.reason,
                ),
            )
        case ChipsGiven():
            giver, _, reason, cents = _ways(tray, event.number)
            return moved(on_the_way, giver, cents, reason)
        case ChipsReceived():
            _, taker, reason, cents = _ways(tray, event.number)
            return moved(taker, on_the_way, cents, reason)
        case ChipsRefused() if tray.moves[event.number].given is not None:
            giver, _, reason, cents = _ways(tray, event.number)
            return moved(giver, on_the_way, cents, reason, event.reason)
        case _:
            return ()


def _ways(tray: Tray, number: int) -> tuple[Account, Account, Reason, int]:
    """From where and to where requested chips go, why, and what they are worth."""
    move, own = tray.moves[number], tray_account(tray.id)
    if move.request.kind is SlipKind.FILL:
        return CHIP_BANK, own, Reason.FILL, move.cents
    return own, CHIP_BANK, Reason.CREDIT, move.cents
