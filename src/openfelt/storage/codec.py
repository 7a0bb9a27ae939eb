"""The JSON form of stored values, derived from their types.

A field with its default value is left out, so a new field with a default does not change the
form of old events. A field whose metadata has ``stored`` as False is never stored. A value of a
union type names its class in ``kind``. Houses are stored once, and events refer to them by
fingerprint.
"""

import dataclasses
import operator
import re
import types
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from openfelt.cards import FULL_DECK, UNKNOWN_CARD, Card
from openfelt.rules.house import House
from openfelt.rules.wagers import Spot
from openfelt.storage.door import StoreError
from openfelt.storage.shown_names import shown

_Value = TypeVar("_Value")


class CodecError(StoreError):
    """A stored value is invalid; the sentence quotes nothing of it but names."""


class _NotStored(ValueError):
    """A plain value is not one of its type; the sentence may be shown."""


class Coder(NamedTuple):
    """The encoder and the decoder of one type, to and from plain JSON values."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


class Codec:
    """Reads and writes values by their types.

    ``house_of`` looks a house up by its fingerprint.

    >>> from openfelt.rules.wagers import Wager, WagerKind
    >>> codec = Codec(lambda fingerprint: None)
    >>> codec.to_json(Wager, Wager(WagerKind.ANTE, 1000))
    '{"kind":"ante","cents":1000}'
    """

    def __init__(self, house_of: Callable[[str], House | None]) -> None:
        self._house_of = house_of
        self._coders: dict[Any, Coder] = {}

    def to_json(self, form: Any, value: Any) -> str:
        """A value of this type as JSON."""
        return msgspec.json.encode(self._coder(form).encode(value)).decode()

    def to_plain(self, form: Any, value: Any) -> Any:
        """A value of this type as plain JSON values."""
        return self._coder(form).encode(value)

    def from_json(self, form: type[_Value], text: str) -> _Value:
        """The value in JSON text; raises CodecError if it is not of this type."""
        value: _Value = self.from_plain(form, read_json(text))
        return value

    def from_plain(self, form: Any, plain: Any) -> Any:
        """The value in plain JSON values; raises CodecError if it is not of this type."""
        try:
            return self._coder(form).decode(plain)
        except _NOT_STORED as error:
            name = getattr(form, "__name__", str(form))
            raise CodecError(f"This is not a stored {name}: {_reason(error)}") from error

    def house_to_json(self, house: House) -> str:
        """A whole house as JSON, for its rule set."""
        return msgspec.json.encode(self._whole_house.encode(house)).decode()

    def house_from_json(self, text: str) -> House:
        """The house in a rule set."""
        try:
            house = self._whole_house.decode(read_json(text))
        except _NOT_STORED as error:
            raise CodecError(f"This is not a stored house: {_reason(error)}") from error
        assert isinstance(house, House)
        return house

    @cached_property
    def _whole_house(self) -> Coder:
        return self._dataclass(House)

    # Coders by type -------------------------------------------------------------

    def _coder(self, form: Any) -> Coder:
        if form not in self._coders:
            self._coders[form] = self._make(form)
        return self._coders[form]

    def _make(self, form: Any) -> Coder:
        if form in _PLAIN:
            return _PLAIN[form]
        if form is House:
            return Coder(lambda house: house.fingerprint, self._house)
        origin = get_origin(form)
        if origin in (Union, types.UnionType):
            return self._union(form)
        if origin is tuple:
            return self._tuple(form)
        if origin in (frozenset, AbstractSet):
            inner = self._coder(get_args(form)[0])
            return Coder(
                lambda values: [inner.encode(value) for value in sorted(values)],
                lambda plain: frozenset(inner.decode(item) for item in _listed(plain)),
            )
        if origin is not None and issubclass(origin, Mapping):
            return self._mapping(form)
        if dataclasses.is_dataclass(form) and isinstance(form, type):
            return self._dataclass(form)
        if isinstance(form, type) and issubclass(form, Enum):
            return _enumeration(form)
        if isinstance(form, type) and issubclass(form, tuple):
            return self._named_tuple(form)
        raise TypeError(f"{form} has no stored form")

    def _house(self, fingerprint: str) -> House:
        house = self._house_of(fingerprint)
        if house is None:
            raise _NotStored(f"there is no rule set {shown(str(fingerprint)[:12])}")
        return house

    def _union(self, form: Any) -> Coder:
        """The coder of an optional value, or of one of several classes, which the value names."""
        members = [member for member in get_args(form) if member is not types.NoneType]
        inner = self._coder(members[0]) if len(members) == 1 else self._one_of(members)
        if len(members) == len(get_args(form)):
            return inner
        return Coder(
            lambda value: None if value is None else inner.encode(value),
            lambda plain: None if plain is None else inner.decode(plain),
        )

    def _one_of(self, members: list[Any]) -> Coder:
        coders = {member: self._coder(member) for member in members}
        kinds = {snake_case(member.__name__): member for member in members}
        if any("kind" in _hints(member) for member in members):
            raise TypeError("a class in a union cannot have a field called kind")

        def encode(value: Any) -> Any:
            kind = type(value)
            return {"kind": snake_case(kind.__name__), **coders[kind].encode(value)}

        def decode(plain: Any) -> Any:
            kind = kinds.get(plain["kind"])
            if kind is None:
                raise _NotStored(f"there is no kind {shown(plain['kind'])}")
            return coders[kind].decode({key: plain[key] for key in plain if key != "kind"})

        return Coder(encode, decode)

    def _tuple(self, form: Any) -> Coder:
        args = get_args(form)
        if len(args) == 2 and args[1] is Ellipsis:
            inner = self._coder(args[0])
            return Coder(
                lambda values: [inner.encode(value) for value in values],
                lambda plain: tuple(inner.decode(item) for item in _listed(plain)),
            )
        inners = [self._coder(arg) for arg in args]
        return Coder(
            lambda values: [
                coder.encode(value) for coder, value in zip(inners, values, strict=True)
            ],
            lambda plain: tuple(
                coder.decode(value) for coder, value in zip(inners, _listed(plain), strict=True)
            ),
        )

    def _mapping(self, form: Any) -> Coder:
        key, value = (self._coder(arg) for arg in get_args(form))
        read_key = _whole_number if get_args(form)[0] is int else key.decode
        return Coder(
            lambda values: {str(key.encode(k)): value.encode(v) for k, v in values.items()},
            lambda plain: {read_key(k): value.decode(v) for k, v in plain.items()},
        )

    def _named_tuple(self, form: type) -> Coder:
        inners = [self._coder(hint) for hint in _hints(form).values()]
        return Coder(
            lambda values: [
                coder.encode(value) for coder, value in zip(inners, values, strict=True)
            ],
            lambda plain: form(
                *(coder.decode(value) for coder, value in zip(inners, _listed(plain), strict=True))
            ),
        )

    def _dataclass(self, form: type) -> Coder:
        hints = _hints(form)
        fields = [
            (field.name, self._coder(hints[field.name]), _default(field))
            for field in dataclasses.fields(form)
            if field.metadata.get("stored", True)
        ]
        coders = {name: coder for name, coder, _ in fields}
        encode = _fields_encoder([(*field, hints[field[0]]) for field in fields])

        def decode(plain: Any) -> Any:
            if not plain.keys() <= coders.keys():
                raise _NotStored(f"there is no field {shown(min(plain.keys() - coders.keys()))}")
            return form(**{name: coders[name].decode(value) for name, value in plain.items()})

        return Coder(encode, decode)


def _fields_encoder(fields: list[tuple[str, Coder, Any, Any]]) -> Callable[[Any], Any]:
    """A function that encodes a value of these fields, with one line for each.

    A stadium encodes thousands of lines of a settlement at once; a loop over the fields would take
    twice as long. ``tests/storage/test_codec.py`` compares it with such a loop.
    """
    lines = ["def encode(value):", "    plain = {}"]
    scope: dict[str, Any] = {}
    for name, coder, default, hint in fields:
        scope[f"encode_{name}"], scope[f"default_{name}"] = coder.encode, default
        kept = f"held if type(held) is {hint.__name__} else " if hint in _AS_THEY_ARE else ""
        lines.append(f"    held = value.{name}")
        if default is _NO_DEFAULT:
            lines.append(f"    plain['{name}'] = {kept}encode_{name}(held)")
        else:
            # Most values are the default itself.
            lines.append(f"    if held is not default_{name} and held != default_{name}:")
            lines.append(f"        plain['{name}'] = {kept}encode_{name}(held)")
    source = "\n".join([*lines, "    return plain"])
    exec(_compiled(source), scope)  # noqa: S102 (the names are of fields)
    encode: Callable[[Any], Any] = scope["encode"]
    return encode


@cache
def _compiled(source: str) -> types.CodeType:
    """The code of an encoder. Every store has a codec, and all of them have the same encoders."""
    return compile(source, "<encoder>", "exec")


@cache
def _hints(form: type) -> Mapping[str, Any]:
    """The types of a class's fields, which take long to find."""
    return get_type_hints(form)


_NO_DEFAULT = object()
_AS_THEY_ARE = (int, str, bool)
"""The types whose values JSON has too; see ``_same``."""

_NOT_STORED = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""Errors of decoding plain values of another type."""


def _reason(error: Exception) -> str:
    """Why a value cannot be decoded. Errors other than our own may quote it."""
    return str(error) if isinstance(error, _NotStored) else type(error).__name__


def _default(field: "dataclasses.Field[Any]") -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return _NO_DEFAULT


def read_json(text: str) -> Any:
    """JSON text as plain values; raises CodecError if it is not JSON."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise CodecError(f"This is not JSON ({type(error).__name__}).") from error


@cache
def snake_case(name: str) -> str:
    """The stored name of a class.

    >>> snake_case("HandPaytable")
    'hand_paytable'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _same(form: type) -> Coder:
    """The coder of a type that JSON has too. A bool is not accepted as a number."""

    def checked(value: Any) -> Any:
        if type(value) is not form:
            raise _NotStored(f"{type(value).__name__} is not {form.__name__}")
        return value

    return Coder(checked, checked)


@cache
def _enumeration(form: type[Enum]) -> Coder:
    """The coder of an enumeration, by its values; 1, true and 1.0 are different values."""
    members = {(type(member.value), member.value): member for member in form}

    def decode(plain: Any) -> Any:
        member = members.get((type(plain), plain))
        if member is None:
            raise _NotStored(f"{shown(plain)} is not a {form.__name__}")
        return member

    return Coder(_VALUE, decode)


def _text(read: Callable[[str], Any], write: Callable[[Any], str] = str) -> Coder:
    """The coder of a value that is stored as text, in its one canonical form."""

    def decode(plain: Any) -> Any:
        value = read(plain)
        if write(value) != plain:
            raise _NotStored(f"{shown(plain)} is written otherwise")
        return value

    return Coder(write, decode)


def _listed(plain: Any) -> list[Any]:
    if not isinstance(plain, list):
        raise _NotStored(f"{type(plain).__name__} is not a list")
    return plain


def _whole_number(text: str) -> int:
    number = int(text)
    # A number is written one way only, so digits of other scripts, signs and spaces are refused.
    if str(number) != text:
        raise _NotStored(f"{shown(text)} is written otherwise")
    return number


def _fraction(text: str) -> Fraction:
    if not isinstance(text, str):
        raise _NotStored(f"{type(text).__name__} is not a fraction")
    return Fraction(text)


_VALUE = operator.attrgetter("_value_")
"""The value of a member. The property ``value`` takes four times as long."""
_CARDS = {str(card): card for card in (*FULL_DECK, UNKNOWN_CARD)}

_PLAIN: dict[Any, Coder] = {
    int: _same(int),
    str: _same(str),
    bool: _same(bool),
    date: _text(date.fromisoformat, date.isoformat),
    Fraction: _text(_fraction),
    Card: Coder(str, _CARDS.__getitem__),
    Spot: _text(Spot.parse),
}
