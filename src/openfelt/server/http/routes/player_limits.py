"""Endpoints for the limits of players, by themselves and by supervisors, and for exclusion."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path

from openfelt.ledger.play_limits import (
    ExclusionTerm,
    Limit,
    LimitKind,
    LimitPeriod,
    LimitSide,
    PlayLimits,
)
from openfelt.protocol.api_prefix import API
from openfelt.protocol.limit_forms import (
    ExclusionForm,
    HouseExclusionForm,
    HouseLimitForm,
    LimitForm,
    LimitLine,
    LimitSetting,
    LimitsView,
)
from openfelt.runtime.cage.protection.limit_book import LimitBook
from openfelt.runtime.cage.protection.limit_refusals import MINUTE_MS
from openfelt.runtime.cage.protection.player_use import PlayerUse
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.names import is_account_name
from openfelt.server.errors import not_found
from openfelt.server.http.dependencies import CurrentAccount, CurrentServices, check_wait
from openfelt.server.services import Services

router = APIRouter(prefix=API, tags=["limits"])
AccountName = Annotated[str, Path(min_length=1, max_length=64)]


# Of the caller -------------------------------------------------------------------------


@router.get("/limits")
async def own_limits(account: CurrentAccount, services: CurrentServices) -> LimitsView:
    """The caller's limits, and how much of them is used."""
    return await _view(services, account)


@router.post("/limits")
async def set_own_limit(
    form: LimitForm, account: CurrentAccount, services: CurrentServices
) -> LimitsView:
    """Set a limit: a tighter one applies immediately, a looser one after 24 hours."""
    check_wait(services.limit_rate.take(account.name))
    return await _set(services, account, form, LimitSide.OWN, by=account.name)


@router.post("/exclusion")
async def exclude_oneself(
    form: ExclusionForm, account: CurrentAccount, services: CurrentServices
) -> LimitsView:
    """Exclude the caller from play. The session ends; signing in again shows how to be paid."""
    return await _exclude(services, account, form, by=account.name)


# Of a player -----------------------------------------------------------------------------


@router.get("/accounts/{name}/limits")
async def limits_of(name: AccountName, _: CurrentAccount, services: CurrentServices) -> LimitsView:
    """The limits of a player, and how much of them is used."""
    return await _view(services, await _account(services, name))


@router.post("/accounts/{name}/limits")
async def set_limit(
    name: AccountName, form: HouseLimitForm, supervisor: CurrentAccount, services: CurrentServices
) -> LimitsView:
    """Set a limit of the house for a player. The player's own limits stay as they are."""
    account = await _account(services, name)
    return await _set(
        services, account, form, LimitSide.HOUSE, by=supervisor.name, reason=form.reason
    )


@router.post("/accounts/{name}/exclusion")
async def exclude(
    name: AccountName,
    form: HouseExclusionForm,
    supervisor: CurrentAccount,
    services: CurrentServices,
) -> LimitsView:
    """Exclude a player from play for a term, which cannot be shortened."""
    account = await _account(services, name)
    return await _exclude(services, account, form, by=supervisor.name, reason=form.reason)


# Doing it --------------------------------------------------------------------------------


async def _set(
    services: Services,
    account: Account,
    form: LimitForm,
    side: LimitSide,
    *,
    by: str,
    reason: str = "",
) -> LimitsView:
    await asyncio.to_thread(
        lambda: _book(services).set_limit(
            account.player,
            side=side,
            kind=LimitKind(form.kind),
            period=LimitPeriod(form.period),
            most=form.most,
            by=by,
            id=form.id,
            reason=reason,
        )
    )
    return await _view(services, account)


async def _exclude(
    services: Services, account: Account, form: ExclusionForm, *, by: str, reason: str = ""
) -> LimitsView:
    term = ExclusionTerm(form.term)
    await asyncio.to_thread(
        lambda: _book(services).exclude(account.player, term, by=by, id=form.id, reason=reason)
    )
    if not account.guest:
        # A guest could not sign in again to take the money out.
        await services.sessions.end_all(account.name, "excluded")
    return await _view(services, account)


def _book(services: Services) -> LimitBook:
    return services.floor.worker_services.people.limits


async def _account(services: Services, name: str) -> Account:
    account = None
    if is_account_name(name):
        account = await asyncio.to_thread(services.accounts.get, name)
    if account is None:
        raise not_found("There is no such account.")
    if account.stayed_as is not None:
        raise not_found(f"This guest has an account now: {account.stayed_as}.")
    return account


async def _view(services: Services, account: Account) -> LimitsView:
    return await asyncio.to_thread(limits_view, _book(services), account.player)


def limits_view(book: LimitBook, player: str) -> LimitsView:
    """The limits of a player now; it blocks."""
    current = book.reload(player)
    limits, now_ms = current.limits, book.now_ms(current)
    use = book.use(player, now_ms)
    excluded = limits.excluded(now_ms)
    return LimitsView(
        player=player,
        lines=[
            _line(limits, use, kind, period, now_ms) for kind in LimitKind for period in LimitPeriod
        ],
        excluded=excluded,
        excluded_until_ms=(
            limits.excluded_until_ms if excluded and not limits.excluded_for_good else None
        ),
    )


def _line(
    limits: PlayLimits, use: PlayerUse, kind: LimitKind, period: LimitPeriod, now_ms: int
) -> LimitLine:
    match kind:
        case LimitKind.DEPOSIT:
            used = use.deposited_cents(period, now_ms)
        case LimitKind.LOSS:
            used = use.lost_cents(period, now_ms)
        case LimitKind.TIME:
            used = use.played_ms(period, now_ms) // MINUTE_MS
    return LimitLine(
        kind=kind.value,
        period=period.value,
        own=_setting(limits.limit(LimitSide.OWN, kind, period), now_ms),
        house=_setting(limits.limit(LimitSide.HOUSE, kind, period), now_ms),
        most=limits.most(kind, period, now_ms),
        used=used,
    )


def _setting(limit: Limit, now_ms: int) -> LimitSetting:
    waits = limit.waiting(now_ms)
    return LimitSetting(
        most=limit.at(now_ms),
        next_most=limit.next_most if waits else None,
        next_ms=limit.next_ms if waits else None,
    )
