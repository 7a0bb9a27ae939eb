"""The check of a caller's permission for an endpoint, which runs before every request.

The permissions are listed in ``openfelt.table.role_permissions``. An endpoint that is not listed
there is rejected when the application is assembled.
"""

import hmac
from collections.abc import Iterable, Iterator

from fastapi import APIRouter
from fastapi.requests import HTTPConnection
from fastapi.routing import APIRoute, APIWebSocketRoute

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
from openfelt.table.role_permissions import PERMISSIONS, CallerKind, Permission


def kind_of(account: Account | None) -> CallerKind:
    """The kind of caller for an account; without one the caller is anonymous."""
    return CallerKind.ANONYMOUS if account is None else account.kind


async def check_permission(connection: HTTPConnection, services: CurrentServices) -> None:
    """Refuse a caller who may not call the endpoint; it runs before every endpoint."""
    permission = PERMISSIONS[_key(connection)]
    if permission.callers == frozenset(CallerKind):
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

    >>> _words(frozenset({CallerKind.GUEST, CallerKind.PLAYER}))
    'a guest or a player'
    """
    named = [f"an {kind}" if kind[0] in "aeiou" else f"a {kind}" for kind in CallerKind]
    callers = [words for words, kind in zip(named, CallerKind, strict=True) if kind in kinds]
    return " or ".join(filter(None, (", ".join(callers[:-1]), callers[-1])))
