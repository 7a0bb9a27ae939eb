"""Checks that the owner of an account is at the screen, and not only a browser left open."""

from http import HTTPStatus
from typing import Final

from fastapi import Request

from openfelt.protocol.factor_forms import (
    FactorForm,
    OwnerForm,
    PasskeyAssertion,
    SecondFactorBegin,
)
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.events import PasswordState
from openfelt.server.accounts.passkeys import SignedChallenge
from openfelt.server.accounts.sessions import SignedIn
from openfelt.server.accounts.sign_in import Factor, Source
from openfelt.server.credentials.challenges import Purpose
from openfelt.server.credentials.passkey_answers import Assertion
from openfelt.server.errors import Denied
from openfelt.server.http.dependencies import Step, step_first, while_connected
from openfelt.server.http.passkey_site import site_of
from openfelt.server.services import Services

FRESH_MS: Final = 10 * 60_000
"""How long after a sign-in the owner need not show the password again."""


def check_password_step(account: Account) -> None:
    """Refuse an owner who has to change the password first."""
    if account.password_state is not PasswordState.OWN:
        raise step_first(Step.PASSWORD)


async def check_fresh(
    services: Services,
    owner: SignedIn,
    form: SecondFactorBegin,
    source: Source,
    request: Request,
) -> None:
    """Ask the owner for the credentials again.

    An account without a second factor need not show the password soon after the sign-in. With one,
    both are asked for at any time.
    """
    if not owner.account.has_second_factor and services.sessions.age_ms(owner) <= FRESH_MS:
        return
    if form.password is None:
        raise Denied(HTTPStatus.FORBIDDEN, "password_needed", "Enter your password again.")
    owner_form = OwnerForm(password=form.password, code=form.code, passkey=form.passkey)
    await check_owner(services, owner, owner_form, source, request)


async def check_present_password(
    services: Services, owner: SignedIn, form: OwnerForm, source: Source, request: Request
) -> None:
    """Refuse a caller who may not change the password.

    The second factor is needed too, so that a thief of a session and its password cannot shut the
    owner out. An owner who has to change the password has just given it at the sign-in.
    """
    has_to = owner.account.password_state is not PasswordState.OWN
    if has_to and services.sessions.age_ms(owner) <= FRESH_MS:
        name = owner.account.name
        checking = services.sign_in.check_owner(name, form.password, source, factor=None)
        await while_connected(request, checking)
    else:
        await check_owner(services, owner, form, source, request)


async def check_owner(
    services: Services, owner: SignedIn, form: OwnerForm, source: Source, request: Request
) -> None:
    """Refuse a caller who does not give the password and the account's second factor."""
    factor = factor_of(form, services, request, purpose=Purpose.OWNER, holder=owner.session)
    await while_connected(
        request,
        services.sign_in.check_owner(owner.account.name, form.password, source, factor=factor),
    )


def factor_of(
    form: FactorForm, services: Services, request: Request, *, purpose: Purpose, holder: str
) -> Factor:
    """The second factor in a form; its challenge must have been given to this holder."""
    if form.passkey is None:
        return Factor(form.code)
    site = site_of(request, services.settings)
    if site is None:
        raise no_passkeys_here()
    return Factor(form.code, SignedChallenge(_assertion(form.passkey), purpose, holder, site))


def no_passkeys_here() -> Denied:
    """The browser has not reached the server under a name for which passkeys can be made."""
    return Denied(
        HTTPStatus.CONFLICT,
        "no_passkeys_here",
        "Passkeys need the name of the house in the address, with https; on this machine, use "
        "localhost.",
    )


def _assertion(form: PasskeyAssertion) -> Assertion:
    return Assertion(
        id=form.id,
        client_data=form.client_data,
        authenticator_data=form.authenticator_data,
        signature=form.signature,
    )
