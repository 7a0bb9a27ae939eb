"""What has changed between two views, as a JSON merge patch (RFC 7396)."""

from typing import Any

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
