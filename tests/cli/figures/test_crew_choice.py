"""``--workers`` and ``--scheduler``."""

import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from openfelt.cli.figures import crew_choice, draw_strategy, seen_cards
from openfelt.maths import cluster, solve_draw, stored_counts
from openfelt.maths.holdem.flashed_values import flashed_values
from tests.kit.cli.commands import complaint, facts
from tests.kit.cli.few_deals import estimate_from_few_deals
from tests.kit.maths.games import small_deck

RUN = ("simulate", "online", "--rounds", "70000", "--seed", "5")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
    ) as local:
        yield str(local.scheduler_address)


@pytest.fixture
def small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count what takes minutes with a few cards only."""
    deck = [card.number for card in small_deck("9TJQ", 3)]
    monkeypatch.setattr(seen_cards, "flashed_values", partial(flashed_values, deck=deck))
    fifteen = [card.number for card in small_deck("23JKA", 3)]
    monkeypatch.setattr(draw_strategy, "solve_draw", partial(solve_draw, fifteen))
    estimate_from_few_deals(monkeypatch)


@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize(
    "command",
    [
        RUN,
        ("edge", "online", "--seen-by", "dealer_card", "--count-again"),
        ("edge", "stadium", "--seen-by", "two_hands", "--samples", "1000"),
        ("strategy", "draw", "--name", "perfect", "--price", "--spread"),
    ],
)
def test_a_scheduler_gives_the_same_result(
    command: tuple[str, ...],
    scheduler: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pieces: list[int] = []
    results = cluster.Cluster.results

    def noted(crew: cluster.Cluster, task: Any, some: Any) -> Any:
        pieces.append(len(some))
        return results(crew, task, some)

    monkeypatch.setattr(cluster.Cluster, "results", noted)
    monkeypatch.setattr(stored_counts, "cache_root", lambda: tmp_path / "far")
    far = facts(capsys, *command, "--scheduler", scheduler)
    assert sum(pieces) > 0
    pieces.clear()
    monkeypatch.setattr(stored_counts, "cache_root", lambda: tmp_path / "near")
    assert far == facts(capsys, *command, "--workers", "1")
    assert pieces == []


def test_a_scheduler_that_does_not_answer_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "WAIT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"
    for command in (RUN, ("edge", "draw"), ("parsheet", "online"), ("strategy", "draw")):
        sentence, code = complaint(capsys, *command, "--scheduler", address)
        assert sentence == f"openfelt: No Dask scheduler answers at {address}.\n"
        assert code == 1


def test_without_dask_its_package_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew_choice, "find_spec", lambda name: None)
    sentence, code = complaint(capsys, *RUN, "--scheduler", "tcp://127.0.0.1:1")
    assert "pip install 'openfelt[dask]'" in sentence
    assert code == 2
