"""``openfelt strategy draw``."""

from fractions import Fraction
from pathlib import Path

import pytest

from openfelt.catalog import load_house
from openfelt.cli.figures import draw_strategy
from openfelt.maths import draw_terms_of, solve_draw
from openfelt.maths.draw.best_play import known_house_way
from openfelt.maths.draw.draw_spread import count_spread
from openfelt.maths.draw.hold_lines import held_by_lines, parse_lines
from tests.kit.cli.commands import complaint, facts, output
from tests.kit.maths.games import small_deck

TERMS = draw_terms_of(load_house("draw"))
OWN = "two pair\nfour to a flush # with any pair\na pair of threes or better\n"


def test_the_house_way_is_looked_up(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "strategy", "draw", "--name", "house way")
    expected = known_house_way().expected(TERMS.ante_bonus)
    assert Fraction(found["ev_per_ante_fraction"]) == expected
    assert not found["counted_now"]
    assert len(found["lines"]) == 4
    told = " ".join(output(capsys, "strategy", "draw", "--name", "house_way").split())
    assert "Hold four to a flush." in told
    assert "Held best" in told
    best = facts(capsys, "strategy", "draw", "--name", "perfect")
    assert Fraction(best["ev_per_ante_fraction"]) > expected
    assert len(facts(capsys, "strategy", "draw")["lines"]) == 12


def test_a_strategy_of_your_own_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With 15 cards; the same counts with 52 take a quarter of an hour or more."""
    deck = [card.number for card in small_deck("23JKA", 3)]
    solved = solve_draw(deck, workers=1)
    monkeypatch.setattr(draw_strategy, "solve_draw", lambda **_: solved)
    (tmp_path / "own.txt").write_text(OWN, encoding="utf-8")
    found = facts(capsys, "strategy", "draw", "--spread", "--file", str(tmp_path / "own.txt"))
    holds = held_by_lines(parse_lines(OWN), solved.holds.hands)
    assert Fraction(found["ev_per_ante_fraction"]) == solved.value(holds, TERMS)
    assert found["counted_now"]
    assert found["lines"][1] == "Hold four to a flush."
    spread = count_spread(solved, holds, workers=1)
    assert Fraction(found["variance_fraction"]) == spread.variance(TERMS)
    assert sum(Fraction(row["share_fraction"]) for row in found["rounds"]) == 1
    best = facts(capsys, "strategy", "draw", "--name", "perfect", "--price")
    value = solved.value(solved.best(TERMS, workers=1).holds, TERMS)
    assert Fraction(best["ev_per_ante_fraction"]) == value


def test_the_results_of_a_round_are_printed_with_their_deals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = ("strategy", "draw", "--name", "house_way", "--spread")
    rounds = facts(capsys, *run)["rounds"]
    assert sum(row["deals"] for row in rounds) == 406_957_472_102_531_750_400
    assert sum(Fraction(row["share_fraction"]) for row in rounds) == 1
    shown = output(capsys, *run)
    assert all(f"{row['deals']:,}" in shown for row in rounds)
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_what_is_no_strategy_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.txt").write_text("a lucky card\n", encoding="utf-8")
    for asked, sentence in (
        (("draw", "--name", "lucky"), "try basic_draw, house_way"),
        (("draw", "--file", str(tmp_path / "own.txt")), "names no cards to hold"),
        (("draw", "--file", str(tmp_path)), "cannot be read"),
        (("--file", "own.txt"), "for Ultimate Draw only"),
        (("draw", "--svg", "chart.svg"), "no chart"),
    ):
        told, _ = complaint(capsys, "strategy", *asked)
        assert sentence in told
