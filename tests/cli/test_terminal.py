"""Colour only on a terminal and never with NO_COLOR."""

import io

import pytest
from rich.text import Text

from openfelt.cli.terminal import PlainText, make_console


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "coloured"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_when_there_is_colour(
    stream: io.StringIO,
    environment: dict[str, str],
    coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    console = make_console(stream)
    console.print(Text("ante", "bold red"))
    assert ("\x1b[" in stream.getvalue()) is coloured
    assert "ante" in stream.getvalue()


def test_signs_become_letters_where_the_stream_has_none() -> None:
    stream = io.StringIO()
    PlainText(stream).write("╭─╮│10♥│░ ≈")
    assert stream.getvalue() == "+-+|10h|# ?"
