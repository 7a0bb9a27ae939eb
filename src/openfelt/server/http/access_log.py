"""The access log: middleware that counts, times and logs every request and every socket."""

import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable
from http import HTTPStatus
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from openfelt.runtime.clock import Clock
from openfelt.server.errors import Denied
from openfelt.server.http.request_guard import REFUSED, refuse
from openfelt.server.limits.rates import Buckets, Rate
from openfelt.server.monitoring.metrics import Metrics

METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
"""Any other method is counted and logged as ``other``: clients may send anything."""
LOG_FIELDS: Final = "openfelt.log_fields"
"""The key of a scope under which an endpoint adds fields to its socket's log lines."""
REFUSALS_LOGGED: Final = Rate(per_minute=60, burst=60)
"""How many lines a minute requests that reach no endpoint may have; the rest are counted."""
CLIENT_CLOSED: Final = 499
"""The logged status of a request whose client closed the connection before the response."""
FAILED: Final = Denied(
    HTTPStatus.INTERNAL_SERVER_ERROR, "failed", "The server failed to answer this request."
)

logger = logging.getLogger(__name__)


class AccessLog:
    """The outermost middleware."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, clock: Clock) -> None:
        self._app = app
        self._metrics = metrics
        self._refusals = Buckets(REFUSALS_LOGGED, clock)
        self._not_logged = 0
        """How many refusals were not logged individually since the last one that was."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http":
                await self._log_request(scope, receive, send)
            case "websocket":
                await self._log_socket(scope, receive, send)
            case _:
                await self._app(scope, receive, send)

    # Requests ------------------------------------------------------------------------------

    async def _log_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = secrets.token_hex(8)
        started, status = time.perf_counter(), 500

        async def send_logged(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"].append((b"x-request-id", request_id.encode()))
            await send(message)

        try:
            await self._app(scope, receive, send_logged)
        except ClientDisconnect:
            status = CLIENT_CLOSED
        except Exception:
            # Only the log says what went wrong, and it does not contain the request's body.
            logger.exception("a request has failed", extra={"fields": {"request": request_id}})
            await _fail(scope, send_logged)
        finally:
            self._log_response(scope, request_id, status, time.perf_counter() - started)

    def _log_response(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.requests.labels(method, _route(scope), str(status)).inc()
        self._metrics.request_seconds.observe(seconds)
        # The route and not the path with its query, which may contain secrets.
        fields = {
            "request": request_id,
            "method": method,
            "page": _route(scope),
            "status": status,
            "ms": round(seconds * 1000, 1),
            "address": _address(scope),
        }
        if REFUSED in scope:
            if self._refusals.take(""):
                self._not_logged += 1
                return
            if self._not_logged:
                fields["not_logged"] = self._not_logged
                self._not_logged = 0
        logger.info("request answered", extra={"fields": fields})

    # Sockets -------------------------------------------------------------------------------

    async def _log_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        fields = {"socket": secrets.token_hex(8), "address": _address(scope)}
        started, code, opened = time.perf_counter(), 0, False

        def send_logged(message: Message) -> Awaitable[None]:
            nonlocal code, opened
            if message["type"] == "websocket.accept":
                opened = True
                logger.info("socket opened", extra={"fields": fields | scope.get(LOG_FIELDS, {})})
            elif message["type"] == "websocket.close":
                code = code or message.get("code", 1000)
            return send(message)

        async def receive_logged() -> Message:
            nonlocal code
            message = await receive()
            if message["type"] == "websocket.disconnect":
                code = code or message.get("code") or 1005
            return message

        try:
            await self._app(scope, receive_logged, send_logged)
        except Exception:
            code = code or 1011
            raise
        finally:
            ended = {"code": code, "seconds": round(time.perf_counter() - started, 1)}
            message = "socket closed" if opened else "socket refused"
            logger.info(message, extra={"fields": fields | scope.get(LOG_FIELDS, {}) | ended})


def _route(scope: Scope) -> str:
    return getattr(scope.get("route"), "path", "") or "other"


def _address(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


async def _fail(scope: Scope, send: Send) -> None:
    # Once a response has begun, nothing is left but to close the connection.
    with contextlib.suppress(RuntimeError):
        await refuse(scope, send, FAILED)
