"""Where compiled kernels are kept. This module does without Numba, which takes long to import."""

import hashlib
import os
import platform
import re
from functools import cache
from importlib.metadata import version
from pathlib import Path

_KERNEL_IMPORT = re.compile(r"^from openfelt\.maths\.kernels\.(\w+) import", re.MULTILINE)


def cache_root() -> Path:
    """The folder of all compiled kernels."""
    if root := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(root)
    caches = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(caches) / "openfelt"


@cache
def cache_folder(file_name: str) -> str:
    """The folder of the kernels of one file, by the contents of all files they are made of.

    Numba recompiles a cached function when its own file changes, but not when a function that
    it calls in another file does. A stale cache would give wrong figures silently.
    """
    sources = hashlib.sha256()
    for path in kernel_sources(file_name):
        sources.update(path.read_bytes())
    return str(cache_root() / f"kernels-{sources.hexdigest()[:16]}")


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
    """The file that stands for all kernels compiled: these sources, by these programs."""
    everything = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        everything.update(path.read_bytes())
    for program in (platform.python_version(), platform.machine(), version("numba")):
        everything.update(program.encode())
    return cache_root() / f"compiled-{everything.hexdigest()[:16]}"
