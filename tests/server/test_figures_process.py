"""Figures of houses that a process beside the server computes."""

import os
import signal

import pytest

from openfelt.catalog import load_house
from openfelt.server.figures_process import FiguresProcess
from openfelt.server.supervision.real_play.wager_odds import (
    DRAW_GAME,
    HOLDEM_GAME,
    computed_odds,
)
from openfelt.server.tables.house_returns import exact_returns


@pytest.mark.variant
def test_figures_of_the_process_are_those_of_the_server() -> None:
    process, house = FiguresProcess(), load_house("washington")
    assert process.returns_of(house) == exact_returns(house)
    draw = load_house("draw")
    assert process.returns_of(draw) == exact_returns(draw)
    for wager in (HOLDEM_GAME, "trips", "bad_beat", "ultimate_pairs"):
        assert process.odds_of(house, wager) == computed_odds(house, wager)
    for wager in (DRAW_GAME, "bonus"):
        assert process.odds_of(draw, wager) == computed_odds(draw, wager)
    # A process that has ended is replaced; the answer is the same.
    inner = process._process._process
    assert inner is not None
    os.kill(inner.pid, signal.SIGKILL)
    inner.wait()
    assert process.odds_of(house, "trips") == computed_odds(house, "trips")
    process.close()


def test_without_a_process_the_server_computes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/program")
    process, draw = FiguresProcess(), load_house("draw")
    assert process.returns_of(draw) == exact_returns(draw)
    assert process.odds_of(draw, DRAW_GAME) == computed_odds(draw, DRAW_GAME)
    process.close()
    with pytest.raises(OSError, match="No such file"):
        process.returns_of(draw)
