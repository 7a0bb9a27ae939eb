"""Endpoints of the chips of live tables, and of the money of a shift at all tables."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Path

from openfelt.ledger.trays import SlipKind, Tray, TrayMoment
from openfelt.protocol.api_prefix import API
from openfelt.protocol.cage_forms import CageCommand
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
from openfelt.runtime.cage.trays import Trays
from openfelt.server.accounts.events import AccountRole
from openfelt.server.errors import not_allowed, not_found, signed_out
from openfelt.server.http import money_views
from openfelt.server.http.counts import count_of
from openfelt.server.http.dependencies import Caller, CurrentCaller, CurrentServices
from openfelt.server.live_tables import dealer_desk
from openfelt.server.services import Services
from openfelt.table.state import Table

router = APIRouter(prefix=API, tags=["chips"])
TableName = Annotated[str, Path(pattern="^[a-z0-9][a-z0-9_.-]{0,31}$")]
Number = Annotated[int, Path(ge=1, le=10**9)]
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


@dataclass(frozen=True, slots=True)
class TrayDesk:
    """A person who signs for the chips of a table, with its tray."""

    services: Services
    table: str
    signer: Signer

    async def carry_out(self, act: Callable[[Trays], Tray]) -> TrayView:
        """Carry out a signed action, and return the tray after it."""
        return await self.view(await asyncio.to_thread(act, self.services.cage.trays))

    async def view(self, tray: Tray) -> TrayView:
        """The tray as its person may see it: only a supervisor sees what the book has."""
        book_cents = None
        if self.signer.role is TrayRole.SUPERVISOR and tray.mark is not None:
            trays = self.services.cage.trays
            play, _ = await asyncio.to_thread(trays.play_since, tray.id, tray.mark)
            book_cents = tray.cents + play.tray_cents
        return money_views.tray(tray, book_cents=book_cents)


async def _tray_desk(
    table: TableName, caller: CurrentCaller, services: CurrentServices
) -> TrayDesk:
    """The caller as a person who signs; raises Denied."""
    return TrayDesk(services, table, await _signer(caller, table, services))


CurrentDesk = Annotated[TrayDesk, Depends(_tray_desk)]
"""The caller at the tray, for endpoints by which chips are signed for."""


# Reading -------------------------------------------------------------------------------------


@router.get("/shift")
async def shift(services: CurrentServices) -> FloorMoneyView:
    """The money of a shift at all public tables."""
    tables, shift_money = await services.lobby.public_tables(), services.shift_money
    moneys = [(table, await asyncio.to_thread(shift_money.of, table.id)) for table in tables]
    return FloorMoneyView(
        at_ms=services.clock.wall_ms(),
        tables=[money_views.table_money(table, money) for table, money in moneys if money],
        missing=[table.id for table, money in moneys if money is None],
        win_to_drop=[
            money_views.win_to_drop(period)
            for period in await asyncio.to_thread(services.win_to_drop.periods)
        ],
    )


@router.get("/tables/{table}/shift")
async def table_shift(table: TableName, services: CurrentServices) -> TableShiftsView:
    """The money of one table, with its earlier shifts and its slips."""
    state = await _public_table(services, table)
    money = await asyncio.to_thread(services.shift_money.of, table)
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
    histories = await asyncio.to_thread(services.tray_histories.all)
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
    desk = TrayDesk(services, table, await _signer(caller, table, services, reads=True))
    return await desk.carry_out(lambda trays: trays.get(table))


# Counts --------------------------------------------------------------------------------------


@router.post("/tables/{table}/tray/counts")
async def count_tray(form: TrayCountForm, desk: CurrentDesk) -> TrayView:
    """Count a tray and sign first, as its dealer or a supervisor."""
    count, moment, reason = count_of(form.count), TrayMoment(form.moment), form.reason or ""
    return await desk.carry_out(
        lambda trays: trays.count(
            desk.table, moment, count, by=desk.signer, id=form.id, reason=reason
        )
    )


@router.post("/tables/{table}/tray/counts/{number}/sign")
async def sign_count(number: Number, form: CageCommand, desk: CurrentDesk) -> TrayView:
    """Sign a count as the second person, which opens or closes the tray."""
    return await desk.carry_out(
        lambda trays: trays.sign(desk.table, number, by=desk.signer, id=form.id)
    )


@router.post("/tables/{table}/tray/counts/{number}/drop")
async def drop_count(number: Number, form: TrayRefusal, desk: CurrentDesk) -> TrayView:
    """Reject a count, or withdraw your own, so that the tray is counted again."""
    return await desk.carry_out(
        lambda trays: trays.drop_count(
            desk.table, number, by=desk.signer, id=form.id, reason=form.reason
        )
    )


# Fills and credits -----------------------------------------------------------------------------


@router.post("/tables/{table}/tray/chips")
async def request_chips(form: ChipsRequest, desk: CurrentDesk) -> TrayView:
    """Ask for a fill or a credit, as the dealer of the table or a supervisor."""
    count, kind, note = count_of(form.count), SlipKind(form.kind), form.note or ""
    return await desk.carry_out(
        lambda trays: trays.request(desk.table, kind, count, by=desk.signer, id=form.id, note=note)
    )


@router.post("/tables/{table}/tray/chips/{number}/give")
async def give_chips(number: Number, form: CageCommand, desk: CurrentDesk) -> TrayView:
    """Approve a request of another person and give the chips; a fill gets its slip."""
    return await desk.carry_out(
        lambda trays: trays.give(desk.table, number, by=desk.signer, id=form.id)
    )


@router.post("/tables/{table}/tray/chips/{number}/receive")
async def receive_chips(number: Number, form: CageCommand, desk: CurrentDesk) -> TrayView:
    """Receive chips that were counted, as a third person; a credit gets its slip."""
    return await desk.carry_out(
        lambda trays: trays.receive(desk.table, number, by=desk.signer, id=form.id)
    )


@router.post("/tables/{table}/tray/chips/{number}/refuse")
async def refuse_chips(number: Number, form: TrayRefusal, desk: CurrentDesk) -> TrayView:
    """Reject or withdraw a request; chips on their way go back to where they came from."""
    return await desk.carry_out(
        lambda trays: trays.refuse(
            desk.table, number, by=desk.signer, id=form.id, reason=form.reason
        )
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
