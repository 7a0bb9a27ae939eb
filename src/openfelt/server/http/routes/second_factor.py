"""Endpoints of the caller's own one-time codes."""

import logging
from http import HTTPStatus

from fastapi import APIRouter, Depends, Request

from openfelt.protocol.api_prefix import API
from openfelt.protocol.factor_forms import (
    CodeForm,
    OwnerForm,
    RecoveryCodes,
    SecondFactorBegin,
    SecondFactorSecret,
)
from openfelt.protocol.rest import (
    Done,
)
from openfelt.server.credentials.one_time_codes import otpauth_uri, qr_image
from openfelt.server.errors import Denied, not_allowed
from openfelt.server.http.dependencies import (
    CurrentOwner,
    CurrentServices,
    CurrentSource,
    check_sign_in_rate,
)
from openfelt.server.http.owner_checks import check_fresh, check_owner, check_password_step
from openfelt.server.http.request_guard import host_name

router = APIRouter(
    prefix=f"{API}/second-factor", tags=["people"], dependencies=[Depends(check_sign_in_rate)]
)

logger = logging.getLogger(__name__)


@router.post("")
async def begin(
    form: SecondFactorBegin,
    owner: CurrentOwner,
    source: CurrentSource,
    request: Request,
    services: CurrentServices,
) -> SecondFactorSecret:
    """Begin to set one-time codes up: returns a secret for an authenticator app."""
    account = owner.account
    check_password_step(account)
    if account.second_factor:
        raise Denied(HTTPStatus.CONFLICT, "second_factor_set", "Remove the second factor first.")
    await check_fresh(services, owner, form, source, request)
    secret = await services.second_factors.begin(owner.session)
    host = host_name(request.headers.get("host", "")) or "openfelt"
    uri = otpauth_uri(secret, name=account.name, house=host)
    return SecondFactorSecret(secret=secret, uri=uri, qr=qr_image(uri))


@router.post("/confirm")
async def confirm(form: CodeForm, owner: CurrentOwner, services: CurrentServices) -> RecoveryCodes:
    """Confirm the set-up with a code of the app: returns recovery codes, which are shown once."""
    account = owner.account
    check_password_step(account)
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
    """Remove one-time codes. Where a second factor is required, there has to be another one."""
    name = owner.account.name
    if not owner.account.second_factor:
        raise not_allowed("This account has no second factor.")
    await check_owner(services, owner, form, source, request)
    await services.second_factors.remove(name, by=name)
    logger.info("second factor removed", extra={"fields": {"account": name}})
    return Done()
