"""``dataclasses.replace`` for large frozen values, which every event copies.

The standard function looks at every field in turn and passes it through ``__init__``; for the
thirty fields of a table it takes as long as all checks of a bet. Here the fields are copied in one
go. Type checkers see the standard function, so a wrong field is found all the same.
"""

import dataclasses
from collections import deque
from collections.abc import Callable
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

__all__ = ["quickly_replaced", "replace"]

_Class = TypeVar("_Class", bound=type)

_QUICK: Final[dict[type, tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]]] = {}
"""For each class that is copied this way, the names of its fields and what reads them all."""
_set: Final = object.__setattr__


def quickly_replaced(cls: _Class) -> _Class:
    """Mark a frozen dataclass with slots, whose values consist of their fields and nothing else.

    A value must have no ``__post_init__`` that checks it.
    """
    if not dataclasses.is_dataclass(cls) or hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} is not a plain dataclass")
    names = tuple(field.name for field in dataclasses.fields(cls))
    if set(getattr(cls, "__slots__", ())) != set(names) or len(names) < 2:
        raise TypeError(f"{cls.__name__} has other slots than its fields")
    _QUICK[cls] = names, attrgetter(*names)
    return cls


if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """The value with other fields, as ``dataclasses.replace`` makes it."""
        kind = type(value)
        if kind not in _QUICK:
            return dataclasses.replace(value, **changes)
        names, values_of = _QUICK[kind]
        copied = object.__new__(kind)
        deque(map(_set, repeat(copied), names, values_of(value)), maxlen=0)
        for name, changed in changes.items():
            _set(copied, name, changed)
        return copied
