"""The best play of a house of Ultimate Draw Poker: what it is worth, alone and with a Bonus."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import Final

import numpy as np

from openfelt.cards import Category
from openfelt.maths.draw.bonus import award_nets
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.draw.draw_solution import BestHolds, DrawSolution, solve_draw
from openfelt.maths.parallel import Progress
from openfelt.maths.wagers.side_bet_figures import LOSS
from openfelt.rules.paytable import HandPaytable
from openfelt.rules.wagers import WagerKind

_USUAL_FILE: Final = "usual_best_holds.json"


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


def known_best_play(figures: DrawFigures) -> BestPlay | None:
    """The best play of the Ante alone with the usual Ante Bonus, as it is kept; else None.

    What an unqualified dealer pays changes no best hold. `make bench ARGS=draw_holds` with
    `OPENFELT_BENCH_HANDS=all` counts the kept fractions again.
    """
    text = files("openfelt.maths.draw").joinpath(_USUAL_FILE).read_text(encoding="utf-8")
    kept = json.loads(text)
    pays = {category: Fraction(kept["ante_bonus"].get(category.name, 0)) for category in Category}
    if any(figures.terms.ante_bonus.get(category, 0) != pays[category] for category in Category):
        return None
    house_way = figures.expected
    return BestPlay(house_way + Fraction(kept["gain"]), house_way, Fraction(kept["differs"]))


def count_best_play(
    figures: DrawFigures, bonus_units: Fraction = Fraction(0), *, progress: Progress | None = None
) -> BestPlay:
    """Count the best play of a house for its terms, with some units of its Bonus.

    The first time on a machine, it takes a quarter of an hour of processor time or more. Counts
    are kept, and a count that was interrupted goes on where it stopped. Raises ValueError for odds
    that are too large, or too finely divided, to sum exactly.
    """
    solution = solve_draw(progress=progress)
    bonus = _bonus_nets(figures, bonus_units)
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


def _bonus_nets(figures: DrawFigures, units: Fraction) -> Mapping[Category, Fraction] | None:
    """What the Bonus nets by category, in Antes; None without one."""
    rule = figures.house.wager(WagerKind.BONUS)
    if rule is None or not isinstance(rule.paytable, HandPaytable) or not units:
        return None
    nets = dict.fromkeys(Category, LOSS) | award_nets(rule.paytable)
    return {category: units * net for category, net in nets.items()}
