"""The OpenAPI description of answers that have the form of messages instead of forms."""

from typing import Any, Final

import msgspec

from openfelt.server.replay_messages import ReplayView

_REF: Final = "#/components/schemas/{name}"


def message_schemas() -> dict[str, Any]:
    """Every message that a page answers with, and what is in it, by its name."""
    _, components = msgspec.json.schema_components([ReplayView], ref_template=_REF)
    return components


def answer_of(message: type[msgspec.Struct], description: str) -> dict[int | str, dict[str, Any]]:
    """What a page says of its answer, where that is a message."""
    schema = {"$ref": _REF.format(name=message.__name__)}
    content = {"application/json": {"schema": schema}}
    return {200: {"description": description, "content": content}}
