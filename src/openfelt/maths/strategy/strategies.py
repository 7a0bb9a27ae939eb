"""Strategies as data: lines in plain words, each with its meaning in numbers.

Before the flop a strategy is a chart of the 169 starting hands. On the flop and on the river it is
a list of lines; the hand bets if any of them matches. A line matches if the features of the hand
lie in one of its boxes: a lowest and a highest value for some of the features that
`openfelt.maths.kernels.strategy_features` lists.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw.hold_lines import HoldLine, basic_draw_lines, held_by_lines
from openfelt.maths.draw.kept_holds import holds_of_all_hands, kept_holds
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import grid_place, parse_starting_hands
from openfelt.maths.holdem.deck_classes import classify_deck
from openfelt.maths.kernels.card_sets import classify_sets, unrank_sets
from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.strategy_features import (
    BOXES_MAX,
    FLOP_CLASSES,
    FLOP_FEATURES,
    FLOPS,
    HANDS_OF_FIVE,
    HANDS_OF_TWO,
    HOLD_BY_HOUSE_WAY,
    HOLD_BY_TABLE,
    HOLD_EVERYTHING,
    RIVER_FEATURES,
    STRATEGY,
    fill_flop_bets,
)
from openfelt.rules.house import GameName, House

BEST_DRAW: Final = "best_draw"
"""The best holds of Ultimate Draw under the published terms, for the Ante alone."""
_ANY_LOW, _ANY_HIGH = -(1 << 30), 1 << 30

Box = tuple[tuple[str, int, int], ...]
"""Features with the lowest and the highest matching value; others may have any value."""


def box(**ranges: int | tuple[int | None, int | None]) -> Box:
    """Make a box: one value, or the lowest and the highest with None for no limit.

    >>> box(pocket=0, hidden_pair=(3, None))[0]
    ('pocket', 0, 0)
    """
    limits = {
        name: (fits, fits) if isinstance(fits, int) else fits for name, fits in ranges.items()
    }
    return tuple(
        (name, _ANY_LOW if low is None else low, _ANY_HIGH if high is None else high)
        for name, (low, high) in limits.items()
    )


@dataclass(frozen=True, slots=True)
class StrategyLine:
    """One line of a strategy: the words for readers, the boxes for kernels."""

    words: str
    boxes: tuple[Box, ...]


def line(words: str, *boxes: Box) -> StrategyLine:
    """Make a line that matches if any of its boxes does."""
    return StrategyLine(words, boxes)


class RiverPlay(Enum):
    """How a strategy decides on the river."""

    BY_LINES = "by lines"
    PERFECT = "perfect"
    """By the exact value of every bet against all 990 dealer hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldemStrategy:
    """A strategy for Ultimate Texas Hold'em."""

    name: str
    title: str
    before_flop: Mapping[int, str]
    """Starting hands by the multiple that they bet, as in ``{4: "33+, A2o+"}``; others check."""
    on_flop: tuple[StrategyLine, ...] = ()
    on_river: tuple[StrategyLine, ...] = ()
    flop_multiple: int = 2
    river_multiple: int = 1
    river: RiverPlay = RiverPlay.BY_LINES
    note: str = ""
    """A note for readers of the lines."""
    flop_low_multiple: int = 0
    """The bet of the entries 2 of an exact flop table; 0 if there are none."""
    flop_bets: npt.NDArray[np.uint8] | None = field(default=None, compare=False)
    """An exact flop table that takes the place of the lines, by flop class and hand: 1 to bet.

    Classes and hands are numbered as the solver numbers them: classes in the order of
    `classify_sets`, hands by C(higher card, 2) + lower card after the flop's permutation of suits.
    """

    def describe(self) -> list[str]:
        """The strategy in plain lines, for printing.

        >>> STRATEGIES["published_simple"].describe()[1]
        'On the flop bet 2x with two pair or better.'
        """
        lines = [
            f"Before the flop bet {multiple}x with {'any hand' if hands == 'any' else hands}."
            for multiple, hands in self.before_flop.items()
        ]
        if self.flop_bets is not None:
            low = f" or {self.flop_low_multiple}x" if self.flop_low_multiple else ""
            lines.append(f"On the flop bet {self.flop_multiple}x{low} by the exact table.")
        else:
            lines += [
                f"On the flop bet {self.flop_multiple}x with {line.words}." for line in self.on_flop
            ]
        if self.river is RiverPlay.PERFECT:
            return [*lines, "On the river bet where that is worth more than a fold."]
        lines += [
            f"On the river bet {self.river_multiple}x with {line.words}." for line in self.on_river
        ]
        return [*lines, "Otherwise check, and on the river fold."]

    def tables(self) -> np.record:
        """The strategy as the kernels take it; ValueError for an invalid line."""
        tables = new_record(STRATEGY)
        tables.before_flop[:] = _chart(self.before_flop)
        tables.flop_multiple = self.flop_multiple
        tables.flop_low_multiple = self.flop_low_multiple
        tables.flop_boxes = _enter_boxes(
            self.on_flop, FLOP_FEATURES, tables.flop_lows, tables.flop_highs
        )
        tables.river_multiple = self.river_multiple
        tables.river_boxes = _enter_boxes(
            self.on_river, RIVER_FEATURES, tables.river_lows, tables.river_highs
        )
        tables.counts_outs = any("outs" in names for names in _features_used(self.on_river))
        tables.perfect_river = self.river is RiverPlay.PERFECT
        if self.flop_bets is not None:
            if self.flop_bets.shape != (FLOP_CLASSES, HANDS_OF_TWO):
                raise ValueError(
                    f"a flop table has the shape (1755, 1326), not {self.flop_bets.shape}"
                )
            tables.exact_flop = True
            tables.flop_classes[:] = _classify_flops()[0]
            tables.flop_bets[:] = self.flop_bets
        return tables

    def flop_table(self) -> npt.NDArray[np.uint8]:
        """The strategy's action on every flop class with every hand: 1 to bet.

        The form is that of ``flop_bets``, so a strategy can be compared with an exact table
        or priced flop by flop.

        >>> table = STRATEGIES["published_simple"].flop_table()
        >>> table.shape
        (1755, 1326)
        """
        if self.flop_bets is not None:
            return self.flop_bets
        table = np.zeros((FLOP_CLASSES, HANDS_OF_TWO), dtype=np.uint8)
        fill_flop_bets(standard_flops(), self.tables(), reading_tables(), table)
        return table

    def check_playable(self, house: House) -> None:
        """Raise ValueError if the house does not offer what the strategy bets."""
        if house.play is None:
            raise ValueError(f"{self.name} plays Ultimate Texas Hold'em, not {house.name}")
        flops = {self.flop_multiple} if self.on_flop or self.flop_bets is not None else set()
        flops |= {self.flop_low_multiple} - {0}
        by_lines = self.river is RiverPlay.BY_LINES and self.on_river
        for street, wanted, offered in (
            ("before the flop", set(self.before_flop) - {0}, house.play.before_flop),
            ("on the flop", flops, house.play.on_flop),
            ("on the river", {self.river_multiple} if by_lines else set(), house.play.on_river),
        ):
            if missing := wanted - set(offered):
                raise ValueError(
                    f"{self.name} bets {max(missing)}x {street}; {house.id} offers "
                    f"{', '.join(f'{multiple}x' for multiple in offered) or 'no bet'} there; "
                    "the strategy called perfect plays by any house's own bets"
                )


def _chart(hands_by_multiple: Mapping[int, str]) -> npt.NDArray[np.int64]:
    chart = np.zeros(169, dtype=np.int64)
    for multiple, text in hands_by_multiple.items():
        for hand in parse_starting_hands(text):
            if chart[grid_place(hand)]:
                raise ValueError(f"{hand} is in the chart twice")
            chart[grid_place(hand)] = multiple
    return chart


def _features_used(lines: Sequence[StrategyLine]) -> list[set[str]]:
    return [{name for name, _, _ in limits} for line in lines for limits in line.boxes]


def _enter_boxes(
    lines: Sequence[StrategyLine],
    features: Sequence[str],
    lows: npt.NDArray[np.int64],
    highs: npt.NDArray[np.int64],
) -> int:
    """Fill in the boxes of all lines; return how many there are."""
    lows[:], highs[:] = _ANY_LOW, _ANY_HIGH
    boxes = [(line.words, limits) for line in lines for limits in line.boxes]
    if len(boxes) > BOXES_MAX:
        raise ValueError(f"a street has {BOXES_MAX} boxes at most, not {len(boxes)}")
    for row, (words, limits) in enumerate(boxes):
        for name, low, high in limits:
            if name not in features:
                raise ValueError(
                    f"{words!r}: there is no feature {name!r}; there are {', '.join(features)}"
                )
            lows[row, features.index(name)] = low
            highs[row, features.index(name)] = high
    return len(boxes)


@cache
def _classify_flops() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The class of every flop by its number, and the number of each class's representative."""
    classes = np.zeros(FLOPS, dtype=np.int32)
    numbers, sizes = np.zeros(FLOPS, dtype=np.int32), np.zeros(FLOPS, dtype=np.int32)
    count = classify_sets(np.arange(52), np.arange(52), 3, classes, numbers, sizes)
    return classes, numbers[:count]


def standard_flops() -> npt.NDArray[np.uint8]:
    """The representative of each of the 1,755 classes of flops, lowest card first."""
    _, numbers = _classify_flops()
    flops = np.zeros((len(numbers), 3), dtype=np.uint8)
    unrank_sets(numbers, np.arange(52), flops)
    return flops


class HoldRule(StrEnum):
    """The hold rule of an Ultimate Draw strategy."""

    HOUSE_WAY = "house_way"
    EVERYTHING = "everything"
    BY_TABLE = "by_table"
    BY_LINES = "by_lines"
    BEST = "best"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawStrategy:
    """A strategy for Ultimate Draw Poker."""

    name: str
    title: str
    rule: HoldRule
    holds: npt.NDArray[np.uint8] | None = field(default=None, compare=False)
    """For `BY_TABLE`: by number of the five cards, the holds as bits, lowest card first.

    The number is the sum of C(k-th lowest card, k).
    """
    lines: tuple[HoldLine, ...] = ()
    """For `BY_LINES`: the first line that matches a hand says what to hold."""
    counts: str = ""
    """For `BEST`: the name of the strategy among the stored counts and holds."""

    def describe(self) -> list[str]:
        """The strategy in plain lines, for printing."""
        if self.rule is HoldRule.BY_LINES:
            return [f"Hold {line.words}." for line in self.lines]
        return [f"{self.title}."]

    def tables(self) -> np.record:
        """The strategy as the kernels take it."""
        tables = new_record(STRATEGY)
        tables.hold_rule = _HOLD_RULES[self.rule]
        if self.rule is HoldRule.BY_LINES:
            tables.holds[:] = _held_by_lines(self.lines)
        elif self.rule is HoldRule.BEST:
            tables.holds[:] = _held_best(self.counts)
        elif self.rule is HoldRule.BY_TABLE:
            if self.holds is None or self.holds.shape != (HANDS_OF_FIVE,):
                raise ValueError(f"{self.name} needs what to hold of each of 2,598,960 hands")
            tables.holds[:] = self.holds
        return tables

    def check_playable(self, house: House) -> None:
        """Raise ValueError if the house does not deal this game."""
        if house.game is not GameName.ULTIMATE_DRAW:
            raise ValueError(f"{self.name} plays Ultimate Draw Poker, not {house.name}")


@lru_cache(maxsize=2)
def _held_by_lines(lines: tuple[HoldLine, ...]) -> npt.NDArray[np.uint8]:
    """The holds of some lines for each of the 2,598,960 hands: a class of hands is held alike."""
    return holds_of_all_hands(held_by_lines(lines, classify_deck().hands.cards))


@lru_cache(maxsize=2)
def _held_best(counts: str) -> npt.NDArray[np.uint8]:
    return holds_of_all_hands(kept_holds(counts))


_HOLD_RULES = {
    HoldRule.HOUSE_WAY: HOLD_BY_HOUSE_WAY,
    HoldRule.EVERYTHING: HOLD_EVERYTHING,
    HoldRule.BY_TABLE: HOLD_BY_TABLE,
    HoldRule.BY_LINES: HOLD_BY_TABLE,
    HoldRule.BEST: HOLD_BY_TABLE,
}

Strategy = HoldemStrategy | DrawStrategy


# Strategies to compare with -----------------------------------------------------

_PUBLISHED_4X = "33+, A2+, K2s+, K5o+, Q6s+, Q8o+, J8s+, JTo"
_PUBLISHED_FLOP = (
    line("two pair or better", box(made=(Category.TWO_PAIR, None))),
    line(
        "a hidden pair, except pocket deuces",
        box(hidden_pair=(2, None), pocket=0),
        box(hidden_pair=(3, None), pocket=1),
    ),
    line("four to a flush with a hidden ten or better", box(flush_draw=(10, None))),
)
_PUBLISHED_OUTS = line("fewer than 21 dealer outs that beat you", box(outs=(None, 20)))
# The published words, "hidden pair or better", can be read in three ways.
_USES_HOLE = line(
    "a pair or better that uses a hole card", box(made=(Category.PAIR, None), uses_hole=1)
)
_HIDDEN_PAIR = line("a pair with a hole card in it", box(hidden_pair=(2, None)))
_ANY_TWO_PAIR = line(
    "a pair with a hole card in it, or any two pair or better, even on the board alone",
    box(hidden_pair=(2, None)),
    box(hidden_pair=(None, 1), made=(Category.TWO_PAIR, None)),
)

# What `openfelt.maths.find_basic_strategy` finds with six lines, written down.
_BASIC_FLOP = (
    line(
        "a pair or better that uses a hole card, "
        "except pocket deuces with less than three of a kind",
        box(made=(Category.PAIR, None), uses_hole=1, pocket=(None, 0)),
        box(made=(Category.PAIR, None), uses_hole=1, pocket=(1, None), hidden_pair=(3, None)),
        box(
            made=(Category.THREE_OF_A_KIND, None),
            uses_hole=1,
            pocket=(1, None),
            hidden_pair=(None, 2),
        ),
    ),
    line("four to a flush with a hole card of ten or higher in it", box(flush_draw=(10, None))),
)
_BASIC_RIVER = (
    line("at most 18 dealer outs", box(outs=(None, 18))),
    line(
        "at most 22 dealer outs and a hole card of nine or higher",
        box(outs=(None, 22), high=(9, None)),
    ),
    line("at most 20 dealer outs and a hidden pair", box(outs=(None, 20), hidden_pair=(2, None))),
)


_OTHER_READING = (
    'Another reading of the published words "hidden pair or better". The one that is meant is '
    "published_simple."
)
READINGS = ("published_simple", "published_simple_pair", "published_simple_any_two_pair")
"""The names of the strategies that read the published words differently; the first reading is the
intended one."""


def _shipped(*strategies: Strategy) -> Mapping[str, Strategy]:
    return MappingProxyType({strategy.name: strategy for strategy in strategies})


STRATEGIES: Mapping[str, Strategy] = _shipped(
    HoldemStrategy(
        name="basic",
        title="The basic strategy that Openfelt found",
        before_flop={4: _PUBLISHED_4X},
        on_flop=_BASIC_FLOP,
        on_river=_BASIC_RIVER,
    ),
    HoldemStrategy(
        name="published_simple",
        title="The simple strategy of the Wizard of Odds",
        before_flop={4: _PUBLISHED_4X},
        on_flop=_PUBLISHED_FLOP,
        on_river=(_USES_HOLE, _PUBLISHED_OUTS),
        note='The published words are "hidden pair or better". This reading is the one with the '
        "loss that its author lists.",
    ),
    HoldemStrategy(
        name="published_simple_pair",
        title="The published simple strategy, reading only pairs as hidden",
        before_flop={4: _PUBLISHED_4X},
        on_flop=_PUBLISHED_FLOP,
        on_river=(_HIDDEN_PAIR, _PUBLISHED_OUTS),
        note=_OTHER_READING,
    ),
    HoldemStrategy(
        name="published_simple_any_two_pair",
        title="The published simple strategy, betting any two pair or better",
        before_flop={4: _PUBLISHED_4X},
        on_flop=_PUBLISHED_FLOP,
        on_river=(_ANY_TWO_PAIR, _PUBLISHED_OUTS),
        note=_OTHER_READING,
    ),
    HoldemStrategy(
        name="simple_perfect_river",
        title="The published simple strategy with perfect play on the river",
        before_flop={4: _PUBLISHED_4X},
        on_flop=_PUBLISHED_FLOP,
        river=RiverPlay.PERFECT,
    ),
    HoldemStrategy(
        name="always_4x",
        title="Bet 4x before the flop with every hand",
        before_flop={4: "any"},
    ),
    HoldemStrategy(
        name="never_raise",
        title="Check twice, then bet 1x with a pair or better",
        before_flop={},
        on_river=(line("a pair or better", box(made=(Category.PAIR, None))),),
    ),
    DrawStrategy(name="house_way", title="Hold as the dealer does", rule=HoldRule.HOUSE_WAY),
    DrawStrategy(
        name="basic_draw",
        title="The basic strategy that Openfelt found",
        rule=HoldRule.BY_LINES,
        lines=basic_draw_lines(),
    ),
    DrawStrategy(
        name=BEST_DRAW,
        title="Hold what is best for the Ante alone",
        rule=HoldRule.BEST,
        counts="best",
    ),
    *(
        DrawStrategy(
            name=f"{BEST_DRAW}_{table.lower().replace('-', '_')}",
            title=f"Hold what is best for the Ante and as much on {table}",
            rule=HoldRule.BEST,
            counts=f"best_{table}",
        )
        for table in ("UDP-01", "UDP-02", "UDP-03", "UDP-04")
    ),
    DrawStrategy(name="stand_pat", title="Hold every card", rule=HoldRule.EVERYTHING),
)
"""The strategies that come with Openfelt, by name."""
