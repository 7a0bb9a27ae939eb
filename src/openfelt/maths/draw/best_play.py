"""The value of strategies of Ultimate Draw Poker at a house: the Ante alone, or with a Bonus."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from openfelt.cards import Category
from openfelt.maths.draw.bonus import award_nets
from openfelt.maths.draw.candidate_values import SPOT_CLASSES, BestGainLimits, candidate_values
from openfelt.maths.draw.draw_figures import DrawFigures, DrawTerms, refuse_another_hand
from openfelt.maths.draw.draw_solution import BestHolds, DrawSolution, solve_draw
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.house_way_ante import HouseWayAnte
from openfelt.maths.draw.qualifying_hands import USUAL
from openfelt.maths.draw.strategy_counts import (
    Pays,
    StrategyCounts,
    final_pays,
    usual_counts,
)
from openfelt.maths.parallel import Progress
from openfelt.maths.wagers.side_bet_figures import LOSS
from openfelt.rules.paytable import HandMinimum, HandPaytable
from openfelt.rules.wagers import WagerKind


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The gain of the best holds, and how often they differ from the house way."""

    value: Fraction
    """The expected result of all wagers together, in Antes."""
    house_way: Fraction
    """The same for a player who holds the house way."""
    differs: Fraction
    """How often the best hold is not the house way's."""

    @property
    def gain(self) -> Fraction:
        """The gain of the best holds over the house way."""
        return self.value - self.house_way


def known_house_way(qualifying: HandMinimum = USUAL) -> HouseWayAnte:
    """How often dealer and player qualify, and their final hands, as stored for 52 cards.

    Raises ValueError for a qualifying hand that is not counted.
    """
    kept = usual_counts().house_way
    unqualified, win_less_lose = kept.against(qualifying)
    return HouseWayAnte(
        unqualified=unqualified,
        both_unqualified=unqualified + win_less_lose,
        categories=kept.final,
        qualifying=qualifying,
    )


def known_best(figures: DrawFigures, bonus_units: Fraction = Fraction(0)) -> StrategyCounts | None:
    """The counts of the best holds for a house and some units of its Bonus, if they are stored."""
    return known_best_holds(figures.terms, bonus_nets(figures, bonus_units))


def known_best_holds(
    terms: DrawTerms, bonus: Mapping[Category, Fraction] | None = None
) -> StrategyCounts | None:
    """The counts of the best holds for these terms and the nets of a Bonus, if they are stored."""
    counts = usual_counts()
    best = counts.best_with(terms, bonus)
    return counts.strategies[best.strategy] if best and best.strategy else None


def known_best_play(figures: DrawFigures, bonus_units: Fraction = Fraction(0)) -> BestPlay | None:
    """The best play for a house and some units of its Bonus, if it is stored.

    The payout for an unqualified dealer does not affect which hold is best. `python -m
    tools.draw_counts` recounts the stored counts.
    """
    bonus = bonus_nets(figures, bonus_units)
    best = usual_counts().best_with(figures.terms, bonus)
    if best is None:
        return None
    house_way = usual_counts().house_way.value(figures.terms, bonus)
    return BestPlay(house_way + best.gain, house_way, best.differs)


def priced_best_play(
    figures: DrawFigures,
    bonus_units: Fraction = Fraction(0),
    *,
    progress: Progress | None = None,
) -> BestPlay | None:
    """The best play for a house and some units of its Bonus, from the stored counts.

    Where they leave few hands open, these are counted; None where they leave many. It takes
    seconds, or a minute or two with hands to count.
    """
    stored = known_best_play(figures, bonus_units)
    if stored is not None:
        return stored
    bonus = bonus_nets(figures, bonus_units)
    limits = _candidate_limits(figures, bonus, spot_classes=SPOT_CLASSES, progress=progress)
    if limits is None or not limits.exact:
        return None
    house_way = usual_counts().house_way.value(figures.terms, bonus)
    holds = draw_holds()
    counts = holds.classes.hands.counts
    differing = int(counts[limits.holds != holds.house_way].sum())
    return BestPlay(house_way + limits.least, house_way, Fraction(differing, int(counts.sum())))


def _candidate_limits(
    figures: DrawFigures,
    bonus: Mapping[Category, Fraction] | None,
    *,
    spot_classes: int = 0,
    progress: Progress | None = None,
) -> BestGainLimits | None:
    """The gain of the best holds from the stored candidates, or bounds of it.

    None for another deck, for a qualifying hand other than a pair, and for odds that are too large,
    or too finely divided, to sum exactly.
    """
    if not figures.terms.needs_a_pair:
        return None
    if usual_counts().house_way.unqualified != figures.ante.unqualified:
        return None
    values = candidate_values()
    try:
        return values.gain_limits(
            final_pays(figures.terms, bonus), spot_classes=spot_classes, progress=progress
        )
    except ValueError:
        return None


def best_play_limits(
    figures: DrawFigures, bonus_units: Fraction = Fraction(0)
) -> tuple[Fraction, Fraction | None]:
    """Lower and upper bounds on the value of the best holds, from the stored counts.

    There is no upper bound if the dealer qualifies with a hand other than a pair.

    No stored strategy is worth more than the best one. If the best holds for other payouts are
    known, their value plus the value of the difference to a player who holds for it alone is an
    upper bound. The candidates of each hand give closer bounds.
    """
    counts, bonus = usual_counts(), bonus_nets(figures, bonus_units)
    pays = final_pays(figures.terms, bonus)
    least = max(
        kept.value(figures.terms, bonus)
        for kept in counts.strategies.values()
        if kept.prices(figures.terms)
    )
    if not figures.terms.needs_a_pair:
        return least, None
    house_way = counts.house_way
    alone = house_way.value(replace(figures.terms, ante_bonus={}))
    most = [
        alone + house_way.paid(best.pays) + best.gain
        + _most_worth({c: pays[c] - best.pays[c] for c in Category})
        for best in counts.best
    ]  # fmt: skip
    limits = _candidate_limits(figures, bonus)
    if limits is not None:
        base = house_way.value(figures.terms, bonus)
        return max(least, base + limits.least), min(*most, base + limits.most)
    return least, min(most)


def _most_worth(pays: Pays) -> Fraction:
    """The value of final hands to a player who holds for them alone."""
    if not any(pays.values()):
        return Fraction(0)
    holds = draw_holds()
    final = holds.categories(holds.best(pays))
    return sum((pays[c] * Fraction(final[c], holds.draws) for c in Category), Fraction(0))


def count_best_play(
    figures: DrawFigures, bonus_units: Fraction = Fraction(0), *, progress: Progress | None = None
) -> BestPlay:
    """Count the best play of a house for its terms, with some units of its Bonus.

    The first time on a machine, it takes about half an hour of processor time. Counts are
    stored, and an interrupted count continues where it stopped. Raises ValueError for odds that are
    too large, or too finely divided, to sum exactly, and for a qualifying hand other than a pair.
    """
    refuse_another_hand(figures.terms)
    solution = solve_draw(progress=progress)
    bonus = bonus_nets(figures, bonus_units)
    best = solution.best(figures.terms, bonus, progress=progress)
    return best_play_of(solution, figures, bonus, best)


def best_play_of(
    solution: DrawSolution,
    figures: DrawFigures,
    bonus: Mapping[Category, Fraction] | None,
    best: BestHolds,
) -> BestPlay:
    """Sum up the best holds of a solution."""
    house_way = solution.house_way_value(figures.terms, bonus)
    counts = solution.holds.classes.hands.counts
    differing = int(counts[best.holds != solution.holds.house_way].sum())
    return BestPlay(house_way + best.gain, house_way, Fraction(differing, int(np.sum(counts))))


def bonus_nets(figures: DrawFigures, units: Fraction) -> Mapping[Category, Fraction] | None:
    """The net of some units of the Bonus by category, in Antes; None without a Bonus."""
    rule = figures.house.wager(WagerKind.BONUS)
    if rule is None or not isinstance(rule.paytable, HandPaytable) or not units:
        return None
    return table_nets(rule.paytable, units)


def table_nets(table: HandPaytable, units: Fraction) -> dict[Category, Fraction]:
    """The net of some units of a Bonus with this table by category, in Antes."""
    nets = dict.fromkeys(Category, LOSS) | award_nets(table)
    return {category: units * net for category, net in nets.items()}
