"""The counts of strategies of Ultimate Draw: kept with a hash, and enough to price any terms."""

import json
from dataclasses import astuple, replace
from fractions import Fraction

import numpy as np
import pytest

from openfelt.cards import Category
from openfelt.catalog import load_house
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.draw_solution import DrawSolution, solve_draw
from openfelt.maths.draw.draw_spread import TOLD_APART, DrawSpread, Outcomes
from openfelt.maths.draw.hold_lines import held_by_lines, parse_lines
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.kept_holds import kept_holds
from openfelt.maths.draw.strategy_counts import (
    BestGain,
    DrawCounts,
    StrategyCounts,
    count_strategy,
    final_pays,
    read_counts,
    usual_counts,
    write_counts,
)
from tests.kit.maths.games import small_deck
from tools import draw_counts

pytestmark = pytest.mark.usefixtures("own_cache")

TERMS = draw_terms_of(load_house("draw"))
HOUSE_WAY_VALUE = Fraction(1138759267662521, 385376394036488400)
BEST_VALUE = Fraction(65446310657744017, 4239140334401372400)
BONUS = dict.fromkeys(Category, Fraction(-1)) | {Category.TWO_PAIR: Fraction(1, 2)}


@pytest.fixture(scope="module")
def solution() -> DrawSolution:
    return solve_draw([card.number for card in small_deck("23JKA", 3)], workers=1)


def test_counts_price_any_terms(solution: DrawSolution) -> None:
    """With a Bonus, another share and another Ante Bonus, as the solution prices the holds."""
    lines = parse_lines("two pair\na pair of jacks or better\nfour to a flush\nan ace and a king")
    holds = held_by_lines(lines, solution.holds.hands)
    counts = count_strategy(solution, holds, name="own", title="Own")
    other = TERMS.changed("full_house", Fraction(3, 2))
    for terms in (TERMS, other, TERMS.changed("unqualified", Fraction(1, 5))):
        assert counts.value(terms) == solution.value(holds, terms)
        assert counts.value(terms, BONUS) == solution.value(holds, terms, BONUS)
    often = solution.holds.classes.hands.counts
    assert counts.differs == Fraction(
        int(often[holds != solution.holds.house_way].sum()), int(often.sum())
    )


def test_the_house_way_is_kept_as_it_is_counted() -> None:
    """Its final hands are counted again; its wins take minutes, and `tools.draw_counts`."""
    kept = usual_counts().house_way
    holds = draw_holds()
    final = holds.categories(holds.house_way)
    assert kept.final == {c: Fraction(final[c], holds.draws) for c in Category}
    assert kept.unqualified == kept.final[Category.HIGH_CARD]
    assert kept.differs == 0


def test_what_is_written_is_read_again() -> None:
    some = Outcomes(Fraction(1, 3), Fraction(1, 4), Fraction(1, 5), Fraction(13, 60))
    spread = DrawSpread(some, {Category.FLUSH: some})
    final = dict.fromkeys(Category, Fraction(1, 10))
    one = StrategyCounts("own", "Own", Fraction(1, 4), Fraction(-1, 7), final, Fraction(0), spread)
    best = BestGain(final_pays(TERMS, BONUS), Fraction(1, 9), Fraction(1, 8), "own")
    counts = DrawCounts({"own": one}, (best,))
    text = write_counts("What it is.", counts)
    assert read_counts(text) == counts
    assert counts.best_for(final_pays(TERMS, BONUS)) is best
    assert counts.best_for(final_pays(TERMS)) is None


def test_an_altered_file_is_refused() -> None:
    whole = json.loads(write_counts("What it is.", usual_counts()))
    whole["counts"]["strategies"]["house_way"]["unqualified"] = "1/4"
    with pytest.raises(ValueError, match="it was altered"):
        read_counts(json.dumps(whole))


def test_kept_counts_add_up() -> None:
    for kept in usual_counts().strategies.values():
        assert sum(kept.final.values()) == 1
        if kept.spread:
            assert kept.spread.win_less_lose == kept.win_less_lose
            assert kept.spread.expected(TERMS) == kept.value(TERMS)
            every = (kept.spread.below, *kept.spread.told_apart.values())
            assert sum(some.unqualified for some in every) == kept.unqualified
            told_apart = kept.spread.told_apart
            assert all(told_apart[c].often == kept.final[c] for c in TOLD_APART)
            assert all(min(astuple(some)) >= 0 for some in every)
    for best in usual_counts().best:
        if best.strategy:
            kept = usual_counts().strategies[best.strategy]
            assert kept.differs == best.differs
            gain = kept.win_less_lose - usual_counts().house_way.win_less_lose
            gain += kept.paid(best.pays) - usual_counts().house_way.paid(best.pays)
            assert gain == best.gain


def test_the_value_of_the_ante_is_a_fraction() -> None:
    best = usual_counts().best_for(final_pays(TERMS))
    assert best is not None
    assert usual_counts().house_way.value(TERMS) == HOUSE_WAY_VALUE
    assert HOUSE_WAY_VALUE + best.gain == BEST_VALUE
    assert usual_counts().strategies["best"].value(TERMS) == BEST_VALUE


def test_what_was_counted_otherwise_is_named() -> None:
    kept = usual_counts()
    plain = {name: replace(one, spread=None) for name, one in kept.strategies.items()}
    found = DrawCounts(plain, kept.best)
    assert draw_counts.differences(kept, found, spread=False) == []
    assert "basic" in draw_counts.differences(kept, found, spread=True)
    basic = replace(plain["basic"], differs=Fraction(0))
    other = DrawCounts({**plain, "basic": basic}, kept.best[1:])
    assert draw_counts.differences(kept, other, spread=False) == ["basic", "best"]
    holds = kept_holds("best")
    assert draw_counts.different_holds({"best": holds}) == []
    assert draw_counts.different_holds({"best": holds ^ np.uint8(1)}) == ["holds of best"]


@pytest.mark.sweep
def test_what_is_kept_is_counted_again(capsys: pytest.CaptureFixture[str]) -> None:
    """All deals of 52 cards, with nothing stored before."""
    assert draw_counts.main([]) == 0
    assert f"best: the Ante is worth {BEST_VALUE}" in capsys.readouterr().out


def test_the_best_holds_of_all_that_are_kept_gain_the_most() -> None:
    for best in usual_counts().best:
        house_way = usual_counts().house_way
        value = house_way.win_less_lose + house_way.paid(best.pays) + best.gain
        for kept in usual_counts().strategies.values():
            assert kept.win_less_lose + kept.paid(best.pays) <= value
