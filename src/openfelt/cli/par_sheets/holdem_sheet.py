"""The par sheet of a house of Ultimate Texas Hold'em."""

from collections.abc import Iterator
from fractions import Fraction

from openfelt.cli.figures.edge_report import (
    BASES,
    claims_of,
    covariance_pairs,
    decision_rows,
    long_runs,
    pair_words,
    progressive_lines,
    shares_told,
)
from openfelt.cli.figures.number_format import percent, signed
from openfelt.cli.par_sheets.exposure import exposure_section, largest_awards
from openfelt.cli.par_sheets.figure_commands import (
    AWARDS_OBTAINED,
    RULES_OBTAINED,
    SPREAD_OBTAINED,
    obtained_section,
)
from openfelt.cli.par_sheets.house_sections import claims_section, house_sections
from openfelt.cli.par_sheets.round_charts import results_chart, session_section, wagers_chart
from openfelt.cli.par_sheets.sheet import (
    FIGURE,
    AwardTable,
    Covariances,
    ParSheet,
    Section,
    award_section,
    bands_chart,
    covariance_section,
    exact_rows,
    round_ends,
    spread_section,
)
from openfelt.cli.par_sheets.strategy_section import strategy_section
from openfelt.maths.holdem.wager_results import WagerResults, wager_results
from openfelt.maths.wagers.house_figures import HouseFigures
from openfelt.money import format_cents
from openfelt.rules import House, WagerKind
from openfelt.rules.paytable import ProgressiveReads

GAME = "game"
PRACTICAL_STRATEGY = "Practical strategy"
OBTAINED = (
    *RULES_OBTAINED,
    (
        "Game, decisions, results of a round",
        "all deals counted, with the best decision at every step",
        "edge {house} --json",
    ),
    (
        "Ante, Blind and Play alone",
        "the same counts, settled wager by wager",
        "parsheet {house} --format json",
    ),
    ("Side bets", "counted over their own deals", "edge {house} --json"),
    AWARDS_OBTAINED,
    ("Covariances", "products summed over all deals of the game", "edge {house} --json"),
    ("Claims of the documents", "quoted from the rule data", "edge {house}"),
    (
        "Strategy before the flop",
        "the exact values of betting and checking compared",
        "strategy {house} --name perfect",
    ),
    (PRACTICAL_STRATEGY, "priced over all deals", "strategy {house} --name basic --json"),
    *SPREAD_OBTAINED,
)
"""How each figure was obtained, and the command that prints it."""
PROGRESSIVE_OBTAINED = (
    (
        "Progressive by the hands in it",
        "winners that divide a share, and Envy, counted over all deals",
        "edge {house} --json",
    ),
    (
        "Progressive in the long run",
        "counted, except for seeds after smaller shares: a meter on a grid, rounded down and up",
        "edge {house} --json",
    ),
)
GAME_DEAL = (
    "two cards of the player, the flop, turn and river, and two cards of the dealer. "
    "C(52,2) · C(50,3) · C(47,2) · C(45,2)"
)
FIVE_CARDS, SEVEN_CARDS = "C(52,5)", "C(52,7)"
SIDE_DEALS = {
    WagerKind.TRIPS: f"the seven cards that the player's hand is made of. {SEVEN_CARDS}",
    WagerKind.BAD_BEAT: "two cards of the player, two of the dealer, and the board of five, in no "
    "order. C(52,2) · C(50,2) · C(48,5)",
    WagerKind.PLAY_THE_BOARD: f"the five cards of the board. {FIVE_CARDS}",
    WagerKind.ULTIMATE_PAIRS: "two cards of the player and two of the dealer. C(52,2) · C(50,2)",
}
PROGRESSIVE_DEALS = {
    ProgressiveReads.HOLE_AND_FLOP: f"two cards of the player and the flop, as five. {FIVE_CARDS}",
    ProgressiveReads.FINAL_SEVEN: f"two cards of the player and the board, as seven. {SEVEN_CARDS}",
    ProgressiveReads.DEALT_FIVE: f"the player's five cards. {FIVE_CARDS}",
}
"""What one deal is in each table of awards, and how many there are."""


def holdem_sheet(figures: HouseFigures) -> ParSheet:
    """Every exact figure of the house."""
    strategy = strategy_section(figures)
    obtained = _obtained(figures, practical=bool(strategy.rows))
    results = [*_game(figures), strategy, *_side_bets(figures)]
    sections = [
        *house_sections(figures.house),
        *results,
        largest_awards(part.awards for part in results if part.awards is not None),
        exposure_section(
            figures.house,
            _largest(figures),
            best_round=max(figures.solution.distribution),
        ),
        *_together(figures),
        obtained_section(figures.house, figures.solution.deals, obtained),
    ]
    title = f"Par sheet: {figures.house.name}"
    return ParSheet(title, tuple(sections), _covariances(figures))


def _obtained(figures: HouseFigures, *, practical: bool) -> tuple[tuple[str, str, str], ...]:
    """Only what the sheet has: no practical strategy where the house does not offer its bets."""
    told = tuple(row for row in OBTAINED if practical or row[0] != PRACTICAL_STRATEGY)
    return (*told, *(PROGRESSIVE_OBTAINED if figures.progressive is not None else ()))


# The game ----------------------------------------------------------------------


def _game(figures: HouseFigures) -> Iterator[Section]:
    solution = figures.solution
    by_wager = wager_results(solution)
    yield Section(
        "The game: Ante, Blind and Play",
        (f"{solution.deals:,} deals.",),
        FIGURE,
        exact_rows(
            [
                ("Expected result per Ante", solution.ev_per_ante),
                *(
                    (f"House advantage {words}", 1 - solution.returns[name])
                    for name, words in BASES.items()
                ),
                ("Average stake in Antes", solution.units_staked),
                *round_ends(solution.distribution),
                *(
                    (f"Expected result of the {part.wager.capitalize()}", part.expected)
                    for part in by_wager
                ),
            ]
        ),
        charts=(wagers_chart(_expected_by_wager(figures, by_wager)),),
    )
    yield Section(
        "Decisions",
        ("How often each final decision is the best one.",),
        FIGURE,
        exact_rows(decision_rows(solution)),
    )
    results = tuple((signed(net, 2), deals, net) for net, deals in solution.distribution.items())
    bases = (Fraction(1), Fraction(2), Fraction(3), solution.units_staked)
    table = AwardTable(
        "Results of a round, in Antes",
        "Ante",
        results,
        tuple(zip(BASES.values(), bases, strict=True)),
        deal=GAME_DEAL,
    )
    yield award_section(table, charts=(results_chart(solution.distribution),))
    for part in by_wager:
        yield _wager_section(part)
    chart = bands_chart("Return of the game", table)
    yield spread_section("Spread of a round", table, charts=(chart,))
    yield session_section(solution.distribution)


def _wager_section(part: WagerResults) -> Section:
    words = part.wager.capitalize()
    awards = tuple((label, deals, net) for label, (deals, net) in part.deals.items())
    title, bases = f"{words} alone, in Antes", (("per Ante", Fraction(1)),)
    return award_section(AwardTable(title, "Ante", awards, bases, deal=GAME_DEAL))


def _expected_by_wager(
    figures: HouseFigures, by_wager: tuple[WagerResults, ...]
) -> list[tuple[str, Fraction]]:
    side_bets = figures.side_bets.items()
    return [
        *((part.wager.capitalize(), part.expected) for part in by_wager),
        ("Game", figures.solution.ev_per_ante),
        *((WagerKind(name).words, bet.expected) for name, bet in side_bets),
    ]


# Side bets -----------------------------------------------------------------------


def _side_bets(figures: HouseFigures) -> Iterator[Section]:
    for name, bet in figures.side_bets.items():
        title = f"{WagerKind(name).words} with {bet.paytable}"
        meter = ""
        if WagerKind(name) is WagerKind.PROGRESSIVE:
            meter = f", with {_units(figures.meter_units)} units on the meter"
        awards = tuple((award.label, award.deals, award.net) for award in bet.awards)
        bases, deal = (("per unit", Fraction(1)),), _side_deal(figures.house, WagerKind(name))
        table = AwardTable(title, "unit", awards, bases, deal=deal)
        yield award_section(table)
        yield Section(
            f"{title}: figures",
            (),
            FIGURE,
            exact_rows(
                [
                    (f"House advantage{meter}", bet.house_advantage),
                    ("Hit frequency", bet.hit_frequency),
                    ("Covariance with the game", figures.joint.covariances[GAME, name]),
                ]
            ),
        )
        yield spread_section(f"{title}: spread", table)


def _side_deal(house: House, kind: WagerKind) -> str:
    """What one deal is in the table of a side bet."""
    if kind is WagerKind.PROGRESSIVE:
        return PROGRESSIVE_DEALS[house.progressive_table().reads]
    return SIDE_DEALS[kind]


def _largest(figures: HouseFigures) -> dict[WagerKind, Fraction]:
    """The most that one unit of the Blind and of each side bet can win."""
    blind = {WagerKind.BLIND: max(figures.solution.terms.blind)}
    return blind | {
        WagerKind(name): max(award.net for award in bet.awards if award.deals)
        for name, bet in figures.side_bets.items()
    }


def _covariances(figures: HouseFigures) -> Covariances:
    names = (GAME, *figures.side_bets)
    words = ("Game", *(WagerKind(name).words for name in figures.side_bets))
    return Covariances(names, words, figures.joint.covariances)


def _progressive(figures: HouseFigures) -> Iterator[Section]:
    progressive = figures.progressive
    if progressive is None:
        return
    yield Section(
        "The progressive",
        (
            (
                f"Priced for one hand, with {_units(figures.meter_units)} units of the wager on "
                "the meter."
            ),
        ),
        FIGURE,
        exact_rows(
            [
                ("Return of the fixed awards", progressive.fixed_return),
                ("Return of each unit on the meter", progressive.return_per_meter_unit),
                ("Envy for each other hand", progressive.envy_per_other_hand),
            ]
        ),
    )
    lines = progressive_lines(figures)
    sentence = shares_told(figures)
    fair = [(line.hands, line.break_even_meter) for line in lines]
    never = ", ".join(str(hands) for hands, meter in fair if meter is None)
    if never:
        sentence += f" No meter makes it fair with this number of hands in it: {never}."
    yield Section(
        "One unit on the progressive, by the hands in it",
        (
            (
                f"Each hand is at a different seat. {sentence} The fair meter is the one with "
                "which the expected result is zero, in units of the wager."
            ),
        ),
        FIGURE,
        exact_rows(
            [
                *((f"Expected, {line.hands} in it", line.expected) for line in lines),
                *(
                    (f"Variance, {line.hands} in it", line.variance)
                    for line in lines
                    if line.variance is not None
                ),
                *(
                    (f"Fair meter, {hands} in it", meter)
                    for hands, meter in fair
                    if meter is not None
                ),
            ]
        ),
    )


def _long_run(figures: HouseFigures) -> Iterator[Section]:
    """What the progressive returns in the long run, from its meter's side."""
    runs, link = long_runs(figures), figures.house.progressive
    if not runs or link is None:
        return
    rows: list[tuple[str, Fraction]] = []
    for returned in runs:
        least, most = returned.bounds
        parts = [
            ("Fixed awards", returned.fixed_return),
            ("Contribution, paid out as shares", returned.contribution),
            ("Seeds after awards of the whole meter", returned.whole_seeds),
            ("Seeds after smaller shares, at least", returned.part_seeds[0]),
            ("Seeds after smaller shares, at most", returned.part_seeds[1]),
            ("Envy", returned.envy_return),
            ("Return, at least", least),
            ("Return, at most", most),
        ]
        rows += [(f"{words}, {returned.hands} in it", value) for words, value in parts]
    came = (
        "Per unit wagered, whatever the meter is now. All that goes into the meter is paid out of "
        "it in the long run: the contribution of each wager, and what the house adds to bring the "
        f"meter back to its seed of {format_cents(link.seed_cents)}. After an award of the whole "
        "meter this is the seed. After a smaller share it is the amount by which the rest falls "
        "short of the seed, which depends on the meter then, and is computed between two bounds."
    )
    order = (
        "A round's contributions are added before its awards are paid, and the meter is topped up "
        "after them. Each hand is at a different seat of one table, and every round has the same "
        "number of hands. The first seed, which is paid once, the ceiling of a link, and the "
        "rounding of shares to cents are left out."
    )
    title = "The progressive in the long run"
    yield Section(title, (came, order), FIGURE, exact_rows(rows))


def _units(units: Fraction) -> str:
    """A number of units, with decimals only if it needs them.

    >>> _units(Fraction(10_000)), _units(Fraction(2001, 2))
    ('10,000', '1,000.50')
    """
    return f"{units.numerator:,}" if units.denominator == 1 else f"{float(units):,.2f}"


def _together(figures: HouseFigures) -> Iterator[Section]:
    matrix = _covariances(figures)
    if len(matrix.names) > 1:
        yield covariance_section("Covariances", matrix)
    if len(matrix.names) > 2:
        pairs = [
            (pair_words(first, second), covariance)
            for first, second, covariance in covariance_pairs(figures)
            if first != GAME
        ]
        yield Section("Covariances of side bets", (), FIGURE, exact_rows(pairs))
    yield from _progressive(figures)
    yield from _long_run(figures)
    claims = [
        (words, clause, claim, counted, "yes" if agrees else "no")
        for words, clause, claim, counted, agrees in claims_of(figures)
    ]
    if claims:
        yield claims_section(claims)
    stakes = dict.fromkeys(matrix.names, 1)
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
