"""Endpoints of the cage: vouchers of players, and the drawers and payouts of cashiers."""

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated

import segno
from fastapi import APIRouter, Depends, Path

from openfelt.ledger.drawers import Drawer
from openfelt.ledger.vouchers import UNCLAIMED, Voucher
from openfelt.protocol.api_prefix import API
from openfelt.protocol.cage_forms import (
    CageCommand,
    CageView,
    CashEntryView,
    CashForm,
    CashThresholdsView,
    DrawerClosing,
    DrawerOpening,
    DrawerView,
    PayoutRefusal,
    PayoutRequest,
    PayoutView,
    PersonCashView,
    VoucherCodeForm,
    VoucherOrder,
    VoucherSale,
    VoucherTaken,
    VoucherTicket,
    VoucherUse,
    VoucherView,
    WalletView,
)
from openfelt.runtime.cage.drawers import Drawers
from openfelt.runtime.cage.vouchers import IssuedVoucher
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.events import AccountRole
from openfelt.server.accounts.names import is_account_name
from openfelt.server.errors import Denied, not_found
from openfelt.server.http.counts import count_of
from openfelt.server.http.dependencies import (
    Caller,
    CurrentAccount,
    CurrentCaller,
    CurrentServices,
    check_heavy_rate,
)
from openfelt.server.services import Services

router = APIRouter(prefix=API, tags=["cage"])
DrawerName = Annotated[str, Path(pattern="^[a-z0-9][a-z0-9_.-]{0,31}$")]
PayoutNumber = Annotated[int, Path(ge=1, le=10**9)]


# Vouchers of players -----------------------------------------------------------------


@router.post("/vouchers", dependencies=[Depends(check_heavy_rate)])
async def issue_voucher(
    form: VoucherOrder, account: CurrentAccount, caller: CurrentCaller, services: CurrentServices
) -> VoucherTicket:
    """Turn wallet money into a voucher. A retry with the same id returns the same voucher."""
    _check_offered(services, caller)
    issued = await asyncio.to_thread(
        services.cage.vouchers.issue, account.player, form.cents, id=form.id
    )
    left_cents = await asyncio.to_thread(services.floor.cashier.balance, account.player)
    return await asyncio.to_thread(ticket_of, issued, wallet_cents=left_cents)


@router.post("/vouchers/redeem", dependencies=[Depends(check_heavy_rate)])
async def redeem_voucher(
    form: VoucherUse, account: CurrentAccount, caller: CurrentCaller, services: CurrentServices
) -> VoucherTaken:
    """Redeem a voucher to the caller's wallet. A voucher can be redeemed only once."""
    _check_offered(services, caller)
    voucher = await asyncio.to_thread(
        services.cage.vouchers.redeem, form.code, account.player, id=form.id
    )
    wallet_cents = await asyncio.to_thread(services.floor.cashier.balance, account.player)
    return VoucherTaken(cents=voucher.cents, wallet_cents=wallet_cents)


def _check_offered(services: Services, caller: Caller) -> None:
    if not services.settings.offers_vouchers(enrolled=caller.enrolled):
        raise Denied(
            HTTPStatus.CONFLICT,
            "no_vouchers",
            "Vouchers are available only at terminals of the house, where the house offers them.",
        )


# The window --------------------------------------------------------------------------


@router.get("/cage")
async def cage(_: CurrentAccount, services: CurrentServices) -> CageView:
    """The drawers, the payouts that wait, and what the house owes to holders of vouchers."""
    drawers = await asyncio.to_thread(services.cage.drawers.all)
    liability = await asyncio.to_thread(services.cage.vouchers.liability)
    unclaimed_cents = await asyncio.to_thread(services.store.balance, UNCLAIMED)
    return CageView(
        drawers=[drawer_view(drawer) for drawer in drawers],
        limit_cents=services.cage.drawers.limit_cents,
        vouchers_open=liability.vouchers,
        vouchers_cents=liability.cents,
        unclaimed_cents=unclaimed_cents,
    )


@router.get("/cage/thresholds")
async def thresholds(_: CurrentAccount, services: CurrentServices) -> CashThresholdsView:
    """All people whose cash of the day, in or out, has reached a threshold of the house."""
    cash = services.cash_thresholds
    day, people = await asyncio.to_thread(cash.today)
    return CashThresholdsView(
        day=day.isoformat(),
        log_cents=cash.log_cents,
        report_cents=cash.report_cents,
        people=[
            PersonCashView(
                player=person.player,
                in_cents=person.in_cents,
                out_cents=person.out_cents,
                logged=cash.is_logged(person),
                reported=cash.is_reported(person),
                entries=[
                    CashEntryView(
                        at_ms=entry.at_ms,
                        drawer=entry.drawer,
                        cents=entry.cents,
                        way="in" if entry.taken else "out",
                    )
                    for entry in person.entries
                ],
            )
            for person in people
        ],
    )


@router.get("/cage/wallets/{name}")
async def wallet(
    name: Annotated[str, Path(min_length=1, max_length=64)],
    _: CurrentAccount,
    services: CurrentServices,
) -> WalletView:
    """The money of a player's account that is not at a table."""
    account = await _player(services, name)
    wallet_cents = await asyncio.to_thread(services.floor.cashier.balance, account.player)
    return WalletView(
        player=account.player, wallet_cents=wallet_cents, barred=account.barred is not None
    )


@router.post("/cage/vouchers/look-up")
async def look_up(
    form: VoucherCodeForm, _: CurrentAccount, services: CurrentServices
) -> VoucherView:
    """Look up a voucher's amount and whether it is still open. It stays as it is."""
    return voucher_view(await asyncio.to_thread(services.cage.vouchers.find, form.code))


@router.post("/cage/drawers/{drawer}/open")
async def open_drawer(
    drawer: DrawerName, form: DrawerOpening, cashier: CurrentAccount, services: CurrentServices
) -> DrawerView:
    """Open a drawer with the float that was counted."""
    count = count_of(form.count)
    return await _carry_out(
        services, lambda drawers: drawers.open(drawer, count, by=cashier.name, id=form.id)
    )


@router.post("/cage/drawers/{drawer}/close")
async def close_drawer(
    drawer: DrawerName, form: DrawerClosing, account: CurrentAccount, services: CurrentServices
) -> DrawerView:
    """Close a drawer with the cash that was counted; a difference needs a reason."""
    count = count_of(form.count)
    return await _carry_out(
        services,
        lambda drawers: drawers.close(
            drawer,
            count,
            by=account.name,
            id=form.id,
            reason=form.reason or "",
            supervisor=account.role is AccountRole.SUPERVISOR,
        ),
    )


@router.post("/cage/drawers/{drawer}/cash-in")
async def cash_in(
    drawer: DrawerName, form: CashForm, cashier: CurrentAccount, services: CurrentServices
) -> DrawerView:
    """Take cash for a player's account."""
    account = await _player(services, form.player)
    if account.barred is not None:
        raise Denied(HTTPStatus.CONFLICT, "barred", "This account is barred.")
    player, note = account.player, form.note or ""
    return await _carry_out(
        services,
        lambda drawers: drawers.take_cash(
            drawer, player, form.cents, by=cashier.name, id=form.id, note=note
        ),
    )


@router.post("/cage/drawers/{drawer}/cash-out")
async def cash_out(
    drawer: DrawerName, form: CashForm, cashier: CurrentAccount, services: CurrentServices
) -> DrawerView:
    """Pay cash from a player's account, up to the limit."""
    player, note = (await _player(services, form.player)).player, form.note or ""
    return await _carry_out(
        services,
        lambda drawers: drawers.pay_cash(
            drawer, player, form.cents, by=cashier.name, id=form.id, note=note
        ),
    )


@router.post("/cage/drawers/{drawer}/voucher-in")
async def voucher_in(
    drawer: DrawerName, form: VoucherUse, cashier: CurrentAccount, services: CurrentServices
) -> DrawerView:
    """Pay a voucher in cash, up to the limit."""
    return await _carry_out(
        services,
        lambda drawers: drawers.cash_voucher(drawer, form.code, by=cashier.name, id=form.id),
    )


@router.post("/cage/drawers/{drawer}/voucher-out")
async def voucher_out(
    drawer: DrawerName, form: VoucherSale, cashier: CurrentAccount, services: CurrentServices
) -> VoucherTicket:
    """Sell a voucher for cash. A retry with the same id returns the same voucher."""
    issued = await asyncio.to_thread(
        services.cage.drawers.sell_voucher, drawer, form.cents, by=cashier.name, id=form.id
    )
    return await asyncio.to_thread(ticket_of, issued)


# Payouts above the limit ---------------------------------------------------------------


@router.post("/cage/drawers/{drawer}/payouts")
async def request_payout(
    drawer: DrawerName, form: PayoutRequest, cashier: CurrentAccount, services: CurrentServices
) -> DrawerView:
    """Ask for a payout above the limit: of a player's account, or of a voucher."""
    if (form.code is None) is (form.player is None) or (form.code is None) is (form.cents is None):
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "malformed",
            "Name a player and an amount, or the code of a voucher.",
        )
    player = None if form.player is None else (await _player(services, form.player)).player
    return await _carry_out(
        services,
        lambda drawers: drawers.request_payout(
            drawer,
            by=cashier.name,
            id=form.id,
            player=player,
            cents=form.cents,
            code=form.code,
            note=form.note or "",
        ),
    )


@router.post("/cage/drawers/{drawer}/payouts/{number}/approve")
async def approve_payout(
    drawer: DrawerName,
    number: PayoutNumber,
    form: CageCommand,
    supervisor: CurrentAccount,
    services: CurrentServices,
) -> DrawerView:
    """Approve a payout that another person has requested."""
    return await _carry_out(
        services, lambda drawers: drawers.approve(drawer, number, by=supervisor.name, id=form.id)
    )


@router.post("/cage/drawers/{drawer}/payouts/{number}/reject")
async def reject_payout(
    drawer: DrawerName,
    number: PayoutNumber,
    form: PayoutRefusal,
    account: CurrentAccount,
    services: CurrentServices,
) -> DrawerView:
    """Reject a payout, or withdraw your own request."""
    return await _carry_out(
        services,
        lambda drawers: drawers.reject(
            drawer,
            number,
            by=account.name,
            id=form.id,
            reason=form.reason,
            supervisor=account.role is AccountRole.SUPERVISOR,
        ),
    )


@router.post("/cage/drawers/{drawer}/payouts/{number}/pay")
async def pay_payout(
    drawer: DrawerName,
    number: PayoutNumber,
    form: CageCommand,
    cashier: CurrentAccount,
    services: CurrentServices,
) -> DrawerView:
    """Pay what a supervisor has approved."""
    return await _carry_out(
        services, lambda drawers: drawers.pay_approved(drawer, number, by=cashier.name, id=form.id)
    )


async def _carry_out(services: Services, act: Callable[[Drawers], Drawer]) -> DrawerView:
    """Carry out an action at a drawer, and return the drawer after it."""
    return drawer_view(await asyncio.to_thread(act, services.cage.drawers))


# Views -----------------------------------------------------------------------------------


def voucher_view(voucher: Voucher) -> VoucherView:
    """A voucher, without its code."""
    return VoucherView(
        cents=voucher.cents,
        state=voucher.state.value,
        issued_ms=voucher.issued_ms,
        expires_ms=voucher.expires_ms,
        ended_ms=voucher.ended_ms,
        source=voucher.source,
        to=voucher.to,
    )


def ticket_of(issued: IssuedVoucher, *, wallet_cents: int | None = None) -> VoucherTicket:
    """A voucher for its holder."""
    code = issued.code
    return VoucherTicket(
        code=code,
        qr=None if code is None else _qr(code),
        voucher=voucher_view(issued.voucher),
        wallet_cents=wallet_cents,
    )


def _qr(code: str) -> str:
    """A code as a picture. A scanner reads the code without its dashes, which it need not type."""
    plain = code.replace("-", "")
    return str(segno.make_qr(plain, error="q").svg_data_uri(scale=4, border=4, light="#fff"))


def drawer_view(drawer: Drawer) -> DrawerView:
    """A drawer as cashiers and supervisors see it."""
    payouts = [
        PayoutView(
            number=number,
            cents=payout.request.cents,
            player=payout.request.player,
            by=payout.request.by,
            at_ms=payout.at_ms,
            note=payout.request.note,
            state=payout.state.value,
            approved_by=payout.approved_by,
        )
        for number, payout in sorted(drawer.payouts.items())
    ]
    sums = drawer.sums
    return DrawerView(
        drawer=drawer.id,
        cashier=drawer.cashier,
        opened_ms=drawer.opened_ms if drawer.cashier is not None else None,
        limit_cents=drawer.limit_cents,
        cents=drawer.cents,
        opening_cents=sums.opening,
        cash_in_cents=sums.cash_in,
        cash_out_cents=sums.cash_out,
        vouchers_sold_cents=sums.vouchers_sold,
        vouchers_cashed_cents=sums.vouchers_cashed,
        payouts=payouts,
    )


async def _player(services: Services, name: str) -> Account:
    """The account of a player or guest, by its name."""
    account = None
    if is_account_name(name):
        account = await asyncio.to_thread(services.accounts.get, name)
    if account is None or account.role is not AccountRole.PLAYER:
        raise not_found("There is no player with this name.")
    return account
