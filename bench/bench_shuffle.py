"""The speed of the shuffle, and statistical tests of it.

The same tests run on the shuffle of real play and on shufflers that are biased on purpose,
because a test that cannot fail shows nothing. The speed is measured against the shuffle of
Python's ``random.SystemRandom``, alternately within one run.

For another number of shuffles: ``python bench/bench_shuffle.py 1000000``.
"""

import os
import random
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from openfelt.cards import FULL_DECK, Card
from openfelt.maths.shuffle_statistics import LEVEL, Decks, run_suite, suite_p_value
from openfelt.runtime.shuffle.entropy import SystemEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.table import shuffled

SHUFFLES = 200_000
WRONG_SHUFFLES = 50_000
TIMED_SHUFFLES = 4_000
TIMED_ROUNDS = 7
SHUFFLES_A_MILLISECOND = 20

Shuffle = Callable[[], tuple[Card, ...]]


def fair() -> Shuffle:
    """The shuffle of real play."""
    return partial(shuffled, FULL_DECK, SystemEntropy().draw_below)


def modulo_of_a_byte() -> Shuffle:
    """Numbers that are a random byte modulo the limit: the small ones come up too often."""
    return partial(shuffled, FULL_DECK, lambda limit: os.urandom(1)[0] % limit)


def swap_with_any() -> Shuffle:
    """Every card is swapped with any of the 52, not only with those not yet placed."""
    draw_below = SystemEntropy().draw_below

    def shuffle() -> tuple[Card, ...]:
        order = list(FULL_DECK)
        for place in range(52):
            other = draw_below(52)
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    return shuffle


def seeded_by_time() -> Shuffle:
    """A fresh seed for each deck, from a clock of milliseconds that ticks every 20 decks."""
    dealt = iter(range(10**9))

    def shuffle() -> tuple[Card, ...]:
        now_ms = 1_767_225_600_000 + next(dealt) // SHUFFLES_A_MILLISECOND
        return shuffled(FULL_DECK, random.Random(now_ms).randrange)

    return shuffle


def decks_of(shuffle: Shuffle, number: int) -> Decks:
    """Shuffled decks as rows of card numbers."""
    rows = bytearray()
    for _ in range(number):
        rows += bytes(card.number for card in shuffle())
    return np.frombuffer(rows, dtype=np.uint8).reshape(number, 52)


def judge(make: Callable[[], Shuffle], number: int) -> None:
    """Print the verdict of every test on a shuffler, and of all tests together."""
    print(f"\n{make.__name__.replace('_', ' ')}, {number:,} shuffles")
    verdicts = run_suite(decks_of(make(), number))
    for verdict in verdicts:
        figures = f"{verdict.statistic:12.4f}  expected {verdict.expected:12.4f}"
        mark = "  below 0.01" * verdict.rejected
        print(f"  {verdict.test:24}{figures}  p {verdict.p_value:.4g}{mark}")
    together = suite_p_value(verdicts)
    result = "REJECTED" if together < LEVEL else "not rejected"
    print(f"  {'all tests together':24}{'':36}  p {together:.4g}  {result} at the 99% level")


def seconds(work: Callable[[], object]) -> float:
    """The time of `TIMED_SHUFFLES` shuffles."""
    start = time.perf_counter()
    for _ in range(TIMED_SHUFFLES):
        work()
    return time.perf_counter() - start


def compare_speed() -> None:
    """Time the contenders alternately, and print the best time of each."""
    entropy = SystemEntropy()
    cards, peer = list(FULL_DECK), random.SystemRandom()
    contenders: dict[str, Callable[[], object]] = {
        "random.SystemRandom().shuffle": lambda: peer.shuffle(cards),
        "shuffled, entropy tested": partial(shuffled, FULL_DECK, entropy.draw_below),
        "the same, salted and committed": partial(
            Shuffler(entropy).shuffle, "table-1/1", "table", FULL_DECK
        ),
    }
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(TIMED_ROUNDS):
        for name, work in contenders.items():
            best[name] = min(best[name], seconds(work))
    reference = best["random.SystemRandom().shuffle"]
    for name, taken in best.items():
        print(f"{name:32}{TIMED_SHUFFLES / taken:9,.0f} shuffles/s, {reference / taken:5.2f} times")


def main(shuffles: int = SHUFFLES) -> None:
    """Print the speed, the verdict on the shuffle, and the verdicts on the wrong ones."""
    compare_speed()
    judge(fair, shuffles)
    for wrong in (modulo_of_a_byte, swap_with_any, seeded_by_time):
        judge(wrong, WRONG_SHUFFLES)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
