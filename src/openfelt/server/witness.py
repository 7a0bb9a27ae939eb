"""Sees every request: counts it, times it, and writes one line of log about it."""

import logging
import secrets
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from openfelt.server.metrics import Metrics

logger = logging.getLogger(__name__)


class Witness:
    """Stands outside everything else."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
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
        except Exception:
            # Nobody but the log is told what went wrong, and the body is not in it.
            logger.exception("a request has failed", extra={"fields": {"request": request_id}})
            await _fail(send_noted)
        finally:
            self._note(scope, request_id, status, time.perf_counter() - started)

    def _note(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        route = scope.get("route")
        page = getattr(route, "path", "") or "other"
        self._metrics.requests.labels(scope["method"], page, str(status)).inc()
        self._metrics.request_seconds.observe(seconds)
        # The page and not the path with its query: what people typed may be a secret.
        fields = {
            "request": request_id,
            "method": scope["method"],
            "page": page,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "address": scope["client"][0] if scope.get("client") else "",
        }
        logger.info("request answered", extra={"fields": fields})


async def _fail(send: Send) -> None:
    body = b'{"code":"failed","sentence":"That has failed here."}'
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    try:
        await send({"type": "http.response.start", "status": 500, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    except RuntimeError:
        # The answer had begun already; the connection is all that can be ended.
        return
