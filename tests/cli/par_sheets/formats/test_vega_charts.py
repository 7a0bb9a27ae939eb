"""The charts of a par sheet: what they show is exact, and they are drawn."""

from fractions import Fraction

import pytest

from openfelt.cli.par_sheets.formats.vega_charts import as_png, as_svg, specification
from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
from openfelt.maths import HouseFigures


def test_charts_show_the_figures(online: HouseFigures) -> None:
    charts = {chart.kind: chart for chart in holdem_sheet(online).charts}
    assert set(charts) == {"wagers", "results", "session", "bands"}
    wagers = {value["wager"]: value["result"] for value in charts["wagers"].values}
    assert wagers["Game"] == float(online.solution.ev_per_ante)
    assert wagers["Trips"] == float(online.side_bets["trips"].expected)
    parts = [wagers[name] for name in ("Ante", "Blind", "Play")]
    assert sum(map(float, parts)) == pytest.approx(float(online.solution.ev_per_ante))
    chances = {value["label"]: value["chance"] for value in charts["results"].values}
    lost = Fraction(online.solution.distribution[Fraction(-6)], online.solution.deals)
    assert chances["-6.0"] == float(lost)
    assert sum(map(float, chances.values())) == pytest.approx(1)
    session = sum(float(value["chance"]) for value in charts["session"].values)
    assert 0.98 < session <= 1
    first = charts["bands"].values[0]
    assert float(first["low"]) < 1 + float(online.solution.ev_per_ante) < float(first["high"])


def test_charts_are_drawn_from_one_specification(online: HouseFigures) -> None:
    for chart in holdem_sheet(online).charts:
        assert specification(chart)["$schema"].startswith("https://vega.github.io/schema/vega-lite")
        assert as_svg(chart).startswith("<svg")
    assert as_png(chart).startswith(b"\x89PNG")
