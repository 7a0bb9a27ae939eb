"""Ultimate Draw with all counts kept: every report shows them by itself."""

import json
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.cli.figures.draw_page import draw_section
from openfelt.maths.content_hash import content_hash
from openfelt.maths.draw.best_play import table_nets
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.strategy_counts import DrawCounts
from openfelt.rules.paytable import HandPaytable
from tests.kit.cli.commands import facts, output
from tests.kit.maths.kept_draws import BONUS_GAIN, BONUS_TABLES, GAINS, keep, whole_counts

TERMS = draw_terms_of(load_house("draw"))


@pytest.fixture(name="kept")
def _kept(monkeypatch: pytest.MonkeyPatch) -> DrawCounts:
    counts = whole_counts()
    keep(monkeypatch, counts)
    return counts


def test_the_page_has_what_is_kept_today() -> None:
    section = draw_section()
    assert "| Held the house way | 0.2955% | 1138759267662521/385376394036488400 |" in section
    assert "1.5439% | 65446310657744017/4239140334401372400 |" in section
    for name in BONUS_TABLES:
        assert f"| {name} | Held the house way |" in section


def test_the_page_shows_every_strategy_and_table_that_is_kept(kept: DrawCounts) -> None:
    rows = draw_section().splitlines()
    for name in ("house_way", "basic", "best"):
        one = kept.strategies[name]
        row = next(row for row in rows if row.startswith(f"| {one.title} |"))
        assert f"| {one.value(TERMS)} |" in row
        assert one.spread is not None
        assert f"| {one.spread.std_dev(TERMS):.6f} |" in row
    assert not any(row.startswith("| Held best for the Ante and as much") for row in rows)
    together = [row for row in rows if "Held best for both" in row]
    assert [row.split(" | ")[0] for row in together] == [f"| {name}" for name in BONUS_TABLES]
    assert not any("at least" in row for row in together)
    for row, name in zip(together, BONUS_TABLES, strict=True):
        table = load_catalog().paytables["bonus", name]
        assert isinstance(table, HandPaytable)
        nets = table_nets(table, Fraction(1))
        spread = kept.strategies[f"best_{name}"].spread
        assert spread is not None
        assert f"| {float(spread.covariance(TERMS, nets)):.6f} |" in row
        assert f"| {sqrt(spread.variance_with(TERMS, nets)):.6f} |" in row


def test_edge_prints_variance_and_both_wagers_together(
    kept: DrawCounts, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in BONUS_TABLES:
        found = facts(capsys, "edge", "draw", "--paytable", name)
        alone, both = found["best_play"]
        gain = Fraction(alone["gain_on_house_way_fraction"])
        assert gain == GAINS["best"]
        assert Fraction(both["gain_on_house_way_fraction"]) == BONUS_GAIN
        assert "Held best for both" in found["together"]["strategies"]
        spread = kept.house_way.spread
        assert spread is not None
        assert Fraction(found["ante"]["variance_fraction"]) == spread.variance(TERMS)
    told = output(capsys, "edge", "draw")
    assert told.count("Standard deviation per Ante") == 2
    assert "at least" not in told


def test_the_basic_strategy_has_its_exact_price(
    kept: DrawCounts, capsys: pytest.CaptureFixture[str]
) -> None:
    found = facts(capsys, "strategy", "draw")
    assert Fraction(found["ev_per_ante_fraction"]) == kept.strategies["basic"].value(TERMS)
    assert not found["counted_now"]
    assert "variance_fraction" in found
    told = " ".join(output(capsys, "strategy", "draw").split())
    assert f"exactly {kept.strategies['basic'].value(TERMS)}" in told
    assert "not kept" not in told


@pytest.mark.usefixtures("kept")
def test_the_json_of_the_par_sheet_has_all_figures_of_edge(
    capsys: pytest.CaptureFixture[str],
) -> None:
    check_sheet_has_edge(capsys, "UDP-04")


def test_so_it_does_with_the_counts_of_today(capsys: pytest.CaptureFixture[str]) -> None:
    sheet = check_sheet_has_edge(capsys, "UDP-01")
    alone = sheet["best_play"][0]
    assert alone["ev_per_ante_fraction"] == "65446310657744017/4239140334401372400"
    basic = sheet["basic_strategy"]
    assert basic["ev_per_ante_fraction"] == "34591589243618167/2826093556267581600"
    best = Fraction(alone["ev_per_ante_fraction"])
    assert Fraction(basic["cost_fraction"]) == best - Fraction(basic["ev_per_ante_fraction"])
    assert sheet["claims"][0]["claimed"] == "0.76%"


def check_sheet_has_edge(capsys: pytest.CaptureFixture[str], table: str) -> dict[str, Any]:
    """Compare both commands key by key: the sheet has every figure that the other prints."""
    arguments = ("draw", "--paytable", table)
    sheet = json.loads(output(capsys, "parsheet", *arguments, "--format", "json"))
    edge = facts(capsys, "edge", *arguments)
    assert "best_play" in edge
    assert {key: sheet.get(key) for key in edge} == edge
    figures = {key: sheet[key] for key in sheet.keys() - {"figures_sha256", "sections"}}
    assert content_hash(figures) == sheet["figures_sha256"]
    assert set(edge) <= set(figures), "the fingerprint covers every figure"
    return dict(sheet)


def test_the_par_sheet_shows_all_of_it(
    kept: DrawCounts, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = output(capsys, "parsheet", "draw", "--paytable", "UDP-03")
    for title in (
        "Results of a round in Antes, held the house way",
        "Results of a round in Antes, held best for the Ante alone: spread",
        "The basic strategy",
        "The Ante with the Bonus",
    ):
        assert title in sheet
    assert str(kept.strategies["basic"].value(TERMS)) in sheet
    assert "Held best for both" in sheet
    assert "Held best for both, at least" not in sheet
