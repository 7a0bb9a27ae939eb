"""The par sheet of a house of Ultimate Draw Poker."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from openfelt.cards import Category
from openfelt.cli.figures.draw_edge_report import (
    BASIC,
    HELD_HOUSE_WAY,
    PLAYED,
    HeldTogether,
    draw_claims,
    held_together,
    known_plays,
    lower_first,
    neither_qualifies,
    together_values,
)
from openfelt.cli.figures.draw_round_counts import DEALS
from openfelt.cli.par_sheets.draw_rounds import (
    BONUS_DEAL,
    round_deals,
    round_sections,
)
from openfelt.cli.par_sheets.exposure import exposure_section, largest_awards
from openfelt.cli.par_sheets.figure_commands import (
    AWARDS_OBTAINED,
    RULES_OBTAINED,
    SPREAD_OBTAINED,
    obtained_section,
)
from openfelt.cli.par_sheets.house_sections import claims_section, house_sections
from openfelt.cli.par_sheets.round_charts import wagers_chart
from openfelt.cli.par_sheets.seeded_run import GAME
from openfelt.cli.par_sheets.sheet import (
    FIGURE,
    AwardTable,
    ChartData,
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
from openfelt.maths.draw.best_play import known_best, known_best_play
from openfelt.maths.draw.bonus import DrawPlay
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.draw.hold_lines import basic_draw_lines
from openfelt.maths.draw.strategy_counts import StrategyCounts, usual_counts
from openfelt.rules.wagers import WagerKind

OBTAINED = (
    *RULES_OBTAINED,
    (
        "The Ante, held the house way",
        (
            "both hands follow one rule, so wins and losses against qualified dealers cancel, "
            "except where only the dealer does not qualify; those deals are counted"
        ),
        "edge {house} --json",
    ),
    (
        "The Ante, held best",
        (
            "all hands, all holds that may be the best, and all deals counted; kept for the usual "
            "Ante Bonus, and with another one counted by the same command with --best-play"
        ),
        "edge {house} --json",
    ),
    (
        "Results of a round, hit frequency, variance",
        (
            "all deals counted by final hand and result, and kept; of the other strategies with "
            "--name perfect and --name basic_draw"
        ),
        "strategy {house} --name house_way --spread --json",
    ),
    (
        "The basic strategy",
        "what its lines hold of every hand, over all deals",
        "strategy {house} --name basic_draw --spread --json",
    ),
    AWARDS_OBTAINED,
    *SPREAD_OBTAINED,
)
"""How each figure of the Ante was obtained, and the command that prints it."""
QUALIFYING_OBTAINED = (
    *OBTAINED[: len(RULES_OBTAINED) + 1],
    (
        "The dealer's qualifying hand",
        (
            "all deals counted by the dealer's final hand, up to three of a kind, and kept: those "
            "that a better qualifying hand rules out are paid as unqualified instead"
        ),
        "edge {house} --json",
    ),
    ("The basic strategy", "what its lines hold of every hand", "edge {house} --json"),
    AWARDS_OBTAINED,
    *SPREAD_OBTAINED,
)
"""The same if the dealer qualifies with a hand other than a pair, where less is counted."""
BONUS_OBTAINED = (
    ("Bonus", "counted over all hands, holds and draws", "paytables {house} --figures --json"),
    ("The Ante with the Bonus", "from the same counts", "edge {house} --bet bonus=1 --json"),
    (
        "Covariances of Ante and Bonus",
        "all deals counted by final hand and result, and kept",
        "edge {house} --bet bonus=1 --json",
    ),
    ("Claims of the documents", "quoted from the rule data", "paytables {house} --figures"),
)
_BONUS_SHORT_TITLES = {DrawPlay.BEST: "best holds", DrawPlay.HOUSE_WAY: "house way"}
_PAYTABLE_MAX = 12
"""A longer name of a paytable is left out of the name of a worksheet."""


def draw_sheet(figures: DrawFigures) -> ParSheet:
    """Every exact figure of the house."""
    results = [
        _ante(figures),
        *round_sections(figures, usual_counts().house_way),
        *_best(figures),
        *round_sections(figures, known_best(figures)),
        *_strategy(figures),
        *round_sections(figures, usual_counts().strategies.get(BASIC)),
        _final_table(figures),
        *_bonus(figures),
    ]
    sections = [
        *house_sections(figures.house),
        *results,
        largest_awards(part.awards for part in results if part.awards is not None),
        exposure_section(figures.house, _largest(figures), best_round=_best_round(figures)),
        *_together(figures),
        *_claims(figures),
        obtained_section(figures.house, DEALS, _obtained(figures)),
    ]
    return ParSheet(f"Par sheet: {figures.house.name}", tuple(sections), _covariances(figures))


def _obtained(figures: DrawFigures) -> tuple[tuple[str, str, str], ...]:
    """How the figures were obtained."""
    ante = OBTAINED if figures.terms.needs_a_pair else QUALIFYING_OBTAINED
    return (*ante, *(BONUS_OBTAINED if figures.bonuses else ()))


# The Ante ------------------------------------------------------------------------


def _ante(figures: DrawFigures) -> Section:
    ante, terms = figures.ante, figures.terms
    rows = [
        ("Expected result per Ante", figures.expected),
        ("House advantage per Ante", -figures.expected),
        *_ends(figures, usual_counts().house_way),
        ("Lost to a qualified dealer", ante.lost_to_dealer),
        ("Paid by an unqualified dealer", terms.unqualified_pays * ante.unqualified),
        ("Ante Bonus", ante.bonus(terms.ante_bonus)),
        ("Dealer does not qualify", ante.unqualified),
        (neither_qualifies(figures), ante.both_unqualified),
        *_fair(figures.fair_share),
        *((f"Final hand: {c.words}", share) for c, share in ante.categories.items()),
    ]
    sentence = f"{DEALS:,} deals. One Ante with its Ante Bonus."
    return Section(
        "The Ante, held the house way",
        (sentence,),
        FIGURE,
        exact_rows(rows),
        charts=(_expected_chart(figures),),
    )


def _fair(share: Fraction | None) -> list[tuple[str, Fraction]]:
    """The payout for an unqualified dealer in a fair game; none if the dealer always qualifies."""
    return [] if share is None else [("Fair if an unqualified dealer paid", share)]


def _basic(figures: DrawFigures) -> StrategyCounts | None:
    """The basic strategy, where it is counted for the dealer's qualifying hand."""
    basic = usual_counts().strategies.get(BASIC)
    return basic if basic is not None and basic.prices(figures.terms) else None


def _expected_chart(figures: DrawFigures) -> ChartData:
    basic, best = _basic(figures), known_best_play(figures)
    expected = [("Ante, held the house way", figures.expected)]
    if basic is not None:
        expected.append((f"Ante, {lower_first(basic.title)}", basic.value(figures.terms)))
    if best is not None:
        expected.append(("Ante, held best", best.value))
    expected += [
        (f"Bonus, {lower_first(PLAYED[play])}", bet.expected)
        for play, bet in figures.bonuses.items()
    ]
    return wagers_chart(expected)


def _ends(figures: DrawFigures, kept: StrategyCounts | None) -> list[tuple[str, Fraction]]:
    """How often a round is won, even and lost, where it is kept."""
    deals = round_deals(figures, kept)
    return round_ends(deals) if deals else []


def _best(figures: DrawFigures) -> Iterator[Section]:
    best = known_best_play(figures)
    if best:
        rows = [
            ("Expected result per Ante", best.value),
            ("House advantage per Ante", -best.value),
            *_ends(figures, known_best(figures)),
            ("More than by the house way", best.gain),
            ("The house way is not the best", best.differs),
            *_fair(figures.fair_share_with(best.value)),
            *_final_hands(known_best(figures)),
        ]
        yield Section("The Ante, held best", (), FIGURE, exact_rows(rows))


def _final_hands(kept: StrategyCounts | None) -> list[tuple[str, Fraction]]:
    """How often each final hand comes with a strategy, where it is kept."""
    shares = kept.final if kept is not None else {}
    return [(f"Final hand: {category.words}", share) for category, share in shares.items()]


def _final_table(figures: DrawFigures) -> Section:
    """The final hands side by side, by how the player holds."""
    held = {HELD_HOUSE_WAY: figures.ante.categories}
    for kept in (known_best(figures), usual_counts().strategies.get(BASIC)):
        if kept is not None:
            held[kept.title] = kept.final
    rows = [
        (category.words, *(f"{float(shares[category]):.8%}" for shares in held.values()))
        for category in sorted(Category, reverse=True)
    ]
    sums = (sum(shares.values(), Fraction(0)) for shares in held.values())
    rows.append(("Total", *(f"{float(total):.8%}" for total in sums)))
    sentence = (
        "The share of deals in which the player ends with each hand. The sections of each way to "
        "hold have the exact fractions."
    )
    return Section("Final hands", (sentence,), ("hand", *held), tuple(rows))


def _strategy(figures: DrawFigures) -> Iterator[Section]:
    """The basic strategy with its exact cost, where its counts are kept."""
    basic, best = _basic(figures), known_best_play(figures)
    if basic is None:
        return
    value = basic.value(figures.terms)
    house_way = usual_counts().house_way.value(figures.terms)
    rows = [
        ("Expected result per Ante", value),
        ("House advantage per Ante", -value),
        *_ends(figures, basic),
        ("More than by the house way", value - house_way),
        ("Hands that the house way holds differently", basic.differs),
    ]
    if best is not None:
        rows.append(("Less than held best", best.value - value))
    rows += _final_hands(basic)
    sentences = ["Hold what the first line that fits says, and nothing if none does:"]
    sentences += [f"{n}. {line.words}." for n, line in enumerate(basic_draw_lines(), 1)]
    yield Section("The basic strategy", tuple(sentences), FIGURE, exact_rows(rows))


# The Bonus, and both together ------------------------------------------------------


def _bonus(figures: DrawFigures) -> Iterator[Section]:
    for play, bet in figures.bonuses.items():
        held = lower_first(PLAYED[play])
        title = f"Bonus with {bet.paytable}, {held}"
        awards = tuple((award.label, award.deals, award.net) for award in bet.awards)
        name = f" {bet.paytable}" if len(bet.paytable) <= _PAYTABLE_MAX else ""
        table = AwardTable(
            title,
            "unit",
            awards,
            (("per unit", Fraction(1)),),
            short_title=f"Bonus{name}, {_BONUS_SHORT_TITLES[play]}",
            deal=BONUS_DEAL,
        )
        yield award_section(table)
        rows = [("House advantage", bet.house_advantage), ("Hit frequency", bet.hit_frequency)]
        yield Section(f"{title}: figures", (), FIGURE, exact_rows(rows))
        chart = bands_chart(f"Return of the Bonus, {held}", table)
        yield spread_section(f"{title}: spread", table, charts=(chart,))


def _best_round(figures: DrawFigures) -> Fraction | None:
    """The largest result of a round without the Bonus, where results are kept."""
    return max(round_deals(figures, usual_counts().house_way), default=None)


def _largest(figures: DrawFigures) -> dict[WagerKind, Fraction]:
    """The most that one unit of the Bonus can win."""
    awards = [award for bet in figures.bonuses.values() for award in bet.awards if award.deals]
    return {WagerKind.BONUS: max(award.net for award in awards)} if awards else {}


def _together(figures: DrawFigures) -> Iterator[Section]:
    """An Ante and as much on the Bonus, by how the player holds."""
    if not figures.bonuses:
        return
    unit = Fraction(1)
    best = known_plays(figures, unit)
    rows = [*together_values(figures, unit, best).items()]
    if unit in best:
        rows.append(("The house way is not the best for both", best[unit].differs))
    sentence = (
        "Expected result in Antes of one Ante, its Ante Bonus and one unit of the Bonus. Divided "
        f"by two, it is the result for each unit staked. openfelt edge {figures.house.id} "
        "--bet bonus=2 prints the same for other stakes."
    )
    yield Section("The Ante with the Bonus", (sentence,), FIGURE, exact_rows(rows))
    matrix = _covariances(figures)
    if matrix is not None:
        yield covariance_section("Covariances, held the house way", matrix)
    yield from _spreads(held_together(figures, unit))


def _covariances(figures: DrawFigures) -> Covariances | None:
    """The covariances of both wagers, held the house way; None where they are not kept."""
    varies = held_together(figures, Fraction(1)).get(HELD_HOUSE_WAY)
    if varies is None:
        return None
    bonus = WagerKind.BONUS
    cells = {
        (GAME, GAME): varies.ante,
        (GAME, bonus.value): varies.covariance,
        (bonus.value, GAME): varies.covariance,
        (bonus.value, bonus.value): varies.bonus,
    }
    return Covariances((GAME, bonus.value), ("Ante with its Ante Bonus", bonus.words), cells)


def _spreads(spreads: Mapping[str, HeldTogether]) -> Iterator[Section]:
    """How one unit on each wager varies, by how the player holds."""
    rows: list[tuple[str, Fraction]] = []
    sentences = ["One Ante with its Ante Bonus, and one unit of the Bonus, in Antes."]
    for title, varies in spreads.items():
        held = lower_first(title)
        sentences.append(f"{title}, the standard deviation is {varies.std_dev:.10f}.")
        rows += [(f"Covariance, {held}", varies.covariance), (f"Variance, {held}", varies.variance)]
    if rows:
        title = "One unit on every wager: covariance and variance"
        yield Section(title, tuple(sentences), FIGURE, exact_rows(rows))


def _claims(figures: DrawFigures) -> Iterator[Section]:
    claims = tuple(draw_claims(figures))
    if claims:
        sentence = "Claimed for a player who holds as is best for the Bonus alone."
        yield claims_section(claims, sentence)
