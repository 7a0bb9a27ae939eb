"""Where output goes: colour only on a terminal and never with NO_COLOR, and always readable.

A stream that cannot show suits and boxes gets plain letters and lines in their place.
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


class PlainText:
    """A stream that writes signs the other end cannot show as plain letters."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write with every sign replaced that ASCII does not have."""
        plain = text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
        return self._stream.write(plain)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def shows_signs(encoding: str | None) -> bool:
    """Whether an encoding has suits and boxes.

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
