"""What strategies of Ultimate Draw Poker are worth at a house: the Ante alone, or with a Bonus."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from openfelt.cards import Category
from openfelt.maths.draw.bonus import award_nets
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.draw.draw_solution import BestHolds, DrawSolution, solve_draw
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.house_way_ante import HouseWayAnte
from openfelt.maths.draw.strategy_counts import (
    HOUSE_WAY,
    Pays,
    StrategyCounts,
    final_pays,
    usual_counts,
)
from openfelt.maths.parallel import Progress
from openfelt.maths.wagers.side_bet_figures import LOSS
from openfelt.rules.paytable import HandPaytable
from openfelt.rules.wagers import WagerKind


@dataclass(frozen=True, slots=True)
class BestPlay:
    """What a player gains who holds best, and how often the house way would not."""

    value: Fraction
    """The expected result of all that is bet, in Antes."""
    house_way: Fraction
    """The same for a player who holds the house way."""
    differs: Fraction
    """How often the best hold is not the house way's."""

    @property
    def gain(self) -> Fraction:
        """What the best holds gain on the house way."""
        return self.value - self.house_way


def known_house_way() -> HouseWayAnte:
    """How often dealer and player qualify, and their final hands, as it is kept for 52 cards."""
    kept = usual_counts()[HOUSE_WAY]
    return HouseWayAnte(
        unqualified=kept.unqualified,
        both_unqualified=kept.unqualified + kept.win_less_lose,
        categories=kept.final,
    )


def known_strategies(figures: DrawFigures, bonus_units: Fraction) -> dict[str, Fraction]:
    """By name, what the strategies that are kept are worth at a house, whatever they are best for.

    The values are those of an Ante and some units of the Bonus, in Antes.
    """
    bonus = bonus_nets(figures, bonus_units)
    return {name: kept.value(figures.terms, bonus) for name, kept in usual_counts().items()}


def known_best(figures: DrawFigures, bonus_units: Fraction = Fraction(0)) -> StrategyCounts | None:
    """The counts of the best holds for a house and some units of its Bonus, if they are kept.

    What an unqualified dealer pays changes no best hold. `python -m tools.draw_counts` counts what
    is kept again.
    """
    bonus = bonus_nets(figures, bonus_units)
    for kept in usual_counts().values():
        if kept.is_best_for(figures.terms, bonus):
            return kept
    return None


def known_best_play(figures: DrawFigures, bonus_units: Fraction = Fraction(0)) -> BestPlay | None:
    """The best play for a house and some units of its Bonus, if its counts are kept."""
    kept = known_best(figures, bonus_units)
    if kept is None:
        return None
    bonus = bonus_nets(figures, bonus_units)
    house_way = usual_counts()[HOUSE_WAY].value(figures.terms, bonus)
    return BestPlay(kept.value(figures.terms, bonus), house_way, kept.differs)


def best_play_limits(
    figures: DrawFigures, bonus_units: Fraction = Fraction(0)
) -> tuple[Fraction, Fraction] | None:
    """The least and the most that the best holds are worth, from the counts that are kept.

    No strategy that is kept is worth more than the best one. And holds that are the best for other
    pays are exceeded by no more than the difference of the pays is worth to a player who holds for
    nothing else. None if no best holds are kept.
    """
    bonus = bonus_nets(figures, bonus_units)
    pays, least, most = final_pays(figures.terms, bonus), [], []
    for kept in usual_counts().values():
        value = kept.value(figures.terms, bonus)
        least.append(value)
        if kept.best_for is not None:
            more = {c: pays[c] - kept.best_for[c] for c in Category}
            own = sum((more[c] * kept.final[c] for c in Category), Fraction(0))
            most.append(value - own + _most_worth(more))
    return (max(least), min(most)) if most else None


def _most_worth(pays: Pays) -> Fraction:
    """What final hands are worth to a player who holds for them alone."""
    if not any(pays.values()):
        return Fraction(0)
    holds = draw_holds()
    final = holds.categories(holds.best(pays))
    return sum((pays[c] * Fraction(final[c], holds.draws) for c in Category), Fraction(0))


def count_best_play(
    figures: DrawFigures, bonus_units: Fraction = Fraction(0), *, progress: Progress | None = None
) -> BestPlay:
    """Count the best play of a house for its terms, with some units of its Bonus.

    The first time on a machine, it takes a quarter of an hour of processor time or more. Counts
    are kept, and a count that was interrupted goes on where it stopped. Raises ValueError for odds
    that are too large, or too finely divided, to sum exactly.
    """
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
    counts = solution.holds.classes.boards.counts
    other = int(counts[best.holds != solution.holds.house_way].sum())
    return BestPlay(house_way + best.gain, house_way, Fraction(other, int(np.sum(counts))))


def bonus_nets(figures: DrawFigures, units: Fraction) -> Mapping[Category, Fraction] | None:
    """What some units of the Bonus net by category, in Antes; None without one."""
    rule = figures.house.wager(WagerKind.BONUS)
    if rule is None or not isinstance(rule.paytable, HandPaytable) or not units:
        return None
    return table_nets(rule.paytable, units)


def table_nets(table: HandPaytable, units: Fraction) -> dict[Category, Fraction]:
    """What some units of a Bonus with this table net by category, in Antes."""
    nets = dict.fromkeys(Category, LOSS) | award_nets(table)
    return {category: units * net for category, net in nets.items()}
