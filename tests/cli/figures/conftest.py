"""What several commands that calculate need."""

import pytest

from openfelt.cli.figures import strategy_choice
from openfelt.maths.simulation import exact_rounds
from openfelt.maths.strategy import strategy_names
from openfelt.maths.wagers import house_figures
from tests.kit.maths.solution import join_once, solve_once


@pytest.fixture
def solved_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands take the usual game and its side bets from where all tests share them.

    `test_edge` and `test_strategy` each have a test that solves within the command.
    """
    for module in (house_figures, strategy_names, strategy_choice):
        monkeypatch.setattr(module, "solve_holdem", solve_once)
    for module in (house_figures, exact_rounds):
        monkeypatch.setattr(module, "join_wagers", join_once)
