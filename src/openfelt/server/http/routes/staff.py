"""Pages for supervisors: accounts of staff, locks and bars, and the terminals of the house."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from openfelt.protocol.messages import API
from openfelt.protocol.rest import Done, NewAccount, NewRole, Reason, TerminalLabel, TerminalView
from openfelt.server.accounts.accounts import Account, Decided
from openfelt.server.accounts.events import (
    AccountAdmitted,
    AccountBarred,
    AccountEvent,
    AccountRole,
    AccountUnlocked,
    RoleGiven,
)
from openfelt.server.accounts.sign_in import is_account_name
from openfelt.server.http.dependencies import Here, Supervisor, set_terminal
from openfelt.server.http.errors import Denied, not_allowed, not_found
from openfelt.server.services import Premises

router = APIRouter(prefix=API, tags=["staff"])
AccountName = Annotated[str, Path(min_length=1, max_length=64)]


@router.post("/accounts")
async def open_account(asked: NewAccount, supervisor: Supervisor, premises: Here) -> Done:
    """Open an account for staff, or for a player."""
    role = _role(asked.role)
    await premises.door.open_account(asked.name, asked.password, role=role, by=supervisor.name)
    return Done()


@router.post("/accounts/{name}/role")
async def give_role(
    name: AccountName, asked: NewRole, supervisor: Supervisor, premises: Here
) -> Done:
    """Give an account another role; its sessions end, so that the next one has it."""
    role = _role(asked.role)
    if name == supervisor.name:
        raise not_allowed("Nobody changes the own role.")
    await _change(premises, name, RoleGiven(role, supervisor.name))
    await premises.sessions.end_all(name, "another role")
    return Done()


@router.post("/accounts/{name}/unlock")
async def unlock(name: AccountName, supervisor: Supervisor, premises: Here) -> Done:
    """Let somebody who gave too many wrong passwords try again at once."""
    return await _change(premises, name, AccountUnlocked(supervisor.name))


@router.post("/accounts/{name}/bar")
async def bar(name: AccountName, asked: Reason, supervisor: Supervisor, premises: Here) -> Done:
    """Bar an account: it is signed out, and nobody can use it until it is admitted again."""
    if name == supervisor.name:
        raise not_allowed("Nobody bars the own account.")
    done = await _change(premises, name, AccountBarred(supervisor.name, asked.reason))
    premises.sessions.wake(name)
    return done


@router.post("/accounts/{name}/admit")
async def admit(name: AccountName, supervisor: Supervisor, premises: Here) -> Done:
    """Let a barred account be used again."""
    return await _change(premises, name, AccountAdmitted(supervisor.name))


@router.post("/accounts/{name}/sign-out")
async def sign_out(name: AccountName, _: Supervisor, premises: Here) -> Done:
    """End every session of an account."""
    await asyncio.to_thread(_known, premises, name)
    await premises.sessions.end_all(name, "by a supervisor")
    return Done()


@router.get("/terminals")
async def terminals(_: Supervisor, premises: Here) -> list[TerminalView]:
    """The terminals of the house."""
    found = await asyncio.to_thread(premises.terminals.all)
    return [TerminalView(id=one.id, label=one.label, by=one.by, at_ms=one.at_ms) for one in found]


@router.post("/terminals")
async def enrol(
    asked: TerminalLabel,
    supervisor: Supervisor,
    request: Request,
    response: Response,
    premises: Here,
) -> Done:
    """Make the browser that asks a terminal of the house; it gets a cookie that says so."""
    if not asked.label.isprintable():
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed", "A label is printable.")
    token = await asyncio.to_thread(
        lambda: premises.terminals.enrol(asked.label, by=supervisor.name)
    )
    set_terminal(response, request, token)
    return Done()


@router.delete("/terminals/{terminal}")
async def dismiss(
    terminal: Annotated[str, Path(pattern="^[0-9a-f]{64}$")], supervisor: Supervisor, premises: Here
) -> Done:
    """Let a terminal be none of the house's any more."""
    known = await asyncio.to_thread(
        lambda: premises.terminals.dismiss(terminal, by=supervisor.name)
    )
    if not known:
        raise not_found("There is no such terminal.")
    premises.sessions.wake_all()
    return Done()


def _role(text: str) -> AccountRole:
    try:
        return AccountRole(text)
    except ValueError as error:
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "bad_role",
            f"A role is one of {', '.join(AccountRole)}.",
        ) from error


async def _change(premises: Premises, name: str, event: AccountEvent) -> Done:
    def decide(account: Account | None) -> Decided:
        if account is None or (account.guest and isinstance(event, RoleGiven)):
            raise not_found("There is no such account.")
        _check_stayed(account)
        return (event,), ()

    if not is_account_name(name):
        raise not_found("There is no such account.")
    await asyncio.to_thread(premises.accounts.change, name, decide)
    return Done()


def _known(premises: Premises, name: str) -> Account:
    account = premises.accounts.get(name) if is_account_name(name) else None
    if account is None:
        raise not_found("There is no such account.")
    _check_stayed(account)
    return account


def _check_stayed(account: Account) -> None:
    """Point from a guest, whose name a table still shows, to the account that took over."""
    if account.stayed_as is not None:
        raise not_found(f"This guest has an account now: {account.stayed_as}.")
