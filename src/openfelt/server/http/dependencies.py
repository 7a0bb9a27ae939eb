"""FastAPI dependencies: the services, the caller of a request or socket, and rate limits."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any, Final, TypeVar

from fastapi import Depends, Request, Response
from fastapi.requests import HTTPConnection
from starlette.requests import ClientDisconnect

from openfelt.catalog import UnknownHouseError
from openfelt.rules.house import House
from openfelt.runtime.causes import act_as
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.devices import Device
from openfelt.server.accounts.events import PasswordState
from openfelt.server.accounts.sessions import SignedIn
from openfelt.server.accounts.sign_in import Source
from openfelt.server.accounts.table_readers import TableReader
from openfelt.server.accounts.tokens import token_name
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.errors import Denied, not_allowed, not_found, signed_out, too_many
from openfelt.server.http.visitors import visitor
from openfelt.server.limits.networks import networks_of
from openfelt.server.services import Services
from openfelt.server.settings import Settings, is_loopback
from openfelt.storage.door import Cause

SESSION_COOKIE: Final = "openfelt_session"
DEVICE_COOKIE: Final = "openfelt_terminal"
TICKET_COOKIE: Final = "openfelt_ticket"
"""Binds the challenge of a sign-in with a passkey to the browser that has sent the password."""
KNOWN_COOKIE: Final = "openfelt_known"
"""The tokens by which accounts know a browser, so that strangers cannot slow their owners down."""
SECURE_PREFIX: Final = "__Host-"
"""Behind TLS, browsers accept a cookie with this prefix only from this exact host, over TLS."""
DEVICE_HEADER: Final = "x-openfelt-terminal"
TERMINAL_LENGTH: Final = 16
"""How many hexadecimal digits of a device's or session's hash the record names."""
KNOWN_TOKENS_MAX: Final = 6
"""How many accounts may know one browser: a terminal has several dealers."""
_SEPARATOR: Final = "~"
_YEAR_SECONDS: Final = 365 * 86_400

_Result = TypeVar("_Result")


def services_of(connection: HTTPConnection) -> Services:
    """The services of the server that the request came to."""
    services: Services | None = getattr(connection.app.state, "services", None)
    if services is None or not services.open:
        raise Denied(HTTPStatus.SERVICE_UNAVAILABLE, "closing", "The server is closing.")
    return services


def house_called(services: Services, name: str) -> House:
    """The house that a request names. Raises Denied if there is none of that name."""
    try:
        return services.catalog.house(name)
    except UnknownHouseError as error:
        raise not_found(str(error)) from error


async def _services_of(connection: HTTPConnection) -> Services:
    # The framework gives a dependency that is not a coroutine to a thread, which takes longer.
    return services_of(connection)


CurrentServices = Annotated[Services, Depends(_services_of)]


class Step(StrEnum):
    """A step that the owner of an account has to take before anything else."""

    PASSWORD = "password"  # noqa: S105 (a step, and not a password)
    """Change a password that another person knows or that is too easy to guess."""
    SECOND_FACTOR = "second_factor"
    """Set a second factor up."""


def step_of(account: Account, settings: Settings) -> Step | None:
    """The step that an account has to take first, None if it may do everything."""
    if account.guest:
        return None
    if account.password_state is not PasswordState.OWN:
        return Step.PASSWORD
    if account.staff and settings.second_factor_required and not account.has_second_factor:
        return Step.SECOND_FACTOR
    return None


def step_first(step: Step) -> Denied:
    """The caller has to take a step before anything else."""
    if step is Step.PASSWORD:
        return Denied(HTTPStatus.FORBIDDEN, "password_step", "Change your password first.")
    return Denied(HTTPStatus.FORBIDDEN, "second_factor_step", "Set up your second factor first.")


def one_table_only() -> Denied:
    """The session was opened by PIN, for the work at one table."""
    return Denied(
        HTTPStatus.FORBIDDEN,
        "one_table_only",
        "This session is for dealing at one table only. Sign in with your password.",
    )


@dataclass(frozen=True, slots=True)
class Caller:
    """The client behind a request, signed in or not."""

    signed_in: SignedIn | None
    enrolled: bool
    address: str
    terminal: str = ""
    """The enrolled device or the session, as the record names it."""
    step: Step | None = None
    """The step that the caller has to take before anything else."""

    terminal_of: str | None = None
    """The table of which the caller's device is the dealer's terminal."""
    stopped: str = ""
    """Why the caller's device takes no wagers; empty while it does."""

    @property
    def account(self) -> Account | None:
        """The account of a caller who may do everything that it may.

        It is None for a caller who has not signed in, who has to take a step first, or whose
        session is good for one table only.
        """
        if self.signed_in is None or self.step is not None or self.signed_in.table is not None:
            return None
        return self.signed_in.account

    @property
    def viewer(self) -> Viewer | None:
        """The caller as a viewer of tables; a cashier is an anonymous one."""
        account = self.account
        if account is None or account.person is None:
            return None
        return Viewer(
            account.person, guest=account.guest, enrolled=self.enrolled, terminal=self.terminal
        )


async def caller_of(connection: HTTPConnection, services: CurrentServices) -> Caller:
    """The caller of a request, who is looked up once. An expired token counts as no token."""
    cached: Caller | None = getattr(connection.state, "caller", None)
    if cached is not None:
        return cached
    signed_in = await session_of(connection, services)
    step = None
    if signed_in is not None:
        check_wait(services.account_rate.take(signed_in.account.name))
        if signed_in.table is None:
            # A PIN that must be changed is changed before there is a session.
            step = step_of(signed_in.account, services.settings)
    address, terminal = address_of(connection), await terminal_of(connection, services, signed_in)
    if signed_in is not None:
        where = f"{terminal} {visitor(address).terminal}"
        act_as(Cause(actor=signed_in.account.actor, terminal=where))
    is_enrolled = await enrolled(connection, services)
    device = await device_of(connection, services)
    caller = Caller(
        signed_in,
        is_enrolled,
        address,
        terminal=terminal,
        step=step,
        terminal_of=device.table if device is not None else None,
        stopped=device.stopped if device is not None else "",
    )
    connection.state.caller = caller
    return caller


CurrentCaller = Annotated[Caller, Depends(caller_of)]


async def account_of(caller: CurrentCaller) -> Account:
    """The account of a caller who has signed in and may do everything."""
    if caller.signed_in is None:
        raise signed_out()
    if caller.step is not None:
        raise step_first(caller.step)
    if caller.signed_in.table is not None:
        raise one_table_only()
    return caller.signed_in.account


CurrentAccount = Annotated[Account, Depends(account_of)]


async def owner_of(caller: CurrentCaller) -> SignedIn:
    """The session of a caller who has signed in, even if a step has to be taken first."""
    if caller.signed_in is None:
        raise signed_out()
    if caller.signed_in.table is not None:
        raise one_table_only()
    if caller.signed_in.account.guest:
        raise not_allowed("A guest has no password.")
    return caller.signed_in


CurrentOwner = Annotated[SignedIn, Depends(owner_of)]


# Tokens ----------------------------------------------------------------------------------


def session_token(connection: HTTPConnection) -> str | None:
    """The session token of a request, from its Authorization header, otherwise from its cookie."""
    return bearer_token(connection) or cookie_of(connection, SESSION_COOKIE)


def bearer_token(connection: HTTPConnection) -> str | None:
    """The token in the Authorization header, which programs send."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


async def reader_of(connection: HTTPConnection, services: Services) -> TableReader | None:
    """The card reader whose token a request has, None for any other caller."""
    token = bearer_token(connection)
    return await services.readers.look_up(token) if token else None


async def enrolled(connection: HTTPConnection, services: Services) -> bool:
    """Whether the request comes from an enrolled device.

    On a starter floor that only this machine can reach, every browser counts as enrolled.
    """
    settings = services.settings
    if settings.starter and settings.local and is_loopback(address_of(connection)):
        return True
    return await device_of(connection, services) is not None


async def terminal_of(
    connection: HTTPConnection, services: Services, signed_in: SignedIn | None
) -> str:
    """The terminal of a caller as the record names it: an enrolled device, or the session.

    The beginning of a hash is enough to find the event that enrolled it or opened it.
    """
    device = await device_of(connection, services)
    if device is not None:
        return f"device:{device.id[:TERMINAL_LENGTH]}"
    return f"session:{signed_in.session[:TERMINAL_LENGTH]}" if signed_in else ""


async def device_of(connection: HTTPConnection, services: Services) -> Device | None:
    """The enrolled device that a request comes from."""
    token = connection.headers.get(DEVICE_HEADER) or cookie_of(connection, DEVICE_COOKIE)
    return await services.devices.look_up(token) if token else None


async def session_of(
    connection: HTTPConnection, services: Services, *, use: bool = True
) -> SignedIn | None:
    """The valid session of a request; one by PIN is valid at its own dealer's terminal only."""
    token = session_token(connection)
    signed_in = await services.sessions.find(token, use=use) if token else None
    if signed_in is None or signed_in.table is None:
        return signed_in
    device = await device_of(connection, services)
    if device is None or (device.id, device.table) != (signed_in.terminal, signed_in.table):
        return None
    return signed_in


def address_of(connection: HTTPConnection) -> str:
    """The client's address."""
    return connection.client.host if connection.client else ""


def source_of(connection: HTTPConnection) -> Source:
    """The origin of a sign-in attempt."""
    tokens = (cookie_of(connection, KNOWN_COOKIE) or "").split(_SEPARATOR)
    return Source(address_of(connection), tuple(filter(token_name, tokens[:KNOWN_TOKENS_MAX])))


async def _source_of(connection: HTTPConnection) -> Source:
    return source_of(connection)


CurrentSource = Annotated[Source, Depends(_source_of)]


# Cookies ---------------------------------------------------------------------------------


def is_secure(connection: HTTPConnection) -> bool:
    """Whether the client reaches the server by TLS, its own or a trusted proxy's."""
    return connection.scope.get("scheme", "http") in ("https", "wss")


def cookie_of(connection: HTTPConnection, name: str) -> str | None:
    """A cookie of the server's. Behind TLS only the name with the prefix counts: a cookie without
    it could come from another host of the same domain."""
    return connection.cookies.get(SECURE_PREFIX + name if is_secure(connection) else name)


def set_session(response: Response, request: Request, token: str, *, seconds: int | None) -> None:
    """Set the session cookie. Without ``seconds`` it ends with the browser."""
    _set_cookie(response, request, SESSION_COOKIE, token, seconds)


def set_device(response: Response, request: Request, token: str) -> None:
    """Set the cookie of an enrolled device."""
    _set_cookie(response, request, DEVICE_COOKIE, token, _YEAR_SECONDS)


def set_ticket(response: Response, request: Request, token: str, *, seconds: int) -> None:
    """Set the cookie of a sign-in that waits for a passkey."""
    _set_cookie(response, request, TICKET_COOKIE, token, seconds)


def clear_ticket(response: Response, request: Request) -> None:
    """Delete the cookie of a sign-in that waited for a passkey."""
    _set_cookie(response, request, TICKET_COOKIE, "", 0)


def add_known(response: Response, request: Request, token: str) -> None:
    """Add a token by which an account knows the browser."""
    tokens = [token, *source_of(request).devices][:KNOWN_TOKENS_MAX]
    _set_cookie(response, request, KNOWN_COOKIE, _SEPARATOR.join(tokens), _YEAR_SECONDS)


def clear_session(response: Response, request: Request) -> None:
    """Delete the session cookie."""
    _set_cookie(response, request, SESSION_COOKIE, "", 0)


def _set_cookie(
    response: Response, request: Request, name: str, value: str, seconds: int | None
) -> None:
    secure = is_secure(request)
    response.set_cookie(
        SECURE_PREFIX + name if secure else name,
        value,
        max_age=seconds,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )


# Limits ----------------------------------------------------------------------------------


async def check_heavy_rate(caller: CurrentCaller, services: CurrentServices) -> None:
    """Limit requests that are expensive to answer."""
    if caller.account is not None:
        check_wait(services.heavy_rate.take(caller.account.name))
    else:
        check_wait(services.heavy_rate.take_all(networks_of(caller.address)))


async def check_proof_rate(connection: HTTPConnection, services: CurrentServices) -> None:
    """Limit proofs that are sent to be checked."""
    address = address_of(connection)
    if not services.settings.exempt_from_rates(address):
        check_wait(services.proof_rate.take(address))


async def check_sign_in_rate(connection: HTTPConnection, services: CurrentServices) -> None:
    """Limit guests, sign-ups and sign-ins from one address."""
    address = address_of(connection)
    if not services.settings.exempt_from_rates(address):
        check_wait(services.sign_in_rate.take(address))


def check_wait(wait_ms: int) -> None:
    """Refuse a caller who has to wait for so many milliseconds; 0 accepts."""
    if wait_ms:
        raise too_many(wait_ms)


async def while_connected(request: Request, work: Coroutine[Any, Any, _Result]) -> _Result:
    """The result of some work, which is cancelled once the client has gone."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        for ended in (task, gone):
            ended.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
