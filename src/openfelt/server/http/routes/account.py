"""Endpoints of the caller's own account: guests, sign-up, sign-in, sign-out, password, wallet."""

import asyncio
import logging
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, BackgroundTasks, Depends, Header, Request, Response
from fastapi.responses import JSONResponse

from openfelt.protocol.api_prefix import API
from openfelt.protocol.factor_forms import PasskeyProblem
from openfelt.protocol.form_fields import Problem
from openfelt.protocol.rest import (
    Credentials,
    Done,
    Me,
    NewPassword,
    SignedOut,
    SignInForm,
    TopUp,
    Wallet,
)
from openfelt.rules.refusal import Refusal
from openfelt.runtime.requests import RuntimeCode
from openfelt.server.accounts.sessions import SignedIn
from openfelt.server.accounts.sign_in import PasskeyNeeded, SignInResult
from openfelt.server.accounts.tokens import new_token, token_hash
from openfelt.server.credentials.challenges import CHALLENGE_MS, ChallengeKey, Purpose
from openfelt.server.errors import Denied, not_allowed
from openfelt.server.http.dependencies import (
    TICKET_COOKIE,
    CurrentAccount,
    CurrentCaller,
    CurrentOwner,
    CurrentServices,
    CurrentSource,
    add_known,
    check_sign_in_rate,
    check_wait,
    clear_session,
    clear_ticket,
    cookie_of,
    enrolled,
    set_session,
    set_ticket,
    step_of,
    while_connected,
)
from openfelt.server.http.owner_checks import check_present_password, factor_of
from openfelt.server.http.passkey_site import site_of
from openfelt.server.http.routes.passkeys import passkey_request
from openfelt.server.live_tables.dealer_desk import sign_off
from openfelt.server.services import Services
from openfelt.server.tables.starter_floor import practice_table
from openfelt.table.role_permissions import CallerKind, pages_of

router = APIRouter(prefix=API, tags=["people"])
TICKET: Final = "ticket"
"""The name in the tokens of sign-ins that wait for a passkey."""

logger = logging.getLogger(__name__)


@router.get("/me")
async def me(caller: CurrentCaller, services: CurrentServices) -> Me | SignedOut:
    """The account of the caller; its name is null for a caller who has not signed in."""
    if caller.signed_in is None:
        return SignedOut(
            enrolled=caller.enrolled,
            play_money=services.settings.play_money,
            terminal_of=caller.terminal_of,
            terminal_stopped=caller.stopped,
            practice_table=practice_table(services.settings),
            pages=pages_of(CallerKind.ANONYMOUS),
        )
    me = await own_account(caller.signed_in, services, is_enrolled=caller.enrolled)
    told = {"terminal_of": caller.terminal_of, "terminal_stopped": caller.stopped}
    return me.model_copy(update=told)


@router.post("/guest", dependencies=[Depends(check_sign_in_rate)])
async def guest(request: Request, response: Response, services: CurrentServices) -> Me:
    """Open a guest account with play money, and sign it in."""
    entered = await services.sign_in.guest()
    seconds = services.settings.limits.guest_idle_ms // 1000
    return await _signed_in(request, response, services, entered, how="guest", seconds=seconds)


@router.post("/practice-dealer", dependencies=[Depends(check_sign_in_rate)])
async def practice_dealer(request: Request, response: Response, services: CurrentServices) -> Me:
    """Open an account that deals at the demonstration table, and sign it in."""
    entered = await services.sign_in.practice_dealer()
    return await _signed_in(request, response, services, entered, how="practice_dealer")


@router.post("/sign-up", dependencies=[Depends(check_sign_in_rate)])
async def sign_up(
    form: Credentials,
    caller: CurrentCaller,
    source: CurrentSource,
    *,
    request: Request,
    response: Response,
    services: CurrentServices,
    background: BackgroundTasks,
) -> Me:
    """Open an account and sign it in. A guest's money, seats and history move to it."""
    account = caller.account
    plays = account is not None and account.guest and not account.practice_dealer
    guest = account.name if account is not None and plays else None
    entered = await while_connected(
        request, services.sign_in.sign_up(form.name, form.password, source, guest=guest)
    )
    if guest is not None:
        # The guest's sockets end only after the response: its cookie admits them again.
        background.add_task(services.sessions.wake, guest)
    return await _signed_in(request, response, services, entered, how="sign_up")


@router.post("/sign-in", response_model=Me, responses={401: {"model": PasskeyProblem | Problem}})
async def sign_in(
    form: SignInForm,
    source: CurrentSource,
    request: Request,
    response: Response,
    services: CurrentServices,
) -> Me | Response:
    """Sign in. Wrong attempts slow further ones down."""
    device = await services.sign_in.known_device(form.name, source)
    if device is None:
        await check_sign_in_rate(request, services)
    else:
        # A stranger at the same address cannot use up the attempts of an owner's device.
        check_wait(services.sign_in_rate.take(device))
    ticket = token_hash(cookie_of(request, TICKET_COOKIE) or "")
    factor = factor_of(form, services, request, purpose=Purpose.SIGN_IN, holder=ticket)
    attempt = services.sign_in.sign_in(form.name, form.password, source, factor=factor)
    try:
        entered = await while_connected(request, attempt)
    except PasskeyNeeded as needed:
        services.metrics.sign_ins.labels(needed.code).inc()
        return await _passkey_needed(request, services, needed)
    except Denied as denied:
        services.metrics.sign_ins.labels(denied.code).inc()
        raise
    if form.passkey is not None:
        clear_ticket(response, request)
    return await _signed_in(request, response, services, entered, how="sign_in")


@router.post("/sign-out")
async def sign_out(
    caller: CurrentCaller, request: Request, response: Response, services: CurrentServices
) -> Done:
    """End the session. A dealer who has signed on by PIN signs off at the table too."""
    if caller.signed_in is not None:
        try:
            if caller.signed_in.table is not None:
                await sign_off(services, caller.signed_in, terminal=caller.terminal)
        finally:
            # The session ends even if the table cannot be reached.
            await services.sessions.end(caller.signed_in, "signed out")
    clear_session(response, request)
    return Done()


@router.post("/password", dependencies=[Depends(check_sign_in_rate)])
async def password(
    form: NewPassword,
    owner: CurrentOwner,
    source: CurrentSource,
    *,
    request: Request,
    response: Response,
    services: CurrentServices,
) -> Me:
    """Change the password. All sessions end, and a new one takes the place of the caller's."""
    account = owner.account
    if form.new_password == form.password:
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "same_password",
            "Choose a password that differs from the old one.",
        )
    await check_present_password(services, owner, form, source, request)
    await services.sign_in.set_password(
        account.name, form.new_password, staff=account.staff, caller=source.caller
    )
    # The new session is as old as the present one: a new password does not extend it.
    since_ms = account.sessions[owner.session].opened_ms
    entered = await services.sign_in.enter(account.name, since_ms=since_ms)
    return await _signed_in(request, response, services, entered, how="password")


@router.post("/wallet/top-up")
async def top_up(
    account: CurrentAccount,
    services: CurrentServices,
    form: TopUp | None = None,
    idempotency_key: Annotated[str | None, Header(max_length=48)] = None,
) -> Wallet:
    """Fill a player's wallet up to the initial amount, in a house that uses play money."""
    if not services.settings.play_money:
        raise not_allowed("This casino does not use play money.")
    command = idempotency_key or (form.id if form else None)
    if command is None:
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "bad_id",
            "Send your own id, in the body or in the Idempotency-Key header.",
        )
    cashier = services.floor.cashier
    most_cents = services.settings.play_money_cents
    try:
        answer = await asyncio.to_thread(
            lambda: cashier.fill_up(
                account.player, most_cents, id=f"top-up {command}", note="play money"
            )
        )
        if answer.refused is not None:
            raise Denied(HTTPStatus.CONFLICT, answer.refused, answer.sentence or "")
    except Refusal as refusal:
        # The id of a top-up before the house changed its amount: it was answered then.
        if refusal.code is not RuntimeCode.ID_REUSED:
            raise
    wallet_cents = await asyncio.to_thread(cashier.balance, account.player)
    return Wallet(wallet_cents=wallet_cents, fills_up_to_cents=most_cents)


async def _passkey_needed(request: Request, services: Services, needed: PasskeyNeeded) -> Response:
    """Ask the browser that knows the password for a passkey, by a challenge for it alone."""
    account, site, ticket = needed.account, site_of(request, services.settings), new_token(TICKET)
    key = ChallengeKey(Purpose.SIGN_IN, account.name, token_hash(ticket))
    problem = PasskeyProblem(
        code=needed.code,
        sentence=needed.sentence,
        passkey=None if site is None else await passkey_request(services, account, site, key),
        codes=bool(account.second_factor),
    )
    response = JSONResponse(problem.model_dump(), int(needed.status))
    set_ticket(response, request, ticket, seconds=CHALLENGE_MS // 1000)
    return response


async def _signed_in(
    request: Request,
    response: Response,
    services: Services,
    entered: SignInResult,
    *,
    how: str,
    seconds: int | None = None,
) -> Me:
    signed_in = await services.sessions.find(entered.token)
    if signed_in is None:
        # Another sign-in to the same account has come first.
        raise Denied(HTTPStatus.CONFLICT, "signed_in_elsewhere", "Sign in again.")
    account = signed_in.account
    services.metrics.sign_ins.labels(how).inc()
    logger.info("signed in", extra={"fields": {"account": account.name, "how": how}})
    set_session(response, request, entered.token, seconds=seconds)
    if entered.device is not None:
        add_known(response, request, entered.device)
    is_enrolled = await enrolled(request, services)
    return await own_account(signed_in, services, is_enrolled=is_enrolled)


async def own_account(signed_in: SignedIn, services: Services, *, is_enrolled: bool) -> Me:
    """The account of a session, for its owner."""
    account = signed_in.account
    wallet_cents = await asyncio.to_thread(services.floor.cashier.balance, account.player)
    step = step_of(account, services.settings) if signed_in.table is None else None
    return Me(
        name=account.name,
        player=account.player,
        role=account.role.value,
        guest=account.guest,
        wallet_cents=wallet_cents,
        enrolled=is_enrolled,
        play_money=services.settings.play_money,
        step=None if step is None else step.value,
        second_factor=bool(account.second_factor),
        passkeys=len(account.passkeys),
        second_factor_required=account.staff and services.settings.second_factor_required,
        recovery_codes_left=await services.second_factors.recovery_left(account),
        table=signed_in.table,
        practice_table=practice_table(services.settings),
        vouchers=services.settings.offers_vouchers(enrolled=is_enrolled),
        # Who signed on by PIN deals at that table, and goes nowhere else.
        pages=pages_of(account.kind) if signed_in.table is None else ["deal"],
    )
