"""Logs: whole lines of JSON, and no secret in any of them."""

import io
import json
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from openfelt.protocol.messages import PROTOCOL
from openfelt.server.monitoring.logs import configure_logging
from openfelt.table.commands import BuyIn
from tests.kit.server.open_house import PASSWORD, name_of, open_house, settings_in
from tests.kit.server.own_logging import own_logging
from tests.kit.server.real_server import served


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    with own_logging():
        yield io.StringIO()


def logged(stream: io.StringIO) -> list[dict[str, Any]]:
    """The lines that have been logged."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_of_json_has_its_fields(stream: io.StringIO) -> None:
    configure_logging("json", stream)
    logging.getLogger("openfelt.test").info("hello", extra={"fields": {"round": "t/1"}})
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("openfelt.test").exception("failed")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert (first["message"], first["level"], first["round"]) == ("hello", "info", "t/1")
    assert "ValueError: broken" in second["error"]


def test_plain_lines_are_for_people(stream: io.StringIO) -> None:
    configure_logging("plain", stream)
    logging.getLogger("openfelt.server.http.access_log").info("request answered")
    logging.getLogger("openfelt.test").warning("look", extra={"fields": {"table": "draw-1"}})
    (line,) = stream.getvalue().splitlines()
    assert line.endswith("warning: look table=draw-1")


async def test_commands_are_logged_with_their_round(tmp_path: Path, stream: io.StringIO) -> None:
    configure_logging("json", stream)
    async with open_house(tmp_path) as house:
        guest = await house.guest()
        await house.sit("draw-1", await name_of(guest), 1)
        await house.bet("draw-1", 1)
    lines = logged(stream)
    commands = [line for line in lines if line["message"] == "command answered"]
    assert commands[-1]["round"] == "draw-1/1"
    assert commands[-1]["command"].startswith("command ")
    assert commands[-1]["table"] == "draw-1"
    assert [line["page"] for line in lines if line["message"] == "request answered"]


async def test_after_a_restart_commands_are_logged_with_their_round_too(
    tmp_path: Path, stream: io.StringIO
) -> None:
    async with open_house(tmp_path) as house:
        player = await name_of(await house.guest())
        await house.sit("draw-1", player, 1)
        await house.bet("draw-1", 1)
    configure_logging("json", stream)
    async with open_house(tmp_path) as house:
        await house.do("draw-1", BuyIn(1, 1000), player)
    commands = [line for line in logged(stream) if line["message"] == "command answered"]
    assert [line["round"] for line in commands] == ["draw-1/1"]


async def test_sockets_are_logged_with_their_table_and_how_they_ended(
    tmp_path: Path, stream: io.StringIO
) -> None:
    async def look(address: str, table: str, **options: Any) -> None:
        url = f"{address.replace('http', 'ws')}/ws/tables/{table}"
        async with connect(url, **options) as terminal:
            await terminal.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
            await terminal.recv()

    configure_logging("json", stream)
    with served(settings_in(tmp_path, port=0)) as address:
        async with httpx.AsyncClient(base_url=address) as guest:
            name = (await guest.post("/api/v1/guest")).json()["name"]
        bearer = {"authorization": f"Bearer {guest.cookies['openfelt_session']}"}
        await look(address, "draw-1", additional_headers=bearer)
        with pytest.raises(ConnectionClosed):
            await look(address, "no-such-table", additional_headers=bearer)
        with pytest.raises(InvalidStatus):
            await look(address, "draw-1", origin="https://evil.example")
    lines = [line for line in logged(stream) if "socket" in line]
    told = [
        (line["message"], line.get("table"), line.get("actor"), line.get("code")) for line in lines
    ]
    assert sorted(told, key=str) == [
        ("socket closed", "draw-1", f"player:{name}", 1000),
        ("socket closed", None, None, 4004),
        ("socket opened", "draw-1", f"player:{name}", None),
        ("socket opened", None, None, None),
        ("socket refused", None, None, 1008),
    ]
    assert len({line["socket"] for line in lines}) == 3
    assert {line["address"] for line in lines} == {"127.0.0.1"}


def test_a_client_that_leaves_before_the_response_is_no_fault(
    tmp_path: Path, stream: io.StringIO
) -> None:
    configure_logging("json", stream)
    with served(settings_in(tmp_path, port=0)) as address:
        url = httpx.URL(address)
        with socket.create_connection((url.host, url.port)) as leaving:
            leaving.sendall(
                b"POST /api/v1/verify HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\n{"
            )
    (line,) = [line for line in logged(stream) if line.get("page") == "/api/v1/verify"]
    assert (line["message"], line["status"]) == ("request answered", 499)
    assert "Traceback" not in stream.getvalue()


async def test_no_secret_is_in_a_log_or_a_response(tmp_path: Path, stream: io.StringIO) -> None:
    secrets: list[str] = [PASSWORD, "a wrong password", "another one entirely", "q-secret"]
    configure_logging("json", stream)
    async with open_house(tmp_path) as house:
        logging.getLogger().setLevel(logging.DEBUG)
        client, answers = await house.client(), list[str]()
        ann = {"name": "ann", "password": PASSWORD}
        signed = await client.post("/api/v1/sign-up", json=ann)
        secrets.append(signed.cookies["openfelt_session"].partition(".")[2])
        wrong = {"name": "ann", "password": "a wrong password"}
        changed = {"password": PASSWORD, "new_password": "another one entirely"}
        for answer in (
            signed,
            await client.post("/api/v1/sign-in", json=wrong),
            await client.post("/api/v1/password", json=changed),
            await client.post("/api/v1/sign-in", json={"name": "ann", "password": ["q-secret"]}),
            await client.post("/api/v1/sign-in", content=b'{"password": "q-secret"'),
            await client.get("/api/v1/me", params={"token": "q-secret"}),
            await client.get("/api/v1/me", headers={"authorization": "Bearer ann.q-secret"}),
        ):
            answers.append(answer.text)
        secrets.append(client.cookies["openfelt_session"].partition(".")[2])
        for secret in secrets:
            assert not any(secret in answer for answer in answers)
    # The browser of the test writes a log of its own, which is not the server's.
    lines = stream.getvalue().splitlines()
    logged = "\n".join(line for line in lines if json.loads(line)["logger"] != "httpx")
    assert "request answered" in logged
    for secret in secrets:
        assert secret not in logged


async def test_a_fault_is_logged_and_not_shown_to_the_caller(
    tmp_path: Path, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken() -> None:
        raise RuntimeError("the inside of the house")

    configure_logging("json", stream)
    async with open_house(tmp_path) as house:
        monkeypatch.setattr(house.services.lobby, "public_tables", broken)
        answer = await (await house.client()).get("/api/v1/tables")
        assert (answer.status_code, answer.json()["code"]) == (500, "failed")
        assert "inside" not in answer.text
        assert answer.headers["x-request-id"] in stream.getvalue()
    assert "the inside of the house" in stream.getvalue()
