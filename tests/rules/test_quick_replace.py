"""Values that are made and copied quickly, beside those of the standard library."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass
from datetime import date
from functools import cached_property
from typing import Any

import pytest

from openfelt.catalog import load_house
from openfelt.ledger import Transfer
from openfelt.rules import begin, open_round
from openfelt.rules.lines import Line, Settlement
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.quick_replace import (
    copier,
    maker,
    quickly_made,
    quickly_replaced,
    replace,
)
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_actions import DealCard, MakeDecision
from openfelt.rules.round_events import CardDealt, WagersSet
from openfelt.rules.wagers import Wager
from openfelt.runtime.requests import Answer
from openfelt.storage.door import Cause, NewEvent
from openfelt.table.state import Seat


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


@pytest.mark.parametrize(
    "kind",
    [CardDealt, DealCard, Line, MakeDecision, PlayerHand, Round, Wager, WagersSet],
)
def test_a_quick_constructor_is_the_standard_one_in_everything_but_time(kind: Any) -> None:
    """Each is compared with a class of the same fields that ``dataclasses`` alone has made."""
    fields = [
        (field.name, field.type, _like(field)) for field in dataclasses.fields(kind) if field.init
    ]
    standard = dataclasses.make_dataclass(kind.__name__, fields, frozen=True, slots=True)
    assert str(inspect.signature(kind)) == str(inspect.signature(standard))
    required = {
        name: object() for name, parameter in inspect.signature(kind).parameters.items()
        if parameter.default is inspect.Parameter.empty
    }  # fmt: skip
    for given in (required, {name: name for name, *_ in fields}):
        made, plain = kind(**given), standard(**given)
        assert type(made) is kind
        for name, *_ in fields:
            assert getattr(made, name) == getattr(plain, name)
        with pytest.raises(FrozenInstanceError):
            setattr(made, fields[0][0], None)
    whole = kind(**{name: name for name, *_ in fields})
    assert copy.copy(whole) == whole == pickle.loads(pickle.dumps(whole))
    with pytest.raises(TypeError):
        kind(**required, no_such_field=1)
    for name in required:
        with pytest.raises(TypeError):
            kind(**{other: value for other, value in required.items() if other != name})


def _like(field: Any) -> Any:
    """The field as it was declared, for another class."""
    return dataclasses.field(
        default=field.default,
        default_factory=field.default_factory,
        compare=field.compare,
        repr=field.repr,
        kw_only=field.kw_only,
    )


def test_a_default_that_is_made_anew_is_not_shared() -> None:
    @quickly_made
    @dataclass(frozen=True, slots=True)
    class Counts:
        number: int
        words: list[str] = dataclasses.field(default_factory=list)

    Counts(1).words.append("one")
    assert Counts(2) == Counts(2, [])


@pytest.mark.parametrize(
    "kind", [Answer, Cause, DealCard, Line, NewEvent, Seat, Settlement, Transfer]
)
def test_a_maker_makes_what_the_constructor_makes(kind: Any) -> None:
    make: Any = maker(kind)
    parameters = inspect.signature(kind).parameters
    assert (
        str(inspect.signature(make)).partition(" -> ")[0]
        == (str(inspect.signature(kind)).partition(" -> ")[0])
    )
    required = {
        name: object()
        for name, parameter in parameters.items()
        if parameter.default is inspect.Parameter.empty
    }
    for given in (required, {name: name for name in parameters}):
        assert type(make(**given)) is kind
        assert make(**given) == kind(**given)
    with pytest.raises(FrozenInstanceError):
        setattr(make(**required), next(iter(parameters)), None)
    with pytest.raises(TypeError):
        make(**required, no_such_field=1)
    with pytest.raises(TypeError):
        make()


def test_a_field_may_have_any_name_that_the_written_functions_could_have_used() -> None:
    names = ("made", "copied", "value", "twin", "cls", "new", "assign", "absent", "make")
    kind: Any = dataclasses.make_dataclass("Names", names, frozen=True, slots=True)
    plain = kind(*names)
    assert maker(kind)(*names) == plain
    assert copier(kind, "cls", "value")(plain, "cls", "value") == plain
    assert quickly_replaced(kind)(*names) == plain == replace(plain, made="made")
    assert quickly_made(kind)(*names) == plain
    private: Any = dataclasses.make_dataclass("Private", ["_new"], frozen=True, slots=True)
    with pytest.raises(TypeError, match="underscore"):
        maker(private)


def test_a_value_without_slots_keeps_what_it_computes_after_a_maker_made_it() -> None:
    settlement = maker(Settlement)(lines=())
    assert settlement.of_seat(1) == ()
    assert "_by_seat" in vars(settlement)
    assert copy.copy(settlement) == settlement == pickle.loads(pickle.dumps(settlement))
    for refused in (quickly_made, quickly_replaced):
        with pytest.raises(TypeError, match="slots"):
            refused(Settlement)


def test_a_maker_makes_a_default_anew() -> None:
    @dataclass(frozen=True, slots=True)
    class Counts:
        number: int
        words: list[str] = dataclasses.field(default_factory=list)

    make = maker(Counts)
    make(1).words.append("one")
    assert make(2) == Counts(2, [])


def test_a_copier_changes_its_fields_alone() -> None:
    house = load_house("online")
    state = begin(house, open_round(house, number=1, day=date(2026, 1, 1)))
    moved = copier(Round, "step", "corrections")
    assert moved(state, 4, 2) == dataclasses.replace(state, step=4, corrections=2)
    assert (state.step, state.corrections) == (0, 0)
    with pytest.raises(TypeError, match="no such fields"):
        copier(Round, "no_such_field")
