"""Values as JSON and back: everything survives, and nothing else is let in."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import date
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Any, NamedTuple, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import Card, Category
from openfelt.catalog import load_house
from openfelt.rules.house import House
from openfelt.rules.lines import Line, Settlement
from openfelt.rules.round import Round
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind
from openfelt.storage.codec import Codec, CodecError, read_json, snake_case
from openfelt.storage.door import StoreError
from openfelt.table.links.link import Link
from openfelt.table.state import Table
from tests.kit.storage.stored_values import HOUSES, values_of
from tests.kit.strategies import few

CODEC = Codec(HOUSES.get)


class Colour(StrEnum):
    """Two colours."""

    RED = "red"
    BLACK = "black"


class Number(IntEnum):
    """Two numbers."""

    ZERO = 0
    ONE = 1


class Corner(NamedTuple):
    """Two things in a row."""

    seat: int
    colour: Colour


@dataclass(frozen=True)
class Chip:
    """One of two things."""

    cents: int


@dataclass(frozen=True)
class DealerButton:
    """The other one."""


@dataclass(frozen=True)
class Tray:
    """One of everything."""

    number: int
    name: str = ""
    open: bool = False
    number_kind: Number | None = None
    day: date | None = None
    part: Fraction | None = None
    card: Card | None = None
    spot: Spot | None = None
    corner: Corner | None = None
    lies: Chip | DealerButton | None = None
    pair: tuple[int, str] = (0, "")
    cards: tuple[Card, ...] = ()
    seats: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    by_seat: Mapping[int, str] = field(default_factory=dict)
    by_spot: Mapping[Spot, Chip] = field(default_factory=dict)


FULL = Tray(
    number=7,
    name="é ♠",
    open=True,
    number_kind=Number.ONE,
    day=date(2026, 1, 31),
    part=Fraction(-1, 3),
    card=Card.parse("Th"),
    spot=Spot(12, 3),
    corner=Corner(4, Colour.RED),
    lies=DealerButton(),
    pair=(1, "one"),
    cards=(Card.parse("As"), Card.parse("2c")),
    seats=frozenset({3, 1, 2}),
    names=frozenset({"bob", "ann"}),
    by_seat={2: "bob", 1: "ann"},
    by_spot={Spot(2, 1): Chip(100), Spot(1, 1): Chip(-1)},
)
WRITTEN = (
    '{"number":7,"name":"é ♠","open":true,"number_kind":1,"day":"2026-01-31","part":"-1/3",'
    '"card":"Th","spot":"12.3","corner":[4,"red"],"lies":{"kind":"dealer_button"},'
    '"pair":[1,"one"],"cards":["As","2c"],"seats":[1,2,3],"names":["ann","bob"],"by_seat":{"2":"bob","1":"ann"},'
    '"by_spot":{"2.1":{"cents":100},"1.1":{"cents":-1}}}'
)


def test_everything_has_its_written_form() -> None:
    assert CODEC.to_json(Tray, FULL) == WRITTEN
    assert CODEC.from_json(Tray, WRITTEN) == FULL
    assert list(CODEC.from_json(Tray, WRITTEN).by_spot) == [Spot(2, 1), Spot(1, 1)]


def test_fields_at_their_defaults_are_left_out_and_read_back() -> None:
    assert CODEC.to_json(Tray, Tray(7)) == '{"number":7}'
    assert CODEC.from_json(Tray, '{"number":7}') == Tray(7)
    assert CODEC.to_json(Wager, Wager(WagerKind.ANTE, 500, Beneficiary.DEALER)) == (
        '{"kind":"ante","cents":500,"beneficiary":"dealer"}'
    )


def test_a_default_that_is_written_out_is_read_too() -> None:
    assert CODEC.from_json(Tray, '{"number":7,"name":"","cards":[],"card":null}') == Tray(7)


WRONG: dict[str, list[str]] = {
    "number": ["true", "1.0", "1.5", '"1"', "null", "[]", "1e3"],
    "name": ["1", "null", "[]", "true"],
    "open": ["0", "1", '"true"', "null"],
    "number_kind": ["true", "false", "1.0", '"1"', "2", "[]"],
    "day": ['"2026-1-31"', '"20260131"', '"2026-W05-6"', '"2026-02-30"', "20260131", '""'],
    "part": ['"1/0"', '"2/4"', '"0.5"', '" 1/2"', '"1e3"', "1", '"x"', '"nan"'],
    "card": ['"th"', '"10h"', '"Th "', '"Xx"', '""', "12", "[]"],
    "spot": [
        '"12"',
        '"12.3.4"',
        '"12."',
        '" 12.3"',
        '"+12.3"',
        '"1_2.3"',
        '"٣.1"',
        "12.3",
        "[1,2]",
    ],
    "corner": ["[4]", '[4,"red",1]', '[true,"red"]', '[4,"green"]', '{"seat":4}', '"4r"'],
    "lies": ['{"kind":"purse"}', '{"cents":1}', '{"kind":"chip"}', '{"kind":["chip"]}', '"chip"'],
    "pair": ["[1]", '[1,"one",2]', '["one",1]', "7"],
    "cards": ['["As",null]', '"As"', '{"0":"As"}', "[1]"],
    "seats": ['"123"', "[true]", '["1"]', '{"1":1}', "7"],
    "names": ['"abc"', '{"a":1}', "[1]", "null"],
    "by_seat": ['{"01":"a"}', '{" 1":"a"}', '{"1_0":"a"}', '{"x":"a"}', '{"1":7}', '["a"]'],
    "by_spot": ['{"1":{"cents":1}}', '{"1.1":{}}', '{"1.1":{"cents":true}}', "[]"],
    "unheard_of": ["1", "null"],
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in WRONG.items() for text in texts]
)
def test_what_is_of_another_type_is_refused(name: str, text: str) -> None:
    number = "" if name == "number" else '"number":7,'
    with pytest.raises(CodecError, match=r"^This is not a stored Tray: ."):
        CODEC.from_json(Tray, f'{{{number}"{name}":{text}}}')


@pytest.mark.parametrize("text", ["{}", "[]", "null", '"Tray"', "7", "[7]"])
def test_an_invalid_value_is_refused(text: str) -> None:
    with pytest.raises(CodecError, match="This is not a stored Tray"):
        CODEC.from_json(Tray, text)


@pytest.mark.parametrize("text", ["", "{", "{]", '{"number":7}}', "'7'", "NaN", "[" * 100_000])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(CodecError, match="This is not JSON"):
        CODEC.from_json(Tray, text)
    with pytest.raises(CodecError, match="This is not JSON"):
        read_json(text)
    assert issubclass(CodecError, StoreError)


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (Tray, Tray(True)),
        (Tray, Tray(1.0)),  # type: ignore[arg-type]
        (Tray, Tray("7")),  # type: ignore[arg-type]
        (Tray, Tray(7, name=7)),  # type: ignore[arg-type]
        (Wager, Wager("ante", 500)),  # type: ignore[arg-type]
        (Wager, Wager(WagerKind.ANTE, None)),  # type: ignore[arg-type]
        (tuple[int, str], (1,)),
    ],
)
def test_what_could_not_be_read_back_is_not_written(form: Any, value: Any) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        CODEC.to_json(form, value)


@dataclass(frozen=True)
class Kinded:
    """A class that cannot be one of several, for it has a field of that name."""

    kind: int


@pytest.mark.parametrize("form", [Chip | Kinded, list[int], float, object, tuple])
def test_types_without_a_stored_form_are_refused(form: Any) -> None:
    with pytest.raises(TypeError):
        CODEC.to_json(form, Chip(1))


def test_class_names_become_words() -> None:
    names = ("Check", "HandPaytable", "BuyIn")
    assert list(map(snake_case, names)) == ["check", "hand_paytable", "buy_in"]


# Houses -----------------------------------------------------------------------------------


def test_a_house_is_stored_by_its_fingerprint() -> None:
    house = load_house("draw")
    assert CODEC.to_json(House, house) == f'"{house.fingerprint}"'
    assert CODEC.from_json(House, f'"{house.fingerprint}"') == house
    with pytest.raises(CodecError, match="there is no rule set abc"):
        CODEC.from_json(House, '"abc"')
    with pytest.raises(CodecError):
        CODEC.from_json(House, "[]")


def test_a_whole_house_survives() -> None:
    house = load_house("washington")
    text = CODEC.house_to_json(house)
    assert CODEC.house_from_json(text) == house
    assert CODEC.house_to_json(CODEC.house_from_json(text)) == text


@pytest.mark.parametrize("text", ["{}", "[]", '"draw"', '{"id":"draw"}', "{"])
def test_an_invalid_house_is_refused(text: str) -> None:
    with pytest.raises(CodecError):
        CODEC.house_from_json(text)


def test_an_unknown_key_in_a_house_is_refused() -> None:
    text = CODEC.house_to_json(load_house("draw"))
    with pytest.raises(CodecError, match="there is no field extra"):
        CODEC.house_from_json(text[:-1] + ',"extra":1}')
    with pytest.raises(CodecError, match="is not"):
        CODEC.house_from_json(text.replace('"seats":6', '"seats":true'))


# Anything ---------------------------------------------------------------------------------


@few
@given(values_of(Tray))
def test_anything_survives(tray: Tray) -> None:
    text = CODEC.to_json(Tray, tray)
    again = CODEC.from_json(Tray, text)
    assert again == tray
    assert CODEC.to_json(Tray, again) == text


@few
@given(st.sampled_from([Table, Round, Link]).flatmap(values_of))
def test_states_survive_as_snapshots_hold_them(value: Any) -> None:
    form = type(value)
    assert CODEC.from_json(form, CODEC.to_json(form, value)) == value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "As", "1.1", "red"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["number", "kind", "cents", "1"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@few
@given(st.dictionaries(st.sampled_from([*WRONG, "number"]), JSON, max_size=4))
def test_whatever_is_read_is_refused_in_words_or_survives(plain: dict[str, Any]) -> None:
    try:
        tray = CODEC.from_plain(Tray, plain)
    except CodecError:
        return
    assert CODEC.from_json(Tray, CODEC.to_json(Tray, tray)) == tray


def test_a_category_is_a_number_and_not_a_bool() -> None:
    assert CODEC.from_json(Category, "1") is Category(1)
    for text in ("true", "1.0", '"1"'):
        with pytest.raises(CodecError, match="is not a Category"):
            CODEC.from_json(Category, text)


@few
@given(st.data())
@pytest.mark.parametrize("form", [Line, Settlement, Wager, Table, Round])
def test_the_encoder_of_a_class_does_what_a_loop_over_its_fields_does(
    form: Any, data: st.DataObject
) -> None:
    value = data.draw(values_of(form))
    plain = {}
    hints = get_type_hints(form)
    for part in fields(form):
        held, default = getattr(value, part.name), part.default
        if part.default_factory is not MISSING:
            default = part.default_factory()
        if part.metadata.get("stored", True) and (default is MISSING or held != default):
            plain[part.name] = CODEC.to_plain(hints[part.name], held)
    assert list(CODEC.to_plain(form, value).items()) == list(plain.items())
