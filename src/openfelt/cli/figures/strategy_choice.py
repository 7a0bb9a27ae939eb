"""A strategy chosen by name, and its exact figures at a house."""

from dataclasses import dataclass

from openfelt.cli.complaint import wrong_input
from openfelt.cli.progress import watched
from openfelt.maths import HoldemTerms, first_values, solve_holdem
from openfelt.maths.hands.starting_hands import write_starting_hands
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.strategy.charts import Chart, Values, actions_of
from openfelt.maths.strategy.figures import PERFECT, StrategyFigures, known_figures
from openfelt.maths.strategy.prices import perfect_strategy, price_strategy
from openfelt.maths.strategy.strategies import STRATEGIES, DrawStrategy, HoldemStrategy, Strategy
from openfelt.maths.strategy.strategy_names import find_strategy, plain_name
from openfelt.rules import House


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    """A strategy at a house, with everything that is printed about it."""

    house: House
    name: str
    title: str
    lines: list[str]
    figures: StrategyFigures
    counted: bool
    """Whether the figures were counted now; otherwise they were looked up."""
    note: str
    """A note beside the lines; empty if there is nothing."""
    values: Values
    """The value of each action before the flop, with perfect play after it."""
    chart: Chart


def choose_strategy(house: House, name: str, *, count_again: bool = False) -> StrategyChoice:
    """Find a strategy of Ultimate Texas Hold'em; its figures are looked up or counted."""
    wanted = plain_name(name)
    try:
        terms = terms_of(house)
        strategy = None if wanted == PERFECT else find_strategy(name, house)
        assert not isinstance(strategy, DrawStrategy), "a house with terms plays hold'em"
        stored = None if count_again else known_figures(wanted, terms)
        if stored is None:
            figures, values = _count(strategy, terms)
        else:
            figures, values = stored, first_values(terms)
    except ValueError as error:
        raise wrong_input(error) from error
    if strategy is None:
        chart = Chart.of("Perfect play", values)
        lines = _perfect_lines(chart)
    else:
        chart = Chart.of(strategy.title, values, actions_of(strategy.before_flop))
        lines = strategy.describe()
    note = "" if strategy is None else strategy.note
    return StrategyChoice(
        house, wanted, chart.title, lines, figures, stored is None, note, values, chart
    )


def playable_strategy(house: House, name: str | None) -> Strategy:
    """A strategy to play at a house: by its name, solved if perfect, or the house's usual one.

    Raises ValueError for an unknown name.
    """
    return solved_strategy(house, name)[0]


def solved_strategy(house: House, name: str | None) -> tuple[Strategy, HoldemSolution | None]:
    """A strategy to play at a house, and the solved game if it is the perfect one of hold'em.

    Raises ValueError for an unknown name.
    """
    if name is None:
        return STRATEGIES["basic" if house.play else "house_way"], None
    if house.play is not None and plain_name(name) == PERFECT:
        solution = _solve(terms_of(house))
        return perfect_strategy(solution), solution
    with watched("Solving the game") as progress:
        return find_strategy(name, house, progress=progress), None


def _solve(terms: HoldemTerms) -> HoldemSolution:
    with watched("Solving the game") as progress:
        return solve_holdem(terms, progress=progress)


def _count(strategy: HoldemStrategy | None, terms: HoldemTerms) -> tuple[StrategyFigures, Values]:
    solution = _solve(terms)
    values = {name: hand.values for name, hand in solution.starting_hands.items()}
    if strategy is None:
        return StrategyFigures.of(PERFECT, solution, solution.ev_per_ante), values
    with watched("Pricing the strategy") as progress:
        price = price_strategy(strategy, solution, progress=progress)
    return StrategyFigures.of(strategy.name, price, solution.ev_per_ante), values


def _perfect_lines(chart: Chart) -> list[str]:
    """Perfect play in words: only the decision before the flop is a short list."""
    actions = sorted({hand.action for hand in chart.betting}, reverse=True)
    first = [
        f"Before the flop bet {action.removeprefix('bet_')} with "
        f"{write_starting_hands(hand.name for hand in chart.betting if hand.action == action)}."
        for action in actions
    ]
    return [
        *first,
        "On the flop bet 2x where that is worth more than a check.",
        "On the river bet 1x where that is worth more than a fold.",
        'Ask for any hand with: openfelt advise --hole "Kd 7s" --board "Kh 8c 2d"',
    ]
