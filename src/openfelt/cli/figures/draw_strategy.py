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
from openfelt.cli.figures.draw_round_counts import result_facts, round_tables
from openfelt.cli.figures.number_format import all_both, both, percent, signed
from openfelt.cli.progress import watched
from openfelt.cli.terminal import make_console
from openfelt.maths.draw.candidate_values import count_from_candidates
from openfelt.maths.draw.draw_figures import DrawTerms, draw_terms_of, refuse_another_hand
from openfelt.maths.draw.draw_solution import solve_draw
from openfelt.maths.draw.hold_lines import HoldLine, basic_draw_lines, held_by_lines, parse_lines
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.strategy_counts import (
    HOUSE_WAY,
    StrategyCounts,
    count_strategy,
    usual_counts,
)
from openfelt.maths.strategy.figures import PERFECT
from openfelt.maths.strategy.strategy_names import plain_name
from openfelt.rules import House

BASIC = "basic_draw"
_NAMES = {BASIC: "basic", HOUSE_WAY: HOUSE_WAY, PERFECT: "best"}
_HELD_BEST = "Held best"
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
    counts: StrategyCounts | None
    """None if they are not stored and were not requested."""
    counted: bool
    """Whether the figures were counted now; otherwise they were looked up."""

    @property
    def value(self) -> Fraction | None:
        """The expected result of one Ante with its Ante Bonus, if it is known."""
        if self.counts is None:
            return self.compared().get(_HELD_BEST) if self.name == PERFECT else None
        return self.counts.value(self.terms) if self.counts.prices(self.terms) else None

    def compared(self) -> dict[str, Fraction]:
        """The value of strategies to compare with, as far as their counts are stored."""
        kept = usual_counts()
        house_way = kept.house_way.value(self.terms)
        best = kept.best_with(self.terms)
        values = {_HELD_BEST: house_way + best.gain} if best else {}
        return values | {kept.house_way.title: house_way}


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """Which strategy is requested, and what is counted about it."""

    name: str | None
    file: Path | None
    count_again: bool
    spread: bool


def print_draw_strategy(house: House, request: DrawRequest, *, as_json: bool) -> None:
    """Look a strategy up, or count one, and print it; raises Complaint."""
    try:
        terms = draw_terms_of(house)
        if request.file or request.count_again or request.spread:
            refuse_another_hand(terms)
        choice = _own(house, terms, request) if request.file else _named(house, terms, request)
    except ValueError as error:
        raise wrong_input(error) from error
    if as_json:
        sys.stdout.write(json.dumps(_facts(choice), indent=2) + "\n")
    else:
        make_console().print(Group(*_parts(choice, with_rounds=request.spread)))


def _own(house: House, terms: DrawTerms, request: DrawRequest) -> DrawChoice:
    """A strategy from a file, counted."""
    assert request.file is not None
    lines, counts = tuple(parse_lines(_text_of(request.file))), None
    if not (request.spread or request.count_again):
        counts = _from_candidates(request.file.name, lines)
    if counts is None:
        counts = _count(request.file.name, lines, terms, spread=request.spread)
    return DrawChoice(house, terms, request.file.name, _words(lines), counts, counted=True)


def _named(house: House, terms: DrawTerms, request: DrawRequest) -> DrawChoice:
    """A strategy that comes with Openfelt: its counts are looked up, or counted."""
    wanted = plain_name(request.name or BASIC)
    if wanted not in _NAMES:
        raise ValueError(
            f"no strategy for {house.id} is called {request.name!r}; try {', '.join(_NAMES)}, or "
            "give a --file"
        )
    lines = basic_draw_lines() if wanted == BASIC else ()
    words = _LINES.get(wanted) or _words(lines)
    if wanted == PERFECT and not terms.needs_a_pair:
        # Its holds are neither stored nor counted for a hand.
        words = ()
    kept = _kept(wanted, terms)
    if request.count_again or (request.spread and (kept is None or kept.spread is None)):
        counts = _count(wanted, lines, terms, spread=request.spread)
        return DrawChoice(house, terms, wanted, words, counts, counted=True)
    return DrawChoice(house, terms, wanted, words, kept, counted=False)


def _kept(wanted: str, terms: DrawTerms) -> StrategyCounts | None:
    """The stored counts of a strategy."""
    counts = usual_counts()
    if wanted == PERFECT:
        best = counts.best_with(terms)
        return counts.strategies[best.strategy] if best and best.strategy else None
    return counts.strategies.get(_NAMES[wanted])


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise Complaint(f"{file} cannot be read: {error.strerror}.") from error


def _from_candidates(name: str, lines: tuple[HoldLine, ...]) -> StrategyCounts | None:
    """The counts of some lines from what is kept; None if too many of their holds are not."""
    with watched("Counting hands that are not kept") as progress:
        holds = held_by_lines(lines, draw_holds().hands)
        return count_from_candidates(holds, name=name, title=name, progress=progress)


def _count(
    name: str, lines: tuple[HoldLine, ...], terms: DrawTerms, *, spread: bool
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
        return count_strategy(
            solution, holds, name=name, title=name, spread=spread, progress=progress
        )


def _words(lines: tuple[HoldLine, ...]) -> tuple[str, ...]:
    return tuple(f"Hold {line.words}." for line in lines)


def _parts(choice: DrawChoice, *, with_rounds: bool) -> Iterator[RenderableType]:
    yield Text(choice.name, "bold")
    yield Text(choice.house.name, "dim")
    yield Text()
    lines = Table.grid(padding=(0, 2))
    for number, line in enumerate(choice.lines, 1):
        lines.add_row(Text(str(number), "dim", justify="right"), line)
    yield lines
    if choice.name != PERFECT:
        yield Text("The first line that fits counts. If no line fits, discard all cards.", "dim")
    yield Text()
    yield _figures(choice)
    spread = choice.counts.spread if choice.counts and with_rounds else None
    if spread is not None and spread.prices(choice.terms):
        for title, sheet in round_tables(spread, choice.terms):
            yield Text()
            yield Text(title, "bold")
            yield sheet


def _figures(choice: DrawChoice) -> Table:
    sheet = Table.grid(padding=(0, 2))
    sheet.add_column()
    sheet.add_column(justify="right")
    sheet.add_column()
    value = choice.value
    if value is None and not choice.terms.needs_a_pair:
        needed = choice.terms.qualifying.or_better
        sheet.add_row("Expected result per Ante", "not counted", f"with {needed} to qualify")
    elif value is None:
        sheet.add_row("Expected result per Ante", "not kept", "--price counts it")
    else:
        sheet.add_row("Expected result per Ante", signed(value, 8), f"exactly {value}")
    for title, compared in choice.compared().items():
        more = (
            "" if value is None or value == compared else f"this one {signed(value - compared, 8)}"
        )
        sheet.add_row(title, signed(compared, 8), more)
    if choice.counts is None:
        return sheet
    sheet.add_row("The house way differs", percent(choice.counts.differs), "")
    spread = choice.counts.spread
    if spread and spread.prices(choice.terms):
        sheet.add_row("Standard deviation", f"{spread.std_dev(choice.terms):.6f}", "Antes")
        sheet.add_row("Net win", percent(spread.hit_frequency(choice.terms)), "")
    return sheet


def _facts(choice: DrawChoice) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "house": choice.house.id,
        "strategy": choice.name,
        "lines": list(choice.lines),
        "counted_now": choice.counted,
        "compared": {
            title: both("ev_per_ante", value) for title, value in choice.compared().items()
        },
    }
    if choice.value is not None:
        facts |= both("ev_per_ante", choice.value)
    if choice.counts is None:
        return facts
    facts |= both("house_way_differs", choice.counts.differs)
    facts["final_hands"] = all_both({c.words: often for c, often in choice.counts.final.items()})
    spread, terms = choice.counts.spread, choice.terms
    if spread and spread.prices(terms):
        facts |= both("variance", spread.variance(terms))
        facts |= both("hit_frequency", spread.hit_frequency(terms))
        facts["nets"] = all_both({str(net): often for net, often in spread.nets(terms).items()})
        facts["rounds"] = result_facts(spread, terms)
    return facts
