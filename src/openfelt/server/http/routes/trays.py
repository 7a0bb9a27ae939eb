"""Endpoints of the chips of live tables, and of the money of a shift at all tables."""

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Path

from openfelt.ledger.trays import SlipKind, Tray, TrayMoment
from openfelt.protocol.cage_forms import CageCommand
from openfelt.protocol.messages import API
from openfelt.protocol.tray_forms import (
    ChipBankView,
    ChipsRequest,
    FloorMoneyView,
    TableShiftsView,
    TrayCountForm,
    TrayRefusal,
    TrayView,
)
from openfelt.runtime.cage.tray_rules import Signer, TrayRole
from openfelt.server.accounts.events import AccountRole
from openfelt.server.errors import not_allowed, not_found, signed_out
from openfelt.server.http import dealer_desk, money_views
from openfelt.server.http.counts import count_of
from openfelt.server.http.dependencies import Caller, CurrentCaller, CurrentServices
from openfelt.server.services import Services
from openfelt.server.supervision.floor_money.shift_money import TableMoney
from openfelt.table.state import Table

router = APIRouter(prefix=API, tags=["chips"])
TableName = Annotated[str, Path(pattern="^[a-z0-9][a-z0-9_.-]{0,31}$")]
Number = Annotated[int, Path(ge=1, le=10**9)]
_Result = TypeVar("_Result")
SLIPS_SHOWN = 40


# People ----------------------------------------------------------------------------------------


async def _signer(caller: Caller, table: str, services: Services, *, reads: bool = False) -> Signer:
    """The caller as a person who signs for the chips of a table; raises Denied.

    A dealer signs at the table where they are signed on, even in a session by PIN.
    """
    signed_in = caller.signed_in
    if signed_in is None or caller.step is not None:
        raise signed_out()
    account = signed_in.account
    state = await _live_table(services, table)
    match account.role:
        case AccountRole.SUPERVISOR:
            return Signer(account.name, TrayRole.SUPERVISOR)
        case AccountRole.AUDITOR if reads:
            return Signer(account.name, TrayRole.SUPERVISOR)
        case AccountRole.CASHIER:
            return Signer(account.name, TrayRole.CHIP_BANK)
        case AccountRole.DEALER if state.dealer == account.name and signed_in.table in (
            None,
            table,
        ):
            return Signer(account.name, TrayRole.DEALER)
    raise not_allowed("Only the dealer of this table may do that.")


async def _tray_signer(
    table: TableName, caller: CurrentCaller, services: CurrentServices
) -> Signer:
    """The caller as a person who signs; raises Denied."""
    return await _signer(caller, table, services)


TraySigner = Annotated[Signer, Depends(_tray_signer)]
"""The caller, for endpoints by which chips are signed for."""


# Reading -------------------------------------------------------------------------------------


@router.get("/shift")
async def shift(services: CurrentServices) -> FloorMoneyView:
    """The money of a shift at all public tables."""
    tables = await services.lobby.public_tables()
    moneys = [(table, await _do(_money(services, table.id))) for table in tables]
    return FloorMoneyView(
        at_ms=services.clock.wall_ms(),
        tables=[money_views.table_money(table, money) for table, money in moneys if money],
        missing=[table.id for table, money in moneys if money is None],
        win_to_drop=[
            money_views.win_to_drop(one) for one in await _do(services.win_to_drop.periods)
        ],
    )


@router.get("/tables/{table}/shift")
async def table_shift(table: TableName, services: CurrentServices) -> TableShiftsView:
    """The money of one table, with its earlier shifts and its slips."""
    state = await _public_table(services, table)
    money = await _do(_money(services, table))
    if money is None:
        raise not_found("The record of this table cannot be read.")
    history = money.history
    return TableShiftsView(
        now=money_views.table_money(state, money),
        before=[money_views.ended_shift(shift) for shift in reversed(history.shifts)],
        slips=[money_views.slip(slip) for slip in reversed(history.slips)],
    )


@router.get("/cage/chips")
async def chip_bank(services: CurrentServices) -> ChipBankView:
    """The requests waiting at the chip bank, and the newest slips of the house."""
    histories = await _do(services.tray_histories.all)
    slips = [slip for history in histories for slip in history.slips]
    return ChipBankView(
        moves=[view for history in histories for view in money_views.moves(history.tray)],
        slips=[
            money_views.slip(slip)
            for slip in sorted(slips, key=lambda slip: slip.number, reverse=True)[:SLIPS_SHOWN]
        ],
    )


@router.get("/tables/{table}/tray")
async def tray(table: TableName, caller: CurrentCaller, services: CurrentServices) -> TrayView:
    """The tray of a live table; a dealer counts it without seeing the book."""
    signer = await _signer(caller, table, services, reads=True)
    return await _view(services, await _do(lambda: services.cage.trays.get(table)), signer)


# Counts --------------------------------------------------------------------------------------


@router.post("/tables/{table}/tray/counts")
async def count_tray(
    table: TableName, form: TrayCountForm, signer: TraySigner, services: CurrentServices
) -> TrayView:
    """Count a tray and sign first, as its dealer or a supervisor."""
    trays, count, moment = services.cage.trays, count_of(form.count), TrayMoment(form.moment)
    reason = form.reason or ""
    return await _done(
        services,
        signer,
        lambda: trays.count(table, moment, count, by=signer, id=form.id, reason=reason),
    )


@router.post("/tables/{table}/tray/counts/{number}/sign")
async def sign_count(
    table: TableName,
    number: Number,
    form: CageCommand,
    signer: TraySigner,
    services: CurrentServices,
) -> TrayView:
    """Sign a count as the second person, which opens or closes the tray."""
    trays = services.cage.trays
    return await _done(services, signer, lambda: trays.sign(table, number, by=signer, id=form.id))


@router.post("/tables/{table}/tray/counts/{number}/drop")
async def drop_count(
    table: TableName,
    number: Number,
    form: TrayRefusal,
    signer: TraySigner,
    services: CurrentServices,
) -> TrayView:
    """Reject a count, or withdraw your own, so that the tray is counted again."""
    trays = services.cage.trays
    return await _done(
        services,
        signer,
        lambda: trays.drop_count(table, number, by=signer, id=form.id, reason=form.reason),
    )


# Fills and credits -----------------------------------------------------------------------------


@router.post("/tables/{table}/tray/chips")
async def request_chips(
    table: TableName, form: ChipsRequest, signer: TraySigner, services: CurrentServices
) -> TrayView:
    """Ask for a fill or a credit, as the dealer of the table or a supervisor."""
    trays, count, kind = services.cage.trays, count_of(form.count), SlipKind(form.kind)
    note = form.note or ""
    return await _done(
        services,
        signer,
        lambda: trays.request(table, kind, count, by=signer, id=form.id, note=note),
    )


@router.post("/tables/{table}/tray/chips/{number}/give")
async def give_chips(
    table: TableName,
    number: Number,
    form: CageCommand,
    signer: TraySigner,
    services: CurrentServices,
) -> TrayView:
    """Approve a request of another person and give the chips; a fill gets its slip."""
    trays = services.cage.trays
    return await _done(services, signer, lambda: trays.give(table, number, by=signer, id=form.id))


@router.post("/tables/{table}/tray/chips/{number}/receive")
async def receive_chips(
    table: TableName,
    number: Number,
    form: CageCommand,
    signer: TraySigner,
    services: CurrentServices,
) -> TrayView:
    """Receive chips that were counted, as a third person; a credit gets its slip."""
    trays = services.cage.trays
    return await _done(
        services, signer, lambda: trays.receive(table, number, by=signer, id=form.id)
    )


@router.post("/tables/{table}/tray/chips/{number}/refuse")
async def refuse_chips(
    table: TableName,
    number: Number,
    form: TrayRefusal,
    signer: TraySigner,
    services: CurrentServices,
) -> TrayView:
    """Reject or withdraw a request; chips on their way go back to where they came from."""
    trays = services.cage.trays
    return await _done(
        services,
        signer,
        lambda: trays.refuse(table, number, by=signer, id=form.id, reason=form.reason),
    )


# What endpoints share ---------------------------------------------------------------------------


async def _live_table(services: Services, table: str) -> Table:
    """A table that has a tray; raises Denied for any other."""
    state = await _public_table(services, table)
    if state.virtual:
        raise not_found("Only a table with a live dealer has a tray of chips.")
    return state


async def _public_table(services: Services, table: str) -> Table:
    """A public table; raises Denied."""
    state = await dealer_desk.table_now(services, table)
    if all(public.id != table for public in await services.lobby.public_tables()):
        raise not_found("There is no such table.")
    return state


async def _done(services: Services, signer: Signer, act: Callable[[], Tray]) -> TrayView:
    """Carry out a signed action, and return the tray after it."""
    return await _view(services, await _do(act), signer)


async def _view(services: Services, tray: Tray, signer: Signer) -> TrayView:
    book_cents = None
    if signer.role is TrayRole.SUPERVISOR and tray.mark is not None:
        play, _ = await _do(lambda: services.cage.trays.play_since(tray.id, tray.mark))
        book_cents = tray.cents + play.tray_cents
    return money_views.tray(tray, book_cents=book_cents)


def _money(services: Services, table: str) -> Callable[[], TableMoney | None]:
    return lambda: services.shift_money.of(table)


async def _do(act: Callable[[], _Result]) -> _Result:
    """Run a blocking call in a thread."""
    return await asyncio.to_thread(act)
