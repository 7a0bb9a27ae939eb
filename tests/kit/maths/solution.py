"""The whole game and its side bets, solved once for all tests.

The workers of a test run share each solution through a file; see ``kept_files``.
"""

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import IO

import numpy as np
import pytest

from openfelt import maths
from openfelt.maths import (
    STRATEGIES,
    HoldemSolution,
    HoldemStrategy,
    HoldemTerms,
    HouseFigures,
    JointFigures,
    SideTables,
    StrategyPrice,
    join_wagers,
    price_house,
    price_strategy,
    solve_holdem,
    terms_of,
)
from openfelt.maths.holdem.deck_classes import classify_deck
from openfelt.maths.parallel import Progress
from openfelt.maths.wagers import house_figures
from openfelt.rules import House
from tests.kit.maths.kept_files import counted_once

ARRAYS = ("first_values", "flop_bets", "flop_checks", "outcomes")


@cache
def usual_solution() -> HoldemSolution:
    """The solution; it takes a few seconds the first time after the sources have changed."""
    return _solved_once(HoldemTerms.of())


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


def join_once(solution: HoldemSolution, tables: SideTables) -> JointFigures:
    """Find what `join_wagers` finds, or remember it for the solution that all tests share."""
    if solution is not usual_solution():
        return join_wagers(solution, tables)
    figures: JointFigures = counted_once(
        "joint",
        tables,
        count=lambda: join_wagers(solution, tables),
        write=lambda file, found: pickle.dump(found, file),
        read=pickle.load,
    )
    return figures


def price_once(house: House, *, meter_units: Fraction | None = None) -> HouseFigures:
    """The figures that `price_house` finds, with the solved game and side bets of all tests."""
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(house_figures, "join_wagers", join_once)
        return price_house(house, meter_units=meter_units, solution=solve_once(terms_of(house)))


@contextmanager
def examples_solved_once() -> Iterator[None]:
    """Let the examples of a page take solved games and houses from their files.

    The examples of `solve_holdem` and `join_wagers` count by themselves, as their tests do.
    """
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(maths, "solve_holdem", _solved_for_examples)
        patches.setattr(house_figures, "solve_holdem", solve_once)
        patches.setattr(house_figures, "join_wagers", join_once)
        yield


def _solved_for_examples(terms: HoldemTerms | None = None) -> HoldemSolution:
    """The solution under these terms; the pages solve the game under some terms repeatedly."""
    if terms is None or terms == HoldemTerms.of():
        return usual_solution()
    return _solved_once(terms)


def _solved_once(terms: HoldemTerms) -> HoldemSolution:
    def read(file: IO[bytes]) -> HoldemSolution:
        with np.load(file) as arrays:
            return HoldemSolution(
                terms=terms, classes=classify_deck(), **{name: arrays[name] for name in ARRAYS}
            )

    return counted_once(
        "solution",
        terms,
        count=lambda: solve_holdem(terms),
        write=lambda file, made: np.savez(file, **{name: getattr(made, name) for name in ARRAYS}),
        read=read,
    )
