"""Who asks: the person behind a request or a socket, by cookie or by a script's token."""

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Depends, Request, Response
from fastapi.requests import HTTPConnection

from openfelt.server.accounts.accounts import Account
from openfelt.server.accounts.events import AccountRole
from openfelt.server.accounts.sessions import SignedIn
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.http.errors import Denied, not_allowed, signed_out, too_many
from openfelt.server.http.rate_limits import Buckets, address_key
from openfelt.server.services import Premises
from openfelt.server.settings import is_loopback

SESSION_COOKIE: Final = "openfelt_session"
TERMINAL_COOKIE: Final = "openfelt_terminal"
TERMINAL_HEADER: Final = "x-openfelt-terminal"
_YEAR_SECONDS: Final = 365 * 86_400


def premises_of(connection: HTTPConnection) -> Premises:
    """The premises of the server that was asked."""
    premises: Premises | None = getattr(connection.app.state, "premises", None)
    if premises is None or not premises.open:
        raise Denied(HTTPStatus.SERVICE_UNAVAILABLE, "closing", "The house is closing.")
    return premises


Here = Annotated[Premises, Depends(premises_of)]


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever asks, signed in or not."""

    signed_in: SignedIn | None
    enrolled: bool
    address: str

    @property
    def account(self) -> Account | None:
        """The account, None for somebody who has not signed in."""
        return self.signed_in.account if self.signed_in else None

    @property
    def viewer(self) -> Viewer | None:
        """Who looks at a table; an auditor looks on like anybody in the room."""
        account = self.account
        if account is None or account.person is None:
            return None
        return Viewer(account.person, guest=account.guest, enrolled=self.enrolled)


async def visitor_of(connection: HTTPConnection, premises: Here) -> Visitor:
    """Whoever asks. A token that holds no more is as good as none."""
    token = session_token(connection)
    found = await premises.sessions.find(token) if token else None
    if found is not None:
        wait_ms = premises.account_rate.take(found.account.name)
        if wait_ms:
            raise too_many(wait_ms)
    return Visitor(found, await enrolled(connection, premises), address_of(connection))


Anybody = Annotated[Visitor, Depends(visitor_of)]


async def account_of(visitor: Anybody) -> Account:
    """The account of somebody who has signed in."""
    if visitor.account is None:
        raise signed_out()
    return visitor.account


Owner = Annotated[Account, Depends(account_of)]


async def supervisor_of(account: Owner) -> Account:
    """A supervisor's account."""
    if account.role is not AccountRole.SUPERVISOR:
        raise not_allowed("That is for a supervisor.")
    return account


Supervisor = Annotated[Account, Depends(supervisor_of)]


# Tokens ----------------------------------------------------------------------------------


def session_token(connection: HTTPConnection) -> str | None:
    """The token of a request: a script's, or else the cookie's."""
    return bearer_token(connection) or connection.cookies.get(SESSION_COOKIE)


def bearer_token(connection: HTTPConnection) -> str | None:
    """The token that a script sends in a header."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


async def enrolled(connection: HTTPConnection, premises: Premises) -> bool:
    """Whether the terminal is the house's own.

    On a starter floor that only this machine can reach, every browser is.
    """
    settings = premises.settings
    if settings.starter and settings.local and is_loopback(address_of(connection)):
        return True
    token = connection.headers.get(TERMINAL_HEADER) or connection.cookies.get(TERMINAL_COOKIE)
    return bool(token) and await asyncio.to_thread(premises.terminals.knows, token or "")


def address_of(connection: HTTPConnection) -> str:
    """The address that a request comes from."""
    return connection.client.host if connection.client else ""


def set_session(response: Response, request: Request, token: str, *, seconds: int | None) -> None:
    """Give a browser its session. Without seconds it ends with the browser."""
    _set_cookie(response, request, SESSION_COOKIE, token, seconds)


def set_terminal(response: Response, request: Request, token: str) -> None:
    """Make a browser a terminal of the house."""
    _set_cookie(response, request, TERMINAL_COOKIE, token, _YEAR_SECONDS)


def clear_session(response: Response, request: Request) -> None:
    """Take a browser's session away."""
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


def check_rate(buckets: Buckets, premises: Premises, key: str) -> None:
    """Refuse what comes too often. This machine itself is not limited where nobody else comes."""
    if premises.settings.local and is_loopback(key) and premises.settings.limits.spare_loopback:
        return
    wait_ms = buckets.take(address_key(key))
    if wait_ms:
        raise too_many(wait_ms)


async def check_heavy(visitor: Anybody, premises: Here) -> None:
    """Limit what is expensive to answer."""
    key = visitor.account.name if visitor.account else address_key(visitor.address)
    wait_ms = premises.heavy_rate.take(key)
    if wait_ms:
        raise too_many(wait_ms)


async def check_door(connection: HTTPConnection, premises: Here) -> None:
    """Limit how often one address comes to the door."""
    check_rate(premises.doors_rate, premises, address_of(connection))
