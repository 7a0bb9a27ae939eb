"""The exact value of a strategy: its decisions in place of the best, over all deals.

The solver counts the dealer hands that every hand meets; a strategy only selects among the
counted values. `docs/internals/exact-holdem.md` derives the sums.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import write_starting_hands
from openfelt.maths.holdem.deck_classes import DeckClasses
from openfelt.maths.holdem.passes import Passes
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.holdem.solver import solve_holdem
from openfelt.maths.holdem.terms import FLOP_MULTIPLE, RIVER_MULTIPLE, HoldemTerms
from openfelt.maths.kernels.board_values import CATEGORIES
from openfelt.maths.kernels.card_sets import CHOOSE, BoardClasses
from openfelt.maths.kernels.showdowns import RESULTS
from openfelt.maths.kernels.strategy_features import HANDS_OF_TWO, fill_flop_bets
from openfelt.maths.kernels.strategy_prices import count_played, play_rivers
from openfelt.maths.parallel import Progress
from openfelt.maths.strategy.strategies import HoldemStrategy, RiverPlay


@dataclass(frozen=True)
class StrategyPrice(HoldemSolution):
    """The game as a strategy plays it: the same exact figures as the solution's.

    The value of a check is its value when the strategy plays on.
    """

    strategy: HoldemStrategy
    first_bets: npt.NDArray[np.int64]
    """By cell of the grid: the number of the strategy's bet before the flop, or -1."""
    flop_choices: npt.NDArray[np.bool_]
    """By flop class and hand number: whether the strategy bets if it has not yet."""
    river_choices: npt.NDArray[np.bool_]
    """By type of each board class: whether the strategy bets if it has not yet."""
    perfect_ev: Fraction
    """The expected net result of perfect play per Ante."""

    @cached_property
    def ev_per_ante(self) -> Fraction:
        """The expected net result of the strategy, in Antes."""
        chosen = np.take_along_axis(self.first_values, self.first_bets[:, None] + 1, axis=1)
        total = sum(int(value) for value in chosen[:, 0])
        return Fraction(total, self.deals * self.terms.scale)

    @property
    def cost(self) -> Fraction:
        """What the strategy gives away against perfect play, in Antes."""
        return self.perfect_ev - self.ev_per_ante


def price_strategy(
    strategy: HoldemStrategy,
    solution: HoldemSolution | None = None,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> StrategyPrice:
    """Price a strategy over all deals, without sampling; it takes as long as solving the game.

    `solution` is the solved game; without it the game is solved under the usual terms.
    Raises ValueError for a strategy that bets what these terms do not offer.

    >>> from openfelt.maths.strategy.strategies import STRATEGIES
    >>> tens_and_better = solve_holdem(deck=range(32, 52))
    >>> price_strategy(STRATEGIES["published_simple"], tens_and_better).cost
    Fraction(27684763, 105814800)
    """
    solution = solution or solve_holdem()
    first_bets = first_choices(strategy, solution.terms)
    passes = StrategyPasses(solution, workers=workers, progress=progress)
    check_values, river_choices = passes.play_rivers(strategy)
    checks = passes.sum_over_runouts(check_values)
    del check_values
    flop_choices = flop_bets_of(strategy, solution.classes)
    outcomes = passes.count_played(first_bets, flop_choices, river_choices)
    price = StrategyPrice(
        terms=solution.terms,
        classes=solution.classes,
        first_values=play_on(solution, checks, flop_choices),
        flop_bets=solution.flop_bets,
        flop_checks=checks,
        outcomes=outcomes,
        strategy=strategy,
        first_bets=first_bets,
        flop_choices=flop_choices,
        river_choices=river_choices,
        perfect_ev=solution.ev_per_ante,
    )
    # Two ways to the same number: values summed, and results counted.
    mean = sum(net * deals for net, deals in price.distribution.items()) / price.deals
    if mean != price.ev_per_ante:
        raise AssertionError("the values of the strategy and its results disagree")
    return price


def perfect_strategy(solution: HoldemSolution) -> HoldemStrategy:
    """The best decisions of a solution as a strategy, to simulate or to compare with.

    >>> perfect_strategy(solve_holdem(deck=range(32, 52))).before_flop
    {4: 'QQ+, AQ+'}
    """
    hands = solution.starting_hands.values()
    bets = dict(zip(solution.terms.first_actions, solution.terms.first_multiples, strict=True))
    chart = {
        multiple: write_starting_hands(hand.name for hand in hands if hand.best == action)
        for action, multiple in bets.items()
    }
    return HoldemStrategy(
        name="perfect",
        title="Perfect play",
        before_flop={multiple: text for multiple, text in chart.items() if text},
        flop_bets=(solution.flop_bets > solution.flop_checks).astype(np.uint8),
        river=RiverPlay.PERFECT,
    )


def first_choices(strategy: HoldemStrategy, terms: HoldemTerms) -> npt.NDArray[np.int64]:
    """The number of the strategy's bet before the flop by cell, -1 to check."""
    for street, lines, multiple, offered in (
        ("on the flop", strategy.on_flop, strategy.flop_multiple, FLOP_MULTIPLE),
        ("on the river", strategy.on_river, strategy.river_multiple, RIVER_MULTIPLE),
    ):
        if lines and multiple != offered:
            raise ValueError(f"{strategy.name} bets {multiple}x {street}, where {offered}x counts")
    chart = _lines(strategy).before_flop
    choices = np.full(169, -1, dtype=np.int64)
    for number, multiple in enumerate(terms.first_multiples):
        choices[chart == multiple] = number
    if (missing := chart[(chart > 0) & (choices < 0)]).size:
        raise ValueError(
            f"{strategy.name} bets {missing[0]}x before the flop, which is not offered"
        )
    return choices


def _lines(strategy: HoldemStrategy) -> np.record:
    """The lines of a strategy as kernels read them; a flop table may be for any deck."""
    return replace(strategy, flop_bets=None).tables()


def flop_bets_of(strategy: HoldemStrategy, classes: DeckClasses) -> npt.NDArray[np.bool_]:
    """What the strategy does on every flop class of a deck with every hand of it."""
    if strategy.flop_bets is not None:
        if strategy.flop_bets.shape != (len(classes.flops.cards), classes.hand_cells.size):
            raise ValueError(f"the flop table of {strategy.name} is for another deck")
        return strategy.flop_bets.astype(np.bool_)
    table = np.zeros((len(classes.flops.cards), HANDS_OF_TWO), dtype=np.uint8)
    fill_flop_bets(classes.flops.cards, _lines(strategy), reading_tables(), table)
    highs, lows = np.tril_indices(classes.deck.size, -1)
    numbers = CHOOSE[classes.deck[highs], 2] + classes.deck[lows]
    return table[:, numbers].astype(np.bool_)


def play_on(
    solution: HoldemSolution,
    checks: npt.NDArray[np.int64],
    flop_choices: npt.NDArray[np.bool_],
) -> npt.NDArray[np.int64]:
    """The values of each first action by cell when these choices are made on the flop."""
    classes = solution.classes
    taken = np.where(flop_choices, solution.flop_bets, checks) * classes.flops.counts[:, None]
    values = solution.first_values.copy()
    values[:, 0] = 0
    np.add.at(values[:, 0], classes.hand_cells, taken.sum(axis=0))
    return values


class StrategyPasses(Passes):
    """The passes over a solved game that pricing and searching for strategies are made of."""

    def __init__(
        self,
        solution: HoldemSolution,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        # Pricing goes over all boards twice, and over all flops twice.
        super().__init__(
            solution.classes, workers=workers, progress=progress, board_passes=2, flop_passes=2
        )
        self.solution = solution
        self.terms = solution.terms.as_record()
        self.reading = reading_tables()

    def play_rivers(
        self, strategy: HoldemStrategy
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """The value of a check on the flop, by type of each board class, and the bets."""
        classes, terms = self.solution.classes, self.solution.terms
        most = max(2 * terms.scale, *terms.blind_units) + 3 * terms.scale
        wide = classes.deck.size**2 // 2 * most >= 2**31
        values: npt.NDArray[Any] = np.zeros(classes.types, dtype=np.int64 if wide else np.int32)
        bets = np.zeros(classes.types, dtype=np.bool_)
        lines = _lines(strategy)

        def play(_: int, __: slice, boards: BoardClasses, showdowns: np.record) -> None:
            play_rivers(boards, self.terms, self.reading, lines, showdowns, values, bets)

        self.over_boards(play)
        return values, bets

    def count_played(
        self,
        first_bets: npt.NDArray[np.int64],
        flop_choices: npt.NDArray[np.bool_],
        river_choices: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.int64]:
        """Count deals by stage, category and result when these choices are made."""
        decisions = self.decisions(first_bets, flop_choices)
        stages = len(self.solution.terms.first_multiples) + 3
        outcomes = np.zeros((self.workers, stages, CATEGORIES, RESULTS), dtype=np.int64)

        def count(worker: int, _: slice, boards: BoardClasses, showdowns: np.record) -> None:
            count_played(
                boards, self.terms.qualifying, self.reading, decisions, river_choices, showdowns,
                outcomes[worker],
            )  # fmt: skip

        self.over_boards(count)
        total: npt.NDArray[np.int64] = outcomes.sum(axis=0)
        return total
