"""``openfelt simulate``."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest

from openfelt.catalog import load_house
from openfelt.cli import main
from openfelt.cli.figures import simulation_run
from openfelt.maths import play_sessions, simulate, stored_counts
from openfelt.maths.parallel import Progress
from openfelt.maths.simulation import rounds as simulation_rounds
from openfelt.maths.simulation import run_checkpoints
from openfelt.maths.simulation import sessions as simulation_sessions
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.rules import Wager, WagerKind
from tests.kit.cli.commands import complaint, facts, output
from tests.kit.maths.solution import price_once
from tests.kit.own_houses import house_document, toml_text


def test_the_same_seed_gives_the_same_whatever_the_workers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = ("simulate", "online", "--rounds", "70000", "--seed", "5", "--bet", "trips=1")
    found = [facts(capsys, *run, "--workers", workers) for workers in ("1", "3")]
    assert found[0] == found[1]
    wagers = [Wager(WagerKind.ANTE, 100), Wager(WagerKind.TRIPS, 100)]
    library = simulate(
        load_house("online"), "basic", TableSetting(wagers=wagers), rounds=70_000, seed=5
    )
    assert found[0]["net_cents"] == library.net_cents
    assert {"decisions", "std_dev", "units_staked", "interval_95"} <= set(found[0])


def test_exact_figures_stand_beside(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(
        capsys, "simulate", "washington", "--rounds", "1000", "--seed", "1", "--bet", "trips=5"
    )
    assert found["exact"]["base_ev_per_ante_fraction"] == "-13422713701/579454375500"
    assert found["exact"]["wagers"]["trips"]["net_per_unit"] == pytest.approx(-0.009018, abs=1e-6)
    shown = output(
        capsys, "simulate", "washington", "--rounds", "1000", "--seed", "1", "--bet", "trips=5"
    )
    assert "-0.02316" in shown
    assert "-0.00902" in shown
    assert "37.707%" in shown
    assert "Repeat with --seed 1." in shown
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_amounts_that_are_rounded_have_no_exact_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = house_document("online", {"id": "whole_dollars", "rounding_unit_cents": 100})
    (tmp_path / "whole_dollars.toml").write_text(toml_text(document), encoding="utf-8")
    run = ("simulate", "whole_dollars", "--houses", str(tmp_path), "--rounds", "10", "--seed", "1")
    assert "base_ev_per_ante" not in facts(capsys, *run, "--ante", "1")["exact"]
    assert "base_ev_per_ante" in facts(capsys, *run, "--ante", "2")["exact"]


def test_without_a_seed_one_is_drawn_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    first = facts(capsys, "simulate", "online", "--rounds", "100")
    again = facts(capsys, "simulate", "online", "--rounds", "100", "--seed", str(first["seed"]))
    assert first == again


def test_the_speed_is_told_apart_from_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "draw", "--rounds", "500", "--seed", "1", "--bet", "bonus=1", "--json"])
    printed = capsys.readouterr()
    assert "500 rounds in" in printed.err
    assert "a second" in printed.err
    found = json.loads(printed.out)
    assert found["strategy"] == "house_way"
    assert {one["wager"] for one in found["wagers"]} == {"ante", "ante_bonus", "bonus"}


def test_ultimate_draw_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "simulate", "draw", "--rounds", "500", "--seed", "1")
    assert "Ante Bonus" in shown
    assert "Bet 4x" not in shown


def test_several_hands(capsys: pytest.CaptureFixture[str]) -> None:
    run = ("simulate", "stadium", "--rounds", "1000", "--seed", "2", "--hands", "3")
    assert "1,000 rounds of 3 hands" in output(capsys, *run)
    found = facts(capsys, *run)
    assert found["ante_cents"] == 3000
    assert sum(found["decision_counts"].values()) == 3000


def test_sessions_with_a_bankroll(capsys: pytest.CaptureFixture[str]) -> None:
    run = [
        "simulate",
        "online",
        "--sessions",
        "200",
        "--bankroll",
        "50",
        "--seed",
        "4",
        "--rounds-per-session",
        "100",
        "--goal",
        "30",
        "--strategy",
        "published_simple",
    ]
    found = facts(capsys, *run)
    library = play_sessions(
        load_house("online"),
        "published_simple",
        sessions=200,
        rounds=100,
        bankroll_cents=5_000,
        win_goal_cents=3_000,
        seed=4,
    )
    assert found == json.loads(json.dumps(library.as_json()))
    shown = output(capsys, *run)
    assert "200 sessions of at most 100 rounds by published_simple" in shown
    assert "Won $30.00" in shown
    assert "in 50% of sessions" in shown


@contextmanager
def pressed_half_way(_words: str) -> Iterator[Progress]:
    """Progress during which Ctrl-C is pressed."""

    def press(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    yield press


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (("--rounds", "200000"), "131,072 of 200,000 rounds"),
        (("--sessions", "100", "--rounds-per-session", "20"), "60 of 100 sessions"),
    ],
)
def test_a_long_run_goes_on_where_it_was_interrupted(
    options: tuple[str, ...],
    kept: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = ("simulate", "online", "--seed", "8", *options)
    alone = facts(capsys, *run)
    monkeypatch.setattr(simulation_run, "KEPT_ROUNDS", 2_000)
    monkeypatch.setattr(simulation_rounds, "BATCHES_IN_BLOCK", 1)
    monkeypatch.setattr(simulation_sessions, "BLOCK_ROUNDS", 400)
    for module in (run_checkpoints, stored_counts):
        monkeypatch.setattr(module, "cache_root", lambda: tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(simulation_run, "watched", pressed_half_way)
        with pytest.raises(SystemExit):
            main([*run, "--workers", "1"])
    told = capsys.readouterr().err
    assert "Results are saved on disk." in told
    assert "If this is interrupted, repeat the command with --seed 8" in told
    for said in (f"Continuing: {kept} are saved", f"All {kept.split(' of ')[1]} are saved"):
        with pytest.raises(SystemExit) as left:
            main([*run, "--workers", "2", "--json"])
        assert not left.value.code
        printed = capsys.readouterr()
        assert said in printed.err
        assert json.loads(printed.out) == alone


@pytest.mark.slow
@pytest.mark.usefixtures("solved_game")
def test_perfect_play_is_solved_first(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(
        capsys, "simulate", "online", "--rounds", "20000", "--seed", "3", "--strategy", "perfect"
    )
    assert found["strategy"] == "perfect"
    assert found["exact"]["base_ev_per_ante_fraction"] == "-50643648973/2317817502000"
    assert abs(found["decisions"]["fold"] - 0.19186) < 0.015


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "no house called 'nowhere'"),
        (("online", "--rounds", "0"), "Rounds must be a whole number"),
        (("online", "--seed", "-1"), "Seed must be a whole number"),
        (("online", "--hands", "2"), "Hands must be a whole number"),
        (("online", "--workers", "999"), "less than or equal to 256"),
        (("online", "--strategy", "mine"), "called 'mine'"),
        (("online", "--strategy", "house_way"), "called 'house_way'"),
        (("draw", "--strategy", "basic"), "try perfect, house_way, basic_draw, best_draw"),
        (("online", "--bet", "tripps=5"), "It has trips."),
        (("online", "--bet", "trips"), "trips=5"),
        (("online", "--bet", "trips=much"), "--bet trips: 'much' is not an amount"),
        (("online", "--ante", "0.10"), "nte"),
        (("washington", "--bet", "bad_beat=5"), "Bad Beat needs a wager on Trips"),
        (("online", "--bankroll", "100"), "need --sessions"),
        (("online", "--rounds-per-session", "9"), "need --sessions"),
        (("online", "--sessions", "5", "--rounds", "9"), "use --rounds-per-session"),
        (("online", "--workers", "2", "--scheduler", "tcp://127.0.0.1:1"), "not both"),
        (("online", "--sessions", "5", "--bankroll", "1"), "does not cover one round"),
        (("online", "--sessions", "0"), "Sessions must be a whole number"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "simulate", *arguments)
    assert said in sentence
    assert code == 2


def test_an_interval_that_may_be_too_narrow_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    run = ("simulate", "washington", "--rounds", "3000", "--seed", "1", "--ante", "5")
    rare = (*run, "--bet", "trips=5", "--bet", "bad_beat=50")
    told = " ".join(output(capsys, *rare).split())
    assert "Straight flush on Bad Beat is expected 0.0111 times in these rounds" in told
    assert "95% by exact variance, from" in told
    found = facts(capsys, *rare)
    own, exact = found["interval_95_cents"], found["interval_95_exact_variance_cents"]
    assert exact[0] < found["mean_cents"] < exact[1]
    assert exact != own
    # Where the variance is not known exactly, the caution says so.
    unknown = (*run[:6], "--strategy", "always_4x", "--bet", "bad_beat=5", "--bet", "trips=5")
    found = facts(capsys, *unknown)
    assert found["interval_95_exact_variance_cents"] is None
    assert "exact variance of these wagers is not known" in found["interval_caution"]


def test_a_progressive_has_exact_figures_at_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    run = ("simulate", "washington", "--rounds", "3000", "--seed", "1", "--bet", "progressive=1")
    found = facts(capsys, *run)
    assert found["exact"]["wagers"]["progressive"]["net_per_unit"] == pytest.approx(-0.440188)
    assert found["interval_95_exact_variance_cents"] is not None
    assert "is not known" not in found["interval_caution"]
    # The covariances need the solved game, which a strategy other than perfect play does not have.
    assert "variance_cents" not in found["exact"]
    game, link = Fraction("-13422713701/579454375500"), found["exact"]["wagers"]["progressive"]
    mean = 500 * game + 100 * Fraction(link["net_per_unit_fraction"])
    assert Fraction(found["exact"]["mean_cents_fraction"]) == mean


@pytest.mark.slow
@pytest.mark.usefixtures("solved_game")
def test_perfect_play_with_side_bets_has_its_exact_variance(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = ("simulate", "washington", "--rounds", "3000", "--seed", "1", "--strategy", "perfect")
    found = facts(capsys, *run, "--bet", "progressive=1")["exact"]
    figures = price_once(load_house("washington"))
    stakes = {"game": 500, "progressive": 100}
    assert Fraction(found["mean_cents_fraction"]) == figures.joint.expected(stakes)
    assert Fraction(found["variance_cents_fraction"]) == figures.joint.variance(stakes)
    assert "rounds_won" not in found
    alone = facts(capsys, *run)["exact"]
    nets, deals = figures.solution.distribution, figures.solution.deals
    won = Fraction(sum(count for net, count in nets.items() if net > 0), deals)
    assert Fraction(alone["rounds_won_fraction"]) == won
    assert Fraction(alone["variance_cents_fraction"]) == 500**2 * figures.solution.variance


@pytest.mark.parametrize(
    ("strategy", "held"),
    [
        ("house_way", "Held the house way"),
        ("basic_draw", "Held by the basic strategy"),
        ("best_draw_udp_01", "Held best for both"),
    ],
)
def test_ultimate_draw_has_the_exact_figures_of_edge(
    strategy: str, held: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ("simulate", "draw", "--strategy", strategy, "--rounds", "2000", "--seed", "1")
    found = facts(capsys, *run, "--bet", "bonus=5")
    exact, priced = found["exact"], facts(capsys, "edge", "draw", "--bet", "bonus=1")["together"]
    mean = Fraction(priced["strategies"][f"{held}_fraction"])
    variance = Fraction(priced["spreads"][held]["variance_fraction"])
    assert Fraction(exact["mean_cents_fraction"]) == 500 * mean
    assert Fraction(exact["variance_cents_fraction"]) == 500**2 * variance
    assert set(exact["wagers"]) == {"ante", "bonus"}
    assert "is not known" not in (found["interval_caution"] or "")
    shown = output(capsys, *run, "--bet", "bonus=5")
    assert f"{float(mean):+.5f}" in shown
    assert f"{float(variance) ** 0.5:.5f}" in shown
