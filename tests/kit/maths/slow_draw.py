"""Ultimate Draw by the house way on small decks, enumerated with the rules' own functions."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from openfelt.cards import Card, Category, Hand, evaluate
from openfelt.rules.ultimate_draw import house_way

Masks = npt.NDArray[np.int64]


class SmallDraw:
    """Every hand of a deck of at most 20 cards: a set of cards is a mask of their positions."""

    def __init__(self, deck: list[Card]) -> None:
        self.deck = deck
        hands = [tuple(hand) for hand in combinations(range(len(deck)), 5)]
        read = [evaluate(deck[place] for place in hand) for hand in hands]
        order: dict[Hand, int] = {}
        for hand in sorted(read):
            order.setdefault(hand, len(order))
        self.strength = np.full(1 << len(deck), -1)
        self.unqualified = np.zeros(1 << len(deck), dtype=bool)
        self.held: dict[int, int] = {}
        for places, hand in zip(hands, read, strict=True):
            mask = sum(1 << place for place in places)
            self.strength[mask] = order[hand]
            self.unqualified[mask] = hand.category is Category.HIGH_CARD
            held = house_way(tuple(deck[place] for place in places))
            self.held[mask] = sum(1 << deck.index(card) for card in held)

    def representatives(self, masks: list[int]) -> Counter[int]:
        """One of all sets that are equal but for their suits, and how many these are."""
        suits = sorted({card.suit for card in self.deck})
        found: Counter[int] = Counter()
        first: dict[Any, int] = {}
        for mask in masks:
            cards = [card for place, card in enumerate(self.deck) if mask >> place & 1]
            key = min(
                tuple(sorted((card.rank, order[suits.index(card.suit)]) for card in cards))
                for order in permutations(suits)
            )
            found[first.setdefault(key, mask)] += 1
        return found

    def draws(self, one: int, others: list[int], count: int) -> tuple[Masks, Masks]:
        """The final hands of one hand and of each other, after every ordered draw of cards."""
        cards = range(len(self.deck))
        rest = np.array([[1 << p for p in cards if not (one | other) >> p & 1] for other in others])
        drawn = rest[:, _orders(rest.shape[1], count)]
        so_far = np.insert(np.cumsum(drawn, axis=2), 0, 0, axis=2)
        held = self.held[one]
        other_held = np.array([self.held[other] for other in others])
        taken = np.array([5 - self.held[other].bit_count() for other in others])
        other_drawn = np.take_along_axis(so_far, taken[:, None, None], axis=2)[:, :, 0]
        return held + so_far[:, :, 5 - held.bit_count()], other_held[:, None] + other_drawn

    def both_unqualified(self) -> Fraction:
        """How often both hands end with less than a pair; other hands are not enumerated."""
        alive = [mask for mask in self.held if self.unqualified[mask]]
        total = Fraction(0)
        for one, times in self.representatives(alive).items():
            for count in range(1, 6):
                others = [
                    other
                    for other in alive
                    if one & other == 0
                    and count == 5 - min(self.held[m].bit_count() for m in (one, other))
                ]
                if others:
                    final, other_final = self.draws(one, others, count)
                    low = self.unqualified[final] & self.unqualified[other_final]
                    total += times * Fraction(int(low.sum()), low.shape[1])
        return total / self._pairs()

    def results(self) -> dict[str, Fraction]:
        """How often the Ante wins, loses and ties, and how often the dealer does not qualify."""
        counts: Counter[str] = Counter()
        for one, times in self.representatives(list(self.held)).items():
            others = [other for other in self.held if one & other == 0]
            player, dealer = self.draws(one, others, 5)
            low = self.unqualified[dealer]
            lead = np.where(low, 0, self.strength[player] - self.strength[dealer])
            counts["unqualified"] += times * int(low.sum())
            counts["win"] += times * int((lead > 0).sum())
            counts["lose"] += times * int((lead < 0).sum())
            counts["deals"] += times * low.size
        deals = counts.pop("deals")
        return {name: Fraction(count, deals) for name, count in counts.items()}

    def hold_results(self, hand: int, *, seen: int = 0) -> Masks:
        """For each hold of a hand, how many deals win, lose, and meet an unqualified dealer."""
        places = [place for place in range(len(self.deck)) if hand >> place & 1]
        holds = [sum(1 << places[p] for p in range(5) if hold >> p & 1) for hold in range(32)]
        out = np.zeros((32, 3), dtype=np.int64)
        for dealer, held in self.held.items():
            if dealer & (hand | seen):
                continue
            gone = dealer | hand | seen
            rest = np.array([1 << p for p in range(len(self.deck)) if not gone >> p & 1])
            drawn = rest[_orders(len(rest), 5)]
            so_far = np.insert(np.cumsum(drawn, axis=1), 0, 0, axis=1)
            against = held + so_far[:, 5 - held.bit_count()]
            low = self.unqualified[against]
            for number, hold in enumerate(holds):
                own = hold + so_far[:, 5 - hold.bit_count()]
                lead = np.where(low, 0, self.strength[own] - self.strength[against])
                out[number] += (lead > 0).sum(), (lead < 0).sum(), low.sum()
        return out

    def _pairs(self) -> int:
        cards = len(self.deck)
        return comb(cards, 5) * comb(cards - 5, 5)


@cache
def _orders(cards: int, count: int) -> Masks:
    return np.array(list(permutations(range(cards), count)))
