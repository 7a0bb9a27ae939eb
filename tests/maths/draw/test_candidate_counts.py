"""The file of candidates: how it is written, and what the kept one says."""

from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files

import numpy as np
import pytest

from openfelt.cards import Category
from openfelt.catalog import load_catalog, load_house
from openfelt.maths.draw.best_play import table_nets
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
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.kept_holds import kept_holds
from openfelt.maths.draw.strategy_counts import final_pays, usual_counts
from openfelt.rules.paytable import HandPaytable
from tools import draw_counts

FILE_BYTES_MAX = 3_000_000
TERMS = draw_terms_of(load_house("draw"))
BEST_VALUE = Fraction(65446310657744017, 4239140334401372400)


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


def test_the_best_holds_of_the_ante_are_worth_what_is_stored() -> None:
    """With 52 cards, and without counting a hand."""
    best = usual_counts().best_for(final_pays(TERMS))
    assert best is not None
    priced = candidate_values().gain_limits(final_pays(TERMS), spot_classes=0)
    assert (priced.exact, priced.least) == (True, best.gain)
    assert np.array_equal(priced.holds, kept_holds("best"))
    assert usual_counts().house_way.value(TERMS) + priced.least == BEST_VALUE


@pytest.mark.parametrize("change", draw_counts.FURTHER)
def test_the_further_changes_are_decided(change: Mapping[str, Fraction]) -> None:
    terms = TERMS
    for name, pays in change.items():
        terms = terms.changed(name, pays)
    priced = candidate_values().gain_limits(final_pays(terms), spot_classes=0)
    assert priced.exact
    value = usual_counts().house_way.value(terms) + priced.least
    assert value >= max(kept.value(terms) for kept in usual_counts().strategies.values())


@pytest.mark.parametrize("name", ["UDP-01", "UDP-02", "UDP-03", "UDP-04"])
def test_the_best_holds_with_a_bonus_are_worth_what_is_stored(name: str) -> None:
    table = load_catalog().paytables["bonus", name]
    assert isinstance(table, HandPaytable)
    pays = final_pays(TERMS, table_nets(table, Fraction(1)))
    best = usual_counts().best_for(pays)
    assert best is not None
    priced = candidate_values().gain_limits(pays, spot_classes=0)
    assert (priced.exact, priced.least) == (True, best.gain)
    assert np.array_equal(priced.holds, kept_holds(str(best.strategy)))


def test_kept_candidates_are_other_holds_than_the_house_way() -> None:
    kept, house_way = kept_candidates(), draw_holds().house_way
    assert (kept.held != house_way[kept.rows]).all()
    assert (np.diff(kept.rows * 32 + kept.held) > 0).all()


@pytest.mark.parametrize("name", ["best", "house_way"])
def test_a_kept_strategy_is_counted_from_candidates(name: str) -> None:
    holds = draw_holds().house_way if name == "house_way" else kept_holds(name)
    stored = usual_counts().strategies[name]
    counted = count_from_candidates(holds, name=name, title=stored.title)
    assert counted is not None
    assert counted.win_less_lose == stored.win_less_lose
    assert (counted.final, counted.differs) == (stored.final, stored.differs)


def test_a_strategy_with_too_many_other_holds_is_not_counted() -> None:
    nothing = np.zeros(len(draw_holds().hands), dtype=np.uint8)
    assert count_from_candidates(nothing, name="none", title="None") is None
