"""``openfelt edge --seen-by``."""

from fractions import Fraction

import pytest

from tests.kit.cli.commands import complaint, facts, output


def test_what_a_flashed_card_is_worth(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "edge", "washington", "--seen-by", "dealer_card")
    worth = Fraction(found["ev_per_ante_fraction"]) - Fraction(found["without_fraction"])
    assert Fraction(found["worth_fraction"]) == worth
    assert found["published"] == f"{found['ev_per_ante']:.4%}"
    assert found["without_fraction"] == "-50643648973/2317817502000"
    printed = output(capsys, "edge", "washington", "--seen-by", "dealer_card")
    assert "one card of the dealer" in printed
    assert "the same" in printed


def test_hands_that_see_each_other_are_estimated(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--seen-by", "six_players", "--samples", "10", "--seed", "3")
    found = facts(capsys, "edge", "stadium", *options)
    assert (found["samples"], found["seed"], found["seen_by"]) == (10, 3, "six_players")
    low, high = found["interval_95"]
    assert low < found["ev_per_ante"] < high
    assert found["without_fraction"] == "-50643648973/2317817502000"
    assert found["ev_per_ante"] == pytest.approx(found["without"] + found["worth"])


def test_only_the_game_of_holdem_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    sentence, code = complaint(capsys, "edge", "draw", "--seen-by", "dealer_card")
    assert "not Ultimate Texas Hold'em" in sentence
    assert code == 2
