"""Losses to the dealer's flushes by category, against a list of all deals with such a flush."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import factorial, perm

import numpy as np
import pytest

from openfelt.cards import Card, Category
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.loss_counts import SameRanksLosses, count_loss_hands
from tests.kit.maths.games import small_deck
from tests.laboratory.referee_draw import house_way
from tests.laboratory.referee_hands import kind_of, value_of

Cards = tuple[str, ...]
COUNTED = [c.words for c in (Category.TWO_PAIR, Category.THREE_OF_A_KIND, Category.STRAIGHT)]


def texts(numbers: list[int]) -> Cards:
    return tuple(str(Card(number)) for number in numbers)


def numbers_of(ranks: str, suits: int) -> tuple[int, ...]:
    return tuple(card.number for card in small_deck(ranks, suits))


def flush_draws(dealer: Cards, left: set[str]) -> Iterator[Cards]:
    """The draws that make a flush, but no straight flush, of what the house way holds."""
    held = house_way(dealer)
    suits = {card[1] for card in held}
    if len(held) == 5 or len(suits) > 1:
        return
    for suit in suits or {card[1] for card in left}:
        for draw in combinations(sorted(card for card in left if card[1] == suit), 5 - len(held)):
            if kind_of(value_of(tuple(held) + draw)) == "flush":
                yield draw


def by_ranks(kept: Cards, draw: Cards) -> str:
    """The kind of a final hand, read as if there were no flushes if cards were drawn."""
    kind = kind_of(value_of(kept + draw))
    return "straight" if draw and kind in ("straight flush", "royal flush") else kind


def listed_losses(deck: Cards, hand: Cards, kept: Cards) -> list[int]:
    """Every dealer's hand, every set of first draws, and every set of further ones."""
    counts: Counter[str] = Counter()
    drawn, after = 5 - len(kept), set(deck) - set(hand)
    for dealer in combinations(sorted(after), 5):
        left = after - set(dealer)
        for draw in flush_draws(dealer, left):
            more, fewer = max(drawn, len(draw)), min(drawn, len(draw))
            orders = factorial(fewer) * factorial(more - fewer)
            orders *= perm(len(left) - more, 5 - more)
            rest = combinations(sorted(left - set(draw)), max(drawn - len(draw), 0))
            for further in rest:
                for first in combinations(draw, min(drawn, len(draw))):
                    counts[by_ranks(kept, first + further)] += orders
    return [counts[kind] for kind in COUNTED]


@pytest.mark.parametrize(
    ("ranks", "suits", "hands"),
    [
        ("23456789", 2, 8),
        ("A2345JQK", 2, 12),
        ("6789TJQK", 2, 12),
        ("2TJQKA", 3, 8),
        ("23JKA", 4, 6),
    ],
)
def test_losses_are_those_of_a_list_of_deals(ranks: str, suits: int, hands: int) -> None:
    deck = numbers_of(ranks, suits)
    listed = draw_holds(deck).hands
    random = np.random.default_rng(sum(deck))
    some = 0
    for row in random.choice(len(listed), size=hands, replace=False).tolist():
        hand = tuple(listed[row].tolist())
        hold = int(random.choice(32))
        cards = texts(list(hand))
        kept = tuple(card for place, card in enumerate(cards) if hold >> place & 1)
        found = SameRanksLosses(deck, {hand: [hold]}).losses(hand)
        expected = listed_losses(texts(list(deck)), cards, kept)
        assert found.tolist() == [expected], (cards, kept)
        some += sum(expected) > 0
    assert some > 1


def test_hands_with_the_same_ranks_share_nothing_that_differs() -> None:
    deck = numbers_of("2TJQKA", 3)
    hands = draw_holds(deck).hands.tolist()
    same = [(row, tuple(hand), [0b11, 0b11100]) for row, hand in enumerate(hands)]
    alike = [hand for hand in same if [card >> 2 for card in hand[1]] == [0, 8, 9, 10, 11]]
    together = count_loss_hands(deck, alike)
    assert len(alike) > 20
    for hand in alike:
        for hold in hand[2]:
            alone = SameRanksLosses(deck, {hand[1]: [hold]}).losses(hand[1])
            assert list(together[hand[0], hold]) == alone[0].tolist()
