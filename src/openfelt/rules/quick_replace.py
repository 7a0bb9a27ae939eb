"""``dataclasses.replace`` for frozen values, which every event copies.

The standard function looks at every field in turn and passes it through ``__init__``; for the
thirty fields of a table it takes as long as all checks of a bet. Here a copy is filled as a value
of a twin class, which has the same fields and is not frozen, and then becomes a value of the frozen
class. Type checkers see the standard function, so a wrong field is found all the same.
"""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

__all__ = ["quickly_replaced", "replace"]

_Class = TypeVar("_Class", bound=type)
_Copy = Callable[[Any], Any]

_TWINS: Final[dict[type, _Copy]] = {}
"""For each class that is copied this way, what copies a value as one of its twin class."""


def quickly_replaced(cls: _Class) -> _Class:
    """Mark a frozen dataclass with slots, whose values consist of their fields and nothing else.

    A value must have no ``__post_init__`` that checks it.
    """
    if not dataclasses.is_dataclass(cls) or hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} is not a plain dataclass")
    names = tuple(field.name for field in dataclasses.fields(cls))
    if set(getattr(cls, "__slots__", ())) != set(names):
        raise TypeError(f"{cls.__name__} has other slots than its fields")
    _TWINS[cls] = _copy_as_twin(cls, names)
    return cls


def _copy_as_twin(cls: type, names: tuple[str, ...]) -> _Copy:
    """A function with one assignment for each field, as ``dataclasses`` writes its own methods."""
    twin = type(f"{cls.__name__}Twin", (), {"__slots__": names})
    lines = "".join(f"    copied.{name} = value.{name}\n" for name in names)
    source = f"def copy(value):\n    copied = new(twin)\n{lines}    return copied\n"
    scope: dict[str, Any] = {"new": object.__new__, "twin": twin}
    exec(source, scope)  # noqa: S102 (the names are those of the fields)
    copy: _Copy = scope["copy"]
    return copy


if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """The value with other fields, as ``dataclasses.replace`` makes it."""
        kind = type(value)
        copy = _TWINS.get(kind)
        if copy is None:
            return dataclasses.replace(value, **changes)
        copied = copy(value)
        for name, changed in changes.items():
            setattr(copied, name, changed)
        copied.__class__ = kind
        return copied
