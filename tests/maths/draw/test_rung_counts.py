"""The results of Ultimate Draw by the dealer's final hand, against plain enumeration."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt
import pytest

from openfelt.cards import Card, Category, evaluate
from openfelt.maths.draw.holds import DrawHolds, draw_holds
from openfelt.maths.draw.qualifying import RUNG_HANDS
from openfelt.maths.draw.rung_counts import count_rung_results, rung_nets
from tests.kit.maths.games import small_deck
from tests.kit.maths.slow_draw import SmallDraw

pytestmark = pytest.mark.usefixtures("own_cache")


def deck_of(ranks: str, suits: int) -> tuple[int, ...]:
    return tuple(card.number for card in small_deck(ranks, suits))


class RungDraw(SmallDraw):
    """A small deck whose hands are read by rung, too."""

    def __init__(self, deck: list[Card]) -> None:
        super().__init__(deck)
        self.rung = np.full(1 << len(deck), -1)
        for mask in self.held:
            hand = evaluate(card for place, card in enumerate(deck) if mask >> place & 1)
            if Category.PAIR <= hand.category <= Category.THREE_OF_A_KIND:
                met = [number for number, least in enumerate(RUNG_HANDS) if least.met_by(hand)]
                self.rung[mask] = max(met)

    def rung_results(self, hand: int, holds: list[int]) -> npt.NDArray[np.int64]:
        """For each hold of a hand, wins less losses by rung over all deals."""
        places = [place for place in range(len(self.deck)) if hand >> place & 1]
        kept = [sum(1 << places[p] for p in range(5) if hold >> p & 1) for hold in holds]
        out = np.zeros((len(holds), len(RUNG_HANDS)), dtype=np.int64)
        for dealer, held in self.held.items():
            if dealer & hand:
                continue
            rest = np.array([1 << p for p in range(len(self.deck)) if not (dealer | hand) >> p & 1])
            drawn = rest[np.array(list(permutations(range(len(rest)), 5)))]
            so_far = np.insert(np.cumsum(drawn, axis=1), 0, 0, axis=1)
            against = held + so_far[:, 5 - held.bit_count()]
            rungs = self.rung[against]
            for number, hold in enumerate(kept):
                own = hold + so_far[:, 5 - hold.bit_count()]
                lead = np.sign(self.strength[own] - self.strength[against])
                low = rungs >= 0
                out[number] += np.bincount(
                    rungs[low], weights=lead[low], minlength=len(RUNG_HANDS)
                ).astype(np.int64)
        return out


def mask_of(slow: SmallDraw, hand: list[int]) -> int:
    numbers = [card.number for card in slow.deck]
    return sum(1 << numbers.index(card) for card in hand)


def some_holds(holds: DrawHolds, row: int, random: np.random.Generator) -> list[int]:
    """A hold of each number of cards, in one suit where that is possible."""
    hand = holds.hands[row].tolist()
    chosen = []
    for size in range(6):
        of_size = [hold for hold in range(32) if hold.bit_count() == size]
        suited = [
            hold
            for hold in of_size
            if len({card & 3 for place, card in enumerate(hand) if hold >> place & 1}) <= 1
        ]
        chosen.append(int(random.choice(suited or of_size)))
    return chosen


@pytest.mark.parametrize(
    ("ranks", "suits", "hands"),
    [
        ("23JKA", 3, 12),
        ("2TJQKA", 3, 3),
    ],
)
def test_classes_win_and_lose_by_rung_as_enumeration_says(
    ranks: str, suits: int, hands: int
) -> None:
    slow = RungDraw(small_deck(ranks, suits))
    holds = draw_holds(deck_of(ranks, suits))
    random = np.random.default_rng(7)
    for row in random.choice(len(holds.hands), size=hands, replace=False).tolist():
        chosen = some_holds(holds, row, random)
        expected = slow.rung_results(mask_of(slow, holds.hands[row].tolist()), chosen)
        for hold, nets in zip(chosen, expected.tolist(), strict=True):
            counted = rung_nets(
                holds,
                np.array([row]),
                np.array([hold], dtype=np.uint8),
                np.array([1]),
                workers=1,
            )
            assert counted == nets, (row, hold)
