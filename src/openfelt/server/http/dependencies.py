"""FastAPI dependencies: the services, the caller of a request or socket, and rate limits."""

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Depends, Request, Response
from fastapi.requests import HTTPConnection

from openfelt.runtime.acting import act_as
from openfelt.server.accounts.accounts import Account
from openfelt.server.accounts.events import AccountRole
from openfelt.server.accounts.sessions import SignedIn
from openfelt.server.accounts.tokens import token_hash
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.errors import Denied, not_allowed, signed_out, too_many
from openfelt.server.http.visitors import visitor
from openfelt.server.limits.rates import Buckets, address_key
from openfelt.server.services import Services
from openfelt.server.settings import is_loopback
from openfelt.storage.door import Cause

SESSION_COOKIE: Final = "openfelt_session"
DEVICE_COOKIE: Final = "openfelt_terminal"
DEVICE_HEADER: Final = "x-openfelt-terminal"
TERMINAL_LENGTH: Final = 16
"""How many hexadecimal digits of a device's or session's hash the record names."""
_YEAR_SECONDS: Final = 365 * 86_400


def services_of(connection: HTTPConnection) -> Services:
    """The services of the server that the request came to."""
    services: Services | None = getattr(connection.app.state, "services", None)
    if services is None or not services.open:
        raise Denied(HTTPStatus.SERVICE_UNAVAILABLE, "closing", "The server is closing.")
    return services


CurrentServices = Annotated[Services, Depends(services_of)]


@dataclass(frozen=True, slots=True)
class Caller:
    """The client behind a request, signed in or not."""

    signed_in: SignedIn | None
    enrolled: bool
    address: str
    terminal: str = ""
    """The enrolled device or the session, as the record names it."""

    @property
    def account(self) -> Account | None:
        """The account, None for a caller who has not signed in."""
        return self.signed_in.account if self.signed_in else None

    @property
    def viewer(self) -> Viewer | None:
        """The caller as a viewer of tables; an auditor is an anonymous one."""
        account = self.account
        if account is None or account.person is None:
            return None
        return Viewer(
            account.person, guest=account.guest, enrolled=self.enrolled, terminal=self.terminal
        )


async def caller_of(connection: HTTPConnection, services: CurrentServices) -> Caller:
    """The caller of a request. A token that has expired is treated as none."""
    token = session_token(connection)
    signed_in = await services.sessions.find(token) if token else None
    if signed_in is not None:
        _take(services.account_rate, signed_in.account.name)
    address, terminal = address_of(connection), await terminal_of(connection, services, signed_in)
    if signed_in is not None:
        where = f"{terminal} {visitor(address).terminal}"
        act_as(Cause(actor=signed_in.account.actor, terminal=where))
    return Caller(signed_in, await enrolled(connection, services), address, terminal)


CurrentCaller = Annotated[Caller, Depends(caller_of)]


async def account_of(caller: CurrentCaller) -> Account:
    """The account of a caller who has signed in."""
    if caller.account is None:
        raise signed_out()
    return caller.account


CurrentAccount = Annotated[Account, Depends(account_of)]


async def supervisor_of(account: CurrentAccount) -> Account:
    """The account of a caller who is a supervisor."""
    if account.role is not AccountRole.SUPERVISOR:
        raise not_allowed("Only a supervisor may do that.")
    return account


CurrentSupervisor = Annotated[Account, Depends(supervisor_of)]


# Tokens ----------------------------------------------------------------------------------


def session_token(connection: HTTPConnection) -> str | None:
    """The session token of a request, from its Authorization header or else its cookie."""
    return bearer_token(connection) or connection.cookies.get(SESSION_COOKIE)


def bearer_token(connection: HTTPConnection) -> str | None:
    """The token in the Authorization header, which programs send."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


async def enrolled(connection: HTTPConnection, services: Services) -> bool:
    """Whether the request comes from an enrolled device.

    On a starter floor that only this machine can reach, every browser counts as enrolled.
    """
    settings = services.settings
    if settings.starter and settings.local and is_loopback(address_of(connection)):
        return True
    return await _device(connection, services) is not None


async def terminal_of(
    connection: HTTPConnection, services: Services, signed_in: SignedIn | None
) -> str:
    """What the record names as the terminal of a caller: an enrolled device, or the session.

    The beginning of a hash is enough to find the event that enrolled it or opened it.
    """
    device = await _device(connection, services)
    if device is not None:
        return f"device:{device[:TERMINAL_LENGTH]}"
    return f"session:{signed_in.session[:TERMINAL_LENGTH]}" if signed_in else ""


async def _device(connection: HTTPConnection, services: Services) -> str | None:
    """The id of the enrolled device that a request comes from."""
    token = connection.headers.get(DEVICE_HEADER) or connection.cookies.get(DEVICE_COOKIE)
    if not token or not await asyncio.to_thread(services.devices.is_enrolled, token):
        return None
    return token_hash(token)


def address_of(connection: HTTPConnection) -> str:
    """The client's address."""
    return connection.client.host if connection.client else ""


def set_session(response: Response, request: Request, token: str, *, seconds: int | None) -> None:
    """Set the session cookie. Without ``seconds`` it ends with the browser."""
    _set_cookie(response, request, SESSION_COOKIE, token, seconds)


def set_device(response: Response, request: Request, token: str) -> None:
    """Set the cookie of an enrolled device."""
    _set_cookie(response, request, DEVICE_COOKIE, token, _YEAR_SECONDS)


def clear_session(response: Response, request: Request) -> None:
    """Delete the session cookie."""
    response.delete_cookie(
        SESSION_COOKIE,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def _set_cookie(
    response: Response, request: Request, name: str, value: str, seconds: int | None
) -> None:
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


# Limits ----------------------------------------------------------------------------------


async def check_heavy_rate(caller: CurrentCaller, services: CurrentServices) -> None:
    """Limit requests that are expensive to answer."""
    key = caller.account.name if caller.account else address_key(caller.address)
    _take(services.heavy_rate, key)


async def check_sign_in_rate(connection: HTTPConnection, services: CurrentServices) -> None:
    """Limit guests, sign-ups and sign-ins from one address."""
    address = address_of(connection)
    if not services.settings.exempt_from_rates(address):
        _take(services.sign_in_rate, address_key(address))


def _take(buckets: Buckets, key: str) -> None:
    wait_ms = buckets.take(key)
    if wait_ms:
        raise too_many(wait_ms)
