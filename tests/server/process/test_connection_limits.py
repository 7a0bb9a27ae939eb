"""Connection limits: idle and slow connections are closed, all others are served."""

import asyncio
import contextlib
import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from http.client import BadStatusLine, HTTPResponse
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.server.limits.connection_counts import ConnectionCounts
from openfelt.server.limits.rates import Rate
from openfelt.server.limits.refused_sites import (
    AT_ONCE_BEYOND,
    FLOOD_REFUSALS,
    LATE_MS,
    REFUSALS,
)
from openfelt.server.process import connection_limits, listener
from openfelt.server.process.connection_limits import connections_max, files_max, raise_files_max
from openfelt.server.process.frame_limits import FRAMES
from openfelt.server.process.listener import UNREAD_MS, bind
from openfelt.server.settings import Limits
from tests.kit.fuzz.frames import PING, frame
from tests.kit.server.open_house import settings_in
from tests.kit.server.real_server import free_port, served, server_process

PATIENCE_SECONDS = 60
SHORT_MS = 300
LONG_MS = 3_600_000
ASKS = b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
GREETING = (
    b"GET /ws/tables/draw-1 HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: http://127.0.0.1\r\n"
    b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@contextlib.contextmanager
def connected(address: str, count: int = 1) -> Iterator[list[socket.socket]]:
    """So many connections to a server on which nothing has been said yet."""
    url = httpx.URL(address)
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(
                socket.create_connection((url.host, url.port), timeout=PATIENCE_SECONDS)
            )
            for _ in range(count)
        ]


def closed_by_the_server(connection: socket.socket) -> bool:
    """Whether the other side closes a connection; it is waited for."""
    try:
        while connection.recv(65_536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def asked(address: str) -> dict[str, Any]:
    """How a server is, by its own word."""
    answer: dict[str, Any] = httpx.get(f"{address}/healthz", timeout=PATIENCE_SECONDS).json()
    return answer


def is_counted(address: str, request: str) -> bool:
    """Whether a request is over, and therefore counted."""
    with contextlib.suppress(httpx.HTTPError):
        text = httpx.get(f"{address}/metrics", timeout=PATIENCE_SECONDS).text
        return f"openfelt_requests_total{{{request}" in text
    return False


def still_open(connection: socket.socket) -> bool:
    """Whether the other side has not closed a connection by now."""
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


def wait_until(comes_true: Callable[[], bool]) -> None:
    """Wait for something that happens elsewhere."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not comes_true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def answered(connection: socket.socket) -> int:
    """The status of an answer to a question."""
    connection.sendall(ASKS)
    answer = HTTPResponse(connection)
    answer.begin()
    answer.read()
    return answer.status


# Time --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /heal",
        b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ",
        ASKS + b"GET /heal",
    ],
)
def test_a_client_that_does_not_finish_its_request_is_closed(tmp_path: Path, sent: bytes) -> None:
    settings = settings_in(tmp_path, port=0, limits=Limits(request_ms=SHORT_MS))
    with served(settings) as address, connected(address) as (slow,):
        slow.sendall(sent)
        assert closed_by_the_server(slow)


def test_a_client_that_sends_its_body_too_slowly_is_closed(tmp_path: Path) -> None:
    limits = Limits(exchange_ms=SHORT_MS, request_ms=LONG_MS)
    settings = settings_in(tmp_path, port=0, limits=limits)
    with served(settings) as address, connected(address) as (slow,):
        slow.sendall(
            b"POST /api/v1/verify HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\n{"
        )
        assert closed_by_the_server(slow)


def test_a_client_that_does_not_read_its_response_is_closed(tmp_path: Path) -> None:
    length = 100_000_000
    (tmp_path / "site").mkdir()
    with (tmp_path / "site" / "large.bin").open("wb") as large:
        large.truncate(length)
    settings = settings_in(tmp_path, port=0, limits=Limits(exchange_ms=2000, request_ms=LONG_MS))
    with served(settings) as address, connected(address) as (slow,):
        slow.sendall(b"GET /large.bin HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        received = sum(len(slow.recv(65_536)) for _ in range(3))
        wait_until(lambda: is_counted(address, 'method="GET",page="/{path:path}"'))
        with contextlib.suppress(ConnectionError):
            while part := slow.recv(1_000_000):
                received += len(part)
        assert received < length


def test_a_connection_in_use_stays_open(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, port=0)
    with served(settings) as address, connected(address) as (connection,):
        assert [answered(connection) for _ in range(5)] == [200] * 5


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux has it")
def test_a_connection_that_is_closed_with_unread_data_ends_too() -> None:
    with bind("127.0.0.1", 0) as bound:
        bound.listen()
        with connected(f"http://127.0.0.1:{bound.getsockname()[1]}"):
            accepted, _ = bound.accept()
            with accepted:
                kept = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert kept == UNREAD_MS


# Numbers -----------------------------------------------------------------------------------------


def test_an_address_with_too_many_loses_the_ones_that_have_been_idle_for_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.process.listener.is_loopback", lambda _: False)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    settings = settings_in(tmp_path, port=0, limits=Limits(connections_per_address=3))
    with served(settings) as address, connected(address, 3) as (first, second, third):
        # The first one has asked last, so the second one has been idle for longest.
        assert answered(first) == 200
        with connected(address) as (fourth,):
            assert answered(fourth) == 200
            assert closed_by_the_server(second)
            assert answered(first) == answered(third) == answered(fourth) == 200


class _Told:
    """What a gateway knows of another one."""

    gateways, parts = 2, 1

    def spent(self, limit: str, key: str, *, times: int, count: int) -> None:
        raise AssertionError


def test_idle_connections_are_closed_when_an_address_has_too_many_at_all_gateways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.process.listener.is_loopback", lambda _: False)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    made: list[tuple[ConnectionCounts, asyncio.AbstractEventLoop]] = []

    def counted(per_network: int) -> ConnectionCounts:
        made.append((ConnectionCounts(per_network), asyncio.get_running_loop()))
        return made[-1][0]

    monkeypatch.setattr("openfelt.server.assembly.ConnectionCounts", counted)
    settings = settings_in(tmp_path, port=0, limits=Limits(connections_per_address=4))
    with served(settings) as address, connected(address, 4) as (first, second, third, fourth):
        ((counts, loop),) = made
        counts.share(_Told(), lambda _: None)
        assert answered(first) == 200
        wait_until(lambda: counts.here.get("127.0.0.1/32") == 4)
        # The other gateway has three of the same address: two are closed here, the part of each.
        loop.call_soon_threadsafe(counts.elsewhere, {}, {"127.0.0.1/32": 3})
        assert closed_by_the_server(second)
        assert closed_by_the_server(third)
        assert answered(first) == answered(fourth) == 200
        wait_until(lambda: counts.here.get("127.0.0.1/32") == 2)
        # A newcomer takes the place of what has been idle for longest here.
        with connected(address) as (newcomer,):
            assert answered(newcomer) == 200
            assert closed_by_the_server(first)


def test_a_client_that_goes_on_although_it_is_refused_is_not_answered_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.process.listener.is_loopback", lambda _: False)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    limits = Limits(requests=Rate(per_minute=1, burst=2), spare_loopback=False)
    with served(settings_in(tmp_path, port=0, limits=limits)) as address:
        with connected(address, REFUSALS.burst + 100) as clients:
            for client in clients:
                client.sendall(ASKS * 10)
            answers = b"".join(map(everything_from, clients))
            # What has been read before the client is shut out is still answered.
            assert answers.count(b"HTTP/1.1 429") <= REFUSALS.burst + len(clients)
        with connected(address) as (again,):
            again.sendall(ASKS)
            assert closed_by_the_server(again)
        wait_until(lambda: is_refused(address))


def test_a_client_that_floods_socket_after_socket_is_not_answered_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    limits = Limits(spare_loopback=False)
    with (
        served(settings_in(tmp_path, port=0, limits=limits)) as address,
        connected(address, 2) as (terminal, flooding),
    ):
        for client in (terminal, flooding):
            client.sendall(GREETING)
            assert client.recv(1024).startswith(b"HTTP/1.1 101")
        floods = REFUSALS.burst // FLOOD_REFUSALS + 1
        monkeypatch.setattr(listener, "FLOOD_REFUSALS", FLOOD_REFUSALS * floods)
        flooding.sendall(frame(PING) * (FRAMES.burst + 1))
        everything_from(flooding)
        with connected(address) as (again,):
            again.sendall(ASKS)
            assert closed_by_the_server(again)
        assert still_open(terminal), "sockets that are open stay open"


def everything_from(connection: socket.socket) -> bytes:
    """All that the server sends until it closes a connection."""
    answers = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65_536):
            answers += part
    return answers


def test_a_client_that_is_refused_again_and_again_is_answered_late(tmp_path: Path) -> None:
    limits = Limits(requests=Rate(per_minute=1, burst=1), spare_loopback=False)
    with (
        served(settings_in(tmp_path, port=0, limits=limits)) as address,
        connected(address) as (client,),
    ):
        assert answered(client) == 200
        took_ms = 0.0
        for _ in range(2 * AT_ONCE_BEYOND.burst):
            began = time.monotonic()
            assert answered(client) == 429
            took_ms = (time.monotonic() - began) * 1000
            if took_ms >= LATE_MS:
                break
        assert took_ms >= LATE_MS


def is_refused(address: str) -> bool:
    with connected(address) as (client,), contextlib.suppress(ConnectionError, BadStatusLine):
        return answered(client) == 429
    return False


def test_this_machine_and_trusted_proxies_have_no_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_in(tmp_path, port=0, limits=Limits(connections_per_address=3))
    with served(settings) as address, connected(address, 10) as here:
        assert [answered(connection) for connection in here] == [200] * 10
    monkeypatch.setattr("openfelt.server.process.listener.is_loopback", lambda _: False)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.0/8")
    with served(settings) as address, connected(address, 10) as proxy:
        assert [answered(connection) for connection in proxy] == [200] * 10


def test_sockets_do_not_make_room_for_idle_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("openfelt.server.process.listener.connections_max", lambda _: 4)
    monkeypatch.setattr("openfelt.server.socket.connection.HELLO_SECONDS", 600)
    with served(settings_in(tmp_path, port=0)) as address:
        with connected(address, 2) as terminals:
            for terminal in terminals:
                terminal.sendall(GREETING)
                assert terminal.recv(1024).startswith(b"HTTP/1.1 101")
            with connected(address, 20) as idle, connected(address) as (late,):
                assert answered(late) == 200
                assert all(closed_by_the_server(connection) for connection in idle[:10])
            assert all(still_open(terminal) for terminal in terminals)
        logged = [record for record in caplog.records if record.name == connection_limits.__name__]
        assert (
            len([record for record in logged if "too many connections" in record.getMessage()]) == 1
        )


def test_files_are_reserved_for_the_database_and_the_website() -> None:
    assert connections_max(1024) == 896
    assert connections_max(16) == 1


# Files -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_more_idle_connections_than_files_lock_no_client_out(tmp_path: Path) -> None:
    raise_files_max()
    if files_max() < 1500:
        pytest.skip("this process may not have that many files open")
    with (
        server_process(tmp_path, free_port(), "--log", "json", files=1024) as server,
        connected(server.address, 1100),
    ):
        for _ in range(3):
            assert asked(server.address)["status"] == "ok"
        assert server.end() == 0
    logged = (tmp_path / "server.log").read_text()
    assert "too many connections: idle ones are closed" in logged
    assert "the limit of open files is 1024" in logged
    assert "Traceback" not in logged


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_server_takes_as_many_files_as_it_may_have(tmp_path: Path) -> None:
    with server_process(tmp_path, free_port(), "--log", "json", soft_files=256) as server:
        server.end()
    lines = (tmp_path / "server.log").read_text().splitlines()
    logged = [json.loads(line) for line in lines if line.startswith("{")]
    (opened,) = [line for line in logged if line["message"] == "the server is open"]
    raise_files_max()
    assert opened["connections_max"] == connections_max(files_max())
