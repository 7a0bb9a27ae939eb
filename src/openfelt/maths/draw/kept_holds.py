"""The stored best holds of Ultimate Draw: found once in half an hour, read in a moment.

The file has the holds of each class of hands, for the Ante alone and with one unit of each Bonus
table beside it, after a hash of them. `python -m tools.draw_counts` finds them again.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import permutations
from math import comb
from typing import Final

import numpy as np

from openfelt.maths.draw.holds import Holds
from openfelt.maths.holdem.deck_classes import classify_deck

HOLDS_FILE: Final = "best_draw_holds.bin"
_HAND: Final = 5
_DIGEST: Final = hashlib.sha256().digest_size
_CHOOSE: Final = np.array(
    [[comb(card, size) for size in range(1, _HAND + 1)] for card in range(52)], dtype=np.int64
)


@cache
def kept_holds(name: str) -> Holds:
    """The best holds of a strategy, for each class of hands.

    Raises ValueError if none are stored under this name, or if the file was altered.
    """
    whole = files("openfelt.maths.draw").joinpath(HOLDS_FILE).read_bytes()
    every = read_holds(whole)
    if name not in every:
        raise ValueError(f"no holds are kept for {name!r}; there are {', '.join(every)}")
    return every[name]


def write_holds(holds: Mapping[str, Holds]) -> bytes:
    """A file of holds: their hash, then, compressed, their names and the holds in sequence."""
    head = json.dumps({"names": list(holds)}).encode() + b"\n"
    body = head + b"".join(chosen.astype(np.uint8).tobytes() for chosen in holds.values())
    return hashlib.sha256(body).digest() + zlib.compress(body, 9)


def read_holds(whole: bytes) -> dict[str, Holds]:
    """Read a file of holds; raises ValueError if its hash does not match."""
    try:
        body = zlib.decompress(whole[_DIGEST:])
    except zlib.error:
        body = b""
    if hashlib.sha256(body).digest() != whole[:_DIGEST]:
        raise ValueError(f"{HOLDS_FILE} does not have the hash of its holds: it was altered")
    head, _, rest = body.partition(b"\n")
    names = json.loads(head)["names"]
    table = np.frombuffer(rest, dtype=np.uint8).reshape(len(names), -1)
    return dict(zip(names, table, strict=True))


def holds_of_all_hands(holds: Holds) -> Holds:
    """The holds of each of the 2,598,960 hands, by its number, from those of the classes.

    The number is the sum of C(k-th lowest card, k). Every hand is the representative of its class
    with other suits, which may change the order of its cards.
    """
    hands = classify_deck().hands.cards.astype(np.int64)
    held = np.zeros(comb(52, _HAND), dtype=np.uint8)
    bits = (holds[:, None] >> np.arange(_HAND)) & 1
    for suits in permutations(range(4)):
        cards = (hands & ~3) | np.array(suits)[hands & 3]
        order = np.argsort(cards, axis=1)
        cards = np.take_along_axis(cards, order, axis=1)
        numbers = _CHOOSE[cards, np.arange(_HAND)].sum(axis=1)
        held[numbers] = (np.take_along_axis(bits, order, axis=1) << np.arange(_HAND)).sum(axis=1)
    return held
