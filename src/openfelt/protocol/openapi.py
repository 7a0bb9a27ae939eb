"""The OpenAPI description of answers that have the form of messages instead of forms."""

from typing import Any, Final

import msgspec

from openfelt.protocol.replay import ReplayView
from openfelt.runtime.rounds.proof import RoundProofForm

REF: Final = "#/components/schemas/{name}"


def message_schemas() -> dict[str, Any]:
    """Every message that a page answers with, and what is in it, by its name."""
    _, components = msgspec.json.schema_components([ReplayView, RoundProofForm], ref_template=REF)
    return {name: portable(one) for name, one in components.items()}


def portable(schema: Any) -> Any:
    """A schema whose patterns begin and end as JSON Schema has it, not as Python does."""
    if isinstance(schema, dict):
        return {key: portable(one) for key, one in schema.items()}
    if isinstance(schema, list):
        return [portable(one) for one in schema]
    if isinstance(schema, str):
        return schema.replace(r"\A", "^").replace(r"\Z", "$")
    return schema


def answer_of(message: type[msgspec.Struct], description: str) -> dict[int | str, dict[str, Any]]:
    """What a page says of its answer, where that is a message."""
    content = {"application/json": {"schema": schema_of(message)}}
    return {200: {"description": description, "content": content}}


def schema_of(message: type[msgspec.Struct]) -> dict[str, str]:
    """Where the description of a message stands."""
    return {"$ref": REF.format(name=message.__name__)}
