"""Who may call which endpoint: the one table that the server asks before every request.

What an endpoint adds to its line, such as a round that must be the caller's own, is in its note.
An endpoint without a line is refused when the application is put together.
"""

import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from fastapi import APIRouter
from fastapi.requests import HTTPConnection
from fastapi.routing import APIRoute, APIWebSocketRoute

from openfelt.protocol.messages import API
from openfelt.server.accounts.account_state import Account
from openfelt.server.errors import Denied, not_allowed, signed_out
from openfelt.server.http.dependencies import (
    CurrentServices,
    bearer_token,
    caller_of,
    one_table_only,
    reader_of,
    step_first,
)
from openfelt.server.settings import is_loopback


class CallerKind(StrEnum):
    """What the server knows of a caller."""

    ANONYMOUS = "anonymous"
    """Has not signed in."""
    GUEST = "guest"
    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may call an endpoint."""

    callers: frozenset[CallerKind]
    note: str = ""
    """What else has to be true, in words."""
    this_machine: bool = False
    """Whether every caller on this machine may, where no other machine reaches the server."""
    before_steps: bool = False
    """Whether callers may who have to change their password or set up a second factor first."""
    by_pin: bool = False
    """Whether a dealer may who has signed on by PIN, whose session is good for one table only."""
    metrics_token: bool = False
    """Whether the token for metrics is enough."""
    reader_token: bool = False
    """Whether the token of a card reader of the table is enough."""


_EVERY_CALLER: Final = frozenset(CallerKind)
_SIGNED_IN: Final = _EVERY_CALLER - {CallerKind.ANONYMOUS}
_OWNERS: Final = _SIGNED_IN - {CallerKind.GUEST}
_PLAYERS: Final = frozenset({CallerKind.GUEST, CallerKind.PLAYER})
_CONTROL: Final = frozenset({CallerKind.SUPERVISOR, CallerKind.AUDITOR})
_SUPERVISORS: Final = Permission(frozenset({CallerKind.SUPERVISOR}))
_OPEN: Final = Permission(_EVERY_CALLER)
_READERS: Final = Permission(
    frozenset(), "The token of a card reader of that table.", reader_token=True
)

PERMISSIONS: Final[dict[str, Permission]] = {
    # The caller's own account
    f"GET {API}/me": Permission(_EVERY_CALLER, "The caller's own account."),
    f"POST {API}/guest": Permission(_EVERY_CALLER, "Where the house plays for play money."),
    f"POST {API}/practice-dealer": Permission(
        _EVERY_CALLER, "On a starter floor with play money that only this machine reaches."
    ),
    f"POST {API}/sign-up": _OPEN,
    f"POST {API}/sign-in": _OPEN,
    f"POST {API}/sign-out": Permission(_EVERY_CALLER, "The caller's own session."),
    f"POST {API}/password": Permission(
        _OWNERS, "The caller's own, with the current password.", before_steps=True
    ),
    f"POST {API}/second-factor": Permission(
        _OWNERS,
        "The caller's own. The first second factor soon after the sign-in or with the password, "
        "another one with the password and the first.",
        before_steps=True,
    ),
    f"POST {API}/second-factor/confirm": Permission(
        _OWNERS, "The caller's own, with a code of the app.", before_steps=True
    ),
    f"POST {API}/second-factor/remove": Permission(
        _OWNERS, "The caller's own, with the password and a code or a passkey."
    ),
    f"GET {API}/passkeys": Permission(_OWNERS, "The caller's own."),
    f"POST {API}/passkeys": Permission(
        _OWNERS,
        "The caller's own. The first second factor soon after the sign-in or with the password, "
        "another one with the password and the first.",
        before_steps=True,
    ),
    f"POST {API}/passkeys/confirm": Permission(
        _OWNERS, "The caller's own, with a new passkey.", before_steps=True
    ),
    f"POST {API}/passkeys/challenge": Permission(_OWNERS, "For the caller's own session."),
    f"POST {API}/passkeys/{{passkey}}/remove": Permission(
        _OWNERS, "The caller's own, with the password and a code or a passkey."
    ),
    f"POST {API}/wallet/top-up": Permission(
        _PLAYERS, "The caller's own wallet, where the house plays for play money."
    ),
    # The dealer's terminal of a table
    f"POST {API}/dealer/sign-on": Permission(
        _EVERY_CALLER,
        "A dealer with badge number and PIN, at a device that is enrolled as the dealer's terminal "
        "of a table; the session is good for that table and device only.",
    ),
    f"POST {API}/dealer/handover": Permission(
        frozenset({CallerKind.DEALER}),
        "The dealer of the table at its terminal, with badge number and PIN of another dealer.",
        by_pin=True,
    ),
    f"POST {API}/dealer/handover/confirm": Permission(
        frozenset({CallerKind.DEALER}),
        "The dealer of the table at its terminal, where another dealer has signed on beside them.",
        by_pin=True,
    ),
    f"GET {API}/dealer/shift": Permission(
        frozenset({CallerKind.DEALER}), "The caller's own last shift.", by_pin=True
    ),
    f"GET {API}/dealers/{{name}}/shifts": _SUPERVISORS,
    f"POST {API}/dealer/approvals": Permission(
        _EVERY_CALLER,
        "A supervisor with name and password, or badge number and PIN, at the dealer's terminal "
        "of the table or in the session of its dealer.",
    ),
    # Supervision
    f"POST {API}/accounts": _SUPERVISORS,
    f"POST {API}/accounts/{{name}}/public-name": _SUPERVISORS,
    f"POST {API}/accounts/{{name}}/role": Permission(
        _SUPERVISORS.callers, "Of another account than the caller's."
    ),
    f"POST {API}/accounts/{{name}}/unlock": _SUPERVISORS,
    f"POST {API}/accounts/{{name}}/badge": _SUPERVISORS,
    f"DELETE {API}/accounts/{{name}}/badge": _SUPERVISORS,
    f"POST {API}/accounts/{{name}}/bar": Permission(
        _SUPERVISORS.callers, "Another account than the caller's."
    ),
    f"POST {API}/accounts/{{name}}/admit": _SUPERVISORS,
    f"POST {API}/accounts/{{name}}/sign-out": _SUPERVISORS,
    f"GET {API}/terminals": _SUPERVISORS,
    f"POST {API}/terminals": _SUPERVISORS,
    f"DELETE {API}/terminals/{{terminal}}": _SUPERVISORS,
    f"GET {API}/unfinished": _SUPERVISORS,
    # Card readers
    f"GET {API}/readers": _SUPERVISORS,
    f"POST {API}/readers": _SUPERVISORS,
    f"DELETE {API}/readers/{{reader}}": _SUPERVISORS,
    f"GET {API}/tables/{{table}}/cards": _READERS,
    f"POST {API}/tables/{{table}}/cards": _READERS,
    f"GET {API}/tables/{{table}}/card-codes": Permission(
        frozenset({CallerKind.DEALER, CallerKind.SUPERVISOR}), by_pin=True
    ),
    # Tables
    f"GET {API}/tables": Permission(
        _EVERY_CALLER, "Public tables, and the caller's own private ones."
    ),
    f"POST {API}/tables": _SUPERVISORS,
    f"POST {API}/tables/private": Permission(_PLAYERS, "A table of the caller's own."),
    f"GET {API}/links": _OPEN,
    "WEBSOCKET /ws/tables/{table}": Permission(
        _EVERY_CALLER,
        "A private table only for its player and for supervisors; commands by the table below.",
    ),
    # Houses
    f"GET {API}/clauses/{{clause}}": _OPEN,
    f"GET {API}/houses": _OPEN,
    f"GET {API}/houses/{{house}}": _OPEN,
    f"GET {API}/houses/{{house}}/own-rules": _OPEN,
    # Rounds
    f"GET {API}/played-tables": Permission(_SIGNED_IN, "The caller's own rounds."),
    f"GET {API}/tables/{{table}}/rounds": Permission(_SIGNED_IN, "The caller's own rounds."),
    f"GET {API}/tables/{{table}}/visit": Permission(_SIGNED_IN, "The caller's own rounds."),
    f"GET {API}/tables/{{table}}/rounds/{{number}}": Permission(
        _SIGNED_IN, "A round of the caller's own, once it is over."
    ),
    f"GET {API}/tables/{{table}}/rounds/{{number}}/coach": Permission(
        _SIGNED_IN,
        "A round of the caller's own, once it is over; while it is in progress only at the "
        "caller's own private table.",
    ),
    f"GET {API}/tables/{{table}}/rounds/{{number}}/proof": Permission(
        _SIGNED_IN,
        "A round of the caller's own, once it is over; any finished round for supervisors and "
        "auditors.",
    ),
    f"GET {API}/tables/{{table}}/rounds/{{number}}/seeds": Permission(
        _SIGNED_IN,
        "A round of the caller's own, once it is over; any finished round for supervisors and "
        "auditors.",
    ),
    f"POST {API}/verify": _OPEN,
    # Operations, descriptions and the web terminal
    "GET /healthz": _OPEN,
    "GET /metrics": Permission(
        _CONTROL,
        "The token for metrics; every caller on this machine, where no other machine reaches the "
        "server.",
        this_machine=True,
        metrics_token=True,
    ),
    f"GET {API}/openapi.json": _OPEN,
    f"GET {API}/asyncapi.json": _OPEN,
    "GET /{path:path}": Permission(_EVERY_CALLER, "The files of the web terminal."),
}


def kind_of(account: Account | None) -> CallerKind:
    """What an account makes of its caller."""
    if account is None:
        return CallerKind.ANONYMOUS
    if account.practice_dealer:
        return CallerKind.DEALER
    return CallerKind.GUEST if account.guest else CallerKind(account.role.value)


async def check_permission(connection: HTTPConnection, services: CurrentServices) -> None:
    """Refuse a caller who may not call the endpoint; it runs before every endpoint."""
    permission = PERMISSIONS[_key(connection)]
    if permission.callers == _EVERY_CALLER:
        return
    caller = await caller_of(connection, services)
    signed_in = caller.signed_in
    if signed_in is not None and signed_in.table is not None and not permission.by_pin:
        raise one_table_only()
    of_session = signed_in is not None and (permission.before_steps or signed_in.table is not None)
    account = signed_in.account if signed_in and of_session else caller.account
    if kind_of(account) in permission.callers:
        return
    if permission.this_machine and services.settings.local and is_loopback(caller.address):
        return
    if permission.metrics_token and _has_metrics_token(connection, services):
        return
    if permission.reader_token and await _is_reader(connection, services):
        return
    if caller.step is not None:
        raise step_first(caller.step)
    raise refusal(permission, kind_of(account))


def _has_metrics_token(connection: HTTPConnection, services: CurrentServices) -> bool:
    token = services.settings.metrics_token
    given = bearer_token(connection) or ""
    return bool(token) and hmac.compare_digest(given.encode(), (token or "").encode())


async def _is_reader(connection: HTTPConnection, services: CurrentServices) -> bool:
    """Whether the caller is a card reader of the table that the path names."""
    reader = await reader_of(connection, services)
    return reader is not None and reader.table == connection.path_params.get("table")


def refusal(permission: Permission, kind: CallerKind) -> Denied:
    """The refusal of a caller of this kind."""
    if kind is CallerKind.ANONYMOUS:
        return signed_out()
    if permission.reader_token:
        return not_allowed("Only a card reader of this table may do that.")
    return not_allowed(f"Only {_words(permission.callers)} may do that.")


def endpoints(routers: Iterable[APIRouter]) -> Iterator[str]:
    """Every endpoint of these routers, as the table names it."""
    for router in routers:
        for route in router.routes:
            if isinstance(route, APIWebSocketRoute):
                yield f"WEBSOCKET {route.path}"
            elif isinstance(route, APIRoute):
                yield from (
                    f"{method} {route.path}"
                    for method in sorted(route.methods or ())
                    if method != "HEAD"
                )


def _key(connection: HTTPConnection) -> str:
    method = connection.scope.get("method", "WEBSOCKET")
    return f"{'GET' if method == 'HEAD' else method} {connection.scope['route'].path}"


def _words(kinds: frozenset[CallerKind]) -> str:
    """Kinds of caller in a sentence.

    >>> _words(_PLAYERS)
    'a guest or a player'
    """
    named = [f"an {kind}" if kind[0] in "aeiou" else f"a {kind}" for kind in CallerKind]
    told = [words for words, kind in zip(named, CallerKind, strict=True) if kind in kinds]
    return " or ".join(filter(None, (", ".join(told[:-1]), told[-1])))
