"""The messages of the socket, and the page that tells of them."""

import re
from typing import Any, get_args

import msgspec
import pytest

from openfelt.protocol import messages, replay, table_views
from openfelt.protocol.messages import CommandAsked, FromClient, FromServer
from openfelt.table.void_reasons import VoidCode
from tests.kit.repository import ROOT

PAGE = (ROOT / "docs" / "reference" / "socket.md").read_text(encoding="utf-8")


def tag(form: Any) -> str:
    return str(form.__struct_config__.tag)


def row(name: str) -> str:
    """The row of a table of the page that begins with this name."""
    found = re.findall(rf"^\| `{name}` \|.*$", PAGE, re.MULTILINE)
    assert len(found) == 1, name
    return str(found[0])


@pytest.mark.parametrize(
    "form", [*get_args(CommandAsked), *get_args(FromClient), *get_args(FromServer)], ids=tag
)
def test_the_page_lists_every_message_and_its_fields(form: Any) -> None:
    told = row(tag(form))
    fields = [
        name for name in form.__struct_fields__ if tag(form) != "welcome" or name != "protocol"
    ]
    assert not [name for name in fields if f"`{name}`" not in told]


def test_the_page_knows_the_limits() -> None:
    assert f"{messages.MESSAGE_BYTES_MAX:,} bytes" in PAGE
    assert f'"protocol": {messages.PROTOCOL}' in PAGE


def test_what_a_client_sends_is_taken_word_for_word() -> None:
    decoder = msgspec.json.Decoder(FromClient)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        decoder.decode('{"type":"ping","more":1}')
    with pytest.raises(msgspec.ValidationError):
        decoder.decode(
            '{"type":"command","id":"1","command":{"kind":"buy_in","seat":1,"cents":1.5}}'
        )


def test_every_field_that_may_be_null_may_be_missing() -> None:
    for form in (vars(messages) | vars(replay)).values():
        if isinstance(form, type) and issubclass(form, table_views.Message):
            for field in msgspec.structs.fields(form):
                if type(None) in get_args(field.type):
                    assert field.default is None, (form.__name__, field.name)


def test_the_page_lists_every_value_of_a_line() -> None:
    lines = PAGE.partition("## Lines")[2].partition("## Commands")[0]
    for form in (table_views.LineView, table_views.WhyView):
        assert not [name for name in form.__struct_fields__ if f"`{name}`" not in lines]
    told = re.findall(r"^\| `(\w+)` \|", lines, re.MULTILINE)
    assert told == list(table_views.WhyView.__struct_fields__)


def test_the_page_knows_every_reason_of_a_void_round() -> None:
    views = PAGE.partition("## Views")[2].partition("## Lines")[0]
    assert not [code for code in VoidCode if f"`{code}`" not in views]
