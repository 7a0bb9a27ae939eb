"""How kernels are compiled: with Numba, cached on disk, and never from stale sources.

Numba recompiles a cached function when its own file changes, but not when a function that
it calls in another file does. A stale cache would give wrong figures silently, so the name
of the cache folder carries a hash of the kernel's file and of every kernel file that it
imports. The guard reads imports of this one package, which is why it has no subpackages.
"""

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

import numba
from numba import config

_KERNEL_IMPORT = re.compile(r"^from openfelt\.maths\.kernels\.(\w+) import", re.MULTILINE)

_Parameters = ParamSpec("_Parameters")
_Result_co = TypeVar("_Result_co", covariant=True)


class Kernel(Protocol, Generic[_Parameters, _Result_co]):
    """A compiled function, with the uncompiled one beside it."""

    py_func: Callable[..., Any]
    """The same function as plain Python, for tests and debuggers."""

    def __call__(self, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result_co: ...


def _sources(path: Path, collected: set[Path]) -> set[Path]:
    """Collect a kernel file and the kernel files it imports."""
    if path not in collected and path.is_file():
        collected.add(path)
        for name in _KERNEL_IMPORT.findall(path.read_text(encoding="utf-8")):
            _sources(path.with_name(f"{name}.py"), collected)
    return collected


@cache
def _cache_folder(file_name: str) -> str:
    sources = hashlib.sha256()
    for path in sorted(_sources(Path(file_name), set())):
        sources.update(path.read_bytes())
    root = os.environ.get("NUMBA_CACHE_DIR")
    if not root:
        caches = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
        root = str(Path(caches) / "openfelt")
    return str(Path(root) / f"kernels-{sources.hexdigest()[:16]}")


def kernel(
    function: Callable[_Parameters, _Result_co],
) -> Kernel[_Parameters, _Result_co]:
    """Compile a function of numbers and arrays on its first call.

    It runs without Python's global interpreter lock, so that threads can share the work.
    """
    folder_before = config.CACHE_DIR
    config.CACHE_DIR = _cache_folder(function.__code__.co_filename)
    try:
        compiled: Kernel[_Parameters, _Result_co] = numba.njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_DIR = folder_before
    return compiled


def kernel_part(
    function: Callable[_Parameters, _Result_co],
) -> Kernel[_Parameters, _Result_co]:
    """Inline a function into each kernel that calls it, so that inner loops have no calls."""
    part: Kernel[_Parameters, _Result_co] = numba.njit(inline="always")(function)
    return part
