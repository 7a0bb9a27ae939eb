"""``openfelt strategy draw``: a strategy of Ultimate Draw in plain lines, with its exact cost."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cli.complaint import Complaint, wrong_input
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.figures.number_format import both, percent, signed
from openfelt.cli.progress import watched
from openfelt.cli.terminal import make_console
from openfelt.maths.draw.draw_figures import DrawTerms, draw_terms_of
from openfelt.maths.draw.draw_solution import solve_draw
from openfelt.maths.draw.hold_lines import HoldLine, basic_draw_lines, held_by_lines, parse_lines
from openfelt.maths.draw.strategy_counts import (
    HOUSE_WAY,
    StrategyCounts,
    count_strategy,
    final_pays,
    usual_counts,
)
from openfelt.maths.strategy.strategy_names import PERFECT, plain_name
from openfelt.rules import House

BASIC = "basic_draw"
_NAMES = {BASIC: "basic", HOUSE_WAY: HOUSE_WAY, PERFECT: "best"}
_LINES = {
    HOUSE_WAY: (
        "Hold a pair or better.",
        "Hold four to a flush.",
        "Hold four in sequence.",
        "Hold every jack or higher.",
    ),
    PERFECT: ('Ask for any hand with: openfelt advise --game draw --hand "7s Ts Qs Kc Ad"',),
}


@dataclass(frozen=True, slots=True)
class DrawChoice:
    """A strategy of Ultimate Draw at a house, with everything that is printed about it."""

    house: House
    terms: DrawTerms
    name: str
    lines: tuple[str, ...]
    counts: StrategyCounts
    counted: bool
    """Whether the figures were counted now; otherwise they were looked up."""

    @property
    def value(self) -> Fraction:
        """The expected result of one Ante with its Ante Bonus."""
        return self.counts.value(self.terms)

    def compared(self) -> dict[str, Fraction]:
        """The value of strategies to compare with, as far as their counts are kept."""
        kept = usual_counts()
        house_way = kept.house_way.value(self.terms)
        best = kept.best_for(final_pays(self.terms))
        values = {"Held best": house_way + best.gain} if best else {}
        return values | {kept.house_way.title: house_way}


def print_draw_strategy(
    house: House, name: str | None, file: Path | None, *, count_again: bool, as_json: bool
) -> None:
    """Look a strategy up, or count one, and print it; raises Complaint."""
    choice = _choose(house, name, file, count_again=count_again)
    if as_json:
        sys.stdout.write(json.dumps(_facts(choice), indent=2) + "\n")
    else:
        make_console().print(Group(*_parts(choice)))


def _choose(house: House, name: str | None, file: Path | None, *, count_again: bool) -> DrawChoice:
    try:
        terms = draw_terms_of(house)
        if file is not None:
            lines = parse_lines(_text_of(file))
            counts = _count(str(file), lines, terms)
            return DrawChoice(house, terms, file.name, _words(lines), counts, counted=True)
    except ValueError as error:
        raise wrong_input(error) from error
    wanted = plain_name(name or BASIC)
    if wanted not in _NAMES:
        names = ", ".join(_NAMES)
        raise Complaint(
            f"No strategy for {house.id} is called {name!r}; try {names}, or give a --file.",
            ExitCode.WRONG_INPUT,
        )
    words = _words(basic_draw_lines()) if wanted == BASIC else _LINES[wanted]
    kept = _kept(wanted, terms)
    if kept is None or count_again:
        counts = _count(wanted, basic_draw_lines() if wanted == BASIC else (), terms)
        return DrawChoice(house, terms, wanted, words, counts, counted=True)
    return DrawChoice(house, terms, wanted, words, kept, counted=False)


def _kept(wanted: str, terms: DrawTerms) -> StrategyCounts | None:
    """The counts of a strategy that are kept."""
    counts = usual_counts()
    if wanted == PERFECT:
        best = counts.best_for(final_pays(terms))
        return counts.strategies[best.strategy] if best and best.strategy else None
    return counts.strategies.get(_NAMES[wanted])


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise Complaint(f"{file} cannot be read: {error.strerror}.") from error


def _count(
    name: str, lines: tuple[HoldLine, ...] | list[HoldLine], terms: DrawTerms
) -> StrategyCounts:
    """Count the strategy of some lines, the house way or the best holds."""
    with watched("Counting every hold by ranks") as progress:
        solution = solve_draw(progress=progress)
    with watched("Counting flushes") as progress:
        if lines:
            holds = held_by_lines(lines, solution.holds.hands)
        elif name == PERFECT:
            holds = solution.best(terms, progress=progress).holds
        else:
            holds = solution.holds.house_way
        return count_strategy(solution, holds, name=name, title=name, progress=progress)


def _words(lines: tuple[HoldLine, ...] | list[HoldLine]) -> tuple[str, ...]:
    return tuple(f"Hold {line.words}." for line in lines)


def _parts(choice: DrawChoice) -> Iterator[RenderableType]:
    yield Text(choice.name, "bold")
    yield Text(choice.house.name, "dim")
    yield Text()
    lines = Table.grid(padding=(0, 2))
    for number, line in enumerate(choice.lines, 1):
        lines.add_row(Text(str(number), "dim", justify="right"), line)
    yield lines
    if choice.name != PERFECT:
        yield Text("The first line that fits counts. If none does, throw all cards away.", "dim")
    yield Text()
    yield _figures(choice)


def _figures(choice: DrawChoice) -> Table:
    sheet = Table.grid(padding=(0, 2))
    sheet.add_column()
    sheet.add_column(justify="right")
    sheet.add_column()
    value = choice.value
    sheet.add_row("Expected result per Ante", signed(value, 8), f"exactly {value}")
    for title, other in choice.compared().items():
        sheet.add_row(title, signed(other, 8), "")
        if other > value:
            sheet.add_row("  costs less by", percent(other - value, 6), f"exactly {other - value}")
        elif other < value:
            sheet.add_row("  costs more by", percent(value - other, 6), f"exactly {value - other}")
    sheet.add_row("The house way would hold otherwise", percent(choice.counts.differs), "")
    spread = choice.counts.spread
    if spread:
        sheet.add_row("Standard deviation", f"{spread.std_dev(choice.terms):.6f}", "Antes")
        sheet.add_row("Nets more than nothing", percent(spread.hit_frequency(choice.terms)), "")
    return sheet


def _facts(choice: DrawChoice) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "house": choice.house.id,
        "strategy": choice.name,
        "lines": list(choice.lines),
        "counted_now": choice.counted,
        **both("ev_per_ante", choice.value),
        **both("house_way_would_hold_otherwise", choice.counts.differs),
        "compared": {
            title: both("ev_per_ante", value) for title, value in choice.compared().items()
        },
    }
    if choice.counts.spread:
        facts |= both("variance", choice.counts.spread.variance(choice.terms))
        facts |= both("hit_frequency", choice.counts.spread.hit_frequency(choice.terms))
    return facts
