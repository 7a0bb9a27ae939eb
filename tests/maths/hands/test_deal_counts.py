"""Exact counts of deals."""

import random
from collections import Counter
from itertools import combinations
from math import comb

from openfelt.cards import FULL_DECK, Category, Rank, evaluate
from openfelt.maths.hands.deal_counts import dealer_pairs, five_card_counts, hole_pairs


def test_five_card_counts_add_up_to_every_deal() -> None:
    assert five_card_counts().total() == comb(52, 5)


def test_every_pair_is_as_likely_as_every_other() -> None:
    pairs = {rank: five_card_counts()[Category.PAIR, rank] for rank in Rank}
    assert len(set(pairs.values())) == 1
    assert sum(pairs.values()) == 1_098_240


def test_five_card_counts_equal_a_plain_enumeration_of_a_short_deck() -> None:
    """Deals from five ranks are a part of all deals, counted one by one here."""
    ranks = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)
    short = [card for card in FULL_DECK if card.rank in ranks]
    counted = Counter(evaluate(hand).category for hand in combinations(short, 5))
    assert counted[Category.ROYAL_FLUSH] == five_card_counts()[Category.ROYAL_FLUSH, None]
    quads = five_card_counts()[Category.FOUR_OF_A_KIND, None]
    assert counted[Category.FOUR_OF_A_KIND] * 13 * 12 == quads * 5 * 4


def test_hole_cards_and_dealer_cards() -> None:
    assert len(hole_pairs()) == 1326
    hole = random.Random(3).choice(hole_pairs())
    others = dealer_pairs(hole)
    assert len(others) == 1225
    assert not any(card in hole for pair in others for card in pair)
