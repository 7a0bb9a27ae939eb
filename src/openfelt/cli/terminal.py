"""Consoles for output: colour only on a terminal, and never with NO_COLOR.

A stream that cannot show suits and box characters gets plain ASCII instead.
"""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼╞╡╪", "+"),
        **dict.fromkeys("─━╌═", "-"),
        **dict.fromkeys("│┃╎", "|"),
        **dict.fromkeys("░▒▓", "#"),
        "♣": "c",
        "♦": "d",
        "♥": "h",
        "♠": "s",
        "•": "*",
        "·": "-",
        "▸": ">",
        "→": ">",
        "…": "~",
    }
)


def printable(text: str) -> str:
    """Text of a database as a terminal may show it; a forged row could move its cursor.

    >>> printable("floor:eve"), printable("floor:eve\x1b[2K")
    ('floor:eve', 'floor:eve\ufffd[2K')
    """
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


class PlainText:
    """A stream that replaces characters which the terminal cannot show by ASCII."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text with all non-ASCII characters replaced."""
        plain = text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
        return self._stream.write(plain)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def shows_signs(encoding: str | None) -> bool:
    """Whether an encoding has suits and box characters.

    >>> shows_signs("utf-8"), shows_signs("latin-1"), shows_signs(None)
    (True, False, False)
    """
    try:
        "♠╭░".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def make_console(
    stream: TextIO | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    width: int | None = None,
    height: int | None = None,
) -> "Console":
    """A console on a stream, stdout by default."""
    from rich.console import Console

    stream = stream or sys.stdout
    environment = os.environ if environment is None else environment
    on_terminal = stream.isatty()
    coloured = on_terminal and not environment.get("NO_COLOR")
    coloured = coloured and environment.get("TERM") != "dumb"
    if not shows_signs(getattr(stream, "encoding", None) or "utf-8"):
        stream = cast("TextIO", PlainText(stream))
    return Console(
        file=stream,
        force_terminal=on_terminal,
        color_system="auto" if coloured else None,
        highlight=False,
        markup=False,
        emoji=False,
        width=width,
        height=height,
    )
