"""Endpoints for supervisors: accounts and roles, public names and bars, and enrolled devices."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from openfelt.protocol.api_prefix import API
from openfelt.protocol.dealer_forms import (
    BadgeForm,
    TerminalLabel,
    TerminalName,
    TerminalState,
    TerminalView,
)
from openfelt.protocol.floor_forms import AccountView
from openfelt.protocol.rest import (
    Done,
    NewAccount,
    NewRole,
    PublicNameForm,
    Reason,
    UnfinishedView,
)
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.accounts import Decided
from openfelt.server.accounts.events import (
    AccountAdmitted,
    AccountBarred,
    AccountEvent,
    AccountRole,
    AccountUnlocked,
    DeviceState,
    PasswordState,
    PublicNameGiven,
    RoleGiven,
)
from openfelt.server.accounts.names import is_account_name
from openfelt.server.errors import Denied, not_allowed, not_found
from openfelt.server.http.dependencies import CurrentAccount, CurrentServices, set_device
from openfelt.server.live_tables.dealer_desk import check_live_table, end_by_pin
from openfelt.server.services import Services

router = APIRouter(prefix=API, tags=["staff"])
AccountName = Annotated[str, Path(min_length=1, max_length=64)]
TerminalId = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]


@router.post("/accounts")
async def open_account(
    form: NewAccount, supervisor: CurrentAccount, services: CurrentServices
) -> Done:
    """Open an account for staff or for a player."""
    await services.sign_in.open_account(
        form.name,
        form.password,
        role=_role(form.role),
        by=supervisor.name,
        state=PasswordState.TEMPORARY if form.temporary else PasswordState.OWN,
        public_name=form.public_name,
    )
    return Done()


@router.get("/accounts/{name}")
async def account(name: AccountName, services: CurrentServices) -> AccountView:
    """An account by its name."""
    details = await asyncio.to_thread(_account, services, name)
    return AccountView(
        name=details.name,
        role=details.role.value,
        guest=details.guest,
        public_name=details.public_name,
        opened_ms=details.opened_ms,
        barred=details.barred,
        wrong_passwords=details.failures,
        wrong_pins=details.pin_failures,
        has_pin=details.pin_number > 0,
        second_factor=details.has_second_factor,
        signed_in=bool(details.sessions),
    )


@router.post("/accounts/{name}/public-name")
async def give_public_name(
    name: AccountName,
    form: PublicNameForm,
    supervisor: CurrentAccount,
    services: CurrentServices,
) -> Done:
    """Give an account the name under which players see its owner, from the next sign-on."""
    return await _change(services, name, PublicNameGiven(form.public_name, supervisor.name))


@router.post("/accounts/{name}/role")
async def give_role(
    name: AccountName, form: NewRole, supervisor: CurrentAccount, services: CurrentServices
) -> Done:
    """Give an account another role; its sessions end, and the next one has the new role."""
    role = _role(form.role)
    if name == supervisor.name:
        raise not_allowed("You cannot change your own role.")
    await _change(services, name, RoleGiven(role, supervisor.name))
    await services.sessions.end_all(name, "another role")
    return Done()


@router.post("/accounts/{name}/unlock")
async def unlock(name: AccountName, supervisor: CurrentAccount, services: CurrentServices) -> Done:
    """Clear wrong passwords and PINs of an account, so that it can be used immediately."""
    done = await _change(services, name, AccountUnlocked(supervisor.name))
    services.sign_in.forgive(name)
    return done


@router.post("/accounts/{name}/badge")
async def give_badge(
    name: AccountName, form: BadgeForm, supervisor: CurrentAccount, services: CurrentServices
) -> Done:
    """Give a dealer or supervisor a badge number, and a PIN to be changed at its first use."""
    await asyncio.to_thread(_account, services, name)
    await services.pins.give(name, badge=form.badge, pin=form.pin, by=supervisor.name)
    await end_by_pin(services, name, "another PIN")
    return Done()


@router.delete("/accounts/{name}/badge")
async def take_badge(
    name: AccountName, supervisor: CurrentAccount, services: CurrentServices
) -> Done:
    """Remove the badge number and the PIN of an account."""
    await asyncio.to_thread(_account, services, name)
    await services.pins.take_away(name, by=supervisor.name)
    await end_by_pin(services, name, "the badge was taken away")
    return Done()


@router.post("/accounts/{name}/bar")
async def bar(
    name: AccountName, form: Reason, supervisor: CurrentAccount, services: CurrentServices
) -> Done:
    """Bar an account: its sessions end, and it cannot be used until it is admitted again."""
    if name == supervisor.name:
        raise not_allowed("You cannot bar your own account.")
    done = await _change(services, name, AccountBarred(supervisor.name, form.reason))
    services.sessions.wake(name)
    return done


@router.post("/accounts/{name}/admit")
async def admit(name: AccountName, supervisor: CurrentAccount, services: CurrentServices) -> Done:
    """Admit a barred account again."""
    return await _change(services, name, AccountAdmitted(supervisor.name))


@router.post("/accounts/{name}/sign-out")
async def sign_out(name: AccountName, _: CurrentAccount, services: CurrentServices) -> Done:
    """End every session of an account."""
    await asyncio.to_thread(_account, services, name)
    await services.sessions.end_all(name, "by a supervisor")
    return Done()


@router.get("/unfinished")
async def unfinished(_: CurrentAccount, services: CurrentServices) -> list[UnfinishedView]:
    """Players whose unfinished rounds were refunded: how many, for how much, and who is flagged."""
    counts = await services.round_pool.run(services.unfinished_rounds.read)
    flagged_from = services.settings.unfinished_rounds_flagged
    return [
        UnfinishedView(
            player=walked.player,
            rounds=walked.rounds,
            returned_cents=walked.returned_cents,
            flagged=walked.rounds >= flagged_from,
        )
        for walked in counts
    ]


@router.get("/terminals")
async def terminals(_: CurrentAccount, services: CurrentServices) -> list[TerminalView]:
    """The enrolled devices."""
    devices = await asyncio.to_thread(services.devices.all)
    return [
        TerminalView(
            id=device.id,
            label=device.label,
            by=device.by,
            at_ms=device.at_ms,
            table=device.table,
            state=device.state.value,
            reason=device.reason,
        )
        for device in devices
    ]


@router.post("/terminals")
async def enrol(
    form: TerminalLabel,
    supervisor: CurrentAccount,
    request: Request,
    response: Response,
    services: CurrentServices,
) -> Done:
    """Enrol the calling browser as a device of the house; it gets a cookie.

    With a table, it is the dealer's terminal of that table.
    """
    if form.table is not None:
        await check_live_table(services, form.table)
    token = await asyncio.to_thread(
        lambda: services.devices.enrol(form.label, by=supervisor.name, table=form.table)
    )
    set_device(response, request, token)
    return Done()


@router.delete("/terminals/{terminal}")
async def dismiss(
    terminal: TerminalId,
    supervisor: CurrentAccount,
    services: CurrentServices,
) -> Done:
    """Remove an enrolled device."""
    removed = await asyncio.to_thread(lambda: services.devices.remove(terminal, by=supervisor.name))
    if not removed:
        raise not_found("There is no such terminal.")
    services.sessions.wake_all()
    return Done()


@router.post("/terminals/{terminal}/label")
async def rename(
    terminal: TerminalId, form: TerminalName, supervisor: CurrentAccount, services: CurrentServices
) -> Done:
    """Give an enrolled device another label."""
    await _check_enrolled(services, terminal)
    by = supervisor.name
    await asyncio.to_thread(lambda: services.devices.rename(terminal, form.label, by=by))
    return Done()


@router.post("/terminals/{terminal}/state")
async def set_state(
    terminal: TerminalId, form: TerminalState, supervisor: CurrentAccount, services: CurrentServices
) -> Done:
    """Lock a device, take it out of service, or put it into service again, with a reason.

    It accepts no new wagers until then; a hand in progress is played to its end.
    """
    await _check_enrolled(services, terminal)
    state, by = DeviceState(form.state), supervisor.name
    await asyncio.to_thread(
        lambda: services.devices.set_state(terminal, state, reason=form.reason, by=by)
    )
    services.sessions.wake_all()
    return Done()


async def _check_enrolled(services: Services, terminal: str) -> None:
    if await asyncio.to_thread(services.devices.get, terminal) is None:
        raise not_found("There is no such terminal.")


def _role(text: str) -> AccountRole:
    try:
        return AccountRole(text)
    except ValueError as error:
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "bad_role",
            f"A role must be one of {', '.join(AccountRole)}.",
        ) from error


async def _change(services: Services, name: str, event: AccountEvent) -> Done:
    def decide(account: Account | None) -> Decided:
        if account is None or (account.guest and isinstance(event, RoleGiven)):
            raise not_found("There is no such account.")
        _check_stayed(account)
        return (event,), ()

    if not is_account_name(name):
        raise not_found("There is no such account.")
    await asyncio.to_thread(services.accounts.change, name, decide)
    return Done()


def _account(services: Services, name: str) -> Account:
    account = services.accounts.get(name) if is_account_name(name) else None
    if account is None:
        raise not_found("There is no such account.")
    _check_stayed(account)
    return account


def _check_stayed(account: Account) -> None:
    """Refuse a guest who has signed up, and name the new account: tables still show the guest."""
    if account.stayed_as is not None:
        raise not_found(f"This guest has an account now: {account.stayed_as}.")
