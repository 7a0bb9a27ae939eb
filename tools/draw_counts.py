"""Counts the strategies of Ultimate Draw that are kept, and writes their file.

    python -m tools.draw_counts [--spread] [FILE]

counts the house way, the best holds of the Ante alone and with one unit of each Bonus table, and
the basic strategy, over all deals of 52 cards; with ``--spread`` also the distribution of a round.
Counts are stored piece by piece beside the compiled kernels, so that a run that was interrupted
goes on where it stopped. Without a file, the strategies that are kept are compared with those that
were counted.
"""

import resource
import sys
import time
from fractions import Fraction
from pathlib import Path

from openfelt.catalog import load_catalog, load_house
from openfelt.maths.draw.best_play import table_nets
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.draw_solution import solve_draw
from openfelt.maths.draw.hold_lines import basic_draw_lines, held_by_lines
from openfelt.maths.draw.holds import Holds
from openfelt.maths.draw.strategy_counts import (
    HOUSE_WAY,
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


def count_all(*, spread: bool) -> DrawCounts:
    """Count every strategy that is kept."""
    clock = Clock()
    terms = draw_terms_of(load_house("draw"))
    solution = solve_draw(progress=clock)
    clock.tell("every hold is counted by ranks")
    found: dict[str, StrategyCounts] = {}
    best: list[BestGain] = []

    def add(name: str, title: str, holds: Holds, *, spread: bool) -> StrategyCounts:
        found[name] = count_strategy(
            solution, holds, name=name, title=title, spread=spread, progress=clock
        )
        clock.tell(f"{name}: the Ante is worth {found[name].value(terms)}")
        return found[name]

    def add_best(name: str, title: str, bonus: Pays | None, *, spread: bool) -> None:
        held = solution.best(terms, bonus, progress=clock)
        counted = add(name, title, held.holds, spread=spread)
        best.append(BestGain(final_pays(terms, bonus), held.gain, counted.differs, name))

    add(HOUSE_WAY, "Held the house way", solution.holds.house_way, spread=spread)
    add_best("best", "Held best for the Ante alone", None, spread=spread)
    lines = held_by_lines(basic_draw_lines(), solution.holds.hands)
    add("basic", "Held by the basic strategy", lines, spread=spread)
    for name in BONUS_TABLES:
        table = load_catalog().paytables["bonus", name]
        if isinstance(table, HandPaytable):
            title = f"Held best for the Ante and as much on {name}"
            add_best(f"best_{name}", title, table_nets(table, Fraction(1)), spread=False)
    return DrawCounts(found, tuple(best))


def main(arguments: list[str]) -> int:
    """Count, and write or compare; 1 if what is kept differs."""
    paths = [Path(text) for text in arguments if not text.startswith("-")]
    found = count_all(spread="--spread" in arguments)
    if paths:
        paths[0].write_text(write_counts(WHAT, found), encoding="utf-8")
        return 0
    kept = usual_counts()
    different = [name for name, one in kept.strategies.items() if found.strategies[name] != one]
    different += [str(one.strategy) for one in kept.best if one not in found.best]
    sys.stdout.write(f"different: {', '.join(different)}\n" if different else "all as kept\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
