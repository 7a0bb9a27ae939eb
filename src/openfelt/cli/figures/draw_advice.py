"""``openfelt advise --game draw`` prints the exact value of every hold."""

import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openfelt.cli.complaint import Complaint, wrong_input
from openfelt.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from rich.console import RenderableType

    from openfelt.maths.draw.hold_advice import HoldValue
    from openfelt.rules import House


def print_draw_advice(
    hand: str, seen: str, bonus: str, house: str, folder: Path | None, *, as_json: bool
) -> None:
    """Count every hold of a hand, and print the values; raises Complaint."""
    from openfelt.cli.figures.advise import parsed_cards
    from openfelt.cli.figures.compile_notice import announce_compiling
    from openfelt.cli.progress import watched
    from openfelt.cli.rule_data import find_house, open_catalog
    from openfelt.cli.terminal import make_console
    from openfelt.maths.draw.draw_figures import draw_terms_of
    from openfelt.maths.draw.hold_advice import advise_draw
    from openfelt.rules.paytable import HandPaytable
    from openfelt.rules.wagers import WagerKind

    if not hand:
        raise Complaint(
            'Give your five cards, such as --hand "Ks Kd 9s 5h 2s".', ExitCode.WRONG_INPUT
        )
    cards, gone = parsed_cards("hand", hand), parsed_cards("seen", seen)
    chosen = find_house(open_catalog(folder), house)
    units = _units(bonus)
    rule = chosen.wager(WagerKind.BONUS)
    table = rule.paytable if rule and isinstance(rule.paytable, HandPaytable) else None
    if units and table is None:
        raise Complaint(f"{chosen.id} has no Bonus.", ExitCode.WRONG_INPUT)
    try:
        terms = draw_terms_of(chosen)
        announce_compiling()
        with watched("Counting deals") as progress:
            values = advise_draw(
                cards, terms, bonus=table, bonus_units=units, seen=gone, progress=progress
            )
    except ValueError as error:
        raise wrong_input(error) from error
    if as_json:
        facts = hold_facts(values, chosen, units)
        sys.stdout.write(json.dumps(facts, indent=2) + "\n")
    else:
        console = make_console()
        console.print(hold_table(values))
        console.print(basic_sentence(values), style="dim")


def _units(text: str) -> Fraction:
    try:
        units = Fraction(text.strip())
    except (ValueError, ZeroDivisionError) as error:
        raise Complaint(f"--bonus: {text!r} is not a number.", ExitCode.WRONG_INPUT) from error
    if units < 0:
        raise Complaint("--bonus: a bet cannot be negative.", ExitCode.WRONG_INPUT)
    return units


def hold_facts(values: "Sequence[HoldValue]", house: "House", units: Fraction) -> dict[str, Any]:
    """The advice as JSON."""
    from openfelt.cli.figures.number_format import both

    return {
        "house": house.id,
        **both("bonus_units", units),
        "holds": [
            {
                "held": [str(card) for card in hold.held],
                **both("ev", hold.value),
                **both("win", hold.win),
                **both("tie", hold.tie),
                **both("lose", hold.lose),
                **both("unqualified", hold.unqualified),
                **both("ante_bonus", hold.ante_bonus),
                **both("bonus", hold.bonus),
            }
            for hold in values
        ],
    }


def hold_table(values: "Sequence[HoldValue]") -> "RenderableType":
    """The advice as a table, best first, with the cost of each other hold."""
    from rich.table import Table

    from openfelt.cards import format_cards
    from openfelt.cli.figures.number_format import percent, signed

    table = Table(box=None, pad_edge=False)
    table.add_column("Hold")
    for name in ("Antes", "Costs", "Wins", "Ties", "Loses", "No pair"):
        table.add_column(name, justify="right")
    best = values[0].value
    for place, hold in enumerate(values):
        table.add_row(
            format_cards(hold.held) if hold.held else "nothing",
            signed(hold.value),
            "best" if place == 0 else f"{float(best - hold.value):.6f}",
            percent(hold.win, 2),
            percent(hold.tie, 2),
            percent(hold.lose, 2),
            percent(hold.unqualified, 2),
            style="bold" if place == 0 else "",
        )
    return table


def basic_sentence(values: "Sequence[HoldValue]") -> str:
    """The basic strategy's hold of the hand, the line that gives it, and its cost."""
    from openfelt.cards import format_cards
    from openfelt.maths.draw.hold_lines import basic_draw_lines, first_line

    lines = basic_draw_lines()
    hand = max((hold.held for hold in values), key=len)
    place, bits = first_line(lines, [card.number for card in hand])
    held = tuple(card for number, card in enumerate(hand) if bits >> number & 1)
    why = f"line {place + 1}, {lines[place]}" if place < len(lines) else "no line fits"
    cost = values[0].value - next(hold.value for hold in values if hold.held == held)
    worth = f"costs {float(cost):.6f} Antes" if cost else "is as good as any"
    named = format_cards(held) if held else "nothing"
    return f"The basic strategy holds {named} ({why}), which {worth}."
