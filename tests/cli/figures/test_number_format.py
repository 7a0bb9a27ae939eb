"""Exact figures in print."""

from fractions import Fraction

from openfelt.cli.figures.number_format import all_both, percent, signed


def test_percentages_and_signs() -> None:
    assert percent(Fraction(21849713762753, 10**15), 3) == "2.185%"
    assert signed(Fraction(-1, 3), 3) == "-0.333"


def test_fractions_stand_beside_their_decimals() -> None:
    assert all_both({"fold": Fraction(1, 3)}) == {"fold": 1 / 3, "fold_fraction": "1/3"}
