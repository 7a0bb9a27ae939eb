"""One source floods the sign-in with attempts, some of which it abandons, sends bodies that it
never finishes, and has megabytes of proofs checked, so that others wait."""

import contextlib
import itertools
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Literal

import httpx
from argon2 import PasswordHasher

from openfelt.protocol.api_prefix import API
from openfelt.server.credentials.passwords import WAITING_PER_CALLER, Passwords
from openfelt.server.limits.rates import Rate
from openfelt.server.settings import PROOF_BYTES_MAX
from tests.kit.attacks.visitors import NAME, OFTEN, Visitor, behind_a_proxy
from tests.kit.server.open_house import PASSWORD

FLOOD: Final = 2 * WAITING_PER_CALLER
HASH_SECONDS: Final = 0.05
PART: Final = 600_000


class PatientHasher(PasswordHasher):
    """Takes its time for a hash, as in earnest, and leaves the processor to the other tests."""

    def verify(self, stored: str | bytes, password: str | bytes) -> Literal[True]:
        time.sleep(HASH_SECONDS)
        return super().verify(stored, password)


def patient_passwords() -> Passwords:
    """Passwords whose queue fills up under a flood."""
    return Passwords(PatientHasher(time_cost=1, memory_cost=8, parallelism=1))


def request(path: str, address: str, *, length: int, body: bytes) -> bytes:
    """The bytes of a request, whose body may be unfinished."""
    head = (
        f"POST {API}{path} HTTP/1.1\r\nhost: {NAME}\r\nx-forwarded-for: {address}\r\n"
        f"content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    )
    return head.encode() + body


@contextlib.contextmanager
def sent(server: str, *requests: bytes) -> Iterator[list[socket.socket]]:
    """Connections on which these bytes have been sent, and which stay open."""
    url = httpx.URL(server)
    with contextlib.ExitStack() as stack:
        connections = []
        for data in requests:
            connection = socket.create_connection((url.host, url.port), timeout=60)
            connections.append(stack.enter_context(connection))
            connection.sendall(data)
        yield connections


def test_a_flood_from_one_site_stops_no_sign_in_from_elsewhere(tmp_path: Path) -> None:
    full, over = threading.Event(), threading.Event()

    def guess(network: int) -> None:
        # Other names and networks each time, so that no other limit stops the flood.
        for number in itertools.count():
            if over.is_set():
                return
            visitor = Visitor(server, f"2001:db8:1:{network:x}::1")
            try:
                answer = visitor.sign_in("x" * 9, name=f"p{network}-{number}")
            except httpx.TimeoutException:
                # Those of the flood may wait for as long as it takes.
                continue
            assert answer in {(401, "wrong_password"), (503, "busy")}
            if answer == (503, "busy"):
                full.set()
                # Others wait in the queue. Asking again at once would only load the machine.
                over.wait(0.2)

    with (
        contextlib.closing(patient_passwords()) as passwords,
        behind_a_proxy(tmp_path, passwords=passwords) as server,
        ThreadPoolExecutor(FLOOD) as flood,
    ):
        try:
            guesses = [flood.submit(guess, number) for number in range(FLOOD)]
            assert full.wait(60)
            # The flood's queue is full, and the owner is served in turn with it all the same.
            for number in range(3):
                assert Visitor(server, f"203.0.113.{number}").sign_in(PASSWORD) == (200, "in")
        finally:
            over.set()
        for task in guesses:
            task.result()


def test_abandoned_attempts_are_not_hashed(tmp_path: Path) -> None:
    with (
        contextlib.closing(Passwords()) as passwords,
        behind_a_proxy(tmp_path, passwords=passwords) as server,
    ):
        body = json.dumps({"name": "ann", "password": "not the password"}).encode()
        flood = [
            request("/sign-in", f"198.51.{number}.7", length=len(body), body=body)
            for number in range(30)
        ]
        for _ in range(2):
            with sent(server, *flood):
                """Every connection is closed again at once."""
        owner = Visitor(server, "203.0.113.9")
        assert owner.sign_in(PASSWORD) == (200, "in")
        text = httpx.get(
            f"{server}/metrics",
            headers={
                "host": NAME,
                "cookie": f"openfelt_session={owner.cookies['openfelt_session']}",
            },
        ).text
    counted = [line for line in text.splitlines() if 'outcome="wrong_password"' in line]
    assert sum(float(line.rpartition(" ")[2]) for line in counted) < 30


def test_rate_limits_see_a_site_and_not_only_its_networks(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path, sign_ins=Rate(per_minute=1, burst=2)) as server:
        answers = Counter(
            Visitor(server, f"2001:db8:1:{number << 8:x}::1").post("/guest").status_code
            for number in range(40)
        )
        assert answers == {200: 8, 429: 32}
        assert Visitor(server, "2001:db8:2::1").post("/guest").status_code == 200


def test_a_proof_of_megabytes_is_refused_before_it_is_sent(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path) as server:
        declared = request("/verify", "198.51.100.7", length=8_000_000, body=b"")
        with sent(server, declared) as (connection,):
            assert connection.recv(65_536).startswith(b"HTTP/1.1 413")
        answer = Visitor(server, "198.51.100.7").post("/verify", "x" * PROOF_BYTES_MAX)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_long")


def test_unfinished_proofs_of_one_site_leave_room_for_others(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path, proofs=OFTEN, body_bytes=5 * PART) as server:
        slow = [
            request("/verify", f"198.51.{number}.7", length=PART + 9, body=b" " * PART)
            for number in range(12)
        ]
        same = [
            request("/verify", "192.0.2.7", length=PART + 9, body=b" " * PART) for _ in range(5)
        ]
        with sent(server, *slow, *same) as connections:
            other = Visitor(server, "203.0.113.9")
            assert other.post("/verify", {}).json()["ok"] is False
            assert other.sign_in(PASSWORD) == (200, "in")
            refused = 0
            for connection in connections:
                connection.settimeout(0.2)
                with contextlib.suppress(TimeoutError, ConnectionError):
                    refused += connection.recv(65_536).startswith(b"HTTP/1.1 503")
            # No more than five of them are held at a time.
            assert refused >= len(connections) - 5


def test_proofs_to_check_have_a_rate_of_their_own(tmp_path: Path) -> None:
    with behind_a_proxy(tmp_path) as server:
        stranger = Visitor(server, "198.51.100.7")
        seen = Counter(stranger.post("/verify", {}).status_code for _ in range(15))
        assert seen == {200: 10, 429: 5}
        assert Visitor(server, "203.0.113.9").post("/verify", {}).status_code == 200
