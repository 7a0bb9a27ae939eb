"""The figures of a drawer: since it was opened, or from an opening to its closing."""

from dataclasses import replace

from openfelt.ledger import Reason
from openfelt.ledger.drawers import DrawerSums, drawer_account
from openfelt.runtime.cage.drawer_shifts import DrawerShift
from openfelt.runtime.cage.drawers import Drawers
from openfelt.runtime.streams import drawer_stream
from openfelt.server.errors import not_found
from openfelt.server.supervision.figure_transfers import figure_terms
from openfelt.server.supervision.figure_transfers.figure_names import (
    FigureName,
    FigurePart,
    FigureScope,
    unknown_figure,
)
from openfelt.storage.balances.transfer_terms import TransferRange
from openfelt.storage.door import Store


def drawer_scope(store: Store, drawers: Drawers, wanted: FigureName) -> FigureScope:
    """A figure of a drawer that is open, or of one that was closed; raises Denied."""
    terms = figure_terms.drawer_terms(wanted.name)
    if wanted.figure not in terms:
        raise unknown_figure()
    part = TransferRange(account=str(drawer_account(wanted.name)), terms=terms[wanted.figure])
    if wanted.span == "shift":
        return _of_closed(store, drawers, wanted, part)
    drawer = drawers.get(wanted.name)
    if drawer.cashier is None:
        raise not_found("The drawer is closed.")
    part = replace(part, after=_before(store, wanted.name))
    return FigureScope(
        cents=_cents(wanted.figure, drawer.sums),
        parts=(FigurePart(part),),
        from_ms=drawer.opened_ms,
        moving=True,
    )


def _of_closed(
    store: Store, drawers: Drawers, wanted: FigureName, part: TransferRange
) -> FigureScope:
    """A figure of a drawer that was closed, by the event that had opened it."""
    shifts = drawers.shifts(wanted.name)
    shift = next((candidate for candidate in shifts if candidate.began == wanted.number), None)
    if shift is None:
        raise not_found("The drawer has not been closed since, or was closed too long ago.")
    after, up_to = _numbers(store, shift)
    return FigureScope(
        cents=_cents(wanted.figure, shift.sums),
        parts=(FigurePart(replace(part, after=after, up_to=up_to)),),
        from_ms=shift.opened_ms,
        to_ms=shift.closed_ms,
    )


def _before(store: Store, drawer: str) -> int:
    """The number before the first transfer of a drawer since it was opened."""
    for stored in store.latest_transfers(drawer_account(drawer)):
        if stored.transfer.reason is Reason.DRAWER_OPENED:
            return stored.number - 1
        if stored.transfer.reason in (Reason.DRAWER_CLOSED, Reason.DRAWER_DIFFERENCE):
            # A drawer that was opened empty has no transfer for it.
            return stored.number
    return 0


def _numbers(store: Store, shift: DrawerShift) -> tuple[int, int | None]:
    """The number before the first transfer of a shift, and that of its last one.

    Vouchers have records of their own, so the drawer's own transfers are the marks.
    """
    up_to = None
    for stored in store.latest_transfers(drawer_account(shift.drawer)):
        if stored.stream != drawer_stream(shift.drawer):
            continue
        if stored.version >= shift.ended:
            up_to = stored.number - 1
        elif stored.version <= shift.began:
            opened = stored.version == shift.began
            return stored.number - 1 if opened else stored.number, up_to
    return 0, up_to


def _cents(figure: str, sums: DrawerSums) -> int:
    return {
        "opening": sums.opening,
        "cash_in": sums.cash_in,
        "vouchers_sold": sums.vouchers_sold,
        "cash_out": -sums.cash_out,
        "vouchers_cashed": -sums.vouchers_cashed,
        "holds": sums.cents,
    }[figure]
