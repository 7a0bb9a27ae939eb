"""Files in which the workers of a test run share what takes seconds to count.

The name of a file carries a hash of everything that its content depends on.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, TypeVar

import numpy as np

from tests.kit.repository import ROOT

FOLDER = ROOT / ".pytest_cache" / "openfelt"
SOURCES = ("cards", "maths", "rules")
Counted = TypeVar("Counted")


def counted_once(
    kind: str,
    key: object,
    *,
    count: Callable[[], Counted],
    write: Callable[[IO[bytes], Counted], object],
    read: Callable[[IO[bytes]], Counted],
) -> Counted:
    """What is counted for a key, from its file where there is one; its ``repr`` tells all of it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    sources, name = _source_hash(), hashlib.sha256(repr(key).encode()).hexdigest()[:16]
    path = FOLDER / f"{kind}-{sources}-{name}"
    with _locked(FOLDER / f"{kind}-{name}.lock"):
        if path.exists():
            with path.open("rb") as file:
                return read(file)
        counted = count()
        for file_of_old_sources in FOLDER.glob(f"{kind}-*-{name}"):
            file_of_old_sources.unlink()
        # The file is written whole or not at all.
        with tempfile.NamedTemporaryFile(dir=FOLDER, suffix=".new", delete=False) as new:
            write(new, counted)
        Path(new.name).replace(path)
    return counted


@cache
def _source_hash() -> str:
    sources = hashlib.sha256(f"{sys.version} {np.__version__}".encode())
    package = ROOT / "src" / "openfelt"
    for path in sorted(path for name in SOURCES for path in (package / name).rglob("*.py")):
        sources.update(path.read_bytes())
    return sources.hexdigest()[:16]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Let one worker at a time count or read; where files cannot be locked, each counts."""
    with path.open("w") as lock:
        if os.name == "posix":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
