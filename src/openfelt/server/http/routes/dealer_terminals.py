"""Endpoints of the dealer's terminal of a table: signing on by badge and PIN, handing the table
over to another dealer, the approval of a supervisor, and the tips of a shift."""

import asyncio
import contextlib
import logging
from http import HTTPStatus
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response

from openfelt.protocol.api_prefix import API
from openfelt.protocol.dealer_forms import (
    ApprovalForm,
    ApprovalView,
    HandoverConfirm,
    HandoverView,
    PinForm,
    ShiftView,
    SignOnForm,
)
from openfelt.protocol.messages import CommandAsked
from openfelt.protocol.rest import Me
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.devices import Device
from openfelt.server.accounts.names import is_account_name
from openfelt.server.accounts.sign_in import Factor, Source
from openfelt.server.errors import Denied, not_allowed, not_found, signed_out
from openfelt.server.http.dependencies import (
    Caller,
    CurrentCaller,
    CurrentServices,
    CurrentSource,
    check_sign_in_rate,
    device_of,
    set_session,
    step_first,
    step_of,
    terminal_of,
    while_connected,
)
from openfelt.server.http.routes.account import own_account
from openfelt.server.live_tables import dealer_desk
from openfelt.server.pit.approvals import APPROVAL_MS, BY_KIND, Act, content_of
from openfelt.server.pit.shifts import SHIFTS_MAX, Shift
from openfelt.server.services import Services
from openfelt.table.commands import Person, Role

_COMMANDS: Final = msgspec.json.Decoder(CommandAsked)
HAND_OVER: Final = "hand_over"
CHANGE_DEALER: Final = "change_dealer"
router = APIRouter(prefix=API, tags=["dealers"])

logger = logging.getLogger(__name__)


@router.post("/dealer/sign-on")
async def sign_on(
    form: SignOnForm, request: Request, response: Response, services: CurrentServices
) -> Me:
    """Sign a dealer on at the table of this terminal, in a session for that table only."""
    device, table = await _dealers_terminal(request, services)
    try:
        account = await while_connected(
            request,
            services.pins.check(form.badge, form.pin, device=device.id, new_pin=form.new_pin),
        )
    except Denied as denied:
        services.metrics.sign_ins.labels(denied.code).inc()
        raise
    check_dealer(account)
    terminal = await terminal_of(request, services, None)
    await dealer_desk.sign_on(
        services, table, account.name, terminal=terminal, approval=form.approval
    )
    return await enter(services, account, device, request, response)


@router.post("/dealer/handover")
async def begin_handover(
    form: PinForm, caller: CurrentCaller, request: Request, services: CurrentServices
) -> HandoverView:
    """Sign on the incoming dealer beside the outgoing one, who confirms with the returned token.

    Nothing changes at the table yet.
    """
    device, table = await _dealers_terminal(request, services)
    outgoing = await _dealer_of(caller, table, services)
    incoming = await while_connected(
        request, services.pins.check(form.badge, form.pin, device=device.id, new_pin=form.new_pin)
    )
    check_dealer(incoming)
    if incoming.name == outgoing.name:
        raise not_allowed("The outgoing and incoming dealers must be different people.")
    act = Act(HAND_OVER, table, caller.terminal, None)
    approval = await services.rooms.approvals.give(act, Person(Role.DEALER, incoming.name))
    return HandoverView(
        outgoing=outgoing.public_name,
        incoming=incoming.public_name,
        approval=approval,
        seconds=APPROVAL_MS // 1000,
    )


@router.post("/dealer/handover/confirm")
async def confirm_handover(
    form: HandoverConfirm,
    caller: CurrentCaller,
    request: Request,
    response: Response,
    services: CurrentServices,
) -> Me:
    """The outgoing dealer hands the table over: one session ends and the other begins."""
    device, table = await _dealers_terminal(request, services)
    outgoing = await _dealer_of(caller, table, services)
    act = Act(HAND_OVER, table, caller.terminal, None)
    incoming = await dealer_desk.use_approval(services, form.approval, act)
    await dealer_desk.hand_over(
        services, table, outgoing=outgoing.name, incoming=incoming.name, terminal=caller.terminal
    )
    account = await asyncio.to_thread(services.accounts.get, incoming.name, fresh=True)
    if account is None:
        raise signed_out()
    return await enter(services, account, device, request, response)


@router.post("/dealer/approvals", dependencies=[Depends(check_sign_in_rate)])
async def approve(
    form: ApprovalForm,
    caller: CurrentCaller,
    source: CurrentSource,
    request: Request,
    services: CurrentServices,
) -> ApprovalView:
    """A supervisor approves one act of the dealer at this terminal, and opens no session."""
    if caller.terminal_of != form.table:
        await _dealer_of(caller, form.table, services)
    supervisor = await while_connected(request, _supervisor(form, source, request, services))
    step = step_of(supervisor, services.settings) if form.badge is None else None
    if step is not None:
        raise step_first(step)
    person = supervisor.person
    if person is None or person.role is not Role.FLOOR:
        raise not_allowed("Only a supervisor may approve that.")
    number = (await dealer_desk.table_now(services, form.table)).rounds
    in_round = None if form.act == CHANGE_DEALER else number
    act = Act(form.act, form.table, caller.terminal, in_round, _content(form))
    logger.info("approved", extra={"fields": {"account": supervisor.name, "act": form.act[:40]}})
    return ApprovalView(
        approval=await services.rooms.approvals.give(act, person),
        by=supervisor.name,
        act=form.act,
        seconds=APPROVAL_MS // 1000,
    )


def _content(form: ApprovalForm) -> str | None:
    """The digest of the command that is approved; raises Denied if it is not the action."""
    if form.act in BY_KIND:
        return None
    try:
        command = _COMMANDS.decode(form.command or "")
    except msgspec.DecodeError:
        command = None
    if command is None or command.__struct_config__.tag != form.act:
        raise Denied(
            HTTPStatus.BAD_REQUEST, "malformed", "The approval must contain the complete command."
        )
    return content_of(command)


@router.get("/dealer/shift")
async def own_shift(caller: CurrentCaller, services: CurrentServices) -> ShiftView | None:
    """The dealer's own shift, or the last one, with its tips; null before the first."""
    if caller.signed_in is None:
        raise signed_out()
    name = caller.signed_in.account.name
    shifts = await asyncio.to_thread(lambda: services.shifts.of(name, limit=1))
    return _shift(shifts[0]) if shifts else None


@router.get("/dealers/{name}/shifts")
async def shifts(
    name: Annotated[str, Path(min_length=1, max_length=64)],
    services: CurrentServices,
    limit: Annotated[int, Query(ge=1, le=SHIFTS_MAX)] = 20,
) -> list[ShiftView]:
    """The newest shifts of a dealer with the tips of each, the last one first."""
    if not is_account_name(name):
        raise not_found("There is no such dealer.")
    dealer_shifts = await asyncio.to_thread(lambda: services.shifts.of(name, limit=limit))
    return [_shift(shift) for shift in dealer_shifts]


def _shift(shift: Shift) -> ShiftView:
    return ShiftView(
        table=shift.table,
        began_ms=shift.began_ms,
        ended_ms=shift.ended_ms,
        tips_cents=shift.tips_cents,
        tips=shift.tips,
    )


async def _supervisor(
    form: ApprovalForm, source: Source, request: Request, services: Services
) -> Account:
    """The account of the person who approves; raises Denied for wrong credentials."""
    if form.badge is not None and form.pin is not None and form.name is None:
        device, _ = await _dealers_terminal(request, services)
        return await services.pins.check(
            form.badge, form.pin, device=device.id, new_pin=form.new_pin
        )
    if form.name is not None and form.password is not None and form.badge is None:
        return await services.sign_in.check_owner(
            form.name, form.password, source, factor=Factor(form.code)
        )
    raise Denied(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "malformed",
        "A supervisor must approve with a name and password, or with a badge number and PIN.",
    )


async def _dealer_of(caller: Caller, table: str, services: Services) -> Account:
    """The account of the caller, if it is that of the table's dealer; raises Denied.

    The refusal does not reveal whether the table exists: it may be another player's private one.
    """
    signed_in = caller.signed_in
    if signed_in is None or caller.step is not None:
        raise signed_out()
    if signed_in.table in (None, table) and _deals(signed_in.account):
        with contextlib.suppress(Denied):
            dealer = (await dealer_desk.table_now(services, table)).dealer
            if signed_in.account.name == dealer:
                return signed_in.account
    raise not_allowed("Only the dealer of this table may do that.")


async def enter(
    services: Services, account: Account, device: Device, request: Request, response: Response
) -> Me:
    """Open a session for the table of a terminal, and set its cookie."""
    token = await services.sessions.open(
        account.name,
        idle_ms=services.settings.limits.idle_ms,
        table=device.table,
        terminal=device.id,
    )
    signed_in = await services.sessions.find(token)
    if signed_in is None:
        raise Denied(HTTPStatus.CONFLICT, "signed_in_elsewhere", "Sign in again.")
    services.metrics.sign_ins.labels("pin").inc()
    logger.info("signed in", extra={"fields": {"account": account.name, "how": "pin"}})
    set_session(response, request, token, seconds=None)
    me = await own_account(signed_in, services, is_enrolled=True)
    return me.model_copy(update={"terminal_of": device.table})


def check_dealer(account: Account) -> None:
    """Refuse an account that is not a dealer's."""
    if not _deals(account):
        raise not_allowed("Only a dealer may sign on at a table.")


def _deals(account: Account) -> bool:
    person = account.person
    return person is not None and person.role is Role.DEALER


async def _dealers_terminal(request: Request, services: Services) -> tuple[Device, str]:
    """The enrolled device of the request and its table; raises Denied for any other device, and
    for one that is locked or out of service."""
    device = await device_of(request, services)
    if device is None or device.table is None:
        raise Denied(
            HTTPStatus.FORBIDDEN,
            "not_dealers_terminal",
            "This device is not the dealer's terminal of a table: a supervisor has to enrol it.",
        )
    if device.stopped:
        raise Denied(
            HTTPStatus.CONFLICT,
            "terminal_stopped",
            f"This terminal accepts no PIN: {device.stopped}",
        )
    return device, device.table
