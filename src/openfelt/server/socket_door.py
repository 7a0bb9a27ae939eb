"""The door of the sockets: who it is, from which page, and whether the table is theirs to see."""

import asyncio
import contextlib
from typing import Final

from fastapi import APIRouter, WebSocket

from openfelt.server.denied import Denied
from openfelt.server.guard import same_origin
from openfelt.server.identity import (
    address_of,
    bearer_token,
    enrolled,
    premises_of,
    session_token,
)
from openfelt.server.premises import Premises
from openfelt.server.rates import address_key
from openfelt.server.sessions import SignedIn
from openfelt.server.sockets import serve_terminal
from openfelt.server.viewer import Viewer

router = APIRouter()

SIGNED_OUT: Final = 4001
NO_SUCH_TABLE: Final = 4004
TOO_MANY: Final = 4029
_POLICY: Final = 1008
CHECK_SECONDS: Final = 5
"""How often an open socket looks whether its session still holds."""


@router.websocket("/ws/tables/{table}")
async def table_socket(socket: WebSocket, table: str) -> None:
    """The socket of one terminal at one table."""
    premises = premises_of(socket)
    if not _right_origin(socket):
        await socket.close(_POLICY, "wrong_origin")
        return
    token = session_token(socket)
    signed_in = await premises.sessions.find(token) if token else None
    viewer = await _viewer(socket, premises, signed_in)
    try:
        await premises.lobby.table_for(table, viewer)
    except Denied:
        await _close(socket, NO_SUCH_TABLE, "no_such_table")
        return
    keys = [f"address {address_key(address_of(socket))}"]
    keys += [f"account {viewer.name}"] if viewer else []
    with premises.sockets.counted(keys) as admitted:
        if not admitted:
            await _close(socket, TOO_MANY, "too_many_sockets")
            return
        serving = serve_terminal(socket, table, viewer, premises.rooms)
        if signed_in is None or token is None:
            await serving
        else:
            await _serve_while_signed_in(socket, premises, token, asyncio.ensure_future(serving))


def _right_origin(socket: WebSocket) -> bool:
    """A browser names its page's origin; a script has none, and brings a token of its own."""
    origin = socket.headers.get("origin")
    if origin is None:
        return bearer_token(socket) is not None
    return same_origin(origin, socket.headers.get("host", ""))


async def _viewer(
    socket: WebSocket, premises: Premises, signed_in: SignedIn | None
) -> Viewer | None:
    person = signed_in.account.person if signed_in else None
    if signed_in is None or person is None:
        return None
    return Viewer(person, guest=signed_in.account.guest, enrolled=await enrolled(socket, premises))


async def _serve_while_signed_in(
    socket: WebSocket, premises: Premises, token: str, serving: "asyncio.Future[None]"
) -> None:
    """Serve until the terminal goes, or its session ends."""
    try:
        while not serving.done():
            await asyncio.wait((serving,), timeout=CHECK_SECONDS)
            active = bool(socket.scope.pop("openfelt.active", False))
            if not serving.done() and await premises.sessions.find(token, use=active) is None:
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
                await _close(socket, SIGNED_OUT, "signed_out")
                return
        serving.result()
    finally:
        serving.cancel()


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(RuntimeError):
        await socket.accept()
    with contextlib.suppress(RuntimeError):
        await socket.close(code, reason)
