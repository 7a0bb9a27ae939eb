"""The player's desk: a console for output and a keyboard for input."""

import select
import sys
import time
from collections.abc import Callable
from typing import TextIO

from rich.console import Console, RenderableType
from rich.text import Text

ReadLine = Callable[[str, float | None], str]
"""Shows a prompt and returns the line that was typed; raises EOFError at the end of input.

Where seconds are given and pass without a line, it raises TimeUp.
"""

LINE_MAX = 200


class Leave(Exception):
    """The player leaves: by quitting, by the end of input, or with Ctrl-C."""


class TimeUp(Exception):
    """The countdown ended before a line was typed."""


class Desk:
    """Shows screens and asks questions. All input of the player comes through ``ask``."""

    def __init__(
        self,
        console: Console,
        read_line: ReadLine,
        *,
        interactive: bool,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.console = console
        self.interactive = interactive
        self.now = now
        self._read_line = read_line
        self._notes: list[Text] = []

    def show(self, *parts: RenderableType) -> None:
        """Print below what is there."""
        for part in parts:
            self.console.print(part)

    def screen(self, *parts: RenderableType) -> None:
        """Draw a whole screen: on a terminal in place of the last one."""
        if self.interactive:
            self.console.clear()
        else:
            self.console.print()
        self.show(*parts)
        self.show(*self._notes)
        self._notes = []

    def lines_of(self, *parts: RenderableType) -> int:
        """How many lines these parts take, and the notes that wait for the next screen."""
        return sum(len(self.console.render_lines(part)) for part in (*parts, *self._notes))

    def say(self, words: str, style: str = "") -> None:
        """Print one sentence."""
        self.console.print(Text(words, style))

    def note(self, words: str, style: str = "") -> None:
        """Show a sentence with the next screen, which would otherwise clear it away."""
        if self.interactive:
            self._notes.append(Text(words, style))
        else:
            self.say(words, style)

    def ask(self, prompt: str, *, until: float | None = None) -> str:
        """Ask for a line and return it normalised.

        Raises Leave at the end of input, and TimeUp where no line was typed before ``until``.
        """
        self.show(*self._notes)
        self._notes = []
        try:
            line = self._read_line(f"{prompt}> ", None if until is None else until - self.now())
        except EOFError:
            self.console.print()
            raise Leave from None
        except KeyboardInterrupt:
            self.console.print()
            raise Leave from None
        return _normalised(line)


def _normalised(line: str) -> str:
    """A typed line in lower case; control characters become U+FFFD."""
    characters = (
        character if character.isprintable() else " " if character.isspace() else "\ufffd"
        for character in line[:LINE_MAX]
    )
    return " ".join("".join(characters).split()).lower()


def line_reader(stdin: TextIO, console: Console, *, interactive: bool) -> ReadLine:
    """The reader of input lines: with line editing at a keyboard, with an echo from a pipe."""
    if interactive:
        _enable_editing()

        def read_at_keyboard(prompt: str, seconds: float | None) -> str:
            return input(prompt) if seconds is None else _read_in_time(prompt, seconds)

        return read_at_keyboard

    def read_and_echo(prompt: str, _seconds: float | None) -> str:
        console.print(Text(prompt), end="")
        line = stdin.readline()
        if not line:
            raise EOFError
        console.print(Text(line.rstrip("\n")[:LINE_MAX]))
        return line

    return read_and_echo


def _read_in_time(prompt: str, seconds: float) -> str:
    """Read a line from the keyboard before the time is up, without line editing."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    ready, _, _ = select.select([sys.stdin], [], [], max(0.0, seconds))
    if not ready:
        _forget_typed()
        sys.stdout.write("\n")
        raise TimeUp
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _forget_typed() -> None:
    """Drop what was typed without Enter: it was meant for the question that is over."""
    try:
        import termios
    except ImportError:
        return
    termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _enable_editing() -> None:
    """Enable arrow keys and earlier lines, where the system has readline."""
    try:
        import readline
    except ImportError:
        return
    readline.set_history_length(100)


def is_interactive(stdin: TextIO | None = None, stdout: TextIO | None = None) -> bool:
    """Whether input and output are both a terminal."""
    return (stdin or sys.stdin).isatty() and (stdout or sys.stdout).isatty()
