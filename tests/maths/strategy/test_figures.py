"""The kept figures of strategies are those that are counted."""

import pytest

from openfelt.cards import Category
from openfelt.maths import (
    STRATEGIES,
    HoldemTerms,
    StrategyFigures,
    known_figures,
)
from openfelt.maths.strategy.strategies import READINGS
from tests.kit.maths.solution import usual_price, usual_solution


def _known(name: str) -> StrategyFigures:
    figures = known_figures(name, HoldemTerms.of())
    assert figures is not None
    return figures


def test_perfect_play_is_the_solution() -> None:
    solution = usual_solution()
    assert _known("perfect") == StrategyFigures.of("perfect", solution, solution.ev_per_ante)
    assert _known("perfect").cost == 0
    assert _known("perfect").element_of_risk == solution.element_of_risk


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "basic",
        READINGS[0],
        *(pytest.param(name, marks=pytest.mark.sweep) for name in READINGS[1:]),
    ],
)
def test_shipped_strategies_are_what_they_are_counted_to_be(name: str) -> None:
    price = usual_price(name)
    assert _known(name) == StrategyFigures.of(name, price, price.perfect_ev)
    assert _known(name).cost == price.cost
    assert _known(name).std_dev == price.std_dev


def test_the_published_strategy_loses_what_its_author_says() -> None:
    # The Wizard of Odds gives 2.43% for it and 2.185% for perfect play.
    assert f"{float(-_known('published_simple').ev_per_ante):.4f}" == "0.0243"


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("published_simple", "0.248%"),
        ("published_simple_pair", "0.269%"),
        ("published_simple_any_two_pair", "0.658%"),
    ],
)
def test_the_readings_of_the_published_words_cost(name: str, cost: str) -> None:
    assert f"{float(_known(name).cost):.3%}" == cost


def test_basic_costs_less_than_published_with_no_more_lines() -> None:
    assert _known("basic").cost < _known("published_simple").cost
    basic, published = STRATEGIES["basic"], STRATEGIES["published_simple"]
    assert len(basic.describe()) <= len(published.describe()) <= 12


def test_nothing_is_kept_for_other_terms_or_strategies() -> None:
    assert known_figures("always_4x", HoldemTerms.of()) is None
    assert known_figures("basic", HoldemTerms.of({Category.STRAIGHT: 1})) is None
