"""Answers in the form of messages: the OpenAPI description says everything that is in them."""

import json
import re

import httpx
import msgspec
import pytest

from openfelt.protocol import replay, rest, table_views
from openfelt.protocol.openapi import message_schemas
from openfelt.protocol.replay import ReplayView
from openfelt.runtime.rounds import proof_forms
from openfelt.runtime.shuffle import merkle
from tests.kit.server.api_description import api_description
from tests.kit.server.open_house import OpenHouse, name_of

PAGE = "/api/v1/tables/{table}/rounds/{number}"


def test_every_reference_of_the_description_leads_to_a_schema() -> None:
    description = api_description()
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(description)))
    assert named - description["components"]["schemas"].keys() == set()


def test_a_replay_is_described_to_its_last_value() -> None:
    description = api_description()
    answer = description["paths"][PAGE]["get"]["responses"]["200"]
    schema = answer["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/ReplayView"}
    components = description["components"]["schemas"]
    step = components["ReplayStep"]["properties"]
    assert step["public"] == {"$ref": "#/components/schemas/RoundView"}
    kinds = step["what"]["discriminator"]["mapping"]
    assert len(kinds) == 9
    known = vars(table_views) | vars(replay) | vars(merkle) | vars(proof_forms)
    for name, schema in message_schemas().items():
        if "properties" not in schema:
            continue
        fields = {*known[name].__struct_fields__}
        tagged = known[name].__struct_config__.tag is not None
        tag = known[name].__struct_config__.tag_field
        assert components[name]["properties"].keys() - fields == ({tag} if tagged else set())
        assert fields <= components[name]["properties"].keys()


def test_patterns_are_of_json_schema() -> None:
    salt = api_description()["components"]["schemas"]["CardProofForm"]["properties"]["salt"]
    assert salt["pattern"] == "^[0-9a-f]{64}$"


def test_no_message_has_the_name_of_a_form() -> None:
    assert not [name for name in message_schemas() if hasattr(rest, name)]


@pytest.mark.parametrize("house_name", ["online", "draw"])
async def test_a_replay_and_its_proof_keep_to_their_description(
    house: OpenHouse, house_name: str
) -> None:
    import schemathesis
    from schemathesis.openapi.checks import JsonSchemaError

    pages = schemathesis.openapi.from_dict(api_description())
    operation, proved = pages[PAGE]["GET"], pages[f"{PAGE}/proof"]["GET"]

    guest = await house.guest()
    opened = await guest.post("/api/v1/tables/private", json={"house": house_name})
    table = opened.json()["table"]
    await house.sit(table, await name_of(guest), 1)
    await house.bet(table, 1)
    await house.play(table)
    answer = await guest.get(f"/api/v1/tables/{table}/rounds/1")
    operation.validate_response(answer)
    proof = await guest.get(f"/api/v1/tables/{table}/rounds/1/proof")
    proved.validate_response(proof)
    # Everything that is sent has a name in the message, and nothing is lost on the way.
    replay = msgspec.json.decode(answer.content, type=ReplayView)
    assert msgspec.json.encode(replay) == answer.content
    broken = answer.json()
    broken["steps"][0]["public"]["number"] = "one"
    wrong = httpx.Response(200, json=broken, request=answer.request)
    wrong.elapsed = answer.elapsed
    with pytest.raises(JsonSchemaError, match="is not of type"):
        operation.validate_response(wrong)
