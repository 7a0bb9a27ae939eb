"""Fingerprints of houses, and houses with changed rules and new fingerprints."""

import hashlib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, Final

import msgspec

from openfelt.cards import Card
from openfelt.rules.house import ADDED_LATER, DealerMode, House


def fingerprint(house: House) -> str:
    """A SHA-256 over every rule of the house, independent of the layout of its file.

    A field that was added after databases existed has ``metadata=ADDED_LATER`` and is left
    out while it has its default value. The fingerprints of old rules therefore stay the
    same, and rounds that were played under them still find their rules.
    """
    plain = _plain(replace(house, fingerprint=""))
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


def fingerprinted(house: House) -> House:
    """The house under the fingerprint of its rules."""
    return replace(house, fingerprint=fingerprint(house))


def house_with(house: House, **changes: Any) -> House:
    """The house with some of its fields replaced, under the fingerprint of the changed rules.

    >>> from openfelt.catalog import load_house
    >>> stadium = load_house("stadium")
    >>> house_with(stadium, seats=9).fingerprint == stadium.fingerprint
    False
    """
    return fingerprinted(replace(house, **changes))


def dealt_by_either(house: House) -> House:
    """The house with a live or a virtual dealer, where it allows live dealers only.

    >>> from openfelt.catalog import load_house
    >>> dealt_by_either(load_house("washington")).dealer_mode.value
    'either'
    """
    if house.dealer_mode is not DealerMode.LIVE:
        return house
    return house_with(house, dealer_mode=DealerMode.EITHER)


_UNCHANGED: Final = frozenset({bool, date, int, str, type(None)})
"""The types of most values, which are written as they are."""


def _plain(value: Any) -> Any:
    if type(value) in _UNCHANGED:
        return value
    match value:
        case Enum():
            return value.value
        case Fraction() | Card():
            return str(value)
        case tuple():
            return [_plain(part) for part in value]
        case Mapping():
            return {key: _plain(part) for key, part in value.items()}
        case None | bool() | int() | str() | date():
            return value
    kind: type[Any] = type(value)
    if not is_dataclass(kind):
        raise NotImplementedError(f"a house cannot contain {kind}")
    return {
        name: _plain(part)
        for name, default in _fields_of(kind)
        if (part := getattr(value, name)) != default
    }


@cache
def _fields_of(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    """The names of a class's fields, each with the value with which it is left out, if any."""
    return tuple(
        (field.name, field.default if field.metadata == ADDED_LATER else MISSING)
        for field in fields(kind)
    )
