"""What has changed between two views, as a merge patch."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, to_builtins

from openfelt.protocol.merge_patch import apply_patch, merge_patch, view_patch

KEYS = st.sampled_from(["a", "b", "c", "d"])
LEAVES = st.none() | st.booleans() | st.integers(0, 3) | st.lists(st.integers(0, 2), max_size=2)
PLAIN = st.dictionaries(
    KEYS, LEAVES | st.dictionaries(KEYS, LEAVES | st.dictionaries(KEYS, LEAVES))
)


class Part(Struct, frozen=True):
    """A part of a view."""

    number: int | None
    words: list[str]


class View(Struct, frozen=True):
    """A view with a field of every kind that private views have."""

    name: str | None
    sealed: bool
    part: Part | None
    parts: list[Part]
    by_name: dict[str, Part | int | None]
    deep: dict[str, dict[str, int]] | None = None


PARTS = st.builds(Part, st.none() | st.integers(0, 2), st.lists(st.sampled_from("xy"), max_size=2))
VIEWS = st.builds(
    View,
    name=st.none() | st.sampled_from("ab"),
    sealed=st.booleans(),
    part=st.none() | PARTS,
    parts=st.lists(PARTS, max_size=2),
    by_name=st.dictionaries(KEYS, st.none() | st.integers(0, 2) | PARTS, max_size=3),
    deep=st.none()
    | st.dictionaries(KEYS, st.dictionaries(KEYS, st.integers(0, 1), max_size=2), max_size=2),
)


def without_nulls(value: Any) -> Any:
    """Null and missing are the same to a client that applies a patch."""
    if isinstance(value, dict):
        return {key: without_nulls(one) for key, one in value.items() if one is not None}
    return value


@given(PLAIN, PLAIN)
def test_a_patch_turns_the_one_into_the_other(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    patched = apply_patch(before, merge_patch(before, after))
    assert without_nulls(patched) == without_nulls(after)


@given(PLAIN)
def test_nothing_changed_is_an_empty_patch(plain: dict[str, Any]) -> None:
    assert merge_patch(plain, plain) == {}


def test_true_is_not_one() -> None:
    assert merge_patch({"a": 1}, {"a": True}) == {"a": True}


def test_an_object_in_place_of_a_list_is_whole() -> None:
    assert apply_patch({"a": [1]}, merge_patch({"a": [1]}, {"a": {"b": 2}})) == {"a": {"b": 2}}


@given(VIEWS, VIEWS)
def test_views_are_compared_as_their_plain_objects_are(before: View, after: View) -> None:
    patch = to_builtins(view_patch(before, after))
    assert patch == merge_patch(to_builtins(before), to_builtins(after))


def test_a_view_that_leaves_fields_out_has_no_patch() -> None:
    class Brief(Struct, omit_defaults=True):
        number: int = 0

    with pytest.raises(TypeError, match="Brief leaves fields out"):
        view_patch(Brief(), Brief(1))
