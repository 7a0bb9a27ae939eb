"""The exact figures of a house as a report and as JSON."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cards import Category
from openfelt.catalog.clauses import clause_of_claim
from openfelt.cli.figures.figure_sheet import figure_sheet
from openfelt.cli.figures.number_format import all_both, both, maybe, percent, signed
from openfelt.maths.holdem.game_outcomes import GameOutcomes
from openfelt.maths.wagers.house_figures import HouseFigures
from openfelt.maths.wagers.meter_return import LongRun, long_run
from openfelt.maths.wagers.progressive_hands import house_progressive_hand
from openfelt.money import format_cents
from openfelt.rules import WagerKind
from openfelt.rules.house import BankKind, House, SeveralWinners

BASES = {
    "per_ante": "per Ante",
    "per_initial_wager": "per initial wager (Ante and Blind)",
    "per_three_units": "per three units",
    "per_unit_staked": "per unit staked (element of risk)",
}
STREETS = {"before_flop": "before the flop", "on_flop": "on the flop", "on_river": "on the river"}
FOLDED = "Fold on the river"
_SHARES_PAID = {
    SeveralWinners.SPLIT: "divide it",
    SeveralWinners.IN_ORDER: "are paid one after another",
}
HANDS_MAX = 22
"""The most hands that one deck has cards for, with board and dealer."""
Stakes = Mapping[str, Fraction | int]


def decision_rows(game: GameOutcomes) -> list[tuple[str, Fraction]]:
    """Each final decision in words, and how often it is taken."""
    rows = zip(game.final_decisions, game.stage_shares, strict=True)
    return [(decision_words(street, multiple), share) for (street, _, multiple), share in rows]


def decision_words(street: str, multiple: int) -> str:
    """A final decision in words.

    >>> decision_words("on_flop", 2)
    'Bet 2x on the flop'
    """
    return f"Bet {multiple}x {STREETS[street]}" if street in STREETS else FOLDED


def action_words(action: str, offered: Mapping[str, Sequence[int]]) -> str:
    """An action in words, with its street if only one street offers the bet.

    >>> action_words("bet_2x", {"on_flop": [2], "on_river": [1]})
    'Bet 2x on the flop'
    >>> action_words("bet_2x", {"on_flop": [2], "on_river": [2, 1]})
    'Bet 2x'
    """
    if not action.startswith("bet_"):
        return FOLDED
    multiple = int(action.removeprefix("bet_").removesuffix("x"))
    streets = [street for street, multiples in offered.items() if multiple in multiples]
    return decision_words(streets[0], multiple) if len(streets) == 1 else f"Bet {multiple}x"


def offered_bets(house: House) -> dict[str, Sequence[int]]:
    """The Play wagers of a house by street."""
    play = house.play
    return {street: getattr(play, street) for street in STREETS} if play is not None else {}


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
        yield from _part(
            "One unit on it, by the hands in it, each at a different seat",
            _progressive_hands(figures),
        )
        yield Text(shares_told(figures), "dim")
    if figures.side_bets:
        yield from _part("Covariances, one unit of each wager", _covariances(figures))
    yield from _part("Bet together, per Ante", _together(figures, stakes))
    claims = list(claims_of(figures))
    if claims:
        yield from _part("What the documents claim", _claims(claims))


def _part(title: str, sheet: Table) -> Iterator[RenderableType]:
    yield Text()
    yield Text(title, "bold")
    yield sheet


def _game(figures: HouseFigures) -> Table:
    solution = figures.solution
    sheet = figure_sheet()
    sheet.add_row("Expected result per Ante", signed(solution.ev_per_ante, 8))
    sheet.add_row("  exactly", str(solution.ev_per_ante))
    for name, words in BASES.items():
        sheet.add_row(f"House advantage {words}", percent(1 - solution.returns[name]))
    sheet.add_row("Standard deviation per Ante", f"{solution.std_dev:.6f}")
    sheet.add_row("Volatility index (90%)", f"{solution.volatility:.6f}")
    sheet.add_row("Average stake in Antes", f"{float(solution.units_staked):.6f}")
    return sheet


def _decisions(figures: HouseFigures) -> Table:
    sheet = figure_sheet()
    for words, share in decision_rows(figures.solution):
        sheet.add_row(words, percent(share))
    return sheet


def _side_bets(figures: HouseFigures) -> Table:
    sheet = figure_sheet("paytable", "advantage", "hits", "std dev", "with the Ante")
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
    sheet = figure_sheet()
    sheet.add_row("Meter in these figures", format_cents(int(figures.meter_units * unit)))
    sheet.add_row("Fixed awards return", percent(progressive.fixed_return))
    sheet.add_row("Each $1,000 on the meter adds", percent(_per_thousand(figures)))
    sheet.add_row("Envy adds for each other hand", percent(progressive.envy_per_other_hand))
    for returned in long_runs(figures):
        words = "alone in it" if returned.hands == 1 else f"{returned.hands} hands in it"
        sheet.add_row(f"Returns in the long run, {words}", between(returned.bounds))
    return sheet


def long_runs(figures: HouseFigures) -> list[LongRun]:
    """The long-run return of the progressive with one hand in it, and with a full table."""
    numbers = dict.fromkeys((1, min(figures.house.seats, HANDS_MAX)))
    runs = (long_run(figures.house, hands=hands) for hands in numbers)
    return [run for run in runs if run is not None]


def between(bounds: tuple[Fraction, Fraction]) -> str:
    """A percentage between two bounds, or a single one if they print the same.

    >>> between((Fraction(1, 8), Fraction(1, 8))), between((Fraction(1, 8), Fraction(1, 4)))
    ('12.5000%', '12.5000% to 25.0000%')
    """
    least, most = map(percent, bounds)
    return least if least == most else f"{least} to {most}"


def _progressive_hands(figures: HouseFigures) -> Table:
    sheet = figure_sheet("expected", "std dev", "fair")
    unit = _progressive_unit(figures)
    for line in progressive_lines(figures):
        meter = line.break_even_meter
        fair = "at no meter" if meter is None else f"from {format_cents(math.ceil(meter * unit))}"
        words = "Alone in it" if line.hands == 1 else f"{line.hands} hands in it"
        deviation = "" if line.variance is None else f"{math.sqrt(line.variance):.4f}"
        sheet.add_row(words, percent(line.expected), deviation, fair)
    return sheet


@dataclass(frozen=True, slots=True)
class ProgressiveLine:
    """The progressive with this many hands in it, one per seat, for each of them."""

    hands: int
    expected: Fraction
    variance: Fraction | None
    """With Envy; None if sharing is not counted, and the expected result is an upper limit."""
    break_even_meter: Fraction | None


def progressive_lines(figures: HouseFigures) -> list[ProgressiveLine]:
    """The progressive by the number of hands in it."""
    progressive, meter = figures.progressive, figures.meter_units
    if progressive is None:
        return []
    lines = []
    for hands in range(1, min(figures.house.seats, HANDS_MAX) + 1):
        counted = house_progressive_hand(figures.house, hands=hands)
        if counted is None:
            expected = progressive.expected(meter, hands=hands)
            fair = progressive.break_even_meter(hands=hands)
            lines.append(ProgressiveLine(hands, expected, None, fair))
            continue
        expected, variance = counted.expected(meter), counted.variance(meter)
        lines.append(ProgressiveLine(hands, expected, variance, counted.break_even_meter))
    return lines


def shares_told(figures: HouseFigures) -> str:
    """How the figures of a progressive with several hands account for shares and Envy."""
    link = figures.house.progressive
    counted = all(line.variance is not None for line in progressive_lines(figures))
    if link is None or not counted:
        return "Shares count in full: with several hands, an upper limit."
    paid = _SHARES_PAID[link.several_winners]
    return f"Winners of one share in one round {paid} (R.24). Envy is in the spread."


def _progressive_unit(figures: HouseFigures) -> int:
    wager = figures.house.wager(WagerKind.PROGRESSIVE)
    assert wager is not None
    return wager.min_cents


def _per_thousand(figures: HouseFigures) -> Fraction:
    assert figures.progressive is not None
    return figures.progressive.return_per_meter_unit * 100_000 / _progressive_unit(figures)


def _together(figures: HouseFigures, stakes: Stakes) -> Table:
    sheet = figure_sheet()
    for name, units in stakes.items():
        words = "Ante" if name == "game" else WagerKind(name).words
        sheet.add_row(words, f"{float(units):g}")
    sheet.add_row("Expected result", signed(figures.joint.expected(stakes)))
    sheet.add_row("Standard deviation", f"{float(figures.joint.variance(stakes)) ** 0.5:.6f}")
    return sheet


def covariance_pairs(figures: HouseFigures) -> list[tuple[str, str, Fraction]]:
    """Each two wagers of the game and its side bets, with the covariance of a unit of each."""
    names = ("game", *figures.side_bets)
    return [
        (first, second, figures.joint.covariances[first, second])
        for first, second in combinations(names, 2)
    ]


def pair_words(first: str, second: str) -> str:
    """Two wagers in words.

    >>> pair_words("game", "bad_beat")
    'Game and Bad Beat'
    """
    words = ("Game" if name == "game" else WagerKind(name).words for name in (first, second))
    return " and ".join(words)


def _covariances(figures: HouseFigures) -> Table:
    sheet = figure_sheet()
    for first, second, covariance in covariance_pairs(figures):
        sheet.add_row(pair_words(first, second), f"{float(covariance):+.8f}")
    return sheet


# Claims ------------------------------------------------------------------------


class Claim(NamedTuple):
    """A figure that a document claims, beside the counted one."""

    words: str
    clause: str
    """The source of the claim; empty if no published document has it."""
    claimed: str
    counted: str
    agrees: bool


def claims_of(figures: HouseFigures) -> Iterator[Claim]:
    """The claims of the documents, the counted figures, and whether they agree.

    The claim that a document makes about a paytable applies to every house with the table.
    """
    for name, bet in figures.side_bets.items():
        rule = figures.house.wager(WagerKind(name))
        claim = rule.paytable.claimed_advantage if rule and rule.paytable else None
        if claim:
            words = f"{WagerKind(name).words} {bet.paytable}"
            yield _claim(words, bet.paytable, claim, bet.house_advantage)
    returns = figures.solution.returns
    table = figures.house.hand_table(WagerKind.BLIND)
    blind = table.claimed_game_advantage
    if blind and figures.house.document == "W":
        # The document names no basis, so every common one is tried (R.16).
        agrees = any(_claim("", "", blind, 1 - part).agrees for part in returns.values())
        clause = clause_of_claim(table.name, blind)
        yield Claim("Whole game, basis not stated", clause, blind, "on no basis above", agrees)
    claimed = figures.house.claimed_returns
    if "game" in claimed:
        words = "Return of the game, per three units"
        yield _claim(words, "game", claimed["game"], returns["per_three_units"])
    if "trips" in claimed and "trips" in figures.side_bets:
        returned = 1 + figures.side_bets["trips"].expected
        yield _claim("Return of Trips", "trips", claimed["trips"], returned)


def _claim(words: str, subject: str, claim: str, counted: Fraction) -> Claim:
    """Compare to the precision that the document prints."""
    digits = len(claim.rstrip("%").partition(".")[2])
    agrees = percent(counted, digits) == claim
    return Claim(words, clause_of_claim(subject, claim), claim, percent(counted), agrees)


def _claims(claims: list[Claim]) -> Table:
    sheet = figure_sheet("document", "claimed", "counted", "agrees")
    for words, clause, claim, counted, agrees in claims:
        letter = clause.partition(".")[0]
        sheet.add_row(words, letter, claim, counted, "yes" if agrees else "no")
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
            "flop_multiples": list(solution.terms.flop_multiples),
            "river_multiples": list(solution.terms.river_multiples),
        },
        "base_game": {
            **both("ev_per_ante", solution.ev_per_ante),
            "std_dev": solution.std_dev,
            "volatility": solution.volatility,
            **both("variance", solution.variance),
            **both("units_staked", solution.units_staked),
            **both("element_of_risk", solution.element_of_risk),
            "decisions": all_both(solution.decisions),
            "final_decisions": [
                {"street": street, "multiple": multiple, **both("share", share)}
                for (street, _, multiple), share in zip(
                    solution.final_decisions, solution.stage_shares, strict=True
                )
            ],
            "returns": all_both(solution.returns),
            "blind": figures.house.hand_table(WagerKind.BLIND).name,
            "distribution": [
                {"net": float(net), "net_fraction": str(net), "deals": deals}
                for net, deals in solution.distribution.items()
            ],
        },
        "side_bets": {name: _side_bet_facts(figures, name) for name in figures.side_bets},
        "progressive": _progressive_facts(figures),
        "covariances": [
            {"wagers": [first, second], **both("covariance", covariance)}
            for first, second, covariance in covariance_pairs(figures)
        ],
        "together": {
            "stakes": {name: float(units) for name, units in stakes.items()},
            **both("expected", figures.joint.expected(stakes)),
            **both("variance", figures.joint.variance(stakes)),
            "std_dev": float(figures.joint.variance(stakes)) ** 0.5,
        },
        "claims": [
            {
                "claim": words,
                "clause": clause,
                "claimed": claim,
                "counted": counted,
                "agrees": agrees,
            }
            for words, clause, claim, counted, agrees in claims_of(figures)
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
        "long_run": {
            str(returned.hands): _long_run_facts(returned) for returned in long_runs(figures)
        },
        "by_hands": {
            str(line.hands): {
                **both("expected", line.expected),
                **maybe("variance", line.variance),
                **maybe("break_even_meter_units", line.break_even_meter),
                "sharing_counted": line.variance is not None,
            }
            for line in progressive_lines(figures)
        },
    }


def _long_run_facts(returned: LongRun) -> dict[str, Any]:
    least, most = returned.bounds
    return {
        **both("fixed_return", returned.fixed_return),
        **both("contribution", returned.contribution),
        **both("whole_seeds", returned.whole_seeds),
        **both("envy_return", returned.envy_return),
        **both("part_seeds_at_least", returned.part_seeds[0]),
        **both("part_seeds_at_most", returned.part_seeds[1]),
        **both("return_at_least", least),
        **both("return_at_most", most),
    }
