"""What has changed between two views, as a merge patch."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from openfelt.protocol.merge_patch import apply_patch, merge_patch

KEYS = st.sampled_from(["a", "b", "c", "d"])
LEAVES = st.none() | st.booleans() | st.integers(0, 3) | st.lists(st.integers(0, 2), max_size=2)
PLAIN = st.dictionaries(
    KEYS, LEAVES | st.dictionaries(KEYS, LEAVES | st.dictionaries(KEYS, LEAVES))
)


def without_nulls(value: Any) -> Any:
    """Null and missing are the same to whoever applies a patch."""
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
