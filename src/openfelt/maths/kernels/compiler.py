"""The compilation of kernels: with Numba, cached on disk, and never from stale sources.

The name of the cache folder carries a hash of the kernel's file and of every kernel file that it
imports. This check reads imports of this one package only, which is why it has no subpackages.
"""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

import numba
from numba import config
from numba.core.caching import UserProvidedCacheLocator

from openfelt.maths.kernels.kernel_cache import cache_folder

_Parameters = ParamSpec("_Parameters")
_Result_co = TypeVar("_Result_co", covariant=True)


class SharedCacheLocator(UserProvidedCacheLocator):  # type: ignore[misc]
    """Keeps a compiled kernel in the folder of its sources, wherever these are installed.

    Numba by itself adds a folder for the path of the file, so every checkout and every environment
    would compile the same kernels again.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Add no folder below the one that is named after the sources."""
        del py_file
        return ""


class Kernel(Protocol, Generic[_Parameters, _Result_co]):
    """A compiled function, with the uncompiled one beside it."""

    py_func: Callable[..., Any]
    """The same function as plain Python, for tests and debuggers."""

    def __call__(self, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result_co: ...


def kernel(
    function: Callable[_Parameters, _Result_co],
) -> Kernel[_Parameters, _Result_co]:
    """Compile a function of numbers and arrays on its first call.

    It runs without Python's global interpreter lock, so that threads can share the work.
    """
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR = cache_folder(function.__code__.co_filename)
    config.CACHE_LOCATOR_CLASSES = f"{__name__}.{SharedCacheLocator.__name__}"
    try:
        compiled: Kernel[_Parameters, _Result_co] = numba.njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
    return compiled


def kernel_part(
    function: Callable[_Parameters, _Result_co],
) -> Kernel[_Parameters, _Result_co]:
    """Inline a function into each kernel that calls it, so that inner loops contain no calls."""
    part: Kernel[_Parameters, _Result_co] = numba.njit(inline="always")(function)
    return part
