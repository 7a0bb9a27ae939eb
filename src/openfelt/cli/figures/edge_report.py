"""The exact figures of a house as a report and as JSON."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cards import Category
from openfelt.cli.figures.number_format import all_both, both, maybe, percent, signed
from openfelt.maths.wagers.house_figures import HouseFigures
from openfelt.money import format_cents
from openfelt.rules import WagerKind
from openfelt.rules.house import BankKind

BASES = {
    "per_ante": "per Ante",
    "per_initial_wager": "per initial wager (Ante and Blind)",
    "per_three_units": "per three units",
    "per_unit_staked": "per unit staked (element of risk)",
}
DECISIONS = {
    "bet_4x": "Bet 4x before the flop",
    "bet_3x": "Bet 3x before the flop",
    "bet_2x": "Bet 2x on the flop",
    "bet_1x": "Bet 1x on the river",
    "fold": "Fold on the river",
}
Stakes = Mapping[str, Fraction | int]


def figures_report(figures: HouseFigures, stakes: Stakes) -> RenderableType:
    """The report: the game, its decisions, side bets, and all of them together."""
    return Group(*_parts(figures, stakes))


def _parts(figures: HouseFigures, stakes: Stakes) -> Iterator[RenderableType]:
    yield Text(figures.house.name, "bold")
    yield Text(f"{figures.solution.deals:,} deals, all counted, played perfectly.", "dim")
    if figures.house.bank.kind is BankKind.PLAYER_DEALER:
        yield Text(
            "The advantage is the player/dealer's, fully covered, before collections.",
            "dim",
        )
    yield from _part("The game: Ante, Blind and Play", _game(figures))
    yield from _part("How often each decision is the best", _decisions(figures))
    if figures.side_bets:
        yield from _part("Side bets, per unit", _side_bets(figures))
        yield Text("With the Ante: the standard deviation of an Ante and one unit.", "dim")
    if figures.progressive is not None:
        yield from _part("The progressive", _progressive(figures))
    yield from _part("Bet together, per Ante", _together(figures, stakes))
    claims = list(claims_of(figures))
    if claims:
        yield from _part("What the documents claim", _claims(claims))


def _part(title: str, sheet: Table) -> Iterator[RenderableType]:
    yield Text()
    yield Text(title, "bold")
    yield sheet


def _sheet(*columns: str) -> Table:
    """A table of names on the left and figures on the right; one unnamed column by default."""
    table = Table(box=None, pad_edge=False, show_header=bool(columns))
    table.add_column()
    for name in columns or ("",):
        table.add_column(name, justify="right")
    return table


def _game(figures: HouseFigures) -> Table:
    solution = figures.solution
    sheet = _sheet()
    sheet.add_row("Expected result per Ante", signed(solution.ev_per_ante, 8))
    sheet.add_row("  exactly", str(solution.ev_per_ante))
    for name, words in BASES.items():
        sheet.add_row(f"House advantage {words}", percent(1 - solution.returns[name]))
    sheet.add_row("Standard deviation per Ante", f"{solution.std_dev:.6f}")
    sheet.add_row("Volatility index (90%)", f"{solution.volatility:.6f}")
    sheet.add_row("Average stake in Antes", f"{float(solution.units_staked):.6f}")
    return sheet


def _decisions(figures: HouseFigures) -> Table:
    sheet = _sheet()
    for action, share in figures.solution.decisions.items():
        sheet.add_row(DECISIONS.get(action, action), percent(share))
    return sheet


def _side_bets(figures: HouseFigures) -> Table:
    sheet = _sheet("paytable", "advantage", "hits", "std dev", "with the Ante")
    for name, bet in figures.side_bets.items():
        sheet.add_row(
            WagerKind(name).words,
            bet.paytable,
            percent(bet.house_advantage),
            percent(bet.hit_frequency),
            f"{bet.std_dev:.4f}",
            f"{figures.std_dev_with_game(name):.4f}",
        )
    return sheet


def _progressive(figures: HouseFigures) -> Table:
    progressive = figures.progressive
    assert progressive is not None
    unit = _progressive_unit(figures)
    sheet = _sheet()
    sheet.add_row("Meter in these figures", format_cents(int(figures.meter_units * unit)))
    sheet.add_row("Fixed awards return", percent(progressive.fixed_return))
    sheet.add_row("Each $1,000 on the meter adds", percent(_per_thousand(figures)))
    sheet.add_row("Envy adds for each other hand", percent(progressive.envy_per_other_hand))
    for hands in _hand_counts(figures):
        meter = progressive.break_even_meter(hands=hands)
        fair = "at no meter" if meter is None else f"from {format_cents(int(meter * unit))}"
        words = "Fair, alone in it" if hands == 1 else f"  with {hands} hands in it"
        sheet.add_row(words, fair)
    return sheet


def _hand_counts(figures: HouseFigures) -> range:
    return range(1, min(figures.house.seats * figures.house.hands_per_seat, 22) + 1)


def _progressive_unit(figures: HouseFigures) -> int:
    wager = figures.house.wager(WagerKind.PROGRESSIVE)
    assert wager is not None
    return wager.min_cents


def _per_thousand(figures: HouseFigures) -> Fraction:
    assert figures.progressive is not None
    return figures.progressive.return_per_meter_unit * 100_000 / _progressive_unit(figures)


def _together(figures: HouseFigures, stakes: Stakes) -> Table:
    sheet = _sheet()
    for name, units in stakes.items():
        words = "Ante" if name == "game" else WagerKind(name).words
        sheet.add_row(words, f"{float(units):g}")
    sheet.add_row("Expected result", signed(figures.joint.expected(stakes)))
    sheet.add_row("Standard deviation", f"{float(figures.joint.variance(stakes)) ** 0.5:.6f}")
    return sheet


# Claims ------------------------------------------------------------------------


def claims_of(figures: HouseFigures) -> Iterator[tuple[str, str, str, bool]]:
    """The claims of the documents, the counted figures, and whether they agree."""
    for name, bet in figures.side_bets.items():
        rule = figures.house.wager(WagerKind(name))
        claim = rule.paytable.claimed_advantage if rule and rule.paytable else None
        if claim:
            yield _claim(f"{WagerKind(name).words} {bet.paytable}", claim, bet.house_advantage)
    returns = figures.solution.returns
    blind = figures.house.hand_table(WagerKind.BLIND).claimed_game_advantage
    if blind and figures.house.document == "W":
        # The document names no basis, so every common one is tried (R.16).
        agrees = any(_claim("", blind, 1 - part)[3] for part in returns.values())
        yield "Whole game, basis not stated", blind, "on no basis above", agrees
    claimed = figures.house.claimed_returns
    if "game" in claimed:
        words = "Return of the game, per three units"
        yield _claim(words, claimed["game"], returns["per_three_units"])
    if "trips" in claimed and "trips" in figures.side_bets:
        yield _claim("Return of Trips", claimed["trips"], 1 + figures.side_bets["trips"].expected)


def _claim(words: str, claim: str, counted: Fraction) -> tuple[str, str, str, bool]:
    """Compare to the precision that the document prints."""
    digits = len(claim.rstrip("%").partition(".")[2])
    return words, claim, percent(counted), percent(counted, digits) == claim


def _claims(claims: list[tuple[str, str, str, bool]]) -> Table:
    sheet = _sheet("claimed", "counted", "agrees")
    for words, claim, counted, agrees in claims:
        sheet.add_row(words, claim, counted, "yes" if agrees else "no")
    return sheet


# For programs --------------------------------------------------------------------


def figures_facts(figures: HouseFigures, stakes: Stakes) -> dict[str, Any]:
    """The figures as JSON: decimals, and fractions where they are exact."""
    solution = figures.solution
    return {
        "house": figures.house.id,
        "fingerprint": figures.house.fingerprint,
        "deals": solution.deals,
        "terms": {
            "blind": {
                category.words: str(odds)
                for category, odds in zip(Category, solution.terms.blind, strict=True)
                if odds
            },
            "dealer_qualifies": solution.terms.qualifying.or_better,
            "first_multiples": list(solution.terms.first_multiples),
        },
        "base_game": {
            **both("ev_per_ante", solution.ev_per_ante),
            "std_dev": solution.std_dev,
            "volatility": solution.volatility,
            **both("variance", solution.variance),
            **both("units_staked", solution.units_staked),
            **both("element_of_risk", solution.element_of_risk),
            "decisions": all_both(solution.decisions),
            "returns": all_both(solution.returns),
            "blind": figures.house.hand_table(WagerKind.BLIND).name,
            "distribution": [
                {"net": float(net), "net_fraction": str(net), "deals": deals}
                for net, deals in solution.distribution.items()
            ],
        },
        "side_bets": {name: _side_bet_facts(figures, name) for name in figures.side_bets},
        "progressive": _progressive_facts(figures),
        "together": {
            "stakes": {name: float(units) for name, units in stakes.items()},
            **both("expected", figures.joint.expected(stakes)),
            **both("variance", figures.joint.variance(stakes)),
            "std_dev": float(figures.joint.variance(stakes)) ** 0.5,
        },
        "claims": [
            {"claim": words, "claimed": claim, "counted": counted, "agrees": agrees}
            for words, claim, counted, agrees in claims_of(figures)
        ],
    }


def _side_bet_facts(figures: HouseFigures, name: str) -> dict[str, Any]:
    bet = figures.side_bets[name]
    return {
        "paytable": bet.paytable,
        **both("house_advantage", bet.house_advantage),
        **both("hit_frequency", bet.hit_frequency),
        **both("variance", bet.variance),
        "std_dev": bet.std_dev,
        "volatility": bet.volatility,
        "correlation_with_game": figures.correlation_with_game(name),
        **both("covariance_with_game", figures.joint.covariances["game", name]),
        "awards": [
            {"hand": award.label, "deals": award.deals, **both("net", award.net)}
            for award in bet.awards
        ],
    }


def _progressive_facts(figures: HouseFigures) -> dict[str, Any] | None:
    progressive = figures.progressive
    if progressive is None:
        return None
    unit = _progressive_unit(figures)
    return {
        "meter_cents": int(figures.meter_units * unit),
        "wager_cents": unit,
        **both("fixed_return", progressive.fixed_return),
        **both("return_per_meter_unit", progressive.return_per_meter_unit),
        **both("envy_per_other_hand", progressive.envy_per_other_hand),
        "by_hands": {
            str(hands): {
                **both("expected", progressive.expected(figures.meter_units, hands=hands)),
                **maybe("break_even_meter_units", progressive.break_even_meter(hands=hands)),
            }
            for hands in _hand_counts(figures)
        },
    }
