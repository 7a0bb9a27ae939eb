"""What is known exactly about simulated rounds, and where nothing is claimed to be known."""

from dataclasses import replace
from fractions import Fraction

import pytest

from openfelt.catalog import load_house
from openfelt.maths import STRATEGIES
from openfelt.maths.draw.hold_lines import basic_draw_lines
from openfelt.maths.simulation.exact_rounds import exact_round, kept_draw_counts
from openfelt.maths.simulation.rounds import simulate
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.maths.strategy.strategies import DrawStrategy
from tests.kit.felt import wagers_of
from tests.kit.own_houses import own_house

DRAW = load_house("draw")


@pytest.mark.parametrize("strategy", ["house_way", "basic_draw", "best_draw", "best_draw_udp_03"])
def test_simulated_rounds_of_ultimate_draw_agree(strategy: str) -> None:
    wagers, rounds = wagers_of("ante 10, bonus 3"), 300_000
    known = exact_round(DRAW, STRATEGIES[strategy], wagers)
    played = simulate(DRAW, strategy, TableSetting(wagers=wagers), rounds=rounds, seed=3)
    assert known.mean_cents is not None
    assert known.std_dev_cents is not None
    assert known.ends is not None
    error = known.std_dev_cents / rounds**0.5
    assert abs(played.mean_cents - float(known.mean_cents)) < 4 * error
    # Half of the variance is that of hands that come a few times in so many rounds.
    assert played.std_dev_cents == pytest.approx(known.std_dev_cents, rel=0.25)
    for count, share in zip(
        (played.rounds_won, played.rounds_even, played.rounds_lost), known.ends, strict=True
    ):
        expected = float(share) * rounds
        assert abs(count - expected) < 5 * expected**0.5 + 1
    assert sum(known.ends, Fraction(0)) == 1


@pytest.mark.parametrize("strategy", ["house_way", "basic_draw", "best_draw"])
@pytest.mark.parametrize(
    "hand", [{"hand": "pair", "at_least": "10"}, {"hand": "two pair"}, {"hand": "straight"}]
)
def test_simulated_rounds_with_another_qualifying_hand_agree(
    strategy: str, hand: dict[str, str]
) -> None:
    house, rounds = own_house("draw", {"dealer_qualifies": hand}), 300_000
    wagers = wagers_of("ante 10")
    known = exact_round(house, STRATEGIES[strategy], wagers)
    played = simulate(house, strategy, TableSetting(wagers=wagers), rounds=rounds, seed=3)
    assert known.mean_cents is not None
    assert (known.variance_cents, known.ends, known.spread) == (None, None, None)
    error = played.std_dev_cents / rounds**0.5
    assert abs(played.mean_cents - float(known.mean_cents)) < 4 * error


def test_a_dealer_who_always_qualifies_is_known_for_the_house_way_alone() -> None:
    house = own_house("draw", {"dealer_qualifies": {"hand": "high card"}})
    wagers = wagers_of("ante 10, bonus 1")
    known = exact_round(house, STRATEGIES["house_way"], wagers)
    assert known.ev_per_ante == Fraction(9821011, 205454860)
    basic = exact_round(house, STRATEGIES["basic_draw"], wagers)
    assert (basic.ev_per_ante, basic.mean_cents) == (None, None)


def test_wagers_whose_payouts_are_rounded_have_no_exact_result() -> None:
    whole_dollars = replace(DRAW, rounding_unit_cents=100)
    # Half of five dollars is rounded to whole dollars; half of six is not.
    five = exact_round(whole_dollars, STRATEGIES["house_way"], wagers_of("ante 5, bonus 1"))
    six = exact_round(whole_dollars, STRATEGIES["house_way"], wagers_of("ante 6, bonus 1"))
    assert (five.mean_cents, five.variance_cents, five.ev_per_ante) == (None, None, None)
    assert set(five.wagers) == {"bonus"}
    assert six.mean_cents is not None


def test_several_hands_have_a_mean_and_no_variance() -> None:
    hand = exact_round(DRAW, STRATEGIES["house_way"], wagers_of("ante 5"))
    hands = exact_round(DRAW, STRATEGIES["house_way"], wagers_of("ante 5"), hands=3)
    assert hand.mean_cents is not None
    assert hands.mean_cents == 3 * hand.mean_cents
    assert (hands.variance_cents, hands.spread) == (None, None)
    stadium, ante = load_house("stadium"), wagers_of("ante 10, trips 1")
    assert exact_round(stadium, STRATEGIES["basic"], ante, hands=2).spread is None


def test_wagers_for_the_dealer_are_not_known() -> None:
    wagers = wagers_of("ante 10, tip ante 5")
    assert exact_round(load_house("stadium"), STRATEGIES["basic"], wagers).mean_cents is None


def test_a_strategy_of_ones_own_has_no_kept_counts() -> None:
    own = DrawStrategy(
        name="basic_draw",
        title="The first lines of the basic strategy",
        rule=STRATEGIES["basic_draw"].rule,  # type: ignore[union-attr]
        lines=basic_draw_lines()[:3],
    )
    assert kept_draw_counts(own) is None
    assert kept_draw_counts(STRATEGIES["stand_pat"]) is None
    assert kept_draw_counts(STRATEGIES["basic"]) is None
    known = exact_round(DRAW, own, wagers_of("ante 5, bonus 1"))
    assert (known.mean_cents, known.wagers) == (None, {})
