"""The time to solve Ultimate Draw: by ranks, and with the flushes that decide; and what comes out.

A sample of the counts is timed, and extrapolated to all of them. The count by ranks itself is made,
or read if it has been made before, and gives limits of what the best holds gain. The flushes of
`OPENFELT_BENCH_HANDS` classes, first those that leave the most open, narrow the limits, and with
`OPENFELT_BENCH_HANDS=all` the gain is exact, and a seeded simulation of the best holds stands
beside it. Counts are kept, and can be interrupted.
"""

import os
import resource
import time
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.catalog import load_house
from openfelt.maths import DrawSolution, DrawTerms, draw_terms_of, solve_draw
from openfelt.maths.draw.flush_changes import SameRanks
from openfelt.maths.draw.holds import DrawHolds, Holds
from openfelt.maths.draw.rank_counts import Keep, count_kept_ranks, full_ranks, keeps_of
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import HIGH_CARDS
from openfelt.maths.kernels.house_way import house_way_hold, read_after_draw
from openfelt.maths.kernels.random_cards import deal_cards, seed_stream

HANDS = os.environ.get("OPENFELT_BENCH_HANDS", "0")
SAMPLE = 25
"""Multisets of five ranks, with all their suits, whose flushes are timed."""
SEED = 18
ROUNDS = 1_000_000


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
    same: dict[tuple[int, ...], dict[tuple[int, ...], list[int]]] = {}
    for row, holds in wanted.items():
        hand = tuple(solution.holds.hands[row].tolist())
        same.setdefault(tuple(card >> 2 for card in hand), {})[hand] = holds
    chosen = [sorted(same)[place] for place in random.choice(len(same), SAMPLE, replace=False)]
    began = time.process_time()
    for ranks in chosen:
        alike = SameRanks(FULL_DECK_NUMBERS, same[ranks])
        for hand in same[ranks]:
            alike.changes(hand)
    return (time.process_time() - began) / sum(len(same[ranks]) for ranks in chosen)


@kernel
def play(
    hand: npt.NDArray[np.int64], held: int, state: npt.NDArray[np.uint64],
    pays: npt.NDArray[np.float64], reading: np.record,
) -> float:  # fmt: skip
    """Deal the dealer's hand and the draw cards at random, and settle the Ante.

    `pays` has the Ante Bonus by category, and at its end what an unqualified dealer pays.
    """
    deck = np.zeros(52 - hand.size, dtype=np.int64)
    found = 0
    for card in range(52):
        if not (hand == card).any():
            deck[found] = card
            found += 1
    deal_cards(state, deck, 0, 10)
    dealer, final = np.sort(deck[:5]), np.zeros(5, dtype=np.int64)
    own = read_after_draw(hand, held, deck[5:10], final, reading)
    other = read_after_draw(dealer, house_way_hold(dealer, reading), deck[5:10], final, reading)
    bonus = pays[reading.categories[own]]
    if other <= HIGH_CARDS:
        return float(bonus + pays[-1])
    return float(bonus + (own > other) - (own < other))


def simulate(hands: DrawHolds, holds: Holds, terms: DrawTerms) -> tuple[float, float]:
    """Play some holds against random deals: the mean of the Ante, and its standard error."""
    counts = hands.classes.hands.counts
    bonus = [float(terms.ante_bonus.get(category, 0)) for category in Category]
    pays = np.array([*bonus, float(terms.unqualified_pays)])
    state = np.zeros(4, dtype=np.uint64)
    seed_stream(np.uint64(SEED), np.uint64(0), state)
    dealt = np.random.default_rng(SEED).choice(len(counts), ROUNDS, p=counts / counts.sum())
    reading = reading_tables()
    nets = np.array(
        [
            play(hands.hands[row].astype(np.int64), int(holds[row]), state, pays, reading)
            for row in dealt.tolist()
        ]
    )
    return float(nets.mean()), float(nets.std() / np.sqrt(ROUNDS))


def tell_gain(solution: DrawSolution, terms: DrawTerms, wanted: dict[int, list[int]]) -> None:
    """Print what is known of the gain of the best holds."""
    value = solution.house_way_value(terms)
    if HANDS == "all":
        best = solution.best(terms)
        gain = best.gain
        print(f"the best holds gain {gain}, {float(gain):.6%} of the Ante")
        print(f"the Ante is worth {value + gain}, {float(value + gain):.6%}, to the best holds")
        counts, other = solution.holds.classes.hands.counts, best.holds != solution.holds.house_way
        share = Fraction(int(counts[other].sum()), int(counts.sum()))
        print(f"they are not the house way's for {other.sum():,} classes, {share} of all hands")
        mean, error = simulate(solution.holds, best.holds, terms)
        print(f"simulated, {ROUNDS:,} rounds: {mean:.4%}, 95% within {1.96 * error:.4%}")
        return
    chosen = {row: wanted[row] for row in list(wanted)[: int(HANDS)]}
    solution.flushes.count(chosen)
    low, high = solution.best_gain_limits(terms, counted=chosen)
    print(f"with the flushes of {len(chosen):,} classes:")
    print(f"the best holds gain {float(low):.5%} to {float(high):.5%} of the Ante")
    print(f"the Ante is worth {float(value + low):.5%} to {float(value + high):.5%} to them")
    print(f"  at least {value + low}")
    print(f"  at most {value + high}")


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
    tell_gain(solution, terms, wanted)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
