import json

import numpy as np
import pytest

from openfelt.catalog import load_house
from openfelt.maths.simulation.sessions import play_sessions
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.rules import Spot
from tests.kit.felt import wagers_of
from tests.kit.own_houses import own_house

ONLINE = load_house("online")


def test_sessions_are_the_same_whatever_the_number_of_workers() -> None:
    results = [
        play_sessions(
            ONLINE,
            "published_simple",
            sessions=300,
            rounds=100,
            bankroll_cents=3_000,
            seed=5,
            workers=workers,
        )
        for workers in (1, 3)
    ]
    assert results[0] == results[1]
    assert np.array_equal(results[0].ends_cents, results[1].ends_cents)


def test_every_session_ends_one_way_and_no_bankroll_goes_below_nothing() -> None:
    result = play_sessions(
        ONLINE,
        "published_simple",
        sessions=500,
        rounds=400,
        bankroll_cents=2_000,
        win_goal_cents=1_000,
    )
    assert result.ruined + result.reached_goal + result.played_out == 500
    assert min(result.ruined, result.reached_goal) > 0
    assert result.lowest_cents[0] >= 0
    assert (result.ends_cents < 300).sum() == result.ruined
    assert (result.ends_cents >= 3_000).sum() == result.reached_goal
    assert result.rounds_played < 500 * 400


def test_longer_sessions_are_lost_more_often_and_larger_bankrolls_less() -> None:
    def ruined(rounds: int, bankroll_cents: int) -> int:
        return play_sessions(
            ONLINE,
            "published_simple",
            sessions=1_000,
            rounds=rounds,
            bankroll_cents=bankroll_cents,
        ).ruined

    assert ruined(50, 2_000) < ruined(200, 2_000)
    assert ruined(200, 8_000) < ruined(200, 2_000)


def test_a_player_with_just_enough_for_one_round_never_bets_more_than_1x() -> None:
    result = play_sessions(ONLINE, "published_simple", sessions=500, rounds=1, bankroll_cents=300)
    # Ante and Blind lost, or a 1x Play too: a raise was out of reach.
    losses = {int(end) for end in result.ends_cents if end < 300}
    assert losses <= {0, 100, 200}
    assert result.needed_cents == 300


def test_a_house_that_reserves_nothing_lets_the_last_chips_be_played() -> None:
    house = own_house("online", {"play.reserve_play": False})
    result = play_sessions(house, "always_4x", sessions=50, rounds=1, bankroll_cents=200)
    assert result.needed_cents == 200
    # Nothing is left for a Play wager: every hand folds on the river.
    assert set(result.ends_cents.tolist()) == {0}


@pytest.mark.clause("R.12")
def test_what_a_wager_for_the_dealer_wins_is_the_dealers() -> None:
    alone, tipped = (
        play_sessions(
            load_house("stadium"),
            "never_raise",
            TableSetting(wagers=wagers_of(wagers)),
            sessions=400,
            rounds=1,
            bankroll_cents=10_000,
        )
        for wagers in ("ante 10", "ante 10, tip trips 5")
    )
    assert (alone.needed_cents, tipped.needed_cents) == (3_000, 3_500)
    # The cards are the same: the bankrolls differ by the stakes of the Trips that lost.
    lost, rest = divmod(int(alone.ends_cents.sum() - tipped.ends_cents.sum()), 500)
    assert rest == 0
    assert 300 < lost < 380


def test_ultimate_draw_needs_no_more_than_its_wagers() -> None:
    result = play_sessions(
        load_house("draw"), "house_way", sessions=100, rounds=20, bankroll_cents=500
    )
    assert result.needed_cents == 500
    assert result.ruined > 0


def test_quantiles_and_json() -> None:
    result = play_sessions(
        ONLINE, "published_simple", sessions=200, rounds=20, bankroll_cents=5_000
    )
    assert result.quantile_cents(0) == result.ends_cents[0]
    assert result.quantile_cents(0.5) == result.ends_cents[99]
    assert result.quantile_cents(0.501) == result.ends_cents[100]
    assert result.quantile_cents(1) == result.ends_cents[-1]
    with pytest.raises(ValueError, match="between 0 and 1"):
        result.quantile_cents(1.5)
    figures = json.loads(json.dumps(result.as_json()))
    assert figures["end_quantiles_cents"]["0.5"] == result.quantile_cents(0.5)
    low, high = figures["ruin_interval_95"]
    assert low <= figures["ruin_probability"] <= high


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bankroll_cents": 299}, "a bankroll of \\$2.99 does not cover one round.*\\$3.00"),
        ({"bankroll_cents": 0}, "bankroll_cents must be"),
        ({"sessions": 0}, "sessions must be"),
        ({"rounds": 0}, "rounds must be"),
        ({"win_goal_cents": 0}, "win_goal_cents must be"),
        ({"seed": 1 << 64}, "seed must be"),
    ],
)
def test_impossible_sessions_are_refused(options: dict[str, int], words: str) -> None:
    settings = {"sessions": 1, "rounds": 1, "bankroll_cents": 1_000} | options
    with pytest.raises(ValueError, match=words):
        play_sessions(ONLINE, "published_simple", **settings)  # type: ignore[arg-type]


def test_a_bankroll_plays_from_one_seat() -> None:
    both = {Spot(seat, 1): wagers_of("ante 10") for seat in (1, 2)}
    with pytest.raises(ValueError, match="one seat"):
        play_sessions(
            load_house("stadium"),
            "always_4x",
            TableSetting(wagers=both),
            sessions=1,
            rounds=1,
            bankroll_cents=10**6,
        )
