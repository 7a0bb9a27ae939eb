"""Ultimate Draw solved on small decks: values, best holds and the house way."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from openfelt.cards import Category
from openfelt.maths.draw import draw_solution
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.draw_solution import DrawSolution, solve_draw
from openfelt.maths.draw.house_way_ante import count_house_way_ante
from openfelt.maths.wagers.side_bet_figures import LOSS
from tests.kit.maths.games import small_deck

TERMS = DrawTerms(
    Fraction(1, 2),
    {
        Category.FLUSH: Fraction(1),
        Category.FULL_HOUSE: Fraction(2),
        Category.STRAIGHT: Fraction(1, 3),
    },
)


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Counts are made anew, and kernels are compiled no more often than elsewhere."""
    folder = tmp_path_factory.mktemp("counts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("openfelt.maths.draw.stored_counts.cache_root", lambda: folder)
        yield


@pytest.fixture(scope="module")
def solution() -> DrawSolution:
    return solve("23JKA", 3)


def solve(ranks: str, suits: int) -> DrawSolution:
    return solve_draw([card.number for card in small_deck(ranks, suits)], workers=1)


@pytest.mark.parametrize(
    ("ranks", "suits"),
    [
        ("23JKA", 3),
        pytest.param("A2345", 3, marks=pytest.mark.sweep),
        pytest.param("23JKA", 4, marks=pytest.mark.sweep),
        pytest.param("5678QK", 3, marks=pytest.mark.sweep),
    ],
)
def test_the_house_way_is_worth_what_its_own_count_says(ranks: str, suits: int) -> None:
    """That count uses a symmetry and compares no hands."""
    solution = solve(ranks, suits)
    deck = [card.number for card in small_deck(ranks, suits)]
    alone = count_house_way_ante(deck, workers=1)
    house_way = solution.holds.house_way
    assert solution.value(house_way, TERMS) == alone.expected(
        TERMS.ante_bonus, unqualified_pays=TERMS.unqualified_pays
    )
    best = solution.best(TERMS)
    assert solution.value(best, TERMS) > solution.value(house_way, TERMS)


def test_every_class_is_held_best(solution: DrawSolution) -> None:
    values, _ = solution.values(TERMS)
    best = solution.best(TERMS)
    rows = np.arange(len(best))
    assert (values[rows, best] == values.max(axis=1)).all()
    bonus = dict.fromkeys(Category, LOSS) | {Category.TWO_PAIR: Fraction(1, 2)}
    both = solution.best(TERMS, bonus)
    assert (both != best).any()
    assert solution.value(both, TERMS, bonus) > solution.value(best, TERMS, bonus)


def test_odds_too_fine_to_sum_exactly_are_refused(solution: DrawSolution) -> None:
    with pytest.raises(ValueError, match="too finely divided"):
        solution.values(TERMS.changed("flush", Fraction(1, 10**15)))


def test_a_count_goes_on_where_it_stopped(
    solution: DrawSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draw_solution, "count_hold_results", None)
    assert np.array_equal(solve("23JKA", 3).results, solution.results)
