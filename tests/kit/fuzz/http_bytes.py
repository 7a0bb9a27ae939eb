"""Bytes for an HTTP port, from valid requests to what no client would send, all from one seed."""

import json
from random import Random
from typing import Any, Final

from openfelt.protocol.api_prefix import API
from openfelt.table.role_permissions import PERMISSIONS
from tests.kit.fuzz.callers import BADGE, LIVE_TABLE, OWN_PIN, PIN, Caller
from tests.kit.fuzz.frames import Input
from tests.kit.fuzz.messages import Words
from tests.kit.fuzz.mutations import mutated

_PARTS: Final = {
    "{name}": ("nobody", "fuzz-dealer", "supervisor", "x" * 64, "%00", "..", "a%2fb"),
    "{terminal}": ("0" * 64, "x", "%ff"),
    "{reader}": ("0" * 64, "x", "%ff"),
    "{passkey}": ("x", "A" * 86, "%00"),
    "{clause}": ("R.31", "R.", ".", "%2e%2e", "\u00e9"),
    "{table}": (
        LIVE_TABLE,
        LIVE_TABLE,
        "stadium-1",
        "draw-1",
        "private.online.x",
        "%2e%2e",
        "\u00e9",
    ),
    "{dispute}": ("1", "0", "-1", "99999999999999999999", "x"),
    "{seat}": ("0", "1", "5", "-1", "100001", "99999999999999999999", "x", "\u0661"),
    "{link}": ("house-link", "nothing", "x" * 64, "%00", ".."),
    "{alert}": ("idle:stadium-1", "1", "x" * 200, "%00", "a%2fb"),
    "{drawer}": ("window-1", "nobody", "x" * 64, "%00", "..", "a%2fb"),
    "{house}": ("online", "nothing", "%0a"),
    "{number}": ("1", "0", "-1", "99999999999999999999", "x", "\u0661"),
    "{path:path}": ("", "index.html", "assets/x.js", "..%2f..", "history", "a" * 300),
}
_ENDPOINTS: Final = [
    endpoint.split(" ", 1)
    for endpoint in PERMISSIONS
    if endpoint.rpartition("/")[2] not in ("guest", "sign-up", "sign-in", "sign-out", "password")
]
"""All but those that open accounts, hash passwords or sign the fuzzer's own guests out."""
_VALUES: Final[dict[str, tuple[object, ...]]] = {
    "table": (LIVE_TABLE, "stadium-1", "nothing"),
    "house": ("washington", "stadium", "online"),
    "name": ("nobody", "fuzz-dealer", "supervisor"),
    "badge": (BADGE, "1", "999999999999"),
    "pin": (OWN_PIN, PIN, "1", "123456"),
    "new_pin": (None, None, OWN_PIN, "111111", "862053"),
    "card": ("As", "10d", "th", "Zz", "0412"),
    "place": (None, "dealer card 1", "hand 1.1 card 1", "common card 5", "card"),
    "round": (None, 1, 2, 10**30, -1),
    "act": ("void_round", "correct_card", "irregularity", "change_dealer", "hand_over"),
    "command": (None, '{"kind":"void_round","reason":"x"}', '{"kind":"irregularity"}', "[" * 999),
    "approval": (None, "x", "y" * 64),
    "label": ("Fuzz", "\x00", "\u202e"),
    "role": ("dealer", "player", "auditor", "owner"),
    "rules": (None, {"paytables": {"blind": "UTH-02"}, "hands": 3}, {"paytables": {"x": "y"}}),
    "dealer_mode": (None, "live", "virtual"),
    "reason": ("Fuzz.", ""),
    "public_name": ("Fuzz", "\u202e"),
    "id": ("1", "2", "x" * 64),
}
"""What the fields of forms have in requests that make some sense."""
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
_VERSIONS: Final = ("HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "HTTP/1.1 ", "")
_LENGTHS: Final = (
    "0",
    "5",
    "-1",
    "+5",
    "0x5",
    "5, 5",
    "5, 6",
    "99999999999999999999",
    "\u0665",
    "",
)


class Requests:
    """Makes inputs for the HTTP port."""

    def __init__(
        self, rng: Random, host: str, callers: list[Caller], forms: dict[str, list[str]]
    ) -> None:
        self._rng = rng
        self._host = host
        self._callers = callers
        self._forms = forms
        self._words = Words(rng)

    def next(self) -> Input:
        """The next input."""
        kinds, weights = zip(*_KINDS.items(), strict=True)
        kind: str = self._rng.choices(kinds, weights)[0]
        return Input(kind, getattr(self, f"_{kind.replace(' ', '_')}")())

    def _path(self) -> tuple[str, str]:
        method, path, _ = self._endpoint()
        return method, path

    def _endpoint(self) -> tuple[str, str, list[str]]:
        """A method, a path and the fields of its form."""
        method, path = self._rng.choice(_ENDPOINTS)
        fields = self._forms.get(f"{method} {path}", [])
        for part, values in _PARTS.items():
            path = path.replace(part, self._rng.choice(values))
        assert "{" not in path, f"the fuzzer does not know a part of {path}: teach it"
        return ("GET" if method == "WEBSOCKET" else method), path, fields

    def _headers(self, **more: str) -> dict[str, str]:
        headers = {"Host": self._host, "Origin": f"http://{self._host}"}
        if self._rng.random() < 0.7:
            headers |= self._rng.choice(self._callers).headers
        return headers | {name.replace("_", "-"): value for name, value in more.items()}

    def _request(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes = b"",
        version: str = "HTTP/1.1",
    ) -> bytes:
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{method} {path} {version}\r\n{lines}\r\n".encode("utf-8", "replace") + body

    def _valid_request(self) -> bytes:
        method, path, fields = self._endpoint()
        body = b"" if method in ("GET", "DELETE") else json.dumps(self._body(fields)).encode()
        headers = self._headers(Content_Type="application/json", Content_Length=str(len(body)))
        return self._request(method, path, headers, body)

    def _body(self, fields: list[str]) -> Any:
        """A form, most often with values that make sense, otherwise with some that do not."""
        rng, sense = self._rng, self._rng.choice((1.0, 0.8, 0.0))
        form = {
            name: rng.choice(_VALUES[name])
            if name in _VALUES and rng.random() < sense
            else self._words.junk(2)
            for name in fields
            if rng.random() < 0.9
        }
        return form or self._words.junk()

    def _mutated_request(self) -> bytes:
        return mutated(self._rng, self._valid_request())

    def _odd_line(self) -> bytes:
        rng = self._rng
        path = rng.choice((self._path()[1], "*", "//", "http://evil.example/", "/?" + "a=1&" * 500))
        return self._request(
            rng.choice(_METHODS), path, self._headers(), version=rng.choice(_VERSIONS)
        )

    def _odd_lengths(self) -> bytes:
        """Two lengths, a length and chunks, or an invalid length: requests inside requests."""
        rng = self._rng
        inner = self._request("GET", "/healthz", {"Host": self._host})
        headers = self._headers(
            Content_Type="application/json", Content_Length=rng.choice(_LENGTHS)
        )
        if rng.random() < 0.5:
            coding = rng.choice(("chunked", "chunked, chunked", "Chunked ", "identity", "xchunked"))
            headers["Transfer-Encoding"] = coding
        if rng.random() < 0.3:
            headers["content-length"] = rng.choice(_LENGTHS)
        body = rng.choice(
            (b"0\r\n\r\n", b"5\r\n{}   \r\n0\r\n\r\n", b"{}", b"ffffffff\r\n{}", b"zz\r\n")
        )
        return self._request("POST", f"{API}/verify", headers, body + inner)

    def _odd_headers(self) -> bytes:
        rng, headers = self._rng, self._headers()
        for _ in range(rng.randint(1, 4)):
            name = rng.choice(
                ("Cookie", "Authorization", "Host", "X", "Range", "Forwarded", "Accept")
            )
            headers[name] = rng.choice(
                ("", "x" * 9000, "\x00", "a\x7fb", "\u00e9", "Bearer " + "A" * 300, "a=b; " * 300)
            )
        return self._request("GET", self._path()[1], headers)

    def _many_headers(self) -> bytes:
        count = self._rng.choice((90, 110, 900, 3000))
        extra = "".join(f"X-{number}: y\r\n" for number in range(count))
        return f"GET / HTTP/1.1\r\nHost: {self._host}\r\n{extra}\r\n".encode()

    def _bare_line_feeds(self) -> bytes:
        return self._valid_request().replace(b"\r\n", self._rng.choice((b"\n", b"\r", b"\n\r")))

    def _odd_handshake(self) -> bytes:
        """An upgrade to a socket in which something is not as it should be."""
        rng = self._rng
        headers = self._headers(
            Connection=rng.choice(("Upgrade", "keep-alive, Upgrade", "close", "")),
            Upgrade=rng.choice(("websocket", "WebSocket", "h2c", "websocket, h2c", "")),
            Sec_WebSocket_Version=rng.choice(("13", "12", "x", "")),
            Sec_WebSocket_Key=rng.choice(("dGhlIHNhbXBsZSBub25jZQ==", "short", "", "=" * 500)),
        )
        if rng.random() < 0.4:
            headers["Sec-WebSocket-Extensions"] = "permessage-deflate; x=" + "1" * 200
        table = rng.choice(("stadium-1", "nothing", "%2e%2e", "x" * 200, "\u202e"))
        return self._request("GET", f"/ws/tables/{table}", headers)

    def _half_a_request(self) -> bytes:
        request = self._valid_request()
        return request[: self._rng.randrange(1, len(request))]

    def _two_requests(self) -> bytes:
        return self._valid_request() + self._valid_request()

    def _random_bytes(self) -> bytes:
        return self._rng.randbytes(self._rng.choice((1, 20, 300, 3000)))

    def _frames_without_a_handshake(self) -> bytes:
        return b"\x81\x85felt\x17\x04\x09\x1b\x17" * self._rng.randint(1, 40)


_KINDS: Final = {
    "valid request": 30,
    "mutated request": 25,
    "odd line": 8,
    "odd lengths": 8,
    "odd headers": 8,
    "many headers": 1,
    "bare line feeds": 4,
    "odd handshake": 6,
    "half a request": 3,
    "two requests": 3,
    "random bytes": 3,
    "frames without a handshake": 1,
}
"""What is sent, and how often."""
