"""The par sheet of a house of Ultimate Draw Poker."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb, perm

from openfelt.cli.figures.draw_edge_report import PLAYED, known_spread, together_values
from openfelt.cli.figures.number_format import signed
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
from openfelt.maths.draw.best_play import known_best, known_best_play
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.draw.hold_lines import basic_draw_lines
from openfelt.maths.draw.strategy_counts import StrategyCounts, usual_counts

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
    sections = [
        *house_sections(figures.house),
        _ante(figures),
        *_spread(figures, usual_counts().house_way),
        *_best(figures),
        *_spread(figures, known_best(figures)),
        *_strategy(figures),
        *_bonus(figures),
        *_together(figures),
    ]
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


def _spread(figures: DrawFigures, kept: StrategyCounts | None) -> Iterator[Section]:
    """The results of a round with a strategy, where their counts are kept, and how they vary."""
    spread = known_spread(figures, kept)
    if kept is None or spread is None:
        return
    deals = comb(52, 5) * comb(47, 5) * perm(42, 5)
    nets = spread.nets(figures.terms)
    awards = tuple((signed(net, 2), int(often * deals), net) for net, often in nets.items())
    title = f"Results of a round in Antes, {_lower(kept.title)}"
    yield award_section(AwardTable(title, "Ante", awards, (("per Ante", Fraction(1)),)))
    rows = [("Nets more than nothing", spread.hit_frequency(figures.terms))]
    yield Section(f"{title}: figures", (), FIGURE, exact_rows(rows))
    mean, variance = spread.expected(figures.terms), spread.variance(figures.terms)
    chart = bands_chart(title, variance, mean, unit="Ante")
    yield spread_section(f"{title}: spread", variance, mean, unit="Ante", charts=(chart,))


def _strategy(figures: DrawFigures) -> Iterator[Section]:
    """The basic strategy with its exact cost, where its counts are kept."""
    basic, best = usual_counts().strategies.get("basic"), known_best_play(figures)
    if basic is None:
        return
    value = basic.value(figures.terms)
    house_way = usual_counts().house_way.value(figures.terms)
    rows = [("Expected result per Ante", value), ("More than by the house way", value - house_way)]
    if best is not None:
        rows.append(("Less than held best", best.value - value))
    sentences = ["Hold what the first line that fits says, and nothing if none does:"]
    sentences += [f"{n}. {line.words}." for n, line in enumerate(basic_draw_lines(), 1)]
    yield Section("The basic strategy", tuple(sentences), FIGURE, exact_rows(rows))


def _together(figures: DrawFigures) -> Iterator[Section]:
    """An Ante and as much on the Bonus, by how the player holds."""
    if not figures.bonuses:
        return
    unit = Fraction(1)
    known = known_best_play(figures, unit)
    values = together_values(figures, unit, {unit: known} if known else {})
    sentence = (
        "Expected result in Antes of one Ante, its Ante Bonus and one unit of the Bonus. Divided "
        "by two, it is the result for each unit staked. openfelt edge draw --bet bonus=2 prints "
        "the same for other stakes."
    )
    yield Section("The Ante with the Bonus", (sentence,), FIGURE, exact_rows([*values.items()]))


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
