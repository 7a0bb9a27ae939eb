"""Reports of simulated rounds and sessions."""

from collections.abc import Iterator
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cli.figures.edge_report import action_words, offered_bets
from openfelt.cli.figures.number_format import percent, signed
from openfelt.cli.figures.simulation_run import PlayedRounds
from openfelt.maths.simulation.rounds import BASE_GAME, WagerTotals
from openfelt.maths.simulation.sessions import QUANTILES, Sessions
from openfelt.money import format_cents
from openfelt.rules import House, WagerKind

_WORDS = {kind.value: kind.words for kind in WagerKind} | {
    "play": "Play",
    "ante_bonus": "Ante Bonus",
}


def rounds_report(played: PlayedRounds) -> RenderableType:
    """The report of rounds: the mean result, every wager, every decision."""
    return Group(*_rounds_parts(played))


def _rounds_parts(played: PlayedRounds) -> Iterator[RenderableType]:
    result = played.result
    yield Text(played.house.name, "bold")
    hands = "one hand" if result.hands == 1 else f"{result.hands} hands"
    yield Text(
        f"{result.rounds:,} rounds of {hands} by {result.strategy}. Repeat with --seed "
        f"{result.seed}.",
        "dim",
    )
    yield Text()
    yield _round(played)
    if played.caution is not None:
        yield Text(played.caution, "yellow")
    yield Text()
    yield _wagers(played)
    if result.decisions:
        yield Text()
        yield _decisions(played)


def _sheet(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, show_header=bool(columns))
    table.add_column(no_wrap=True)
    for name in columns or ("",):
        table.add_column(name, justify="right")
    return table


def _round(played: PlayedRounds) -> Table:
    result, figures = played.result, played.known
    sheet = _sheet("per round", "in Antes", "exact")

    def row(words: str, cents: float, exact: Fraction | None = None) -> None:
        antes = signed(cents / result.ante_cents, 5) if result.ante_cents else ""
        sheet.add_row(
            words, f"{cents / 100:+.4f}", antes, "" if exact is None else signed(exact, 5)
        )

    def in_antes(cents: float | Fraction | None) -> Fraction | None:
        return (
            Fraction(cents) / result.ante_cents if cents is not None and result.ante_cents else None
        )

    row("Mean result", result.mean_cents, in_antes(figures.mean_cents))
    low, high = result.interval_cents(0.95)
    row("  95% from", low)
    row("  to", high)
    if (known_interval := played.known_interval_cents) is not None:
        row("  95% by exact variance, from", known_interval[0])
        row("  to", known_interval[1])
    spread, deviation = in_antes(figures.std_dev_cents), result.std_dev_cents
    antes = f"{deviation / result.ante_cents:.5f}" if result.ante_cents else ""
    exact_cell = "" if spread is None else f"{float(spread):.5f}"
    sheet.add_row("Standard deviation", f"{deviation / 100:.4f}", antes, exact_cell)
    only_game = set(result_wagers(played)) <= set(BASE_GAME)
    if result.base_ev_per_ante is not None and not only_game:
        cents = result.base_ev_per_ante * result.ante_cents
        row("Mean of the game alone", cents, figures.ev_per_ante)
    rounds, ends = result.rounds, figures.ends or (None, None, None)
    for words, count, exact in zip(
        ("Rounds won", "Rounds even", "Rounds lost"),
        (result.rounds_won, result.rounds_even, result.rounds_lost),
        ends,
        strict=True,
    ):
        sheet.add_row(
            words, percent(count / rounds, 3), "", "" if exact is None else percent(exact, 3)
        )
    return sheet


def result_wagers(played: PlayedRounds) -> list[str]:
    """The names of the wagers that were made."""
    return [totals.wager for totals in played.result.wagers]


def _wagers(played: PlayedRounds) -> Table:
    sheet = _sheet("staked $", "net $", "per unit", "exact", "won", "pushed", "lost")
    for totals in played.result.wagers:
        exact = played.known.wagers.get(totals.wager) if totals.beneficiary == "player" else None
        per_unit = totals.net_per_unit
        settled = totals.wins + totals.pushes + totals.losses + totals.returned
        sheet.add_row(
            _wager_words(totals),
            f"{totals.staked_cents / 100:,.0f}",
            f"{totals.net_cents / 100:+,.0f}",
            "" if per_unit is None else signed(per_unit, 5),
            "" if exact is None else signed(exact, 5),
            *(percent(n / settled, 1) for n in (totals.wins, totals.pushes, totals.losses)),
        )
    return sheet


def _wager_words(totals: WagerTotals) -> str:
    words = _WORDS.get(totals.wager, totals.wager)
    return words if totals.beneficiary == "player" else f"{words} for the {totals.beneficiary}"


def _decisions(played: PlayedRounds) -> Table:
    result = played.result
    exact = played.known.decisions
    sheet = _sheet("part", "exact")
    decided = sum(result.decisions.values())
    for action, count in result.decisions.items():
        exact_cell = percent(exact[action], 3) if action in exact else ""
        words = action_words(action, offered_bets(played.house))
        sheet.add_row(words, percent(count / decided, 3), exact_cell)
    return sheet


def sessions_report(house: House, ended: Sessions) -> RenderableType:
    """The report of sessions: how often they end in ruin, and their final bankrolls."""
    low, high = ended.ruin_interval(0.95)
    sheet = _sheet()
    sheet.add_row("Bankroll", format_cents(ended.bankroll_cents))
    sheet.add_row("Ruined", percent(ended.ruin_probability, 3))
    sheet.add_row("  95% from", percent(low, 3))
    sheet.add_row("  to", percent(high, 3))
    if ended.win_goal_cents is not None:
        words = f"Won {format_cents(ended.win_goal_cents)}"
        sheet.add_row(words, percent(ended.reached_goal / ended.sessions, 3))
    sheet.add_row("Played to the end", percent(ended.played_out / ended.sessions, 3))
    sheet.add_row("Rounds on average", f"{ended.rounds_played / ended.sessions:,.1f}")
    sheet.add_row("Bankroll at the end on average", format_cents(round(ended.mean_end_cents)))
    for part in QUANTILES:
        words = f"  not above, in {part:.0%} of sessions"
        sheet.add_row(words, format_cents(ended.quantile_cents(part)))
    return Group(
        Text(house.name, "bold"),
        Text(
            f"{ended.sessions:,} sessions of at most {ended.rounds_max:,} rounds by "
            f"{ended.strategy}. Repeat with --seed {ended.seed}.",
            "dim",
        ),
        Text(),
        sheet,
    )
