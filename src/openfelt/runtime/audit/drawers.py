"""The audit of cashiers' drawers, replayed event by event: cash, payouts and who approved them."""

from openfelt.ledger import Account, Transfer
from openfelt.ledger.counts import counted_cents
from openfelt.ledger.drawers import (
    CashPaid,
    Drawer,
    DrawerClosed,
    DrawerEvent,
    DrawerOpened,
    Payout,
    PayoutApproved,
    PayoutRejected,
    PayoutRequested,
    PayoutState,
    VoucherCashed,
    drawer_account,
    drawer_after,
    drawer_transfers,
)
from openfelt.money import format_cents
from openfelt.runtime.audit.containers import ContainerAudit
from openfelt.runtime.audit.context import ImpossibleEvent
from openfelt.storage.door import StoredEvent


class DrawerAudit(ContainerAudit[Drawer, DrawerEvent]):
    """The audit of one drawer's record."""

    word, kind = "drawer", Drawer

    def check(self, _: StoredEvent, event: DrawerEvent) -> None:
        """Refuse an event that the drawer cannot have had."""
        _check(self.state, event)

    def transfers(self, event: DrawerEvent) -> tuple[Transfer, ...]:
        """The cash that an event moves."""
        return drawer_transfers(self.state, event)

    def after(self, event: DrawerEvent, at_ms: int) -> Drawer:
        """The drawer after an event."""
        return drawer_after(self.state, event, at_ms)

    def account(self) -> tuple[Account, int]:
        """The cash of the drawer."""
        return drawer_account(self.state.id), self.state.cents


def _check(drawer: Drawer, event: DrawerEvent) -> None:
    """Refuse an event that the drawer cannot have had."""
    if getattr(event, "drawer", drawer.id) != drawer.id:
        raise ImpossibleEvent("It is an event of another drawer")
    if isinstance(event, DrawerOpened) is (drawer.cashier is not None):
        raise ImpossibleEvent("The drawer is open" if drawer.cashier else "The drawer is closed")
    match event:
        case CashPaid() | VoucherCashed():
            _check_payout(drawer, event)
        case PayoutRequested() if event.number != drawer.requests + 1:
            raise ImpossibleEvent(f"{drawer.requests} payouts were requested before it")
        case PayoutApproved():
            payout = _payout(drawer, event.number)
            if payout.state is not PayoutState.WAITING or payout.request.by == event.by:
                raise ImpossibleEvent("Another person must approve it, once")
        case PayoutRejected():
            _payout(drawer, event.number)
        case DrawerClosed():
            _check_difference(drawer, event)
        case _:
            pass


def _check_payout(drawer: Drawer, event: CashPaid | VoucherCashed) -> None:
    if event.cents > drawer.cents:
        raise ImpossibleEvent(f"The drawer holds {format_cents(drawer.cents)}")
    if event.request is None:
        if event.cents > drawer.limit_cents:
            raise ImpossibleEvent(f"Above {format_cents(drawer.limit_cents)} it needs an approval")
        return
    payout = _payout(drawer, event.request)
    request = payout.request
    whose = request.player if isinstance(event, CashPaid) else request.voucher
    paid_to = event.player if isinstance(event, CashPaid) else event.voucher
    if payout.state is not PayoutState.APPROVED or (request.cents, whose) != (event.cents, paid_to):
        raise ImpossibleEvent("It is not the payout that was approved")


def _check_difference(drawer: Drawer, event: DrawerClosed) -> None:
    difference_cents = counted_cents(event.count) - drawer.cents
    if event.difference_cents != difference_cents:
        raise ImpossibleEvent(f"The difference is {format_cents(difference_cents)}")
    if difference_cents and not event.reason.strip():
        raise ImpossibleEvent("The difference has no reason")


def _payout(drawer: Drawer, number: int) -> Payout:
    payout = drawer.payouts.get(number)
    if payout is None:
        raise ImpossibleEvent(f"No payout {number} waits")
    return payout
