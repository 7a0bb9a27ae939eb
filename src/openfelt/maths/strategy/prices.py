"""The exact value of a strategy: its decisions instead of the best ones, over all deals.

The solver counts the dealer hands that every hand meets; a strategy only selects among the
counted values. `docs/internals/exact-holdem.md` derives the sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import write_starting_hands
from openfelt.maths.holdem.deck_classes import DeckClasses
from openfelt.maths.holdem.game_outcomes import stage_count
from openfelt.maths.holdem.passes import Passes
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.holdem.solver import price_types, solve_holdem, value_type_of
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.kernels.board_values import CATEGORIES
from openfelt.maths.kernels.card_sets import CHOOSE, BoardClasses
from openfelt.maths.kernels.outcomes import Decisions
from openfelt.maths.kernels.showdowns import RESULTS
from openfelt.maths.kernels.strategy_features import HANDS_OF_TWO, fill_flop_bets
from openfelt.maths.kernels.strategy_prices import count_played, play_rivers
from openfelt.maths.parallel import Progress
from openfelt.maths.strategy.strategies import HoldemStrategy, RiverPlay


@dataclass(frozen=True)
class StrategyPrice(HoldemSolution):
    """The game as a strategy plays it: the same exact figures as the solution's.

    The value of a check is its value if the strategy plays the rest of the hand.
    """

    strategy: HoldemStrategy
    first_bets: npt.NDArray[np.int64]
    """By cell of the grid: the number of the strategy's bet before the flop, or -1."""
    flop_choices: npt.NDArray[np.int8]
    """By flop class and hand number, if the strategy has not bet yet: 0 if it bets, 1 if it bets
    its lower multiple, -1 if it checks."""
    river_choices: npt.NDArray[np.uint8]
    """By type of each board class, if the strategy has not bet yet: the number of its bet, the
    smallest first; 0 to fold."""
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
        """The strategy's cost against perfect play, in Antes."""
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
    outcomes = passes.count_played(strategy, first_bets, flop_choices, river_choices)
    price = StrategyPrice(
        terms=solution.terms,
        classes=solution.classes,
        first_values=play_on(solution, passes.flop_values(strategy), checks, flop_choices),
        flop_bets=solution.flop_bets,
        flop_checks=checks,
        outcomes=outcomes,
        strategy=strategy,
        first_bets=first_bets,
        flop_choices=flop_choices,
        river_choices=river_choices,
        perfect_ev=solution.ev_per_ante,
    )
    # Two ways to compute the same number: summing values, and counting results.
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
    high, low = (*solution.terms.flop_candidates, 0, 0)[:2]
    return HoldemStrategy(
        name="perfect",
        title="Perfect play",
        before_flop={multiple: text for multiple, text in chart.items() if text},
        flop_multiple=high,
        flop_low_multiple=low,
        flop_bets=(solution.best_flop_bets + 1).astype(np.uint8) if high else None,
        river=RiverPlay.PERFECT,
    )


def first_choices(strategy: HoldemStrategy, terms: HoldemTerms) -> npt.NDArray[np.int64]:
    """The number of the strategy's bet before the flop by cell, -1 to check."""
    for street, multiples, offered in (
        ("on the flop", _flop_multiples(strategy), terms.flop_multiples),
        ("on the river", _river_multiples(strategy), terms.river_multiples),
    ):
        if missing := set(multiples) - set(offered):
            counts = " and ".join(f"{multiple}x" for multiple in offered) or "no bet"
            raise ValueError(
                f"{strategy.name} bets {max(missing)}x {street}, where {counts} counts"
            )
    chart = _lines(strategy).before_flop
    choices = np.full(169, -1, dtype=np.int64)
    for number, multiple in enumerate(terms.first_multiples):
        choices[chart == multiple] = number
    if (unknown := chart[(chart > 0) & (choices < 0)]).size:
        raise ValueError(
            f"{strategy.name} bets {unknown[0]}x before the flop, which is not offered"
        )
    return choices


def _flop_multiples(strategy: HoldemStrategy) -> tuple[int, ...]:
    """The strategy's possible bets on the flop, in the order of its choices."""
    if not strategy.on_flop and strategy.flop_bets is None:
        return ()
    low = strategy.flop_low_multiple
    return (strategy.flop_multiple, low) if low else (strategy.flop_multiple,)


def _river_multiples(strategy: HoldemStrategy) -> tuple[int, ...]:
    """The bets of the strategy's lines on the river."""
    by_lines = strategy.river is RiverPlay.BY_LINES and strategy.on_river
    return (strategy.river_multiple,) if by_lines else ()


def _lines(strategy: HoldemStrategy) -> np.record:
    """The lines of a strategy as kernels read them; a flop table may be for any deck."""
    return replace(strategy, flop_bets=None).tables()


def flop_bets_of(strategy: HoldemStrategy, classes: DeckClasses) -> npt.NDArray[np.int8]:
    """The strategy's action on every flop class of a deck with every hand of it.

    0 to bet, 1 to bet the lower multiple, -1 to check.
    """
    if strategy.flop_bets is not None:
        if strategy.flop_bets.shape != (len(classes.flops.cards), classes.hand_cells.size):
            raise ValueError(f"the flop table of {strategy.name} is for another deck")
        return strategy.flop_bets.astype(np.int8) - np.int8(1)
    table = np.zeros((len(classes.flops.cards), HANDS_OF_TWO), dtype=np.uint8)
    fill_flop_bets(classes.flops.cards, _lines(strategy), reading_tables(), table)
    highs, lows = np.tril_indices(classes.deck.size, -1)
    numbers = CHOOSE[classes.deck[highs], 2] + classes.deck[lows]
    return table[:, numbers].astype(np.int8) - np.int8(1)


def play_on(
    solution: HoldemSolution,
    bets: Sequence[npt.NDArray[np.int64]],
    checks: npt.NDArray[np.int64],
    flop_choices: npt.NDArray[np.int8],
) -> npt.NDArray[np.int64]:
    """The values of each first action by cell when these choices are made on the flop."""
    classes = solution.classes
    taken = checks.copy()
    for number, bet in enumerate(bets):
        np.copyto(taken, bet, where=flop_choices == number)
    taken *= classes.flops.counts[:, None]
    values = solution.first_values.copy()
    values[:, 0] = 0
    np.add.at(values[:, 0], classes.hand_cells, taken.sum(axis=0))
    return values


class StrategyPasses(Passes):
    """The passes over a solved game that pricing and the search for strategies consist of."""

    def __init__(
        self,
        solution: HoldemSolution,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        # Pricing passes over all boards twice, and over all flops twice.
        super().__init__(
            solution.classes, workers=workers, progress=progress, board_passes=2, flop_passes=2
        )
        self.solution = solution
        self.terms = solution.terms.as_record()
        self.reading = reading_tables()

    def play_rivers(
        self, strategy: HoldemStrategy
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
        """The value of a check on the flop, by type of each board class, and the bets."""
        classes, terms = self.solution.classes, self.solution.terms
        value_type = value_type_of(terms, classes)
        values: npt.NDArray[Any] = np.zeros(classes.types, dtype=value_type)
        bets = np.zeros(classes.types, dtype=np.uint8)
        lines = _lines(strategy)
        offered = terms.river_multiples
        by_lines = _river_multiples(strategy)
        line_bet = len(offered) - offered.index(by_lines[0]) if by_lines else 0

        def play(_: int, __: slice, boards: BoardClasses, showdowns: np.record) -> None:
            play_rivers(boards, self.terms, self.reading, lines, line_bet, showdowns, values, bets)

        self.over_boards(play)
        return values, bets

    def flop_values(self, strategy: HoldemStrategy) -> list[npt.NDArray[np.int64]]:
        """The value of each bet that the strategy makes on the flop, by flop class and hand."""
        solution = self.solution
        candidates = solution.terms.flop_candidates
        by_multiple = dict(zip(candidates, solution.flop_bets, strict=True))
        wanted = _flop_multiples(strategy)
        if missing := [multiple for multiple in wanted if multiple not in by_multiple]:
            # A multiple between the largest and the smallest, which is never best.
            value_type = value_type_of(solution.terms, solution.classes)
            passes = Passes(solution.classes, workers=self.workers)
            values = price_types(solution.terms, passes, missing, value_type)[0]
            for multiple, by_type in zip(missing, values, strict=True):
                by_multiple[multiple] = passes.sum_over_runouts(by_type)
        return [by_multiple[multiple] for multiple in wanted]

    def strategy_decisions(
        self,
        strategy: HoldemStrategy,
        first_bets: npt.NDArray[np.int64],
        flop_choices: npt.NDArray[np.int8],
    ) -> Decisions:
        """The bets of a strategy before and on the flop, as the kernels take them."""
        terms = self.solution.terms
        before = len(terms.first_multiples)
        stages = [before + terms.flop_multiples.index(m) for m in _flop_multiples(strategy)]
        return self.weighed(first_bets, flop_choices, stages)

    def count_played(
        self,
        strategy: HoldemStrategy,
        first_bets: npt.NDArray[np.int64],
        flop_choices: npt.NDArray[np.int8],
        river_choices: npt.NDArray[np.uint8],
    ) -> npt.NDArray[np.int64]:
        """Count deals by stage, category and result when these choices are made."""
        decisions = self.strategy_decisions(strategy, first_bets, flop_choices)
        stages = stage_count(self.solution.terms)
        outcomes = np.zeros((self.workers, stages, CATEGORIES, RESULTS), dtype=np.int64)

        def count(worker: int, _: slice, boards: BoardClasses, showdowns: np.record) -> None:
            count_played(
                boards, self.terms.qualifying, self.reading, decisions, river_choices, showdowns,
                outcomes[worker],
            )  # fmt: skip

        self.over_boards(count)
        total: npt.NDArray[np.int64] = outcomes.sum(axis=0)
        return total
