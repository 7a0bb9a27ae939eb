"""The best holds that are kept: they fit the kept counts, and every hand of their class."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from openfelt.cards import Category
from openfelt.catalog import load_catalog, load_house
from openfelt.maths.draw.best_play import table_nets
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.draw_solution import solve_draw
from openfelt.maths.draw.hold_lines import basic_draw_lines, held_by_lines
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.kept_holds import (
    holds_of_all_hands,
    kept_holds,
    read_holds,
    write_holds,
)
from openfelt.maths.draw.strategy_counts import usual_counts
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.card_sets import unrank_sets
from openfelt.maths.kernels.hold_counts import find_house_way_holds
from tests.kit.repository import ROOT

BEST = [best.strategy for best in usual_counts().best if best.strategy]


@pytest.mark.parametrize("name", BEST)
def test_kept_holds_end_in_the_hands_that_their_counts_say(name: str) -> None:
    holds, counts = kept_holds(name), usual_counts().strategies[name]
    every = draw_holds()
    final = every.categories(holds)
    assert {c: Fraction(final[c], every.draws) for c in Category} == counts.final
    hands = every.classes.hands.counts
    other = int(hands[holds != every.house_way].sum())
    assert Fraction(other, comb(52, 5)) == counts.differs


def test_every_hand_is_held_as_its_class() -> None:
    hands = np.zeros((comb(52, 5), 5), dtype=np.uint8)
    unrank_sets(np.arange(len(hands), dtype=np.int32), np.arange(52), hands)
    expected = np.zeros(len(hands), dtype=np.uint8)
    find_house_way_holds(hands, reading_tables(), expected)
    assert np.array_equal(holds_of_all_hands(draw_holds().house_way), expected)


@pytest.mark.parametrize("apart", [40, pytest.param(1, marks=pytest.mark.variant)])
def test_hands_and_classes_are_held_alike_by_lines(apart: int) -> None:
    """Every fortieth hand, or every hand, is held as its class by the lines themselves."""
    lines = basic_draw_lines()
    by_class = holds_of_all_hands(held_by_lines(lines, draw_holds().hands))
    for some in np.array_split(np.arange(0, len(by_class), apart, dtype=np.int32), 40 // apart):
        hands = np.zeros((len(some), 5), dtype=np.uint8)
        unrank_sets(some, np.arange(52), hands)
        assert np.array_equal(by_class[some], held_by_lines(lines, hands))


def test_an_altered_file_is_refused() -> None:
    holds = {"a": np.array([1, 2, 3], dtype=np.uint8), "b": np.array([4, 5, 6], dtype=np.uint8)}
    whole = write_holds(holds)
    again = read_holds(whole)
    assert again.keys() == holds.keys()
    assert all(np.array_equal(again[name], holds[name]) for name in holds)
    for altered in (whole[:-1], bytes([whole[0] ^ 1]) + whole[1:], b""):
        with pytest.raises(ValueError, match="altered"):
            read_holds(altered)


def test_an_unknown_name_lists_those_that_are_kept() -> None:
    with pytest.raises(ValueError, match="'mine'; there are best"):
        kept_holds("mine")


def test_the_best_holds_differ_from_the_house_way_as_the_page_says() -> None:
    """docs/internals/exact-draw.md: "differs from the house way for 31,026 classes"."""
    hands = draw_holds()
    differ = kept_holds("best") != hands.house_way
    counts = hands.classes.hands.counts
    assert int(differ.sum()) == 31_026
    assert Fraction(int(counts[differ].sum()), int(counts.sum())) == Fraction(52939, 216580)
    page = (ROOT / "docs/internals/exact-draw.md").read_text(encoding="utf-8")
    assert "for 31,026 classes, which are 52939/216580" in page


@pytest.mark.sweep
def test_the_holds_whose_flushes_decide_are_as_many_as_the_page_says() -> None:
    """The count by ranks takes ten minutes of a processor, unless it is stored on this machine."""
    solution, terms = solve_draw(), draw_terms_of(load_house("draw"))
    bonuses = [
        None,
        *(
            table_nets(load_catalog().paytables["bonus", f"UDP-0{number}"], Fraction(1))  # type: ignore[arg-type]
            for number in range(1, 5)
        ),
    ]
    wanted = [solution.wanted(solution.limits(terms, bonus)) for bonus in bonuses]
    assert round(len(wanted[0]), -2) == 48_600
    holds = {(row, hold) for found in wanted for row, held in found.items() for hold in held}
    assert len(holds) == 171_350
    page = (ROOT / "docs/internals/exact-draw.md").read_text(encoding="utf-8")
    assert "some 48,600 of the 134,459 classes" in page
    assert "the flushes of 171,350 holds" in page
