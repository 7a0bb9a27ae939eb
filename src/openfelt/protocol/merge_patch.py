"""The changes between two views, as a JSON merge patch (RFC 7396)."""

from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

Plain = dict[str, Any]


def merge_patch(before: Plain, after: Plain) -> Plain:
    """The smallest patch that turns one object into the other; empty if they are equal.

    A removed key is null in the patch, so a null value and a missing value are the same to a
    client.

    >>> merge_patch({"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 4}})
    {'b': {'c': 4, 'd': None}}
    """
    patch: Plain = {}
    for key, value in after.items():
        old = before.get(key)
        if old is value:
            continue
        if isinstance(value, dict) and isinstance(old, dict):
            inner = merge_patch(old, value)
            if inner:
                patch[key] = inner
        elif old != value or type(old) is not type(value):
            patch[key] = value
    if before.keys() != after.keys():
        patch |= {key: None for key in before if key not in after and before[key] is not None}
    return patch


def view_patch(before: Struct, after: Struct) -> Plain:
    """The same patch for two views of one class, without making plain objects of them.

    Its values are those of the views, which encode as ``merge_patch`` of the plain objects would.
    """
    return _patcher(type(after))(before, after)


def _changed(old: Any, value: Any) -> Any:
    """A value that has changed; of objects, what has changed within, which may be nothing."""
    kind = type(value)
    if kind is dict and type(old) is dict:
        inner: Plain = {}
        for key, item in value.items():
            before, within = old.get(key), type(item)
            if within is type(before) and (within is dict or isinstance(item, Struct)):
                if part := _changed(before, item):
                    inner[key] = part
            elif before != item:
                inner[key] = item
        if old.keys() != value.keys():
            inner |= {key: None for key in old if key not in value and old[key] is not None}
        return inner
    if kind is type(old) and isinstance(value, Struct):
        return view_patch(old, value)
    return value


@cache
def _patcher(view: type[Struct]) -> Callable[[Struct, Struct], Plain]:
    """A function that compares two views of a class, with a few lines for each field."""
    if view.__struct_config__.omit_defaults:
        raise TypeError(f"{view.__name__} leaves fields out, so it has no patch")
    lines = ["def patch(before, after):", "    changes = {}"]
    hints = get_type_hints(view)
    for name in view.__struct_fields__:
        lines.append(f"    old, value = before.{name}, after.{name}")
        if _is_whole(hints[name]):
            lines += [
                "    if old is not value and old != value:",
                f"        changes['{name}'] = value",
            ]
            continue
        lines += [
            "    if type(value) is dict and type(old) is dict:",
            "        if part := changed(old, value):",
            f"            changes['{name}'] = part",
            "    elif old is not value and old != value:",
            f"        changes['{name}'] = changed(old, value)",
        ]
    scope: dict[str, Any] = {"changed": _changed}
    exec("\n".join([*lines, "    return changes"]), scope)  # noqa: S102 (the names are of fields)
    patch: Callable[[Struct, Struct], Plain] = scope["patch"]
    return patch


def _is_whole(hint: Any) -> bool:
    """Whether values of a type are sent whole when they change: they have no keys of their own."""
    return all(
        member in _WHOLE or get_origin(member) in (list, Literal)
        for member in (get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,))
    )


_WHOLE: Final = frozenset({bool, int, str, NoneType})


def apply_patch(before: Plain, patch: Plain) -> Plain:
    """The object after a patch, as every client applies it.

    >>> apply_patch({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"c": 4, "d": None}})
    {'a': 1, 'b': {'c': 4}}
    """
    after = dict(before)
    for key, value in patch.items():
        if value is None:
            after.pop(key, None)
        elif isinstance(value, dict):
            old = after.get(key)
            after[key] = apply_patch(old if isinstance(old, dict) else {}, value)
        else:
            after[key] = value
    return after
