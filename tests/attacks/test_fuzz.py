"""Random frames and random HTTP bytes: valid ones with random contents, mutated ones, fragments,
control frames, requests inside requests, and noise.

A few hundred of them with a fixed seed; ``make bench ARGS=fuzz`` sends 100,000. What the fuzzer has
found once stands below as a test of its own.
"""

import asyncio
import contextlib
import socket

import pytest

from openfelt.protocol.api_prefix import API
from tests.kit.attacks.raw_http import read_answer
from tests.kit.attacks.server_under_attack import ServerUnderAttack, receive
from tests.kit.fuzz.frames import BINARY, CLOSE, TEXT, frame
from tests.kit.fuzz.wire_fuzzer import WireFuzzer

SEED = 20261116
INPUTS = 1200


def test_whatever_comes_over_the_wire_the_server_goes_on(server: ServerUnderAttack) -> None:
    fuzzer = WireFuzzer(server, seed=SEED, inputs=INPUTS)
    report = asyncio.run(fuzzer.run())
    assert report.faults == [], "\n".join(report.lines())
    assert report.sent.total() == INPUTS
    # The fuzzer was not turned away at the door. Only valid requests are waited for, so on a busy
    # machine the others may be answered too late to be counted.
    assert report.valid["200"] > 10
    assert report.valid["429"] + report.valid["503"] < report.valid["200"]
    assert report.outcomes["socket: problem malformed"] > 0
    assert report.outcomes["socket: closed with 1002"] > 0


# What the fuzzer has found ---------------------------------------------------------------------

HOST = "Host: 127.0.0.1\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (f"GET /healthz HTTP/1.1\r\n{HOST}{CHUNKED}\r\n", "zz\r\n"),
        (f"GET /healthz HTTP/1.1\r\n{HOST}{CHUNKED}\r\nzz\r\n", ""),
        (f"POST /x HTTP/1.1\r\n{HOST}Content-Length: {10**19}\r\n{CHUNKED}\r\nzz\r\n", ""),
        (f"POST {API}/verify HTTP/1.1\r\n{HOST}Origin: http://x\r\n{CHUNKED}\r\n", "zz\r\n"),
        (f"POST {API}/verify HTTP/1.1\r\n{HOST}{CHUNKED}\r\n5\r\n", "zzzzzzzz\r\n"),
        (f"GET / HTTP/1.1\r\n{HOST}\r\n\x00\x00\r\n\r\n", ""),
    ],
)
def test_a_body_that_turns_out_invalid_after_the_answer_is_no_fault_of_the_server(
    server: ServerUnderAttack, first: str, later: str
) -> None:
    answered_at_once = not first.endswith("5\r\n")
    with socket.create_connection(("127.0.0.1", server.port), 20) as line:
        line.sendall(first.encode())
        if later and answered_at_once:
            assert read_answer(line).status in (200, 403)
        line.sendall(later.encode())
        if not (later and answered_at_once):
            # Without an answer, the line was cut off.
            assert read_answer(line).status in (0, 200, 400)
        with contextlib.suppress(ConnectionError):
            while line.recv(65_536):
                pass
    assert server.faults_logged() == []


async def test_bytes_that_are_no_text_are_a_problem_of_the_sender(
    server: ServerUnderAttack,
) -> None:
    async with server.socket(server.browser(), "stadium-1") as connection:
        await receive(connection, "welcome")
        await connection.send(b'{"type":"ping","x":"\xff"}')
        async with asyncio.timeout(20):
            assert (await receive(connection, "problem"))["code"] == "malformed"
        await connection.send(b'{"type":"command","id":"7","command":"\xff"}')
        async with asyncio.timeout(20):
            assert (await receive(connection, "answer"))["refused"] == "malformed"
    assert server.faults_logged() == []


@pytest.mark.parametrize("end", [b"", frame(CLOSE), frame(CLOSE, b"\x03\xe8"), frame(BINARY)])
async def test_text_that_is_no_text_closes_its_socket(
    server: ServerUnderAttack, end: bytes
) -> None:
    async with server.socket(server.browser(), "stadium-1") as connection:
        await receive(connection, "welcome")
        connection.transport.write(frame(TEXT, b'"\xff"') + end)
        await asyncio.wait_for(connection.wait_closed(), 20)
        assert connection.close_code in (1007, 1000, 1005)
    assert server.faults_logged() == []
