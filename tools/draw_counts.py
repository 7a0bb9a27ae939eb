"""Counts the strategies of Ultimate Draw that are kept, and writes their files.

    python -m tools.draw_counts [--missing] [--spread] [FOLDER]

counts the house way, the best holds of the Ante alone and with one unit of each Bonus table, and
the basic strategy, over all deals of 52 cards; with ``--spread`` also the distribution of a round.
With ``--missing``, strategies whose counts are kept already are not counted again, except for the
best holds themselves, which the second file keeps, and the candidates, which the third file keeps.
Counts are stored piece by piece beside the compiled kernels, so that a run that was interrupted
goes on where it stopped. Without a folder, the strategies, the holds and the candidates that are
kept are compared with those that were counted.
"""

import resource
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from openfelt.catalog import load_catalog, load_house
from openfelt.maths.draw.best_play import table_nets
from openfelt.maths.draw.candidate_choice import count_candidates
from openfelt.maths.draw.candidate_counts import (
    CANDIDATES_FILE,
    SolvedPays,
    candidates_digest,
    kept_candidates_digest,
    write_candidates,
)
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.draw_solution import solve_draw
from openfelt.maths.draw.hold_lines import basic_draw_lines, held_by_lines
from openfelt.maths.draw.holds import Holds
from openfelt.maths.draw.kept_holds import HOLDS_FILE, kept_holds, write_holds
from openfelt.maths.draw.strategy_counts import (
    HOUSE_WAY,
    USUAL_FILE,
    BestGain,
    DrawCounts,
    Pays,
    StrategyCounts,
    count_strategy,
    final_pays,
    usual_counts,
    write_counts,
)
from openfelt.rules.paytable import HandPaytable

WHAT = (
    "Ultimate Draw Poker with 52 cards: what becomes of the Ante, and of the final hands, with some"
    " strategies. `python -m tools.draw_counts` counts it again."
)
BONUS_TABLES = ("UDP-01", "UDP-02", "UDP-03", "UDP-04")
FURTHER = (
    {"full_house": Fraction(1), "four_of_a_kind": Fraction(5)},
    {"full_house": Fraction(5, 8)},
)
"""Changes of the Ante Bonus that the candidates decide too; the last one is close to fair."""
SECONDS_BETWEEN_LINES = 15.0


class Clock:
    """Prints how far a count has come, with processor time and peak memory."""

    def __init__(self) -> None:
        self._told = 0.0

    def __call__(self, done: int, total: int, /) -> None:
        """Report progress now and then."""
        if time.monotonic() - self._told > SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            self.tell(f"{done} of {total} pieces")

    @staticmethod
    def tell(what: str) -> None:
        """Print one line."""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sys.stdout.write(f"{time.process_time():6.0f} s, {peak:5.0f} MB: {what}\n")
        sys.stdout.flush()


@dataclass(frozen=True)
class Found:
    """Everything that was counted."""

    counts: DrawCounts
    holds: Mapping[str, Holds]
    """The best holds, by the name of their strategy."""
    candidates: bytes
    """The file of candidates."""


class Count:
    """The strategies counted one after another."""

    def __init__(self, kept: DrawCounts, *, spread: bool) -> None:
        """`kept` has strategies that are not counted again."""
        self._clock = Clock()
        self._terms = draw_terms_of(load_house("draw"))
        self._solution = solve_draw(progress=self._clock)
        self._clock.tell("every hold is counted by ranks")
        self._kept, self._spread = kept, spread
        self._strategies: dict[str, StrategyCounts] = {}
        self._best: list[BestGain] = []
        self._holds: dict[str, Holds] = {}

    def all(self) -> Found:
        """Count every strategy that is kept."""
        solution = self._solution
        self._add(HOUSE_WAY, "Held the house way", solution.holds.house_way)
        self._add_best("best", "Held best for the Ante alone", None)
        lines = held_by_lines(basic_draw_lines(), solution.holds.hands)
        self._add("basic", "Held by the basic strategy", lines)
        for name in BONUS_TABLES:
            table = load_catalog().paytables["bonus", name]
            assert isinstance(table, HandPaytable)
            title = f"Held best for the Ante and as much on {name}"
            self._add_best(f"best_{name}", title, table_nets(table, Fraction(1)))
        counts = DrawCounts(self._strategies, tuple(self._best))
        return Found(counts, self._holds, self._candidates())

    def _candidates(self) -> bytes:
        """Count the candidates: best holds, and what is open for the further changes."""
        solved = [SolvedPays(best.pays, self._holds[str(best.strategy)]) for best in self._best]
        counts = count_candidates(
            self._solution, solved, [self._changed(change) for change in FURTHER],
            progress=self._clock,
        )  # fmt: skip
        self._clock.tell(f"{len(counts.rows):,} candidates beside the house way")
        return write_candidates(counts)

    def _changed(self, change: Mapping[str, Fraction]) -> Pays:
        terms = self._terms
        for name, pays in change.items():
            terms = terms.changed(name, pays)
        return final_pays(terms)

    def _add(self, name: str, title: str, holds: Holds) -> StrategyCounts:
        counted = self._kept.strategies.get(name) or count_strategy(
            self._solution, holds, name=name, title=title, spread=self._spread, progress=self._clock
        )
        self._strategies[name] = counted
        self._clock.tell(f"{name}: the Ante is worth {counted.value(self._terms)}")
        return counted

    def _add_best(self, name: str, title: str, bonus: Pays | None) -> None:
        held = self._solution.best(self._terms, bonus, progress=self._clock)
        counted = self._add(name, title, held.holds)
        self._holds[name] = held.holds
        self._best.append(
            BestGain(final_pays(self._terms, bonus), held.gain, counted.differs, name)
        )


def differences(kept: DrawCounts, found: DrawCounts, *, spread: bool) -> list[str]:
    """The names of what is kept and was counted otherwise, with its spread if that was counted."""
    different = []
    for name, one in kept.strategies.items():
        compared = one if spread else replace(one, spread=None)
        if found.strategies[name] != compared:
            different.append(name)
    return different + [str(one.strategy) for one in kept.best if one not in found.best]


def different_holds(found: Mapping[str, Holds]) -> list[str]:
    """The names of best holds that are kept otherwise."""
    return [
        f"holds of {name}"
        for name, holds in found.items()
        if not np.array_equal(kept_holds(name), holds)
    ]


def main(arguments: list[str]) -> int:
    """Count, and write or compare; 1 if what is kept differs."""
    folders = [Path(text) for text in arguments if not text.startswith("-")]
    kept = usual_counts() if "--missing" in arguments else DrawCounts({}, ())
    spread = "--spread" in arguments
    found = Count(kept, spread=spread).all()
    if folders:
        (folders[0] / USUAL_FILE).write_text(write_counts(WHAT, found.counts), encoding="utf-8")
        (folders[0] / HOLDS_FILE).write_bytes(write_holds(found.holds))
        (folders[0] / CANDIDATES_FILE).write_bytes(found.candidates)
        return 0
    different = differences(usual_counts(), found.counts, spread=spread)
    different += different_holds(found.holds)
    if candidates_digest(found.candidates) != kept_candidates_digest():
        different.append("candidates")
    sys.stdout.write(f"different: {', '.join(different)}\n" if different else "all as kept\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
