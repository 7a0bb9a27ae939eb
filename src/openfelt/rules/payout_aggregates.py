"""Payout aggregates: the most that all wagers of one kind are paid in a round.

The wagers of a kind are cut in proportion to what each was due, so the order in which hands are
settled makes no difference. Stakes go back in full (W.additional.3, R.36).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from openfelt.money import format_cents
from openfelt.rules.house import DatedLimits
from openfelt.rules.lines import Line
from openfelt.rules.wagers import WagerKind


def cut_payouts(
    lines: Sequence[Line], limits: DatedLimits, *, unit_cents: int, clause: str
) -> tuple[Line, ...]:
    """The lines of a round with every payout within the aggregate of its wager.

    A payout that is cut is rounded down to the house's unit (R.15); the bank keeps the rest.
    """
    due_cents = Counter[str]()
    for line in lines:
        due_cents[line.wager] += line.payout_cents
    within = []
    for line in lines:
        most_cents = limits.payout_aggregate_cents(line.wager)
        if most_cents is not None and due_cents[line.wager] > most_cents and line.payout_cents:
            line = _cut(line, due_cents[line.wager], most_cents, unit_cents, clause)
        within.append(line)
    return tuple(within)


def _cut(line: Line, due_cents: int, most_cents: int, unit_cents: int, clause: str) -> Line:
    """One line, paid its part of the aggregate."""
    paid_cents = line.payout_cents * most_cents // (due_cents * unit_cents) * unit_cents
    words = WagerKind(line.wager).words
    note = (
        f" All {words} wagers of a round are paid at most {format_cents(most_cents)} together, "
        f"so this one is paid {format_cents(paid_cents)} ({clause})."
    )
    return replace(
        line,
        payout_cents=paid_cents,
        over_aggregate_cents=line.payout_cents - paid_cents,
        because=line.because + note,
        why=line.why._replace(aggregate_cents=most_cents) if line.why is not None else None,
    )
