"""Charts are readable with any colour vision, and agree with the figures."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from xml.etree import ElementTree as ET

import pytest

from openfelt.maths import Chart, HoldemTerms, draw_decisions, draw_values, first_values
from openfelt.maths.hands.starting_hands import starting_hands
from openfelt.maths.strategy.charts import (
    RANKS,
    actions_of,
    contrast,
    decision_colour,
    grid_name,
    text_colour,
    value_colour,
)
from tests.kit.repository import ROOT

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def perfect() -> Chart:
    return Chart.of("Perfect play", first_values(HoldemTerms.of()))


def test_the_grid_has_every_hand_once_and_suited_ones_above() -> None:
    places = list(product(range(13), repeat=2))
    assert {grid_name(*place) for place in places} == set(starting_hands())
    assert all(grid_name(row, column)[-1] == "s" for row, column in places if row < column)
    assert all(grid_name(row, column)[-1] == "o" for row, column in places if row > column)


def test_the_exact_chart_bets_with_69_hands(perfect: Chart) -> None:
    assert len(perfect.betting) == 69
    assert {hand.action for hand in perfect.betting} == {"bet_4x"}
    assert perfect.at(0, 0).name == "AA"
    assert perfect.at(1, 12).action == "bet_4x"
    assert perfect.at(12, 1).action == "check"


def test_a_strategy_may_do_otherwise(perfect: Chart) -> None:
    chart = Chart.of("Tight", first_values(HoldemTerms.of()), actions_of({4: "KK+", 3: "QQ"}))
    assert {hand.name: hand.word for hand in chart.betting} == {"AA": "4x", "KK": "4x", "QQ": "3x"}
    assert chart.hands["QQ"].value == perfect.hands["QQ"].value


@pytest.mark.parametrize("draw", [draw_decisions, draw_values])
def test_the_drawing_is_sound_and_named(draw: Callable[[Chart], str], perfect: Chart) -> None:
    root = ET.fromstring(draw(perfect))
    assert root.get("role") == "img"
    named = {element.get("id") for element in root.iter() if element.get("id")}
    assert set((root.get("aria-labelledby") or "").split()) == named
    assert all((root.findtext(f"{SVG}{tag}") or "").strip() for tag in ("title", "desc"))
    words = [element.text for element in root.iter(f"{SVG}text")]
    assert set(starting_hands()) <= set(words)
    assert words.count("A") == words.count("2") == 2


def test_decisions_and_values_are_written_in_the_cells(perfect: Chart) -> None:
    decisions = [one.text for one in ET.fromstring(draw_decisions(perfect)).iter()]
    assert decisions.count("4x") == 69
    assert decisions.count("check") == 100
    values = draw_values(perfect)
    assert "+3.60" in values
    assert "−0.93" in values  # noqa: RUF001


def test_text_keeps_its_contrast_on_every_ground(perfect: Chart) -> None:
    steps = [Fraction(step, 500) for step in range(-500, 501)]
    grounds = [value_colour(step, Fraction(-1), Fraction(1)) for step in steps]
    grounds += [decision_colour(action) for action in ("bet_4x", "bet_3x", "check", "bet_5x")]
    assert min(contrast(text_colour(ground), ground) for ground in grounds) >= 4.5


@pytest.mark.parametrize(
    ("name", "draw"), [("first-decision", draw_decisions), ("first-value", draw_values)]
)
def test_the_drawings_in_the_documentation_are_these(
    name: str, draw: Callable[[Chart], str], perfect: Chart
) -> None:
    path = ROOT / "docs" / "images" / f"{name}.svg"
    assert path.read_text(encoding="utf-8") == draw(perfect)


def test_odd_values_have_colours_too() -> None:
    assert value_colour(Fraction(0), Fraction(0), Fraction(0)) == (247, 247, 247)
    assert value_colour(Fraction(9), Fraction(-1), Fraction(3)) == (8, 48, 107)
    assert len(RANKS) == 13
