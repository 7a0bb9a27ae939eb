"""The form in which a request travels to the process that runs its table.

It contains everything that this process checks itself: who gives the command, from which terminal,
under which id, and who has approved it. The gateway's statement about the caller is protected by
the seal of the bus, see ``openfelt.runtime.bus.sealed_bus``.
"""

from dataclasses import replace
from typing import Any

import msgspec

from openfelt.rules.house import House
from openfelt.runtime import command_spans
from openfelt.runtime.requests import Request
from openfelt.storage.codec import Codec, CodecError, read_json
from openfelt.storage.rulebook import Rulebook
from openfelt.table.commands import ChangeRules, Person, TableCommand


def request_text(rulebook: Rulebook, request: Request) -> str:
    """A request as text. A house is written in full, because it may not be in the store yet."""
    codec, command = rulebook.codec, request.command
    plain: dict[str, Any] = {
        "by": codec.to_plain(Person, request.by),
        "id": request.id,
        "terminal": request.terminal,
        "command": codec.to_plain(TableCommand, command),
    }
    if (carried := command_spans.carried()) is not None:
        plain["trace"] = carried
    if request.approved_by is not None:
        plain["approved_by"] = codec.to_plain(Person, request.approved_by)
    if isinstance(command, ChangeRules):
        plain["house"] = codec.house_to_json(command.house)
    return msgspec.json.encode(plain).decode()


def request_in(rulebook: Rulebook, text: str) -> Request:
    """The request in a text; raises CodecError."""
    plain, codec = read_json(text), rulebook.codec
    try:
        house = codec.house_from_json(plain["house"]) if "house" in plain else None
        approved = plain.get("approved_by")
        return Request(
            by=codec.from_plain(Person, plain["by"]),
            id=str(plain["id"]),
            terminal=str(plain["terminal"]),
            command=_command(codec, plain["command"], house),
            approved_by=None if approved is None else codec.from_plain(Person, approved),
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise CodecError("This is not a request.") from error


def trace_in(text: str) -> str | None:
    """The id of the gateway's span in a request; None if it is not traced."""
    trace = read_json(text).get("trace")
    return trace if isinstance(trace, str) else None


def _command(codec: Codec, plain: Any, house: House | None) -> TableCommand:
    if house is None:
        command: TableCommand = codec.from_plain(TableCommand, plain)
        return command
    # Read with the house in the request; the table checks its fingerprint.
    changed = Codec(lambda _: house).from_plain(TableCommand, plain)
    assert isinstance(changed, ChangeRules)
    return replace(changed, house=house)
