"""Gateways and table processes on one PostgreSQL database and one NATS, each with its own port."""

import asyncio
import contextlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from openfelt.client import Casino, Terminal
from openfelt.client.terminal import TerminalClosed
from openfelt.protocol.messages import Bet
from openfelt.runtime import command_spans
from openfelt.runtime.cluster import ownership
from openfelt.server.monitoring.traces import CommandTracer
from openfelt.server.settings import ServerRole
from openfelt.storage.addresses import open_store
from tests.kit.attacks.soft_authenticator import SoftAuthenticator
from tests.kit.cluster.shared_house import SharedHouse, phase_of, play_a_round
from tests.kit.cluster.wires import wire
from tests.kit.nats_server import NatsServer
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.open_house import PASSWORD


@pytest.fixture
def cluster(tmp_path: Path, postgres: PostgresServer, nats: NatsServer) -> SharedHouse:
    return SharedHouse(tmp_path, postgres, nats)


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """The spans of all processes, which are threads of this one."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    command_spans.use(CommandTracer(provider))
    yield exporter
    command_spans.use(None)


def check_spans(spans: Iterable[ReadableSpan]) -> None:
    """Every commit is within the table, the bus and the command that a gateway was given."""
    known = {span.context.span_id: span for span in spans if span.context}
    commits = [span for span in known.values() if span.name == "commit"]
    assert len(commits) >= 6
    for span in commits:
        names = [span.name]
        trace = span.context.trace_id if span.context else None
        while span.parent is not None:
            span = known[span.parent.span_id]
            assert span.context is not None
            assert span.context.trace_id == trace
            names.append(span.name)
        assert names == ["commit", "table", "bus", "command"]
    told = " ".join(str(span.attributes) for span in known.values())
    assert "openfelt.table" in told


async def test_players_of_gateways_play_at_a_table_process(
    cluster: SharedHouse, spans: InMemorySpanExporter
) -> None:
    with (
        cluster.serving("tables", ServerRole.TABLES) as tables,
        cluster.serving("east", ServerRole.GATEWAY) as east,
        cluster.serving("west", ServerRole.GATEWAY) as west,
    ):
        async with Casino(east) as casino:
            me = await casino.guest()
            name = await casino.private_table("online")
            async with casino.table(name) as table:
                await table.sit(buy_in_cents=50_000)
                await play_a_round(table)
                net, credit = table.private.net_cents, table.private.credit_cents
                assert credit == 50_000 + net
            # The other gateway knows the session, the seat and the money.
            async with Casino(west) as other:
                other._http.cookies.update(casino._http.cookies)
                assert (await other.me())["name"] == me["name"]
                async with other.table(name) as again:
                    assert again.private.credit_cents == credit
                    await play_a_round(again)
                    await again.collect()
                # Signing out at one gateway ends the session at the other one.
                async with casino.table(name) as watched:
                    await other.sign_out()
                    await _closed(watched)
        async with httpx.AsyncClient(base_url=tables) as client:
            health = (await client.get("/healthz")).json()
            assert health["tables_running"] >= 1
            assert (await client.get("/api/v1/tables")).status_code == 404
        async with httpx.AsyncClient(base_url=east) as client:
            assert (await client.get("/healthz")).json()["tables_running"] == 0
    check_spans(spans.get_finished_spans())


async def _closed(table: Terminal) -> None:
    async with asyncio.timeout(20):
        while table.connected:  # noqa: ASYNC110 (a terminal has no event for it)
            await asyncio.sleep(0.05)


async def test_a_table_moves_without_its_terminals_noticing(cluster: SharedHouse) -> None:
    with cluster.serving("gateway", ServerRole.GATEWAY) as gateway:
        async with Casino(gateway) as casino:
            with cluster.serving("first", ServerRole.TABLES):
                await casino.guest()
                name = await casino.private_table("online")
                async with contextlib.AsyncExitStack() as stack:
                    table = await stack.enter_async_context(casino.table(name))
                    await table.sit(buy_in_cents=50_000)
                    await table.bet(ante=1000)
                    await table.deal()
                    await table.until(lambda now: "decide" in now.private.may)
                    cards = table.private.hands["1.1"].cards
                    stack.pop_all()
            # A terminal that connects while no process has the table sees it, and is not sent away.
            async with casino.table(name) as late:
                assert late.private.hands["1.1"].cards == cards
                with cluster.serving("second", ServerRole.TABLES):
                    assert table.connected
                    await late.decide(Bet(multiple=4))
                    for terminal in (table, late):
                        await terminal.until(lambda now: phase_of(now) == "settled")
                        assert terminal.private.hands["1.1"].cards == cards
                        assert terminal.connected
            await table.__aexit__(None, None, None)


async def test_tables_leave_a_process_that_alone_has_lost_the_bus(
    cluster: SharedHouse, nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hand goes on with the same cards in a process that gateways reach, and in no other."""
    monkeypatch.setattr(ownership, "CUT_OFF_MS", 1000)
    with wire(lambda: [nats.port]) as cable, closing(open_store(cluster.database)) as store:
        far = f"nats://127.0.0.1:{cable.port}/{cluster.bus.rpartition('/')[2]}"
        with (
            cluster.serving("first", ServerRole.TABLES, far) as first,
            cluster.serving("gateway", ServerRole.GATEWAY) as gateway,
        ):
            async with Casino(gateway) as casino:
                await casino.guest()
                name = await casino.private_table("online")
                async with casino.table(name) as table:
                    await table.sit(buy_in_cents=50_000)
                    await table.bet(ante=1000)
                    await table.deal()
                    await table.until(lambda now: "decide" in now.private.may)
                    cards = table.private.hands["1.1"].cards
                    owners = {lease.stream: lease.owner for lease in store.held_leases("table/")}
                    assert owners[f"table/{name}"] == "first"
                    # The other process joins when the hand cannot be handed over between rounds.
                    with cluster.serving("second", ServerRole.TABLES):
                        cable.cut()
                        await table.decide(Bet(multiple=4))
                        await table.until(lambda now: phase_of(now) == "settled")
                        assert table.private.hands["1.1"].cards == cards
                        async with httpx.AsyncClient(base_url=first) as client:
                            health = await client.get("/healthz")
                        assert (health.status_code, health.json()["bus"]) == (503, "cut off")
                        held = store.held_leases("table/")
                        assert {lease.owner for lease in held} == {"second"}
                        cable.mend()


async def test_the_lobby_the_floor_and_staff_reach_tables_of_other_processes(
    cluster: SharedHouse,
) -> None:
    with (
        cluster.serving("tables", ServerRole.TABLES),
        cluster.serving("gateway", ServerRole.GATEWAY) as gateway,
    ):
        async with httpx.AsyncClient(base_url=gateway, timeout=30) as client:
            form = {"name": "supervisor", "password": PASSWORD}
            assert (await client.post("/api/v1/sign-in", json=form)).status_code == 200
            lines = {line["table"]: line for line in (await client.get("/api/v1/tables")).json()}
            assert {"stadium-1", "washington-1", "draw-1"} <= lines.keys()
            floor: dict[str, Any] = (await client.get("/api/v1/floor")).json()
            assert {line["table"] for line in floor["tables"]} >= {"stadium-1", "draw-1"}
            clock = {"wager_seconds": 40, "decision_seconds": 20}
            change = {"reason": "a longer clock", "id": "first change", "clock": clock}
            answer = await client.post("/api/v1/tables/stadium-1/clock", json=change)
            assert answer.status_code == 200, answer.text
            assert "40" in answer.text


async def test_what_a_caller_has_at_one_gateway_counts_at_the_other(cluster: SharedHouse) -> None:
    """Wrong passwords, open sockets, and the challenge of a passkey."""
    with (
        cluster.serving("tables", ServerRole.TABLES),
        cluster.serving("east", ServerRole.GATEWAY) as east,
        cluster.serving("west", ServerRole.GATEWAY) as west,
    ):
        await _passkey_of_two_gateways(east, west)
        async with Casino(east) as here, Casino(west) as there:
            await here.guest()
            there._http.cookies.update(here._http.cookies)
            async with contextlib.AsyncExitStack() as stack:
                for _ in range(5):
                    await stack.enter_async_context(here.table("stadium-1"))
                for _ in range(3):
                    await stack.enter_async_context(there.table("stadium-1"))
                for casino in (here, there):
                    await _refused_a_socket(casino)
        async with httpx.AsyncClient(base_url=east, timeout=30) as client:
            form = {"name": "supervisor", "password": "wrong"}
            for _ in range(3):
                assert (await client.post("/api/v1/sign-in", json=form)).status_code == 401
        async with httpx.AsyncClient(base_url=west, timeout=30) as client:
            answer = await client.post("/api/v1/sign-in", json=form)
            assert (answer.status_code, answer.json()["code"]) == (429, "slow_down")


async def _refused_a_socket(casino: Casino) -> None:
    """Wait until a gateway knows of the sockets at the other one, and refuses a further one."""
    async with asyncio.timeout(30):
        while True:
            try:
                async with casino.table("stadium-1", patience_seconds=1):
                    await asyncio.sleep(0.1)
            except TerminalClosed:
                return


async def _passkey_of_two_gateways(east: str, west: str) -> None:
    """Begin to add a passkey at one gateway, and confirm it at the other one."""
    device, front = SoftAuthenticator(), {"host": "localhost"}
    async with (
        httpx.AsyncClient(base_url=east, timeout=30, headers=front) as here,
        httpx.AsyncClient(base_url=west, timeout=30, headers=front) as there,
    ):
        form = {"name": "supervisor", "password": PASSWORD}
        assert (await here.post("/api/v1/sign-in", json=form)).status_code == 200
        there.cookies.update(here.cookies)
        begun = await here.post("/api/v1/passkeys", json={})
        assert begun.status_code == 200, begun.text
        made = {"name": "key"} | device.created(begun.json(), "http://localhost")
        answer = await there.post("/api/v1/passkeys/confirm", json=made)
        assert answer.status_code == 200, answer.text
        again = await here.post("/api/v1/passkeys/confirm", json=made)
        assert again.json()["code"] == "no_setup", "a challenge is used once"
