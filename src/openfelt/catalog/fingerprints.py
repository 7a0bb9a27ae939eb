"""Fingerprints of houses, and houses with changed rules and new fingerprints."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType
from typing import Any

import msgspec

from openfelt.cards import Card
from openfelt.catalog.clauses import LOST_FACE_DOWN
from openfelt.rules.house import ADDED_LATER, DealerMode, House


def fingerprint(house: House) -> str:
    """A SHA-256 over every rule of the house, independent of the layout of its file.

    A field that was added after databases existed has ``metadata=ADDED_LATER`` and is left
    out while it has its default value. The fingerprints of old rules therefore stay the
    same, and rounds that were played under them still find their rules.
    """
    plain = _plain(replace(house, fingerprint=""))
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


def amounts_fingerprint(house: House) -> str:
    """The fingerprint of the rules without those that decide only which hands are shown.

    Houses for which it is the same settle every round alike, to the cent. For a house without such
    rules, it is the house's fingerprint.

    >>> from openfelt.catalog import load_house
    >>> california = load_house("california")
    >>> amounts_fingerprint(california) == california.fingerprint
    False
    """
    if not house.folds_face_down:
        return house.fingerprint
    clauses = {
        outcome: clause
        for outcome, clause in house.clauses.items()
        if outcome not in LOST_FACE_DOWN
    }
    return fingerprint(replace(house, folds_face_down=False, clauses=clauses))


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


def _plain(value: Any) -> Any:
    return _form(value.__class__)(value)


@cache
def _form(kind: type[Any]) -> Callable[[Any], Any]:
    """How a value of a class is written; a house has thousands of values of a few classes."""
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, Fraction | Card):
        return str
    if issubclass(kind, tuple):
        return lambda value: [_plain(part) for part in value]
    if issubclass(kind, Mapping):
        return lambda value: {key: _plain(part) for key, part in value.items()}
    if issubclass(kind, NoneType | bool | int | str | date):
        return lambda value: value
    if not is_dataclass(kind):
        raise NotImplementedError(f"a house cannot contain {kind}")
    named = [
        (field.name, field.default if field.metadata == ADDED_LATER else MISSING)
        for field in fields(kind)
    ]
    return lambda value: {
        name: _plain(part) for name, default in named if (part := getattr(value, name)) != default
    }
