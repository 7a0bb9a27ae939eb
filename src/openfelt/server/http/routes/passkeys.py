"""Endpoints of the caller's own passkeys."""

import logging

from fastapi import APIRouter, Depends, Request

from openfelt.protocol.api_prefix import API
from openfelt.protocol.factor_forms import (
    NewPasskey,
    OwnerForm,
    PasskeyCreation,
    PasskeyRequest,
    PasskeyView,
    SecondFactorBegin,
)
from openfelt.protocol.rest import (
    Done,
)
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.passkeys import PASSKEYS_MAX, too_many_passkeys, usable
from openfelt.server.credentials.challenges import CHALLENGE_MS, ChallengeKey, Purpose
from openfelt.server.credentials.one_time_codes import ISSUER
from openfelt.server.credentials.passkey_answers import ALGORITHMS, Attestation, Site, user_handle
from openfelt.server.errors import not_found
from openfelt.server.http.dependencies import (
    CurrentOwner,
    CurrentServices,
    CurrentSource,
    check_sign_in_rate,
)
from openfelt.server.http.owner_checks import (
    check_fresh,
    check_owner,
    check_password_step,
    no_passkeys_here,
)
from openfelt.server.http.passkey_site import site_of
from openfelt.server.services import Services

router = APIRouter(
    prefix=f"{API}/passkeys", tags=["people"], dependencies=[Depends(check_sign_in_rate)]
)
logger = logging.getLogger(__name__)


@router.get("")
async def listed(owner: CurrentOwner) -> list[PasskeyView]:
    """The passkeys of the caller's account, in the order in which they were added."""
    return _views(owner.account)


@router.post("")
async def begin(
    form: SecondFactorBegin,
    owner: CurrentOwner,
    source: CurrentSource,
    request: Request,
    services: CurrentServices,
) -> PasskeyCreation:
    """Begin to add a passkey: returns what the browser needs to make one."""
    account, site = owner.account, _site(request, services)
    check_password_step(account)
    if len(account.passkeys) >= PASSKEYS_MAX:
        raise too_many_passkeys()
    await check_fresh(services, owner, form, source, request)
    key = ChallengeKey(Purpose.ADD, account.name, owner.session)
    return PasskeyCreation(
        challenge=await services.passkeys.challenge(key),
        rp_id=site.name,
        rp_name=ISSUER,
        user_id=user_handle(account.name, account.opened_ms),
        user_name=account.name,
        algorithms=list(ALGORITHMS),
        passkeys=list(usable(account, site)),
        timeout_ms=CHALLENGE_MS,
    )


@router.post("/confirm")
async def confirm(
    form: NewPasskey, owner: CurrentOwner, request: Request, services: CurrentServices
) -> list[PasskeyView]:
    """Add the passkey that the browser has made; from now on a sign-in needs a second factor."""
    check_password_step(owner.account)
    account = await services.passkeys.add(
        owner.account,
        owner.session,
        _site(request, services),
        name=form.name,
        attestation=Attestation(
            id=form.id, client_data=form.client_data, attestation=form.attestation
        ),
    )
    logger.info("passkey added", extra={"fields": {"account": account.name}})
    return _views(account)


@router.post("/challenge")
async def challenge(
    owner: CurrentOwner, request: Request, services: CurrentServices
) -> PasskeyRequest:
    """A challenge for what only the owner may do, to be signed with a passkey."""
    key = ChallengeKey(Purpose.OWNER, owner.account.name, owner.session)
    asked = await passkey_request(services, owner.account, _site(request, services), key)
    if asked is None:
        raise not_found("This account has no passkey for this address.")
    return asked


@router.post("/{passkey}/remove")
async def remove(
    passkey: str,
    form: OwnerForm,
    owner: CurrentOwner,
    source: CurrentSource,
    *,
    request: Request,
    services: CurrentServices,
) -> Done:
    """Remove a passkey. Where a second factor is required, there has to be another one."""
    if passkey not in owner.account.passkeys:
        raise not_found("This account has no such passkey.")
    await check_owner(services, owner, form, source, request)
    name = owner.account.name
    await services.passkeys.remove(name, passkey, by=name)
    logger.info("passkey removed", extra={"fields": {"account": name}})
    return Done()


async def passkey_request(
    services: Services, account: Account, site: Site, key: ChallengeKey
) -> PasskeyRequest | None:
    """A challenge for the passkeys of an account, None if none was made for this site."""
    passkeys = usable(account, site)
    if not passkeys:
        return None
    return PasskeyRequest(
        challenge=await services.passkeys.challenge(key),
        rp_id=site.name,
        passkeys=list(passkeys),
        timeout_ms=CHALLENGE_MS,
    )


def _site(request: Request, services: Services) -> Site:
    site = site_of(request, services.settings)
    if site is None:
        raise no_passkeys_here()
    return site


def _views(account: Account) -> list[PasskeyView]:
    return [
        PasskeyView(
            id=passkey_id,
            name=passkey.name,
            site=passkey.site,
            added_ms=passkey.added_ms,
            used_ms=passkey.used_ms,
        )
        for passkey_id, passkey in account.passkeys.items()
    ]
