"""The exact mathematics of the games: evaluator, solver, adviser; and simulation.

Names are loaded on first use, so that importing this package costs nothing: Numba alone
would take a third of a second.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from openfelt.maths.adviser import Advice, ImpossibleQuestionError, advise, first_values
    from openfelt.maths.evaluator import count_categories, evaluate_hands
    from openfelt.maths.hand_tables import category_of, weakest_of
    from openfelt.maths.holdem_solution import HoldemSolution, StartingHand
    from openfelt.maths.holdem_solver import solve_holdem
    from openfelt.maths.holdem_terms import USUAL_BLIND, HoldemTerms
    from openfelt.maths.sessions import Sessions, play_sessions
    from openfelt.maths.simulation import Simulation, simulate
    from openfelt.maths.strategies import (
        STRATEGIES,
        DrawStrategy,
        HoldemStrategy,
        Strategy,
        find_strategy,
    )

__all__ = [
    "STRATEGIES",
    "USUAL_BLIND",
    "Advice",
    "DrawStrategy",
    "HoldemSolution",
    "HoldemStrategy",
    "HoldemTerms",
    "ImpossibleQuestionError",
    "Sessions",
    "Simulation",
    "StartingHand",
    "Strategy",
    "advise",
    "category_of",
    "count_categories",
    "evaluate_hands",
    "find_strategy",
    "first_values",
    "play_sessions",
    "simulate",
    "solve_holdem",
    "weakest_of",
]

_HOMES: Final = {
    "STRATEGIES": "strategies",
    "USUAL_BLIND": "holdem_terms",
    "Advice": "adviser",
    "DrawStrategy": "strategies",
    "HoldemSolution": "holdem_solution",
    "HoldemStrategy": "strategies",
    "HoldemTerms": "holdem_terms",
    "ImpossibleQuestionError": "adviser",
    "Sessions": "sessions",
    "Simulation": "simulation",
    "StartingHand": "holdem_solution",
    "Strategy": "strategies",
    "advise": "adviser",
    "category_of": "hand_tables",
    "count_categories": "evaluator",
    "evaluate_hands": "evaluator",
    "find_strategy": "strategies",
    "first_values": "adviser",
    "play_sessions": "sessions",
    "simulate": "simulation",
    "solve_holdem": "holdem_solver",
    "weakest_of": "hand_tables",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
