"""Maps and sets that share their parts with the value they came from.

A state is a frozen value, so a bet in a hall of two thousand would copy two thousand hands to
change one. Here a small map is a plain dict, which is quickest to copy. A large one is kept in
leaves, by the hash of its keys: a change copies one leaf and the list of leaves, and all other
leaves are shared with the map before. Entries keep the order in which their keys were added, as in
a dict, because the order of hands is stored in settlements.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeVar

K = TypeVar("K")
V = TypeVar("V")

SMALL: Final = 32
"""Up to this many entries, a map is a dict."""
LEAVES: Final = 64
"""How many leaves a large map has. In a hall of two thousand a leaf holds about thirty entries."""

_MASK: Final = LEAVES - 1
_Leaves = tuple[dict[K, V], ...]


def with_item(held: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    """The map with one more entry, or with another value of a key, which keeps its place.

    >>> dict(with_item({1: "a"}, 2, "b"))
    {1: 'a', 2: 'b'}
    """
    # The exact class is asked for first: both are abstract maps, whose isinstance is slow.
    if type(held) is dict and len(held) <= SMALL:
        return {**held, key: value}
    persistent = held if type(held) is PersistentMap else PersistentMap.of(held)
    return persistent.changed(key, value)


def without_item(held: Mapping[K, V], key: K) -> Mapping[K, V]:
    """The map without an entry; the same map if it has no such key.

    >>> without_item({1: "a", 2: "b"}, 2)
    {1: 'a'}
    """
    if key not in held:
        return held
    if type(held) is dict and len(held) <= SMALL:
        return {held_key: value for held_key, value in held.items() if held_key != key}
    persistent = held if type(held) is PersistentMap else PersistentMap.of(held)
    return persistent.removed(key)


class PersistentMap(Mapping[K, V]):
    """A large map. It is a value: a change gives another map.

    Its keys and their order are kept apart from the values, and shared as long as only values
    change.
    """

    __slots__ = ("_items", "_keys", "_leaves", "_next", "_places", "_size")

    _leaves: _Leaves[K, V]
    _places: _Leaves[K, int]
    """The place of each key in the order of the map."""
    _next: int
    """The place of the next key that is added."""
    _size: int
    _keys: list[K] | None
    """All keys in order, once a caller has gone through them."""
    _items: dict[K, V] | None
    """All entries in order, likewise."""

    @classmethod
    def of(cls, entries: Mapping[K, V]) -> "PersistentMap[K, V]":
        """The same entries in the same order."""
        leaves: list[dict[K, V]] = [{} for _ in range(LEAVES)]
        places: list[dict[K, int]] = [{} for _ in range(LEAVES)]
        for place, (key, value) in enumerate(entries.items()):
            at = hash(key) & _MASK
            leaves[at][key] = value
            places[at][key] = place
        size = len(entries)
        return cls._made(tuple(leaves), tuple(places), size, size, list(entries))

    @classmethod
    def _made(
        cls,
        leaves: _Leaves[K, V],
        places: _Leaves[K, int],
        next_place: int,
        size: int,
        keys: list[K] | None,
    ) -> "PersistentMap[K, V]":
        made = object.__new__(cls)
        made._leaves, made._places, made._next = leaves, places, next_place
        made._size, made._keys, made._items = size, keys, None
        return made

    def changed(self, key: K, value: V) -> "PersistentMap[K, V]":
        """The map with this value of a key."""
        at = hash(key) & _MASK
        leaf = self._leaves[at]
        leaves = _with_leaf(self._leaves, at, {**leaf, key: value})
        if key in leaf:
            return self._made(leaves, self._places, self._next, self._size, self._keys)
        places = _with_leaf(self._places, at, {**self._places[at], key: self._next})
        return self._made(leaves, places, self._next + 1, self._size + 1, None)

    def removed(self, key: K) -> "PersistentMap[K, V]":
        """The map without a key that it has."""
        at = hash(key) & _MASK
        leaf, placed = dict(self._leaves[at]), dict(self._places[at])
        del leaf[key], placed[key]
        leaves, places = _with_leaf(self._leaves, at, leaf), _with_leaf(self._places, at, placed)
        return self._made(leaves, places, self._next, self._size - 1, None)

    def __getitem__(self, key: K) -> V:
        return self._leaves[hash(key) & _MASK][key]

    def get(self, key: K, default: Any = None) -> Any:
        """The value of a key, or the default."""
        return self._leaves[hash(key) & _MASK].get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._leaves[hash(key) & _MASK]

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[K]:
        return iter(self._in_order())

    def items(self) -> Any:
        """All entries, in the order in which their keys were added."""
        return self._whole().items()

    def values(self) -> Any:
        """All values, in the same order."""
        return self._whole().values()

    def keys(self) -> Any:
        """All keys, in the same order."""
        return self._whole().keys()

    def _in_order(self) -> list[K]:
        if self._keys is None:
            placed = {key: place for leaf in self._places for key, place in leaf.items()}
            self._keys = sorted(placed, key=placed.__getitem__)
        return self._keys

    def _whole(self) -> dict[K, V]:
        if self._items is None:
            leaves = self._leaves
            self._items = {key: leaves[hash(key) & _MASK][key] for key in self._in_order()}
        return self._items

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PersistentMap):
            return self._whole() == other._whole()
        return self._whole() == other if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._whole())

    def __reduce__(self) -> Any:
        return PersistentMap.of, (self._whole(),)


def _with_leaf(leaves: _Leaves[K, V], at: int, leaf: dict[K, V]) -> _Leaves[K, V]:
    changed = list(leaves)
    changed[at] = leaf
    return tuple(changed)


class PersistentSet(AbstractSet[K]):
    """A large set. It is a value: taking a member out gives another set."""

    __slots__ = ("_leaves", "_size")

    def __init__(self, members: Iterable[K] = ()) -> None:
        leaves: list[set[K]] = [set() for _ in range(LEAVES)]
        for member in members:
            leaves[hash(member) & _MASK].add(member)
        self._leaves = tuple(map(frozenset, leaves))
        self._size = sum(map(len, leaves))

    def without(self, member: K) -> "PersistentSet[K]":
        """The set without one of its members."""
        at = hash(member) & _MASK
        leaf = self._leaves[at]
        if member not in leaf:
            return self
        leaves = list(self._leaves)
        leaves[at] = leaf - {member}
        left: PersistentSet[K] = object.__new__(PersistentSet)
        left._leaves, left._size = tuple(leaves), self._size - 1
        return left

    def __contains__(self, member: object) -> bool:
        return member in self._leaves[hash(member) & _MASK]

    def __iter__(self) -> Iterator[K]:
        return (member for leaf in self._leaves for member in leaf)

    def __len__(self) -> int:
        return self._size

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __repr__(self) -> str:
        return f"PersistentSet({list(self)!r})"

    def __reduce__(self) -> Any:
        return PersistentSet, (list(self),)


def set_of(members: Iterable[K]) -> AbstractSet[K]:
    """These members as a set: a frozenset if they are few.

    >>> sorted(set_of([2, 1]))
    [1, 2]
    """
    few = frozenset(members)
    return few if len(few) <= SMALL else PersistentSet(few)


def without_member(held: AbstractSet[K], member: K) -> AbstractSet[K]:
    """The set without one of its members.

    >>> without_member(frozenset({1, 2}), 2)
    frozenset({1})
    """
    if type(held) is frozenset and len(held) <= SMALL:
        return held - {member}
    persistent = held if type(held) is PersistentSet else PersistentSet(held)
    return persistent.without(member)
