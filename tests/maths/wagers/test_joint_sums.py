"""The pass over all boards against plain enumerations of a part of it."""

from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from openfelt.cards import FULL_DECK, Category, evaluate, parse_cards
from openfelt.maths.hands.evaluator import evaluate_hands
from openfelt.maths.hands.starting_hands import cell_of
from openfelt.maths.hands.strengths import hand_tables
from openfelt.maths.holdem.deck_classes import classify_deck
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.kernels.card_sets import unrank_sets
from openfelt.maths.kernels.outcomes import Decisions
from openfelt.maths.wagers.joint_sums import BoardSums, Nets, losing_hands, sum_boards

TRIPS = np.array([-1, -1, -1, 3, 4, 7, 9, 30, 40, 50])
DEALERS = comb(45, 2)


@cache
def sums() -> BoardSums:
    classes = classify_deck()
    ones = np.ones(len(classes.boards.cards), dtype=np.int64)
    nets = Nets(trips=TRIPS, boards=ones)
    # These sums do not depend on decisions, so no hand bets before the river.
    no_bets = np.zeros((0, classes.types), dtype=np.int32)
    none = Decisions(np.full(169, -1, dtype=np.int64), np.zeros(0, dtype=np.int64), no_bets)
    return sum_boards(classes, HoldemTerms.of(), none, nets)


def test_trips_by_starting_hand_equals_a_look_at_every_board() -> None:
    hole = parse_cards("Ah As")
    rest = np.array([card.number for card in FULL_DECK if card not in hole], dtype=np.int64)
    boards = np.empty((comb(50, 5), 5), dtype=np.uint8)
    unrank_sets(np.arange(len(boards), dtype=np.int32), rest, boards)
    own = np.tile(np.array([card.number for card in hole], dtype=np.uint8), (len(boards), 1))
    strengths = evaluate_hands(np.concatenate([boards, own], axis=1))
    total = int(TRIPS[hand_tables().categories[strengths]].sum())
    assert sums().cells[cell_of(hole), 0] == comb(4, 2) * DEALERS * total


def test_a_board_wager_of_one_counts_the_deals_of_each_starting_hand() -> None:
    by_cell = sums().cells[:, 2]
    assert by_cell[cell_of(parse_cards("Ah As"))] == 6 * comb(50, 5) * DEALERS
    assert by_cell[cell_of(parse_cards("Ah Ks"))] == 12 * comb(50, 5) * DEALERS
    assert by_cell.sum() == comb(52, 2) * comb(50, 5) * DEALERS


def test_trips_over_the_run_outs_of_a_flop() -> None:
    classes = sums().classes
    row = 1234
    flop = tuple(FULL_DECK[number] for number in classes.flops.cards[row])
    hole = next(pair for pair in combinations(FULL_DECK[20:40], 2) if not set(pair) & set(flop))
    rest = [card for card in FULL_DECK if card not in (*flop, *hole)]
    total = sum(
        int(TRIPS[evaluate((*hole, *flop, *run_out)).category]) for run_out in combinations(rest, 2)
    )
    hand = comb(hole[1].number, 2) + hole[0].number
    assert sums().over_flops(1)[row, hand] == DEALERS * total


def test_losing_hands_are_counted_without_any_decision() -> None:
    found = losing_hands()
    assert (found[Category.ROYAL_FLUSH], found[Category.STRAIGHT_FLUSH]) == (0, 10_300_592)
