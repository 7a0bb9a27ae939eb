"""Counts the kept strategies of Ultimate Draw by the dealer's final hand, and writes their file.

    python -m tools.draw_rungs [FOLDER]

counts, over all deals of 52 cards, how often the dealer ends with a pair of each rank, two pairs or
three of a kind, and what the house way, the best holds and the basic strategy win then. That prices
a house whose dealer needs such a hand to qualify. Without a folder, the counts that are kept are
compared with those that were counted.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from openfelt.maths.draw.hold_lines import basic_draw_lines, held_by_lines
from openfelt.maths.draw.holds import Holds, draw_holds
from openfelt.maths.draw.kept_holds import kept_holds
from openfelt.maths.draw.kept_rungs import RUNGS_FILE, kept_rungs, write_rungs
from openfelt.maths.draw.qualifying_hands import Rungs
from openfelt.maths.draw.rung_counts import count_rung_results, count_rungs_by_ranks
from openfelt.maths.draw.strategy_counts import HOUSE_WAY
from tools.draw_counts import BONUS_TABLES, Clock

WHAT = (
    "Ultimate Draw Poker with 52 cards: how often the dealer ends with a pair of twos to aces, two"
    " pairs and three of a kind, and wins less losses of some strategies then."
    " `python -m tools.draw_rungs` counts it again."
)


def every_hold() -> dict[str, Holds]:
    """The holds of the strategies that are kept."""
    holds = draw_holds()
    best = ["best", *(f"best_{table}" for table in BONUS_TABLES)]
    return {
        HOUSE_WAY: holds.house_way,
        "basic": held_by_lines(basic_draw_lines(), holds.hands),
        **{name: kept_holds(name) for name in best},
    }


def count_all(strategies: Mapping[str, Holds]) -> dict[str, Rungs]:
    """Count every strategy; what ranks decide of all together, as they share most of it."""
    clock, holds = Clock(), draw_holds()
    rows = np.arange(len(holds.hands))
    every = [(rows, chosen) for chosen in strategies.values()]
    count_rungs_by_ranks(
        holds,
        np.concatenate([row for row, _ in every]),
        np.concatenate([chosen for _, chosen in every]),
        progress=clock,
    )
    clock.tell("every hold is counted by ranks")
    counted = {}
    for name, chosen in strategies.items():
        counted[name] = count_rung_results(holds, chosen, progress=clock)
        clock.tell(f"{name}: {sum(rung.win_less_lose for rung in counted[name])}")
    return counted


def main(arguments: list[str]) -> int:
    """Count, and write or compare; 1 if what is kept differs."""
    folders = [Path(text) for text in arguments if not text.startswith("-")]
    counted = count_all(every_hold())
    if folders:
        (folders[0] / RUNGS_FILE).write_text(write_rungs(WHAT, counted), encoding="utf-8")
        return 0
    different = [name for name, rungs in kept_rungs().items() if counted.get(name) != rungs]
    sys.stdout.write(f"different: {', '.join(different)}\n" if different else "all as kept\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
