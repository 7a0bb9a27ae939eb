"""The quick copy of a value beside that of the standard library."""

import dataclasses
from dataclasses import FrozenInstanceError, dataclass
from datetime import date
from functools import cached_property

import pytest

from openfelt.catalog import load_house
from openfelt.rules import begin, open_round
from openfelt.rules.quick_replace import quickly_replaced, replace
from openfelt.rules.round import Phase


def test_a_round_is_copied_as_the_standard_library_does() -> None:
    house = load_house("online")
    state = begin(house, open_round(house, number=1, day=date(2026, 1, 1)))
    copied = replace(state, phase=Phase.READY, step=7)
    assert copied == dataclasses.replace(state, phase=Phase.READY, step=7)
    assert (state.phase, state.step) == (Phase.WAGERING, 0)
    with pytest.raises(FrozenInstanceError):
        copied.step = 8  # type: ignore[misc]


def test_a_class_that_keeps_more_than_its_fields_is_refused() -> None:
    @dataclass(frozen=True)
    class Keeps:
        number: int
        other: int = 0

        @cached_property
        def double(self) -> int:
            return 2 * self.number

    @dataclass(frozen=True, slots=True)
    class Checks:
        number: int
        other: int = 0

        def __post_init__(self) -> None:
            if self.number < 0:
                raise ValueError("below zero")

    for kind in (Keeps, Checks, int):
        with pytest.raises(TypeError):
            quickly_replaced(kind)
    # A value of such a class is copied by the standard library, without what it keeps.
    kept = Keeps(1)
    assert kept.double == 2
    assert replace(kept, number=3).double == 6
    with pytest.raises(ValueError, match="below zero"):
        replace(Checks(1), number=-1)
