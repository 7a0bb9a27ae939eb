"""The audit of cashiers' drawers, replayed event by event: cash, payouts and who approved them."""

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
    counted_cents,
    drawer_account,
    drawer_after,
    drawer_transfers,
)
from openfelt.money import format_cents
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.runtime.streams import name_of
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Snapshot, StoredEvent


class DrawerAudit:
    """The audit of one drawer's record."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._drawer = Drawer(id=name_of(stream))
        self._snapshot = context.snapshot(stream)
        context.check_secret_names(stream, lambda _: False)

    def take(self, booked: BookedEvent) -> None:
        """Replay one event; once an event could not be replayed, later ones are passed over."""
        context, stored = self._context, booked.stored
        if self._stream in context.broken:
            return
        try:
            event: DrawerEvent = context.codec.decode(stored)
            _check(self._drawer, event)
            expected = drawer_transfers(self._drawer, event)
            self._drawer = drawer_after(self._drawer, event, stored.at_ms)
        except REPLAY_ERRORS as error:
            context.find_impossible(stored, error)
            context.broken.add(self._stream)
            return
        check_transfers(booked, expected, context.report)
        if self._snapshot is not None and self._snapshot.version == stored.version:
            self._check_snapshot(self._snapshot, stored)

    def _check_snapshot(self, snapshot: Snapshot, stored: StoredEvent) -> None:
        context = self._context
        context.report.counts.snapshots += 1
        context.check_snapshot_time(snapshot, stored)
        try:
            kept = context.codec.codec.from_json(Drawer, snapshot.body)
        except REPLAY_ERRORS:
            kept = None
        if kept != self._drawer:
            context.find(
                stored,
                "The snapshot differs from the drawer that its events give.",
                expected="the drawer as replayed",
                found="another one" if kept else "no drawer",
            )

    def saved(self) -> Saved:
        """The drawer as it is."""
        return {"drawer": self._context.codec.codec.to_json(Drawer, self._drawer)}

    def resume(self, saved: Saved) -> None:
        """Go on with the drawer as it was; raises NotResumable."""
        try:
            self._drawer = self._context.codec.codec.from_json(Drawer, str(saved["drawer"]))
        except (KeyError, CodecError):
            raise NotResumable("it is not the state of a drawer") from None

    def finish(self) -> None:
        """Note what the account of the drawer must hold."""
        self._context.check_snapshot_version(self._stream, self._snapshot)
        if self._drawer.cents:
            self._context.balances[drawer_account(self._drawer.id)] = -self._drawer.cents


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
