"""Drawn flushes by the dealer's rung: the kernel against its plain version."""

import numpy as np
import pytest

from openfelt.maths.draw import drawn_flushes as counts
from openfelt.maths.draw.drawn_flushes import count_drawn_flushes
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.kernels import final_rungs, rung_flushes
from tests.kit.maths.games import small_deck


@pytest.mark.parametrize(("ranks", "suits"), [("2TJQKA", 3), ("A2345JQK", 2)])
def test_a_kernel_counts_what_its_plain_version_counts(
    ranks: str, suits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds = draw_holds(tuple(card.number for card in small_deck(ranks, suits)))
    random = np.random.default_rng(1)
    hands = holds.hands & 3
    rows = random.choice(len(hands), size=40, replace=False)
    # Of each number of cards, those of the suit of the highest one.
    chosen = [
        sum(1 << p for p in range(5) if hand[p] == hand[4] and (p >= 4 - n % 5 or p == 4))
        for n, hand in enumerate(hands[rows].tolist())
    ]
    chosen[::7] = [0] * len(chosen[::7])
    held, times = np.array(chosen, dtype=np.uint8), random.integers(1, 9, size=40)
    compiled = count_drawn_flushes(holds, rows, held, times, workers=1)
    for module, names in (
        (final_rungs, ("sum_singles", "leave_out", "at", "add_to_pair", "add_to_singles")),
        (
            rung_flushes,
            (
                "write_drawn", "is_straight", "pattern_of", "avoid", "add_unpaired", "write_base",
                "change", "add_paired", "sum_others", "add_matched", "throw",
            ),
        ),
    ):  # fmt: skip
        for name in names:
            monkeypatch.setattr(module, name, getattr(module, name).py_func)
    monkeypatch.setattr(rung_flushes, "add_hands", final_rungs.add_hands.py_func)
    monkeypatch.setattr(counts, "count_rung_flushes", rung_flushes.count_rung_flushes.py_func)
    assert count_drawn_flushes(holds, rows, held, times, workers=1) == compiled
    assert sum(compiled) > 0
