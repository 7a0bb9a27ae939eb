"""The exact mathematics of the games: evaluator, solver, adviser; and simulation.

Names are loaded on first use, so that importing this package is cheap: Numba alone takes a
third of a second.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from openfelt.maths.draw.bonus import DrawPlay, price_draw_bonus
    from openfelt.maths.draw.draw_figures import (
        DrawFigures,
        DrawTerms,
        draw_terms_of,
        price_draw_house,
    )
    from openfelt.maths.draw.draw_solution import DrawSolution, solve_draw
    from openfelt.maths.draw.hold_advice import HoldValue, advise_draw
    from openfelt.maths.draw.house_way_ante import HouseWayAnte, count_house_way_ante
    from openfelt.maths.hands.evaluator import count_categories, evaluate_hands
    from openfelt.maths.hands.strengths import category_of, weakest_of
    from openfelt.maths.holdem.adviser import advise, first_values
    from openfelt.maths.holdem.house_terms import terms_of
    from openfelt.maths.holdem.questions import Advice, ImpossibleQuestionError
    from openfelt.maths.holdem.solution import HoldemSolution, StartingHand
    from openfelt.maths.holdem.solver import solve_holdem
    from openfelt.maths.holdem.terms import USUAL_BLIND, HoldemTerms
    from openfelt.maths.simulation.rounds import Simulation, simulate
    from openfelt.maths.simulation.sessions import Sessions, play_sessions
    from openfelt.maths.simulation.simulated_table import TableSetting
    from openfelt.maths.strategy.charts import Chart, draw_decisions, draw_values
    from openfelt.maths.strategy.figures import StrategyFigures, known_figures
    from openfelt.maths.strategy.prices import StrategyPrice, perfect_strategy, price_strategy
    from openfelt.maths.strategy.search import find_basic_strategy
    from openfelt.maths.strategy.strategies import (
        STRATEGIES,
        DrawStrategy,
        HoldemStrategy,
        Strategy,
    )
    from openfelt.maths.strategy.strategy_names import find_strategy
    from openfelt.maths.wagers.house_figures import (
        HouseFigures,
        price_house,
        with_paytable,
    )
    from openfelt.maths.wagers.joint_figures import JointFigures, SideTables, join_wagers
    from openfelt.maths.wagers.joint_sums import losing_hands
    from openfelt.maths.wagers.pricers import price_side_bet
    from openfelt.maths.wagers.side_bet_figures import (
        ProgressiveFigures,
        SideBet,
        price_bad_beat,
        price_play_the_board,
        price_progressive,
        price_trips,
        price_ultimate_pairs,
    )

__all__ = [
    "STRATEGIES",
    "USUAL_BLIND",
    "Advice",
    "Chart",
    "DrawFigures",
    "DrawPlay",
    "DrawSolution",
    "DrawStrategy",
    "DrawTerms",
    "HoldValue",
    "HoldemSolution",
    "HoldemStrategy",
    "HoldemTerms",
    "HouseFigures",
    "HouseWayAnte",
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
    "TableSetting",
    "advise",
    "advise_draw",
    "category_of",
    "count_categories",
    "count_house_way_ante",
    "draw_decisions",
    "draw_terms_of",
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
    "price_draw_bonus",
    "price_draw_house",
    "price_house",
    "price_play_the_board",
    "price_progressive",
    "price_side_bet",
    "price_strategy",
    "price_trips",
    "price_ultimate_pairs",
    "simulate",
    "solve_draw",
    "solve_holdem",
    "terms_of",
    "weakest_of",
    "with_paytable",
]

_HOMES: Final = {
    "STRATEGIES": "strategy.strategies",
    "USUAL_BLIND": "holdem.terms",
    "Advice": "holdem.questions",
    "Chart": "strategy.charts",
    "DrawFigures": "draw.draw_figures",
    "DrawPlay": "draw.bonus",
    "DrawSolution": "draw.draw_solution",
    "DrawStrategy": "strategy.strategies",
    "DrawTerms": "draw.draw_figures",
    "HoldValue": "draw.hold_advice",
    "HoldemSolution": "holdem.solution",
    "HoldemStrategy": "strategy.strategies",
    "HoldemTerms": "holdem.terms",
    "HouseFigures": "wagers.house_figures",
    "HouseWayAnte": "draw.house_way_ante",
    "ImpossibleQuestionError": "holdem.questions",
    "JointFigures": "wagers.joint_figures",
    "ProgressiveFigures": "wagers.side_bet_figures",
    "Sessions": "simulation.sessions",
    "SideBet": "wagers.side_bet_figures",
    "SideTables": "wagers.joint_figures",
    "Simulation": "simulation.rounds",
    "StartingHand": "holdem.solution",
    "Strategy": "strategy.strategies",
    "StrategyFigures": "strategy.figures",
    "StrategyPrice": "strategy.prices",
    "TableSetting": "simulation.simulated_table",
    "advise": "holdem.adviser",
    "advise_draw": "draw.hold_advice",
    "category_of": "hands.strengths",
    "count_categories": "hands.evaluator",
    "count_house_way_ante": "draw.house_way_ante",
    "draw_decisions": "strategy.charts",
    "draw_terms_of": "draw.draw_figures",
    "draw_values": "strategy.charts",
    "evaluate_hands": "hands.evaluator",
    "find_basic_strategy": "strategy.search",
    "find_strategy": "strategy.strategy_names",
    "first_values": "holdem.adviser",
    "join_wagers": "wagers.joint_figures",
    "known_figures": "strategy.figures",
    "losing_hands": "wagers.joint_sums",
    "perfect_strategy": "strategy.prices",
    "play_sessions": "simulation.sessions",
    "price_bad_beat": "wagers.side_bet_figures",
    "price_draw_bonus": "draw.bonus",
    "price_draw_house": "draw.draw_figures",
    "price_house": "wagers.house_figures",
    "price_play_the_board": "wagers.side_bet_figures",
    "price_progressive": "wagers.side_bet_figures",
    "price_side_bet": "wagers.pricers",
    "price_strategy": "strategy.prices",
    "price_trips": "wagers.side_bet_figures",
    "price_ultimate_pairs": "wagers.side_bet_figures",
    "simulate": "simulation.rounds",
    "solve_draw": "draw.draw_solution",
    "solve_holdem": "holdem.solver",
    "terms_of": "holdem.house_terms",
    "weakest_of": "hands.strengths",
    "with_paytable": "wagers.house_figures",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
