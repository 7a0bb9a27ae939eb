"""The solved game: the value of every decision, and how often each outcome occurs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from openfelt.cards import Card
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import cell_name
from openfelt.maths.holdem.deck_classes import DeckClasses
from openfelt.maths.holdem.game_outcomes import (
    CHECK,
    FOLD,
    INITIAL_UNITS,
    GameOutcomes,
)
from openfelt.maths.holdem.terms import bet_names
from openfelt.maths.kernels.board_values import game_sum
from openfelt.maths.kernels.card_sets import long_suit
from openfelt.maths.kernels.flops import TYPE_NUMBERS
from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.showdowns import SHOWDOWNS, fill_showdowns


@dataclass(frozen=True, slots=True)
class StartingHand:
    """One of the 169 starting hands, or fewer with a smaller deck."""

    name: str
    """As players write it: ``AA``, ``AKs``, ``AKo``."""
    hands: int
    """How many pairs of cards it represents."""
    values: Mapping[str, Fraction]
    """The exact value of each action, in Antes."""
    best: str
    """The action with the highest value; check where no bet is worth more."""


def symbol_of(number: int, mode: int) -> int:
    """A card's symbol on a board: its rank, and 13 more in the suit that can make a flush."""
    return (number >> 2) + (13 if (number & 3) + 1 == mode else 0)


def best_flop_bets(
    bets: npt.NDArray[np.int64], checks: npt.NDArray[np.int64]
) -> npt.NDArray[np.int8]:
    """By flop class and hand: the number of the best bet, or -1 where a check is worth as much."""
    choices = np.full(checks.shape, -1, dtype=np.int8)
    best = checks
    for number, bet in enumerate(bets):
        choices[bet > best] = number
        best = np.maximum(bet, best)
    return choices


@dataclass(frozen=True)
class HoldemSolution(GameOutcomes):
    """Everything about one set of terms. All figures are exact; only printing rounds them."""

    classes: DeckClasses
    first_values: npt.NDArray[np.int64]
    """By cell of the grid: check, then each first bet, summed over all deals, in units."""
    flop_bets: npt.NDArray[np.int64]
    """By candidate of the terms, flop class and hand number: a bet on the flop, summed over turn,
    river and dealer; see `HoldemTerms.flop_candidates`."""
    flop_checks: npt.NDArray[np.int64]
    """By flop class and hand number: checking the flop and deciding best on the river."""

    @property
    def best_flop_bets(self) -> npt.NDArray[np.int8]:
        """By flop class and hand number: the candidate that is the best bet, or -1 to check."""
        return best_flop_bets(self.flop_bets, self.flop_checks)

    @property
    def best_on_flop(self) -> npt.NDArray[np.int64]:
        """By flop class and hand number: the value of the best decision on the flop."""
        best: npt.NDArray[np.int64] = np.maximum.reduce([*self.flop_bets, self.flop_checks])
        return best

    @property
    def runouts(self) -> int:
        """Turn, river and dealer hands for each starting hand and flop."""
        cards = self.classes.deck.size
        return math.comb(cards - 5, 2) * math.comb(cards - 7, 2)

    @cached_property
    def deals(self) -> int:
        """All starting hands, flops, turns and rivers, and dealer hands: the whole game."""
        cards = self.classes.deck.size
        return math.comb(cards, 2) * math.comb(cards - 2, 3) * self.runouts

    @cached_property
    def starting_hands(self) -> Mapping[str, StartingHand]:
        """Every starting hand by name, with the value of each action before the flop."""
        hands = np.bincount(self.classes.hand_cells, minlength=169)
        flops = math.comb(self.classes.deck.size - 2, 3)
        actions = (CHECK, *self.terms.first_actions)
        by_name = {}
        for cell in np.nonzero(hands)[0]:
            count = int(hands[cell])
            deals = count * flops * self.runouts * self.terms.scale
            values = {
                action: Fraction(int(value), deals)
                for action, value in zip(actions, self.first_values[cell], strict=True)
            }
            # The first of equal values: check, then the largest bet.
            best = max(actions, key=values.__getitem__)
            name = cell_name(int(cell))
            by_name[name] = StartingHand(name, count, values, best)
        return by_name

    def flop_values(self, hole: Sequence[Card], flop: Sequence[Card]) -> dict[str, Fraction]:
        """Return the value of checking a flop and of the bets that can be the best, in Antes.

        Raises ValueError unless these are two and three different cards of the deck.
        """
        cards = (*hole, *flop)
        positions = self.classes.position_of[[card.number for card in cards]]
        if len(hole) != 2 or len(flop) != 3 or len(set(cards)) < 5 or min(positions) < 0:
            raise ValueError("a flop takes two hole cards and three others, all of the deck")
        row, hand = self._standard(hole, flop)
        deals = self.runouts * self.terms.scale
        actions = bet_names(self.terms.flop_candidates)
        bets = (Fraction(int(bet[row, hand]), deals) for bet in self.flop_bets)
        check = Fraction(int(self.flop_checks[row, hand]), deals)
        return {**dict(zip(actions, bets, strict=True)), CHECK: check}

    def river_values(self, hole: Sequence[Card], board: Sequence[Card]) -> dict[str, Fraction]:
        """Return the value of folding and of each bet on the river, in Antes.

        It is counted again from the board, as the solver counts it. Raises ValueError
        unless these are two and five different cards of the deck.
        """
        cards = (*hole, *board)
        positions = self.classes.position_of[[card.number for card in cards]]
        if len(hole) != 2 or len(board) != 5 or len(set(cards)) < 7 or min(positions) < 0:
            raise ValueError("a river takes two hole cards and five others, all of the deck")
        numbers = np.array(sorted(card.number for card in board))
        first, second = (card.number for card in hole)
        mode = long_suit(numbers) + 1
        number = int(TYPE_NUMBERS[symbol_of(first, mode), symbol_of(second, mode)])
        terms, reading, showdowns = self.terms.as_record(), reading_tables(), new_record(SHOWDOWNS)
        fill_showdowns(numbers, self.classes.deck, terms.qualifying, reading, showdowns)
        category = reading.categories[showdowns.strengths[number]]
        deals = math.comb(self.classes.deck.size - 7, 2) * self.terms.scale
        values = {FOLD: Fraction(-INITIAL_UNITS)}
        offered = zip(self.terms.river_actions, self.terms.river_multiples, strict=True)
        for action, multiple in offered:
            bet = game_sum(number, multiple, category, terms, showdowns)
            values[action] = Fraction(int(bet), deals)
        return values

    def _standard(self, hole: Sequence[Card], flop: Sequence[Card]) -> tuple[int, int]:
        """Find the flop's class and the hand's number after the suits are permuted."""
        masks = [0, 0, 0, 0]
        for card in flop:
            masks[card.suit] |= 1 << card.rank
        order = sorted(range(4), key=lambda suit: (-masks[suit], suit))
        new_suit = {old: new for new, old in enumerate(order)}

        def places(cards: Sequence[Card]) -> list[int]:
            renamed = [4 * (card.rank - 2) + new_suit[card.suit] for card in cards]
            return sorted(int(self.classes.position_of[number]) for number in renamed)

        first, second, third = places(flop)
        number = first + math.comb(second, 2) + math.comb(third, 3)
        low, high = places(hole)
        return int(self.classes.flops.class_of[number]), math.comb(high, 2) + low

    @cached_property
    def ev_per_ante(self) -> Fraction:
        """The expected net result, in Antes; below zero if the house wins."""
        best = sum(int(value) for value in self.first_values.max(axis=1))
        return Fraction(best, self.deals * self.terms.scale)
