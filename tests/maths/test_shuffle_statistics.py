"""The statistics of shuffles: known values, fair decks and wrong ones."""

import random
from collections.abc import Callable
from math import comb, erfc, exp, factorial, sqrt

import numpy as np
import pytest

from openfelt.maths.shuffle_statistics import (
    DECKS_MIN,
    TESTS,
    Decks,
    _collected_within,
    _collections,
    _derangements,
    adjacent_pairs,
    card_by_position,
    chi_square_tail,
    correlation_in_a_deck,
    coupon_collector,
    duplicates,
    overlaps,
    run_suite,
    runs_of_colour,
    runs_up_and_down,
    suite_p_value,
    upper_gamma,
)
from openfelt.maths.shuffle_statistics import TestResult as StatisticsResult

IN_ORDER = np.arange(52, dtype=np.uint8)


def fair_decks(number: int = DECKS_MIN, seed: int = 1) -> Decks:
    return np.random.default_rng(seed).permuted(np.tile(IN_ORDER, (number, 1)), axis=1)


# Distributions ---------------------------------------------------------------


@pytest.mark.parametrize("x", [0.01, 0.3, 1.0, 1.4, 1.6, 4.0, 30.0])
def test_the_gamma_function_of_a_half_is_the_error_function(x: float) -> None:
    assert upper_gamma(0.5, x) == pytest.approx(erfc(sqrt(x)), rel=1e-12)


@pytest.mark.parametrize("a", [1, 2, 5, 40])
@pytest.mark.parametrize("x", [0.1, 1.0, 4.9, 6.1, 39.0, 42.0, 100.0])
def test_the_gamma_function_of_whole_numbers_is_a_sum_of_poissons(a: int, x: float) -> None:
    poissons = sum(exp(-x) * x**k / factorial(k) for k in range(a))
    assert upper_gamma(a, x) == pytest.approx(poissons, rel=1e-11)


@pytest.mark.parametrize(
    ("statistic", "degrees", "tail"),
    [
        (3.841458820694124, 1, 0.05),
        (6.634896601021213, 1, 0.01),
        (18.307038053275146, 10, 0.05),
        (23.209251158954356, 10, 0.01),
        (77.385962, 51, 0.01),
        (124.34211340400407, 100, 0.05),
    ],
)
def test_the_chi_square_has_the_tails_of_printed_tables(
    statistic: float, degrees: int, tail: float
) -> None:
    assert chi_square_tail(statistic, degrees) == pytest.approx(tail, rel=1e-6)


def test_the_chi_square_of_thousands_of_degrees_is_nearly_normal() -> None:
    """By Wilson and Hilferty the cube root of a chi-square is nearly normal."""
    for degrees in (2601, 2651, 2703):
        for z in (-3.0, -1.0, 0.0, 1.0, 3.0, 6.0):
            share = 2 / (9 * degrees)
            statistic = degrees * (1 - share + z * sqrt(share)) ** 3
            normal = erfc(z / sqrt(2)) / 2
            assert chi_square_tail(statistic, degrees) == pytest.approx(normal, rel=0.02)


def test_the_gamma_function_has_its_bounds() -> None:
    assert upper_gamma(3, 0) == 1
    assert upper_gamma(1300, 1e6) == 0
    for a, x in ((0, 1), (-1, 1), (1, -1)):
        with pytest.raises(ValueError, match="no value"):
            upper_gamma(a, x)


def test_known_combinatorics() -> None:
    assert [_derangements(n) for n in range(7)] == [1, 0, 1, 2, 9, 44, 265]
    assert sum(comb(52, k) * _derangements(52 - k) for k in range(53)) == factorial(52)
    within = _collected_within(3000)
    assert within[51] == 0
    assert within[52] == pytest.approx(factorial(52) / 52**52, rel=1e-9)
    mean = 52 * sum(1 / n for n in range(1, 53))
    assert float((1 - within).sum()) == pytest.approx(mean, rel=1e-9)


def test_collections_begin_where_the_last_ended() -> None:
    tops = np.array([*range(52), 0, 0, *range(1, 52), 5], dtype=np.uint8)
    assert _collections(tops) == [52, 53]


# Statistics ------------------------------------------------------------------


def test_statistics_of_decks_that_can_be_counted_by_hand() -> None:
    sorted_decks = np.tile(IN_ORDER, (DECKS_MIN, 1))
    assert runs_up_and_down(sorted_decks).statistic == 1
    assert runs_of_colour(sorted_decks).statistic == 27
    assert correlation_in_a_deck(fair_decks()).expected == pytest.approx(-1 / 51)
    assert duplicates(sorted_decks).statistic == DECKS_MIN - 1
    largest = ((1 - 1 / 52) ** 2 + 51 / 52**2) * 52 * 51 * DECKS_MIN
    assert card_by_position(sorted_decks).statistic == pytest.approx(largest)


def cyclic_decks() -> Decks:
    """Every card lies at every position equally often."""
    turned = np.array([np.roll(IN_ORDER, n) for n in range(52)])
    return np.tile(turned, (DECKS_MIN // 52 + 1, 1))


def test_counts_that_are_too_even_are_rejected_too() -> None:
    assert card_by_position(cyclic_decks()).statistic == 0
    assert card_by_position(cyclic_decks()).rejected


def test_the_mean_of_the_position_statistic_is_its_degrees() -> None:
    """Divided by n/52 it would be 51 too large on average."""
    found = [card_by_position(fair_decks(2000, seed)).statistic for seed in range(40)]
    assert np.mean(found) == pytest.approx(51 * 51, abs=4 * sqrt(2 * 51 * 51 / 40))


def test_fair_decks_pass() -> None:
    for seed in range(5):
        verdicts = run_suite(fair_decks(seed=seed))
        assert len(verdicts) == len(TESTS) == 10
        assert suite_p_value(verdicts) > 0.01


def test_p_values_of_fair_decks_are_spread_evenly() -> None:
    """A p-value that is right is below a half in half of all runs."""
    below = np.array(
        [
            [verdict.p_value < 0.5 for verdict in run_suite(fair_decks(seed=seed))[:-1]]
            for seed in range(40)
        ]
    ).sum(axis=0)
    assert ((below > 6) & (below < 34)).all()


def decks_of(shuffle: Callable[[random.Random], list[int]], number: int = DECKS_MIN) -> Decks:
    rng = random.Random(1)
    return np.array([shuffle(rng) for _ in range(number)], dtype=np.uint8)


def modulo_of_a_byte(rng: random.Random) -> list[int]:
    order = list(range(52))
    for last in range(51, 0, -1):
        chosen = rng.randrange(256) % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def swap_with_any(rng: random.Random) -> list[int]:
    order = list(range(52))
    for place in range(52):
        other = rng.randrange(52)
        order[place], order[other] = order[other], order[place]
    return order


def never_in_place(rng: random.Random) -> list[int]:
    """Sattolo's mistake: a card is never swapped with itself."""
    order = list(range(52))
    for last in range(51, 0, -1):
        chosen = rng.randrange(last)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def few_seeds(rng: random.Random) -> list[int]:
    return random.Random(rng.randrange(30_000)).sample(range(52), 52)


@pytest.mark.parametrize("shuffle", [modulo_of_a_byte, swap_with_any, never_in_place, few_seeds])
def test_wrong_shufflers_are_rejected(shuffle: Callable[[random.Random], list[int]]) -> None:
    assert suite_p_value(run_suite(decks_of(shuffle))) < 0.01


def test_each_test_finds_its_own_fault() -> None:
    fair = fair_decks()
    linked = fair.copy()
    linked[1::2] = linked[::2]
    by_name = {verdict.test: verdict for verdict in run_suite(linked)}
    for name in ("top cards of two decks", "correlation of draws", "overlaps", "duplicates"):
        assert by_name[name].rejected, name
    glued = fair.copy()
    for row in glued[::3]:
        at = int(np.flatnonzero(row == 7)[0])
        to = (at + 1) % 52
        swap = int(np.flatnonzero(row == 8)[0])
        row[to], row[swap] = row[swap], row[to]
    assert adjacent_pairs(glued).rejected
    rising = np.sort(fair.reshape(-1, 26, 2), axis=2).reshape(-1, 52)
    assert runs_up_and_down(rising).rejected
    assert correlation_in_a_deck(np.sort(fair, axis=1)).rejected
    rare = fair[(fair[:, 0] < 48) | (np.arange(len(fair)) % 4 == 0)]
    assert coupon_collector(rare).rejected
    colours = fair[np.argsort(runs(fair))][: DECKS_MIN // 2]
    assert runs_of_colour(colours).rejected
    assert overlaps(linked).rejected


def runs(decks: Decks) -> list[int]:
    red = np.isin(decks % 4, (1, 2))
    return [int(row.sum()) for row in red[:, 1:] != red[:, :-1]]


def test_a_collection_that_is_never_complete_is_rejected() -> None:
    fair = fair_decks()
    found = coupon_collector(fair[fair[:, 0] != 3])
    assert (found.statistic, found.p_value) == (0, 0)


def test_the_suite_judges_all_tests_together() -> None:
    fair, poor = StatisticsResult("one", 1, 1, 0.5), StatisticsResult("two", 1, 1, 0.004)
    assert not fair.rejected
    assert poor.rejected
    assert suite_p_value([fair, poor]) == 0.008
    assert suite_p_value([fair, fair]) == 1


@pytest.mark.parametrize("shape", [(DECKS_MIN - 1, 52), (DECKS_MIN, 51), (52,)])
def test_what_are_no_decks_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="at least"):
        run_suite(np.zeros(shape, dtype=np.uint8))
