"""Ultimate Pairs with other wagers: nets by starting hand, and the award that reads the dealer.

Specific cards, such as the red aces, are one of several hands of their cell of the grid; all
hands of a cell have the same results with every other wager, so the cell takes their mean.
An award that also reads the dealer's hand, aces against aces, is the mean without it plus an
extra for just those deals, which are evaluated one by one.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from openfelt.cards import FULL_DECK, Card, Category, evaluate
from openfelt.maths.hands.deal_counts import dealer_pairs, hole_pairs
from openfelt.maths.hands.evaluator import evaluate_hands
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import cell_of
from openfelt.maths.hands.strengths import STRENGTHS_MAX, hand_tables, weakest_of
from openfelt.maths.holdem.adviser import unseen_question
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.kernels.card_sets import unrank_sets
from openfelt.maths.kernels.checked_deals import FlopTable, play_checked
from openfelt.maths.kernels.joint_products import read_boards
from openfelt.maths.kernels.outcomes import Decisions
from openfelt.maths.wagers.side_bet_figures import progressive_award
from openfelt.rules.paytable import (
    HandMinimum,
    HandPaytable,
    PairsPaytable,
    ProgressivePaytable,
    ProgressiveReads,
)

if TYPE_CHECKING:
    from openfelt.maths.wagers.joint_figures import SideTables

HANDS_MAX = 12
"""The most deals of hole cards and dealer's cards that are evaluated one by one."""


@dataclass(frozen=True, slots=True)
class SpecialDeals:
    """The data of Ultimate Pairs for joining it with the other wagers."""

    cell_nets: tuple[Fraction, ...]
    """The mean net by cell of the grid, without the award that reads the dealer."""
    extra: Fraction
    """The payout of that award on top of what its hole cards would win alone."""
    totals: Mapping[str, Fraction]
    """For each other wager, its net summed over the deals that win the award."""

    def extra_product(self, name: str) -> Fraction:
        """The extra times another wager's net, summed over all deals."""
        return self.extra * self.totals[name] if self.totals else Fraction(0)


def special_deals(
    table: PairsPaytable, solution: HoldemSolution, decisions: Decisions, tables: "SideTables"
) -> SpecialDeals:
    """Evaluate the hole cards of an Ultimate Pairs table and the deals of its dealer award."""
    sums = [Fraction(0)] * 169
    counts = [0] * 169
    deals = []
    extras = set()
    for hole in hole_pairs():
        plain = _plain_net(table, hole)
        sums[cell_of(hole)] += plain
        counts[cell_of(hole)] += 1
        for dealer in _dealers_that_matter(table, hole):
            row = table.row_for(hole, dealer)
            assert row is not None
            extras.add(row.odds.ratio - plain)
            deals.append((hole, dealer))
    if len(extras) > 1 or len(deals) > HANDS_MAX:
        raise ValueError("only one award that reads the dealer's cards can be joined")
    nets = tuple(total / max(1, count) for total, count in zip(sums, counts, strict=True))
    if not deals:
        return SpecialDeals(nets, Fraction(0), {})
    # Deals that differ by a permutation of suits have the same results: evaluate one of each.
    counts_of_kind = Counter(_without_suits(*deal) for deal in deals)
    kinds = {_without_suits(*deal): deal for deal in deals}
    nets_of_kind = {
        kind: _evaluate_deal(*deal, solution, decisions, tables) for kind, deal in kinds.items()
    }
    totals = {
        name: sum(
            (counts_of_kind[kind] * by_wager[name] for kind, by_wager in nets_of_kind.items()),
            Fraction(0),
        )
        for name in next(iter(nets_of_kind.values()))
    }
    return SpecialDeals(nets, extras.pop(), totals)


def _without_suits(hole: tuple[Card, Card], dealer: tuple[Card, Card]) -> tuple[int, ...]:
    """The four cards with suits numbered as they appear: the same for equivalent deals."""
    order: list[int] = []
    for card in (*hole, *dealer):
        if card.suit not in order:
            order.append(card.suit)
    return tuple(4 * card.rank + order.index(card.suit) for card in (*hole, *dealer))


def _plain_net(table: PairsPaytable, hole: tuple[Card, Card]) -> Fraction:
    for row in table.rows:
        if not row.dealer and any(pattern.matches(hole) for pattern in row.hole):
            return row.odds.ratio
    return Fraction(-1)


def _dealers_that_matter(table: PairsPaytable, hole: tuple[Card, Card]) -> list[tuple[Card, Card]]:
    awards = [row for row in table.rows if row.dealer]
    if not any(pattern.matches(hole) for row in awards for pattern in row.hole):
        return []
    return [
        dealer
        for dealer in dealer_pairs(hole)
        if (row := table.row_for(hole, dealer)) is not None and row.dealer
    ]


def _evaluate_deal(
    hole: tuple[Card, Card],
    dealer: tuple[Card, Card],
    solution: HoldemSolution,
    decisions: Decisions,
    tables: "SideTables",
) -> dict[str, Fraction]:
    """Every wager's net with these four cards, summed over all boards and their ten flops."""
    rest = [card.number for card in FULL_DECK if card not in (*hole, *dealer)]
    numbers = np.arange(math.comb(len(rest), 5), dtype=np.int32)
    boards = np.empty((len(numbers), 5), dtype=np.uint8)
    unrank_sets(numbers, np.array(rest, dtype=np.int64), boards)
    own = _strengths(boards, hole)
    against = _strengths(boards, dealer)
    bet = int(decisions.first_bets[cell_of(hole)])
    categories = hand_tables().categories
    totals = {}
    if tables.trips:
        totals["trips"] = _table_total(tables.trips, categories[own])
    if tables.bad_beat:
        losing = categories[np.minimum(own, against)].astype(np.int64)
        losing[own == against] = -1
        totals["bad_beat"] = _table_total(tables.bad_beat, losing)
    if tables.play_the_board:
        totals["play_the_board"] = _board_total(boards, tables.play_the_board)
    if bet >= 0:
        totals["game"] = _game_total(own, against, solution, solution.multiples[bet])
    totals = {name: total * 10 for name, total in totals.items()}
    if bet < 0:
        totals["game"] = _checked_total(hole, boards, own, against, solution)
    progressive = tables.progressive
    if progressive and progressive.reads is ProgressiveReads.FINAL_SEVEN:
        totals["progressive"] = 10 * _awards_total(progressive, categories[own], tables.meter_units)
    elif progressive:
        totals["progressive"] = _flop_total(hole, rest, progressive, tables.meter_units)
    return totals


def _checked_total(
    hole: tuple[Card, Card],
    boards: npt.NDArray[np.uint8],
    own: npt.NDArray[np.uint16],
    against: npt.NDArray[np.uint16],
    solution: HoldemSolution,
) -> Fraction:
    """The game's net of a hand that checks first, over all boards and their ten flops.

    The player does not know the dealer's cards, and plays as against random ones.
    """
    question = unseen_question(solution.terms, hole)
    multiples = np.array(solution.terms.flop_candidates, dtype=np.int64)
    flop_bets = (solution.best_flop_bets + 1).astype(np.uint8)
    flops = FlopTable(solution.classes.flops.class_of, flop_bets, multiples)
    total = play_checked(boards, own, against, flops, *question.records)
    return Fraction(int(total), solution.terms.scale)


def _awards_total(
    table: ProgressivePaytable, categories: npt.NDArray[np.integer], meter: Fraction
) -> Fraction:
    """A progressive's nets by category, summed."""
    total = Fraction(-len(categories))
    for row in table.rows:
        total += int((categories == row.category).sum()) * progressive_award(row, meter)
    return total


def _strengths(boards: npt.NDArray[np.uint8], hole: tuple[Card, Card]) -> npt.NDArray[np.uint16]:
    own = np.tile(np.array([card.number for card in hole], dtype=np.uint8), (len(boards), 1))
    return evaluate_hands(np.concatenate([boards, own], axis=1), check_repeats=False)


def _game_total(
    own: npt.NDArray[np.uint16],
    against: npt.NDArray[np.uint16],
    solution: HoldemSolution,
    multiple: int,
) -> Fraction:
    qualified = against >= solution.terms.qualifying_strength
    result = np.where(own > against, np.where(qualified, 0, 1), np.where(qualified, 3, 4))
    result[own == against] = 2
    categories = hand_tables().categories[own]
    total = Fraction(0)
    for category in Category:
        for kind in range(5):
            count = int(((categories == category) & (result == kind)).sum())
            if count:
                net = solution.terms.net(multiple=multiple, category=category, result=kind)
                total += count * net
    return total


def _table_total(table: HandPaytable, categories: npt.NDArray[np.integer]) -> Fraction:
    """The nets of a table that pays by category, summed; -1 means no hand."""
    total = Fraction(-len(categories))
    for row in table.rows:
        total += int((categories == row.hand.category).sum()) * (row.odds.ratio + 1)
    return total


def board_strengths(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The strength of each board's five cards alone."""
    strengths = np.empty(len(boards), dtype=np.int64)
    read_boards(boards, reading_tables(), strengths)
    return strengths


def strengths_of(hand: HandMinimum) -> slice:
    """The strengths of a paytable's row: one category, from the lowest rank that counts."""
    above = Category(hand.category + 1) if hand.category < Category.ROYAL_FLUSH else None
    lowest = weakest_of(hand.category, hand.at_least or 0)
    return slice(lowest, weakest_of(above) if above else STRENGTHS_MAX + 1)


def _board_total(boards: npt.NDArray[np.uint8], table: HandPaytable) -> Fraction:
    counts = np.bincount(board_strengths(boards), minlength=STRENGTHS_MAX + 1)
    paid = [(int(counts[strengths_of(row.hand)].sum()), row.odds.ratio) for row in table.rows]
    return sum((count * (ratio + 1) for count, ratio in paid), Fraction(-len(boards)))


def _flop_total(
    hole: tuple[Card, Card], rest: list[int], table: ProgressivePaytable, meter: Fraction
) -> Fraction:
    """The progressive's nets over all flops, each with every turn and river."""
    total = Fraction(0)
    for flop in combinations(rest, 3):
        row = table.row_for(evaluate((*hole, *(FULL_DECK[number] for number in flop))))
        total += progressive_award(row, meter) - 1
    return total * math.comb(len(rest) - 3, 2)
