"""Ante, Blind and Play by themselves: how many deals end with each of their results.

The solver counts deals by the final decision, the category of the player's hand and the result.
From these counts each of the three wagers is settled alone, by rulings R.4 and R.5.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from openfelt.cards import Category
from openfelt.maths.holdem.game_outcomes import FOLD, GameOutcomes

_ANTE: Final = (
    ("won", 1),
    ("pushed, dealer not qualified", 0),
    ("tied", 0),
    ("lost", -1),
    ("pushed, dealer not qualified", 0),
)
"""By result of the solver, won to lost unqualified: the Ante's result and net."""
_SHOWDOWN: Final = (("won", 1), ("won", 1), ("tied", 0), ("lost", -1), ("lost", -1))
"""The same for Play and Blind, which do not depend on the dealer's qualifying (R.4)."""


@dataclass(frozen=True, slots=True)
class WagerResults:
    """The results of one wager of the game, in Antes."""

    wager: str
    """``ante``, ``blind`` or ``play``."""
    deals: Mapping[str, tuple[int, Fraction]]
    """By result in words, such as ``flush`` or ``lost``: the deals and the net result."""

    @property
    def total(self) -> int:
        """All deals."""
        return sum(deals for deals, _ in self.deals.values())

    @property
    def expected(self) -> Fraction:
        """The expected net result, in Antes."""
        weighted = (deals * net for deals, net in self.deals.values())
        return sum(weighted, Fraction(0)) / self.total


class _Tally:
    """Adds deals up by the words of a result; every result has one net."""

    def __init__(self) -> None:
        self.deals: dict[str, tuple[int, Fraction]] = {}

    def add(self, words: str, net: Fraction | int, deals: int) -> None:
        if deals:
            before = self.deals.get(words, (0, net))[0]
            self.deals[words] = (before + deals, Fraction(net))


def wager_results(solution: GameOutcomes) -> tuple[WagerResults, ...]:
    """Settle Ante, Blind and Play alone; their expected results add up to the game's.

    >>> from openfelt.maths import solve_holdem
    >>> solution = solve_holdem()
    >>> ante, blind, play = wager_results(solution)
    >>> ante.expected + blind.expected + play.expected == solution.ev_per_ante
    True
    """
    ante, blind, play = _Tally(), _Tally(), _Tally()
    for stage, action in enumerate(solution.actions):
        multiple = solution.multiples[stage]
        for category in Category:
            odds = solution.terms.blind[category]
            for result in range(solution.outcomes.shape[2]):
                deals = int(solution.outcomes[stage, category, result])
                if action == FOLD:
                    ante.add("folded", -1, deals)
                    blind.add("folded", -1, deals)
                    play.add("not bet", 0, deals)
                    continue
                words, sign = _SHOWDOWN[result]
                ante.add(*_ANTE[result], deals)
                play.add(f"{multiple}x {words}", sign * multiple, deals)
                if sign < 1:
                    blind.add(words, sign, deals)
                else:
                    blind.add(f"won with {category.words}" if odds else "won, pushed", odds, deals)
    tallies = {"ante": ante, "blind": blind, "play": play}
    return tuple(WagerResults(name, _highest_first(tally.deals)) for name, tally in tallies.items())


def _highest_first(
    deals: Mapping[str, tuple[int, Fraction]],
) -> dict[str, tuple[int, Fraction]]:
    return dict(sorted(deals.items(), key=lambda entry: -entry[1][1]))
