"""A real server on a real port: sockets, restarts, kills, and what is left in the end."""

import asyncio
import json
import signal
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from openfelt.client import Casino
from openfelt.protocol.messages import PROTOCOL, Check
from openfelt.server.process.listener import CannotListen, bind
from openfelt.server.settings import SettingsError
from openfelt.storage.door import Unavailable
from tests.kit.server.open_house import settings_in
from tests.kit.server.real_server import free_port, served, server_process


def test_a_port_in_use_is_reported_with_another_one_to_try() -> None:
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=f"--port {port + 1 if port < 65535 else 8080}"):
            bind("127.0.0.1", port)


def test_an_invalid_address_is_reported() -> None:
    with pytest.raises(CannotListen):
        bind("203.0.113.77", 8080)
    with pytest.raises(CannotListen, match="There is no address"):
        bind("no such host.invalid", 8080)


def test_a_guest_plays_a_round_over_a_real_socket(tmp_path: Path) -> None:
    async def play(address: str) -> None:
        async with Casino(address) as casino:
            await casino.guest()
            name = await casino.private_table("online")
            async with casino.table(name) as table:
                await table.sit(buy_in_cents=20_000)
                await table.bet(ante=1000)
                await table.deal()
                await table.until(lambda now: "decide" in now.private.may)
                await table.decide(Check())

    with served(settings_in(tmp_path, port=0)) as address:
        asyncio.run(play(address))
        assert "x-request-id" in httpx.get(f"{address}/healthz").headers


def test_two_servers_on_one_file_are_one_too_many(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, port=0)
    another = pytest.raises(Unavailable, match="Another server has the database open")
    with served(settings), another, served(settings):
        pass


def test_an_address_that_others_reach_needs_a_name(tmp_path: Path) -> None:
    far = replace(settings_in(tmp_path, port=0), host="0.0.0.0")
    with pytest.raises(SettingsError, match="--allow-host NAME"), served(far):
        pass


def test_a_proxy_does_not_make_its_visitors_local(tmp_path: Path) -> None:
    behind = replace(settings_in(tmp_path, port=0), hosts=frozenset({"felt.example"}))
    with served(behind) as address:
        # What a proxy passes on.
        headers = {"host": "felt.example", "x-forwarded-for": "203.0.113.9"}
        known = {"name": "supervisor", "password": "openfelt"}
        refused = httpx.post(f"{address}/api/v1/sign-in", json=known, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (401, "wrong_password")
        for given in (headers, {"host": "felt.example"}):
            guest = httpx.post(f"{address}/api/v1/guest", headers=given)
            assert (guest.status_code, guest.json()["enrolled"]) == (200, False)
            assert httpx.get(f"{address}/metrics", headers=given).status_code == 401


def test_only_named_proxies_are_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    far = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}
    settings = settings_in(tmp_path, port=0, hosts=frozenset({"felt.example"}))
    with served(settings) as address:
        cookie = httpx.post(f"{address}/api/v1/guest", headers=far).headers["set-cookie"]
        assert cookie.startswith("__Host-openfelt_session=")
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    with served(settings) as address:
        cookie = httpx.post(f"{address}/api/v1/guest", headers=far).headers["set-cookie"]
        assert cookie.startswith("openfelt_session=")


def test_a_password_that_is_no_better_is_refused(tmp_path: Path) -> None:
    weak = replace(settings_in(tmp_path, port=0), supervisor_password="openfelt-openfelt")
    with pytest.raises(SettingsError, match="too easy to guess"), served(weak):
        pass


def test_a_link_to_a_database_that_is_open_is_one_server_too_many(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, port=0)
    (tmp_path / "link.db").symlink_to(tmp_path / "felt.db")
    linked = replace(settings, database=str(tmp_path / "link.db"))
    another = pytest.raises(Unavailable, match="Another server has the database open")
    with served(settings), another, served(linked):
        pass


def test_a_server_that_closes_says_so_to_its_sockets(tmp_path: Path) -> None:
    async def look(address: str, inside: threading.Event) -> int | None:
        url = f"{address.replace('http', 'ws')}/ws/tables/draw-1"
        async with connect(url, origin=Origin(address)) as terminal:
            await terminal.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
            await terminal.recv()
            inside.set()
            await terminal.wait_closed()
            return terminal.close_code

    inside = threading.Event()
    with ThreadPoolExecutor(1) as looking:
        with served(settings_in(tmp_path, port=0)) as address:
            code = looking.submit(lambda: asyncio.run(look(address, inside)))
            assert inside.wait(30)
        assert code.result() == 1012


@pytest.mark.slow
def test_a_server_that_is_killed_goes_on_with_the_same_cards(tmp_path: Path) -> None:
    port, seen = free_port(), dict[str, object]()

    async def begin(address: str) -> str:
        async with Casino(address) as casino:
            await casino.guest()
            name = await casino.private_table("online")
            async with casino.table(name) as table:
                await table.sit(buy_in_cents=20_000)
                await table.bet(ante=1000)
                await table.deal()
                await table.until(lambda now: "decide" in now.private.may)
                seen["cards"] = table.private.hands["1.1"].cards
            return str(casino._http.cookies["openfelt_session"])

    with server_process(tmp_path, port) as server:
        token = asyncio.run(begin(server.address))
        assert server.end(signal.SIGKILL) == -signal.SIGKILL
    headers = {"authorization": f"Bearer {token}"}
    with server_process(tmp_path, port) as server, httpx.Client(headers=headers) as client:
        me = client.get(f"{server.address}/api/v1/me").json()
        assert me["wallet_cents"] == 80_000
        tables = client.get(f"{server.address}/api/v1/tables").json()
        assert [one["own_seat"] for one in tables if one["private"]] == [1]

        async def go_on() -> None:
            async with Casino(server.address) as casino:
                casino._http.cookies.set("openfelt_session", token)
                name = await casino.private_table("online")
                async with casino.table(name) as table:
                    assert table.private.hands["1.1"].cards == seen["cards"]
                    await table.decide(Check())

                    assert server.end(signal.SIGTERM) == 0

        asyncio.run(go_on())
    log = (tmp_path / "server.log").read_text()
    assert token.partition(".")[2] not in log
    assert "Traceback" not in log
    with sqlite3.connect(tmp_path / "felt.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
