"""A strategy of a few lines for Ultimate Draw, found by a search.

Every hold of every class of hands is played against the same seeded deals. The search starts
without lines, inserts the line that gains the most at its best place, and then replaces lines as
long as that gains. Afterwards, `count_strategy` counts the exact value of the strategy.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category, Rank
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.hold_lines import NOT_HELD, HandFeatures, HoldLine, parse_line
from openfelt.maths.draw.holds import DrawHolds, draw_holds
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.hold_samples import HOLDS, sample_holds
from openfelt.maths.parallel import Progress, ProgressCount, share_out, slices, workers_available

LINES_MAX: Final = 12
SAMPLES: Final = 150
"""Deals for each class of hands: some 20 million in all."""
_LEAST_GAIN: Final = 1e-5
"""A line that gains less than this part of an Ante is not worth its words."""
_PIECES: Final = 64
Floats = npt.NDArray[np.float64]


def possible_lines() -> list[HoldLine]:
    """The lines that the search chooses from."""
    names = {rank: rank.word for rank in Rank}
    single = {rank: f"{'an' if names[rank][0] in 'ae' else 'a'} {names[rank]}" for rank in Rank}
    high = [rank for rank in reversed(Rank) if rank >= Rank.EIGHT]
    top = [rank for rank in high if rank >= Rank.TEN]
    words = ["a straight or better", "three of a kind", "two pair", "a pair", "four to a flush"]
    words += ["three to a straight flush", "three to a royal flush"]
    words += ["four in sequence", "four in sequence, open at both ends"]
    words += [f"a pair of {rank.plural} or better" for rank in Rank]
    words += [single[rank] for rank in high]
    for place, first in enumerate(high):
        for second in high[place + 1 :]:
            words.append(f"{single[first]} and {single[second]}")
            words.append(f"a suited {names[first]} and {names[second]}")
            for third in [rank for rank in top if rank < second and first in top]:
                words.append(f"{single[first]}, {single[second]} and {single[third]}")
    return [parse_line(line) for line in words]


def sampled_values(
    terms: DrawTerms,
    holds: DrawHolds,
    *,
    samples: int = SAMPLES,
    seed: int = 1,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """By class and hold, the mean result of the Ante with its Ante Bonus in seeded deals.

    With 52 cards, it takes a minute of processor time.
    """
    bonus = [float(terms.ante_bonus.get(category, 0)) for category in Category]
    pays = np.array([*bonus, float(terms.unqualified_pays)])
    hands = holds.hands.astype(np.int64)
    values = np.zeros((len(hands), HOLDS))
    pieces = slices(len(hands), _PIECES)

    def play(_: int, piece: slice) -> None:
        sample_holds(hands, piece.start, piece.stop, samples, seed, pays, reading_tables(), values)

    share_out(
        play,
        pieces,
        workers=workers or workers_available(),
        progress=ProgressCount(progress, len(pieces)),
    )
    return values


@dataclass(frozen=True)
class LineSearch:
    """The gain of each possible line with every class of hands."""

    lines: Sequence[HoldLine]
    fits: Floats
    """By line and class, 1 where the line fits."""
    gains: Floats
    """By line and class, the value of its hold minus that of the empty one; 0 if it does not match.
    Values are weighted by the number of hands in the class.
    """

    @classmethod
    def of(cls, values: Floats, holds: DrawHolds, lines: Sequence[HoldLine]) -> "LineSearch":
        """Look up the holds of all possible lines."""
        features = HandFeatures(holds.hands)
        counts = holds.classes.hands.counts
        weighed = values * (counts / counts.sum())[:, None]
        fits = np.zeros((len(lines), len(values)))
        gains = np.zeros((len(lines), len(values)))
        for number, line in enumerate(lines):
            held = line.held(features)
            fitting = held != NOT_HELD
            fits[number] = fitting
            gains[number, fitting] = weighed[fitting, held[fitting]] - weighed[fitting, 0]
        return cls(lines, fits, gains)

    def worth(self, chosen: Sequence[int]) -> float:
        """The gain of some lines together over holding no cards, in Antes."""
        free = np.ones(self.fits.shape[1])
        total = 0.0
        for number in chosen:
            total += float(self.gains[number] @ free)
            free *= 1 - self.fits[number]
        return total

    def best_insertion(self, chosen: Sequence[int]) -> tuple[float, list[int]]:
        """Insert the line that gains the most, at its best place."""
        best = (self.worth(chosen), list(chosen))
        # The gain of each class by the lines from each place on.
        later = [np.zeros(self.fits.shape[1])]
        for number in reversed(chosen):
            later.insert(0, np.where(self.fits[number] > 0, self.gains[number], later[0]))
        free, before = np.ones(self.fits.shape[1]), 0.0
        for place, rest in enumerate(later):
            changes = self.gains @ free - self.fits @ (rest * free)
            changes[list(chosen)] = -np.inf
            number = int(changes.argmax())
            value = before + float(rest @ free) + float(changes[number])
            if value > best[0]:
                best = (value, [*chosen[:place], number, *chosen[place:]])
            if place < len(chosen):
                before += float(self.gains[chosen[place]] @ free)
                free = free * (1 - self.fits[chosen[place]])
        return best

    def improved(self, chosen: list[int]) -> list[int]:
        """Remove each line in turn and insert the best one, as long as that gains."""
        value, better = self.worth(chosen), True
        while better:
            better = False
            for number in list(chosen):
                kept = [line for line in chosen if line != number]
                new_value, new_lines = self.best_insertion(kept)
                if new_value > value + _LEAST_GAIN / 10:
                    value, chosen, better = new_value, new_lines, True
        return chosen


def find_lines(
    terms: DrawTerms,
    *,
    lines: int = LINES_MAX,
    values: Floats | None = None,
    report: Callable[[str], object] | None = None,
) -> list[HoldLine]:
    """Find a strategy with at most this many lines for the Ante with its Ante Bonus.

    Takes some minutes on one processor. `values` are those of `sampled_values`, which is called if
    they are not given. `report` is called with each number of lines and their gain.
    """
    if not 1 <= lines <= LINES_MAX:
        raise ValueError(f"a strategy has 1 to {LINES_MAX} lines, not {lines}")
    holds = draw_holds()
    search = LineSearch.of(
        sampled_values(terms, holds) if values is None else values, holds, possible_lines()
    )
    chosen: list[int] = []
    for _ in range(lines):
        before = search.worth(chosen)
        value, longer = search.best_insertion(chosen)
        if value < before + _LEAST_GAIN:
            break
        chosen = search.improved(longer)
        if report:
            report(f"{len(chosen)} lines gain {search.worth(chosen):.6f} Antes")
    return [search.lines[number] for number in chosen]
