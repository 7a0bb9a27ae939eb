"""Counts and simulations on real worker processes give the result of one process."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from openfelt.catalog import load_house
from openfelt.maths import play_sessions, simulate
from openfelt.maths.cluster import Cluster, ClusterError, OtherCodeError, cluster_at
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.draw_solution import solve_draw
from openfelt.maths.draw.draw_spread import count_spread
from openfelt.maths.draw.house_way_ante import count_house_way_ante
from openfelt.maths.holdem import flashed_values as flashed
from openfelt.maths.holdem.flashed_values import Seen, flashed_values
from openfelt.maths.holdem.shared_hands import Together, estimate_shared
from openfelt.maths.parallel import Progress, piece_results, working
from openfelt.maths.simulation import rounds as simulation_rounds
from openfelt.maths.simulation import sessions as simulation_sessions
from tests.kit.maths.games import small_deck

SMALL_DECK = [card for card in range(52) if card >> 2 in (0, 1, 9, 11, 12)]
FIFTEEN_CARDS = [card.number for card in small_deck("23JKA", 3)]


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
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Keep counts and runs in a folder of their own, from each call on in another one."""
    calls: list[Path] = []

    def change() -> None:
        calls.append(tmp_path / str(len(calls)))

    change()
    for module in ("stored_counts", "simulation.run_checkpoints"):
        monkeypatch.setattr(f"openfelt.maths.{module}.cache_root", lambda: calls[-1])
    return change


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


def test_exact_counts_are_those_of_one_process(
    cluster: Cluster, empty_folder: Callable[[], None]
) -> None:
    deck = range(32, 48)
    with working(crew=cluster):
        far = flashed_values([Seen.DEALER_CARD], deck=deck), count_house_way_ante(SMALL_DECK)
    empty_folder()
    assert far == (
        flashed_values([Seen.DEALER_CARD], deck=deck),
        count_house_way_ante(SMALL_DECK),
    )


def test_every_count_of_ultimate_draw_is_that_of_one_process(
    cluster: Cluster, empty_folder: Callable[[], None]
) -> None:
    """All holds by ranks, the flushes of the best ones, and their spread."""
    terms = draw_terms_of(load_house("draw"))

    def counted() -> list[Any]:
        solution = solve_draw(FIFTEEN_CARDS)
        best = solution.best(terms)
        spread = count_spread(solution, best.holds)
        ranks, unqualified = solution.ranks.results, solution.ranks.unqualified
        return [ranks.tolist(), unqualified.tolist(), best.holds.tolist(), best.gain, spread]

    with working(crew=cluster):
        far = counted()
    empty_folder()
    with working(workers=1):
        assert far == counted()


def test_hands_that_see_each_other_are_those_of_one_process(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.maths.holdem.shared_hands.SAMPLES_MIN", 16)
    deck = range(36, 48)

    def counted() -> tuple[Any, Any]:
        estimate = estimate_shared(Together.TWO_HANDS, samples=16, seed=4)
        return estimate, flashed_values([Seen.TWO_HANDS], deck=deck)

    with working(crew=cluster):
        far = counted()
    assert far == counted()


Job = Callable[[Progress | None, Progress | None], Any]


def kept_run(progress: Progress | None, resumed: Progress | None) -> Any:
    return simulate(
        load_house("online"),
        "basic",
        rounds=400_000,
        seed=6,
        progress=progress,
        kept=True,
        resumed=resumed,
    )


def kept_sessions(progress: Progress | None, resumed: Progress | None) -> Any:
    ended = play_sessions(
        load_house("online"),
        "basic",
        sessions=400,
        rounds=20,
        bankroll_cents=5_000,
        seed=3,
        progress=progress,
        kept=True,
        resumed=resumed,
    )
    return ended, ended.ends_cents.tolist()


def kept_count(progress: Progress | None, resumed: Progress | None) -> Any:
    deck, kinds = range(32, 48), [Seen.DEALER_CARD]
    return flashed_values(kinds, deck=deck, progress=progress, kept=True, resumed=resumed)


@pytest.mark.parametrize(
    ("job", "cluster_first"),
    [(kept_run, True), (kept_run, False), (kept_sessions, True), (kept_count, False)],
)
def test_what_one_crew_has_left_another_one_finishes(
    job: Job,
    cluster_first: bool,
    cluster: Cluster,
    empty_folder: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulation_rounds, "BATCHES_IN_BLOCK", 1)
    monkeypatch.setattr(simulation_sessions, "BLOCK_ROUNDS", 20 * 20)
    monkeypatch.setattr(flashed, "_BLOCK", 8)
    crews = (cluster, None) if cluster_first else (None, cluster)
    resumed: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise InterruptedError

    with working(crew=crews[0], workers=1), suppress(InterruptedError):
        job(stop, None)
    with working(crew=crews[1], workers=2):
        again = job(None, lambda *amounts: resumed.append(amounts))
    ((kept, total),) = resumed
    assert total // 3 < kept < total
    empty_folder()
    assert again == job(None, None)


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
