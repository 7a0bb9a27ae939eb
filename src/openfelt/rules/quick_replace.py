"""Frozen values made and copied quickly, because every event makes and copies some.

The methods that ``dataclasses`` writes pass each field of a frozen value through a call. Here a
value is filled while it belongs to a twin class, which has the same fields and is not frozen, and
then becomes a value of the frozen class. Type checkers see the standard functions, so a wrong
field is found all the same; ``tests/rules/test_quick_replace.py`` compares both.
"""

import dataclasses
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

__all__ = ["copier", "maker", "quickly_made", "quickly_replaced", "replace"]

_Class = TypeVar("_Class", bound=type)
_Value = TypeVar("_Value")
_Copy = Callable[..., Any]

_COPIES: Final[dict[type, _Copy]] = {}
"""For each class that is copied this way, what copies a value as one of its twin class."""
_TWINS: Final[dict[type, type]] = {}


def quickly_replaced(cls: _Class) -> _Class:
    """Mark a frozen dataclass with slots, whose values consist of their fields and nothing else.

    A value must have no ``__post_init__`` that checks it.
    """
    names, twin = _fields_of(cls), _twin_of(cls)
    lines = "".join(f"    copied.{name} = value.{name}\n" for name in names)
    source = f"def copy(value):\n    copied = new(twin)\n{lines}    return copied\n"
    _COPIES[cls] = _compiled(source, "copy", twin=twin)
    return cls


def quickly_made(cls: _Class) -> _Class:
    """Give a frozen dataclass with slots a constructor that takes a call less for each field.

    Its parameters and their defaults are those of the standard one.
    """
    names, twin = _fields_of(cls), _twin_of(cls)
    standard: Any = vars(cls)["__init__"]
    parameters = inspect.signature(standard).parameters
    if tuple(parameters) != ("self", *names):
        raise TypeError(f"{cls.__name__} is made of other values than its fields")
    factories = {
        f"make_{field.name}": field.default_factory
        for field in dataclasses.fields(cls)
        if field.default_factory is not dataclasses.MISSING
    }
    code = standard.__code__
    given = ["self", *names][: code.co_argcount]
    if code.co_kwonlyargcount:
        given += ["*", *names[code.co_argcount - 1 :]]
    lines = "".join(
        f"    self.{name} = make_{name}() if {name} is absent else {name}\n"
        if f"make_{name}" in factories
        else f"    self.{name} = {name}\n"
        for name in names
    )
    absent = next((parameters[name[5:]].default for name in factories), None)
    source = (
        f"def __init__({', '.join(given)}):\n    assign(self, '__class__', twin)\n{lines}"
        "    self.__class__ = cls\n"
    )
    scope = {"twin": twin, "cls": cls, "assign": object.__setattr__, "absent": absent}
    made = _compiled(source, "__init__", **scope, **factories)
    for name in ("__defaults__", "__kwdefaults__", "__annotations__", "__qualname__"):
        setattr(made, name, getattr(standard, name))
    type.__setattr__(cls, "__init__", made)
    return cls


def maker(cls: type[_Value]) -> Callable[..., _Value]:
    """A function that makes a value of a class of a layer below, given all fields in order.

    It takes half the time of the constructor.
    """
    names, twin = _fields_of(cls), _twin_of(cls)
    lines = "".join(f"    made.{name} = {name}\n" for name in names)
    source = (
        f"def make({', '.join(names)}):\n    made = new(twin)\n{lines}"
        "    made.__class__ = cls\n    return made\n"
    )
    return _compiled(source, "make", twin=twin, cls=cls)


def copier(cls: type[_Value], *changed: str) -> Callable[..., _Value]:
    """A function that copies a value with other values of these fields, in this order.

    It takes half the time of ``replace``, and is for the few copies that every card makes.
    """
    names, twin = _fields_of(cls), _twin_of(cls)
    if not set(changed) <= set(names):
        raise TypeError(f"{cls.__name__} has no such fields: {', '.join(changed)}")
    lines = "".join(
        f"    copied.{name} = {name if name in changed else 'value.' + name}\n" for name in names
    )
    source = (
        f"def copy(value, {', '.join(changed)}):\n    copied = new(twin)\n{lines}"
        "    copied.__class__ = cls\n    return copied\n"
    )
    return _compiled(source, "copy", twin=twin, cls=cls)


def _fields_of(cls: type) -> tuple[str, ...]:
    if not dataclasses.is_dataclass(cls) or hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} is not a plain dataclass")
    names = tuple(field.name for field in dataclasses.fields(cls))
    if set(getattr(cls, "__slots__", ())) != set(names):
        raise TypeError(f"{cls.__name__} has other slots than its fields")
    return names


def _twin_of(cls: type) -> type:
    """The class with the same fields that is not frozen."""
    if cls not in _TWINS:
        _TWINS[cls] = type(f"{cls.__name__}Twin", (), {"__slots__": _fields_of(cls)})
    return _TWINS[cls]


def _compiled(source: str, name: str, **scope: Any) -> _Copy:
    """A function with one assignment for each field, as ``dataclasses`` writes its own methods."""
    scope["new"] = object.__new__
    exec(source, scope)  # noqa: S102 (the names are those of the fields)
    function: _Copy = scope[name]
    return function


if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """The value with other fields, as ``dataclasses.replace`` makes it."""
        kind = type(value)
        copy = _COPIES.get(kind)
        if copy is None:
            return dataclasses.replace(value, **changes)
        copied = copy(value)
        for name, changed in changes.items():
            setattr(copied, name, changed)
        copied.__class__ = kind
        return copied
