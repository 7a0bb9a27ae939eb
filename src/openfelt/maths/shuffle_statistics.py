"""Statistical tests of shuffled decks, with p-values.

Decks are rows of card numbers 0 to 51, from the top down. Each test uses independent
observations, so that its distribution is known: exactly, or by the central limit theorem
over thousands of decks. A p-value is the probability that a fair shuffler deviates at least
as much.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb, exp, factorial, lgamma, log, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

Decks = npt.NDArray[np.uint8]
"""One row per deck, 52 columns."""
Counts = npt.NDArray[np.int64]

LEVEL: Final = 0.01
"""A p-value below this is rejected: the 99% level."""

DECKS_MIN: Final = 30_000
"""With fewer decks, some cells of the tests would expect fewer than five."""


@dataclass(frozen=True, slots=True)
class TestResult:
    """The result of one test."""

    test: str
    statistic: float
    expected: float
    """The mean of the statistic for a fair shuffler."""
    p_value: float

    @property
    def rejected(self) -> bool:
        """Whether this test alone rejects the shuffler at the 99% level."""
        return self.p_value < LEVEL


def suite_p_value(verdicts: list[TestResult]) -> float:
    """The p-value of all tests together: the smallest, times their number (Bonferroni).

    A fair shuffler fails one of ten tests at the 99% level in about a tenth of all runs. Judged
    together like this, it fails in at most a hundredth of all runs.
    """
    return min(1.0, min(verdict.p_value for verdict in verdicts) * len(verdicts))


# Distributions ---------------------------------------------------------------


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x) = Γ(a, x) / Γ(a).

    Below a + 1 it is one minus the series of P(a, x), above it Legendre's continued fraction
    by the method of Lentz. Both converge within some multiple of √a terms.

    >>> round(upper_gamma(0.5, 1.0), 9)  # erfc(1)
    0.157299207
    """
    if a <= 0 or x < 0:
        raise ValueError(f"the gamma function has no value at a = {a}, x = {x}")
    if x == 0:
        return 1.0
    front = exp(a * log(x) - x - lgamma(a))
    return 1 - front * _series(a, x) if x < a + 1 else front * _fraction(a, x)


def _series(a: float, x: float) -> float:
    """The sum of x^n / (a (a + 1) ... (a + n))."""
    term = total = 1 / a
    while term > total * 1e-17:
        a += 1
        term *= x / a
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """1 / (x + 1 - a - 1(1 - a) / (x + 3 - a - 2(2 - a) / (x + 5 - a - ...)))."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    value, step, n = d, 0.0, 0
    while abs(step - 1) > 1e-15:
        n += 1
        factor = n * (a - n)
        b += 2
        d = 1 / ((factor * d + b) or tiny)
        c = (b + factor / c) or tiny
        step = c * d
        value *= step
    return value


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The probability that a chi-square variable with these degrees of freedom is larger.

    >>> round(chi_square_tail(3.841458820694124, 1), 6)
    0.05
    """
    return upper_gamma(degrees / 2, statistic / 2)


def _two_sided(tail: float) -> float:
    """The two-sided p-value: too regular is as suspicious as too irregular."""
    return min(1.0, 2 * min(tail, 1 - tail))


def _by_chi_square(test: str, statistic: float, degrees: int) -> TestResult:
    tail = chi_square_tail(statistic, degrees)
    return TestResult(test, statistic, float(degrees), _two_sided(tail))


def _by_normal(test: str, statistic: float, *, expected: float, deviation: float) -> TestResult:
    tail = NormalDist(expected, deviation).cdf(statistic)
    return TestResult(test, statistic, expected, _two_sided(tail))


def _cells(test: str, counts: Counts, chances: npt.NDArray[np.float64]) -> TestResult:
    """The usual chi-square of counts of independent observations in cells of known probability."""
    expected = chances * counts.sum()
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return _by_chi_square(test, statistic, counts.size - 1)


# The tests -------------------------------------------------------------------


def card_by_position(decks: Decks) -> TestResult:
    """How often each card lies at each position: 52 times 52 counts.

    Every row and every column of the counts has the same sum, so there are 51² degrees of
    freedom. The counts of one deck are a random permutation matrix, whose covariance is
    1/51 on that space; so the squares are divided by n/51 and not by n/52.
    """
    number = len(decks)
    positions = np.arange(52) * 52
    counts = np.zeros(52 * 52, dtype=np.int64)
    for rows in np.array_split(decks, number // 10_000 + 1):
        counts += np.bincount((rows + positions).ravel(), minlength=52 * 52)
    return positions_of(counts, number)


def positions_of(counts: Counts, number: int) -> TestResult:
    """The test of cards by position, from its counts over this number of decks."""
    statistic = float(((counts - number / 52) ** 2).sum()) * 51 / number
    return _by_chi_square("card by position", statistic, 51 * 51)


def adjacent_pairs(decks: Decks) -> TestResult:
    """Successions of cards: 52 times 51 cells, one pair from each deck.

    The pair is taken one position deeper in each successive deck, so every position is tested.
    """
    rows = np.arange(len(decks))
    at = rows % 51
    first, second = decks[rows, at].astype(np.int64), decks[rows, at + 1].astype(np.int64)
    return pairs_of(np.bincount(first * 51 + second - (second > first), minlength=52 * 51))


def pairs_of(counts: Counts) -> TestResult:
    """The test of adjacent pairs, from its counts."""
    return _cells("adjacent pairs", counts, np.full(52 * 51, 1 / (52 * 51)))


def next_deck(decks: Decks) -> TestResult:
    """The top card of a deck and the top card of the next: 52 times 52 cells."""
    tops = decks[: len(decks) // 2 * 2, 0].astype(np.int64)
    return tops_of(np.bincount(tops[::2] * 52 + tops[1::2], minlength=52 * 52))


def tops_of(counts: Counts) -> TestResult:
    """The test of the top cards of two decks, from its counts."""
    return _cells("top cards of two decks", counts, np.full(52 * 52, 1 / (52 * 52)))


def runs_up_and_down(decks: Decks) -> TestResult:
    """The number of runs up and down: how often the card numbers change direction, plus one.

    For n cards in random order the mean is (2n - 1)/3 and the variance (16n - 29)/90.
    """
    rising = decks[:, 1:] > decks[:, :-1]
    runs = 1 + (rising[:, 1:] != rising[:, :-1]).sum(axis=1)
    return runs_of(float(runs.mean()), len(decks))


def runs_of(mean: float, number: int) -> TestResult:
    """The test of runs up and down, from their mean over this number of decks."""
    deviation = sqrt((16 * 52 - 29) / 90 / number)
    return _by_normal("runs up and down", mean, expected=(2 * 52 - 1) / 3, deviation=deviation)


def runs_of_colour(decks: Decks) -> TestResult:
    """The number of runs of one colour in a deck, by Wald and Wolfowitz.

    With 26 cards of each colour the mean is 27 and the variance 650/51.
    """
    suits = decks % 4
    red = (suits == 1) | (suits == 2)
    runs = 1 + (red[:, 1:] != red[:, :-1]).sum(axis=1)
    return colours_of(float(runs.mean()), len(decks))


def colours_of(mean: float, number: int) -> TestResult:
    """The test of runs of colour, from their mean over this number of decks."""
    deviation = sqrt(650 / 51 / number)
    return _by_normal("runs of colour", mean, expected=27.0, deviation=deviation)


def correlation_in_a_deck(decks: Decks) -> TestResult:
    """The correlation of neighbours in a deck, its bottom beside its top: -1/51 on average."""
    centred = decks - np.float32(25.5)
    products = np.einsum("ij,ij->i", centred, np.roll(centred, 1, axis=1), dtype=np.float64)
    correlations = products / (52 * (52**2 - 1) / 12)
    deviation = float(correlations.std(ddof=1)) / sqrt(len(decks))
    return correlation_of(float(correlations.mean()), deviation)


def correlation_of(mean: float, deviation: float) -> TestResult:
    """The test of the correlation in a deck, from its mean and the deviation of that mean."""
    return _by_normal("correlation in a deck", mean, expected=-1 / 51, deviation=deviation)


def correlation_of_draws(decks: Decks) -> TestResult:
    """The correlation of the top card with that of the next deck: 0 on average."""
    tops = decks[:, 0] - 25.5
    products = tops[:-1] * tops[1:]
    return draws_of(float(products.mean()), len(products))


def draws_of(mean: float, number: int) -> TestResult:
    """The test of the correlation of draws, from the mean of this many products."""
    correlation = mean / ((52**2 - 1) / 12)
    return _by_normal("correlation of draws", correlation, expected=0.0, deviation=1 / sqrt(number))


def coupon_collector(decks: Decks) -> TestResult:
    """How many top cards it takes to see all 52, in ten classes that are about equally likely.

    It takes 236 on average. One collection is counted for every 300 decks, because counting as many
    as fit would favour short ones. The probability that the decks do not suffice is below 10^-20,
    and then the test rejects.
    """
    return collections_of(_collections(decks[:, 0]), len(decks))


def collections_of(collections: list[int], number: int) -> TestResult:
    """The coupon collector's test, from the lengths of all collections in this number of decks."""
    wanted = number // 300
    lengths = collections[:wanted]
    if len(lengths) < wanted:
        return TestResult("coupon collector", float(len(lengths)), float(wanted), 0.0)
    within = _collected_within(3000)
    edges = [int(np.searchsorted(within, tenth / 10)) for tenth in range(1, 10)]
    chances = np.diff([0.0, *(within[edge] for edge in edges), 1.0])
    counts = np.bincount(np.searchsorted(edges, lengths), minlength=10)
    return _cells("coupon collector", counts, chances)


def _collections(tops: Decks) -> list[int]:
    """The lengths of successive collections."""
    lengths, seen, begun = [], set(), 0
    for number, card in enumerate(tops.tolist(), start=1):
        seen.add(card)
        if len(seen) == 52:
            lengths.append(number - begun)
            seen, begun = set(), number
    return lengths


def _collected_within(draws_max: int) -> npt.NDArray[np.float64]:
    """The probability that all 52 have been seen after 0, 1, 2 ... draws."""
    seen = np.zeros(53)
    seen[0] = 1.0
    share = np.arange(53) / 52
    complete = [0.0]
    for _ in range(draws_max):
        new = seen[:-1] * (1 - share[:-1])
        seen *= share
        seen[1:] += new
        complete.append(float(seen[52]))
    return np.array(complete)


def overlaps(decks: Decks) -> TestResult:
    """How many positions hold the same card in a deck and in the next, for pairs of decks.

    The number of ways with k equal positions is C(52, k) times the derangements of the rest.
    """
    even = decks[: len(decks) // 2 * 2]
    same = (even[::2] == even[1::2]).sum(axis=1)
    return overlaps_of(np.bincount(np.minimum(same, 6), minlength=7))


def overlaps_of(counts: Counts) -> TestResult:
    """The test of overlaps, from how often 0, 1, ... 5 and more positions were equal."""
    ways = [comb(52, k) * _derangements(52 - k) for k in range(6)]
    chances = [float(Fraction(way, factorial(52))) for way in ways]
    return _cells("overlaps", counts, np.array([*chances, 1 - sum(chances)]))


def _derangements(number: int) -> int:
    """The number of permutations without a fixed point."""
    *_, last = accumulate(range(1, number + 1), lambda before, n: n * before + (-1) ** n, initial=1)
    return last


def duplicates(decks: Decks) -> TestResult:
    """Whether a whole deck repeats. Among a million decks the probability is 10^-56."""
    number = len(decks)
    rows = np.ascontiguousarray(decks).view(np.dtype((np.void, 52))).ravel()
    return duplicates_of(number - len(np.unique(rows)), number)


def duplicates_of(repeated: int, number: int) -> TestResult:
    """The test of duplicates, from how many of this number of decks had occurred before."""
    expected = float(Fraction(comb(number, 2), factorial(52)))
    return TestResult("duplicates", float(repeated), expected, expected if repeated else 1.0)


TESTS: Final[tuple[Callable[[Decks], TestResult], ...]] = (
    card_by_position,
    adjacent_pairs,
    next_deck,
    runs_up_and_down,
    runs_of_colour,
    correlation_in_a_deck,
    correlation_of_draws,
    coupon_collector,
    overlaps,
    duplicates,
)


def run_suite(decks: Decks) -> list[TestResult]:
    """Run every test; raises ValueError if there are too few decks, or decks without 52 cards."""
    if decks.ndim != 2 or decks.shape[1] != 52 or len(decks) < DECKS_MIN:
        raise ValueError(f"the suite needs at least {DECKS_MIN} decks of 52 cards")
    return [test(decks) for test in TESTS]
