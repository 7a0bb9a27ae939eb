"""The file of candidates: how it is written, and what the kept one says."""

from fractions import Fraction
from importlib.resources import files

import numpy as np
import pytest

from openfelt.cards import Category
from openfelt.maths.draw.candidate_counts import (
    CANDIDATES_FILE,
    CandidateCounts,
    SolvedPays,
    candidates_digest,
    kept_candidates,
    kept_candidates_digest,
    read_candidates,
    write_candidates,
)
from openfelt.maths.draw.candidate_values import candidate_values, count_from_candidates
from openfelt.maths.draw.hold_lines import basic_draw_lines, held_by_lines
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.kept_holds import kept_holds
from openfelt.maths.draw.strategy_counts import usual_counts

FILE_BYTES_MAX = 3_000_000


@pytest.fixture(scope="module")
def some() -> CandidateCounts:
    """Made-up counts of 50 classes with hands of seven different ranks."""
    random = np.random.default_rng(18)
    rows = np.sort(random.choice(50, 30))
    pays = {c: Fraction(int(c), 3) for c in Category}
    return CandidateCounts(
        rows=rows,
        held=random.integers(32, size=30).astype(np.uint8),
        gains=random.integers(-(10**14), 10**14, size=30),
        solved=(SolvedPays(pays, random.integers(32, size=50).astype(np.uint8)),),
        house_way_least=random.integers(-(2**14), 2**14, size=50).astype(np.int16),
        ranks_most=random.integers(-(2**14), 2**14, size=(7, 33)).astype(np.int16),
    )


def test_a_file_is_read_as_it_was_written(some: CandidateCounts) -> None:
    read = read_candidates(write_candidates(some))
    for name in ("rows", "held", "gains", "house_way_least", "ranks_most"):
        assert np.array_equal(getattr(read, name), getattr(some, name)), name
    assert read.solved[0].pays == some.solved[0].pays
    assert np.array_equal(read.solved[0].holds, some.solved[0].holds)


@pytest.mark.parametrize("place", [3, 40, -1])
def test_a_damaged_file_is_refused(some: CandidateCounts, place: int) -> None:
    whole = bytearray(write_candidates(some))
    whole[place] ^= 1
    with pytest.raises(ValueError, match="it was altered"):
        read_candidates(bytes(whole))
    with pytest.raises(ValueError, match="it was altered"):
        read_candidates(bytes(whole[:20]))


def test_the_kept_file_is_small_and_has_its_hash() -> None:
    whole = files("openfelt.maths.draw").joinpath(CANDIDATES_FILE).read_bytes()
    assert len(whole) < FILE_BYTES_MAX
    assert candidates_digest(whole) == kept_candidates_digest()
    assert candidates_digest(write_candidates(read_candidates(whole))) == candidates_digest(whole)


def test_the_best_holds_of_the_kept_file_are_worth_what_is_stored() -> None:
    """With 52 cards, and without counting a hand."""
    values = candidate_values()
    for best in usual_counts().best:
        priced = values.gain_limits(best.pays, spot_classes=0)
        assert (priced.exact, priced.least) == (True, best.gain)
        assert np.array_equal(priced.holds, kept_holds(str(best.strategy)))


def test_kept_candidates_are_other_holds_than_the_house_way() -> None:
    kept, house_way = kept_candidates(), draw_holds().house_way
    assert (kept.held != house_way[kept.rows]).all()
    assert (np.diff(kept.rows * 32 + kept.held) > 0).all()


def test_a_kept_strategy_is_counted_from_candidates() -> None:
    for name in ("best", "house_way"):
        holds = draw_holds().house_way if name == "house_way" else kept_holds(name)
        stored = usual_counts().strategies[name]
        counted = count_from_candidates(holds, name=name, title=stored.title)
        assert counted is not None
        assert counted.win_less_lose == stored.win_less_lose
        assert (counted.final, counted.differs) == (stored.final, stored.differs)
    lines = held_by_lines(basic_draw_lines(), draw_holds().hands)
    assert len(candidate_values().uncounted(lines)) >= 0
