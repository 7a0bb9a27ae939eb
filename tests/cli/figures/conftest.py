"""What several commands that calculate need."""

import pytest
from tests.kit.maths.solved import solve_once

from openfelt.cli.figures import strategy_choice
from openfelt.maths.wagers import house_figures


@pytest.fixture
def solved_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands take the usual game from the solution that all tests share.

    `test_edge` and `test_strategy` each have a test that solves within the command.
    """
    for module in (house_figures, strategy_choice):
        monkeypatch.setattr(module, "solve_holdem", solve_once)
