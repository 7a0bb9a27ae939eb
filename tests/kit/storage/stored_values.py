"""Values of any type that the store holds, made from the type alone."""

import dataclasses
import types
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from openfelt.cards import FULL_DECK, Card
from openfelt.catalog import load_catalog
from openfelt.rules.house import House
from openfelt.rules.wagers import Spot

HOUSES = {house.fingerprint: house for house in load_catalog().houses.values()}
"""The houses that stored values may name."""

_AMOUNTS = st.integers(-(10**15), 10**15)

_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    int: _AMOUNTS,
    str: st.text(max_size=20),
    bool: st.booleans(),
    date: st.dates(),
    Fraction: st.fractions(),
    Card: st.sampled_from(FULL_DECK),
    Spot: st.builds(Spot, st.integers(1, 9999), st.integers(1, 9)),
    House: st.sampled_from(list(HOUSES.values())),
    types.NoneType: st.none(),
}


@cache
def values_of(form: Any) -> st.SearchStrategy[Any]:
    """Values of a type, whatever they would mean."""
    if form in _PLAIN:
        return _PLAIN[form]
    origin, args = get_origin(form), get_args(form)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(values_of, args))
    if origin is tuple and args[1:] == (...,):
        return st.lists(values_of(args[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, args))
    if origin in (frozenset, AbstractSet):
        return st.frozensets(values_of(args[0]), max_size=3)
    if origin is not None and issubclass(origin, Mapping):
        return st.dictionaries(values_of(args[0]), values_of(args[1]), max_size=3)
    if issubclass(form, Enum):
        return st.sampled_from(form)
    hints = get_type_hints(form)
    names = [one.name for one in dataclasses.fields(form)] if is_dataclass(form) else list(hints)
    return st.builds(form, **{name: values_of(hints[name]) for name in names})


def is_dataclass(form: Any) -> bool:
    """Whether a type is a dataclass, and no named tuple."""
    return dataclasses.is_dataclass(form)
