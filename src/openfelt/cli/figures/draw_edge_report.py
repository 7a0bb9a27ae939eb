"""The exact figures of a house of Ultimate Draw Poker as a report and as JSON."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.catalog.clauses import clause_of_claim
from openfelt.cli.figures.draw_bonus_report import side_bet_facts
from openfelt.cli.figures.draw_round_counts import result_facts
from openfelt.cli.figures.figure_sheet import figure_sheet
from openfelt.cli.figures.number_format import all_both, both, claim_verdict, maybe, percent, signed
from openfelt.maths.draw.best_play import (
    BestPlay,
    best_play_limits,
    bonus_nets,
    known_best,
    known_best_play,
)
from openfelt.maths.draw.bonus import DrawPlay
from openfelt.maths.draw.draw_figures import DrawFigures, draw_terms_of
from openfelt.maths.draw.draw_spread import TOLD_APART, DrawSpread
from openfelt.maths.draw.strategy_counts import DrawCounts, StrategyCounts, usual_counts
from openfelt.rules.wagers import WagerKind

HELD_HOUSE_WAY, HELD_FOR_BOTH = "Held the house way", "Held best for both"
BASIC = "basic"
"""The name of the basic strategy among the stored counts."""
PLAYED = {
    DrawPlay.BEST: "Held best for the Bonus alone",
    DrawPlay.HOUSE_WAY: HELD_HOUSE_WAY,
}

HELD_USUAL = {"best": "Held best for the usual Ante Bonus"}
"""The titles of stored strategies that are best for other terms than the priced ones."""
HELD_FOR_A_PAIR = {"best": "Held best for the usual game"}
"""Their titles if the dealer qualifies with a hand other than a pair."""

Best = Mapping[Fraction, BestPlay]
"""Best play by the units of the Bonus that are bet; empty where it was not counted."""


def lower_first(words: str) -> str:
    """Words with a lower-case first letter, as within a sentence.

    >>> lower_first("Held best for the Bonus alone")
    'held best for the Bonus alone'
    """
    return words[:1].lower() + words[1:]


def known_plays(figures: DrawFigures, bonus_units: Fraction) -> dict[Fraction, BestPlay]:
    """Best play of the Ante alone, and with some units of the Bonus, as far as it is stored."""
    asked = [Fraction(0), bonus_units] if figures.bonuses and bonus_units else [Fraction(0)]
    plays = {units: known_best_play(figures, units) for units in asked}
    return {units: play for units, play in plays.items() if play is not None}


def draw_report(
    figures: DrawFigures, bonus_units: Fraction, best: Best | None = None
) -> RenderableType:
    """The report: the Ante by the house way and by the best holds, the Bonus, and both together."""
    return Group(*_parts(figures, bonus_units, best or {}))


def _parts(figures: DrawFigures, bonus_units: Fraction, best: Best) -> Iterator[RenderableType]:
    yield Text(figures.house.name, "bold")
    yield Text("All deals and all draws, counted.", "dim")
    if figures.terms != draw_terms_of(figures.house):
        yield Text("The Ante's terms are changed: these are not the figures of the house.", "dim")
    yield from _part("The Ante, held the house way", _ante(figures))
    if missing := spread_missing(figures):
        yield Text(missing, "dim")
    for units, play in best.items():
        noun = "unit" if units == 1 else "units"
        together = f" with {float(units):g} {noun} of the Bonus" if units else ""
        yield from _part(f"The Ante{together}, held best", _best(figures, units, play))
    alone = alone_values(figures, best)
    if alone:
        yield from _part("The Ante, by how the player holds", _alone(alone))
    if not_kept := _not_kept(figures, bonus_units, best):
        yield Text(not_kept, "dim")
    if figures.bonuses:
        yield from _part("The Bonus, per unit", _bonus(figures))
        yield from _part("Bet together", _together(figures, bonus_units, best))


def _not_kept(figures: DrawFigures, bonus_units: Fraction, best: Best) -> str | None:
    """Which best holds are not stored, and how to count them; None if all are stored."""
    if not figures.terms.needs_a_pair:
        return (
            "The best holds are not counted for a dealer who qualifies with "
            f"{figures.terms.qualifying.or_better}. They are worth at least as much as the best "
            "strategy that is priced; how much more, is not known."
        )
    if Fraction(0) not in best:
        missing = "The kept counts leave many hands of the Ante open with this Ante Bonus"
    elif figures.bonuses and bonus_units not in best:
        missing = "The kept counts leave many hands of the Ante and the Bonus together open"
    else:
        return None
    return (
        f"{missing}, so only bounds of their value are printed: --best-play counts it "
        "exactly. openfelt advise --game draw counts every hold of a hand."
    )


def _part(title: str, sheet: Table) -> Iterator[RenderableType]:
    yield Text()
    yield Text(title, "bold")
    yield sheet


def _ante(figures: DrawFigures) -> Table:
    ante, terms = figures.ante, figures.terms
    sheet = figure_sheet()
    sheet.add_row("Expected result per Ante", signed(figures.expected, 8))
    sheet.add_row("  exactly", str(figures.expected))
    sheet.add_row("  lost to a qualified dealer", signed(-ante.lost_to_dealer, 8))
    paid = terms.unqualified_pays * ante.unqualified
    sheet.add_row(f"  paid {terms.unqualified_pays} by an unqualified dealer", signed(paid, 8))
    sheet.add_row("  Ante Bonus", signed(ante.bonus(terms.ante_bonus), 8))
    if not terms.needs_a_pair:
        sheet.add_row("Dealer qualifies with", terms.qualifying.or_better)
    sheet.add_row("Dealer does not qualify", percent(ante.unqualified))
    sheet.add_row(neither_qualifies(figures), percent(ante.both_unqualified))
    _add_fair_share(sheet, figures.fair_share)
    _add_spread(sheet, figures, usual_counts().house_way)
    return sheet


def neither_qualifies(figures: DrawFigures) -> str:
    """The words for deals in which neither hand would qualify."""
    return "Neither hand has a pair" if figures.terms.needs_a_pair else "Neither hand qualifies"


def _add_fair_share(sheet: Table, fair: Fraction | None) -> None:
    if fair is not None:
        sheet.add_row("Fair if an unqualified dealer paid", f"{float(fair):.6f}")


def _add_spread(sheet: Table, figures: DrawFigures, kept: StrategyCounts | None) -> None:
    """Add the standard deviation of the Ante, if the distribution of a round is stored."""
    spread = known_spread(figures, kept)
    if spread:
        sheet.add_row("Standard deviation per Ante", f"{spread.std_dev(figures.terms):.6f}")
        sheet.add_row("Net win", percent(spread.hit_frequency(figures.terms)))


def _best(figures: DrawFigures, units: Fraction, play: BestPlay) -> Table:
    sheet = figure_sheet()
    sheet.add_row("Expected result per Ante", signed(play.value, 8))
    sheet.add_row("  exactly", str(play.value))
    sheet.add_row("  more than by the house way", signed(play.gain, 8))
    sheet.add_row("The house way is not the best", percent(play.differs))
    _add_fair_share(sheet, figures.fair_share_with(play.value))
    if not units:
        _add_spread(sheet, figures, known_best(figures))
    return sheet


def _alone(values: Mapping[str, Fraction]) -> Table:
    sheet = figure_sheet()
    for title, value in values.items():
        sheet.add_row(title, signed(value, 8))
        sheet.add_row("  exactly", str(value))
    return sheet


def _bonus(figures: DrawFigures) -> Table:
    sheet = figure_sheet("paytable", "advantage", "hits", "std dev")
    for play, bet in figures.bonuses.items():
        sheet.add_row(
            PLAYED[play],
            bet.paytable,
            percent(bet.house_advantage),
            percent(bet.hit_frequency),
            f"{bet.std_dev:.4f}",
        )
    return sheet


def _together(figures: DrawFigures, bonus_units: Fraction, best: Best) -> Table:
    """The value of an Ante with some units of the Bonus, by the player's holds."""
    spreads = held_together(figures, bonus_units)
    sheet = figure_sheet(
        "per Ante", "per unit staked", *(("covariance", "std dev") if spreads else ())
    )
    staked = 1 + bonus_units
    sheet.add_row("Units of the Bonus per Ante", f"{float(bonus_units):g}")
    for title, value in together_values(figures, bonus_units, best).items():
        cells = [signed(value, 8), signed(value / staked, 8)]
        if title in spreads:
            varies = spreads[title]
            cells += [f"{float(varies.covariance):.6f}", f"{varies.std_dev:.6f}"]
        sheet.add_row(title, *cells)
    return sheet


def ante_strategies(counts: DrawCounts) -> list[StrategyCounts]:
    """The stored strategies, without those that are best together with a Bonus."""
    return [
        strategy for name, strategy in counts.strategies.items() if not name.startswith("best_")
    ]


def alone_values(figures: DrawFigures, best: Best) -> dict[str, Fraction]:
    """The value of an Ante with its Ante Bonus, by the player's holds, from the stored counts.

    A stored strategy is priced exactly for any payouts, so none is worth more than the best holds.
    The best holds come last: exact if known, otherwise as bounds. Empty for a deck other than that
    of the stored counts.
    """
    counts, terms = usual_counts(), figures.terms
    if counts.house_way.against(terms.qualifying).unqualified != figures.ante.unqualified:
        return {}
    played = best.get(Fraction(0)) or known_best_play(figures)
    usual = HELD_USUAL if terms.needs_a_pair else HELD_FOR_A_PAIR
    values = {
        usual.get(strategy.name, strategy.title): strategy.value(terms)
        for strategy in ante_strategies(counts)
        if strategy.prices(terms)
        and (known_best_play(figures) is None or strategy.name not in HELD_USUAL)
    }
    if played is not None:
        return values | {"Held best": played.value}
    return values | _limits("Held best", best_play_limits(figures))


def together_values(figures: DrawFigures, bonus_units: Fraction, best: Best) -> dict[str, Fraction]:
    """The value of an Ante with some units of the Bonus in Antes, by the player's holds.

    The best holds come last: exact if their counts are stored, otherwise as bounds.
    """
    values = {HELD_HOUSE_WAY: figures.together(bonus_units)}
    bonus = bonus_nets(figures, bonus_units)
    for kept in (known_best(figures), usual_counts().strategies.get(BASIC)):
        if kept is not None and kept.prices(figures.terms):
            values[kept.title] = kept.value(figures.terms, bonus)
    if bonus_units in best:
        values[HELD_FOR_BOTH] = best[bonus_units].value
        return values
    return values | _limits(HELD_FOR_BOTH, best_play_limits(figures, bonus_units))


def _limits(title: str, limits: tuple[Fraction, Fraction | None]) -> dict[str, Fraction]:
    """The bounds of the best holds; there may be no upper one."""
    least, most = limits
    return {f"{title}, at least": least} | ({} if most is None else {f"{title}, at most": most})


@dataclass(frozen=True, slots=True)
class HeldTogether:
    """How an Ante, with its Ante Bonus, and some units of the Bonus vary, in Antes."""

    ante: Fraction
    """The variance of the Ante."""
    bonus: Fraction
    """The variance of the Bonus."""
    covariance: Fraction

    @property
    def variance(self) -> Fraction:
        """The variance of both together."""
        return self.ante + 2 * self.covariance + self.bonus

    @property
    def std_dev(self) -> float:
        """The standard deviation of both together."""
        return sqrt(self.variance)


def held_together(figures: DrawFigures, bonus_units: Fraction) -> dict[str, HeldTogether]:
    """How the Ante and some units of the Bonus vary together, by the player's holds.

    From the stored counts; a strategy without a distribution of a round is left out.
    """
    nets = bonus_nets(figures, bonus_units)
    if nets is None:
        return {}
    terms, counts = figures.terms, usual_counts()
    kept = {HELD_HOUSE_WAY: counts.house_way}
    for strategy in (known_best(figures), counts.strategies.get(BASIC)):
        if strategy is not None:
            kept[strategy.title] = strategy
    for_both = known_best(figures, bonus_units)
    if for_both is not None:
        kept[HELD_FOR_BOTH] = for_both
    spreads = {title: known_spread(figures, strategy) for title, strategy in kept.items()}
    return {
        title: HeldTogether(
            spread.variance(terms), spread.bonus_variance(nets), spread.covariance(terms, nets)
        )
        for title, spread in spreads.items()
        if spread is not None
    }


def together_facts(figures: DrawFigures, bonus_units: Fraction) -> dict[str, Any]:
    """How the Ante and some units of the Bonus vary together, as JSON."""
    return {
        title: {
            **both("covariance", varies.covariance),
            **both("variance", varies.variance),
            "std_dev": varies.std_dev,
        }
        for title, varies in held_together(figures, bonus_units).items()
    }


def draw_facts(
    figures: DrawFigures, bonus_units: Fraction, best: Best | None = None
) -> dict[str, Any]:
    """The figures as JSON."""
    ante, terms = figures.ante, figures.terms
    facts: dict[str, Any] = {
        "house": figures.house.id,
        "fingerprint": figures.house.fingerprint,
        "terms": {
            "unqualified_pays": str(terms.unqualified_pays),
            "ante_bonus": {c.words: str(pays) for c, pays in terms.ante_bonus.items()},
            "dealer_qualifies": terms.qualifying.or_better,
            "changed": terms != draw_terms_of(figures.house),
        },
        "ante": {
            "held": DrawPlay.HOUSE_WAY.value,
            **both("ev_per_ante", figures.expected),
            **both("lost_to_dealer", ante.lost_to_dealer),
            **both("unqualified", ante.unqualified),
            **both("both_unqualified", ante.both_unqualified),
            **both("ante_bonus", ante.bonus(terms.ante_bonus)),
            **maybe("fair_unqualified_pays", figures.fair_share),
            "final_hands": all_both({c.words: share for c, share in ante.categories.items()}),
        },
        "bonus": {play.value: side_bet_facts(bet) for play, bet in figures.bonuses.items()},
        "together": {
            "bonus_units": float(bonus_units),
            **both("ev_per_ante", figures.together(bonus_units)),
            "strategies": all_both(together_values(figures, bonus_units, best or {})),
            "spreads": together_facts(figures, bonus_units),
        },
    }
    if spread := known_spread(figures, usual_counts().house_way):
        facts["ante"] |= spread_facts(figures, spread)
    if missing := spread_missing(figures):
        facts["ante"]["no_variance"] = missing
    if alone := alone_values(figures, best or {}):
        facts["alone"] = {"strategies": all_both(alone)}
    if best:
        facts["best_play"] = [
            {
                "bonus_units": float(units),
                **both("ev_per_ante", play.value),
                **both("gain_on_house_way", play.gain),
                **both("house_way_is_not_best", play.differs),
                **maybe("fair_unqualified_pays", figures.fair_share_with(play.value)),
                **(
                    {}
                    if units
                    else spread_facts(figures, known_spread(figures, known_best(figures)))
                ),
            }
            for units, play in best.items()
        ]
    if basic := basic_facts(figures):
        facts["basic_strategy"] = basic
    facts["claims"] = [
        {
            "claim": words,
            "clause": clause,
            "claimed": claim,
            "counted": counted,
            "agrees": verdict == "yes",
        }
        for words, clause, claim, counted, verdict in draw_claims(figures)
    ]
    return facts


def basic_facts(figures: DrawFigures) -> dict[str, Any]:
    """The basic strategy of the Ante as JSON; empty if its counts are not stored."""
    basic = usual_counts().strategies.get(BASIC)
    if basic is None or not basic.prices(figures.terms):
        return {}
    value, house_way = basic.value(figures.terms), usual_counts().house_way.value(figures.terms)
    best = known_best_play(figures)
    return {
        **both("ev_per_ante", value),
        **both("gain_on_house_way", value - house_way),
        **({} if best is None else both("cost", best.value - value)),
        **both("house_way_differs", basic.differs),
        **spread_facts(figures, known_spread(figures, basic)),
    }


def draw_claims(figures: DrawFigures) -> list[tuple[str, str, str, str, str]]:
    """The document's claim about the Bonus, its clause, the counted figure, and the verdict."""
    rule, bet = figures.house.wager(WagerKind.BONUS), figures.bonuses.get(DrawPlay.BEST)
    claim = rule.paytable.claimed_advantage if rule and rule.paytable else None
    if claim is None or bet is None:
        return []
    counted = bet.house_advantage
    words = f"House advantage of the Bonus with {bet.paytable}"
    clause = clause_of_claim(bet.paytable, claim)
    return [(words, clause, claim, percent(counted), claim_verdict(claim, counted))]


def known_spread(figures: DrawFigures, kept: StrategyCounts | None) -> DrawSpread | None:
    """The distribution of a round with a strategy, if it is stored and valid for the terms."""
    if kept is None or kept.spread is None or not kept.spread.prices(figures.terms):
        return None
    return kept.spread if kept.unqualified == figures.ante.unqualified else None


def spread_missing(figures: DrawFigures) -> str | None:
    """Why there is no standard deviation, if the terms are the reason."""
    if not figures.terms.needs_a_pair:
        return (
            "There is no standard deviation for a dealer who qualifies with "
            f"{figures.terms.qualifying.or_better}: the counts by the dealer's hand do not tell "
            "the player's final hands apart."
        )
    kept = usual_counts().house_way.spread
    if kept is None or kept.prices(figures.terms):
        return None
    paid = [c.words for c, pays in figures.terms.ante_bonus.items() if pays and c not in TOLD_APART]
    return (
        f"There is no standard deviation with an Ante Bonus for {' and '.join(paid)}: the counts "
        "of wins and losses do not tell hands below two pairs apart."
    )


def spread_facts(figures: DrawFigures, spread: DrawSpread | None) -> dict[str, Any]:
    """The distribution of a round as JSON."""
    if spread is None:
        return {}
    return {
        **both("variance", spread.variance(figures.terms)),
        **both("hit_frequency", spread.hit_frequency(figures.terms)),
        "nets": all_both({str(net): often for net, often in spread.nets(figures.terms).items()}),
        "rounds": result_facts(spread, figures.terms),
    }
