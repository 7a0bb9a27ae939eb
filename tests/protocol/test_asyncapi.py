"""The AsyncAPI description: complete, true of real messages, and served."""

import json
from pathlib import Path
from typing import Any, get_args

from jsonschema_rs import Draft7Validator
from websockets.asyncio.client import connect
from websockets.typing import Origin

from openfelt.protocol import messages
from openfelt.protocol.asyncapi import asyncapi, asyncapi_file
from openfelt.rules.house import DealerMode
from tests.kit.server.halls import open_hall
from tests.kit.server.open_house import open_house

Plain = dict[str, Any]
DESCRIPTION = asyncapi()


def validator(name: str) -> Draft7Validator:
    """A validator for one of the described messages."""
    return Draft7Validator({"$ref": f"#/components/schemas/{name}", **DESCRIPTION})


def named_schemas() -> dict[str, str]:
    """The name of each message's schema, by the tag that the message has on the wire."""
    return {
        message["name"]: message["payload"]["$ref"].rpartition("/")[2]
        for message in DESCRIPTION["components"]["messages"].values()
    }


def test_every_message_of_the_socket_is_described() -> None:
    tags = {
        form.__struct_config__.tag
        for union in (messages.FromClient, messages.FromServer)
        for form in get_args(union)
    }
    assert set(DESCRIPTION["channels"]["table"]["messages"]) == tags
    operations = DESCRIPTION["operations"].values()
    told = [
        reference["$ref"].rpartition("/")[2]
        for operation in operations
        for reference in (*operation["messages"], *operation.get("reply", {}).get("messages", ()))
    ]
    assert set(told) == tags


def test_every_reference_leads_somewhere() -> None:
    def references(value: Any) -> list[str]:
        if isinstance(value, list):
            return [found for item in value for found in references(item)]
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [found for item in value.values() for found in references(item)]
        return []

    for reference in references(DESCRIPTION):
        target: Any = DESCRIPTION
        for part in reference.removeprefix("#/").split("/"):
            target = target[part]


async def test_a_server_offers_the_description(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        client = await house.client()
        assert (await client.get("/api/v1/asyncapi.json")).json() == json.loads(asyncapi_file())


async def test_real_frames_are_as_described(tmp_path: Path) -> None:
    commands = (
        {"kind": "take_seat", "seat": 1},
        {"kind": "buy_in", "seat": 1, "cents": 50_000},
        {"kind": "set_wagers", "spot": "1.1", "wagers": [{"kind": "ante", "cents": 1000}]},
        {"kind": "close_bets"},
        {"kind": "decide", "spot": "1.1", "decision": {"kind": "bet", "multiple": 4}},
        {"kind": "fly"},
    )
    sent: list[Plain] = [
        {"type": "hello", "protocol": messages.PROTOCOL, "seen": None},
        {"type": "ping"},
        *(
            {"type": "command", "id": str(number), "command": asked}
            for number, asked in enumerate(commands)
        ),
    ]
    async with open_hall(tmp_path) as hall:
        await hall.open("hall-1", "stadium", mode=DealerMode.VIRTUAL)
        terminal = hall.terminal("hall-1", "ann")
        received = await exchange(terminal._url, terminal._origin, terminal._headers, sent)
    schemas = named_schemas()
    for message in (*sent[:-1], *received):
        errors = list(validator(schemas[message["type"]]).iter_errors(message))
        assert errors == [], message
    assert list(validator("Command").iter_errors(sent[-1]))
    kinds = {message["type"] for message in received}
    assert {"welcome", "answer", "pong"} <= kinds
    assert any("change" in kind for kind in kinds)
    assert sum(message.get("accepted", False) for message in received) == len(commands) - 1


async def exchange(
    url: str, origin: str, headers: dict[str, str], sent: list[Plain]
) -> list[Plain]:
    """What a server sends to a client that sends these messages, each after its answer."""
    received: list[Plain] = []
    async with connect(url, origin=Origin(origin), additional_headers=headers) as socket:
        for message in sent:
            await socket.send(json.dumps(message))
            answer = {"hello": "welcome", "ping": "pong", "command": "answer"}[message["type"]]
            while not received or received[-1]["type"] != answer:
                received.append(json.loads(await socket.recv()))
            # What follows an answer arrives with the next message.
            received.append({"type": "pong"})
    return received
