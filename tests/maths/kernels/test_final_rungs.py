"""Further cards that make a pair, two pairs or three of a kind, against a list of all hands."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from openfelt.maths.kernels import final_rungs
from openfelt.maths.kernels.final_rungs import add_hands, count_final_rungs
from openfelt.maths.kernels.rung_ranks import RUNGS, THREE_RUNG, TWO_PAIR_RUNG


def rung_of(ranks: tuple[int, ...]) -> int | None:
    counts = Counter(ranks)
    shape = sorted(counts.values())
    if shape == [1, 1, 1, 2]:
        return counts.most_common(1)[0][0]
    if shape == [1, 2, 2]:
        return TWO_PAIR_RUNG
    return THREE_RUNG if shape == [1, 1, 3] else None


def listed_hands(held: tuple[int, ...], left: dict[int, int]) -> list[int]:
    cards = [rank for rank, n in left.items() for _ in range(n)]
    out = [0] * RUNGS
    for more in combinations(cards, 5 - len(held)):
        rung = rung_of(held + more)
        if rung is not None:
            out[rung] += 1
    return out


@pytest.mark.parametrize(
    ("held", "left"),
    [
        ((), {0: 4, 1: 3, 2: 2, 7: 4, 12: 1}),
        ((9,), {0: 4, 1: 3, 9: 3, 7: 2, 12: 3}),
        ((9, 12), {0: 4, 1: 3, 9: 3, 7: 2, 12: 2}),
        ((8, 9, 12), {0: 4, 1: 3, 8: 1, 9: 3, 12: 2}),
        ((0, 1, 2, 3), {0: 1, 3: 2, 5: 4}),
        ((4, 4), {0: 4, 4: 2, 5: 3, 6: 2, 7: 1}),
        ((4, 4, 6), {0: 4, 4: 2, 5: 3, 6: 2, 7: 1}),
        ((4, 4, 6, 6), {0: 4, 4: 2, 6: 1, 7: 1}),
        ((4, 4, 4), {0: 4, 4: 1, 6: 3, 7: 1}),
        ((4, 4, 4, 4), {0: 4, 6: 3}),
        ((4, 4, 4, 6), {0: 4, 6: 3}),
        ((2, 2, 2, 7, 7), {0: 4}),
        ((2, 2, 3, 7, 8), {0: 4}),
    ],
)
def test_hands_are_those_of_a_list(held: tuple[int, ...], left: dict[int, int]) -> None:
    counts = np.bincount(held, minlength=13).astype(np.int64) if held else np.zeros(13, np.int64)
    cards = np.zeros(13, dtype=np.int64)
    for rank, n in left.items():
        cards[rank] = n
    out = np.zeros(RUNGS, dtype=np.int64)
    add_hands(counts, cards, 5 - len(held), 3, out)
    assert out.tolist() == [3 * hands for hands in listed_hands(held, left)]


def test_a_kernel_counts_what_its_plain_version_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    hands = np.sort(np.array([random.choice(52, 5, replace=False) for _ in range(60)]))
    hands = hands.astype(np.uint8)
    holds = random.integers(32, size=60).astype(np.uint8)
    weights, cards = random.integers(1, 9, size=60), np.full(13, 4)
    compiled, plain = np.zeros(RUNGS, dtype=np.int64), np.zeros(RUNGS, dtype=np.int64)
    count_final_rungs(hands, holds, weights, cards, compiled)
    for name in ("sum_singles", "leave_out", "at", "add_hands", "add_to_pair", "add_to_singles"):
        monkeypatch.setattr(final_rungs, name, getattr(final_rungs, name).py_func)
    count_final_rungs.py_func(hands, holds, weights, cards, plain)
    assert compiled.tolist() == plain.tolist()
    assert compiled.all()
