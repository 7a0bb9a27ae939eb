"""The long-run return of a progressive, against meters that are really moved."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from openfelt.catalog import load_house
from openfelt.maths.wagers.meter_return import long_run, part_seeds
from openfelt.maths.wagers.progressive_hands import share_rounds
from openfelt.rules.house import ProgressiveRule, SeveralWinners
from openfelt.rules.progressive import Meter

WHOLE, TENTH, HALF = Fraction(1), Fraction(1, 10), Fraction(1, 2)


def moved_meter(
    shares: dict[Fraction, Fraction], *, contribution: Fraction, seed: int, rounds: int
) -> tuple[float, float]:
    """What the house adds in a round after smaller shares: mean and standard error.

    A plain meter, of which shares are won at random, round by round.
    """
    draws = np.random.default_rng(11).random(rounds)
    ends = np.cumsum([float(chance) for chance in shares.values()])
    lefts = [1 - float(share) for share in shares]
    places = np.searchsorted(ends, draws, side="right")
    meter, added, cycles = float(seed), 0.0, []
    lengths, begun = [], 0
    for number in map(int, np.nonzero(places < len(lefts))[0]):
        meter += float(contribution) * (number - begun)
        begun = number
        left = lefts[places[number]]
        if left == 0:
            cycles.append(added)
            lengths.append(number)
            meter, added = float(seed), 0.0
            continue
        meter *= left
        added += max(0.0, seed - meter)
        meter = max(meter, float(seed))
    rounds_each = np.diff([0, *lengths])
    mean = sum(cycles) / sum(rounds_each)
    # Cycles are independent; the standard error of the ratio is by the delta method.
    spread = np.array(cycles) - mean * rounds_each
    return mean, sqrt(float((spread**2).sum())) / float(sum(rounds_each))


@pytest.mark.parametrize(
    "shares",
    [
        {WHOLE: Fraction(1, 1000), TENTH: Fraction(1, 100)},
        {WHOLE: Fraction(1, 2000), TENTH: Fraction(1, 300), HALF: Fraction(1, 800)},
        {WHOLE: Fraction(1, 500), HALF: Fraction(1, 500)},
    ],
)
def test_seeds_after_smaller_shares(shares: dict[Fraction, Fraction]) -> None:
    contribution, seed = Fraction(1, 4), 100
    least, most = part_seeds(shares, contribution=contribution, seed=Fraction(seed))
    assert 0 < least < most < least * Fraction(11, 10)
    mean, error = moved_meter(shares, contribution=contribution, seed=seed, rounds=4_000_000)
    assert error < 0.05 * mean
    assert float(least) - 4 * error < mean < float(most) + 4 * error


def test_a_meter_of_a_link_adds_what_the_bounds_say() -> None:
    """The meter of the rules, with its contributions, awards and top-ups in whole cents."""
    shares = {WHOLE: Fraction(1, 50), TENTH: Fraction(1, 5)}
    rule = ProgressiveRule(
        contribution=Fraction(1, 4), seed_cents=10_000, several_winners=SeveralWinners.SPLIT
    )
    meter, rounds = Meter.fresh(rule), 60_000
    wholes = 0
    for draw in np.random.default_rng(3).random(rounds):
        meter = meter.contribute(rule, 100)
        if draw < 0.22:
            share = WHOLE if draw < 0.02 else TENTH
            wholes += share == 1
            cents = int(meter.display_cents * share)
            meter = meter.pay_out(rule, awarded_cents=cents, envied_cents=0, from_meter_cents=cents)
    least, most = part_seeds(shares, contribution=Fraction(1, 4), seed=Fraction(100))
    # Some 12,000 independent top-ups of at most ten units: their mean is known to one part in 50.
    added = float(meter.seeded) / 100 - 100 * (1 + wholes)
    assert float(least) * 0.98 < added / rounds < float(most) * 1.02
    # What was paid is what came in, apart from what is still on the meter.
    paid = float(meter.awarded) / 100
    assert paid == pytest.approx(rounds / 4 + float(meter.seeded - meter.amount) / 100)


def test_awards_of_the_whole_meter_alone_need_no_bounds() -> None:
    exact = part_seeds({WHOLE: Fraction(1, 9)}, contribution=Fraction(1, 4), seed=Fraction(50))
    assert exact == (Fraction(0), Fraction(0))


def test_without_an_award_of_the_whole_meter_the_bounds_are_simple() -> None:
    bounds = part_seeds({HALF: Fraction(1, 9)}, contribution=Fraction(2), seed=Fraction(50))
    assert bounds == (Fraction(0), Fraction(1, 9) * (50 - Fraction(52, 2)))


@pytest.mark.parametrize(("hands", "printed"), [(1, "79.6010%"), (6, "81.2941%")])
def test_the_long_run_of_washington(hands: int, printed: str) -> None:
    returned = long_run(load_house("washington"), hands=hands)
    assert returned is not None
    least, most = returned.bounds
    assert most - least < Fraction(1, 10**6)
    assert f"{float(least):.4%}" == f"{float(most):.4%}" == printed
    assert long_run(load_house("online"), hands=hands) is None


def test_shares_of_several_hands_are_counted() -> None:
    """Each royal flush of a hand is one of a round, because no flop has two."""
    table = load_house("washington").progressive_table()
    alone = share_rounds(table, hands=1, several_winners=SeveralWinners.SPLIT)
    assert alone.chances == {WHOLE: Fraction(4, 2_598_960), TENTH: Fraction(36, 2_598_960)}
    assert alone.of_seed == 0
    six = share_rounds(table, hands=6, several_winners=SeveralWinners.SPLIT)
    assert six.chances[WHOLE] == 6 * alone.chances[WHOLE]
    # Two straight flushes in one round divide a share, and one beside a royal flush is no other.
    assert 5 * alone.chances[TENTH] < six.chances[TENTH] < 6 * alone.chances[TENTH]
    in_order = share_rounds(table, hands=6, several_winners=SeveralWinners.IN_ORDER)
    assert set(in_order.chances) == {WHOLE, TENTH, 1 - Fraction(9, 10) ** 2}
    assert in_order.of_seed == six.of_seed / 2
