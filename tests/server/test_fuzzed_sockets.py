"""A fuzzer over the socket of a real server in a process of its own.

Many people at many tables send at the same time: what the table offers them, commands that are not
theirs to give, ids that were used before, invalid messages. Afterwards the server is alive and has
logged no complaint, every participant has had an answer to everything, no viewer has been sent a
hidden card, every cent is where it belongs, and others can play.

``OPENFELT_FUZZ_SEED`` chooses a different seed from the usual one, and ``OPENFELT_FUZZ_STEPS`` how
often each person sends something.
"""

import asyncio
import contextlib
import json
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from openfelt.client import Casino, Refused, Terminal
from openfelt.protocol.messages import MESSAGE_BYTES_MAX, PROTOCOL, Check, Fold, ReopenTable
from tests.kit.cli.program import forked_openfelt
from tests.kit.fuzz.findings import Findings, Participant
from tests.kit.fuzz.messages import CARDS, KINDS
from tests.kit.fuzz.money import check_money
from tests.kit.fuzz.people import FuzzedTerminal
from tests.kit.server.open_house import PASSWORD, SUPERVISOR
from tests.kit.server.real_server import ServerProcess, free_port, server_process
from tests.kit.server.seen_cards import Frame, Seen, copy_of, leaks, may_see, records

SEED: Final = int(os.environ.get("OPENFELT_FUZZ_SEED", "20260131"))
STEPS: Final = int(os.environ.get("OPENFELT_FUZZ_STEPS", "90"))
PAUSE_SECONDS: Final = 0.2
"""The longest pause between two messages of a participant, so that rounds go by meanwhile."""
PLAY_MONEY_CENTS: Final = 100_000
GUESTS: Final = 6
SHORT: Final = {"wager_seconds": 1, "decision_seconds": 1}
TABLES: Final[dict[str, dict[str, Any]]] = {
    "fuzz-stadium": {"house": "stadium", "dealer_mode": "virtual", "clock": SHORT},
    "fuzz-washington": {
        "house": "washington",
        "dealer_mode": "virtual",
        "clock": SHORT,
        "link": "house-link",
    },
    "fuzz-california": {"house": "california", "dealer_mode": "virtual", "clock": SHORT},
    "fuzz-draw": {"house": "draw", "dealer_mode": "virtual", "clock": SHORT},
    "fuzz-live": {"house": "washington", "dealer_mode": "live"},
}


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """A server and where it keeps everything."""

    process: ServerProcess
    folder: Path

    @property
    def address(self) -> str:
        """Where it listens."""
        return self.process.address

    def faults_logged(self) -> list[str]:
        """Whatever the server complained of itself."""
        lines = (self.folder / "server.log").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if "Traceback" in line or '"level": "error"' in line]


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    """A server on an empty file, which ends as it should whatever it was sent."""
    folder = tmp_path_factory.mktemp("fuzzed")
    with server_process(folder, free_port(), "--log", "json") as process:
        found = Fuzzed(process, folder)
        yield found
        assert process.end() == 0
    assert found.faults_logged() == []


# Greetings -------------------------------------------------------------------------------


GREETINGS: Final = [
    # what is sent first, what comes back, and by which code the socket is closed then
    ({"type": "hello", "protocol": PROTOCOL}, "welcome", None),
    ({"type": "hello", "protocol": PROTOCOL, "seen": None}, "welcome", None),
    ({"type": "hello", "protocol": PROTOCOL, "seen": 0}, "welcome", None),
    ({"type": "hello", "protocol": PROTOCOL, "seen": -1}, "welcome", None),
    ({"type": "hello", "protocol": PROTOCOL, "seen": 10**30}, "welcome", None),
    (json.dumps({"type": "hello", "protocol": PROTOCOL}).encode(), "welcome", None),
    ({"type": "hello", "protocol": PROTOCOL + 1}, "other_protocol", 4002),
    ({"type": "hello", "protocol": 0}, "other_protocol", 4002),
    ({"type": "hello", "protocol": -(10**30)}, "other_protocol", 4002),
    ({"type": "hello"}, "no_hello", 1008),
    ({"type": "hello", "protocol": str(PROTOCOL)}, "no_hello", 1008),
    ({"type": "hello", "protocol": PROTOCOL + 0.5}, "no_hello", 1008),
    ({"type": "hello", "protocol": True}, "no_hello", 1008),
    ({"type": "hello", "protocol": PROTOCOL, "seen": "1"}, "no_hello", 1008),
    ({"type": "hello", "protocol": PROTOCOL, "seen": 0.5}, "no_hello", 1008),
    ({"type": "hello", "protocol": PROTOCOL, "seen": [1]}, "no_hello", 1008),
    ({"type": "hello", "protocol": PROTOCOL, "name": "ann"}, "no_hello", 1008),
    ({"type": "HELLO", "protocol": PROTOCOL}, "no_hello", 1008),
    ({"type": ["hello"], "protocol": PROTOCOL}, "no_hello", 1008),
    ([{"type": "hello", "protocol": PROTOCOL}], "no_hello", 1008),
    ({"type": "ping"}, "no_hello", 1008),
    ({"type": "welcome", "version": 1}, "no_hello", 1008),
    ({"type": "command", "id": "1", "command": {"kind": "take_seat"}}, "no_hello", 1008),
    ({"type": "command", "id": "1", "command": {"kind": "nothing"}}, "no_hello", 1008),
    (None, "no_hello", 1008),
    (b"", "no_hello", 1008),
    (b"\xff\xfe\x00", "no_hello", 1008),
    (b"{", "no_hello", 1008),
    (b"[" * (MESSAGE_BYTES_MAX - 1), "no_hello", 1008),
    (b'{"type":"hello","protocol":' + b"[" * 8000 + b"]" * 8000 + b"}", "no_hello", 1008),
    (b'{"type":"hello","protocol":1}' + b" " * MESSAGE_BYTES_MAX, "too_long", 1009),
]


def test_a_socket_begins_with_hello_and_says_what_else_it_was(fuzzed: Fuzzed) -> None:
    async def run() -> None:
        for first, code, closed in GREETINGS:
            assert (first, await greeted(fuzzed.address, first)) == (first, (code, closed))

    asyncio.run(asyncio.wait_for(run(), 60))
    assert fuzzed.faults_logged() == []


async def greeted(address: str, first: object) -> tuple[str, int | None]:
    """What the first message of a socket gets: a welcome or a problem, and how it is closed."""
    url = f"ws{address.removeprefix('http')}/ws/tables/stadium-1"
    async with connect(url, origin=Origin(address)) as socket:
        await socket.send(first if isinstance(first, bytes) else json.dumps(first))
        answer = json.loads(await socket.recv())
        if answer["type"] == "welcome":
            await socket.send('{"type":"ping"}')
            assert json.loads(await socket.recv()) == {"type": "pong"}
            return "welcome", None
        with contextlib.suppress(ConnectionClosed):
            await socket.recv()
        return answer["code"], socket.close_code


def test_a_line_that_closes_itself_is_no_fault_of_the_server(fuzzed: Fuzzed) -> None:
    """A message beyond what the line takes closes it while answers are still on their way."""

    async def run() -> None:
        url = f"ws{fuzzed.address.removeprefix('http')}/ws/tables/stadium-1"
        for _ in range(20):
            async with connect(url, origin=Origin(fuzzed.address)) as socket:
                await socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
                await socket.recv()
                with contextlib.suppress(ConnectionClosed):
                    await asyncio.gather(
                        *(socket.send('{"type":"ping"}') for _ in range(30)),
                        socket.send("x" * 8 * MESSAGE_BYTES_MAX),
                    )
                    while True:
                        await socket.recv()
                assert socket.close_code == 1009

    asyncio.run(asyncio.wait_for(run(), 60))
    assert fuzzed.faults_logged() == []


# Everything else -------------------------------------------------------------------------


def test_whatever_is_sent_the_house_stands(fuzzed: Fuzzed, tmp_path: Path) -> None:
    print(f"OPENFELT_FUZZ_SEED={SEED}")  # noqa: T201 (pytest shows it where something fails)
    findings = Findings()
    guests = asyncio.run(asyncio.wait_for(fuzz(fuzzed.address, findings), 300))
    assert findings.faults == []
    check_not_blind(findings)
    assert httpx.get(f"{fuzzed.address}/healthz").status_code == 200
    assert fuzzed.faults_logged() == []
    asyncio.run(asyncio.wait_for(others_can_play(fuzzed.address), 60))
    with closing(copy_of(fuzzed.folder / "felt.db", tmp_path / "copy.db")) as store:
        tables = records(store)
        check_cards(findings, tables)
        came_in = sum(len(list(store.events(name))) for name in store.streams("wallet/"))
        assert came_in == guests + 1
        check_money(store, came_in_cents=came_in * PLAY_MONEY_CENTS)
    audit = forked_openfelt("audit", str(tmp_path / "copy.db"))
    assert audit.returncode == 0, audit.stdout + audit.stderr


async def fuzz(address: str, findings: Findings) -> int:
    """Let all participants send for a while; returns how many have come in by the door."""
    rng = Random(SEED)
    async with contextlib.AsyncExitStack() as stack:
        people, private = await come_in(address, stack)
        terminals = [
            FuzzedTerminal(address, table, who, Random(rng.random()), findings)
            for number, who in enumerate(people)
            for table in tables_of(number, who, private)
        ]
        for terminal in terminals:
            await terminal.come()
        async with asyncio.TaskGroup() as group:
            for terminal in terminals:
                group.create_task(send(terminal, Random(rng.random()), findings))
        for terminal in terminals:
            await terminal.settle()
            await terminal.leave()
    return sum(who.role == "player" for who in people)


async def send(terminal: FuzzedTerminal, rng: Random, findings: Findings) -> None:
    """One person sends one thing after the other, until something is wrong."""
    for _ in range(STEPS):
        if findings.faults:
            return
        await terminal.act()
        await asyncio.sleep(rng.random() * PAUSE_SECONDS)


def tables_of(number: int, who: Participant, private: dict[str, str]) -> list[str]:
    """The tables of a participant: all for staff and visitors; three and their own for a guest."""
    names = list(TABLES)
    if who.role != "player":
        return names
    own = [table for owner, table in private.items() if owner == who.name]
    return [names[(number + step) % len(names)] for step in range(3)] + own


async def come_in(
    address: str, stack: contextlib.AsyncExitStack
) -> tuple[list[Participant], dict[str, str]]:
    """Guests, a supervisor, a dealer and a visitor; and who has which private table."""

    async def browser() -> httpx.AsyncClient:
        headers = {"Origin": address}
        return await stack.enter_async_context(httpx.AsyncClient(base_url=address, headers=headers))

    used_ids: list[tuple[str, str]] = []
    supervisor = await browser()
    await ask(supervisor, "/api/v1/sign-in", SUPERVISOR)
    for table, asked in TABLES.items():
        await ask(supervisor, "/api/v1/tables", {"table": table} | asked)
    staff = {"name": "dora", "password": PASSWORD}
    await ask(supervisor, "/api/v1/accounts", staff | {"role": "dealer", "temporary": False})
    dealer = await browser()
    await ask(dealer, "/api/v1/sign-in", staff)
    people = [
        Participant("supervisor", "supervisor", cookies(supervisor), used_ids),
        Participant("dora", "dealer", cookies(dealer), used_ids),
        Participant("visitor", "visitor", "", used_ids),
    ]
    private: dict[str, str] = {}
    for number in range(GUESTS):
        guest = await browser()
        name = (await ask(guest, "/api/v1/guest", {}))["name"]
        people.append(Participant(name, "player", cookies(guest), used_ids))
        if number % 2:
            made = await ask(guest, "/api/v1/tables/private", {"house": "online"})
            private[name] = made["table"]
    return people, private


async def ask(client: httpx.AsyncClient, page: str, body: dict[str, Any]) -> Any:
    answer = await client.post(page, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def cookies(client: httpx.AsyncClient) -> str:
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)


async def others_can_play(address: str) -> None:
    """A player who comes now plays a whole round, at a table with others and alone."""
    async with Casino(address) as floor, Casino(address) as casino:
        await floor.sign_in(SUPERVISOR["name"], SUPERVISOR["password"])
        async with floor.table("fuzz-stadium") as desk:
            if "reopen_table" in desk.private.may:
                await desk.ask(ReopenTable())
        await casino.guest()
        for table in ("fuzz-stadium", await casino.private_table()):
            async with casino.table(table) as terminal:
                await terminal.sit(buy_in_cents=20_000)
                await terminal.until(lambda now: "set_wagers" in now.private.may)
                await terminal.bet(ante=1000)
                if terminal.public.private:
                    await terminal.deal()
                await play_out(terminal)
                assert terminal.private.win_cents == max(terminal.private.net_cents, 0)


async def play_out(terminal: Terminal) -> None:
    """Decide whenever it is due, as cheaply as possible, until the round is over."""
    while True:
        await terminal.until(lambda now: is_over(now) or "decide" in now.private.may)
        if is_over(terminal):
            return
        choices = terminal.private.hands[f"{terminal.private.seat}.1"].choices
        free = any(choice.kind == "check" for choice in choices)
        with contextlib.suppress(Refused):
            # The clock may be quicker, and then there is nothing left to decide.
            await terminal.decide(Check() if free else Fold())


def is_over(terminal: Terminal) -> bool:
    state = terminal.public.round
    return state is not None and state.phase == "settled"


# Checks ----------------------------------------------------------------------------------

ODDITIES: Final = {
    *(
        "broken command",
        "garbage",
        "hello again",
        "nested",
        "too long",
        "too many problems",
        "bulk",
    ),
    *("same id, same command", "same id, other command", "another participant's id"),
}
CODES: Final = {
    *("accepted", "malformed", "bad_id", "id_reused", "signed_out"),
    *("not_allowed", "not_your_seat", "no_such_seat", "seat_free"),
}
PLAYED: Final = {"take_seat", "buy_in", "set_wagers", "decide", "close_bets", "open_bets"}


def check_not_blind(findings: Findings) -> None:
    """The fuzzer has sent everything there is, and people have really played meanwhile."""
    assert findings.sent.keys() >= KINDS.keys() | ODDITIES
    assert findings.answers.keys() >= CODES
    assert findings.accepted.keys() >= PLAYED
    assert len(findings.accepted) > 10
    assert findings.answers.total() > 1000


def check_cards(findings: Findings, tables: dict[str, Seen]) -> None:
    """No viewer was sent a hidden card; and the check would have found it."""
    assert list(leaks(findings.frames, tables)) == []
    for table, asked in TABLES.items():
        dealt = tables[table]
        assert any(moment.hidden for moment in dealt.moments.values()), f"no card at {table}"
        # A dealer who sends anything at all may need longer for a round than the test takes.
        assert dealt.rounds or asked["dealer_mode"] == "live", f"no round ended at {table}"
    looked = [frame for frame in findings.frames if hidden_at(frame, tables)]
    assert len(looked) > 100
    frame = looked[SEED % len(looked)]
    moment = tables[frame.table].moments[frame.message["version"]]
    hidden = [card for card in CARDS if card not in may_see(frame, moment)]
    spoilt = [replace(frame, text=f'{frame.text[:-1]},"x":"{card}"}}', sent="") for card in hidden]
    assert len(list(leaks(spoilt, tables))) == len(hidden) > 0


def hidden_at(frame: Frame, tables: dict[str, Seen]) -> bool:
    """Whether a card was hidden from a viewer when this was sent."""
    version = frame.message.get("version")
    return version is not None and tables[frame.table].moments[version].hidden > 0
