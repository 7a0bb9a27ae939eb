"""Ultimate Draw on small decks by the laboratory's referee, who knows document D alone.

Every dealer's hand and every order of the draw cards is settled by itself. Nothing is shared with
the counts of `openfelt.maths.draw`: cards are text, and hands are read by another evaluator.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations

from tests.laboratory.referee_draw import drawn, house_way
from tests.laboratory.referee_hands import Cards, kind_of, value_of

Outcome = tuple[str, str]
"""The kind of the player's final hand, and how the Ante ends."""


class RefereeDraws:
    """All deals of a deck of 15 cards, which two hands and five draw cards use up."""

    def __init__(self, deck: Sequence[str]) -> None:
        self.deck = tuple(deck)

    @cached_property
    def values(self) -> dict[frozenset[str], int]:
        """The strength of every hand; a lower number is the better hand."""
        return {frozenset(hand): value_of(hand) for hand in combinations(self.deck, 5)}

    @cached_property
    def dealers(self) -> dict[frozenset[str], frozenset[str]]:
        """What the dealer holds of every hand."""
        return {frozenset(hand): house_way(hand) for hand in combinations(self.deck, 5)}

    def outcomes(self, hand: Cards, held: Cards) -> Counter[Outcome]:
        """In how many deals a hand, of which some cards are held, ends in which way."""
        counts: Counter[Outcome] = Counter()
        kept = frozenset(held)
        left = [card for card in self.deck if card not in hand]
        for dealer in combinations(left, 5):
            rest = [card for card in left if card not in dealer]
            holds = self.dealers[frozenset(dealer)]
            for common in permutations(rest, 5):
                own = self.values[frozenset(drawn(hand, kept, common))]
                other = self.values[frozenset(drawn(dealer, holds, common))]
                counts[kind_of(own), _result(own, other)] += 1
        return counts

    def classes(self) -> Iterator[tuple[Cards, int]]:
        """One of all hands that are equal but for their suits, and how many these are."""
        suits = sorted({card[1] for card in self.deck})
        counts: Counter[tuple[Cards, ...]] = Counter()
        for hand in combinations(self.deck, 5):
            counts[
                min(
                    tuple(sorted((card[0], order[suits.index(card[1])]) for card in hand))
                    for order in permutations(suits)
                )
            ] += 1
        for cards, count in counts.items():
            yield tuple("".join(card) for card in cards), count


def _result(own: int, other: int) -> str:
    if kind_of(other) == "high card":
        return "unqualified"
    return "tie" if own == other else "win" if own < other else "lose"


def moments(
    counts: Counter[Outcome],
    ante_bonus: dict[str, int],
    share: Fraction,
    bonus: Mapping[str, Fraction] | None = None,
) -> tuple[Fraction, Fraction]:
    """The mean and the variance of the Ante with its Ante Bonus, deal by deal (D.10 to D.12).

    With what one unit of the Bonus nets by kind of hand, of both wagers together.
    """
    ante = {"win": Fraction(1), "lose": Fraction(-1), "tie": Fraction(0), "unqualified": share}
    deals = counts.total()
    nets = [
        (ante[result] + ante_bonus.get(kind, 0) + (bonus or {}).get(kind, 0), n)
        for (kind, result), n in counts.items()
    ]
    mean = sum((net * n for net, n in nets), Fraction(0)) / deals
    return mean, sum((net * net * n for net, n in nets), Fraction(0)) / deals - mean * mean
