"""The sums behind joint figures against a plain look at every pair of hands."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from openfelt.cards import FULL_DECK, Card, Category, Hand, Rank, evaluate, parse_cards
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import cell_of
from openfelt.maths.holdem.deck_classes import classify_deck
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.kernels.joint_products import SUMS, JointSums, count_losers, join_boards
from openfelt.maths.kernels.outcomes import Decisions
from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.showdowns import SHOWDOWNS
from openfelt.maths.wagers.joint_sums import Nets
from tests.kit.maths.boards import class_of_one

TERMS = HoldemTerms.of()
DECK = tuple(card for card in FULL_DECK if card.rank in (Rank.EIGHT, *list(Rank)[8:]))
"""Eights, and tens to aces: few enough to look at every showdown."""
TRIPS = [-1, -1, -1, 3, 4, 7, 9, 30, 40, 50]
BAD_BEAT = [-1, -1, -1, 9, 20, 25, 40, 500, 10_000, -1]
BOARD_NET = 7
MULTIPLES = [4, 3, 2, 1, -1]


def first_bets() -> list[int]:
    """Bet four times with pairs, three with two suited cards, and check the rest."""
    bets = [-1] * 169
    for rank in range(13):
        bets[14 * rank] = 0
        for lower in range(rank):
            bets[13 * rank + lower] = 1
    return bets


def net_units(player: Hand, dealer: Hand, multiple: int) -> int:
    """Ante, Blind and Play by the rulings, two units to the Ante; a multiple of -1 is a fold."""
    if multiple < 0:
        return -4
    qualified = dealer.category >= Category.PAIR
    if player == dealer:
        return 0
    if player < dealer:
        return -2 * multiple - 2 - (2 if qualified else 0)
    return 2 * multiple + TERMS.blind_units[player.category] + (2 if qualified else 0)


def bad_beat_net(player: Hand, dealer: Hand) -> int:
    return -1 if player == dealer else BAD_BEAT[min(player, dealer).category]


def plain_sums(board: tuple[Card, ...]) -> tuple[list[int], dict[Category, int]]:
    """The sums of one board, hand by hand and dealer by dealer."""
    rest = [card for card in DECK if card not in board]
    hands = {hole: evaluate((*hole, *board)) for hole in combinations(rest, 2)}
    sums = [0] * SUMS
    bets = first_bets()
    losers = dict.fromkeys(Category, 0)
    for hole, player in hands.items():
        dealers = [hand for other, hand in hands.items() if not set(hole) & set(other)]
        bet = bets[cell_of(hole)]
        once = sum(net_units(player, dealer, 1) for dealer in dealers)
        river = 1 if once > -4 * len(dealers) else -1
        multiple = MULTIPLES[bet] if bet >= 0 else river
        for dealer in dealers:
            game = net_units(player, dealer, multiple)
            trips, beat = TRIPS[player.category], bad_beat_net(player, dealer)
            for place, product in enumerate(
                (game, game * trips, game * beat, trips, beat, trips * beat)
            ):
                sums[place] += product
            if player != dealer:
                losers[min(player, dealer).category] += 1
    return sums, losers


@pytest.mark.parametrize("text", ["8s 8h Ts Js Qs", "Ac Kc Qc Jc 8d", "8d Th Tc Kd Ks"])
def test_the_sums_of_a_board_equal_a_look_at_every_showdown(text: str) -> None:
    board = parse_cards(text)
    classes = classify_deck(tuple(card.number for card in DECK))
    rows = np.zeros((1, SUMS), dtype=np.int64)
    cells = np.zeros((169, 3), dtype=np.int64)
    boards = class_of_one(board, DECK)
    no_bets = np.zeros((0, classes.types), dtype=np.int32)
    decisions = Decisions(np.array(first_bets()), np.zeros(0, dtype=np.int64), no_bets)
    nets = Nets(trips=np.array(TRIPS), bad_beat=np.array(BAD_BEAT), bad_beat_loss=-1)
    sums_of_board = JointSums(rows, cells, np.zeros((4, classes.types), dtype=np.int32))
    showdowns = new_record(SHOWDOWNS)
    join_boards(
        boards, np.array([BOARD_NET]), TERMS.as_record(), reading_tables(), decisions,
        np.array(MULTIPLES), nets.as_record(), showdowns, sums_of_board,
    )  # fmt: skip
    losers = np.zeros(10, dtype=np.int64)
    count_losers(boards, reading_tables(), showdowns, losers)
    sums, lost = plain_sums(board)
    assert rows[0].tolist() == [10 * total for total in sums]
    assert losers.tolist() == [lost[category] for category in Category]
    assert cells.sum(axis=0).tolist() == [sums[3], sums[4], BOARD_NET * comb(19, 2) * comb(17, 2)]
