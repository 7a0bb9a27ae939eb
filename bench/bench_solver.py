"""The time of the exact solution and of each kind of advice.

The first figure of each is the first call in this process, with kernels from the disk cache
if they are there; the others are the best of several calls. Processor time counts all threads.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from typing import Any
from unittest.mock import patch

from bench import aims
from openfelt.cards import Category, parse_cards
from openfelt.maths import HoldemTerms, advise, solve_holdem
from openfelt.maths.holdem.flop_sums import seen_advice
from openfelt.maths.holdem.passes import Passes

OTHER_BLIND: dict[Category, Fraction | int] = {
    Category.ROYAL_FLUSH: 250,
    Category.STRAIGHT_FLUSH: 50,
    Category.FOUR_OF_A_KIND: 12,
    Category.FULL_HOUSE: Fraction(7, 2),
    Category.FLUSH: Fraction(5, 4),
    Category.STRAIGHT: 1,
}


def measure(name: str, run: Callable[[], object], *, times: int) -> None:
    """Print the first time, and the best of some more."""
    taken = []
    for _ in range(times + 1):
        wall, processor = time.perf_counter(), time.process_time()
        run()
        taken.append((time.perf_counter() - wall, time.process_time() - processor))
    first, best = taken[0], min(taken[1:])
    print(
        f"{name:44}{1000 * first[0]:10.2f}{1000 * best[0]:10.2f}{1000 * best[1]:12.2f}", flush=True
    )


COMMANDS = {
    "openfelt --help": ("--help",),
    "openfelt advise, before the flop": ("advise", "--hole", "Jh 8h"),
    "openfelt advise, on the flop": ("advise", "--hole", "Jh 8h", "--board", "Ah Kc 8d"),
    "openfelt advise, on the river": ("advise", "--hole", "Jh 8h", "--board", "Ah Kc 8d 3s 3h"),
    "openfelt advise, before the flop, two seen": ("advise", "--hole", "Jh 8h", "--seen", "Js 8c"),
}
NOTED = {"openfelt --help": "help", "openfelt advise, on the flop": "advise"}


def measure_command(name: str, words: tuple[str, ...], *, times: int = 5) -> None:
    """Print the best wall and processor times of a command from a cold shell."""
    taken = []
    for _ in range(times + 1):
        wall, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "openfelt", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        taken.append((time.perf_counter() - wall, processor))
    first, best = taken[0], min(taken[1:])
    print(
        f"{name:44}{1000 * first[0]:10.0f}{1000 * best[0]:10.0f}{1000 * best[1]:12.0f}", flush=True
    )
    if name in NOTED:
        aims.note(NOTED[name], best[0])


PASSES = (
    ("over_boards", "values of all types on all board classes"),
    ("sum_over_runouts", "sums over turn and river, of a check"),
    ("sum_over_runouts", "the same of a bet on the flop"),
    ("decisions", "which types bet on the flop, backwards"),
    ("over_boards", "how often each result occurs"),
)
"""The passes of a solution in their order, by the names of their functions."""


def measure_passes() -> None:
    """Print the processor time of each pass of one solution, with one worker."""
    taken: list[float] = []

    def timed(run: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*given: Any) -> Any:
            began = time.process_time()
            result = run(*given)
            taken.append(time.process_time() - began)
            return result

        return measured

    with ExitStack() as patches:
        for name in {name for name, _ in PASSES}:
            patches.enter_context(patch.object(Passes, name, timed(getattr(Passes, name))))
        began = time.process_time()
        solve_holdem(workers=1)
        whole = time.process_time() - began
    for (_, title), seconds in zip(PASSES, taken, strict=True):
        print(f"  {title:42}{1000 * seconds:32.0f}")
    print(f"  {'the whole game with one worker':42}{1000 * whole:32.0f}", flush=True)


def main() -> None:
    """Print milliseconds."""
    print(f"{'':44}{'first ms':>10}{'best ms':>10}{'processor ms':>14}")
    measure("the whole game, usual Blind", solve_holdem, times=3)
    measure_passes()
    terms = HoldemTerms.of(OTHER_BLIND, first_multiples=[3])
    measure("the whole game, another Blind, 3x only", lambda: solve_holdem(terms), times=3)
    hole = parse_cards("Jh 8h")
    flop, river = parse_cards("Ah Kc 8d"), parse_cards("Ah Kc 8d 3s 3h")
    seen, flashed = parse_cards("Js 8c"), parse_cards("2c")
    measure("advice on the river", lambda: advise(hole, river), times=50)
    measure("advice on the river, two seen", lambda: advise(hole, river, seen=seen), times=50)
    measure("advice on the flop", lambda: advise(hole, flop), times=20)
    measure("advice on the flop, two seen", lambda: advise(hole, flop, seen=seen), times=20)
    measure("advice before the flop", lambda: advise(hole), times=50)
    measure("advice before the flop, two seen", lambda: advise(hole, seen=seen), times=3)
    measure("advice before the flop, dealer's card", lambda: advise(hole, dealer=flashed), times=3)
    measure("the same two by ranks and flushes", lambda: seen_advice(hole, seen=seen), times=5)
    measure("  and the other", lambda: seen_advice(hole, dealer=flashed), times=5)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for name, words in COMMANDS.items():
        measure_command(name, words)
    print(f"peak memory of the solver {peak:.0f} MB")


if __name__ == "__main__":
    main()
