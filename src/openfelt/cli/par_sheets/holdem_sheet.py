"""The par sheet of a house of Ultimate Texas Hold'em."""

from collections.abc import Iterator

from openfelt.cli.figures.edge_report import BASES, DECISIONS, claims_of
from openfelt.cli.figures.number_format import percent, signed
from openfelt.cli.par_sheets.house_sections import house_sections
from openfelt.cli.par_sheets.sheet import (
    ParSheet,
    Section,
    award_section,
    exact_rows,
    spread_section,
)
from openfelt.maths.wagers.house_figures import HouseFigures
from openfelt.rules import WagerKind

FIGURE = ("figure", "decimal", "exactly")


def holdem_sheet(figures: HouseFigures) -> ParSheet:
    """Every exact figure of the house."""
    sections = [
        *house_sections(figures.house),
        *_game(figures),
        *_side_bets(figures),
        *_together(figures),
        Section(
            "How the figures were obtained",
            (
                (
                    f"All {figures.solution.deals:,} deals of the game are counted, with the best "
                    "decision at every step; no figure is sampled. Counts are whole numbers and "
                    "figures are fractions, which are rounded only on this sheet."
                ),
                (
                    "Side bets are counted over their own deals, and covariances over the deals of "
                    "the game. Bands of return use the normal approximation."
                ),
            ),
        ),
    ]
    return ParSheet(f"Par sheet: {figures.house.name}", tuple(sections))


def _game(figures: HouseFigures) -> Iterator[Section]:
    solution = figures.solution
    bases = [
        (f"House advantage {words}", 1 - solution.returns[name]) for name, words in BASES.items()
    ]
    yield Section(
        "The game: Ante, Blind and Play",
        (f"{solution.deals:,} deals.",),
        FIGURE,
        exact_rows(
            [
                ("Expected result per Ante", solution.ev_per_ante),
                *bases,
                ("Average stake in Antes", solution.units_staked),
            ]
        ),
    )
    yield Section(
        "Decisions",
        ("How often each final decision is the best one.",),
        FIGURE,
        exact_rows([(DECISIONS.get(name, name), s) for name, s in solution.decisions.items()]),
    )
    yield Section(
        "Strategy before the flop",
        (
            (
                "These starting hands bet at once; the others check. Later decisions compare the "
                "exact values of betting, checking and folding."
            ),
            *(
                f"{DECISIONS.get(action, action)}: {', '.join(names)}."
                for action in solution.terms.first_actions
                if (names := _starting_hands(figures, action))
            ),
        ),
    )
    results = [(signed(net, 2), deals, net) for net, deals in solution.distribution.items()]
    yield award_section("Results of a round, in Antes", results, unit="Antes")
    yield spread_section("Spread of a round", solution.variance, solution.ev_per_ante, unit="Ante")


def _starting_hands(figures: HouseFigures, action: str) -> list[str]:
    hands = figures.solution.starting_hands.values()
    return [hand.name for hand in hands if hand.best == action]


def _side_bets(figures: HouseFigures) -> Iterator[Section]:
    for name, bet in figures.side_bets.items():
        title = f"{WagerKind(name).words} with {bet.paytable}"
        awards = [(award.label, award.deals, award.net) for award in bet.awards]
        yield award_section(title, awards, unit="units")
        yield Section(
            f"{title}: figures",
            (),
            FIGURE,
            exact_rows(
                [
                    ("House advantage", bet.house_advantage),
                    ("Hit frequency", bet.hit_frequency),
                    ("Covariance with the game", figures.joint.covariances["game", name]),
                ]
            ),
        )
        yield spread_section(f"{title}: spread", bet.variance, bet.expected, unit="unit")


def _together(figures: HouseFigures) -> Iterator[Section]:
    names = ["game", *figures.side_bets]
    if len(names) > 2:
        pairs = [
            (
                f"{WagerKind(one).words} and {WagerKind(other).words}",
                figures.joint.covariances[one, other],
            )
            for place, one in enumerate(names[1:], 1)
            for other in names[place + 1 :]
        ]
        yield Section("Covariances of side bets", (), FIGURE, exact_rows(pairs))
    if figures.progressive is not None:
        progressive = figures.progressive
        yield Section(
            "The progressive",
            (f"Priced for one hand, with {figures.meter_units} units of the wager on the meter.",),
            FIGURE,
            exact_rows(
                [
                    ("Return of the fixed awards", progressive.fixed_return),
                    ("Return of each unit on the meter", progressive.return_per_meter_unit),
                    ("Envy for each other hand", progressive.envy_per_other_hand),
                ]
            ),
        )
    claims = tuple(
        (words, claim, counted, "yes" if agrees else "no")
        for words, claim, counted, agrees in claims_of(figures)
    )
    if claims:
        yield Section(
            "What the documents claim", (), ("figure", "claimed", "counted", "agrees"), claims
        )
    stakes = dict.fromkeys(names, 1)
    yield Section(
        "One unit on every wager",
        (f"Expected result {percent(figures.joint.expected(stakes))} of an Ante.",),
        FIGURE,
        exact_rows(
            [
                ("Expected result", figures.joint.expected(stakes)),
                ("Variance", figures.joint.variance(stakes)),
            ]
        ),
    )
