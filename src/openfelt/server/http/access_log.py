"""Sees every request and every socket: counts and times it, and writes of it in the log."""

import logging
import secrets
import time
from collections.abc import Awaitable
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from openfelt.server.http.request_guard import add_headers
from openfelt.server.process.metrics import Metrics

METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
"""Somebody may make others up; they are all one in the counters and in the log."""
WHOSE: Final = "openfelt.whose"
"""Where the door of the sockets notes on a scope which table it is for, and who looks on."""
GONE: Final = 499
"""The status of a request whose sender did not wait for the answer. Nobody is sent it."""

logger = logging.getLogger(__name__)


class Witness:
    """Stands outside everything else."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http":
                await self._see_request(scope, receive, send)
            case "websocket":
                await self._see_socket(scope, receive, send)
            case _:
                await self._app(scope, receive, send)

    # Requests ------------------------------------------------------------------------------

    async def _see_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = secrets.token_hex(8)
        started, status = time.perf_counter(), 500

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"].append((b"x-request-id", request_id.encode()))
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        except ClientDisconnect:
            status = GONE
        except Exception:
            # Nobody but the log is told what went wrong, and the body is not in it.
            logger.exception("a request has failed", extra={"fields": {"request": request_id}})
            await _fail(scope, send_noted)
        finally:
            self._note(scope, request_id, status, time.perf_counter() - started)

    def _note(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.requests.labels(method, _page(scope), str(status)).inc()
        self._metrics.request_seconds.observe(seconds)
        # The page and not the path with its query: what people typed may be a secret.
        fields = {
            "request": request_id,
            "method": method,
            "page": _page(scope),
            "status": status,
            "ms": round(seconds * 1000, 1),
            "address": _address(scope),
        }
        logger.info("request answered", extra={"fields": fields})

    # Sockets -------------------------------------------------------------------------------

    async def _see_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        fields = {"socket": secrets.token_hex(8), "address": _address(scope)}
        started, code, opened = time.perf_counter(), 0, False

        def send_noted(message: Message) -> Awaitable[None]:
            nonlocal code, opened
            if message["type"] == "websocket.accept":
                opened = True
                logger.info("socket opened", extra={"fields": fields | scope.get(WHOSE, {})})
            elif message["type"] == "websocket.close":
                code = code or message.get("code", 1000)
            return send(message)

        async def receive_noted() -> Message:
            nonlocal code
            message = await receive()
            if message["type"] == "websocket.disconnect":
                code = code or message.get("code") or 1005
            return message

        try:
            await self._app(scope, receive_noted, send_noted)
        except Exception:
            code = code or 1011
            raise
        finally:
            ended = {"code": code, "seconds": round(time.perf_counter() - started, 1)}
            said = "socket closed" if opened else "socket refused"
            logger.info(said, extra={"fields": fields | scope.get(WHOSE, {}) | ended})


def _page(scope: Scope) -> str:
    return getattr(scope.get("route"), "path", "") or "other"


def _address(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


async def _fail(scope: Scope, send: Send) -> None:
    body = b'{"code":"failed","sentence":"That has failed here."}'
    headers = MutableHeaders(raw=[])
    headers["content-type"] = "application/json"
    headers["content-length"] = str(len(body))
    add_headers(scope, headers)
    try:
        await send({"type": "http.response.start", "status": 500, "headers": headers.raw})
        await send({"type": "http.response.body", "body": body})
    except RuntimeError:
        # The answer had begun already; the connection is all that can be ended.
        return
