"""The settlement explained: every wager with its stake, result, return, reason and clause."""

import re
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cli.play.profile import GameResult
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
"""From so many columns on there is room for the longest clause beside its reason."""
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
    """What the line is about: the wager's name, and for whom it was made."""
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
    return Group(table, totals(seen, figures))


def _whose(line: Line, figures: Figures, *, banks: bool, many: bool) -> str:
    if banks:
        return f"{figures.names.get(line.spot.seat, f'Seat {line.spot.seat}')}: "
    return f"Hand {line.spot.hand}: " if many else ""


def player_totals(lines: Sequence[Line]) -> tuple[int, int]:
    """What the player staked in all, and what came back to the player."""
    staked = sum(line.stake_cents for line in lines)
    back = sum(
        line.returned_cents + (line.payout_cents if line.beneficiary is Beneficiary.PLAYER else 0)
        for line in lines
    )
    return staked, back


def totals(seen: RoundView, figures: Figures) -> Text:
    """One sentence of totals. A return below the stake is a loss and is called one."""
    assert seen.settlement is not None
    text = Text()
    if seen.banker is not None and seen.banker.seat == figures.seat:
        staked = seen.banker.cover_cents
        back = staked + seen.settlement.bank_net_cents
        text.append("Your bank: ")
    else:
        staked, back = player_totals(seen.settlement.of_seat(figures.seat))
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
    """What the round came to for the player.

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


def game_result(seen: RoundView, figures: Figures) -> GameResult:
    """The finished game for the results panel and the history."""
    assert seen.settlement is not None
    own = [
        line
        for line in seen.settlement.of_seat(figures.seat)
        if line.beneficiary is Beneficiary.PLAYER
    ]
    banks = seen.banker is not None and seen.banker.seat == figures.seat
    if banks and seen.banker is not None:
        staked = seen.banker.cover_cents
        back = staked + seen.settlement.bank_net_cents
    else:
        staked, back = player_totals(seen.settlement.of_seat(figures.seat))
    return GameResult(
        number=seen.number,
        staked_cents=staked,
        returned_cents=back,
        words=_story(seen, banks=banks),
        wins=_count(own, Result.WIN),
        stand_offs=_count(own, Result.PUSH),
        void=seen.phase is Phase.VOIDED,
    )


def _count(lines: Sequence[Line], result: Result) -> dict[str, int]:
    counted: dict[str, int] = {}
    for line in lines:
        if line.result is result:
            counted[line.wager] = counted.get(line.wager, 0) + 1
    return counted


def _story(seen: RoundView, *, banks: bool) -> str:
    if seen.phase is Phase.VOIDED:
        return seen.void_reason or "no reason given"
    if banks:
        return "you banked"
    assert seen.settlement is not None
    return f"dealer {(seen.settlement.dealer_hand or 'not shown').lower()}"
