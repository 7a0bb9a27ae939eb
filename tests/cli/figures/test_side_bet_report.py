"""The figures of every side bet's paytable."""

import pytest

from openfelt.catalog import load_catalog
from openfelt.cli.figures.side_bet_report import side_bets
from tests.kit.cli.commands import complaint, facts, output

SIDE_BETS = {"trips", "bad_beat", "play_the_board", "ultimate_pairs", "progressive"}


def test_every_side_bet_of_the_catalog_is_priced() -> None:
    tables = load_catalog().paytables
    priced = {(bet.wager, bet.paytable) for bet in side_bets(tables.values())}
    assert priced == {key for key in tables if key[0] in SIDE_BETS}


def test_figures_of_one_wager(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "paytables", "bad_beat", "--figures")
    assert "14.7868%" in shown
    found = facts(capsys, "paytables", "bad_beat", "--figures")
    assert [one["paytable"] for one in found] == ["BBB-01", "BBB-02", "BBB-03"]
    assert all(one["deals"] == 2_781_381_002_400 for one in found)


def test_what_is_no_side_bet_has_no_figures(capsys: pytest.CaptureFixture[str]) -> None:
    sentence, code = complaint(capsys, "paytables", "UDP-ANTE", "--figures")
    assert "no side bet" in sentence
    assert code == 2
