"""Compiled kernels: shared by equal sources wherever they lie, never used for other sources."""

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

from openfelt.maths.kernels.kernel_cache import KEPT_SECONDS, cache_folder, prune_kernels

SOURCE = """
from openfelt.maths.kernels.compiler import kernel

@kernel
def times(number):
    return number * {factor}
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))


def installed(folder: Path, *, factor: int) -> Any:
    """A kernel as it is imported from an installation of its own."""
    folder.mkdir()
    path = folder / "times.py"
    path.write_text(SOURCE.format(factor=factor))
    spec = importlib.util.spec_from_file_location("times", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.times


def test_a_second_installation_of_the_same_sources_compiles_nothing(tmp_path: Path) -> None:
    first, second = (installed(tmp_path / name, factor=2) for name in ("first", "second"))
    assert first(21) == 42
    assert second(21) == 42
    assert sum(first.stats.cache_misses.values()) == 1
    assert sum(second.stats.cache_hits.values()) == 1
    assert not second.stats.cache_misses


def test_other_sources_are_compiled_anew(tmp_path: Path) -> None:
    assert installed(tmp_path / "before", factor=2)(21) == 42
    changed = installed(tmp_path / "after", factor=3)
    assert changed(21) == 63
    assert sum(changed.stats.cache_misses.values()) == 1


def test_kernels_that_no_process_has_used_for_two_months_are_removed(tmp_path: Path) -> None:
    root = tmp_path / "cache"
    used, unused = root / "kernels-used", root / "kernels-unused"
    for folder in (used, unused):
        folder.mkdir(parents=True)
        (folder / "times.nbi").write_text("compiled")
    now = used.stat().st_mtime
    os.utime(unused, (now - KEPT_SECONDS - 1,) * 2)
    assert prune_kernels(now) == 1
    assert (used.exists(), unused.exists()) == (True, False)
    # Another file of the cache, such as a solution, is not a kernel.
    (root / "solution").write_text("kept")
    assert prune_kernels(now + 2 * KEPT_SECONDS) == 1
    assert (root / "solution").exists()


def test_using_a_kernel_keeps_it(tmp_path: Path) -> None:
    assert installed(tmp_path / "first", factor=2)(21) == 42
    (folder,) = (tmp_path / "cache").glob("kernels-*")
    os.utime(folder, (0, 0))
    cache_folder.cache_clear()
    assert installed(tmp_path / "second", factor=2)(21) == 42
    assert folder.stat().st_mtime > 0
