"""The kept value of the best holds of Ultimate Draw: for which terms it stands."""

from fractions import Fraction

import pytest

from openfelt.cards import Category
from openfelt.catalog import load_house
from openfelt.maths.draw.best_play import known_best_play
from openfelt.maths.draw.draw_figures import DrawFigures, DrawTerms, draw_terms_of
from openfelt.maths.draw.house_way_ante import HouseWayAnte

LIMITS = Fraction(2051118185441021, 169565613376054896), Fraction(176783211325223, 7886772715165344)
"""What the count by ranks proves of the Ante's value to the best holds."""
UNQUALIFIED = Fraction(43298035393, 166110254310)
HOUSE_WAY = Fraction(1138759267662521, 385376394036488400)


def figures(terms: DrawTerms) -> DrawFigures:
    """The house's figures, with the exact value of the house way and no other hand than a pair."""
    usual = draw_terms_of(load_house("draw"))
    lost = usual.unqualified_pays * UNQUALIFIED - HOUSE_WAY
    ante = HouseWayAnte(UNQUALIFIED, UNQUALIFIED - lost, dict.fromkeys(Category, Fraction(0)))
    return DrawFigures(load_house("draw"), terms, ante, {})


def test_the_kept_value_lies_where_ranks_prove_it_to_be() -> None:
    best = known_best_play(figures(draw_terms_of(load_house("draw"))))
    assert best is not None
    assert best.house_way == HOUSE_WAY
    assert LIMITS[0] < best.value < LIMITS[1]
    assert 0 < best.differs < 1


def test_another_share_of_an_unqualified_dealer_changes_no_hold() -> None:
    usual = figures(draw_terms_of(load_house("draw")))
    kept = known_best_play(usual)
    assert kept is not None
    fair = figures(usual.terms.changed("unqualified", usual.fair_share_with(kept.value)))
    best = known_best_play(fair)
    assert best is not None
    assert best.value == 0
    assert best.gain == kept.gain


@pytest.mark.parametrize("category", ["flush", "full_house", "straight"])
def test_nothing_is_kept_for_another_ante_bonus(category: str) -> None:
    terms = draw_terms_of(load_house("draw")).changed(category, Fraction(1, 7))
    assert known_best_play(figures(terms)) is None
