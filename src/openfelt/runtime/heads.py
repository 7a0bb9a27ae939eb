"""Where all streams of a store end, at one moment if the store stands still for that long."""

from collections.abc import Mapping
from typing import Final

from openfelt.storage.door import Head, Store

ATTEMPTS_MAX: Final = 20


def read_heads(store: Store) -> dict[str, Head]:
    """The head of every stream that has events, one after another."""
    return {stream: store.head(stream) for stream in store.streams()}


def heads_at_one_moment(store: Store) -> tuple[dict[str, Head], bool]:
    """The heads of all streams, and whether they all stood so at one and the same moment.

    Streams only grow. So where two readings in a row give the same, everything stood like
    that between the two; a commit that wrote to several streams is then in all of them or
    in none. A store that is written to without a pause gives its last reading, and False.
    """
    before = read_heads(store)
    for _ in range(ATTEMPTS_MAX):
        now = read_heads(store)
        if same_ends(before, now):
            return now, True
        before = now
    return before, False


def same_ends(one: Mapping[str, Head], other: Mapping[str, Head]) -> bool:
    """Whether all streams end with the same events; leases may differ."""
    return {stream: head.hash for stream, head in one.items()} == {
        stream: head.hash for stream, head in other.items()
    }
