"""A stranger tries the password of the guide, comes through a proxy in front of a server that was
meant for one machine, names another host or origin, and sends requests that two programs would
read in two ways."""

import contextlib
import re
import signal
import socket
from pathlib import Path
from typing import Final

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from openfelt.protocol.api_prefix import API
from tests.kit.attacks.server_under_attack import ServerUnderAttack
from tests.kit.attacks.visitors import NAME, Visitor, behind_a_proxy
from tests.kit.server.open_house import PASSWORD
from tests.kit.server.real_server import free_port, server_process

HOST: Final = b"host: 127.0.0.1\r\n"
POST: Final = b"POST /api/v1/sign-out HTTP/1.1\r\n" + HOST
SHOWN: Final = re.compile(r"password  ((?:[a-z0-9]{4}-){3}[a-z0-9]{4})")


# The first password --------------------------------------------------------------------------


def test_the_first_password_is_random_shown_once_and_good_for_nothing_but_its_change(
    tmp_path: Path,
) -> None:
    port = free_port()
    log = tmp_path / "server.log"
    with server_process(tmp_path, port, password=None) as server:
        (password,) = SHOWN.findall(log.read_text())
        with httpx.Client(base_url=server.address, verify=False) as client:
            for known in ("openfelt", "supervisor"):
                body = {"name": "supervisor", "password": known}
                assert client.post(f"{API}/sign-in", json=body).status_code == 401
            body = {"name": "supervisor", "password": password}
            assert client.post(f"{API}/sign-in", json=body).json()["step"] == "password"
            account = {"name": "dan", "password": PASSWORD, "role": "dealer"}
            for path, form in (("/accounts", account), ("/terminals", {"label": "T1"})):
                refused = client.post(f"{API}{path}", json=form)
                assert (refused.status_code, refused.json()["code"]) == (403, "password_step")
            assert client.get("/api/v1/terminals").status_code == 403
            change = {"password": password, "new_password": PASSWORD}
            assert client.post(f"{API}/password", json=change).json()["step"] is None
            assert client.post(f"{API}/accounts", json=account).status_code == 200
        assert server.end(signal.SIGTERM) == 0
    with server_process(tmp_path, port, password=None) as server:
        assert SHOWN.findall(log.read_text()) == [password]
        body = {"name": "supervisor", "password": password}
        assert httpx.post(f"{server.address}{API}/sign-in", json=body).status_code == 401
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file != log)
    assert password.encode() not in stored


# A server for one machine --------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        {"X-Forwarded-For": "203.0.113.9"},
        {"x-forwarded-host": "felt.example"},
        {"X-FORWARDED-PROTO": "https"},
        {"X-Forwarded": "for=203.0.113.9"},
        {"x_forwarded_for": "203.0.113.9"},
        {"Forwarded": "for=203.0.113.9"},
        {"Via": "1.1 proxy"},
        {"X-Real-IP": "203.0.113.9"},
        {"CF-Connecting-IP": "203.0.113.9"},
        {"True-Client-IP": "203.0.113.9"},
    ],
)
def test_a_local_server_lets_nobody_in_who_was_forwarded(
    server: ServerUnderAttack, header: dict[str, str]
) -> None:
    browser = server.browser(**header)
    for path in ("/healthz", "/metrics", f"{API}/me", "/", f"{API}/tables"):
        answer = browser.get(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "forwarded")
        assert "openfelt serve --allow-host NAME" in answer.json()["sentence"]
    assert browser.post(f"{API}/guest").status_code == 403


async def test_a_local_server_gives_no_socket_to_a_proxy(server: ServerUnderAttack) -> None:
    url, origin = server.socket_url("stadium-1"), Origin(server.address)
    async with connect(url, origin=origin):
        """Without a proxy it is opened."""
    with pytest.raises(InvalidStatus):
        async with connect(url, origin=origin, additional_headers={"Via": "1.1 proxy"}):
            pass


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost@evil"])
def test_another_host_name_is_not_answered(server: ServerUnderAttack, host: str) -> None:
    answer = server.browser().get(f"{API}/tables", headers={"host": host})
    assert answer.status_code in (400, 421)


# Behind TLS ------------------------------------------------------------------------------------


def test_behind_tls_cookies_and_origins_are_those_of_this_host_and_scheme(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path) as server:
        secure = Visitor(server, "203.0.113.9", scheme="https")
        assert secure.post("/guest").status_code == 200
        assert list(secure.cookies) == ["__Host-openfelt_session"]
        assert secure.ask("GET", "/me").json()["name"] is not None
        plain = Visitor(server, "203.0.113.9", scheme="https")
        plain.cookies = {"openfelt_session": secure.cookies["__Host-openfelt_session"]}
        assert plain.ask("GET", "/me").json()["name"] is None
        secure.headers["origin"] = f"http://{NAME}"
        refused = secure.post("/guest")
        assert (refused.status_code, refused.json()["code"]) == (403, "wrong_origin")


# Bytes -------------------------------------------------------------------------------------------


def answer_to(server: ServerUnderAttack, sent: bytes) -> bytes:
    """What a server answers to bytes, until it closes the connection or has answered once."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(sent)
        received = b""
        while b"\r\n\r\n" not in received:
            part = connection.recv(65_536)
            if not part:
                break
            received += part
    return received


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(POST + b"content-length: 0\r\ncontent-length: 5\r\n\r\n", id="two lengths"),
        pytest.param(POST + b"content-length: 0\r\ncontent-length: 0\r\n\r\n", id="twice one"),
        pytest.param(POST + b"content-length: 0, 0\r\n\r\n", id="a list of lengths"),
        pytest.param(POST + b"content-length: +0\r\n\r\n", id="a signed length"),
        pytest.param(POST + b"content-length: 0x0\r\n\r\n", id="a length in hex"),
        pytest.param(POST + b"content-length : 0\r\n\r\n", id="a space before the colon"),
        pytest.param(
            POST + b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            id="both lengths",
        ),
        pytest.param(
            POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
            id="both lengths the other way round",
        ),
        pytest.param(POST + b"transfer-encoding: xchunked\r\n\r\n", id="another encoding"),
        pytest.param(POST + b"transfer-encoding: gzip, chunked\r\n\r\n", id="two encodings"),
        pytest.param(
            POST + b"transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n",
            id="an encoding twice",
        ),
        pytest.param(
            b"POST /api/v1/sign-out HTTP/1.0\r\n" + HOST + b"transfer-encoding: chunked\r\n\r\n",
            id="an encoding before its time",
        ),
        pytest.param(b"GET /healthz HTTP/1.1\n" + HOST + b"\r\n", id="a bare line feed"),
        pytest.param(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\n\n", id="bare line feeds"),
        pytest.param(b"GET /healthz HTTP/1.1\r\n" + HOST + b"x: a\rb\r\n\r\n", id="a bare return"),
        pytest.param(
            b"GET /healthz HTTP/1.1\r\n" + HOST + b"x: a\r\n b\r\n\r\n", id="a folded header"
        ),
        pytest.param(
            b"GET /healthz HTTP/1.1\r\n" + HOST + b"x: a\r\n\tb\r\n\r\n", id="folded by a tab"
        ),
        pytest.param(b"GET /healthz HTTP/1.1\r\n" + HOST + b"x: a\x00b\r\n\r\n", id="a zero byte"),
        pytest.param(b"GET /healthz HTTP/1.1\r\n" + HOST + HOST + b"\r\n", id="two hosts"),
        pytest.param(b"GET /healthz HTTP/1.1\r\n\r\n", id="no host"),
        pytest.param(
            b"GET /healthz HTTP/1.1\r\n" + HOST + b"x: " + b"a" * 20_000 + b"\r\n\r\n",
            id="a giant header",
        ),
        pytest.param(
            b"GET /healthz HTTP/1.1\r\n" + HOST + b"x: a\r\n" * 80 + b"\r\n", id="many headers"
        ),
        pytest.param(
            b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", id="a giant path"
        ),
        pytest.param(b"\r\nGET /healthz HTTP/1.1\r\n" + HOST + b"\r\n", id="an empty line first"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="another protocol"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", id="a TLS greeting"),
    ],
)
def test_a_request_that_can_be_read_in_two_ways_is_refused(
    server: ServerUnderAttack, sent: bytes
) -> None:
    answer = answer_to(server, sent)
    assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 431"))
    assert b"connection: close" in answer.lower()


def test_a_request_in_order_is_answered_in_one_piece_or_byte_by_byte(
    server: ServerUnderAttack,
) -> None:
    chunked = POST + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    plain = POST + b"content-length: 2\r\n\r\n{}"
    for sent in (chunked, plain):
        assert answer_to(server, sent).startswith(b"HTTP/1.1 200")
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
            for byte in sent:
                connection.sendall(bytes([byte]))
            assert connection.recv(65_536).startswith(b"HTTP/1.1 200")


def test_nothing_is_smuggled_behind_a_body(server: ServerUnderAttack) -> None:
    hidden = b"GET /api/v1/tables HTTP/1.1\r\n" + HOST + b"\r\n"
    body = b"0\r\n\r\n" + hidden
    both = b"content-length: %d\r\ntransfer-encoding: chunked\r\n\r\n" % len(body)
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(POST + both + body)
        received = b""
        while part := connection.recv(65_536):
            received += part
    assert received.count(b"HTTP/1.1 ") == 1
    assert b"stadium-1" not in received


@pytest.mark.parametrize("rest", [b"1\r\n \r\n" * 3000, b"2\r\n{}\r\n0\r\nx: a\r\n\r\n", b"zz\r\n"])
def test_a_body_of_thousands_of_chunks_or_with_trailers_is_cut_off(
    server: ServerUnderAttack, rest: bytes
) -> None:
    received = b""
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection,
        contextlib.suppress(ConnectionError),
    ):
        connection.sendall(POST + b"transfer-encoding: chunked\r\n\r\n" + rest)
        while part := connection.recv(65_536):
            received += part
    assert b"HTTP/1.1 200" not in received
    assert server.healthy()
