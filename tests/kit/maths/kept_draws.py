"""Counts of Ultimate Draw as the file keeps them once everything is counted, with made-up figures.

They stand for the strategies that `tools/draw_counts.py` counts in an hour, so that reports can be
tested without it. The house way's are the true ones.
"""

from dataclasses import replace
from fractions import Fraction

import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.cli.comparisons import comparison
from openfelt.cli.figures import draw_edge_report, draw_page, draw_strategy
from openfelt.cli.par_sheets import draw_sheet, run_plans
from openfelt.maths.draw import best_play
from openfelt.maths.draw.best_play import table_nets
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.draw_spread import TOLD_APART, DrawSpread, Outcomes
from openfelt.maths.draw.strategy_counts import (
    HOUSE_WAY,
    BestGain,
    DrawCounts,
    Pays,
    StrategyCounts,
    final_pays,
    read_counts,
    usual_counts,
    write_counts,
)
from openfelt.rules.paytable import HandPaytable

BONUS_TABLES = ("UDP-01", "UDP-02", "UDP-03", "UDP-04")
GAINS = {"basic": Fraction(1, 110), "best": Fraction(1, 80)}
"""What strategies gain on the house way for the Ante alone."""
BONUS_GAIN = Fraction(1, 12)
"""What the best holds for both wagers gain on the house way."""


def spread_of(kept: StrategyCounts) -> DrawSpread:
    """Some distribution of a round with the final hands, wins and losses of a strategy."""
    halves = {c: kept.final[c] / 2 for c in TOLD_APART}
    told = {c: Outcomes(half, half, Fraction(0), Fraction(0)) for c, half in halves.items()}
    below = 1 - sum((kept.final[c] for c in TOLD_APART), Fraction(0)) - kept.unqualified
    win = (below + kept.win_less_lose) / 2
    return DrawSpread(Outcomes(win, below - win, Fraction(0), kept.unqualified), told)


def whole_counts() -> DrawCounts:
    """The house way as it is kept, and made-up counts of all other strategies."""
    terms, house_way = draw_terms_of(load_house("draw")), usual_counts().house_way
    strategies = {HOUSE_WAY: replace(house_way, spread=spread_of(house_way))}
    best = []

    def add(name: str, title: str, gain: Fraction, bonus: Pays | None = None) -> None:
        counts = replace(
            house_way,
            name=name,
            title=title,
            win_less_lose=house_way.win_less_lose + gain,
            differs=Fraction(1, 4),
        )
        strategies[name] = replace(counts, spread=spread_of(counts))
        if name != "basic":
            best.append(BestGain(final_pays(terms, bonus), gain, Fraction(1, 4), name))

    add("best", "Held best for the Ante alone", GAINS["best"])
    add("basic", "Held by the basic strategy", GAINS["basic"])
    for name in BONUS_TABLES:
        table = load_catalog().paytables["bonus", name]
        assert isinstance(table, HandPaytable)
        title = f"Held best for the Ante and as much on {name}"
        add(f"best_{name}", title, BONUS_GAIN, table_nets(table, Fraction(1)))
    # Through the file, as they would come.
    return read_counts(write_counts("made up", DrawCounts(strategies, tuple(best))))


def keep(monkeypatch: pytest.MonkeyPatch, counts: DrawCounts) -> None:
    """Let every report find these counts."""
    reports = (comparison, draw_edge_report, draw_page, draw_sheet, draw_strategy, run_plans)
    for module in (best_play, *reports):
        monkeypatch.setattr(module, "usual_counts", lambda: counts)
