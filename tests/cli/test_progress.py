"""The progress bar."""

import sys
from io import StringIO

import pytest

from openfelt.cli.progress import watched


class Terminal(StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_there_is_no_bar_without_a_terminal() -> None:
    with watched("Solving") as progress:
        assert progress is None


def test_a_terminal_shows_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with watched("Solving the game") as progress:
        assert progress is not None
        progress(3, 8)
    assert "Solving the game" in screen.getvalue()
