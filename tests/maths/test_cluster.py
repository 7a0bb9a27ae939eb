"""Counts and simulations on real worker processes give the result of one process."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from openfelt.catalog import load_house
from openfelt.maths import play_sessions, simulate
from openfelt.maths.cluster import Cluster, ClusterError, OtherCodeError, cluster_at
from openfelt.maths.draw import stored_counts
from openfelt.maths.draw.house_way_ante import count_house_way_ante
from openfelt.maths.holdem.flashed_values import Seen, flashed_values
from openfelt.maths.parallel import piece_results, working

SMALL_DECK = [card for card in range(52) if card >> 2 in (0, 1, 9, 11, 12)]


def workers(count: int) -> LocalCluster:
    return LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    )


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with workers(2) as local:
        yield str(local.scheduler_address)


@pytest.fixture
def cluster(scheduler: str) -> Iterator[Cluster]:
    with cluster_at(scheduler) as crew:
        yield crew


@pytest.fixture
def no_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep counts in an empty folder, so that they are counted."""
    monkeypatch.setattr(stored_counts, "cache_root", lambda: tmp_path)


def test_simulated_rounds_and_sessions_are_those_of_one_process(cluster: Cluster) -> None:
    online, draw = load_house("online"), load_house("draw")

    def played() -> list[dict[str, Any]]:
        sessions = play_sessions(
            online, "basic", sessions=300, rounds=20, bankroll_cents=5_000, seed=3
        )
        return [
            simulate(online, "basic", rounds=200_000, seed=11).as_json(),
            simulate(draw, "house_way", rounds=200_000, seed=11).as_json(),
            sessions.as_json(),
        ]

    with working(crew=cluster):
        far = played()
    assert far == played()


def test_exact_counts_are_those_of_one_process(cluster: Cluster, no_counts: None) -> None:
    deck = range(32, 48)
    with working(crew=cluster):
        far = flashed_values([Seen.DEALER_CARD], deck=deck), count_house_way_ante(SMALL_DECK)
    assert far == (
        flashed_values([Seen.DEALER_CARD], deck=deck),
        count_house_way_ante(SMALL_DECK),
    )


def test_a_killed_worker_changes_nothing(cluster: Cluster) -> None:
    online = load_house("online")
    pids: set[int] = set()

    def kill_one(done: int, total: int) -> None:
        if not pids:
            pids.update(cluster.run_everywhere(os.getpid))
            os.kill(min(pids), signal.SIGKILL)

    with working(crew=cluster):
        far = simulate(online, "basic", rounds=1_600_000, seed=2, progress=kill_one)
    assert min(pids) not in cluster.run_everywhere(os.getpid)
    assert far == simulate(online, "basic", rounds=1_600_000, seed=2)


def test_a_worker_with_other_code_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.maths.cluster.code_digest", lambda: "another")
    with working(crew=cluster), pytest.raises(OtherCodeError, match="another version"):
        list(piece_results(abs, [1, -2]))


def test_what_a_piece_raises_is_raised_here(cluster: Cluster) -> None:
    with working(crew=cluster), pytest.raises(FileNotFoundError, match="nowhere"):
        list(piece_results(os.listdir, ["/", "/nowhere"]))


def test_a_scheduler_without_workers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openfelt.maths.cluster.WAIT_S", 0.2)
    with (
        workers(0) as local,
        pytest.raises(ClusterError, match=r"has no workers\. On each machine, run: dask worker"),
        cluster_at(local.scheduler_address),
    ):
        pass
