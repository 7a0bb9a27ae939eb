"""The settlement explained: every wager with its stake, result, return, reason and clause."""

import re

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cli.play.history import totals
from openfelt.cli.play.screens.figures import Figures
from openfelt.money import format_cents
from openfelt.rules import Beneficiary, Line, Phase, RoundView, WagerKind
from openfelt.rules.lines import Result

_RESULT_WORDS = {
    Result.WIN: ("wins", "green"),
    Result.LOSE: ("loses", ""),
    Result.PUSH: ("pushes", ""),
    Result.RETURNED: ("returned", ""),
}


WIDE = 110
"""With at least this many columns the longest clause fits beside its reason."""
CLAUSE_WIDTH = 11


def folded_clause(clause: str, width: int) -> str:
    """A clause on as many lines as it needs, broken between its words only.

    >>> folded_clause("S.overview.ultimate_pairs.loses", 11).split()
    ['S.overview.', 'ultimate_', 'pairs.loses']
    """
    lines = [""]
    for part in re.findall(r"[^._]*[._]|[^._]+", clause):
        if lines[-1] and len(lines[-1] + part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def wager_words(line: Line) -> str:
    """The subject of the line: the wager's name, and for whom it was made."""
    names = {"ante_bonus": "Ante Bonus", "envy": "Envy"}
    name = names.get(line.wager) or WagerKind(line.wager).words
    return f"{name} for the dealer" if line.beneficiary is Beneficiary.DEALER else name


def draw_receipt(seen: RoundView, figures: Figures, *, width: int) -> RenderableType:
    """The player's lines as a table, or the bank's where the player banked."""
    assert seen.settlement is not None
    banks = seen.banker is not None and seen.banker.seat == figures.seat
    lines = seen.settlement.lines if banks else seen.settlement.of_seat(figures.seat)
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="dim")
    for name in ("Wager", "Stake", "Result", "Back", "Why", "Clause"):
        table.add_column(
            name,
            justify="right" if name in ("Stake", "Back") else "left",
            no_wrap=name in ("Stake", "Back", "Clause", "Result"),
        )
    many = len({line.spot for line in lines}) > 1
    for line in sorted(lines, key=lambda line: line.spot):
        words, style = _RESULT_WORDS[line.result]
        back_cents = line.returned_cents + line.payout_cents
        table.add_row(
            _whose(line, figures, banks=banks, many=many) + wager_words(line),
            format_cents(line.stake_cents),
            Text(words, style),
            format_cents(back_cents),
            line.because,
            line.clause if width >= WIDE else folded_clause(line.clause, CLAUSE_WIDTH),
        )
    return Group(table, totals_line(seen, figures))


def _whose(line: Line, figures: Figures, *, banks: bool, many: bool) -> str:
    if banks:
        return f"{figures.names.get(line.spot.seat, f'Seat {line.spot.seat}')}: "
    return f"Hand {line.spot.hand}: " if many else ""


def totals_line(seen: RoundView, figures: Figures) -> Text:
    """One sentence of totals. A return below the stake is a loss and is called one."""
    assert seen.settlement is not None
    text = Text()
    if seen.banker is not None and seen.banker.seat == figures.seat:
        text.append("Your bank: ")
    staked, back = totals(seen.settlement, seen.banker, seat=figures.seat)
    text.append(f"Staked {format_cents(staked)}, back {format_cents(back)}: ")
    text.append(outcome_words(back - staked, void=seen.phase is Phase.VOIDED), "bold")
    for_dealer = sum(
        line.payout_cents
        for line in seen.settlement.of_seat(figures.seat)
        if line.beneficiary is Beneficiary.DEALER
    )
    if for_dealer:
        text.append(f" The dealer thanks you for {format_cents(for_dealer)}.")
    if figures.collection_cents and seen.phase is not Phase.VOIDED:
        text.append(f" Collection {format_cents(figures.collection_cents)}.")
    text.append(f" Credit {format_cents(figures.credit_cents)}.")
    return text


def outcome_words(net_cents: int, *, void: bool = False) -> str:
    """The player's result of the round.

    >>> outcome_words(1500), outcome_words(-500), outcome_words(0)
    ('you win $15.00.', 'you lose $5.00.', 'you break even.')
    """
    if void:
        return "the game is void."
    if net_cents > 0:
        return f"you win {format_cents(net_cents)}."
    if net_cents < 0:
        return f"you lose {format_cents(-net_cents)}."
    return "you break even."
