"""What is kept of the strategies of Ultimate Draw: for which terms it stands, and its limits."""

from fractions import Fraction

import pytest

from openfelt.cards import Category
from openfelt.catalog import load_catalog, load_house
from openfelt.maths.draw.best_play import (
    best_play_limits,
    known_best_play,
    known_house_way,
    table_nets,
)
from openfelt.maths.draw.draw_figures import DrawFigures, DrawTerms, draw_terms_of
from openfelt.maths.draw.strategy_counts import final_pays, usual_counts
from openfelt.rules.paytable import HandPaytable

LIMITS = Fraction(2051118185441021, 169565613376054896), Fraction(176783211325223, 7886772715165344)
"""What the count by ranks proves of the Ante's value to the best holds."""
USUAL = draw_terms_of(load_house("draw"))
ONE = Fraction(1)


def figures(terms: DrawTerms = USUAL) -> DrawFigures:
    return DrawFigures(load_house("draw"), terms, known_house_way(), {})


def test_the_kept_value_lies_where_ranks_prove_it_to_be() -> None:
    best = known_best_play(figures())
    assert best is not None
    assert best.house_way == figures().expected
    assert LIMITS[0] < best.value < LIMITS[1]
    assert 0 < best.differs < 1


def test_another_share_of_an_unqualified_dealer_changes_no_hold() -> None:
    kept = known_best_play(figures())
    assert kept is not None
    share = figures().fair_share_with(kept.value)
    assert share is not None
    fair = figures(USUAL.changed("unqualified", share))
    best = known_best_play(fair)
    assert best is not None
    assert best.value == 0
    assert best.gain == kept.gain
    assert best_play_limits(fair)[1] == 0


@pytest.mark.parametrize("category", ["flush", "full_house", "straight"])
def test_for_another_ante_bonus_there_are_limits(category: str) -> None:
    """A lower Ante Bonus takes no more than it paid the best holds, and gives nothing."""
    terms = USUAL.changed(category, Fraction(1, 7))
    assert known_best_play(figures(terms)) is None
    least, most = best_play_limits(figures(terms))
    usual = known_best_play(figures())
    assert usual is not None
    assert most is not None
    assert figures(terms).expected <= least <= most
    if category != "straight":
        assert most < usual.value


@pytest.mark.parametrize("units", [Fraction(1, 2), ONE, Fraction(3)])
def test_a_bonus_adds_no_more_than_it_is_worth_by_itself(units: Fraction) -> None:
    least, most = best_play_limits(figures(), units)
    alone = known_best_play(figures())
    assert alone is not None
    assert most is not None
    table = load_catalog().paytables["bonus", "UDP-01"]
    assert isinstance(table, HandPaytable)
    house_way = usual_counts().house_way
    assert least >= house_way.value(USUAL, table_nets(table, units))
    assert most <= alone.value - units * Fraction(73589807, 9657572925)
    # The best holds are kept for one unit.
    assert least <= most
    assert units != 1 or least == most


def test_one_unit_of_each_bonus_table_has_its_own_best_holds() -> None:
    counts = usual_counts()
    house_way, values = counts.house_way, {}
    for name in ("UDP-01", "UDP-02", "UDP-03", "UDP-04"):
        table = load_catalog().paytables["bonus", name]
        assert isinstance(table, HandPaytable)
        nets = table_nets(table, ONE)
        best = counts.best_for(final_pays(USUAL, nets))
        assert best is not None
        assert best.strategy == f"best_{name}"
        values[name] = counts.strategies[best.strategy].value(USUAL, nets)
        # Counted in two ways: as the gain of these holds, and from their wins, losses and hands.
        assert values[name] == house_way.value(USUAL, nets) + best.gain
        # No other kept strategy is better.
        others = [one.value(USUAL, nets) for one in counts.strategies.values()]
        assert max(others) == values[name]
    assert f"{float(values['UDP-01']):.6%}" == "-3.741410%"
    assert list(values.values()) == sorted(values.values(), reverse=True)


def test_a_bonus_loses_its_stake_where_it_pays_nothing() -> None:
    table = load_catalog().paytables["bonus", "UDP-02"]
    assert isinstance(table, HandPaytable)
    nets = table_nets(table, Fraction(3))
    assert nets[Category.PAIR] == -3
    assert nets[Category.TWO_PAIR] == 3
