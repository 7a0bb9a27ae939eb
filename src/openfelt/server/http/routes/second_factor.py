"""Endpoints of the caller's own second factor."""

import logging
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Depends, Request

from openfelt.protocol.messages import API
from openfelt.protocol.rest import (
    CodeForm,
    Done,
    OwnerForm,
    RecoveryCodes,
    SecondFactorBegin,
    SecondFactorSecret,
)
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.events import PasswordState
from openfelt.server.accounts.sessions import SignedIn
from openfelt.server.accounts.sign_in import Source
from openfelt.server.credentials.one_time_codes import otpauth_uri, qr_image
from openfelt.server.errors import Denied, not_allowed
from openfelt.server.http.dependencies import (
    CurrentOwner,
    CurrentServices,
    CurrentSource,
    Step,
    check_sign_in_rate,
    step_first,
    while_connected,
)
from openfelt.server.http.request_guard import host_name
from openfelt.server.services import Services

router = APIRouter(
    prefix=f"{API}/second-factor", tags=["people"], dependencies=[Depends(check_sign_in_rate)]
)
FRESH_MS: Final = 10 * 60_000
"""How long after a sign-in the password is not asked for again."""

logger = logging.getLogger(__name__)


@router.post("")
async def begin(
    form: SecondFactorBegin,
    owner: CurrentOwner,
    source: CurrentSource,
    request: Request,
    services: CurrentServices,
) -> SecondFactorSecret:
    """Begin to set a second factor up: gives a secret for an authenticator app."""
    account = owner.account
    _check_password_step(account)
    if account.second_factor:
        raise Denied(HTTPStatus.CONFLICT, "second_factor_set", "Remove the second factor first.")
    await _check_fresh(services, owner, form.password, source)
    secret = services.second_factors.begin(owner.session)
    host = host_name(request.headers.get("host", "")) or "openfelt"
    uri = otpauth_uri(secret, name=account.name, house=host)
    return SecondFactorSecret(secret=secret, uri=uri, qr=qr_image(uri))


@router.post("/confirm")
async def confirm(form: CodeForm, owner: CurrentOwner, services: CurrentServices) -> RecoveryCodes:
    """Confirm the set-up with a code of the app: gives recovery codes, which are shown once."""
    account = owner.account
    _check_password_step(account)
    codes = await services.second_factors.confirm(account.name, owner.session, form.code)
    logger.info("second factor set", extra={"fields": {"account": account.name}})
    return RecoveryCodes(recovery_codes=codes)


@router.post("/remove")
async def remove(
    form: OwnerForm,
    owner: CurrentOwner,
    source: CurrentSource,
    request: Request,
    services: CurrentServices,
) -> Done:
    """Remove the second factor. Where it is required, another one has to be set up at once."""
    name = owner.account.name
    if not owner.account.second_factor:
        raise not_allowed("This account has no second factor.")
    await while_connected(
        request, services.sign_in.check_owner(name, form.password, source, code=form.code)
    )
    await services.second_factors.remove(name, by=name)
    logger.info("second factor removed", extra={"fields": {"account": name}})
    return Done()


def _check_password_step(account: Account) -> None:
    if account.password_state is not PasswordState.OWN:
        raise step_first(Step.PASSWORD)


async def _check_fresh(
    services: Services, owner: SignedIn, password: str | None, source: Source
) -> None:
    """Ask for the password again where the sign-in was some time ago."""
    if services.sessions.age_ms(owner) <= FRESH_MS:
        return
    if password is None:
        raise Denied(HTTPStatus.FORBIDDEN, "password_needed", "Enter your password once more.")
    await services.sign_in.check_owner(owner.account.name, password, source)
