"""``openfelt edge --seen-by`` prints the value of seeing cards of the dealer, or another hand."""

import json
import sys
from fractions import Fraction
from typing import Any

from openfelt.cli.complaint import wrong_input
from openfelt.cli.figures.compile_notice import announce_compiling
from openfelt.cli.figures.figure_sheet import figure_sheet
from openfelt.cli.figures.kept_notice import KeptNotice
from openfelt.cli.figures.number_format import both, maybe, percent
from openfelt.cli.progress import watched
from openfelt.cli.terminal import make_console
from openfelt.maths.holdem.flashed_values import (
    PUBLISHED,
    Seen,
    flashed_values,
    known_flashed_value,
)
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.holdem.solver import solve_holdem
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.strategy.figures import known_figures
from openfelt.rules import House


def print_seen_cards(house: House, seen: Seen, *, count_again: bool = False, as_json: bool) -> None:
    """Print the exact value of perfect play with the seen cards, beside that without.

    It is counted if it is not stored, or with `count_again`.
    """
    try:
        terms = terms_of(house)
    except ValueError as error:
        raise wrong_input(error) from error
    value = None if count_again else known_flashed_value(seen, terms)
    if value is None:
        announce_compiling()
        notice = KeptNotice("classes of hands")
        with watched("Counting every hand with what was seen") as progress:
            notice.announce()
            counted = flashed_values([seen], terms, progress=progress, kept=True, resumed=notice)
        value = counted[seen].ev_per_ante
    blind = _without(terms)
    published = PUBLISHED.get(seen) if terms == HoldemTerms.of() else None
    if as_json:
        sys.stdout.write(json.dumps(_facts(house, seen, value, blind, published), indent=2) + "\n")
        return
    sheet = figure_sheet()
    sheet.add_row("Seen before the first decision", seen.words)
    each = "per Ante and hand" if seen is Seen.TWO_HANDS else "per Ante"
    sheet.add_row(f"Advantage of the player {each}", percent(value, 6))
    sheet.add_row("  exactly", str(value))
    sheet.add_row("Without it", percent(blind, 6))
    sheet.add_row(f"What it is worth {each}", percent(value - blind, 6))
    if published is not None:
        agrees = percent(value, 4) == published
        sheet.add_row("Published", f"{published}, {'the same' if agrees else 'not the same'}")
    make_console().print(sheet)


def is_kept(house: House, seen: Seen) -> bool:
    """Whether the value with the seen cards is stored for the terms of a house."""
    try:
        return known_flashed_value(seen, terms_of(house)) is not None
    except ValueError as error:
        raise wrong_input(error) from error


def _without(terms: HoldemTerms) -> Fraction:
    figures = known_figures("perfect", terms)
    if figures is not None:
        return figures.ev_per_ante
    with watched("Solving the game") as progress:
        return solve_holdem(terms, progress=progress).ev_per_ante


def _facts(
    house: House, seen: Seen, value: Fraction, blind: Fraction, published: str | None
) -> dict[str, Any]:
    return {
        "house": house.id,
        "fingerprint": house.fingerprint,
        "seen_by": seen.value,
        **both("ev_per_ante", value),
        **both("without", blind),
        **maybe("worth", value - blind),
        "published": published,
    }
