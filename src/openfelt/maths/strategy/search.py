"""A plain strategy of a few lines, found by exact gains.

Decisions that a player cannot distinguish share a code. Each code has the exact gain of betting
over checking on the flop, or over folding on the river, with the hands that have not bet yet. A
line gains the sum over the codes that it matches; the search chooses the lines that gain the most
together. The gain on one street depends on how the other is played, so streets are searched in turn
until nothing changes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import cell_name, write_starting_hands
from openfelt.maths.holdem.game_outcomes import stage_count
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.holdem.solver import solve_holdem
from openfelt.maths.kernels.card_sets import BoardClasses
from openfelt.maths.kernels.strategy_search import (
    CODE_BITS,
    CODE_SLOTS,
    NO_CODE,
    add_river_gains,
    cross_gains,
    read_flop_codes,
)
from openfelt.maths.strategy.grammar import Part, StreetLines, flop_street, river_street, write_line
from openfelt.maths.strategy.prices import (
    StrategyPasses,
    flop_bets_of,
    perfect_strategy,
    play_on,
)
from openfelt.maths.strategy.strategies import HoldemStrategy, RiverPlay, StrategyLine

LINES_MAX: Final = 12
_BEAM: Final = 100
_ROUNDS_MAX: Final = 6
_WORDS_WORTH: Final = 100_000
"""Each condition of a line must gain at least an Ante divided by this."""

Choice = tuple[int, int, int, int]
"""A line by the numbers of its subject's family and part, and of its qualifier's; -1 for none."""


@dataclass(frozen=True)
class Gains:
    """The gain of betting by code, in units summed over all deals."""

    street: StreetLines
    codes: npt.NDArray[np.int64]
    gains: npt.NDArray[np.int64]

    @cached_property
    def features(self) -> npt.NDArray[np.int64]:
        """The features of each code, one row per code."""
        size = len(self.street.features)
        columns = [self.codes >> CODE_BITS * place for place in range(size)]
        cut = [column & (1 << CODE_BITS) - 1 for column in columns[:-1]]
        return np.stack([*cut, columns[-1]], axis=1)

    @cached_property
    def subject_places(self) -> list[npt.NDArray[np.int64]]:
        """By family of subjects: the first part that matches each code."""
        return [
            family.places(self.features, self.street.features) for family in self.street.subjects
        ]

    @cached_property
    def qualifier_places(self) -> list[npt.NDArray[np.int64]]:
        """The same for qualifiers."""
        return [
            family.places(self.features, self.street.features) for family in self.street.qualifiers
        ]

    def parts(self, choice: Choice) -> tuple[Part, Part | None]:
        """The parts of a line."""
        family, place, group, where = choice
        subject = self.street.subjects[family].parts[place]
        return subject, self.street.qualifiers[group].parts[where] if group >= 0 else None

    def fits(self, choice: Choice) -> npt.NDArray[np.bool_]:
        """The codes that a line matches."""
        subject, qualifier = self.parts(choice)
        fits = subject.fits(self.features, self.street.features)
        return fits & qualifier.fits(self.features, self.street.features) if qualifier else fits


@dataclass(frozen=True, slots=True)
class _Lines:
    """Some lines, their joint gain, and their score: the gain minus the price of their words."""

    score: int
    gain: int
    choices: tuple[Choice, ...]
    covered: npt.NDArray[np.bool_]


def find_basic_strategy(
    solution: HoldemSolution | None = None,
    *,
    lines: int = 6,
    report: Callable[[str], object] | None = None,
) -> HoldemStrategy:
    """Find a plain strategy of at most `lines` lines, including the one before the flop.

    `solution` is the solved game; without it the game is solved under the usual terms. Takes some
    seconds on one processor. `report` is called with the strategy so far after each round. Raises
    ValueError for fewer than three lines, one per street, or more than twelve.
    """
    if not 3 <= lines <= LINES_MAX:
        raise ValueError(f"a basic strategy must have 3 to {LINES_MAX} lines, not {lines}")
    search = _Search(solution or solve_holdem())
    best = perfect_strategy(search.solution)
    strategy = HoldemStrategy(
        name="basic",
        title="The basic strategy that Openfelt found",
        before_flop=best.before_flop,
        flop_bets=best.flop_bets,
        flop_multiple=best.flop_multiple,
        flop_low_multiple=best.flop_low_multiple,
        river=RiverPlay.PERFECT,
    )
    for _ in range(_ROUNDS_MAX):
        better = search.improve(strategy, lines - len(strategy.before_flop))
        if report:
            report("\n".join(better.describe()))
        if better == strategy:
            break
        strategy = better
    return strategy


class _Search:
    """One solved game, searched for lines."""

    def __init__(self, solution: HoldemSolution) -> None:
        self.solution = solution
        self.passes = StrategyPasses(solution)
        # One bet for each street: the largest on the flop, where few bet, and the smallest on the
        # river, where many do.
        self.flop_multiple = max(solution.terms.flop_multiples, default=0)
        self.river_multiple = solution.terms.river_multiples[-1]
        classes = solution.classes
        self.flop_codes = np.empty(
            (len(classes.flops.cards), classes.hand_cells.size), dtype=np.int64
        )
        read_flop_codes(classes.flops.cards, classes.deck, reading_tables(), self.flop_codes)
        self.word_price = solution.deals * solution.terms.scale // _WORDS_WORTH

    def improve(self, strategy: HoldemStrategy, lines: int) -> HoldemStrategy:
        """Choose all lines again, those of each street given how the strategy plays the other."""
        values, _ = self.passes.play_rivers(strategy)
        checks = self.passes.sum_over_runouts(values)
        flop_choices = flop_bets_of(strategy, self.solution.classes)
        bets = self.passes.flop_values(strategy)
        first_values = play_on(self.solution, bets, checks, flop_choices)
        first_bets = np.argmax(first_values, axis=1) - 1
        flop = self.flop_gains(checks, first_bets)
        river = self.river_gains(strategy, flop_choices, first_bets)
        on_flop, on_river = _share_lines(
            _choose_lines(flop, lines - 1, self.word_price),
            _choose_lines(river, lines - 1, self.word_price),
            lines,
        )
        return HoldemStrategy(
            name=strategy.name,
            title=strategy.title,
            before_flop=self._chart(first_bets),
            on_flop=_written(flop, on_flop),
            on_river=_written(river, on_river),
            flop_multiple=self.flop_multiple,
            river_multiple=self.river_multiple,
        )

    def _chart(self, first_bets: npt.NDArray[np.int64]) -> dict[int, str]:
        hands = {
            multiple: write_starting_hands(
                cell_name(int(cell)) for cell in np.nonzero(first_bets == number)[0]
            )
            for number, multiple in enumerate(self.solution.terms.first_multiples)
        }
        return {multiple: text for multiple, text in hands.items() if text}

    def flop_gains(self, checks: npt.NDArray[np.int64], first_bets: npt.NDArray[np.int64]) -> Gains:
        """The gain of the flop's bet over a check, by code, with hands that have not bet."""
        classes = self.solution.classes
        if not self.flop_multiple:
            nothing = np.zeros(0, dtype=np.int64)
            return _added_up(flop_street(), nothing, nothing)
        gains = (self.solution.flop_bets[0] - checks) * classes.flops.counts[:, None]
        counted = (self.flop_codes != NO_CODE) & (first_bets[classes.hand_cells] < 0)[None, :]
        return _added_up(flop_street(), self.flop_codes[counted], gains[counted])

    def river_gains(
        self,
        strategy: HoldemStrategy,
        flop_choices: npt.NDArray[np.int8],
        first_bets: npt.NDArray[np.int64],
    ) -> Gains:
        """The gain of the river's bet over a fold, by code, with hands that have not bet.

        `flop_choices` are those of the strategy.
        """
        passes = self.passes
        decisions = passes.strategy_decisions(strategy, first_bets, flop_choices)
        stages = stage_count(self.solution.terms)
        codes = np.full((passes.workers, CODE_SLOTS), NO_CODE, dtype=np.int64)
        gains = np.zeros((passes.workers, CODE_SLOTS), dtype=np.int64)

        def add(worker: int, _: slice, boards: BoardClasses, showdowns: np.record) -> None:
            add_river_gains(
                boards, self.river_multiple, stages, passes.terms, passes.reading, decisions,
                showdowns, codes[worker], gains[worker],
            )  # fmt: skip

        passes.over_boards(add)
        return _added_up(river_street(), codes[codes != NO_CODE], gains[codes != NO_CODE])


def _added_up(
    street: StreetLines, codes: npt.NDArray[np.int64], gains: npt.NDArray[np.int64]
) -> Gains:
    different, places = np.unique(codes, return_inverse=True)
    sums = np.zeros(different.size, dtype=np.int64)
    np.add.at(sums, places, gains)
    return Gains(street, different, sums)


def _written(gains: Gains, lines: _Lines) -> tuple[StrategyLine, ...]:
    """The lines, ordered by what each gains after those before it."""
    left = list(lines.choices)
    covered = np.zeros(gains.codes.size, dtype=np.bool_)
    written = []
    while left:
        best = max(left, key=lambda choice: int(gains.gains[gains.fits(choice) & ~covered].sum()))
        covered |= gains.fits(best)
        left.remove(best)
        written.append(write_line(*gains.parts(best)))
    return tuple(written)


def _share_lines(flop: list[_Lines], river: list[_Lines], lines: int) -> tuple[_Lines, _Lines]:
    """Choose the numbers of lines of the two streets that together score the most."""
    pairs = [
        (flop_lines, river_lines)
        for flop_lines in flop
        for river_lines in river
        if len(flop_lines.choices) + len(river_lines.choices) <= lines
    ]
    return max(pairs, key=lambda pair: pair[0].score + pair[1].score)


def _choose_lines(gains: Gains, most: int, word_price: int) -> list[_Lines]:
    """Find the best sets of up to `most` lines by number, keeping the best few at each step."""
    nothing = _Lines(0, 0, (), np.zeros(gains.codes.size, dtype=np.bool_))
    beam, best = [nothing], [nothing]
    for _ in range(most):
        longer: dict[int, tuple[_Lines, int, Choice]] = {}
        for lines in beam:
            for score, gain, choice in _next_lines(gains, lines, word_price):
                # Lines with the same score are the same line in different words.
                longer.setdefault(score, (lines, gain, choice))
        beam = [
            _Lines(score, gain, (*lines.choices, choice), lines.covered | gains.fits(choice))
            for score, (lines, gain, choice) in sorted(longer.items(), reverse=True)[:_BEAM]
        ]
        if not beam:
            break
        best.append(beam[0])
    return best


def _next_lines(gains: Gains, lines: _Lines, word_price: int) -> Iterator[tuple[int, int, Choice]]:
    """The best next lines: score, gain and line; simple lines first."""
    candidates: list[tuple[int, int, Choice]] = []
    nothing = np.zeros(gains.codes.size, dtype=np.int64)
    for family, subjects in enumerate(gains.street.subjects):
        for group in range(-1, len(gains.street.qualifiers)):
            qualifiers = gains.street.qualifiers[group] if group >= 0 else None
            columns = len(qualifiers.parts) if qualifiers else 1
            sums = np.empty((len(subjects.parts) + 1, columns + 1), dtype=np.int64)
            places = gains.qualifier_places[group] if qualifiers else nothing
            cross_gains(gains.gains, lines.covered, gains.subject_places[family], places, sums)
            if subjects.nested:
                sums = sums.cumsum(axis=0)
            if qualifiers is None or qualifiers.nested:
                sums = sums.cumsum(axis=1)
            table = sums[:-1, :-1]
            price = word_price * (2 if qualifiers else 1)
            # The broadest of equal lines comes first, so that no condition is redundant.
            order = np.argsort(-table[::-1, ::-1], axis=None, kind="stable")[:_BEAM]
            for place in order.tolist():
                row, column = divmod(place, columns)
                subject, where = len(subjects.parts) - 1 - row, columns - 1 - column
                gain = int(table[subject, where])
                if gain <= price:
                    break
                choice = (family, subject, group, where if qualifiers else -1)
                candidates.append((lines.score + gain - price, lines.gain + gain, choice))
    candidates.sort(key=lambda candidate: -candidate[0])
    yield from candidates[:_BEAM]
