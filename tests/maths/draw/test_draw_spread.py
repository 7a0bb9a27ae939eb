"""The distribution of a round of Ultimate Draw, against the referee's settlement of every deal."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from openfelt.cards import Card, Category
from openfelt.catalog import load_house
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.draw_solution import DrawSolution, solve_draw
from openfelt.maths.draw.draw_spread import TOLD_APART, count_spread, hold_spreads
from openfelt.maths.draw.hold_lines import basic_draw_lines, held_by_lines
from openfelt.maths.draw.strategy_counts import count_strategy
from tests.kit.maths.games import small_deck
from tests.kit.maths.referee_draws import Outcome, RefereeDraws, moments

pytestmark = pytest.mark.usefixtures("own_cache")

TERMS = draw_terms_of(load_house("draw"))
ANTE_BONUS = {c.words: int(pays) for c, pays in TERMS.ante_bonus.items()}
RESULTS = ("win", "lose", "unqualified")
BONUS = dict.fromkeys(Category, Fraction(-1)) | {
    Category.TWO_PAIR: Fraction(1, 2),
    Category.THREE_OF_A_KIND: Fraction(2),
    Category.STRAIGHT: Fraction(7),
    Category.FULL_HOUSE: Fraction(5),
}
"""What a Bonus nets."""


@pytest.fixture(scope="module")
def solution() -> DrawSolution:
    return solve("23JKA", 3)


def solve(ranks: str, suits: int) -> DrawSolution:
    return solve_draw([card.number for card in small_deck(ranks, suits)], workers=1)


def texts(numbers: list[int]) -> tuple[str, ...]:
    return tuple(str(Card(number)) for number in numbers)


def held_texts(hand: list[int], hold: int) -> tuple[str, ...]:
    return texts([card for place, card in enumerate(hand) if hold >> place & 1])


def random_holds(solution: DrawSolution) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    return np.random.default_rng(18).integers(32, size=len(solution.holds.hands)).astype(np.uint8)


def check_classes(solution: DrawSolution, rows: list[int]) -> None:
    """Compare single classes, up to the loss to flushes that all holds of a class have alike."""
    referee = RefereeDraws(texts(solution.holds.classes.deck.tolist()))
    holds = random_holds(solution)
    spreads = hold_spreads(solution, np.array(rows), holds[rows], workers=1)
    for row, spread in zip(rows, spreads.tolist(), strict=True):
        hand = solution.holds.hands[row].tolist()
        counts = referee.outcomes(texts(hand), held_texts(hand, int(holds[row])))
        for category, found in zip(TOLD_APART, spread[1:], strict=True):
            assert found == [counts[category.words, result] for result in RESULTS], category
        below = [c.words for c in Category if c not in TOLD_APART]
        win, lose, none = (sum(counts[c, result] for c in below) for result in RESULTS)
        assert spread[0][0] == win
        assert spread[0][1] + spread[0][2] == lose + none


def test_classes_end_as_the_referee_says(solution: DrawSolution) -> None:
    check_classes(solution, [3, 97, 201, 333, 410])


@pytest.mark.parametrize("ranks", ["A2345JQK", pytest.param("6789TJQK", marks=pytest.mark.sweep)])
def test_classes_with_straights_end_as_the_referee_says(ranks: str) -> None:
    check_classes(solve(ranks, 2), [5, 505, 1505, 2005])


@pytest.mark.sweep
@pytest.mark.parametrize("ranks", ["A2345", "TJQKA", "2359J", "JQKA2"])
def test_classes_of_other_decks_end_as_the_referee_says(ranks: str) -> None:
    other = solve(ranks, 3)
    check_classes(other, list(range(0, len(other.holds.hands), 9)))


def test_the_house_way_wins_and_loses_as_the_symmetry_says(solution: DrawSolution) -> None:
    """Hands are compared here, and not there."""
    spread = count_spread(solution, solution.holds.house_way, workers=1)
    assert spread.win_less_lose == -solution.house_way_ante.lost_to_dealer
    assert spread.expected(TERMS) == solution.house_way_value(TERMS)


def test_the_expected_result_is_that_of_the_solution(solution: DrawSolution) -> None:
    for holds in (solution.best(TERMS, workers=1).holds, random_holds(solution)):
        spread = count_spread(solution, holds, workers=1)
        assert spread.expected(TERMS) == solution.value(holds, TERMS)
        assert sum(spread.nets(TERMS).values()) == 1
        assert spread.below.often + sum(some.often for some in spread.told_apart.values()) == 1


def test_an_ante_bonus_on_a_straight_is_priced(solution: DrawSolution) -> None:
    spread = count_spread(solution, solution.holds.house_way, workers=1)
    terms = TERMS.changed("two_pair", Fraction(1)).changed("straight", Fraction(2))
    assert spread.prices(terms)
    assert spread.expected(terms) == solution.house_way_value(terms)
    # The variance of a sum: the Ante with its Ante Bonus, and what is paid in addition.
    more = dict.fromkeys(Category, Fraction(0))
    more |= {Category.TWO_PAIR: Fraction(1), Category.STRAIGHT: Fraction(2)}
    assert spread.variance(terms) == spread.variance_with(TERMS, more)


def test_an_ante_bonus_on_a_pair_has_no_known_variance(solution: DrawSolution) -> None:
    spread = count_spread(solution, solution.holds.house_way, workers=1)
    assert not spread.prices(TERMS.changed("pair", Fraction(1)))
    with pytest.raises(ValueError, match="only the expected result is known"):
        spread.variance(TERMS.changed("pair", Fraction(1)))
    with pytest.raises(ValueError, match="not told apart"):
        spread.covariance(TERMS, BONUS | {Category.PAIR: Fraction(1)})


def test_a_bonus_that_nets_the_same_for_every_hand_varies_with_nothing(
    solution: DrawSolution,
) -> None:
    spread = count_spread(solution, solution.holds.house_way, workers=1)
    same = dict.fromkeys(Category, Fraction(3))
    assert spread.covariance(TERMS, same) == 0
    assert spread.variance_with(TERMS, same) == spread.variance(TERMS)
    assert spread.covariance(TERMS, BONUS) > 0


@pytest.mark.sweep
@pytest.mark.parametrize("ranks", ["23JKA", "A2345"])
def test_strategies_are_worth_and_vary_as_the_referee_says(ranks: str) -> None:
    """The house way, the basic strategy and the best holds, over all deals of 15 cards."""
    small = solve(ranks, 3)
    referee = RefereeDraws(texts(small.holds.classes.deck.tolist()))
    basic = held_by_lines(basic_draw_lines(), small.holds.hands)
    for holds in (small.holds.house_way, basic, small.best(TERMS, BONUS, workers=1).holds):
        totals: Counter[Outcome] = Counter()
        for row, hand in enumerate(small.holds.hands.tolist()):
            counts = referee.outcomes(texts(hand), held_texts(hand, int(holds[row])))
            times = int(small.holds.classes.hands.counts[row])
            totals.update({outcome: n * times for outcome, n in counts.items()})
        counted = count_strategy(small, holds, name="", title="", spread=True)
        assert counted.spread is not None
        mean, variance = moments(totals, ANTE_BONUS, TERMS.unqualified_pays)
        assert counted.value(TERMS) == mean == counted.spread.expected(TERMS)
        assert counted.spread.variance(TERMS) == variance
        nets = {c.words: BONUS[c] for c in Category}
        mean, variance = moments(totals, ANTE_BONUS, TERMS.unqualified_pays, nets)
        assert counted.value(TERMS, BONUS) == mean
        assert counted.spread.variance_with(TERMS, BONUS) == variance
