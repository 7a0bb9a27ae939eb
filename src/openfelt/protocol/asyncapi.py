"""The AsyncAPI description of the socket, generated from the messages themselves.

``make docs`` writes it to ``docs/reference/asyncapi.json``, and a running server offers it at
``/api/v1/asyncapi.json``, beside the OpenAPI description of its endpoints.
"""

import inspect
import json
from collections.abc import Sequence
from typing import Any, Final, get_args

import msgspec

from openfelt.protocol import messages, table_views
from openfelt.protocol.close_codes import FINAL_CODES, CloseCode
from openfelt.protocol.openapi import REF, portable
from openfelt.protocol.typescript import PATCHED_VIEWS

SOCKET: Final = "/ws/tables/{table}"
"""The address of a table's socket."""

_INTRODUCTION: Final = """\
A terminal plays at one table through one websocket. Every frame is a text frame that holds one \
JSON object. Amounts are whole cents. A card is two letters such as `As`, and null while it is \
face down. The client sends `hello` first; the server answers with `welcome`, or with the changes \
that the client has missed. The codes with which the server closes the socket are listed in \
`x-close-codes` of the channel; a client reconnects after all that are not final.
"""

_REPLIES: Final[dict[type, tuple[type, ...]]] = {
    messages.Hello: (messages.Welcome, messages.Problem),
    messages.Command: (messages.Answered, messages.Problem),
    messages.Ping: (messages.Pong,),
}
"""The server's reply to each message of a client."""


def asyncapi() -> dict[str, Any]:
    """The description of the socket, as AsyncAPI 3.0 has it, seen from the server."""
    received, sent = get_args(messages.FromClient), get_args(messages.FromServer)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Openfelt table socket",
            "version": f"{messages.PROTOCOL}.0.0",
            "description": _INTRODUCTION,
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": {
            "table": {
                "address": SOCKET,
                "title": "One table",
                "parameters": {"table": {"description": "The table's id, such as `stadium-1`."}},
                "messages": {_tag(form): _message_ref(form) for form in (*received, *sent)},
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
                "x-close-codes": {
                    str(code.value): {
                        "name": code.name.lower(),
                        "description": code.meaning,
                        "final": code in FINAL_CODES,
                    }
                    for code in CloseCode
                },
            }
        },
        "operations": _operations(received, sent),
        "components": {
            "messages": {form.__name__: _message(form) for form in (*received, *sent)},
            "schemas": _schemas((*received, *sent)),
        },
    }


def _operations(received: Sequence[type], sent: Sequence[type]) -> dict[str, Any]:
    operations: dict[str, Any] = {}
    for form in received:
        reply = [_in_channel(answer) for answer in _REPLIES[form]]
        operations[f"receive_{_tag(form)}"] = {
            **_operation("receive", form),
            "reply": {"channel": {"$ref": "#/channels/table"}, "messages": reply},
        }
    replies = {answer for answers in _REPLIES.values() for answer in answers}
    for form in sent:
        if form not in replies or form is messages.Problem:
            operations[f"send_{_tag(form)}"] = _operation("send", form)
    return operations


def _operation(action: str, form: type) -> dict[str, Any]:
    return {
        "action": action,
        "channel": {"$ref": "#/channels/table"},
        "summary": _summary(form),
        "messages": [_in_channel(form)],
    }


def _message(form: type) -> dict[str, Any]:
    return {
        "name": _tag(form),
        "title": form.__name__,
        "summary": _summary(form),
        "payload": {"$ref": REF.format(name=form.__name__)},
    }


def _schemas(forms: Sequence[type]) -> dict[str, Any]:
    """Every schema that the messages need, views included."""
    views = (table_views.PublicView, table_views.PrivateView)
    _, components = msgspec.json.schema_components([*forms, *views], ref_template=REF)
    schemas = {name: _draft7(portable(schema)) for name, schema in sorted(components.items())}
    for part, view in PATCHED_VIEWS.items():
        schemas[messages.Change.__name__]["properties"][part] = {
            "type": "object",
            "description": f"A JSON merge patch (RFC 7396) of {view}.",
        }
    return schemas


def _draft7(schema: Any) -> Any:
    """A schema in AsyncAPI's dialect, where a discriminator is the name of a property."""
    if isinstance(schema, list):
        return [_draft7(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: _draft7(value) for key, value in schema.items()}
    if isinstance(changed.get("description"), str):
        changed["description"] = inspect.cleandoc(changed["description"])
    discriminator = changed.get("discriminator")
    if isinstance(discriminator, dict) and "propertyName" in discriminator:
        changed["discriminator"] = discriminator["propertyName"]
    return changed


def _tag(form: type) -> str:
    assert issubclass(form, msgspec.Struct)
    return str(form.__struct_config__.tag)


def _summary(form: type) -> str:
    return (form.__doc__ or form.__name__).strip().splitlines()[0]


def _message_ref(form: type) -> dict[str, str]:
    return {"$ref": f"#/components/messages/{form.__name__}"}


def _in_channel(form: type) -> dict[str, str]:
    return {"$ref": f"#/channels/table/messages/{_tag(form)}"}


def asyncapi_file() -> str:
    """The description as the file in the documentation."""
    return json.dumps(asyncapi(), indent=2) + "\n"
