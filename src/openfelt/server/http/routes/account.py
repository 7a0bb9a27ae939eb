"""Pages about people: who is who, guests, signing up, in and out, wallets, staff and terminals."""

import asyncio
import logging
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Header, Request, Response

from openfelt.protocol.messages import API
from openfelt.protocol.rest import Credentials, Done, Me, NewPassword, Nobody, TopUp, Wallet
from openfelt.rules.refusal import Refusal
from openfelt.server.accounts.accounts import Account
from openfelt.server.accounts.events import AccountRole
from openfelt.server.accounts.passwords import check_password
from openfelt.server.http.dependencies import (
    Anybody,
    Here,
    Owner,
    check_door,
    clear_session,
    enrolled,
    set_session,
)
from openfelt.server.http.errors import Denied, not_allowed
from openfelt.server.services import Premises

router = APIRouter(prefix=API, tags=["people"])
logger = logging.getLogger(__name__)


@router.get("/me")
async def me(visitor: Anybody, premises: Here) -> Me | Nobody:
    """Whoever has signed in. Somebody who has not is no mistake, but has no name."""
    if visitor.account is None:
        return Nobody(enrolled=visitor.enrolled, play_money=premises.settings.play_money)
    return await _me(visitor.account, premises, is_enrolled=visitor.enrolled)


@router.post("/guest", dependencies=[Depends(check_door)])
async def guest(request: Request, response: Response, premises: Here) -> Me:
    """Come in as a guest, with play money."""
    token = await premises.door.guest()
    seconds = premises.settings.limits.guest_idle_ms // 1000
    return await _signed_in(request, response, premises, token, how="guest", seconds=seconds)


@router.post("/sign-up", dependencies=[Depends(check_door)])
async def sign_up(
    asked: Credentials,
    visitor: Anybody,
    *,
    request: Request,
    response: Response,
    premises: Here,
    afterwards: BackgroundTasks,
) -> Me:
    """Open an account and sign it in. A guest's money, seats and history go along."""
    account = visitor.account
    guest = account.name if account is not None and account.guest else None
    token = await premises.door.sign_up(asked.name, asked.password, guest=guest)
    if guest is not None:
        # The guest's sockets end only after the answer: with its cookie they are let in again.
        afterwards.add_task(premises.sessions.wake, guest)
    return await _signed_in(request, response, premises, token, how="sign_up")


@router.post("/sign-in", dependencies=[Depends(check_door)])
async def sign_in(asked: Credentials, request: Request, response: Response, premises: Here) -> Me:
    """Sign in. Repeated failures lock the name for a while."""
    try:
        token = await premises.door.sign_in(asked.name, asked.password)
    except Denied as denied:
        premises.metrics.sign_ins.labels(denied.code).inc()
        raise
    return await _signed_in(request, response, premises, token, how="sign_in")


@router.post("/sign-out")
async def sign_out(visitor: Anybody, request: Request, response: Response, premises: Here) -> Done:
    """Sign out; the token is worth nothing any more."""
    if visitor.signed_in is not None:
        await premises.sessions.end(visitor.signed_in, "signed out")
    clear_session(response, request)
    return Done()


@router.post("/password", dependencies=[Depends(check_door)])
async def password(
    asked: NewPassword, account: Owner, request: Request, response: Response, premises: Here
) -> Me:
    """Set another password. Every session ends, and a new one begins."""
    if account.guest:
        raise not_allowed("A guest has no password.")
    check_password(asked.new_password, name=account.name)
    await premises.door.sign_in(account.name, asked.password)
    await premises.door.set_password(account.name, asked.new_password)
    token = await premises.door.sign_in(account.name, asked.new_password)
    return await _signed_in(request, response, premises, token, how="password")


@router.post("/wallet/top-up")
async def top_up(
    account: Owner,
    premises: Here,
    asked: TopUp | None = None,
    idempotency_key: Annotated[str | None, Header(max_length=48)] = None,
) -> Wallet:
    """Bring a player's wallet back up to what everybody begins with, in a house of play money."""
    if account.role is not AccountRole.PLAYER or not premises.settings.play_money:
        raise not_allowed("Only players of a house of play money get it.")
    command = idempotency_key or (asked.id if asked else None)
    if command is None:
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "bad_id",
            "Send an id of your own, in the body or as Idempotency-Key.",
        )
    cashier = premises.floor.cashier
    held_cents = await asyncio.to_thread(cashier.balance, account.player)
    short_cents = premises.settings.play_money_cents - held_cents
    if short_cents > 0:
        try:
            await asyncio.to_thread(
                lambda: cashier.deposit(
                    account.player, short_cents, id=f"top-up {command}", note="play money"
                )
            )
        except Refusal as refusal:
            if refusal.code.value != "id_reused":
                raise
    return Wallet(wallet_cents=await asyncio.to_thread(cashier.balance, account.player))


async def _signed_in(
    request: Request,
    response: Response,
    premises: Premises,
    token: str,
    *,
    how: str,
    seconds: int | None = None,
) -> Me:
    found = await premises.sessions.find(token)
    assert found is not None
    premises.metrics.sign_ins.labels(how).inc()
    logger.info("signed in", extra={"fields": {"account": found.account.name, "how": how}})
    set_session(response, request, token, seconds=seconds)
    is_enrolled = await enrolled(request, premises)
    return await _me(found.account, premises, is_enrolled=is_enrolled)


async def _me(account: Account, premises: Premises, *, is_enrolled: bool) -> Me:
    wallet_cents = await asyncio.to_thread(premises.floor.cashier.balance, account.player)
    return Me(
        name=account.name,
        player=account.player,
        role=account.role.value,
        guest=account.guest,
        wallet_cents=wallet_cents,
        enrolled=is_enrolled,
        play_money=premises.settings.play_money,
    )
