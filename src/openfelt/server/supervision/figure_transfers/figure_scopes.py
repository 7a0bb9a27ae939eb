"""The figures themselves, and the part of the book that each of them is about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from openfelt.ledger import Account, AccountKind
from openfelt.ledger.accounts import feed_account
from openfelt.ledger.table_play import TablePlay
from openfelt.ledger.trays import RecordMark, TrayShift
from openfelt.runtime.cage.cage import Cage
from openfelt.runtime.clock import Clock, day_of, end_ms, start_ms
from openfelt.runtime.streams import (
    PRIVATE_PREFIX,
    StreamKind,
    feed_of,
    feeds_prefix,
    table_stream,
    tray_stream,
)
from openfelt.server.errors import not_found
from openfelt.server.pit.shifts import Shifts
from openfelt.server.supervision.figure_transfers import figure_terms
from openfelt.server.supervision.figure_transfers.drawer_scopes import drawer_scope
from openfelt.server.supervision.figure_transfers.figure_names import (
    FigureName,
    FigurePart,
    FigureScope,
    StartKind,
    StartLine,
    unknown_figure,
)
from openfelt.server.supervision.figure_transfers.figure_terms import WagerTransferTerms
from openfelt.server.supervision.floor_figures import FloorFigures
from openfelt.server.supervision.floor_money.shift_money import ShiftMoney, TableMoney
from openfelt.server.supervision.floor_money.tray_histories import TrayHistory
from openfelt.server.supervision.floor_money.win_to_drop import WinToDrop
from openfelt.server.supervision.jackpots.link_books import LinkAccountant
from openfelt.storage.balances.transfer_terms import TransferRange, TransferTerm
from openfelt.storage.door import Store

_PLAY: Final = {
    "drop": "bought_in_cents",
    "collected": "collected_cents",
    "win": "win_cents",
    "tips": "tips_cents",
    "collections": "collections_cents",
    "contributed": "contributed_cents",
    "awarded": "awarded_cents",
    "corrections": "corrections_cents",
}
"""By figure of a table, its value in the play."""
_DAY: Final = {
    "stakes": "stakes_cents",
    "progressive": "progressive_cents",
    "win_adjusted": "win_cents",
}
"""By figure of the floor's first page, its value in a table's day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureScopes:
    """Finds the figures of all pages. All calls block."""

    store: Store
    clock: Clock
    figures: FloorFigures
    shift_money: ShiftMoney
    win_to_drop: WinToDrop
    accountant: LinkAccountant
    shifts: Shifts
    cage: Cage

    def of(self, wanted: FigureName, tables: Sequence[str]) -> FigureScope:
        """The figure with its scope; ``tables`` are the public ones. Raises Denied."""
        match wanted.subject:
            case "table" if wanted.name not in tables:
                raise not_found("There is no such table.")
            case "table":
                return self._of_table(wanted, wanted.name)
            case "tables":
                scopes = [self._of_table(wanted, table) for table in tables]
                return _together(scopes)
            case "takings":
                return self._of_takings(wanted)
            case "link":
                return self._of_link(wanted)
            case "drawer":
                return drawer_scope(self.store, self.cage.drawers, wanted)
            case "dealer":
                return self._of_dealer(wanted)
            case _:
                return self._of_vouchers(wanted)

    # Tables ------------------------------------------------------------------------------

    def _of_table(self, wanted: FigureName, table: str) -> FigureScope:
        if wanted.span == "day":
            return self._of_day(wanted, table)
        money = self.shift_money.of(table)
        if money is None:
            raise not_found("The record of this table cannot be read.")
        if wanted.span == "shift":
            return self._of_ended_shift(wanted, money)
        window = money.window
        book = _TableBook(
            table,
            RecordMark(window.after.version, window.after.transfer),
            window.version,
            window.play,
            money.history,
            money.shift,
        )
        if wanted.figure in ("stakes", "win") and wanted.wager:
            wager = window.wagers.get(wanted.wager)
            if wager is None:
                raise unknown_figure()
            is_win = wanted.figure == "win"
            terms = figure_terms.wager_win_terms if is_win else figure_terms.stakes_terms
            part = book.wagers(terms(wanted.wager))
            cents = wager.win_cents if is_win else wager.stakes_cents
            scope = FigureScope(cents=cents, parts=(part,), from_ms=window.from_ms)
        elif wanted.figure == "stakes":
            part = book.wagers(figure_terms.stakes_terms(None))
            scope = FigureScope(cents=window.stakes_cents, parts=(part,), from_ms=window.from_ms)
        else:
            scope = replace(book.scope(wanted.figure, money.book_cents), from_ms=window.from_ms)
        return replace(scope, to_ms=money.to_ms)

    def _of_ended_shift(self, wanted: FigureName, money: TableMoney) -> FigureScope:
        """A figure of an earlier shift, by the number of its opening count."""
        history = money.history
        shift = next(
            (candidate for candidate in history.shifts if candidate.opened.number == wanted.number),
            None,
        )
        if shift is None or shift.closed is None or shift.closing_cents is None:
            raise not_found("There is no such shift, or it is too long ago.")
        closed = shift.closed
        book = _TableBook(
            wanted.name, shift.opened.mark, closed.mark.version, closed.play, history, shift
        )
        book_cents = shift.closing_cents - closed.difference_cents
        scope = book.scope(wanted.figure, book_cents)
        return replace(scope, from_ms=shift.opened_ms, to_ms=shift.closed_ms)

    def _of_day(self, wanted: FigureName, table: str) -> FigureScope:
        """A figure of the floor's first page, which is about the day in UTC."""
        day = day_of(self.clock.wall_ms())
        counted = self.figures.day_of(table, day)
        if counted is None:
            raise not_found("The figures of this table are not available.")
        figures, version = counted
        if wanted.figure not in _DAY:
            raise unknown_figure()
        day_range = TransferRange(
            stream=table_stream(table),
            up_to_version=version,
            start_ms=start_ms(day),
            end_ms=end_ms(day),
        )
        if wanted.figure == "win_adjusted":
            terms = figure_terms.TABLE_TERMS["win_adjusted"]
            part = FigurePart(replace(day_range, terms=terms))
        else:
            wager = "progressive" if wanted.figure == "progressive" else None
            part = _wager_part(day_range, figure_terms.stakes_terms(wager))
        cents: int = getattr(figures, _DAY[wanted.figure])
        return FigureScope(
            cents=cents,
            parts=(part,),
            from_ms=start_ms(day),
            to_ms=self.clock.wall_ms(),
        )

    def _of_takings(self, wanted: FigureName) -> FigureScope:
        """Drop or win of a period that was counted, of one table or of the house."""
        period = next(
            (
                candidate
                for candidate in self.win_to_drop.periods()
                if candidate.table == wanted.name and candidate.span.value == wanted.span
            ),
            None,
        )
        if period is None or wanted.figure not in ("drop", "win"):
            raise unknown_figure()
        takings = period.takings
        begin_ms, finish_ms = start_ms(period.first), end_ms(period.last)
        part = TransferRange(
            stream=table_stream(period.table) if period.table else "",
            streams="" if period.table else StreamKind.TABLE.prefix,
            apart_from=table_stream(PRIVATE_PREFIX),
            start_ms=begin_ms,
            end_ms=finish_ms,
            terms=figure_terms.TABLE_TERMS[wanted.figure],
        )
        cents = takings.drop_cents if wanted.figure == "drop" else takings.win_cents
        return FigureScope(
            cents=cents, parts=(FigurePart(part),), from_ms=begin_ms, to_ms=finish_ms
        )

    # Links, dealers and vouchers ----------------------------------------------------------

    def _of_link(self, wanted: FigureName) -> FigureScope:
        books = self.accountant.of(wanted.name)
        terms = figure_terms.link_terms(wanted.name)
        if wanted.figure not in terms:
            raise unknown_figure()
        now, opening, checked = books.link.meter, books.opening, books.reconciliation
        is_balance = wanted.figure in ("meter", "reserve")
        recent = wanted.span == "recent" and not is_balance
        if is_balance:
            cents = (
                checked.meter_ledger_cents
                if wanted.figure == "meter"
                else checked.reserve_ledger_cents
            )
            account = Account(AccountKind(wanted.figure), wanted.name)
        else:
            since = getattr(opening, wanted.figure) if recent else 0
            cents = int(getattr(now, wanted.figure) - since)
            account = Account(AccountKind.RESERVE, wanted.name)
        since_ms = books.since_ms if recent else None
        part = TransferRange(
            account=str(account), start_ms=since_ms or 0, terms=terms[wanted.figure]
        )
        parts = [FigurePart(part)]
        if wanted.figure == "reserve":
            parts += self._of_feeds(wanted.name)
        return FigureScope(
            cents=cents, parts=tuple(parts), from_ms=since_ms, to_ms=None, moving=True
        )

    def _of_feeds(self, link: str) -> Iterator[FigurePart]:
        """Transfers between tables and their accounts at a link."""
        for stream in sorted(self.store.heads(feeds_prefix(link))):
            _, table = feed_of(stream)
            account = str(feed_account(link, table))
            terms = figure_terms.feed_terms(link, table)
            yield FigurePart(TransferRange(account=account, terms=terms))

    def _of_dealer(self, wanted: FigureName) -> FigureScope:
        shifts = self.shifts.of(wanted.name)
        at = next(
            (n for n, candidate in enumerate(shifts) if candidate.began_ms == wanted.number), None
        )
        if at is None or wanted.figure != "tips":
            raise not_found("There is no such shift, or it is too long ago.")
        shift = shifts[at]
        later = [candidate.began_ms for candidate in shifts[:at] if candidate.table == shift.table]
        part = TransferRange(
            stream=table_stream(shift.table),
            account=str(Account(AccountKind.TIPS, wanted.name)),
            start_ms=shift.began_ms,
            end_ms=min(later, default=None),
            terms=figure_terms.tip_terms(wanted.name),
        )
        return FigureScope(
            cents=shift.tips_cents,
            parts=(FigurePart(part),),
            from_ms=shift.began_ms,
            to_ms=shift.ended_ms,
            moving=True,
        )

    def _of_vouchers(self, wanted: FigureName) -> FigureScope:
        if wanted.figure != "open":
            raise unknown_figure()
        prefix = f"{AccountKind.VOUCHER}:"
        part = TransferRange(open_accounts=prefix, terms=figure_terms.VOUCHER_TERMS)
        cents = self.store.held(prefix)[1]
        return FigureScope(cents=cents, parts=(FigurePart(part),), from_ms=None, moving=True)


@dataclass(frozen=True, slots=True)
class _TableBook:
    """The record of a table and of its tray, between two points."""

    table: str
    after: RecordMark
    version: int
    play: TablePlay
    history: TrayHistory
    shift: TrayShift | None

    def of_table(self, terms: tuple[TransferTerm, ...]) -> FigurePart:
        return FigurePart(replace(self._record, terms=terms))

    def wagers(self, terms: WagerTransferTerms) -> FigurePart:
        return _wager_part(self._record, terms)

    @property
    def _record(self) -> TransferRange:
        return TransferRange(
            stream=table_stream(self.table),
            after_version=self.after.version,
            up_to_version=self.version,
            after=self.after.transfer,
        )

    def of_tray(
        self, terms: tuple[TransferTerm, ...], *, after: int, up_to: int | None
    ) -> FigurePart:
        return FigurePart(
            TransferRange(
                stream=tray_stream(self.table),
                after_version=after,
                up_to_version=up_to,
                terms=terms,
            )
        )

    def scope(self, figure: str, book_cents: int | None) -> FigureScope:
        """A figure of the play, or of the tray if there is one; raises Denied."""
        if figure in _PLAY:
            cents: int = getattr(self.play, _PLAY[figure])
            part = self.of_table(figure_terms.TABLE_TERMS[figure])
            return FigureScope(cents=cents, parts=(part,), from_ms=None)
        if self.shift is None:
            raise not_found("The tray of this table was never opened.")
        return self._of_tray(figure, self.shift, book_cents)

    def _of_tray(self, figure: str, shift: TrayShift, book_cents: int | None) -> FigureScope:
        began, ended = self.history.versions[shift.opened.number]
        within = ended or self.history.version
        terms = figure_terms.tray_terms(self.table)
        counts = (_count_line("opening_count", shift.opening_cents, shift.opened_ms, shift),)
        match figure:
            case "fills" | "credits":
                part = self.of_tray(terms[figure], after=began, up_to=within)
                cents = shift.fills_cents if figure == "fills" else shift.credits_cents
                return FigureScope(cents=cents, parts=(part,), from_ms=None)
            case "opening_difference":
                part = self.of_tray(terms["difference"], after=began - 1, up_to=began)
                return FigureScope(cents=shift.opened.difference_cents, parts=(part,), from_ms=None)
            case "closing_difference" if shift.closed is not None and ended is not None:
                part = self.of_tray(terms["difference"], after=ended - 1, up_to=ended)
                return FigureScope(cents=shift.closed.difference_cents, parts=(part,), from_ms=None)
            case "book" if book_cents is not None:
                moves = figure_terms.tray_move_terms(self.table)
                parts = (
                    self.of_table(figure_terms.TRAY_PLAY),
                    self.of_tray(moves, after=began, up_to=within),
                )
                return FigureScope(cents=book_cents, parts=parts, from_ms=None, starts=counts)
            case "counted_win" if (win_cents := shift.counted_win_cents(self.play)) is not None:
                closing_cents, closed_ms = shift.closing_cents, shift.closed_ms
                assert closing_cents is not None
                assert closed_ms is not None
                starts = (
                    _count_line("closing_count", closing_cents, closed_ms, shift),
                    replace(counts[0], cents=-counts[0].cents),
                )
                moves = figure_terms.tray_move_terms(self.table, sign=-1)
                parts = (
                    self.of_table(figure_terms.COUNTED_WIN_PLAY),
                    self.of_tray(moves, after=began, up_to=within),
                )
                return FigureScope(cents=win_cents, parts=parts, from_ms=None, starts=starts)
            case _:
                raise unknown_figure()


def _count_line(kind: StartKind, cents: int, at_ms: int, shift: TrayShift) -> StartLine:
    signed = shift.closed if kind == "closing_count" and shift.closed else shift.opened
    return StartLine(kind, cents, at_ms, f"{signed.dealer}, {signed.supervisor}")


def _wager_part(day_range: TransferRange, terms: WagerTransferTerms) -> FigurePart:
    return FigurePart(
        replace(day_range, terms=terms.named), replace(day_range, terms=terms.unnamed), terms
    )


def _together(scopes: Sequence[FigureScope]) -> FigureScope:
    """The sum of several tables. Each has its own time, so first and last are given."""
    begun = [scope.from_ms for scope in scopes if scope.from_ms is not None]
    ended = [scope.to_ms for scope in scopes if scope.to_ms is not None]
    return FigureScope(
        cents=sum(scope.cents for scope in scopes),
        parts=tuple(part for scope in scopes for part in scope.parts),
        from_ms=min(begun, default=None),
        to_ms=max(ended, default=None),
    )
