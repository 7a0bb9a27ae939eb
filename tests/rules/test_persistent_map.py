"""Persistent maps and sets beside the dict and the set that they stand for."""

import pickle
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from random import Random

import pytest

from openfelt.rules.persistent_map import (
    SMALL,
    PersistentMap,
    PersistentSet,
    set_of,
    with_item,
    without_item,
    without_member,
)
from openfelt.rules.wagers import Spot


@pytest.mark.parametrize("size", [3, SMALL, SMALL + 1, 600])
def test_a_map_is_the_dict_of_the_same_changes(size: int) -> None:
    chance = Random(size)
    held: Mapping[Spot, int] = {}
    plain: dict[Spot, int] = {}
    earlier = []
    for step in range(4 * size):
        spot = Spot(chance.randrange(1, size + 1), chance.randrange(1, 3))
        if chance.random() < 0.3:
            held, plain = without_item(held, spot), dict(plain)
            plain.pop(spot, None)
        else:
            held, plain = with_item(held, spot, step), {**plain, spot: step}
        if step % size == 0:
            earlier.append((held, plain))
        assert (held.get(spot), spot in held, len(held)) == (
            plain.get(spot),
            spot in plain,
            len(plain),
        )
    for old, same in [*earlier, (held, plain)]:
        # The order is the dict's as well, and a later change has left each map as it was.
        assert list(old.items()) == list(same.items())
        assert list(old) == list(old.keys()) == list(same)
        assert list(old.values()) == list(same.values())
        assert old == same
        assert same == old
        assert old != {**same, Spot(size + 1, 1): 0}


def test_a_key_keeps_its_place_until_it_is_taken_out() -> None:
    held: Mapping[int, str] = PersistentMap.of(dict.fromkeys(range(100), ""))
    held = with_item(held, 40, "changed")
    assert list(held)[40] == 40
    held = with_item(without_item(held, 40), 40, "put back")
    assert list(held)[-1] == 40
    assert list(pickle.loads(pickle.dumps(held)).items()) == list(held.items())


def test_a_missing_key_is_refused_and_changes_nothing() -> None:
    held = PersistentMap.of({1: "a"})
    with pytest.raises(KeyError):
        held[2]
    assert without_item(held, 2) is held
    assert held.get(2, "default") == "default"


@pytest.mark.parametrize("size", [2, SMALL + 1, 300])
def test_a_set_is_the_frozenset_of_the_same_members(size: int) -> None:
    held: AbstractSet[int] = set_of(range(size))
    plain = frozenset(range(size))
    for member in Random(size).sample(range(size + 5), size):
        held, plain = without_member(held, member), plain - {member}
        assert held == plain
        assert plain == held
        assert (len(held), member in held) == (len(plain), False)
    assert sorted(held) == sorted(plain)
    assert bool(held) == bool(plain)


def test_a_large_set_subtracts_and_is_read_back() -> None:
    held = PersistentSet(range(100))
    assert held - {1, 2} == frozenset(range(100)) - {1, 2}
    assert hash(held) == hash(PersistentSet(reversed(range(100))))
    assert pickle.loads(pickle.dumps(held)) == held
    assert held.without(1000) is held
