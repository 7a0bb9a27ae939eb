"""The terms of each wager of a house: every way it may end with its clause, and an example."""

from dataclasses import dataclass
from typing import Final

from openfelt.catalog.clauses import outcomes_of
from openfelt.rules.house import GameName, House
from openfelt.rules.lines import Result
from openfelt.rules.paytable import (
    EVEN_MONEY,
    HandRow,
    PairsRow,
    Paytable,
    ProgressivePaytable,
    ProgressiveReads,
)
from openfelt.rules.wagers import WagerKind

ANY_WAGER: Final = "any"
"""In place of a wager, for endings that every wager has: a void round, an exhausted bank."""


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a wager may end."""

    outcome: str
    """As settlement lines name it, such as ``blind.push``."""
    result: Result
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A stake that wins, and what it is paid."""

    stake_cents: int
    award: str | None
    """The row of the paytable; None for even money."""
    pays: str
    payout_cents: int
    stake_returned: bool
    """False for awards *for one*, which include everything that is paid back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerTerms:
    """The endings of a wager, and an example of a win."""

    wager: str
    """The wager's kind, ``ante_bonus``, ``envy`` or ``any``."""
    endings: tuple[Ending, ...]
    example: Example | None = None
    reads: ProgressiveReads | None = None
    """Which cards make the hand of a progressive wager."""


_RESULTS: Final = {
    "win": Result.WIN,
    "lose": Result.LOSE,
    "fold": Result.LOSE,
    "push": Result.PUSH,
    "tie": Result.PUSH,
    "not_qualified": Result.PUSH,
    "void": Result.RETURNED,
    "uncovered": Result.RETURNED,
}
"""The result of each ending, but for those that ``_result`` names."""


def terms_of(house: House) -> tuple[WagerTerms, ...]:
    """The terms of every wager of a house, in the order of the felt.

    >>> from openfelt.catalog import load_house
    >>> blind = next(wager for wager in terms_of(load_house("online")) if wager.wager == "blind")
    >>> [(ending.outcome, ending.result.value) for ending in blind.endings][:2]
    [('blind.win', 'win'), ('blind.push', 'push')]
    >>> blind.example.award, blind.example.pays, blind.example.payout_cents
    ('Straight', '1 to 1', 100)
    """
    endings: dict[str, list[Ending]] = {}
    for outcome in outcomes_of(house):
        wager, _, ending = outcome.partition(".")
        clause = house.clauses.get(f"{house.procedure}:{outcome}") or house.clauses[outcome]
        settled = Ending(outcome, _result(house, outcome), clause)
        endings.setdefault(wager if ending else ANY_WAGER, []).append(settled)
    return tuple(
        WagerTerms(
            wager=wager,
            endings=tuple(sorted(endings[wager], key=lambda each: _ORDER.index(each.result))),
            example=_example(house, wager),
            reads=_reads(house, wager),
        )
        for wager in sorted(endings, key=_FELT.index)
    )


_ORDER: Final = [Result.WIN, Result.PUSH, Result.RETURNED, Result.LOSE]
_FELT: Final = [*(kind.value for kind in WagerKind), "ante_bonus", "envy", ANY_WAGER]


def _result(house: House, outcome: str) -> Result:
    if outcome == "bad_beat.tie":
        return Result.LOSE
    if outcome == "ante.not_qualified" and house.game is GameName.ULTIMATE_DRAW:
        # Half of the Ante is paid (D.10).
        return Result.WIN
    return _RESULTS[outcome.rpartition(".")[2]]


def _paytable(house: House, wager: str) -> Paytable | None:
    if wager == "ante_bonus":
        return house.ante_bonus
    return next((rule.paytable for rule in house.wagers if rule.kind.value == wager), None)


def _reads(house: House, wager: str) -> ProgressiveReads | None:
    table = _paytable(house, wager)
    return table.reads if isinstance(table, ProgressivePaytable) else None


def _example(house: House, wager: str) -> Example | None:
    """The smallest stake, paid by the last row of its table, which is hit most often."""
    stake_cents = _least_stake_cents(house, wager)
    if stake_cents is None:
        return None
    table = _paytable(house, wager)
    if isinstance(table, ProgressivePaytable):
        award = table.rows[-1]
        if award.for_one is None:
            return None
        return Example(
            stake_cents=stake_cents,
            award=award.label,
            pays=f"{award.for_one:,} for 1",
            payout_cents=award.for_one * stake_cents,
            stake_returned=False,
        )
    row = table.rows[-1] if table else None
    odds = row.odds if row else EVEN_MONEY
    return Example(
        stake_cents=stake_cents,
        award=None if row is None else row_words(row),
        pays=str(odds),
        payout_cents=odds.payout_cents(stake_cents, unit_cents=house.rounding_unit_cents),
        stake_returned=True,
    )


def _least_stake_cents(house: House, wager: str) -> int | None:
    ante = house.wager(WagerKind.ANTE)
    if wager in (ANY_WAGER, "envy") or ante is None:
        return None
    if wager in (WagerKind.ANTE, WagerKind.BLIND, "ante_bonus"):
        return ante.min_cents
    if wager == WagerKind.PLAY:
        play = house.play
        if play is None:
            return None
        return ante.min_cents * max((*play.before_flop, *play.on_flop, *play.on_river))
    rule = house.wager(WagerKind(wager))
    return None if rule is None else rule.min_cents


def row_words(row: HandRow | PairsRow) -> str:
    """The hand that a row pays; a label such as ``50x`` says how much it pays, but not for what."""
    if isinstance(row, HandRow) and row.label[0].isdecimal():
        return str(row.hand).capitalize()
    return row.label
