"""``openfelt edge --seen-by`` prints what seeing cards of the dealer is worth."""

import json
import sys
from fractions import Fraction
from typing import Any

from rich.table import Table

from openfelt.cli.complaint import wrong_input
from openfelt.cli.figures.compile_notice import announce_compiling
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


def print_seen_cards(house: House, seen: Seen, *, as_json: bool) -> None:
    """Print the exact value of perfect play with what was seen, beside that without."""
    try:
        terms = terms_of(house)
    except ValueError as error:
        raise wrong_input(error) from error
    value = known_flashed_value(seen, terms)
    if value is None:
        announce_compiling()
        with watched("Counting every hand with what was seen") as progress:
            counted = flashed_values([seen], terms, progress=progress)
        value = counted[seen].ev_per_ante
    blind = _without(terms)
    published = PUBLISHED[seen] if terms == HoldemTerms.of() else None
    if as_json:
        sys.stdout.write(json.dumps(_facts(house, seen, value, blind, published), indent=2) + "\n")
        return
    sheet = Table(box=None, pad_edge=False, show_header=False)
    sheet.add_column()
    sheet.add_column(justify="right")
    sheet.add_row("Seen before the first decision", seen.words)
    sheet.add_row("Advantage of the player per Ante", percent(value, 6))
    sheet.add_row("  exactly", str(value))
    sheet.add_row("Without it", percent(blind, 6))
    sheet.add_row("What it is worth per Ante", percent(value - blind, 6))
    if published is not None:
        agrees = percent(value, 4) == published
        sheet.add_row("Published", f"{published}, {'the same' if agrees else 'not the same'}")
    make_console().print(sheet)


def _without(terms: HoldemTerms) -> Fraction:
    known = known_figures("perfect", terms)
    if known is not None:
        return known.ev_per_ante
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
