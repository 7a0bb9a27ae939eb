"""Long counts, stored piece by piece so that an interrupted one can continue.

The folder's name carries a fingerprint of the code that counts, and each file one of its numbers. A
piece whose file is missing, truncated or altered is counted again.
"""

import hashlib
import json
import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.kernel_cache import cache_root

Numbers = npt.NDArray[np.int64]
_DIGEST = hashlib.sha256().digest_size


class StoredCounts:
    """The pieces of one count."""

    def __init__(
        self, name: str, sources: Sequence[Path], question: str, *, packed: bool = False
    ) -> None:
        """A count is identified by its name, the files that compute it, and its subject.

        Large counts are `packed`: as bytes after their hash, and not as text.
        """
        digest = hashlib.sha256(question.encode())
        for path in sorted(sources):
            digest.update(path.read_bytes())
        self.folder = cache_root() / f"{name}-{digest.hexdigest()[:16]}"
        self._packed = packed

    def read(self, piece: int, shape: tuple[int, ...]) -> Numbers | None:
        """A stored piece, or None if it has to be counted.

        A packed piece may have any number of rows if the shape begins with -1.
        """
        if self._packed:
            return self._read_packed(piece, shape)
        try:
            stored = json.loads(self._path(piece).read_text(encoding="utf-8"))
            counts = np.array(stored["counts"], dtype=np.int64)
            if stored["sha256"] == _hash(counts) and counts.shape == shape:
                return counts
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            pass
        return None

    def write(self, piece: int, counts: Numbers) -> None:
        """Store a piece. If the disk cannot be written, it has to be counted again later."""
        path = self._path(piece)
        beside = path.with_suffix(f".{os.getpid()}.part")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._packed:
                content = np.ascontiguousarray(counts, dtype="<i8").tobytes()
                beside.write_bytes(hashlib.sha256(content).digest() + content)
            else:
                beside.write_text(
                    json.dumps({"sha256": _hash(counts), "counts": counts.tolist()}),
                    encoding="utf-8",
                )
            beside.replace(path)
        except OSError:
            return

    def _read_packed(self, piece: int, shape: tuple[int, ...]) -> Numbers | None:
        try:
            stored = self._path(piece).read_bytes()
        except OSError:
            return None
        content = stored[_DIGEST:]
        row = 8 * math.prod(shape[1:])
        complete = len(content) % row == 0 if shape[0] < 0 else len(content) == row * shape[0]
        if not complete or hashlib.sha256(content).digest() != stored[:_DIGEST]:
            return None
        return np.frombuffer(content, dtype="<i8").reshape(shape).astype(np.int64)

    def _path(self, piece: int) -> Path:
        return self.folder / f"piece-{piece:03}.{'bin' if self._packed else 'json'}"


def _hash(counts: Numbers) -> str:
    return hashlib.sha256(json.dumps(counts.tolist()).encode()).hexdigest()
