"""The exact mathematics of the games: evaluator, solver, adviser; and simulation.

Names are loaded on first use, so that importing this package costs nothing: Numba alone
would take a third of a second.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from openfelt.maths.adviser import Advice, ImpossibleQuestionError, advise, first_values
    from openfelt.maths.charts import Chart, draw_decisions, draw_values
    from openfelt.maths.evaluator import count_categories, evaluate_hands
    from openfelt.maths.hand_tables import category_of, weakest_of
    from openfelt.maths.holdem_solution import HoldemSolution, StartingHand
    from openfelt.maths.holdem_solver import solve_holdem
    from openfelt.maths.holdem_terms import USUAL_BLIND, HoldemTerms
    from openfelt.maths.house_figures import (
        HouseFigures,
        price_house,
        terms_of,
        with_paytable,
    )
    from openfelt.maths.joint import JointFigures, SideTables, join_wagers
    from openfelt.maths.joint_sums import losing_hands
    from openfelt.maths.sessions import Sessions, play_sessions
    from openfelt.maths.side_bets import (
        ProgressiveFigures,
        SideBet,
        price_bad_beat,
        price_play_the_board,
        price_progressive,
        price_trips,
        price_ultimate_pairs,
    )
    from openfelt.maths.simulation import Simulation, simulate
    from openfelt.maths.strategies import (
        STRATEGIES,
        DrawStrategy,
        HoldemStrategy,
        Strategy,
        find_strategy,
    )
    from openfelt.maths.strategy_figures import StrategyFigures, known_figures
    from openfelt.maths.strategy_pricing import StrategyPrice, perfect_strategy, price_strategy
    from openfelt.maths.strategy_search import find_basic_strategy

__all__ = [
    "STRATEGIES",
    "USUAL_BLIND",
    "Advice",
    "Chart",
    "DrawStrategy",
    "HoldemSolution",
    "HoldemStrategy",
    "HoldemTerms",
    "HouseFigures",
    "ImpossibleQuestionError",
    "JointFigures",
    "ProgressiveFigures",
    "Sessions",
    "SideBet",
    "SideTables",
    "Simulation",
    "StartingHand",
    "Strategy",
    "StrategyFigures",
    "StrategyPrice",
    "advise",
    "category_of",
    "count_categories",
    "draw_decisions",
    "draw_values",
    "evaluate_hands",
    "find_basic_strategy",
    "find_strategy",
    "first_values",
    "join_wagers",
    "known_figures",
    "losing_hands",
    "perfect_strategy",
    "play_sessions",
    "price_bad_beat",
    "price_house",
    "price_play_the_board",
    "price_progressive",
    "price_strategy",
    "price_trips",
    "price_ultimate_pairs",
    "simulate",
    "solve_holdem",
    "terms_of",
    "weakest_of",
    "with_paytable",
]

_HOMES: Final = {
    "STRATEGIES": "strategies",
    "USUAL_BLIND": "holdem_terms",
    "Advice": "adviser",
    "Chart": "charts",
    "DrawStrategy": "strategies",
    "HoldemSolution": "holdem_solution",
    "HoldemStrategy": "strategies",
    "HoldemTerms": "holdem_terms",
    "HouseFigures": "house_figures",
    "ImpossibleQuestionError": "adviser",
    "JointFigures": "joint",
    "ProgressiveFigures": "side_bets",
    "Sessions": "sessions",
    "SideBet": "side_bets",
    "SideTables": "joint",
    "Simulation": "simulation",
    "StartingHand": "holdem_solution",
    "Strategy": "strategies",
    "StrategyFigures": "strategy_figures",
    "StrategyPrice": "strategy_pricing",
    "advise": "adviser",
    "category_of": "hand_tables",
    "count_categories": "evaluator",
    "draw_decisions": "charts",
    "draw_values": "charts",
    "evaluate_hands": "evaluator",
    "find_basic_strategy": "strategy_search",
    "find_strategy": "strategies",
    "first_values": "adviser",
    "join_wagers": "joint",
    "known_figures": "strategy_figures",
    "losing_hands": "joint_sums",
    "perfect_strategy": "strategy_pricing",
    "play_sessions": "sessions",
    "price_bad_beat": "side_bets",
    "price_house": "house_figures",
    "price_play_the_board": "side_bets",
    "price_progressive": "side_bets",
    "price_strategy": "strategy_pricing",
    "price_trips": "side_bets",
    "price_ultimate_pairs": "side_bets",
    "simulate": "simulation",
    "solve_holdem": "holdem_solver",
    "terms_of": "house_figures",
    "weakest_of": "hand_tables",
    "with_paytable": "house_figures",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
