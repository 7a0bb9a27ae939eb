"""The OpenAPI description of responses that are messages instead of REST forms."""

from typing import Any, Final, get_args

import msgspec

from openfelt.protocol.replay import ReplayView
from openfelt.runtime.rounds.proof_forms import AnyProofForm, RoundSeedsForm

REF: Final = "#/components/schemas/{name}"


def message_schemas() -> dict[str, Any]:
    """The schemas of every message that an endpoint responds with, by name."""
    _, components = msgspec.json.schema_components(
        [ReplayView, *get_args(AnyProofForm), RoundSeedsForm], ref_template=REF
    )
    return {name: portable(schema) for name, schema in components.items()}


def portable(schema: Any) -> Any:
    """A schema whose patterns are anchored as in JSON Schema, not as in Python."""
    if isinstance(schema, dict):
        return {key: portable(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [portable(item) for item in schema]
    if isinstance(schema, str):
        return schema.replace(r"\A", "^").replace(r"\Z", "$")
    return schema


def answer_of(message: Any, description: str) -> dict[int | str, dict[str, Any]]:
    """The description of a response that is a message, or one of a union of messages."""
    content = {"application/json": {"schema": schema_of(message)}}
    return {200: {"description": description, "content": content}}


def schema_of(message: Any) -> dict[str, Any]:
    """A reference to the schema of a message, or to those of a union of messages."""
    if members := get_args(message):
        return {"oneOf": [schema_of(member) for member in members]}
    return {"$ref": REF.format(name=message.__name__)}
