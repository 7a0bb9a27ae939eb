"""Trays, slips and the money of a shift, as the answers of endpoints have them."""

from dataclasses import asdict

from openfelt.ledger.counts import counted_cents
from openfelt.ledger.table_play import TablePlay
from openfelt.ledger.trays import ChipMove, Tray, TrayClosed, TrayOpened, TrayShift
from openfelt.protocol.tray_forms import (
    ChipMoveView,
    SignedCountView,
    SlipView,
    TableMoneyView,
    TablePlayView,
    TrayShiftView,
    TrayView,
    WagerPlayView,
    WaitingCountView,
    WinToDropView,
)
from openfelt.server.http.counts import count_lines
from openfelt.server.supervision.floor_money.shift_money import TableMoney
from openfelt.server.supervision.floor_money.tray_histories import ChipSlip
from openfelt.server.supervision.floor_money.win_to_drop import BAND_ONE_IN, PeriodTakings
from openfelt.table.state import Table


def table_money(table: Table, money: TableMoney) -> TableMoneyView:
    """The money of a shift at one table."""
    window, shift = money.window, money.shift
    return TableMoneyView(
        table=table.id,
        house_name=table.house.name,
        live=not table.virtual,
        covers="day" if shift is None else "shift",
        from_ms=window.from_ms,
        to_ms=money.to_ms,
        rounds=window.rounds,
        play=_play(window.play),
        wagers=[
            WagerPlayView(wager=name, stakes_cents=wager.stakes_cents, win_cents=wager.win_cents)
            for name, wager in window.wagers.items()
        ],
        stakes_cents=window.stakes_cents,
        shift=None if shift is None else _shift(shift, window.play, money.book_cents or 0),
        waiting=_waiting(money.history.tray),
        moves=moves(money.history.tray),
    )


def win_to_drop(period: PeriodTakings) -> WinToDropView:
    """Win to drop of a period, beside its band."""
    low, high = period.bounds(BAND_ONE_IN) or (None, None)
    return WinToDropView(
        table=period.table or None,
        span=period.span.value,
        first=period.first.isoformat(),
        last=period.last.isoformat(),
        days=period.days,
        drop_cents=period.takings.drop_cents,
        win_cents=period.takings.win_cents,
        days_before=period.days_before,
        usual=None if period.band is None else float(period.band.share),
        low=low,
        high=high,
        outside=period.outside(BAND_ONE_IN),
    )


def ended_shift(shift: TrayShift) -> TrayShiftView:
    """A shift that is over, with the play that its closing has recorded."""
    assert shift.closed is not None
    assert shift.closing_cents is not None
    book_cents = shift.closing_cents - shift.closed.difference_cents
    return _shift(shift, shift.closed.play, book_cents)


def _shift(shift: TrayShift, play: TablePlay, book_cents: int) -> TrayShiftView:
    opened, closed = shift.opened, shift.closed
    return TrayShiftView(
        opening=_signed(opened, shift.opened_ms, compared=not shift.first),
        closing=None if closed is None else _signed(closed, shift.closed_ms or 0),
        fills_cents=shift.fills_cents,
        credits_cents=shift.credits_cents,
        book_cents=book_cents,
        counted_win_cents=shift.counted_win_cents(play),
        before=_play(opened.play),
    )


def _signed(
    event: TrayOpened | TrayClosed, at_ms: int, *, compared: bool = True
) -> SignedCountView:
    return SignedCountView(
        number=event.number,
        at_ms=at_ms,
        count=count_lines(event.count),
        cents=counted_cents(event.count),
        dealer=event.dealer,
        supervisor=event.supervisor,
        difference_cents=event.difference_cents if compared else None,
        reason=event.reason,
    )


def _play(play: TablePlay) -> TablePlayView:
    return TablePlayView(**asdict(play))


def tray(tray: Tray, *, book_cents: int | None) -> TrayView:
    """A tray for those who sign for its chips."""
    shift = tray.shift if tray.open else None
    return TrayView(
        table=tray.id,
        open=tray.open,
        opened_ms=None if shift is None else shift.opened_ms,
        opening_cents=None if shift is None else shift.opening_cents,
        book_cents=book_cents,
        waiting=_waiting(tray),
        moves=moves(tray),
    )


def _waiting(tray: Tray) -> WaitingCountView | None:
    if tray.waiting is None:
        return None
    counted = tray.waiting.counted
    return WaitingCountView(
        number=counted.number,
        moment=counted.moment.value,
        count=count_lines(counted.count),
        cents=counted_cents(counted.count),
        by=counted.by,
        by_supervisor=counted.supervisor,
        at_ms=tray.waiting.at_ms,
        reason=counted.reason,
    )


def moves(tray: Tray) -> list[ChipMoveView]:
    """The fills and credits of a tray that have not come yet."""
    return [_move(tray.id, move) for _, move in sorted(tray.moves.items())]


def _move(table: str, move: ChipMove) -> ChipMoveView:
    request, given = move.request, move.given
    return ChipMoveView(
        table=table,
        number=request.number,
        kind=request.kind.value,
        count=count_lines(request.count),
        cents=move.cents,
        by=request.by,
        by_supervisor=request.supervisor,
        at_ms=move.at_ms,
        note=request.note,
        given_by=None if given is None else given.by,
        given_ms=move.given_ms,
        slip=None if given is None else given.slip,
    )


def slip(slip: ChipSlip) -> SlipView:
    """A slip as it is printed."""
    refused = slip.refused
    return SlipView(
        slip=slip.number,
        table=slip.table,
        request=slip.request.number,
        kind=slip.kind.value,
        count=count_lines(slip.count),
        cents=counted_cents(slip.count),
        requested_by=slip.request.by,
        given_by=slip.given_by,
        received_by=slip.received_by,
        refused_by=None if refused is None else refused.by,
        reason="" if refused is None else refused.reason,
        at_ms=slip.at_ms,
    )
