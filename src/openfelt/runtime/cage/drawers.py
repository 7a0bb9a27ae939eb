"""Cashiers' drawers: opened and closed by count, with every cent in between in the book.

A command is decided by the drawer's record and written at its end, so that two commands on one
drawer never pay the same cash. A voucher is bought or paid in one commit with its own record.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from openfelt.ledger.counts import Count, counted_cents
from openfelt.ledger.drawers import (
    CashPaid,
    CashTaken,
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
    VoucherSold,
    drawer_account,
    drawer_after,
    drawer_transfers,
)
from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.action_checks import malformed
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cage_codes import CageCode
from openfelt.runtime.cage.cage_commands import CageCommands, check_cents, check_count, check_text
from openfelt.runtime.cage.containers import Container, ContainerRecords
from openfelt.runtime.cage.drawer_shifts import DrawerShift, closed_shifts
from openfelt.runtime.cage.protection.limit_book import LimitBook, without_digest
from openfelt.runtime.cage.vouchers import IssuedVoucher, Vouchers
from openfelt.runtime.streams import StreamKind, drawer_stream
from openfelt.storage.door import Append, Cause
from openfelt.table.chips import wallet_of
from openfelt.table.permissions import check_name

DRAWERS: Final = Container(
    StreamKind.DRAWER, Drawer, lambda drawer: Drawer(id=drawer), drawer_after
)
LIMIT_CENTS: Final = 300_000
"""The default above which a payout needs a supervisor."""

Decided = tuple[tuple[DrawerEvent, ...], tuple[Append, ...]]
"""The result of a decision: events of the drawer, and appends to other streams."""


@dataclass(frozen=True, slots=True)
class _Open:
    drawer: str
    by: str
    count: Count


@dataclass(frozen=True, slots=True)
class _SellVoucher:
    drawer: str
    by: str
    cents: int


@dataclass(frozen=True, slots=True)
class _Request:
    by: str
    cents: int
    player: str | None
    voucher: str | None
    note: str


@dataclass(frozen=True, slots=True)
class _Judge:
    number: int
    by: str
    reason: str | None
    """None for an approval."""


@dataclass(frozen=True, slots=True)
class _Pay:
    number: int
    by: str


@dataclass(frozen=True, slots=True)
class _Close:
    drawer: str
    by: str
    count: Count
    reason: str


class Drawers:
    """All drawers of a house. Threads may share it, and all calls block."""

    def __init__(
        self,
        commands: CageCommands,
        vouchers: Vouchers,
        limits: LimitBook,
        *,
        limit_cents: int = LIMIT_CENTS,
        may_approve: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """``limit_cents`` is the amount above which a payout needs a supervisor, from the next
        opening of a drawer on. ``may_approve`` says whether a person is a supervisor now."""
        self._commands = commands
        self._records = ContainerRecords(DRAWERS, commands.store, commands.codec)
        self._vouchers = vouchers
        self._limits = limits
        self._may_approve = may_approve
        self.limit_cents = limit_cents

    # Reading ---------------------------------------------------------------------------

    def get(self, drawer: str) -> Drawer:
        """A drawer as it is now; closed if it was never opened."""
        return self._records.read(drawer)[0]

    def all(self) -> list[Drawer]:
        """Every drawer that was ever opened, by name."""
        return [self.get(name) for name in self._records.names()]

    def shifts(self, drawer: str) -> list[DrawerShift]:
        """The shifts of a drawer that are over, the last one last; very old ones are left out."""
        return list(closed_shifts(self._commands.store, self._commands.codec, drawer))

    def check_own(self, drawer: str, by: str) -> None:
        """Raise Refusal unless this cashier has the drawer open."""
        _check_own(self.get(drawer), by)

    def last_closed(self, cashier: str) -> DrawerShift | None:
        """The drawer that a cashier has had open last and that is closed now."""
        own = (
            shift
            for name in self._records.names()
            for shift in self.shifts(name)
            if shift.cashier == cashier
        )
        return max(own, key=lambda shift: shift.closed_ms, default=None)

    # Opening and closing ---------------------------------------------------------------

    def open(self, drawer: str, count: Count, *, by: str, id: str) -> Drawer:  # noqa: A002
        """Open a drawer with the float that was counted; raises Refusal."""
        check_name(drawer, "drawer")
        check_count(count)

        def decide(state: Drawer, _: Cause) -> Decided:
            if state.cashier is not None:
                raise Refusal(
                    CageCode.DRAWER_OPEN, f"{state.cashier} has already opened this drawer."
                )
            return (DrawerOpened(drawer, by, count, self.limit_cents),), ()

        return self._carry_out(drawer, id, _Open(drawer, by, count), decide)

    def close(
        self,
        drawer: str,
        count: Count,
        *,
        by: str,
        id: str,  # noqa: A002
        reason: str = "",
        supervisor: bool = False,
    ) -> Drawer:
        """Close a drawer with the cash that was counted; a difference needs a reason.

        A supervisor may close the drawer of a cashier who has left. Raises Refusal.
        """
        check_count(count)
        check_text(reason)

        def decide(state: Drawer, _: Cause) -> Decided:
            if state.cashier is None:
                raise _closed()
            if not supervisor:
                _check_own(state, by)
            difference_cents = counted_cents(count) - state.cents
            if difference_cents and not reason.strip():
                words = "over" if difference_cents > 0 else "short"
                raise Refusal(
                    CageCode.DIFFERENCE_UNEXPLAINED,
                    f"The drawer is {format_cents(abs(difference_cents))} {words}; "
                    "count again, or give a reason.",
                )
            why = reason if difference_cents else ""
            return (DrawerClosed(drawer, by, count, difference_cents, why),), ()

        return self._carry_out(drawer, id, _Close(drawer, by, count, reason), decide)

    # Cash ------------------------------------------------------------------------------

    def take_cash(
        self,
        drawer: str,
        player: str,
        cents: int,
        *,
        by: str,
        id: str,  # noqa: A002
        note: str = "",
    ) -> Drawer:
        """Take cash for a player's wallet; raises Refusal."""
        check_name(player, "player")
        check_cents(cents)
        check_text(note)
        event = CashTaken(drawer, player, cents, note)

        def decide(state: Drawer, cause: Cause) -> Decided:
            _check_own(state, by)
            _check_room(state, cents)
            return (event,), self._limits.deposit(player, cents, without_digest(cause))

        return self._carry_out(drawer, id, event, decide)

    def pay_cash(
        self,
        drawer: str,
        player: str,
        cents: int,
        *,
        by: str,
        id: str,  # noqa: A002
        note: str = "",
    ) -> Drawer:
        """Pay cash from a player's wallet. Raises Refusal, always for amounts above the limit."""
        check_name(player, "player")
        check_cents(cents)
        check_text(note)
        event = CashPaid(drawer, player, cents, note)

        def decide(state: Drawer, _: Cause) -> Decided:
            _check_own(state, by)
            _check_limit(state, cents)
            self._check_wallet(player, cents)
            _check_cash(state, cents)
            return (event,), ()

        return self._carry_out(drawer, id, event, decide)

    # Vouchers --------------------------------------------------------------------------

    def sell_voucher(
        self,
        drawer: str,
        cents: int,
        *,
        by: str,
        id: str,  # noqa: A002
    ) -> IssuedVoucher:
        """Sell a voucher for cash; the same id again gives the same voucher. Raises Refusal."""
        check_cents(cents)
        code = self._vouchers.new_code(f"drawer:{drawer}", id)
        voucher = self._vouchers.id_of_new(code)

        def decide(state: Drawer, cause: Cause) -> Decided:
            _check_own(state, by)
            _check_room(state, cents)
            issue = self._vouchers.issuing(voucher, cents, drawer_account(drawer), cause)
            return (VoucherSold(drawer, voucher, cents),), (issue,)

        self._carry_out(drawer, id, _SellVoucher(drawer, by, cents), decide)
        return self._vouchers.issued(voucher, code)

    def cash_voucher(
        self,
        drawer: str,
        code: str,
        *,
        by: str,
        id: str,  # noqa: A002
    ) -> Drawer:
        """Pay a voucher in cash; raises Refusal, above the limit always."""
        voucher = self._vouchers.id_of(code)
        asked = VoucherCashed(drawer, voucher, 0)

        def decide(state: Drawer, cause: Cause) -> Decided:
            _check_own(state, by)
            held, redeem = self._vouchers.redeeming(voucher, drawer_account(drawer), cause)
            _check_limit(state, held.cents)
            _check_cash(state, held.cents)
            return (replace(asked, cents=held.cents),), (redeem,)

        return self._carry_out(drawer, id, asked, decide)

    # Payouts above the limit -----------------------------------------------------------

    def request_payout(
        self,
        drawer: str,
        *,
        by: str,
        id: str,  # noqa: A002
        player: str | None = None,
        cents: int | None = None,
        code: str | None = None,
        note: str = "",
    ) -> Drawer:
        """Ask a supervisor for a payout above the limit: of a wallet, or of a voucher's code.

        Nothing is paid or set aside by this. Raises Refusal.
        """
        check_text(note)
        voucher = None
        if code is not None:
            voucher = self._vouchers.id_of(code)
            cents = self._vouchers.get(voucher).cents
        check_cents(cents)
        assert cents is not None
        if voucher is None:
            check_name(player, "player")
        asked = _Request(by, cents, None if voucher else player, voucher, note)

        def decide(state: Drawer, cause: Cause) -> Decided:
            _check_own(state, by)
            if asked.cents <= state.limit_cents:
                raise Refusal(CageCode.BELOW_LIMIT, "This payout needs no approval.")
            if asked.voucher is not None:
                self._vouchers.redeeming(asked.voucher, drawer_account(drawer), cause)
            elif asked.player is not None:
                self._check_wallet(asked.player, asked.cents)
            number = state.requests + 1
            event = PayoutRequested(number, asked.cents, by, asked.player, asked.voucher, note)
            return (event,), ()

        return self._carry_out(drawer, id, asked, decide)

    def approve(self, drawer: str, number: int, *, by: str, id: str) -> Drawer:  # noqa: A002
        """Approve a payout, as a supervisor who has not requested it; raises Refusal."""

        def decide(state: Drawer, _: Cause) -> Decided:
            payout = _payout(state, number)
            if payout.state is PayoutState.APPROVED:
                raise Refusal(
                    CageCode.ALREADY_APPROVED, f"{payout.approved_by} has approved this payout."
                )
            if payout.request.by == by:
                raise Refusal(CageCode.OWN_REQUEST, "Another person must approve your request.")
            return (PayoutApproved(number, by),), ()

        return self._carry_out(drawer, id, _Judge(number, by, None), decide)

    def reject(
        self,
        drawer: str,
        number: int,
        *,
        by: str,
        id: str,  # noqa: A002
        reason: str,
        supervisor: bool = False,
    ) -> Drawer:
        """Reject a payout as a supervisor, or withdraw a request of one's own; raises Refusal."""
        check_text(reason)
        if not reason.strip():
            raise malformed("Give a reason.")

        def decide(state: Drawer, _: Cause) -> Decided:
            payout = _payout(state, number)
            if not supervisor and payout.request.by != by:
                raise Refusal(
                    CageCode.DRAWER_NOT_YOURS, f"{payout.request.by} has requested this payout."
                )
            return (PayoutRejected(number, by, reason),), ()

        return self._carry_out(drawer, id, _Judge(number, by, reason), decide)

    def pay_approved(self, drawer: str, number: int, *, by: str, id: str) -> Drawer:  # noqa: A002
        """Pay what a supervisor has approved; raises Refusal."""

        def decide(state: Drawer, cause: Cause) -> Decided:
            _check_own(state, by)
            payout = _payout(state, number)
            request = payout.request
            if payout.state is not PayoutState.APPROVED:
                raise Refusal(CageCode.NEEDS_APPROVAL, "This payout is waiting for a supervisor.")
            if payout.approved_by is None or not self._may_approve(payout.approved_by):
                raise Refusal(
                    CageCode.NEEDS_APPROVAL,
                    "The person who approved this payout may no longer do so: withdraw it, and "
                    "request it again.",
                )
            _check_cash(state, request.cents)
            if request.voucher is not None:
                _, redeem = self._vouchers.redeeming(request.voucher, drawer_account(drawer), cause)
                cashed = VoucherCashed(drawer, request.voucher, request.cents, number)
                return (cashed,), (redeem,)
            assert request.player is not None
            self._check_wallet(request.player, request.cents)
            return (CashPaid(drawer, request.player, request.cents, request.note, number),), ()

        return self._carry_out(drawer, id, _Pay(number, by), decide)

    # Writing ---------------------------------------------------------------------------

    def _carry_out(
        self,
        drawer: str,
        command: str,
        asked: object,
        decide: Callable[[Drawer, Cause], Decided],
    ) -> Drawer:
        stream = drawer_stream(drawer)
        codec = self._commands.codec

        def decided(cause: Cause) -> tuple[Append, ...]:
            state, version = self._records.read(drawer)
            events, others = decide(state, cause)
            written = []
            for event in events:
                transfers = drawer_transfers(state, event)
                written.append(codec.encode(event, transfers, cause=cause))
                state = drawer_after(state, event, self._commands.clock.wall_ms())
            append = Append(
                stream=stream,
                expected_version=version,
                events=tuple(written),
                snapshot=None if state.cashier else codec.codec.to_json(Drawer, state),
            )
            return (append, *others)

        self._commands.carry_out(stream, command, asked, decided)
        return self.get(drawer)

    def _check_wallet(self, player: str, cents: int) -> None:
        held_cents = self._commands.store.balance(wallet_of(player))
        if cents > held_cents:
            raise Refusal(CageCode.WALLET_SHORT, f"The wallet holds {format_cents(held_cents)}.")


def _check_own(state: Drawer, by: str) -> None:
    if state.cashier is None:
        raise _closed()
    if state.cashier != by:
        raise Refusal(CageCode.DRAWER_NOT_YOURS, f"This drawer belongs to {state.cashier}.")


def _check_limit(state: Drawer, cents: int) -> None:
    if cents > state.limit_cents:
        raise Refusal(
            CageCode.NEEDS_APPROVAL,
            f"A payout above {format_cents(state.limit_cents)} needs a supervisor.",
        )


def _check_cash(state: Drawer, cents: int) -> None:
    if cents > state.cents:
        raise Refusal(CageCode.DRAWER_SHORT, f"The drawer holds {format_cents(state.cents)}.")


def _check_room(state: Drawer, cents: int) -> None:
    """Refuse cash beyond what a count of the drawer can say when it is closed."""
    if state.cents + cents > AMOUNT_MAX_CENTS:
        raise malformed(f"A drawer can hold at most {format_cents(AMOUNT_MAX_CENTS)}.")


def _payout(state: Drawer, number: int) -> Payout:
    payout = state.payouts.get(number)
    if payout is None:
        raise Refusal(CageCode.NO_SUCH_PAYOUT, f"No payout {number} is pending at this drawer.")
    return payout


def _closed() -> Refusal:
    return Refusal(CageCode.DRAWER_CLOSED, "This drawer is closed; open it by count first.")
