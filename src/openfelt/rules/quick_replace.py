"""Frozen values made and copied quickly, because every event makes and copies some.

The methods that ``dataclasses`` writes pass each field of a frozen value through a call. Here a
value is filled while it belongs to a twin class, which has the same fields and is not frozen, and
then becomes a value of the frozen class. Type checkers see the standard functions, so a wrong
field is found all the same; ``tests/rules/test_quick_replace.py`` compares both.
"""

import dataclasses
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

__all__ = ["copier", "maker", "quickly_made", "quickly_replaced", "replace"]

_Class = TypeVar("_Class", bound=type)
_Value = TypeVar("_Value")
_Fields = ParamSpec("_Fields")
_Copy = Callable[..., Any]

_COPIES: Final[dict[type, _Copy]] = {}
"""For each class that is copied this way, what copies a value as one of its twin class."""
_TWINS: Final[dict[type, type]] = {}


def quickly_replaced(cls: _Class) -> _Class:
    """Mark a frozen dataclass with slots, whose values consist of their fields and nothing else.

    A value must have no ``__post_init__`` that checks it.
    """
    names, twin = _fields_of(cls), _twin_of(cls)
    lines = "".join(f"    _copied.{name} = _value.{name}\n" for name in names)
    source = f"def copy(_value):\n    _copied = _twin()\n{lines}    return _copied\n"
    _COPIES[cls] = _compiled(source, "copy", _twin=twin)
    return cls


def quickly_made(cls: _Class) -> _Class:
    """Give a frozen dataclass with slots a constructor that takes a call less for each field.

    Its parameters and their defaults are those of the standard one.
    """
    made = _constructor(
        cls,
        "def __init__({given}):\n    _assign(self, '__class__', _twin)\n{lines}"
        "    self.__class__ = _cls\n",
        name="__init__",
        me="self",
    )
    type.__setattr__(cls, "__init__", made)
    return cls


def maker(cls: Callable[_Fields, _Value]) -> Callable[_Fields, _Value]:
    """A function that makes a value as the constructor of its class does, for loops over many.

    It takes half the time of a quick constructor, and a third if fields are given by name: a class
    that is called puts the names into a dict first. The class may have no slots, so that its
    values can keep what they have computed.
    """
    make: Callable[_Fields, _Value] = _constructor(
        cls,
        "def make({given}):\n    _made = _twin()\n{lines}    _made.__class__ = _cls\n"
        "    return _made\n",
        name="make",
        me="_made",
    )
    return make


def _constructor(cls: Any, source: str, *, name: str, me: str) -> Any:
    """A function from source, with the parameters and the defaults of the standard constructor."""
    names, twin = _fields_of(cls, slots=me == "self"), _twin_of(cls)
    standard: Any = vars(cls)["__init__"]
    parameters = inspect.signature(standard).parameters
    if tuple(parameters) != ("self", *names):
        raise TypeError(f"{cls.__name__} is made of values other than its fields")
    factories = {
        f"_make_{field.name}": field.default_factory
        for field in dataclasses.fields(cls)
        if field.default_factory is not dataclasses.MISSING
    }
    code = standard.__code__
    given = ["self", *names][: code.co_argcount]
    if code.co_kwonlyargcount:
        given += ["*", *names[code.co_argcount - 1 :]]
    lines = "".join(
        f"    {me}.{name} = _make_{name}() if {name} is _absent else {name}\n"
        if f"_make_{name}" in factories
        else f"    {me}.{name} = {name}\n"
        for name in names
    )
    absent = next((parameters[name[6:]].default for name in factories), None)
    scope = {"_twin": twin, "_cls": cls, "_assign": object.__setattr__, "_absent": absent}
    written = source.format(given=", ".join(given if me == "self" else given[1:]), lines=lines)
    made: Any = _compiled(written, name, **scope, **factories)
    for attribute in ("__defaults__", "__kwdefaults__", "__annotations__", "__qualname__"):
        setattr(made, attribute, getattr(standard, attribute))
    return made


def copier(cls: type[_Value], *changed: str) -> Callable[..., _Value]:
    """A function that copies a value with other values of these fields, in this order.

    It takes half the time of ``replace``, and is for the few copies that every card makes.
    """
    names, twin = _fields_of(cls), _twin_of(cls)
    if not set(changed) <= set(names):
        raise TypeError(f"{cls.__name__} has no such fields: {', '.join(changed)}")
    lines = "".join(
        f"    _copied.{name} = {name if name in changed else '_value.' + name}\n" for name in names
    )
    source = (
        f"def copy(_value, {', '.join(changed)}):\n    _copied = _twin()\n{lines}"
        "    _copied.__class__ = _cls\n    return _copied\n"
    )
    return _compiled(source, "copy", _twin=twin, _cls=cls)


def _fields_of(cls: type, *, slots: bool = True) -> tuple[str, ...]:
    if not dataclasses.is_dataclass(cls) or hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} is not a plain dataclass")
    names = tuple(field.name for field in dataclasses.fields(cls))
    if (slots or _has_slots(cls)) and set(getattr(cls, "__slots__", ())) != set(names):
        raise TypeError(f"{cls.__name__} has slots other than its fields")
    if any(name.startswith("_") or name == "self" for name in names):
        # The functions that are written here keep such names for themselves.
        raise TypeError(f"{cls.__name__} has a field that begins with an underscore")
    return names


def _has_slots(cls: type) -> bool:
    return any("__slots__" in vars(base) for base in cls.__mro__)


def _twin_of(cls: type) -> type:
    """The class with the same fields that is not frozen."""
    if cls not in _TWINS:
        slots = {"__slots__": _fields_of(cls)} if _has_slots(cls) else {}
        _TWINS[cls] = type(f"{cls.__name__}Twin", (), slots)
    return _TWINS[cls]


def _compiled(source: str, name: str, **scope: Any) -> _Copy:
    """A function with one assignment for each field, as ``dataclasses`` writes its own methods."""
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
