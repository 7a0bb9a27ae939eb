"""``openfelt edge --seen-by`` for hands that see each other: an estimate with its interval."""

import json
import sys
from fractions import Fraction

from openfelt.cli.complaint import wrong_input
from openfelt.cli.figures.compile_notice import announce_compiling
from openfelt.cli.figures.figure_sheet import figure_sheet
from openfelt.cli.figures.kept_notice import KeptNotice
from openfelt.cli.figures.number_format import both, percent
from openfelt.cli.progress import watched
from openfelt.cli.terminal import make_console
from openfelt.maths.holdem.flashed_values import Seen, known_flashed_value
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.holdem.shared_hands import (
    KEPT_SAMPLES,
    SharedValue,
    Together,
    estimate_shared,
)
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.rules import House


def print_shared_hands(
    house: House, together: Together, *, samples: int, seed: int, as_json: bool
) -> None:
    """Print the estimated value of a hand that sees the others, beside that of one alone."""
    try:
        terms = terms_of(house)
        announce_compiling()
        notice = KeptNotice("deals")
        with watched("Pricing hands that see each other") as progress:
            if samples >= KEPT_SAMPLES:
                notice.announce()
            value = estimate_shared(
                together,
                terms,
                samples=samples,
                seed=seed,
                progress=progress,
                kept=samples >= KEPT_SAMPLES,
                resumed=notice,
            )
    except ValueError as error:
        raise wrong_input(error) from error
    least = exact_least(terms, value.without)
    if as_json:
        facts = _facts(house, value) | both("at_least", least)
        sys.stdout.write(json.dumps(facts, indent=2) + "\n")
        return
    low, high = value.interval
    sheet = figure_sheet()
    sheet.add_row("Seen before the first decision", together.words)
    sheet.add_row("Estimated result per Ante and hand", percent(value.ev_per_ante))
    sheet.add_row("  95% interval", f"{percent(low)} to {percent(high)}")
    sheet.add_row("  standard error", percent(value.standard_error))
    sheet.add_row("At least, exactly", percent(least))
    sheet.add_row("Without it, exactly", percent(value.without))
    sheet.add_row("What it is worth per Ante and hand", percent(value.gain))
    sheet.add_row("Sampled deals, each priced exactly", f"{samples:,}, seed {seed}")
    make_console().print(sheet)


def exact_least(terms: HoldemTerms, without: Fraction) -> Fraction:
    """An exact lower limit: what is seen can be ignored, all of it or all but one other hand."""
    two_hands = known_flashed_value(Seen.TWO_HANDS, terms)
    return without if two_hands is None else max(without, two_hands)


def _facts(house: House, value: SharedValue) -> dict[str, object]:
    low, high = value.interval
    return {
        "house": house.id,
        "fingerprint": house.fingerprint,
        "seen_by": value.together.value,
        "ev_per_ante": value.ev_per_ante,
        "interval_95": [low, high],
        "standard_error": value.standard_error,
        **both("without", value.without),
        "worth": value.gain,
        "samples": value.samples,
        "seed": value.seed,
    }
