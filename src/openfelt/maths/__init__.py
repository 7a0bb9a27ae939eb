"""The exact mathematics of the games: evaluator, solver, adviser.

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

__all__ = [
    "USUAL_BLIND",
    "Advice",
    "HoldemSolution",
    "HoldemTerms",
    "ImpossibleQuestionError",
    "StartingHand",
    "advise",
    "category_of",
    "count_categories",
    "evaluate_hands",
    "first_values",
    "solve_holdem",
    "weakest_of",
]

_HOMES: Final = {
    "USUAL_BLIND": "holdem_terms",
    "Advice": "adviser",
    "HoldemSolution": "holdem_solution",
    "HoldemTerms": "holdem_terms",
    "ImpossibleQuestionError": "adviser",
    "StartingHand": "holdem_solution",
    "advise": "adviser",
    "category_of": "hand_tables",
    "count_categories": "evaluator",
    "evaluate_hands": "evaluator",
    "first_values": "adviser",
    "solve_holdem": "holdem_solver",
    "weakest_of": "hand_tables",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
