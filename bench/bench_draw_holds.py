"""The time to solve Ultimate Draw: by ranks, and with the flushes that decide; and what comes out.

A sample of the counts is timed, and extrapolated to all of them. The count by ranks itself is made,
or read if it has been made before, and gives limits of what the best holds gain. With
`OPENFELT_BENCH_HANDS=all`, the flushes of all hands that need it are counted, too, and the gain is
exact; that count can be interrupted, and goes on where it stopped.
"""

import os
import resource
import time
from collections.abc import Sequence

import numpy as np

from openfelt.catalog import load_house
from openfelt.maths import DrawSolution, DrawTerms, draw_terms_of, solve_draw
from openfelt.maths.draw.ante_results import DrawQuestion, flush_results
from openfelt.maths.draw.rank_counts import Keep, count_kept_ranks, full_ranks, keeps_of
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS

ALL = os.environ.get("OPENFELT_BENCH_HANDS", "") == "all"
SAMPLE = 60
SEED = 18


def time_ranks() -> float:
    """The processor time of the count by ranks, from a sample of what can be kept."""
    full = full_ranks(FULL_DECK_NUMBERS)
    keeps = keeps_of(full)
    random = np.random.default_rng(SEED)
    count_kept_ranks(full, keeps[-1])
    total = 0.0
    for size, sampled in enumerate((1, 1, 2, 4, 6, 6)):
        same = [keep for keep in keeps if len(keep.ranks) == size]
        chosen: Sequence[Keep] = [same[n] for n in random.choice(len(same), sampled)]
        began = time.process_time()
        for keep in chosen:
            count_kept_ranks(full, keep)
        total += (time.process_time() - began) / sampled * len(same)
    return total


def time_flushes(solution: DrawSolution, wanted: dict[int, list[int]]) -> float:
    """The processor time of the flushes of one class that needs them."""
    random = np.random.default_rng(SEED)
    rows = random.choice(sorted(wanted), SAMPLE).tolist()
    began = time.process_time()
    for row in rows:
        question = DrawQuestion(tuple(solution.holds.hands[row].tolist()), (), FULL_DECK_NUMBERS)
        for suit in range(4):
            flush_results(question, wanted[row], suit)
    return (time.process_time() - began) / SAMPLE


def tell_gain(solution: DrawSolution, terms: DrawTerms) -> None:
    """Print what is known of the gain of the best holds."""
    if ALL:
        best = solution.best(terms)
        value = solution.house_way_value(terms) + best.gain
        print(f"the best holds gain {best.gain}, {float(best.gain):.6%} of the Ante")
        print(f"the Ante is worth {value}, {float(value):.6%}, to a player who holds best")
        return
    low, high = solution.best_gain_limits(terms)
    print(f"the best holds gain {float(low):.4%} to {float(high):.4%} of the Ante")
    print(f"  at least {low}")
    print(f"  at most {high}")


def main() -> None:
    """Print times, memory and the gain."""
    terms = draw_terms_of(load_house("draw"))
    print(f"by ranks: {time_ranks():.0f} s of one processor for all classes")
    began = time.process_time()
    solution = solve_draw()
    print(f"counted or read in {time.process_time() - began:.0f} s")
    wanted = solution.wanted(solution.limits(terms))
    each = time_flushes(solution, wanted)
    print(
        f"flushes: {len(wanted):,} classes of {len(solution.holds.hands):,}, {each * 1000:.0f} ms "
        f"each, {each * len(wanted):.0f} s of one processor"
    )
    tell_gain(solution, terms)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
