"""Best play from candidates: against the exact count of every hold of every class."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from openfelt.cards import Category
from openfelt.maths.draw.candidate_choice import count_candidates
from openfelt.maths.draw.candidate_counts import CandidateCounts, SolvedPays
from openfelt.maths.draw.candidate_values import CandidateValues
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.draw_solution import DrawSolution, solve_draw
from openfelt.maths.draw.strategy_counts import final_pays
from openfelt.maths.wagers.side_bet_figures import LOSS
from tests.kit.maths.games import small_deck

TERMS = DrawTerms(
    Fraction(1, 2),
    {Category.FLUSH: Fraction(1), Category.FULL_HOUSE: Fraction(2)},
)
FURTHER = DrawTerms(Fraction(1, 2), {Category.FULL_HOUSE: Fraction(1)})


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Counts are made anew, and kernels are compiled no more often than elsewhere."""
    folder = tmp_path_factory.mktemp("counts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("openfelt.maths.stored_counts.cache_root", lambda: folder)
        yield folder


@pytest.fixture(scope="module")
def solution() -> DrawSolution:
    return solve_draw([card.number for card in small_deck("23JKA", 3)], workers=1)


@pytest.fixture(scope="module")
def counts(solution: DrawSolution) -> CandidateCounts:
    best = solution.best(TERMS, workers=1)
    solved = SolvedPays(final_pays(TERMS), best.holds)
    return count_candidates(solution, [solved], [final_pays(FURTHER)], workers=1)


@pytest.fixture
def values(solution: DrawSolution, counts: CandidateCounts) -> CandidateValues:
    return CandidateValues(counts, solution.final, solution.house_way_ante.categories)


def random_terms(seed: int) -> tuple[DrawTerms, dict[Category, Fraction]]:
    """An Ante Bonus, a share, and some units of a Bonus."""
    random = np.random.default_rng(seed)
    ante_bonus = {c: Fraction(int(random.integers(0, 12)), 2) for c in Category if c >= 4}
    units = Fraction(int(random.integers(0, 7)), 3)
    nets = {c: units * int(random.integers(0, 3 + c)) for c in Category if c >= 2}
    share = Fraction(int(random.integers(0, 5)), 4)
    return DrawTerms(share, ante_bonus), dict.fromkeys(Category, units * LOSS) | nets


@pytest.mark.parametrize("seed", range(8))
def test_any_terms_are_priced_as_the_solution_prices_them(
    solution: DrawSolution, values: CandidateValues, seed: int
) -> None:
    terms, nets = random_terms(seed)
    best = solution.best(terms, nets, workers=1)
    exact = values.gain_limits(final_pays(terms, nets), spot_classes=None, workers=1)
    assert exact.exact
    assert exact.least == exact.most == best.gain
    assert solution.gain(exact.holds, terms, nets, workers=1) == best.gain
    limits = values.gain_limits(final_pays(terms, nets), spot_classes=0)
    assert limits.least <= best.gain <= limits.most
    assert (limits.least < limits.most) == (limits.undecided > 0)


@pytest.mark.parametrize("terms", [TERMS, FURTHER])
def test_what_is_solved_needs_no_further_count(
    solution: DrawSolution, values: CandidateValues, terms: DrawTerms
) -> None:
    exact = values.gain_limits(final_pays(terms), spot_classes=0)
    best = solution.best(terms, workers=1)
    assert (exact.exact, exact.least) == (True, best.gain)
    assert np.array_equal(exact.holds, best.holds)
    other_share = replace(terms, unqualified_pays=Fraction(1, 7))
    assert solution.best(other_share, workers=1).gain == exact.least


def test_bounds_hold_for_every_hold(solution: DrawSolution, values: CandidateValues) -> None:
    """A hold is worth no more than its bound, whatever is paid."""
    changes = solution.flushes.count(
        {row: range(32) for row in range(0, len(solution.holds.hands), 7)}, workers=1
    )
    house_way = solution.holds.house_way
    for seed in range(3):
        terms, nets = random_terms(seed)
        bounds = values._values(final_pays(terms, nets))
        by_ranks, scale = solution.rank_values(terms, nets)
        for row, hold in changes:
            own = int(house_way[row])
            (win, lose), (house_win, house_lose) = changes[row, hold], changes[row, own]
            above = int(by_ranks[row, hold] - by_ranks[row, own])
            above += scale * (win - lose - house_win + house_lose)
            most = max(int(bounds.most[row, hold]), int(bounds.values[row, hold]))
            assert above * bounds.scale <= most * scale


def test_a_strategy_is_priced_with_holds_that_are_no_candidates(
    solution: DrawSolution, values: CandidateValues
) -> None:
    holds = np.random.default_rng(18).integers(32, size=len(solution.holds.hands)).astype(np.uint8)
    assert 0 < len(values.uncounted(holds)) < len(holds)
    nothing = DrawTerms(Fraction(0), {})
    assert values.gain(holds, workers=1) == solution.gain(holds, nothing, workers=1)


def test_payouts_too_fine_to_sum_exactly_are_refused(values: CandidateValues) -> None:
    fine = final_pays(TERMS.changed("flush", Fraction(1, 10**15)))
    with pytest.raises(ValueError, match="too finely divided"):
        values.gain_limits(fine)
