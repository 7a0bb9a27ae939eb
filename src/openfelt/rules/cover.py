"""A player/dealer's cover: wagers are settled only as far as the bank wager reaches.

The lines come in settlement order. Each uses up cover by the amount that changes
hands. If a line needs more than is left, only that part of it is settled. When the
cover is used up, every remaining wager is returned in full (C.betting.4, R.18).
"""

from collections.abc import Iterable
from dataclasses import replace

from openfelt.money import format_cents
from openfelt.rules.house import Cover
from openfelt.rules.lines import NO_VALUES, Line, PaidBy, Result, Why


def cover_lines(
    lines: Iterable[Line], *, cover_cents: int, mode: Cover, clause: str
) -> tuple[tuple[Line, ...], int]:
    """Settle lines against a bank wager; returns the lines and the remaining cover."""
    left_cents = cover_cents
    covered = []
    for line in lines:
        if line.paid_by is PaidBy.BANK and line.result in (Result.WIN, Result.LOSE):
            line, used_cents = _covered(line, left_cents, mode, clause)
            left_cents -= used_cents
        covered.append(line)
    return tuple(covered), left_cents


def _covered(line: Line, left_cents: int, mode: Cover, clause: str) -> tuple[Line, int]:
    """One line as far as the cover reaches, and how much cover it used."""
    if left_cents == 0:
        return _given_back(line, clause), 0
    if line.result is Result.LOSE:
        if mode is Cover.PAYOUTS:
            return line, 0
        return _lost_in_part(line, left_cents, clause)
    return _paid_in_part(line, left_cents, clause)


def _given_back(line: Line, clause: str) -> Line:
    return replace(
        line,
        outcome="uncovered",
        result=Result.RETURNED,
        returned_cents=line.stake_cents,
        payout_cents=0,
        uncovered_cents=line.payout_cents or line.taken_cents,
        clause=clause,
        because="The player/dealer's bank is exhausted: the wager goes back.",
        odds=None,
        why=NO_VALUES,
    )


def _lost_in_part(line: Line, left_cents: int, clause: str) -> tuple[Line, int]:
    if line.taken_cents <= left_cents:
        return line, line.taken_cents
    back_cents = line.taken_cents - left_cents
    note = f" The bank covers {format_cents(left_cents)}; the rest goes back ({clause})."
    return (
        replace(
            line,
            returned_cents=line.returned_cents + back_cents,
            uncovered_cents=back_cents,
            because=line.because + note,
            why=_why_in_part(line, left_cents),
        ),
        left_cents,
    )


def _paid_in_part(line: Line, left_cents: int, clause: str) -> tuple[Line, int]:
    if line.payout_cents <= left_cents:
        return line, line.payout_cents
    note = f" The bank covers {format_cents(left_cents)} of the payout ({clause})."
    return (
        replace(
            line,
            payout_cents=left_cents,
            uncovered_cents=line.payout_cents - left_cents,
            because=line.because + note,
            why=_why_in_part(line, left_cents),
        ),
        left_cents,
    )


def _why_in_part(line: Line, covered_cents: int) -> Why | None:
    return line.why._replace(covered_cents=covered_cents) if line.why is not None else None
