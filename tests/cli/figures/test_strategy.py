"""``openfelt strategy``."""

from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from openfelt.maths import STRATEGIES, HoldemTerms, known_figures
from openfelt.maths.strategy.strategies import READINGS
from tests.kit.cli.commands import complaint, facts, output
from tests.kit.own_houses import house_document, toml_text


def known_cost(name: str) -> Fraction:
    known = known_figures(name, HoldemTerms.of())
    assert known is not None
    return known.cost


def test_the_basic_strategy_with_its_cost_and_chart(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "strategy")
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "4 On the river bet 1x with at most 18 dealer outs." in lines
    assert "Otherwise check, and on the river fold." in lines
    assert "Cost of the strategy 0.1315% exactly 1015735277/772605834000" in lines
    assert "K 4x 4x 4x 4x 4x 4x 4x 4x 4x 4x 4x 4x 4x" in lines
    assert "4 4x · · · · · · · · · 4x · ·" in lines
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_the_published_strategy_and_no_chart(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "strategy", "online", "--name", "published-simple", "--chart", "none")
    assert "0.2479%" in shown
    assert str(known_cost("published_simple")) in shown
    assert " 4x  4x" not in shown


def test_perfect_play_by_value(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "strategy", "--name", "perfect", "--chart", "value")
    assert "50643648973/2317817502000" in shown
    assert " 3.60*" in shown
    assert "-0.93 " in shown
    assert "Cost" not in shown
    assert max(len(line) for line in shown.splitlines()) <= 80


@pytest.mark.parametrize("name", ["basic", "published_simple", "perfect"])
def test_json_for_programs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "strategy", "--name", name)
    assert found["cost_fraction"] == str(known_cost(name))
    assert found["cost"] == float(known_cost(name))
    assert found["counted_now"] is False
    assert {"bet_4x", "bet_2x", "bet_1x", "fold", "fold_fraction"} <= set(found["decisions"])
    assert len(found["chart"]) == 169
    assert found["chart"]["K5o"]["action"] == "bet_4x"
    assert set(found["chart"]["K5o"]["values"]) >= {"check", "check_fraction", "bet_4x"}
    if name in STRATEGIES:
        assert found["lines"] == STRATEGIES[name].describe()


@pytest.mark.parametrize("name", READINGS)
def test_the_published_words_are_printed_with_what_each_reading_costs(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = output(capsys, "strategy", "--name", name, "--chart", "none")
    assert '"hidden pair or better"' in shown
    for reading in READINGS:
        assert [reading, f"{float(known_cost(reading)):.4%}"] in [
            line.split() for line in shown.splitlines()
        ]
    assert "hidden pair or better" in facts(capsys, "strategy", "--name", name)["note"]


@pytest.mark.parametrize(("kind", "word"), [("decision", "check"), ("value", "+3.60")])
def test_the_chart_is_drawn_into_a_file(
    kind: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "chart.svg"
    output(capsys, "strategy", "--chart", kind, "--svg", str(path))
    drawn = [element.text for element in ET.parse(path).iter()]
    assert word in drawn


@pytest.mark.variant
@pytest.mark.slow
def test_other_terms_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    departure = {"clause": "O.4b", "reason": "a test"}
    changes = {"id": "only_three", "play.before_flop": [3], "departures": [departure]}
    document = house_document("online", changes)
    (tmp_path / "only_three.toml").write_text(toml_text(document), encoding="utf-8")
    houses = ("--houses", str(tmp_path))
    found = facts(capsys, "strategy", "only_three", "--name", "perfect", *houses)
    assert found["counted_now"] is True
    assert round(found["ev_per_ante"], 6) == -0.096655
    sentence, code = complaint(capsys, "strategy", "only_three", *houses)
    assert "bets 4x before the flop" in sentence
    assert code == 2


@pytest.mark.variant
@pytest.mark.slow
@pytest.mark.usefixtures("solved_game")
def test_the_price_can_be_counted_again(capsys: pytest.CaptureFixture[str]) -> None:
    kept = facts(capsys, "strategy")
    counted = facts(capsys, "strategy", "--price")
    assert counted.pop("counted_now") is True
    assert kept.pop("counted_now") is False
    assert counted == kept


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "no house called 'nowhere'"),
        (("draw", "--name", "basic"), "try basic_draw, house_way, perfect, or give a --file"),
        (("--name", "mine"), "called 'mine'; try perfect, basic, published_simple"),
        (("--name", "house_way"), "called 'house_way'"),
        (("--chart", "pie"), "pie"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "strategy", *arguments)
    assert said in sentence
    assert code == 2


def test_a_file_that_cannot_be_written_is_a_complaint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "strategy", "--svg", str(tmp_path / "no" / "chart.svg"))
    assert "cannot be written" in sentence
    assert code == 1
