import itertools
import json
from math import sqrt

import pytest

from openfelt.catalog import load_house
from openfelt.maths.simulation.rounds import Simulation, WagerTotals, simulate
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.maths.wagers.side_bet_figures import (
    SideBet,
    price_play_the_board,
    price_trips,
    price_ultimate_pairs,
)
from openfelt.rules import Banker, Beneficiary, Spot, Wager, WagerKind
from openfelt.rules.paytable import HandPaytable
from tests.kit.felt import wagers_of
from tests.kit.own_houses import own_house


def _totals(result: Simulation, wager: str, beneficiary: str = "player") -> WagerTotals:
    (found,) = (
        one for one in result.wagers if (one.wager, one.beneficiary) == (wager, beneficiary)
    )
    return found


def test_the_result_is_the_same_whatever_the_number_of_workers() -> None:
    house = load_house("stadium")
    results = [
        simulate(
            house,
            "published_simple",
            TableSetting(seats=2, hands=2),
            rounds=150_000,
            seed=3,
            workers=workers,
        )
        for workers in (1, 2, 7)
    ]
    assert results[0] == results[1] == results[2]
    assert results[0] != simulate(
        house, "published_simple", TableSetting(seats=2), rounds=150_000, seed=4
    )


def test_the_sums_of_a_result_agree_with_each_other() -> None:
    wagers = wagers_of("ante 10, trips 5, bad_beat 5, ultimate_pairs 5, play_the_board 5")
    result = simulate(
        load_house("stadium"),
        "published_simple",
        TableSetting(seats=2, wagers=wagers),
        rounds=70_000,
    )
    assert result.histogram_unlisted == 0
    assert sum(count for _, count in result.histogram) == 70_000
    assert sum(net * count for net, count in result.histogram) == result.net_cents
    assert sum(net * net * count for net, count in result.histogram) == result.square_sum
    assert sum(count for net, count in result.histogram if net > 0) == result.rounds_won
    assert sum(count for net, count in result.histogram if net == 0) == result.rounds_even
    assert sum(one.net_cents for one in result.wagers) == result.net_cents
    assert sum(one.staked_cents for one in result.wagers) == result.staked_cents
    assert sum(result.decisions.values()) == 2 * 70_000
    ante = _totals(result, "ante")
    assert ante.wins + ante.pushes + ante.losses == 2 * 70_000
    assert ante.staked_cents == _totals(result, "blind").staked_cents == 2 * 70_000 * 1000


def _deviations(totals: WagerTotals, exact: SideBet, stake_cents: int) -> float:
    """How many standard deviations the simulated mean lies off the exact one."""
    count = totals.staked_cents // stake_cents
    mean = totals.net_cents / totals.staked_cents
    return abs(mean - float(exact.expected)) / (exact.std_dev / sqrt(count))


def test_side_bets_come_close_to_their_exact_figures() -> None:
    house = load_house("stadium")
    wagers = wagers_of("ante 10, trips 5, ultimate_pairs 5, play_the_board 5")
    result = simulate(house, "always_4x", TableSetting(wagers=wagers), rounds=2_000_000)
    trips, board = (house.hand_table(kind) for kind in (WagerKind.TRIPS, WagerKind.PLAY_THE_BOARD))
    assert isinstance(trips, HandPaytable)
    assert _deviations(_totals(result, "trips"), price_trips(trips), 500) < 4
    assert _deviations(_totals(result, "play_the_board"), price_play_the_board(board), 500) < 4
    pairs = price_ultimate_pairs(house.pairs_table())
    assert _deviations(_totals(result, "ultimate_pairs"), pairs, 500) < 4


@pytest.mark.slow
def test_the_published_strategy_loses_what_its_author_says() -> None:
    # The Wizard of Odds gives 2.43% of the Ante.
    result = simulate(load_house("online"), "published_simple", rounds=4_000_000)
    low, high = (end / result.ante_cents for end in result.interval_cents(0.999))
    assert low < -0.0243 < high
    assert result.decisions["bet_4x"] / 4_000_000 == pytest.approx(0.377, abs=0.001)
    assert result.units_staked == pytest.approx(4.165, abs=0.01)


def test_hands_from_own_decks_may_hold_the_same_cards() -> None:
    shared = simulate(load_house("washington"), "always_4x", TableSetting(seats=6), rounds=20_000)
    own = simulate(load_house("stadium"), "always_4x", TableSetting(seats=20), rounds=20_000)
    assert (shared.hands, own.hands) == (6, 20)
    assert own.std_dev_cents / own.ante_cents > 1


def test_wagers_for_the_dealer_are_told_apart() -> None:
    result = simulate(
        load_house("stadium"),
        "published_simple",
        TableSetting(wagers=[*wagers_of("ante 10, tip ante 5, tip trips 5")]),
        rounds=5_000,
    )
    tip = _totals(result, "ante", Beneficiary.DEALER.value)
    assert tip.staked_cents * 2 == _totals(result, "ante").staked_cents
    assert tip.net_cents * 2 == _totals(result, "ante").net_cents
    assert result.net_cents == sum(
        one.net_cents for one in result.wagers if one.beneficiary == "player"
    )


def test_a_small_bank_returns_what_it_cannot_cover() -> None:
    house = load_house("california")
    small = simulate(
        house, "always_4x", TableSetting(seats=6, banker=Banker(7, 3_000)), rounds=5_000
    )
    assert _totals(small, "play").returned > 0
    assert all(abs(net) <= 3_000 for net, _ in small.histogram)
    large = simulate(house, "always_4x", TableSetting(seats=6), rounds=5_000)
    assert _totals(large, "play").returned == 0


def test_a_larger_meter_pays_larger_shares() -> None:
    house = load_house("washington")
    wagers = wagers_of("ante 5, progressive 1")
    low, high = (
        simulate(
            house,
            "always_4x",
            TableSetting(wagers=wagers, seats=6, meter_cents=meter),
            rounds=200_000,
        )
        for meter in (0, 10_000_000)
    )
    assert _totals(low, "progressive").wins == _totals(high, "progressive").wins
    assert _totals(low, "progressive").net_cents < _totals(high, "progressive").net_cents
    assert _totals(low, "envy") == _totals(high, "envy")


def test_results_become_json_and_keep_their_exact_sums() -> None:
    result = simulate(load_house("online"), "published_simple", rounds=3_000)
    figures = json.loads(json.dumps(result.as_json()))
    assert figures["net_cents"] == result.net_cents
    assert sum(figures["decisions"].values()) == pytest.approx(1)
    assert figures["interval_99"][0] < figures["interval_95"][0] < figures["ev_per_ante"]
    assert figures["histogram"][0] == list(result.histogram[0])
    draw = simulate(
        load_house("draw"), "house_way", TableSetting(wagers=wagers_of("bonus 1")), rounds=3_000
    )
    figures = json.loads(json.dumps(draw.as_json()))
    assert (figures["ev_per_ante"], figures["decisions"]) == (None, {})


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    simulate(
        load_house("online"),
        "always_4x",
        rounds=150_000,
        progress=lambda done, whole: told.append((done, whole)),
    )
    counted = [0, *(done for done, _ in told)]
    steps = [after - before for before, after in itertools.pairwise(counted)]
    # Pieces that are finished at the same time are told in any order.
    assert sorted(steps) == [18_928, 65_536, 65_536]
    assert {whole for _, whole in told} == {150_000}


def test_wagers_can_differ_from_spot_to_spot() -> None:
    result = simulate(
        load_house("stadium"),
        "published_simple",
        TableSetting(
            wagers={Spot(1, 1): wagers_of("ante 10"), Spot(4, 2): wagers_of("ante 20, trips 5")}
        ),
        rounds=100,
    )
    assert (result.hands, result.ante_cents) == (2, 3000)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rounds": 0}, "rounds must be a whole number from 1"),
        ({"rounds": 1.5}, "rounds must be a whole number"),
        ({"seed": -1}, "seed must be"),
        ({"workers": 0}, "workers must be"),
        ({"setting": TableSetting(seats=2)}, "seats must be a whole number from 1 to 1"),
        ({"setting": TableSetting(hands=2)}, "hands must be a whole number from 1 to 1"),
        ({"setting": TableSetting(wagers=[Wager(WagerKind.ANTE, 1)])}, "at least"),
        ({"setting": TableSetting(wagers=[])}, "No wager has been made"),
        ({"setting": TableSetting(banker=Banker(1, 100))}, "The house banks"),
        ({"strategy": "guess"}, "no strategy for online is called"),
    ],
)
def test_what_cannot_be_simulated_is_refused(options: dict[str, object], words: str) -> None:
    settings: dict[str, object] = {"strategy": "always_4x", "rounds": 10} | options
    strategy = settings.pop("strategy")
    with pytest.raises(ValueError, match=words):
        simulate(load_house("online"), strategy, **settings)  # type: ignore[arg-type]


def test_rounding_and_qualifying_rules_of_a_house_change_its_result() -> None:
    plain, hard = (
        simulate(
            own_house("online", {"dealer_qualifies": {"hand": hand}}), "always_4x", rounds=50_000
        )
        for hand in ("pair", "two pair")
    )
    assert _totals(hard, "ante").pushes > _totals(plain, "ante").pushes
    assert _totals(hard, "play") == _totals(plain, "play")
