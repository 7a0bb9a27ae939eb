"""Checks before every endpoint, such as host, origin and rate, and headers of every response.

It also adds the security headers of every response.
"""

import asyncio
import json
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from openfelt.protocol.api_prefix import API
from openfelt.server.errors import Denied, busy, too_many
from openfelt.server.limits.body_budget import BodyBudget, HeldBody
from openfelt.server.limits.rates import NetworkBuckets
from openfelt.server.limits.refused_sites import RefusedSites
from openfelt.server.settings import BODY_BYTES_MAX, PROOF_BYTES_MAX, Settings

REFUSED: Final = "openfelt.refused"
"""The key of a scope that says that the request has reached no endpoint."""
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
VERIFY_PATH: Final = f"{API}/verify"

SECURITY_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; media-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": (
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), midi=(), "
        "accelerometer=(), gyroscope=(), magnetometer=()"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_RAW_SECURITY_HEADERS: Final = {
    name.encode(): value.encode() for name, value in SECURITY_HEADERS.items()
}
_HTTPS_ONLY: Final = "max-age=31536000"

FORWARDED_PREFIXES: Final = ("x-forwarded", "x-original-", "x-envoy-external", "cf-")
FORWARDED_NAMES: Final = frozenset(
    {
        *("forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "client-ip"),
        *("true-client-ip", "fastly-client-ip", "x-azure-clientip", "x-proxyuser-ip", "cdn-loop"),
    }
)
"""Headers that proxies add. A request with one of them does not come from this machine's user."""


class RequestGuard:
    """Middleware that passes a request on to the endpoints, or refuses it."""

    def __init__(
        self, app: ASGIApp, *, settings: Settings, requests: NetworkBuckets, refused: RefusedSites
    ) -> None:
        self._app = app
        self._settings = settings
        self._refused = refused
        self._requests = requests
        self._bodies = BodyBudget(
            total=settings.limits.body_bytes, per_site=settings.limits.body_bytes_per_site
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self._check_direct(scope, headers)
            self._check_host(headers)
            self._check_rate(scope)
            if scope["type"] == "http":
                check_origin(scope["method"], headers, secure=scope["scheme"] == "https")
        except Denied as denied:
            scope[REFUSED] = True
            self._refused.count(_address(scope))
            await self._hold_back(scope, beyond=denied.status == HTTPStatus.TOO_MANY_REQUESTS)
            await refuse(scope, send, denied)
            return
        if scope["type"] == "http":
            await self._serve(scope, receive, send, headers)
        else:
            await self._app(scope, receive, send)

    def _check_direct(self, scope: Scope, headers: Headers) -> None:
        """Refuse a forwarded request where the server is for this machine only.

        Browsers do not use HTTP/1.0, but some proxies do by default.
        """
        old = scope["type"] == "http" and scope.get("http_version") == "1.0"
        if self._settings.local and (old or any(map(is_forwarding, headers.keys()))):
            raise Denied(
                HTTPStatus.FORBIDDEN,
                "forwarded",
                "This server is for its own machine only, and a proxy has forwarded this request. "
                "To serve others, start it with the name under which they reach it: "
                "openfelt serve --allow-host NAME",
            )

    def _check_host(self, headers: Headers) -> None:
        if host_name(headers.get("host", "")) not in self._settings.host_names:
            raise Denied(
                HTTPStatus.MISDIRECTED_REQUEST,
                "wrong_host",
                "This server does not answer to that host name.",
            )

    def _check_rate(self, scope: Scope) -> None:
        address = _address(scope)
        if self._settings.exempt_from_rates(address):
            return
        wait_ms = self._requests.take(address)
        if wait_ms:
            raise too_many(wait_ms)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        longest = PROOF_BYTES_MAX if scope["path"] == VERIFY_PATH else BODY_BYTES_MAX
        held = self._bodies.hold(_address(scope))
        body = _Body(receive, longest, held)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._note(scope, message["status"], headers)
                # An endpoint may answer a refused body itself.
                if body.refused is not None:
                    await refuse(scope, send, body.refused)
                else:
                    add_headers(scope, MutableHeaders(raw=message["headers"]))
            if body.refused is None:
                await send(message)

        declared = headers.get("content-length", "")
        if declared.isascii() and declared.isdecimal() and int(declared) > longest:
            await refuse(scope, send, _too_long(longest))
            return
        try:
            with held:
                await self._app(scope, body.receive, send_guarded)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not held.dropped or task is None:
                raise
            task.uncancel()
            await refuse(scope, send, busy())

    async def _note(self, scope: Scope, status: int, headers: Headers) -> None:
        """Note the status of the response, and delay refusals to clients that get many."""
        if not HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return
        guessed = status == HTTPStatus.UNAUTHORIZED and "authorization" in headers
        beyond = guessed or status == HTTPStatus.TOO_MANY_REQUESTS
        if beyond:
            self._refused.count(_address(scope))
        await self._hold_back(scope, beyond=beyond)

    async def _hold_back(self, scope: Scope, *, beyond: bool) -> None:
        address = _address(scope)
        if self._settings.exempt_from_rates(address):
            return
        late_ms = self._refused.late_ms(address, beyond=beyond)
        if late_ms:
            await asyncio.sleep(late_ms / 1000)


class _Body:
    """Counts the bytes of a body, regardless of the declared length."""

    def __init__(self, receive: Receive, longest: int, held: HeldBody) -> None:
        self._receive = receive
        self._longest = longest
        self._held = held
        self._length = 0
        self.refused: Denied | None = None
        """Why the body is not accepted, once it is not."""

    async def receive(self) -> Message:
        message = await self._receive()
        part = len(message.get("body", b""))
        self._length += part
        try:
            if self._length > self._longest:
                raise _too_long(self._longest)
            self._held.add(part)
            if not message.get("more_body", False):
                self._held.finish()
        except Denied as denied:
            self.refused = denied
            raise
        return message


def _too_long(longest: int) -> Denied:
    return Denied(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "too_long",
        f"The body of a request may have at most {longest} bytes.",
    )


def _address(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


# Origins ----------------------------------------------------------------------------------


def check_origin(method: str, headers: Headers, *, secure: bool) -> None:
    """Refuse an unsafe request that comes from another site."""
    if method in SAFE_METHODS:
        return
    origin = headers.get("origin")
    if origin is None:
        # Browsers send an origin with every unsafe request; only programs leave it out.
        if headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none"):
            return
    elif same_origin(origin, headers.get("host", ""), secure=secure):
        return
    raise Denied(
        HTTPStatus.FORBIDDEN,
        "wrong_origin",
        "This request comes from another site, or through a proxy that does not forward Host and "
        "X-Forwarded-Proto.",
    )


def same_origin(origin: str, host: str, *, secure: bool) -> bool:
    """Whether an origin is that of the requested host, by the same scheme.

    >>> same_origin("https://felt.example", "felt.example:443", secure=True)
    True
    >>> same_origin("http://felt.example", "felt.example", secure=True)
    False
    """
    scheme, usual = ("https", 443) if secure else ("http", 80)
    try:
        parts = urlsplit(origin)
        asked = urlsplit(f"//{host}")
        if parts.scheme != scheme or not parts.hostname:
            return False
        return (parts.hostname, parts.port or usual) == (asked.hostname, asked.port or usual)
    except ValueError:
        return False


def is_forwarding(name: str) -> bool:
    """Whether a header is one that proxies add.

    >>> is_forwarding("X-Forwarded-For"), is_forwarding("via"), is_forwarding("accept")
    (True, True, False)
    """
    name = name.lower().replace("_", "-")
    return name in FORWARDED_NAMES or name.startswith(FORWARDED_PREFIXES)


def host_name(host: str) -> str:
    """The name in a Host header, without its port.

    >>> host_name("LOCALHOST:8080"), host_name("[::1]:8080")
    ('localhost', '::1')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


# Responses ----------------------------------------------------------------------------------


def problem_body(denied: Denied) -> bytes:
    """The body of a refusal."""
    return json.dumps({"code": denied.code, "sentence": denied.sentence}).encode()


def problem_headers(denied: Denied) -> dict[str, str]:
    """The headers of a refusal."""
    if denied.wait_ms is None:
        return {}
    return {"retry-after": str(-(-denied.wait_ms // 1000))}


async def refuse(scope: Scope, send: Send, denied: Denied) -> None:
    """Answer a request or a socket with a refusal."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": denied.code})
        return
    body = problem_body(denied)
    headers = MutableHeaders(raw=[])
    headers["content-type"] = "application/json"
    headers["content-length"] = str(len(body))
    for name, value in problem_headers(denied).items():
        headers[name] = value
    add_headers(scope, headers)
    await send(
        {"type": "http.response.start", "status": int(denied.status), "headers": headers.raw}
    )
    await send({"type": "http.response.body", "body": body})


def add_headers(scope: Scope, headers: MutableHeaders) -> None:
    """Add the headers that every response has."""
    raw = headers.raw
    raw[:] = [pair for pair in raw if pair[0] not in _RAW_SECURITY_HEADERS]
    raw.extend(_RAW_SECURITY_HEADERS.items())
    if scope["scheme"] == "https":
        headers["strict-transport-security"] = _HTTPS_ONLY
    if scope["path"].startswith("/api/"):
        headers["cache-control"] = "no-store"
    # Only the files of the web terminal may be kept, and they say so themselves.
    headers.setdefault("cache-control", "no-store")
