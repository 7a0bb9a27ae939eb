"""The cache folder of compiled kernels. This module avoids Numba, which is slow to import."""

import hashlib
import os
import platform
import re
import shutil
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

KEPT_SECONDS = 60 * 24 * 3600
"""How long unused compiled kernels are kept."""
_KERNEL_IMPORT = re.compile(r"^from openfelt\.maths\.kernels\.(\w+) import", re.MULTILINE)


def cache_root() -> Path:
    """The folder of all compiled kernels."""
    if root := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(root)
    caches = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(caches) / "openfelt"


@cache
def cache_folder(file_name: str) -> str:
    """The folder for the kernels of one file, named after the contents of all their sources.

    Numba recompiles a cached function when its own file changes, but not when a function that
    it calls in another file does. A stale cache would give wrong figures silently.
    """
    sources = hashlib.sha256()
    for path in kernel_sources(file_name):
        sources.update(path.read_bytes())
    folder = cache_root() / f"kernels-{sources.hexdigest()[:16]}"
    with suppress(OSError):
        # The modification time of the folder says when it was last used.
        os.utime(folder)
    return str(folder)


def prune_kernels(now_seconds: float) -> int:
    """Remove the kernels of sources that no process has used for two months; returns how many.

    Every change of a kernel creates a new folder, so old ones would accumulate.
    """
    removed = 0
    for folder in cache_root().glob("kernels-*"):
        with suppress(OSError):
            if folder.stat().st_mtime < now_seconds - KEPT_SECONDS:
                shutil.rmtree(folder)
                removed += 1
    for mark in cache_root().glob("compiled-*"):
        with suppress(OSError):
            if mark.stat().st_mtime < now_seconds - KEPT_SECONDS and mark != compiled_mark():
                mark.unlink()
    return removed


def kernel_sources(file_name: str) -> list[Path]:
    """A kernel file and all kernel files that it imports."""
    return sorted(_sources(Path(file_name), set()))


def _sources(path: Path, collected: set[Path]) -> set[Path]:
    """Collect a kernel file and the kernel files it imports."""
    if path not in collected and path.is_file():
        collected.add(path)
        for name in _KERNEL_IMPORT.findall(path.read_text(encoding="utf-8")):
            _sources(path.with_name(f"{name}.py"), collected)
    return collected


def compiled_mark() -> Path:
    """The file that marks all kernels as compiled, for these sources and compiler versions."""
    everything = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        everything.update(path.read_bytes())
    for program in (platform.python_version(), platform.machine(), version("numba")):
        everything.update(program.encode())
    return cache_root() / f"compiled-{everything.hexdigest()[:16]}"
