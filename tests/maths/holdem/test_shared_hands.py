"""Hands that see each other: what is taken out of the estimate is zero on average, exactly."""

import math
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from openfelt.cards import FULL_DECK, parse_cards
from openfelt.maths import advise, stored_counts
from openfelt.maths.holdem import shared_hands
from openfelt.maths.holdem.adviser import first_values
from openfelt.maths.holdem.shared_hands import (
    Together,
    _adjusted,
    _gain_and_controls,
    estimate_shared,
)
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.parallel import working


@pytest.mark.sweep
def test_the_same_seed_gives_the_same_estimate_and_no_less_than_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shared_hands, "SAMPLES_MIN", 20)
    first = estimate_shared(Together.THREE_HANDS, samples=20, seed=5)
    assert first == estimate_shared(Together.THREE_HANDS, samples=20, seed=5)
    assert first.without == Fraction(-50_643_648_973, 2_317_817_502_000)
    low, high = first.interval
    assert low < first.ev_per_ante < high
    assert math.isclose(high - low, 2 * 1.959963984540054 * first.standard_error)


def test_an_interrupted_estimate_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_counts, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(shared_hands, "_BLOCK", 4)
    monkeypatch.setattr(shared_hands, "SAMPLES_MIN", 10)
    resumed: list[tuple[int, int]] = []

    def stop(done: int, _: int) -> None:
        if done > 4:
            raise InterruptedError

    with working(workers=1), pytest.raises(InterruptedError):
        estimate_shared(Together.TWO_HANDS, samples=10, progress=stop, kept=True)
    again = estimate_shared(
        Together.TWO_HANDS,
        samples=10,
        kept=True,
        resumed=lambda *amounts: resumed.append(amounts),
    )
    assert resumed == [(8, 10)]
    assert again == estimate_shared(Together.TWO_HANDS, samples=10)


def test_an_estimate_needs_samples() -> None:
    with pytest.raises(ValueError, match="at least 1,000"):
        estimate_shared(Together.TWO_HANDS, samples=999)


def test_a_hand_that_bets_anyway_gains_what_it_would_check() -> None:
    alone = first_values(HoldemTerms.of())["K5o"]
    seen = advise(parse_cards("Kh 5d"), seen=parse_cards("Kc Kd 5h 5s"), workers=1)
    assert seen.best == "check"
    gain, *controls = _gain_and_controls(seen.values, alone)
    assert gain == float(seen.values["check"] - seen.values["bet_4x"]) > 0
    assert controls == [0.0, 0.0]


def test_controls_are_zero_on_average_and_take_out_what_they_explain() -> None:
    # Of gains that follow the controls but for a constant, only the constant is left.
    chance = np.random.default_rng(2)
    controls = chance.normal(size=(60, 2))
    rows = np.column_stack([0.25 + controls @ np.array([0.5, -2.0]), controls])
    assert np.allclose(_adjusted(rows), 0.25)


@pytest.mark.sweep
def test_what_is_seen_changes_a_bet_by_nothing_on_average() -> None:
    hole = parse_cards("7h 2d")
    rest = [card for card in FULL_DECK if card not in hole]
    values = [advise(hole, seen=seen, workers=1).values["bet_4x"] for seen in combinations(rest, 2)]
    mean = sum(values, Fraction(0)) / len(values)
    assert mean == first_values(HoldemTerms.of())["72o"]["bet_4x"]
