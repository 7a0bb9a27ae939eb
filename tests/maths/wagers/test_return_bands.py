"""Quantiles of the result of many rounds, against other ways to count them."""

from fractions import Fraction
from math import comb, exp, lgamma, log, log1p

import pytest

from openfelt.maths.wagers.return_bands import CELLS_MAX, result_quantiles
from openfelt.maths.wagers.session_results import session_results

SHARES = (0.005, 0.025, 0.05, 0.5, 0.95, 0.975, 0.995)


def binomial_quantile(rounds: int, chance: Fraction, share: float) -> int:
    """The least number of wins up to which this share ends, by adding up exact chances."""
    total, bound = Fraction(0), Fraction(share)
    for wins in range(rounds + 1):
        ways = comb(rounds, wins) * chance.numerator**wins
        total += Fraction(
            ways * (chance.denominator - chance.numerator) ** (rounds - wins),
            chance.denominator**rounds,
        )
        if total >= bound:
            return wins
    return rounds


@pytest.mark.parametrize("pays", [1, 7, 900])
@pytest.mark.parametrize("lost", [1, 3, 250])
def test_wins_of_one_award_are_binomial(pays: int, lost: int) -> None:
    rounds, deals = 300, {Fraction(-1): lost, Fraction(pays): 1}
    wins = [binomial_quantile(rounds, Fraction(1, lost + 1), share) for share in SHARES]
    expected = tuple(Fraction(count * (pays + 1) - rounds) for count in wins)
    assert result_quantiles(deals, rounds, SHARES) == expected


def test_a_hundred_million_rounds_are_still_binomial() -> None:
    """The chances are added up from the mean down, by logarithms of factorials."""
    rounds, chance = 10**8, 1e-5
    found = result_quantiles({Fraction(-1): 99_999, Fraction(79_999): 1}, rounds, SHARES)
    assert found is not None
    total = 0.0
    quantiles = iter(zip(SHARES, found, strict=True))
    share, net = next(quantiles)
    for wins in range(600, 1400):
        ways = lgamma(rounds + 1) - lgamma(wins + 1) - lgamma(rounds - wins + 1)
        total += exp(ways + wins * log(chance) + (rounds - wins) * log1p(-chance))
        while total >= share:
            assert net == wins * 80_000 - rounds
            share, net = next(quantiles, (2.0, Fraction(0)))
    assert share == 2.0


def test_results_of_several_awards_are_those_of_a_session() -> None:
    deals = {
        Fraction(-2): 50,
        Fraction(-1): 30,
        Fraction(1, 2): 35,
        Fraction(4): 9,
        Fraction(60): 1,
    }
    session = session_results(deals, 400)
    expected = tuple(session.quantile(share) for share in SHARES)
    assert result_quantiles(deals, 400, SHARES) == expected


def test_results_that_no_deal_gives_do_not_count() -> None:
    deals = {Fraction(-1): 1, Fraction(1): 1}
    assert result_quantiles(deals | {Fraction(10**9): 0}, 50, SHARES) == result_quantiles(
        deals, 50, SHARES
    )


def test_too_many_different_sums_are_refused() -> None:
    deals = {Fraction(-1): 10, Fraction(1, CELLS_MAX): 1, Fraction(9): 1}
    assert result_quantiles(deals, 1000, SHARES) is None
