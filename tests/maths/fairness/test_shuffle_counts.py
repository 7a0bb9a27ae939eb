"""Shuffles counted deck by deck give what the suite gives for all decks at once."""

from random import Random

import numpy as np
import pytest

from openfelt.maths.fairness.shuffle_counts import CELL_TESTS, FEW, MEAN_TESTS, ShuffleCounts
from openfelt.maths.shuffle_statistics import DECKS_MIN, run_suite

DECKS = np.random.default_rng(3).permuted(
    np.tile(np.arange(52, dtype=np.uint8), (DECKS_MIN, 1)), axis=1
)


def test_the_counts_give_the_results_of_the_suite() -> None:
    counts = ShuffleCounts()
    for number, deck in enumerate(DECKS.tolist(), start=1):
        counts.add(deck)
        if number in (FEW - 1, FEW):
            names = {result.test for result in counts.results()}
            assert names == {"duplicates", *(MEAN_TESTS if number == FEW else ())}
    found = {result.test: result for result in counts.results()}
    suite = {result.test: result for result in run_suite(DECKS)}
    assert found.keys() == suite.keys() == {"duplicates", *MEAN_TESTS, *CELL_TESTS}
    for name, result in suite.items():
        assert found[name].statistic == pytest.approx(result.statistic, rel=1e-4, abs=1e-6), name
        assert found[name].p_value == pytest.approx(result.p_value, rel=1e-2, abs=1e-6), name


def test_a_shuffler_that_repeats_or_leans_is_found() -> None:
    counts, sorted_decks = ShuffleCounts(), ShuffleCounts()
    for deck in DECKS[:FEW].tolist():
        counts.add(deck)
        sorted_decks.add([*sorted(deck[:26]), *deck[26:]])
    counts.add(DECKS[0].tolist())
    assert next(one for one in counts.results() if one.test == "duplicates").rejected
    assert next(one for one in sorted_decks.results() if one.test == "runs up and down").rejected


def test_decks_of_terminals_without_the_cards_of_the_table_are_judged_alike() -> None:
    fair, leaning, stuck = ShuffleCounts(), ShuffleCounts(), ShuffleCounts()
    random = Random(11)
    for number in range(FEW):
        if number % 50 == 0:
            # All terminals of a round lack the same seven cards.
            left = random.sample(range(52), 45)
        part, salt = random.sample(left, 45), f"{number}".encode()
        fair.add_part(part, salt=salt)
        leaning.add_part([*sorted(part[:20]), *part[20:]], salt=salt)
        stuck.add_part(part if number % 2 else left, salt=salt)
    assert {result.test for result in fair.results()} == {"duplicates", *MEAN_TESTS}
    assert not [result for result in fair.results() if result.rejected]
    leans = {result.test for result in leaning.results() if result.rejected}
    assert "runs up and down" in leans
    # Two terminals with the same order are found, whatever is put in between.
    assert {result.test for result in stuck.results() if result.rejected} >= {"duplicates"}


def test_a_deck_is_whole() -> None:
    with pytest.raises(ValueError, match="52 cards"):
        ShuffleCounts().add([0] * 52)
