"""The stored figures of the Ante of Ultimate Draw Poker, as a section of the page of figures."""

from collections.abc import Iterator
from fractions import Fraction

from openfelt.catalog import load_catalog, load_house
from openfelt.cli.figures.draw_edge_report import (
    ante_strategies,
    held_together,
    known_spread,
    lower_first,
    together_values,
)
from openfelt.cli.figures.number_format import percent
from openfelt.maths.draw.best_play import known_best_play, known_house_way
from openfelt.maths.draw.draw_figures import DrawFigures, price_draw_house
from openfelt.maths.draw.qualifying_hands import QUALIFYING
from openfelt.maths.draw.strategy_counts import usual_counts
from openfelt.maths.wagers.house_figures import with_paytable
from openfelt.rules import WagerKind
from openfelt.rules.house import House
from openfelt.rules.paytable import HandPaytable

BEST = "best"
"""The name of the best holds of the Ante alone; for those with a Bonus, its name is appended."""
_HEAD = (
    "\n## The Ante of Ultimate Draw Poker\n\n"
    "One Ante with its Ante Bonus, counted over all deals and draws; `openfelt edge draw` prints "
    "this, and `openfelt strategy draw` the basic strategy. An expected result above zero favours "
    "the player. The standard deviation and the frequency of a net win are given for strategies "
    "whose distribution is stored.\n\n"
    "| held | expected result per Ante | exactly | standard deviation | net win |\n"
    "|---|---:|---|---:|---:|\n"
)
_QUALIFYING = (
    "\nThe expected result per Ante by the hand with which the dealer qualifies; `openfelt edge "
    'draw --what-if qualifies="two pair"` prints the exact fractions. The best holds are those '
    "of the published game; the best ones for another qualifying hand are not counted, and are "
    "worth at least as much.\n\n"
)
_TOGETHER = (
    "\nOne Ante, its Ante Bonus and one unit of the Bonus, in Antes; `openfelt edge draw "
    "--paytable NAME --bet bonus=1` prints this. Where the best holds for both wagers are not "
    "stored, the rows give a lower and an upper bound. The covariance is that of Ante and Bonus, "
    "and the standard deviation that of both together.\n\n"
    "| paytable | held | expected result | exactly | covariance | standard deviation |\n"
    "|---|---|---:|---|---:|---:|\n"
)


def draw_section() -> str:
    """The whole section, from the stored counts."""
    house = load_house("draw")
    figures = price_draw_house(house, ante=known_house_way())
    parts = [_HEAD, *_rows(figures), _QUALIFYING, *_rows_by_minimum(figures)]
    return "".join([*parts, _TOGETHER, *_rows_together(house)])


def _rows(figures: DrawFigures) -> Iterator[str]:
    counts, best = usual_counts(), known_best_play(figures)
    kept = ante_strategies(counts)
    values = {strategy.name: strategy.value(figures.terms) for strategy in kept}
    titles = {strategy.name: strategy.title for strategy in kept}
    if best is not None and BEST not in values:
        values[BEST], titles[BEST] = best.value, "Held best for the Ante alone"
    for name, value in sorted(values.items(), key=lambda item: item[1]):
        spread = known_spread(figures, counts.strategies.get(name))
        cells = [titles[name], percent(value), str(value), "", ""]
        if spread is not None:
            cells[3] = f"{spread.std_dev(figures.terms):.6f}"
            cells[4] = percent(spread.hit_frequency(figures.terms))
        yield f"| {' | '.join(cells)} |\n"


def _rows_by_minimum(figures: DrawFigures) -> Iterator[str]:
    """The stored strategies of the Ante by the dealer's qualifying hand, a pair or better."""
    kept = ante_strategies(usual_counts())
    titles = (lower_first(strategy.title) for strategy in kept)
    yield f"| dealer qualifies with | dealer does not qualify | {' | '.join(titles)} |\n"
    yield f"|---|---:|{'---:|' * len(kept)}\n"
    for least in QUALIFYING:
        terms = figures.terms.requiring(least)
        if not all(strategy.prices(terms) for strategy in kept):
            continue
        values = [kept[0].against(least).unqualified]
        values += [strategy.value(terms) for strategy in kept]
        yield f"| {least.or_better} | {' | '.join(map(percent, values))} |\n"


def _rows_together(house: House) -> Iterator[str]:
    unit = Fraction(1)
    for table in load_catalog().paytables.values():
        if table.wager != WagerKind.BONUS.value or not isinstance(table, HandPaytable):
            continue
        figures = price_draw_house(with_paytable(house, table), ante=known_house_way())
        best_play = known_best_play(figures, unit)
        values = together_values(figures, unit, {unit: best_play} if best_play else {})
        spreads = held_together(figures, unit)
        for title, value in values.items():
            cells = [table.name, title, percent(value), str(value), "", ""]
            if title in spreads:
                varies = spreads[title]
                cells[4:] = [f"{float(varies.covariance):.6f}", f"{varies.std_dev:.6f}"]
            yield f"| {' | '.join(cells)} |\n"
