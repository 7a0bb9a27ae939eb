"""Intervals by exact variances cover what they say; those of a run's own deviation may not."""

from functools import cache
from math import sqrt

import numpy as np
import pytest

from openfelt.catalog import load_catalog
from openfelt.maths import HoldemTerms, known_figures, price_side_bet, simulate, with_paytable
from openfelt.maths.simulation.exact_spreads import ExactSpread, exact_spread, side_chances
from openfelt.maths.simulation.intervals import normal_interval
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.rules import House, Wager, WagerKind
from tests.kit.felt import wagers_of

ANTE, TRIPS, BAD_BEAT = 500, 500, 5000
BASIC = known_figures("basic", HoldemTerms.of())


@cache
def own_house() -> House:
    catalog = load_catalog()
    return with_paytable(catalog.house("washington"), catalog.paytables["bad_beat", "BBB-01"])


def spread_of(text: str) -> ExactSpread | None:
    return exact_spread(own_house(), BASIC, wagers_of(text))


@pytest.mark.parametrize("rounds", [20_000, 200_000, 2_000_000])
def test_runs_of_a_bet_with_one_rare_award_are_covered(rounds: int) -> None:
    bet = price_side_bet(load_catalog().paytables["bad_beat", "BBB-01"])
    assert bet is not None
    spread = exact_spread(own_house(), BASIC, wagers_of("bad_beat 50"))
    assert spread is not None
    nets = np.array([float(award.net) * BAD_BEAT for award in bet.awards])
    chances = np.array([award.deals / bet.deals for award in bet.awards])
    counts = np.random.default_rng(rounds).multinomial(rounds, chances, size=2000)
    expected, own, exact = float(bet.expected) * BAD_BEAT, 0, 0
    _, reach = spread.interval_cents(0.0, rounds, 0.95)
    for counted in counts:
        mean = float(counted @ nets) / rounds
        deviation = sqrt(float(counted @ (nets - mean) ** 2) / (rounds - 1))
        low, high = normal_interval(mean, deviation, rounds, 0.95)
        own += low <= expected <= high
        exact += abs(mean - expected) <= reach
    # The chance that fewer than 1,850 of 2,000 are covered at 95% is below one in a million.
    assert exact >= 1850
    if rounds < 2_000_000:
        assert own < 1850


def test_the_rare_award_is_named_with_its_share() -> None:
    spread = spread_of("ante 5, trips 5, bad_beat 50")
    assert spread is not None
    found = spread.rare_award(100_000)
    assert found is not None
    award, share = found
    assert award.words == "Straight flush on Bad Beat"
    assert 0.8 < share < 0.9
    assert spread.rare_award(100_000_000) is None


def test_without_rare_awards_the_deviations_are_those_that_are_known() -> None:
    spread = spread_of("ante 5, trips 5")
    assert spread is not None
    assert BASIC is not None
    assert spread.std_devs_cents[0] == pytest.approx(BASIC.std_dev * ANTE)
    low, high = spread.interval_cents(0.0, 100_000_000, 0.95)
    assert high == -low == pytest.approx(1.959964 * spread.std_dev_max_cents / 10_000, rel=1e-6)


def test_what_is_not_known_gives_no_interval() -> None:
    assert spread_of("ante 5, tip ante 5") is None
    assert exact_spread(own_house(), None, wagers_of("ante 5")) is None
    assert exact_spread(own_house(), BASIC, wagers_of("ante 5"), hands=2) is None


@pytest.mark.parametrize("rounds", [20_000, 1_000_000])
def test_runs_of_the_progressive_are_covered(rounds: int) -> None:
    """Its royal flush wins the meter of ten thousand units, and comes once in 649,740 deals."""
    link = side_chances(own_house(), Wager(WagerKind.PROGRESSIVE, 100))
    assert link is not None
    deviation, award = link.spread()
    spread = ExactSpread((deviation,), (award,))
    nets = np.array([float(net) * 100 for _, net, _ in link.results])
    chances = np.array([float(chance) for _, _, chance in link.results])
    counts = np.random.default_rng(rounds).multinomial(rounds, chances, size=2000)
    _, reach = spread.interval_cents(0.0, rounds, 0.95)
    means = counts @ nets / rounds
    assert int((abs(means - float(link.expected) * 100) <= reach).sum()) >= 1850


@pytest.mark.sweep
def test_two_hundred_simulations_are_covered() -> None:
    spread = spread_of("ante 5, trips 5, bad_beat 50")
    assert spread is not None
    assert BASIC is not None
    catalog = load_catalog()
    rules = {rule.kind.value: rule.paytable for rule in own_house().wagers}
    expected = float(BASIC.ev_per_ante) * ANTE
    for name, cents in (("trips", TRIPS), ("bad_beat", BAD_BEAT)):
        table = rules[name]
        assert table is not None
        bet = price_side_bet(catalog.paytables[name, table.name])
        assert bet is not None
        expected += float(bet.expected) * cents
    own = exact = 0
    for seed in range(200):
        result = simulate(
            own_house(),
            "basic",
            TableSetting(wagers=wagers_of("ante 5, trips 5, bad_beat 50")),
            rounds=400_000,
            seed=seed,
        )
        low, high = result.interval_cents(0.95)
        own += low <= expected <= high
        low, high = spread.interval_cents(result.mean_cents, result.rounds, 0.95)
        exact += low <= expected <= high
    assert exact >= 178
    assert own < 178
