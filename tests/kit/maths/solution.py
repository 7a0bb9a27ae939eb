"""The whole game under its usual terms, solved once for all tests.

The workers of a test run share the solution through a file, whose name carries a hash of
everything that it depends on.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np

from openfelt.maths import (
    STRATEGIES,
    HoldemSolution,
    HoldemStrategy,
    HoldemTerms,
    StrategyPrice,
    price_strategy,
    solve_holdem,
)
from openfelt.maths.holdem.deck_classes import classify_deck
from openfelt.maths.parallel import Progress
from tests.kit.repository import ROOT

FOLDER = ROOT / ".pytest_cache" / "openfelt"
ARRAYS = ("first_values", "flop_bets", "flop_checks", "outcomes")
SOURCES = ("cards", "maths", "rules")


@cache
def usual_solution() -> HoldemSolution:
    """The solution; it takes a few seconds the first time after the sources have changed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"solution-{_source_hash()}.npz"
    with _locked(FOLDER / "solution.lock"):
        if path.exists():
            with np.load(path) as arrays:
                return HoldemSolution(
                    terms=HoldemTerms.of(),
                    classes=classify_deck(),
                    **{name: arrays[name] for name in ARRAYS},
                )
        solution = solve_holdem()
        for outdated in FOLDER.glob("solution-*.npz"):
            outdated.unlink()
        _save(path, solution)
    return solution


@cache
def usual_price(name: str) -> StrategyPrice:
    """The price of a shipped strategy in the usual game."""
    strategy = STRATEGIES[name]
    assert isinstance(strategy, HoldemStrategy)
    return price_strategy(strategy, usual_solution())


def solve_once(
    terms: HoldemTerms | None = None, *, progress: Progress | None = None
) -> HoldemSolution:
    """Solve the game as `solve_holdem` does, or remember the solution under the usual terms."""
    if terms is not None and terms != HoldemTerms.of():
        return solve_holdem(terms, progress=progress)
    solution = usual_solution()
    if progress is not None:
        progress(1, 1)
    return solution


def _save(path: Path, solution: HoldemSolution) -> None:
    """Write the file whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
        np.savez(file, **{name: getattr(solution, name) for name in ARRAYS})
    Path(file.name).replace(path)


def _source_hash() -> str:
    sources = hashlib.sha256(f"{sys.version} {np.__version__}".encode())
    package = ROOT / "src" / "openfelt"
    for path in sorted(path for name in SOURCES for path in (package / name).rglob("*.py")):
        sources.update(path.read_bytes())
    return sources.hexdigest()[:16]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Let one worker at a time solve or read; where files cannot be locked, each solves."""
    with path.open("w") as lock:
        if os.name == "posix":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
