"""The counts of the holds of Ultimate Draw that may be the best, from which any terms are priced.

Of each class of hands, a file has exact wins less losses of its candidates, and bounds for all
other holds. None of them depends on what is paid.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw.final_hands import Numbers, Pays
from openfelt.maths.draw.holds import DrawHolds, Holds
from openfelt.maths.kernels.hold_counts import HOLDS
from openfelt.maths.kernels.house_way import HOLD_ALL

CANDIDATES_FILE: Final = "candidate_draw_counts.bin"
STEPS: Final = 1 << 14
"""How finely bounds are kept: a step is so small a part of all deals of a hand."""
STANDING_FLUSH: Final = HOLDS
"""The column of a bound for a flush that is held, beside those of the 32 holds."""
_DIGEST: Final = hashlib.sha256().digest_size
_HAND: Final = 5
Steps = npt.NDArray[np.int16]


@dataclass(frozen=True)
class SolvedPays:
    """The best hold of every class, where final hands pay so much."""

    pays: Pays
    """By category, beside the Ante itself: the Ante Bonus, and what a Bonus nets."""
    holds: Holds


@dataclass(frozen=True)
class CandidateCounts:
    """What is kept of a deck."""

    rows: Numbers
    """The class of each candidate other than the house way; ascending."""
    held: Holds
    """What each candidate holds."""
    gains: Numbers
    """Wins less losses of each candidate, less those of the house way, over all deals."""
    solved: tuple[SolvedPays, ...]
    """Payouts for which the best holds are known. All these holds are candidates."""
    house_way_least: Steps
    """By class, steps that wins less losses of the house way exceed, whatever the flushes are."""
    ranks_most: Steps
    """By the ranks of a hand and its hold, steps that wins less losses by ranks do not exceed."""

    def gain_table(self, classes: int) -> tuple[Numbers, npt.NDArray[np.bool_]]:
        """By class and hold, the gain over the house way, and whether it is kept."""
        gains = np.zeros((classes, HOLDS), dtype=np.int64)
        kept = np.zeros((classes, HOLDS), dtype=np.bool_)
        gains[self.rows, self.held] = self.gains
        kept[self.rows, self.held] = True
        return gains, kept


def ranks_of(holds: DrawHolds) -> tuple[Numbers, int]:
    """By class, the number of the ranks of its hand, and how many different ones there are."""
    different, number = np.unique(holds.hands >> 2, axis=0, return_inverse=True)
    return number.reshape(-1), len(different)


def bound_columns(holds: DrawHolds) -> Numbers:
    """By class and hold, the column of its bound: a flush that is held has its own."""
    columns = np.broadcast_to(np.arange(HOLDS), (len(holds.hands), HOLDS)).copy()
    flush = (holds.hands & 3 == holds.hands[:, :1] & 3).all(axis=1)
    columns[flush, HOLD_ALL] = STANDING_FLUSH
    return columns


def step_of(deals: int) -> int:
    """The size of a step, in deals."""
    return -(-deals // STEPS)


def write_candidates(counts: CandidateCounts) -> bytes:
    """A file of candidates: a hash, and compressed a line of JSON and the arrays after it.

    The bytes of each array are sorted by their place in a number, which compresses better.
    """
    per_class = np.bincount(counts.rows, minlength=len(counts.house_way_least)).astype(np.uint8)
    head: dict[str, Any] = {
        "classes": len(counts.house_way_least),
        "candidates": len(counts.rows),
        "ranks": len(counts.ranks_most),
        "solved": [{c.name: str(solved.pays[c]) for c in Category} for solved in counts.solved],
    }
    arrays = [
        per_class,
        counts.held.astype(np.uint8),
        _planes(counts.gains.astype("<i8")),
        *(solved.holds.astype(np.uint8) for solved in counts.solved),
        _planes(counts.house_way_least.astype("<i2")),
        _planes(counts.ranks_most.astype("<i2")),
    ]
    body = json.dumps(head).encode() + b"\n" + b"".join(array.tobytes() for array in arrays)
    return hashlib.sha256(body).digest() + zlib.compress(body, 9)


def read_candidates(whole: bytes) -> CandidateCounts:
    """Read a file of candidates; raises ValueError if its hash is another one."""
    try:
        body = zlib.decompress(whole[_DIGEST:])
    except zlib.error:
        body = b""
    if not body or hashlib.sha256(body).digest() != whole[:_DIGEST]:
        raise ValueError(f"{CANDIDATES_FILE} does not have the hash of its counts: it was altered")
    line, _, rest = body.partition(b"\n")
    head = json.loads(line)
    parts = _Parts(rest)
    classes, candidates = head["classes"], head["candidates"]
    per_class = parts.take(classes, 1).view(np.uint8)
    return CandidateCounts(
        rows=np.repeat(np.arange(classes), per_class),
        held=parts.take(candidates, 1).view(np.uint8),
        gains=parts.take(candidates, 8).view("<i8").astype(np.int64),
        solved=tuple(
            SolvedPays(_pays(pays), parts.take(classes, 1).view(np.uint8))
            for pays in head["solved"]
        ),
        house_way_least=parts.take(classes, 2).view("<i2"),
        ranks_most=parts.take(head["ranks"] * (HOLDS + 1), 2).view("<i2").reshape(-1, HOLDS + 1),
    )


@cache
def kept_candidates() -> CandidateCounts:
    """The candidates of the full deck; raises ValueError if the file was altered."""
    return read_candidates(_kept_file())


def _kept_file() -> bytes:
    return files("openfelt.maths.draw").joinpath(CANDIDATES_FILE).read_bytes()


def candidates_digest(whole: bytes) -> str:
    """The SHA-256 of the counts of a file, which it begins with, in hexadecimal digits."""
    return whole[:_DIGEST].hex()


def kept_candidates_digest() -> str:
    """The same of the file for the full deck."""
    return candidates_digest(_kept_file())


class _Parts:
    """The arrays of a file, taken one after another."""

    def __init__(self, body: bytes) -> None:
        self._body, self._start = body, 0

    def take(self, numbers: int, size: int) -> npt.NDArray[np.uint8]:
        """The bytes of so many numbers of a size, in order."""
        count = numbers * size
        taken = np.frombuffer(self._body, dtype=np.uint8, count=count, offset=self._start)
        self._start += count
        return np.ascontiguousarray(taken.reshape(size, numbers).T).reshape(-1)


def _planes(numbers: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """All first bytes of some numbers, then all second ones, and so on."""
    size = numbers.dtype.itemsize
    by_number = np.ascontiguousarray(numbers).view(np.uint8).reshape(-1, size)
    return np.ascontiguousarray(by_number.T)


def _pays(written: Mapping[str, str]) -> dict[Category, Fraction]:
    return {Category[name]: Fraction(text) for name, text in written.items()}
