"""The audit of trays and slips, replayed event by event: chips, signatures and what was played.

What a count says of the play since the count before is compared with the transfers of the table.
"""

from openfelt.ledger import Account, Transfer
from openfelt.ledger.counts import counted_cents
from openfelt.ledger.table_play import TablePlay, play_after
from openfelt.ledger.trays import (
    ChipMove,
    ChipsGiven,
    ChipsReceived,
    ChipsRefused,
    ChipsRequested,
    RecordMark,
    SlipKind,
    SlipMade,
    Tray,
    TrayClosed,
    TrayCountDropped,
    TrayCounted,
    TrayEvent,
    TrayMoment,
    TrayOpened,
    between_shifts,
    tray_account,
    tray_after,
    tray_transfers,
)
from openfelt.money import format_cents
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.containers import ContainerAudit
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import Saved
from openfelt.runtime.streams import SLIPS_STREAM, table_stream, tray_stream
from openfelt.storage.door import StoredEvent

Window = tuple[StoredEvent, RecordMark, TrayOpened | TrayClosed]
"""A count with the point in the table's record at which the count before it was made."""


class TrayAudit(ContainerAudit[Tray, TrayEvent]):
    """The audit of one tray's record."""

    word, kind = "tray", Tray

    def __init__(self, context: AuditContext, stream: str) -> None:
        super().__init__(context, stream)
        self._windows: list[Window] = []

    def check(self, stored: StoredEvent, event: TrayEvent) -> None:
        """Refuse an event that the tray cannot have had."""
        _check(self.state, event)
        self._check_slip(stored, event)

    def transfers(self, event: TrayEvent) -> tuple[Transfer, ...]:
        """The chips that an event moves."""
        return tray_transfers(self.state, event)

    def after(self, event: TrayEvent, at_ms: int) -> Tray:
        """The tray after an event."""
        return tray_after(self.state, event, at_ms)

    def account(self) -> tuple[Account, int]:
        """The chips of the tray."""
        return tray_account(self.state.id), self.state.cents

    def kept(self) -> Tray:
        """The part that a snapshot keeps: a finished shift is in the record."""
        return between_shifts(self.state)

    def took(self, stored: StoredEvent, event: TrayEvent, before: Tray) -> None:
        """Note a count, with the point in the table's record of the one before it."""
        if isinstance(event, TrayOpened | TrayClosed) and before.mark is not None:
            self._windows.append((stored, before.mark, event))

    def _check_slip(self, stored: StoredEvent, event: TrayEvent) -> None:
        """Refuse an event whose slip the house has not made for it."""
        number = getattr(event, "slip", None)
        if number is None or not isinstance(event, ChipsGiven | ChipsReceived):
            return
        for slip in self.context.store.events(SLIPS_STREAM, after=number - 1, up_to=number):
            made = self.context.codec.decode(slip)
            wanted = SlipMade(number, self.state.id, event.number, stored.version)
            if made == wanted:
                return
        raise ImpossibleEvent(f"The house has not made slip {number} for it")

    def finish(self) -> None:
        """Compare the counts with the table's record, and note what the account must hold."""
        super().finish()
        self._check_play()

    def _check_play(self) -> None:
        """Compare what counts say of the play with the transfers of the table."""
        context, table = self.context, table_stream(self.state.id)
        archived = context.archived.get(table, 0)
        # What is in an archive was compared before it went there.
        windows = [window for window in self._windows if window[1].version >= archived]
        if not windows or table in context.broken:
            return
        played = [TablePlay() for _ in windows]
        after = windows[0][1].transfer
        damage = context.damage(table)
        for moved in context.store.transfers(stream=table, after=after, damage=damage):
            for number, (_, begin, event) in enumerate(windows):
                if begin.version < moved.version <= event.mark.version:
                    played[number] = play_after(played[number], moved.transfer)
        for (stored, _, event), play in zip(windows, played, strict=True):
            if play != event.play:
                context.find(
                    stored,
                    "What it says of the play is not what the table's record has.",
                    expected=format_cents(play.tray_cents),
                    found=format_cents(event.play.tray_cents),
                )


class SlipsAudit:
    """The audit of the row of slips: each has its number, and an event of a tray that names it."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        context.check_secret_names(stream, lambda _: False)

    def take(self, booked: BookedEvent) -> None:
        """Check one slip."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        try:
            slip: SlipMade = context.codec.decode(stored)
            if not isinstance(slip, SlipMade) or slip.number != stored.version:
                raise ImpossibleEvent(f"It is slip {stored.version} of the house")
            self._check_event(slip)
        except REPLAY_ERRORS as error:
            context.find_impossible(stored, error)

    def _check_event(self, slip: SlipMade) -> None:
        stream, version = tray_stream(slip.table), slip.version
        for stored in self._context.store.events(stream, after=version - 1, up_to=version):
            event = self._context.codec.decode(stored)
            named = (getattr(event, "slip", None), getattr(event, "number", None))
            if named == (slip.number, slip.request):
                return
        raise ImpossibleEvent(f"No chips of {slip.table} have moved by it")

    def saved(self) -> Saved:
        """Each slip is checked on its own."""
        return {}

    def resume(self, saved: Saved) -> None:
        """Nothing is needed to continue."""

    def finish(self) -> None:
        """Nothing follows from the row of slips."""


# What a tray can have had ----------------------------------------------------------------


def _check(tray: Tray, event: TrayEvent) -> None:
    """Refuse an event that the tray cannot have had."""
    match event:
        case TrayCounted():
            _check_table(tray, event.table)
            if event.number != tray.counts + 1:
                raise ImpossibleEvent(f"{tray.counts} counts were made before it")
            _check_moment(tray, event.moment)
        case TrayCountDropped():
            _check_waits(tray, event.number)
        case TrayOpened() | TrayClosed():
            _check_table(tray, event.table)
            _check_signed(tray, event)
        case ChipsRequested():
            if not tray.open or event.number != tray.requests + 1:
                raise ImpossibleEvent(f"{tray.requests} requests were made before it")
        case ChipsGiven():
            move = _move(tray, event.number)
            if move.given is not None or event.by == move.request.by:
                raise ImpossibleEvent("Another person must give the chips, once")
            _check_has_slip(event.slip, wanted=move.request.kind is SlipKind.FILL)
        case ChipsReceived():
            move = _move(tray, event.number)
            if move.given is None or event.by in (move.request.by, move.given.by):
                raise ImpossibleEvent("A third person must receive the chips, once")
            _check_has_slip(event.slip, wanted=move.request.kind is SlipKind.CREDIT)
        case ChipsRefused():
            _move(tray, event.number)


def _check_table(tray: Tray, table: str) -> None:
    if table != tray.id:
        raise ImpossibleEvent("It is an event of another tray")


def _check_moment(tray: Tray, moment: TrayMoment) -> None:
    if (moment is TrayMoment.CLOSING) is not tray.open:
        raise ImpossibleEvent("The tray is open" if tray.open else "The tray is closed")


def _check_waits(tray: Tray, number: int) -> TrayCounted:
    if tray.waiting is None or tray.waiting.counted.number != number:
        raise ImpossibleEvent(f"No count {number} waits")
    return tray.waiting.counted


def _check_signed(tray: Tray, event: TrayOpened | TrayClosed) -> None:
    counted = _check_waits(tray, event.number)
    wanted = TrayMoment.OPENING if isinstance(event, TrayOpened) else TrayMoment.CLOSING
    first = event.supervisor if counted.supervisor else event.dealer
    same = (counted.moment, counted.count, counted.by) == (wanted, event.count, first)
    if not same or event.dealer == event.supervisor:
        raise ImpossibleEvent("It is not the count that was made, or one person signed twice")
    if tray.moves:
        raise ImpossibleEvent("Chips are still on their way")
    _check_moment(tray, wanted)
    book_cents = tray.cents + event.play.tray_cents
    difference_cents = 0 if tray.mark is None else counted_cents(event.count) - book_cents
    if event.difference_cents != difference_cents:
        raise ImpossibleEvent(f"The difference is {format_cents(difference_cents)}")
    if difference_cents and not event.reason.strip():
        raise ImpossibleEvent("The difference has no reason")
    if tray.mark is not None and event.mark.version < tray.mark.version:
        raise ImpossibleEvent("The count before it came later in the table's record")


def _move(tray: Tray, number: int) -> ChipMove:
    move = tray.moves.get(number)
    if move is None:
        raise ImpossibleEvent(f"No request {number} waits")
    return move


def _check_has_slip(slip: int | None, *, wanted: bool) -> None:
    if (slip is not None) is not wanted:
        raise ImpossibleEvent("It has no slip" if wanted else "It has a slip too many")
