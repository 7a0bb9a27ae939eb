"""The whole game under its usual terms, solved once for all tests of a process."""

from functools import cache

from openfelt.maths import HoldemSolution, solve_holdem


@cache
def usual_solution() -> HoldemSolution:
    """The solution; it takes a few seconds the first time."""
    return solve_holdem()
