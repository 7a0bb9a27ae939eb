"""Ultimate Draw on small decks by the dealer's rung, enumerated.

A rung is the number of a hand among `RUNG_HANDS`: a pair of some rank, two pairs, three of a kind.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import numpy.typing as npt

from openfelt.cards import Card, Category, evaluate
from openfelt.maths.draw.qualifying_hands import RUNG_HANDS
from tests.kit.maths.referee_draws import RefereeDraws
from tests.kit.maths.slow_draw import SmallDraw
from tests.laboratory.referee_draw import drawn
from tests.laboratory.referee_hands import Cards, kind_of

RUNGS = len(RUNG_HANDS)
_RANKS = "23456789TJQKA"


class RungDraw(SmallDraw):
    """Every deal of a small deck, with the rules' own functions."""

    def __init__(self, deck: list[Card]) -> None:
        super().__init__(deck)
        self.rung = np.full(1 << len(deck), -1)
        for mask in self.held:
            hand = evaluate(card for place, card in enumerate(deck) if mask >> place & 1)
            if Category.PAIR <= hand.category <= Category.THREE_OF_A_KIND:
                self.rung[mask] = max(n for n, least in enumerate(RUNG_HANDS) if least.met_by(hand))

    def mask_of(self, hand: list[int]) -> int:
        """A hand, given by the numbers of its cards."""
        numbers = [card.number for card in self.deck]
        return sum(1 << numbers.index(card) for card in hand)

    def rung_nets(self, hand: int, holds: list[int]) -> list[list[int]]:
        """For each hold of a hand, wins less losses by rung over all deals."""
        places = [place for place in range(len(self.deck)) if hand >> place & 1]
        kept = [sum(1 << places[p] for p in range(5) if hold >> p & 1) for hold in holds]
        out: npt.NDArray[np.int64] = np.zeros((len(holds), RUNGS), dtype=np.int64)
        for dealer, held in self.held.items():
            if dealer & hand:
                continue
            cards = range(len(self.deck))
            rest = np.array([1 << p for p in cards if not (dealer | hand) >> p & 1])
            order = rest[np.array(list(permutations(range(len(rest)), 5)))]
            so_far = np.insert(np.cumsum(order, axis=1), 0, 0, axis=1)
            against = held + so_far[:, 5 - held.bit_count()]
            rungs = self.rung[against]
            low = rungs >= 0
            for number, hold in enumerate(kept):
                own = hold + so_far[:, 5 - hold.bit_count()]
                lead = np.sign(self.strength[own] - self.strength[against])
                nets = np.bincount(rungs[low], weights=lead[low], minlength=RUNGS)
                out[number] += nets.astype(np.int64)
        listed: list[list[int]] = out.tolist()
        return listed

    def both_below(self) -> list[Fraction]:
        """How often both hands end without a pair, or on a rung up to each one.

        Both hold the house way.
        """
        # No pair comes first, and everything better than three of a kind last.
        place = np.where(self.unqualified, 0, np.where(self.rung >= 0, self.rung + 1, RUNGS + 1))
        totals = [Fraction(0)] * (RUNGS + 2)
        for hand, times in self.representatives(list(self.held)).items():
            others = [other for other in self.held if other & hand == 0]
            higher = np.maximum(*(place[final] for final in self.draws(hand, others, 5)))
            deals = np.bincount(higher.ravel(), minlength=RUNGS + 2).cumsum().tolist()
            for number, below in enumerate(deals):
                totals[number] += Fraction(times * below, higher.size)
        return [total / len(self.held) for total in totals[: RUNGS + 1]]


class RungReferee(RefereeDraws):
    """The same for a deck of 15 cards, by the laboratory's referee."""

    def rung_nets(self, hand: Cards, held: Cards) -> tuple[Counter[int], Counter[int]]:
        """How often the dealer ends on each rung, and wins less losses then, over all deals."""
        often, nets = Counter[int](), Counter[int]()
        left = [card for card in self.deck if card not in hand]
        kept = frozenset(held)
        for dealer, holds in self.dealers.items():
            if dealer & set(hand):
                continue
            rest = [card for card in left if card not in dealer]
            for common in permutations(rest, 5):
                final = drawn(tuple(dealer), holds, common)
                rung = rung_of(final, self.values[frozenset(final)])
                if rung is None:
                    continue
                own = self.values[frozenset(drawn(hand, kept, common))]
                other = self.values[frozenset(final)]
                often[rung] += 1
                nets[rung] += (own < other) - (own > other)
        return often, nets


def rung_of(hand: Cards, value: int) -> int | None:
    """The rung of a hand of cards, of which the referee says the value."""
    kind = kind_of(value)
    if kind == "pair":
        ranks = Counter(card[0] for card in hand)
        return _RANKS.index(max(ranks, key=lambda rank: ranks[rank]))
    return {"two pair": RUNGS - 2, "three of a kind": RUNGS - 1}.get(kind)
