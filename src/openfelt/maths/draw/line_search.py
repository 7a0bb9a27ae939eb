"""A strategy of a few lines for Ultimate Draw, found by the values of all holds.

The search starts without a line, puts in the line that gains the most at its best place, and
exchanges and moves lines as long as that gains. Values are those of the count by ranks, with the
exact Ante Bonus, and a flush that is drawn turns a loss into a win in a fixed part of its deals;
what the strategy that is found is worth is counted exactly afterwards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category, Rank
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.draw_solution import DrawSolution
from openfelt.maths.draw.hold_lines import NOT_HELD, HandFeatures, HoldLine, parse_line
from openfelt.maths.kernels.house_way import HOLD_ALL

LINES_MAX: Final = 12
FLUSH_WINS: Final = 0.62
"""In which part of its deals a drawn flush turns a loss into a win, for the search."""
_FLUSHES = [Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH]
Floats = npt.NDArray[np.float64]


def possible_lines() -> list[HoldLine]:
    """The lines that the search chooses from."""
    names = {rank: rank.name.lower() for rank in Rank}
    high = [rank for rank in reversed(Rank) if rank >= Rank.EIGHT]
    words = ["a straight or better", "three of a kind", "two pair", "four to a flush"]
    words += ["three to a straight flush", "three to a royal flush"]
    words += ["four in sequence", "four in sequence, open at both ends", "a pair"]
    words += [
        f"a pair of {name}{'es' if name == 'six' else 's'} or better" for name in names.values()
    ]
    article = {rank: "an" if names[rank][0] in "ae" else "a" for rank in Rank}
    single = {rank: f"{article[rank]} {names[rank]}" for rank in Rank}
    words += [single[rank] for rank in high]
    for place, first in enumerate(high):
        for second in high[place + 1 :]:
            words.append(f"{single[first]} and {single[second]}")
            words.append(f"a suited {names[first]} and {names[second]}")
    top = [rank for rank in high if rank >= Rank.TEN]
    for place, first in enumerate(top):
        for next_place, second in enumerate(top[place + 1 :], place + 1):
            for third in top[next_place + 1 :]:
                words.append(f"{single[first]}, {single[second]} and {single[third]}")
    return [parse_line(line) for line in words]


def search_values(solution: DrawSolution, terms: DrawTerms) -> Floats:
    """By class and hold, nearly the value in Antes, up to what all holds of a class share."""
    values, scale = solution.rank_values(terms)
    own = solution.deals_that_end(_FLUSHES).astype(np.float64)
    own[:, HOLD_ALL] = 0
    return np.asarray((values / scale + 2 * FLUSH_WINS * own) / solution.deals)


@dataclass(frozen=True)
class LineSearch:
    """The values of what each possible line holds of every class."""

    lines: Sequence[HoldLine]
    gains: Floats
    """By line and class, the value of its hold less that of the empty one; NaN if it does not fit.

    Values are weighed by the number of hands of the class.
    """

    @classmethod
    def of(cls, solution: DrawSolution, terms: DrawTerms) -> "LineSearch":
        """Look up what all possible lines hold."""
        features = HandFeatures(solution.holds.hands)
        counts = solution.holds.classes.boards.counts
        values = search_values(solution, terms) * (counts / counts.sum())[:, None]
        rows = np.arange(len(values))
        lines = possible_lines()
        gains = np.full((len(lines), len(values)), np.nan)
        for number, line in enumerate(lines):
            held = line.held(features)
            fits = held != NOT_HELD
            gains[number, fits] = values[rows[fits], held[fits]] - values[fits, 0]
        return cls(lines, gains)

    def worth(self, chosen: Sequence[int]) -> float:
        """What some lines gain together on holding nothing, in Antes."""
        total = np.zeros(self.gains.shape[1])
        for number in reversed(chosen):
            gain = self.gains[number]
            np.copyto(total, gain, where=~np.isnan(gain))
        return float(total.sum())

    def best_insertion(self, chosen: list[int]) -> tuple[float, list[int]]:
        """Put in the line that gains the most, at its best place."""
        best = (self.worth(chosen), chosen)
        # What is gained from each place on, and which classes earlier lines leave.
        later = [np.zeros(self.gains.shape[1])]
        for number in reversed(chosen):
            gain = self.gains[number]
            later.insert(0, np.where(np.isnan(gain), later[0], gain))
        free = np.ones(self.gains.shape[1], dtype=np.bool_)
        before = 0.0
        for place in range(len(chosen) + 1):
            changes = np.nansum(np.where(free, self.gains - later[place], 0), axis=1)
            changes[chosen] = -np.inf
            number = int(changes.argmax())
            value = before + float(later[place][free].sum()) + float(changes[number])
            if value > best[0] + 1e-12:
                best = (value, [*chosen[:place], number, *chosen[place:]])
            if place < len(chosen):
                fits = free & ~np.isnan(self.gains[chosen[place]])
                before += float(self.gains[chosen[place]][fits].sum())
                free &= ~fits
        return best

    def improved(self, chosen: list[int]) -> list[int]:
        """Take out each line in turn and put in the best, as long as that gains."""
        value = self.worth(chosen)
        better = True
        while better:
            better = False
            for number in list(chosen):
                found, other = self.best_insertion([line for line in chosen if line != number])
                if found > value + 1e-9:
                    value, chosen, better = found, other, True
        return chosen


def find_lines(
    solution: DrawSolution,
    terms: DrawTerms,
    *,
    lines: int = LINES_MAX,
    report: Callable[[str], object] | None = None,
) -> list[HoldLine]:
    """Find a strategy of at most so many lines for the Ante with its Ante Bonus.

    Takes some minutes after the count by ranks. `report` is called with each number of lines.
    """
    if not 1 <= lines <= LINES_MAX:
        raise ValueError(f"a strategy has 1 to {LINES_MAX} lines, not {lines}")
    search = LineSearch.of(solution, terms)
    chosen: list[int] = []
    for _ in range(lines):
        value, longer = search.best_insertion(chosen)
        if len(longer) == len(chosen):
            break
        chosen = search.improved(longer)
        if report:
            report(f"{len(chosen)} lines gain {search.worth(chosen):.6f}; last {value:.6f}")
    return [search.lines[number] for number in chosen]
