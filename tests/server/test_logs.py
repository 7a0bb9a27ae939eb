"""Logs: whole lines of JSON, and no secret in any of them."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from openfelt.server.logs import begin_logging
from tests.server.open_house import PASSWORD, OpenHouse, name_of, tell


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root, stream = logging.getLogger(), io.StringIO()
    handlers, level = list(root.handlers), root.level
    try:
        yield stream
    finally:
        root.handlers[:], root.level = handlers, level


def test_a_line_of_json_has_its_fields(stream: io.StringIO) -> None:
    begin_logging("json", stream)
    logging.getLogger("openfelt.test").info("hello", extra={"fields": {"round": "t/1"}})
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("openfelt.test").exception("failed")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert (first["message"], first["level"], first["round"]) == ("hello", "info", "t/1")
    assert "ValueError: broken" in second["error"]


def test_plain_lines_are_for_people(stream: io.StringIO) -> None:
    begin_logging("plain", stream)
    logging.getLogger("openfelt.server.witness").info("request answered")
    logging.getLogger("openfelt.test").warning("look", extra={"fields": {"table": "draw-1"}})
    (line,) = stream.getvalue().splitlines()
    assert line.endswith("warning: look table=draw-1")


def test_commands_are_logged_with_their_round(tmp_path: Path, stream: io.StringIO) -> None:
    async def story(house: OpenHouse) -> None:
        guest = await house.guest()
        await house.sit("draw-1", await name_of(guest), 1)
        await house.bet("draw-1", 1)

    begin_logging("json", stream)
    tell(tmp_path, story)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    commands = [line for line in lines if line["message"] == "command answered"]
    assert commands[-1]["round"] == "draw-1/1"
    assert commands[-1]["command"].startswith("command ")
    assert commands[-1]["table"] == "draw-1"
    assert [line["page"] for line in lines if line["message"] == "request answered"]


def test_no_secret_stands_in_a_log_or_an_answer(tmp_path: Path, stream: io.StringIO) -> None:
    secrets: list[str] = [PASSWORD, "a wrong password", "another one entirely", "q-secret"]

    async def story(house: OpenHouse) -> None:
        logging.getLogger().setLevel(logging.DEBUG)
        client, answers = await house.client(), list[str]()
        ann = {"name": "ann", "password": PASSWORD}
        signed = await client.post("/api/sign-up", json=ann)
        secrets.append(signed.cookies["openfelt_session"].partition(".")[2])
        wrong = {"name": "ann", "password": "a wrong password"}
        changed = {"password": PASSWORD, "new_password": "another one entirely"}
        for answer in (
            signed,
            await client.post("/api/sign-in", json=wrong),
            await client.post("/api/password", json=changed),
            await client.post("/api/sign-in", json={"name": "ann", "password": ["q-secret"]}),
            await client.post("/api/sign-in", content=b'{"password": "q-secret"'),
            await client.get("/api/me", params={"token": "q-secret"}),
            await client.get("/api/me", headers={"authorization": "Bearer ann.q-secret"}),
        ):
            answers.append(answer.text)
        secrets.append(client.cookies["openfelt_session"].partition(".")[2])
        for secret in secrets:
            assert not any(secret in answer for answer in answers)

    begin_logging("json", stream)
    tell(tmp_path, story)
    # The browser of the test writes a log of its own, which is not the server's.
    lines = stream.getvalue().splitlines()
    logged = "\n".join(line for line in lines if json.loads(line)["logger"] != "httpx")
    assert "request answered" in logged
    for secret in secrets:
        assert secret not in logged


def test_a_fault_is_logged_and_the_visitor_is_told_nothing_of_it(
    tmp_path: Path, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: OpenHouse) -> None:
        async def broken() -> None:
            raise RuntimeError("the inside of the house")

        monkeypatch.setattr(house.premises.lobby, "public_tables", broken)
        answer = await (await house.client()).get("/api/tables")
        assert (answer.status_code, answer.json()["code"]) == (500, "failed")
        assert "inside" not in answer.text
        assert answer.headers["x-request-id"] in stream.getvalue()

    begin_logging("json", stream)
    tell(tmp_path, story)
    assert "the inside of the house" in stream.getvalue()
