"""The socket endpoint: authentication, the origin of the page, and access to the table."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from openfelt.protocol.close_codes import CloseCode
from openfelt.server.accounts.sessions import SignedIn
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.errors import Denied
from openfelt.server.http.access_log import LOG_FIELDS
from openfelt.server.http.dependencies import (
    address_of,
    bearer_token,
    device_of,
    enrolled,
    is_secure,
    services_of,
    session_of,
    step_of,
    terminal_of,
)
from openfelt.server.http.request_guard import same_origin
from openfelt.server.limits.networks import site_of
from openfelt.server.services import Services
from openfelt.server.socket.connection import serve_terminal
from openfelt.server.tables.lobby import REBUILDING
from openfelt.server.tables.starter_floor import practice_table
from openfelt.storage.door import StoreError, Unavailable

router = APIRouter()

CHECK_SECONDS: Final = 30
"""How often an open socket checks that its session is still valid, in case another process has
ended it; a session that ends in this process closes its sockets immediately."""


@router.websocket("/ws/tables/{table}")
async def table_socket(socket: WebSocket, table: str) -> None:
    """The socket of one terminal at one table."""
    services = services_of(socket)
    if not _right_origin(socket):
        await socket.close(CloseCode.POLICY, "wrong_origin")
        return
    try:
        signed_in = await session_of(socket, services)
        if _opens_too_many(socket, services, signed_in):
            # Without the handshake, which is most of what opening a socket costs.
            socket.app.state.refused_sites.count(address_of(socket))
            await socket.close(CloseCode.TOO_MANY, "too_many_sockets")
            return
        viewer = await _viewer(socket, services, signed_in, table)
        await services.lobby.table_for(table, viewer)
    except Denied as denied:
        if denied.code == REBUILDING:
            await _close(socket, CloseCode.STOPPED, "stopped")
        else:
            await _close(socket, CloseCode.NO_SUCH_TABLE, "no_such_table")
        return
    except StoreError:
        await _close(socket, CloseCode.STOPPED, "stopped")
        return
    socket.scope[LOG_FIELDS] = {"table": table} | ({"actor": str(viewer.person)} if viewer else {})
    keys = [f"address {site_of(address_of(socket))}"]
    keys += [f"account {viewer.name}"] if viewer else []
    with services.sockets.counted(keys) as admitted:
        if not admitted:
            await _close(socket, CloseCode.TOO_MANY, "too_many_sockets")
            return
        if signed_in is None:
            await serve_terminal(socket, table, viewer, services.rooms)
            return
        entitled = _Entitled(services, viewer)
        serving = serve_terminal(
            socket,
            table,
            viewer,
            services.rooms,
            on_command=entitled.note_command,
            on_signed_off=lambda: services.sessions.end(signed_in, "signed off"),
        )
        with services.sessions.watched(signed_in.account.name) as changed:
            task = asyncio.ensure_future(serving)
            left_ms = services.sessions.left_ms(signed_in)
            with _called_in(left_ms, changed.set):
                await _serve_while_entitled(socket, entitled, task, changed)


def _right_origin(socket: WebSocket) -> bool:
    """A browser sends the origin of its page; a script has no origin and sends a token instead."""
    origin = socket.headers.get("origin")
    if origin is None:
        return bearer_token(socket) is not None
    return same_origin(origin, socket.headers.get("host", ""), secure=is_secure(socket))


def _opens_too_many(socket: WebSocket, services: Services, signed_in: SignedIn | None) -> bool:
    """Whether a caller opens sockets faster than a person would."""
    address = address_of(socket)
    if services.settings.exempt_from_rates(address):
        return False
    account = signed_in.account.name if signed_in else None
    return not services.socket_openings.allow(account=account, address=address)


async def _viewer(
    socket: WebSocket, services: Services, signed_in: SignedIn | None, table: str
) -> Viewer | None:
    """The viewer; a caller who has to take a step first is a visitor until then.

    So is a dealer who has signed on by PIN at another table, and a practice dealer at any table but
    the demonstration table.
    """
    person = signed_in.account.person if signed_in else None
    if signed_in is None or person is None or signed_in.table not in (None, table):
        return None
    if signed_in.table is None and step_of(signed_in.account, services.settings):
        return None
    practises = signed_in.account.practice_dealer
    if practises and table != practice_table(services.settings):
        return None
    device = await device_of(socket, services)
    return Viewer(
        person,
        guest=signed_in.account.guest,
        enrolled=await enrolled(socket, services),
        stopped=device.stopped if device is not None else "",
        terminal=await terminal_of(socket, services, signed_in),
        by_pin=signed_in.table is not None,
    )


@dataclass(slots=True)
class _Entitled:
    """The session and terminal by which a socket is served."""

    services: Services
    viewer: Viewer | None
    commanded: bool = False
    """Whether a command came in since the last check."""

    def note_command(self) -> None:
        """Note that a command came in, so that its session stays in use."""
        self.commanded = True

    async def lost(self, socket: WebSocket) -> tuple[int, str] | None:
        """The close code and reason, once the session or the terminal is no longer valid."""
        active, self.commanded = self.commanded, False
        try:
            if await session_of(socket, self.services, use=active) is None:
                return CloseCode.SIGNED_OUT, "signed_out"
            if self.viewer and self.viewer.enrolled and not await enrolled(socket, self.services):
                # The terminal reconnects, without the rights of the house's terminals.
                return CloseCode.TERMINAL_CHANGED, "terminal_changed"
            device = await device_of(socket, self.services)
            if self.viewer and self.viewer.stopped != (device.stopped if device else ""):
                return CloseCode.TERMINAL_CHANGED, "terminal_changed"
        except Unavailable:
            # A store that is unavailable for a moment disconnects no viewer.
            return None
        return None


async def _serve_while_entitled(
    socket: WebSocket,
    entitled: _Entitled,
    serving: "asyncio.Future[None]",
    changed: asyncio.Event,
) -> None:
    """Serve until the terminal disconnects, its session ends, or it is no longer enrolled."""
    wakened = asyncio.ensure_future(changed.wait())
    try:
        while not serving.done():
            await asyncio.wait(
                (serving, wakened), timeout=CHECK_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if wakened.done():
                changed.clear()
                wakened = asyncio.ensure_future(changed.wait())
            if not serving.done() and (why := await entitled.lost(socket)) is not None:
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
                await _close(socket, *why)
                return
        serving.result()
    finally:
        serving.cancel()
        wakened.cancel()


@contextlib.contextmanager
def _called_in(left_ms: int | None, check: Callable[[], None]) -> Iterator[None]:
    """Check a session when it expires, which a socket in use would not notice immediately."""
    if left_ms is None:
        yield
        return
    timer = asyncio.get_running_loop().call_later(left_ms / 1000, check)
    try:
        yield
    finally:
        timer.cancel()


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    # The client may have gone in the meantime.
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.accept()
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, reason)
