"""A strategy as a report and as JSON."""

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cli.figures.edge_report import action_words, offered_bets
from openfelt.cli.figures.number_format import all_both, both, percent
from openfelt.cli.figures.strategy_choice import StrategyChoice
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.strategy.charts import (
    CHECK,
    RANKS,
    Chart,
    ChartHand,
    Colour,
    decision_colour,
    text_colour,
    value_colour,
)
from openfelt.maths.strategy.figures import known_figures
from openfelt.maths.strategy.strategies import READINGS


def choice_report(choice: StrategyChoice, chart: str) -> RenderableType:
    """The lines, the figures, and a chart of decisions or values, or none."""
    return Group(*_parts(choice, chart))


def _parts(choice: StrategyChoice, chart: str) -> Iterator[RenderableType]:
    yield Text(choice.title, "bold")
    yield Text(choice.house.name, "dim")
    yield Text()
    lines = Table.grid(padding=(0, 2))
    for number, line in enumerate(choice.lines, 1):
        # What to do when no line fits is not numbered.
        label = str(number) if line.startswith(("Before", "On")) else ""
        lines.add_row(Text(label, "dim", justify="right"), line)
    yield lines
    yield Text()
    yield _figures(choice)
    if any("outs" in line for line in choice.lines):
        yield Text()
        yield Text("A dealer out is an unseen card that beats you when the dealer holds it.", "dim")
    if choice.note:
        yield Text()
        yield Text(choice.note, "dim")
        yield from _readings(choice)
    if chart != "none":
        yield Text()
        yield value_grid(choice.chart) if chart == "value" else decision_grid(choice.chart)


def _readings(choice: StrategyChoice) -> Iterator[RenderableType]:
    """The cost of each reading of the published words, if it is known."""
    sheet = Table.grid(padding=(0, 2))
    for name in READINGS:
        figures = known_figures(name, terms_of(choice.house))
        if figures is not None:
            sheet.add_row(name, percent(figures.cost))
    if sheet.rows:
        yield sheet


def _figures(choice: StrategyChoice) -> Table:
    figures = choice.figures
    sheet = Table.grid(padding=(0, 2))
    sheet.add_column()
    sheet.add_column(justify="right")
    sheet.add_column()
    sheet.add_row("Loses per Ante", percent(-figures.ev_per_ante), "")
    if figures.cost:
        sheet.add_row("Perfect play loses", percent(-figures.perfect_ev), "")
        sheet.add_row("Cost of the strategy", percent(figures.cost), f"exactly {figures.cost}")
    else:
        sheet.add_row("  exactly", "", str(-figures.ev_per_ante))
    sheet.add_row("Standard deviation", f"{figures.std_dev:.4f}", "Antes")
    sheet.add_row("Average stake", f"{float(figures.units_staked):.4f}", "Antes")
    for action, share in figures.decisions.items():
        if share:
            words = action_words(action, offered_bets(choice.house))
            sheet.add_row(words, percent(share), "")
    return sheet


# Charts -------------------------------------------------------------------------


def decision_grid(chart: Chart) -> Text:
    """The 169 hands with their decisions: a multiple to bet, a dot to check."""
    text = _head("  ", 4)
    for row, rank in enumerate(RANKS):
        text.append(f"{rank} ")
        for column in range(13):
            hand = chart.at(row, column)
            words = " ·  " if hand.action == CHECK else f" {hand.word} "
            text.append(words, _style(decision_colour(hand.action), hand))
        text.append("\n")
    bets = ", ".join(sorted({hand.word for hand in chart.betting}, reverse=True)) or "No"
    return text.append(f"{bets}: bet. ·: check. Suited above the diagonal, unsuited below.")


def value_grid(chart: Chart) -> Text:
    """The 169 hands with their values in Antes; a star marks a bet before the flop."""
    values = [hand.value for hand in chart.hands.values()]
    lowest, highest = min(values), max(values)
    text = _head(" ", 6)
    for row, rank in enumerate(RANKS):
        text.append(f"{rank} ")
        for column in range(13):
            hand = chart.at(row, column)
            star = " " if hand.action == CHECK else "*"
            colour = value_colour(hand.value, lowest, highest)
            text.append(f"{float(hand.value):5.2f}{star}", _style(colour, hand))
        text.append("\n")
    text.append("Antes, with perfect play. *: bet before the flop. ")
    return text.append("Suited above the diagonal.")


def _head(left: str, width: int) -> Text:
    return Text(left + "".join(rank.center(width) for rank in RANKS) + "\n", no_wrap=True)


def _style(background: Colour, hand: ChartHand) -> str:
    def written(colour: Colour) -> str:
        return "rgb({},{},{})".format(*colour)

    weight = "bold " if hand.action != CHECK else ""
    return f"{weight}{written(text_colour(background))} on {written(background)}"


# For programs --------------------------------------------------------------------


def choice_facts(choice: StrategyChoice) -> dict[str, Any]:
    """The strategy as JSON: decimals, and fractions where they are exact."""
    figures = choice.figures
    return {
        "house": choice.house.id,
        "strategy": choice.name,
        "title": choice.title,
        "lines": choice.lines,
        "note": choice.note,
        "counted_now": choice.counted,
        **both("ev_per_ante", figures.ev_per_ante),
        **both("perfect_ev_per_ante", figures.perfect_ev),
        **both("cost", figures.cost),
        "std_dev": figures.std_dev,
        **both("variance", figures.variance),
        **both("units_staked", figures.units_staked),
        **both("element_of_risk", figures.element_of_risk),
        "decisions": all_both(figures.decisions),
        "chart": {
            name: {"action": hand.action, "values": all_both(choice.values[name])}
            for name, hand in choice.chart.hands.items()
        },
    }
