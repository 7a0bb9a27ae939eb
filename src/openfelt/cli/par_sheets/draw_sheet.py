"""The par sheet of a house of Ultimate Draw Poker."""

from collections.abc import Iterator
from fractions import Fraction

from openfelt.cli.figures.draw_edge_report import PLAYED
from openfelt.cli.par_sheets.house_sections import house_sections
from openfelt.cli.par_sheets.round_charts import wagers_chart
from openfelt.cli.par_sheets.sheet import (
    FIGURE,
    AwardTable,
    ParSheet,
    Section,
    award_section,
    bands_chart,
    exact_rows,
    spread_section,
)
from openfelt.maths.draw.best_play import known_best_play
from openfelt.maths.draw.draw_figures import DrawFigures

OBTAINED = (
    "The Bonus is counted over all hands, holds and draws.",
    (
        "The Ante is counted for a player who holds the house way, as the dealer does: then wins "
        "and losses against qualified dealers cancel, except where only the dealer does not "
        "qualify."
    ),
    (
        "What the best holds gain on the house way is counted over all hands, all holds that may "
        "be the best, and all deals, and is kept for the usual Ante Bonus. With another one, it is "
        "not on this sheet: openfelt edge draw --best-play counts it."
    ),
    (
        "Counts are whole numbers and figures are fractions, which are rounded only on this sheet. "
        "Bands of return use the normal approximation."
    ),
)


def draw_sheet(figures: DrawFigures) -> ParSheet:
    """Every exact figure of the house."""
    sections = [*house_sections(figures.house), _ante(figures), *_best(figures), *_bonus(figures)]
    sections.append(Section("How the figures were obtained", OBTAINED))
    return ParSheet(f"Par sheet: {figures.house.name}", tuple(sections))


def _ante(figures: DrawFigures) -> Section:
    ante, terms = figures.ante, figures.terms
    rows = [
        ("Expected result per Ante", figures.expected),
        ("House advantage per Ante", -figures.expected),
        ("Lost to a qualified dealer", ante.lost_to_dealer),
        ("Paid by an unqualified dealer", terms.unqualified_pays * ante.unqualified),
        ("Ante Bonus", ante.bonus(terms.ante_bonus)),
        ("Dealer does not qualify", ante.unqualified),
        ("Neither hand has a pair", ante.both_unqualified),
        ("Fair if an unqualified dealer paid", figures.fair_share),
        *((f"Final hand: {c.words}", share) for c, share in ante.categories.items()),
    ]
    expected = [("Ante and Ante Bonus, held the house way", figures.expected)]
    expected += [
        (f"Bonus, {_lower(PLAYED[play])}", bet.expected) for play, bet in figures.bonuses.items()
    ]
    chart = wagers_chart(expected)
    return Section("The Ante, held the house way", (), FIGURE, exact_rows(rows), charts=(chart,))


def _best(figures: DrawFigures) -> Iterator[Section]:
    best = known_best_play(figures)
    if best:
        rows = [
            ("Expected result per Ante", best.value),
            ("House advantage per Ante", -best.value),
            ("More than by the house way", best.gain),
            ("The house way is not the best", best.differs),
            ("Fair if an unqualified dealer paid", figures.fair_share_with(best.value)),
        ]
        yield Section("The Ante, held best", (), FIGURE, exact_rows(rows))


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


def _bonus(figures: DrawFigures) -> Iterator[Section]:
    for play, bet in figures.bonuses.items():
        title = f"Bonus with {bet.paytable}, {_lower(PLAYED[play])}"
        awards = tuple((award.label, award.deals, award.net) for award in bet.awards)
        yield award_section(AwardTable(title, "unit", awards, (("per unit", Fraction(1)),)))
        rows = [("House advantage", bet.house_advantage), ("Hit frequency", bet.hit_frequency)]
        yield Section(f"{title}: figures", (), FIGURE, exact_rows(rows))
        yield spread_section(
            f"{title}: spread",
            bet.variance,
            bet.expected,
            unit="unit",
            charts=(bands_chart(title, bet.variance, bet.expected, unit="unit"),),
        )
