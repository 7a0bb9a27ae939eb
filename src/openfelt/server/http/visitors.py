"""Visitors: the actor of a request in the record until its caller is identified."""

from starlette.types import ASGIApp, Receive, Scope, Send

from openfelt.runtime.causes import VISITOR, act_as
from openfelt.storage.door import Cause


def visitor(address: str) -> Cause:
    """A caller who has not signed in, by the address of the request.

    >>> visitor("203.0.113.7").terminal
    'address:203.0.113.7'
    """
    return Cause(actor=VISITOR, terminal=f"address:{address}")


class Visitors:
    """ASGI middleware: every request and socket begins as a visitor's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or socket."""
        if scope["type"] in ("http", "websocket"):
            host, *_ = scope.get("client") or ("",)
            act_as(visitor(host))
        await self._app(scope, receive, send)
