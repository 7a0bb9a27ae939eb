"""Counts all 133,784,560 sets of seven cards with the plain evaluator, beside the published counts.

It takes some minutes on all cores: the plain evaluator is written for clarity, not speed. No
symmetry of the suits is used, so every set is evaluated. ``--sample 1000000`` counts
that many random sets instead and prints how far their shares are from the published ones.
"""

import multiprocessing
import os
import random
import sys
import time
import tomllib
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from openfelt.cards import FULL_DECK, Category
from openfelt.cards.hand import hand_strength

KNOWN = Path(__file__).resolve().parent.parent / "tests" / "known_values" / "seven_card_counts.toml"


def count_sets(lowest: tuple[int, int]) -> Counter[int]:
    """How often each strength occurs among the sets with these two lowest cards."""
    first, second = (FULL_DECK[number] for number in lowest)
    others = combinations(FULL_DECK[lowest[1] + 1 :], 5)
    return Counter(hand_strength((first, second, *five)) for five in others)


def count_all(console: Console) -> Counter[int]:
    """Count every set, in parts that share their two lowest cards."""
    parts = [pair for pair in combinations(range(52), 2) if pair[1] <= 46]
    forked = "fork" if "fork" in multiprocessing.get_all_start_methods() else None
    total: Counter[int] = Counter()
    # The pool comes first: the bar's thread must not exist yet when processes are forked.
    with multiprocessing.get_context(forked).Pool(os.cpu_count()) as pool:
        bar = Progress(
            TextColumn("{task.completed:>11,.0f} sets"),
            BarColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        with bar:
            task = bar.add_task("", total=133_784_560)
            for counted in pool.imap_unordered(count_sets, parts):
                total.update(counted)
                bar.advance(task, counted.total())
    return total


def count_sample(size: int) -> Counter[int]:
    """Count random sets."""
    rng = random.Random(7)
    return Counter(hand_strength(rng.sample(FULL_DECK, 7)) for _ in range(size))


def by_category(strengths: Counter[int]) -> Counter[str]:
    """The counts of the ten categories."""
    counts: Counter[str] = Counter()
    for strength, count in strengths.items():
        counts[Category(strength >> 20).words] += count
    return counts


def print_counts(console: Console, counts: Counter[str], published: dict[str, Any]) -> None:
    """Print each category as counted and as published; for a sample, the expected counts."""
    scale = counts.total() / published["hands"]
    table = Table("category", "counted", "published", "difference", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for words, count in published["counts"].items():
        expected = round(count * scale)
        difference = counts[words] - expected
        table.add_row(words, f"{counts[words]:,}", f"{expected:,}", f"{difference:+,}")
    console.print(table)


def main(sample: int | None = None) -> int:
    """Count, print and compare; the exit code is 1 where a full count differs."""
    console = Console()
    published = tomllib.loads(KNOWN.read_text(encoding="utf-8"))
    start = time.perf_counter()
    strengths = count_all(console) if sample is None else count_sample(sample)
    took = time.perf_counter() - start
    counts = by_category(strengths)
    print_counts(console, counts, published)
    million = counts.total() / took / 1e6
    console.print(f"{counts.total():,} sets in {took:.0f} s: {million:.2f} million a second")
    if sample is not None:
        return 0
    agrees = counts == published["counts"]
    agrees &= len(strengths) == published["distinct_strengths"]
    console.print(
        f"{len(strengths):,} different strengths; {published['distinct_strengths']:,} published"
    )
    console.print("All counts agree." if agrees else "THE COUNTS DIFFER.")
    return 0 if agrees else 1


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            sys.exit(main())
        case ["--sample", size] if size.isdigit() and int(size) > 0:
            sys.exit(main(int(size)))
        case _:
            sys.exit("usage: bench_plain_evaluator.py [--sample NUMBER]")
