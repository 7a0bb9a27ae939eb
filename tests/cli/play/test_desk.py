"""The desk: what is typed is tidied, and the end of input is a way to leave."""

import io
import os
import sys

import pytest

from openfelt.cli.play.desk import LINE_MAX, Leave, TimeUp, is_interactive, line_reader
from openfelt.cli.terminal import make_console
from tests.kit.cli.scripted_game import CTRL_C, TIME_UP, Script


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("  Trips   5 \n", "trips 5"),
        ("\t10\t", "10"),
        ("", ""),
        ("   ", ""),
        ("\x1b", "\ufffd"),
        ("a\x00b", "a\ufffdb"),
        ("x" * 1000, "x" * LINE_MAX),
    ],
)
def test_a_line_is_tidied(typed: str, read: str) -> None:
    assert Script([typed]).desk.ask("Bet") == read


@pytest.mark.parametrize("lines", [[], [CTRL_C]])
def test_the_end_of_input_and_ctrl_c_are_ways_to_leave(lines: list[str]) -> None:
    with pytest.raises(Leave):
        Script(lines).desk.ask("Bet")


def test_a_countdown_that_ends_says_so() -> None:
    with pytest.raises(TimeUp):
        Script([TIME_UP]).desk.ask("Bet", until=5.0)


def test_notes_wait_for_the_next_screen_at_a_terminal() -> None:
    script = Script([""], interactive=True)
    script.desk.note("Welcome.")
    assert "Welcome." not in script.text
    script.desk.screen("the table")
    assert script.text.index("the table") < script.text.index("Welcome.")
    script.desk.note("Later.")
    script.desk.ask("Bet")
    assert "Later." in script.text


def test_lines_from_a_pipe_are_echoed_behind_the_prompt() -> None:
    stream = io.StringIO()
    console = make_console(stream, environment={})
    read = line_reader(io.StringIO("10\nlast"), console, interactive=False)
    assert read("Bet> ", None) == "10\n"
    assert read("Bet> ", 3.0) == "last"
    assert stream.getvalue() == "Bet> 10\nBet> last\n"
    with pytest.raises(EOFError):
        read("Bet> ", None)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
def test_keys_typed_before_the_time_was_up_do_not_reach_the_next_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import pty

    own_end, their_end = pty.openpty()
    with os.fdopen(their_end) as keyboard, os.fdopen(own_end, "wb", buffering=0) as keys:
        monkeypatch.setattr(sys, "stdin", keyboard)
        read = line_reader(keyboard, make_console(io.StringIO()), interactive=True)
        keys.write(b"3")
        with pytest.raises(TimeUp):
            read("Bet> ", 0.05)
        keys.write(b"2\n")
        assert read("Bet> ", 60.0) == "2\n"


def test_a_pipe_is_not_a_terminal() -> None:
    assert not is_interactive(io.StringIO(), io.StringIO())
