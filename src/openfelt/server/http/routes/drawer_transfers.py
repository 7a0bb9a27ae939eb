"""Endpoints for a cashier's own drawers: the one closed last, and the transfers behind a figure."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from openfelt.protocol.api_prefix import API
from openfelt.protocol.cage_forms import ClosedDrawerView, LastDrawerView
from openfelt.protocol.transfer_forms import FigureTransfersView
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cage_codes import CageCode
from openfelt.runtime.cage.drawer_shifts import DrawerShift
from openfelt.runtime.cage.drawers import Drawers
from openfelt.server.http.dependencies import CurrentAccount, CurrentServices
from openfelt.server.http.routes.cage import DrawerName
from openfelt.server.http.routes.figure_transfers import Search, transfers_view
from openfelt.server.supervision.figure_transfers.figure_names import FigureName
from openfelt.storage.balances.balance_door import LAST_NUMBER

router = APIRouter(prefix=f"{API}/cage", tags=["cage"])


@router.get("/last-drawer")
async def last_drawer(cashier: CurrentAccount, services: CurrentServices) -> LastDrawerView:
    """The drawer that the cashier has closed last, as it was then."""
    drawers = services.cage.drawers
    shift = await services.round_pool.run(lambda: drawers.last_closed(cashier.name))
    return LastDrawerView(drawer=None if shift is None else closed_view(shift))


@router.get("/drawers/{drawer}/transfers")
async def drawer_transfers(
    *,
    drawer: DrawerName,
    figure: Annotated[str, Query(pattern=r"^[a-z_]{1,30}$")],
    search: Search,
    cashier: CurrentAccount,
    services: CurrentServices,
    span: Literal["now", "shift"] = "now",
    before: Annotated[int, Query(ge=1, le=LAST_NUMBER)] = LAST_NUMBER,
) -> FigureTransfersView:
    """The transfers behind a figure of the cashier's own drawer: open, or the one closed last."""
    lists = services.transfer_lists

    def read() -> FigureTransfersView:
        number = _own(services.cage.drawers, drawer, cashier.name, closed=span == "shift")
        wanted = FigureName(subject="drawer", figure=figure, name=drawer, span=span, number=number)
        return transfers_view(services, lists.page(wanted, (), search, before=before))

    return await services.round_pool.run(read)


def _own(drawers: Drawers, drawer: str, cashier: str, *, closed: bool) -> int:
    """The event that opened a cashier's drawer, if it was closed; raises Refusal for another's."""
    if not closed:
        drawers.check_own(drawer, cashier)
        return 0
    shift = drawers.last_closed(cashier)
    if shift is None or shift.drawer != drawer:
        raise Refusal(CageCode.DRAWER_NOT_YOURS, "This is not the drawer that you closed last.")
    return shift.began


def closed_view(shift: DrawerShift) -> ClosedDrawerView:
    """A drawer that was closed."""
    sums = shift.sums
    return ClosedDrawerView(
        drawer=shift.drawer,
        opened_ms=shift.opened_ms,
        closed_ms=shift.closed_ms,
        cents=sums.cents,
        opening_cents=sums.opening,
        cash_in_cents=sums.cash_in,
        cash_out_cents=sums.cash_out,
        vouchers_sold_cents=sums.vouchers_sold,
        vouchers_cashed_cents=sums.vouchers_cashed,
        counted_cents=shift.counted_cents,
        difference_cents=shift.difference_cents,
        reason=shift.reason,
    )
