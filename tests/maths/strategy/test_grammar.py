"""Lines say in boxes what their parts say, and families are what they claim to be."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from openfelt.maths.kernels.strategy_features import FLOP_FEATURES, RIVER_FEATURES
from openfelt.maths.strategy.grammar import (
    Family,
    Part,
    StreetLines,
    flop_street,
    river_street,
    write_line,
)
from openfelt.maths.strategy.strategies import StrategyLine

HIGHEST = {"outs": 45, "uses_hole": 1, "pocket": 1, "made": 9, "board_made": 9, "flop_made": 3,
           "overcards": 2, "straight_draw": 2, "kickers_above": 8}  # fmt: skip


def seen(names: tuple[str, ...]) -> NDArray[Any]:
    """Rows of anything that could be seen, and more."""
    random = np.random.default_rng(3)
    return np.stack([random.integers(0, HIGHEST.get(name, 14) + 1, 4000) for name in names], 1)


def boxes_fit(line: StrategyLine, names: tuple[str, ...]) -> NDArray[Any]:
    rows = seen(names)
    fits = np.zeros(len(rows), dtype=bool)
    for limits in line.boxes:
        inside = np.ones(len(rows), dtype=bool)
        for name, low, high in limits:
            column = rows[:, names.index(name)]
            inside &= (low <= column) & (column <= high)
        fits |= inside
    return fits


STREETS = [(flop_street(), FLOP_FEATURES), (river_street(), RIVER_FEATURES)]


@pytest.mark.parametrize(("street", "names"), STREETS, ids=["flop", "river"])
def test_a_line_fits_where_its_parts_do(street: StreetLines, names: tuple[str, ...]) -> None:
    rows = seen(names)
    for family in street.subjects:
        for subject in family.parts:
            assert np.array_equal(
                boxes_fit(write_line(subject, None), names), subject.fits(rows, names)
            )
        subject = family.parts[len(family.parts) // 2]
        for others in street.qualifiers:
            for qualifier in others.parts:
                both = subject.fits(rows, names) & qualifier.fits(rows, names)
                assert np.array_equal(boxes_fit(write_line(subject, qualifier), names), both)


@pytest.mark.parametrize(("street", "names"), STREETS, ids=["flop", "river"])
def test_families_are_nested_or_apart(street: StreetLines, names: tuple[str, ...]) -> None:
    rows = seen(names)
    for family in (*street.subjects, *street.qualifiers):
        fits = [part.fits(rows, names) for part in family.parts]
        for tighter, looser in pairwise(fits):
            if family.nested:
                assert not (tighter & ~looser).any()
            else:
                assert not (tighter & looser).any()


def test_every_part_is_said_in_its_own_words() -> None:
    for street, _ in STREETS:
        for families in (street.subjects, street.qualifiers):
            words = [part.words for family in families for part in family.parts]
            assert len(words) == len(set(words))


def test_the_place_of_a_row_is_the_first_part_that_fits() -> None:
    family = Family(
        tuple(Part(f"{most}", (("outs", 0, most),)) for most in (2, 5)),
    )
    places = family.places(np.array([[1], [2], [3], [5], [6]]), ("outs",))
    assert places.tolist() == [0, 0, 1, 1, 2]
