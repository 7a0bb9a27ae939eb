"""The exact value of seeing cards of the dealer, or another hand, before the first decision.

All pairs of a starting hand and what was seen are sorted into classes under permutations of the
suits. Each class is priced over all flops, runouts and the dealer's unknown cards.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from typing import Final

import numpy as np

from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS, check_deck
from openfelt.maths.holdem.flop_sums import (
    Cards,
    Space,
    deals_with,
    flop_sources,
    flop_space,
    sum_flops,
)
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.holdem.usual_values import usual_flashed_values
from openfelt.maths.kernels.flashed_decisions import (
    best_of_flops,
    best_with_flop_card,
    best_with_turn_card,
)
from openfelt.maths.parallel import Progress
from openfelt.maths.stored_counts import StoredCounts
from openfelt.maths.stored_rows import Numbers, RowBlocks, counted_rows

_CHUNK: Final = 8
"""Classes that are priced before progress is reported."""
_BLOCK: Final = 256
"""Classes whose values are kept in one file."""

Dealt = tuple[Cards, Cards]
"""A starting hand and the cards that were seen, by number."""


class Seen(StrEnum):
    """The cards that a player has seen before the first decision."""

    DEALER_CARD = "dealer_card"
    DEALER_AND_FLOP_CARD = "dealer_and_flop_card"
    DEALER_AND_TURN_CARD = "dealer_and_turn_card"
    BOTH_DEALER_CARDS = "both_dealer_cards"
    OTHER_CARD = "other_card"
    TWO_HANDS = "two_hands"

    @property
    def words(self) -> str:
        """The seen cards, in words."""
        return _WORDS[self]


_WORDS: Final = {
    Seen.DEALER_CARD: "one card of the dealer",
    Seen.DEALER_AND_FLOP_CARD: "one card of the dealer and one of the flop",
    Seen.DEALER_AND_TURN_CARD: "one card of the dealer, and the turn or the river",
    Seen.BOTH_DEALER_CARDS: "both cards of the dealer",
    Seen.OTHER_CARD: "one card that is out of play",
    Seen.TWO_HANDS: "the other of two hands of one terminal",
}
_OUT_OF_PLAY: Final = {Seen.OTHER_CARD: 1, Seen.TWO_HANDS: 2}
"""How many cards are seen that are neither the dealer's nor on the board."""


PUBLISHED: Final = {
    Seen.DEALER_CARD: "13.5922%",
    Seen.DEALER_AND_FLOP_CARD: "22.3286%",
    Seen.DEALER_AND_TURN_CARD: "26.1867%",
    Seen.BOTH_DEALER_CARDS: "38.5816%",
}
"""The advantage of the player per Ante under the usual terms, as Jacobson has published it."""


def known_flashed_value(seen: Seen, terms: HoldemTerms) -> Fraction | None:
    """The kept value under the usual terms; None if none is kept.

    `tests/maths/holdem/test_flashed_values.py` counts the kept values again.
    """
    if terms != HoldemTerms.of():
        return None
    return usual_flashed_values().get(seen.value)


@dataclass(frozen=True, slots=True)
class FlashedValue:
    """The expected result of perfect play with what was seen."""

    seen: Seen
    ev_per_ante: Fraction
    classes: int
    """The classes of starting hands and known cards that were priced."""


def flashed_values(
    seen: Sequence[Seen],
    terms: HoldemTerms | None = None,
    *,
    deck: Sequence[int] = FULL_DECK_NUMBERS,
    workers: int | None = None,
    progress: Progress | None = None,
    kept: bool = False,
    resumed: Progress | None = None,
) -> Mapping[Seen, FlashedValue]:
    """Price perfect play with what was seen; minutes of processor time for the whole deck.

    The three kinds with one card of the dealer are priced together, in the time of one. What two
    hands of one terminal are worth that see each other takes the longest, over half an hour.
    A count that is `kept` is written to the cache folder as it goes on: if it is interrupted it
    continues there, and `resumed` is called with the classes that are kept and all classes.
    """
    terms = terms or HoldemTerms.of()
    cards = check_deck(deck)
    alone = {Seen.BOTH_DEALER_CARDS: 2, **_OUT_OF_PLAY}
    with_one = tuple(kind for kind in seen if kind not in alone)
    groups: list[tuple[int, tuple[Seen, ...]]] = [(1, with_one)] if with_one else []
    groups += [(count, (kind,)) for kind, count in alone.items() if kind in seen]
    dealt = {count: dealt_classes(cards, count) for count in {count for count, _ in groups}}
    total = sum(len(dealt[count]) for count, _ in groups)
    before = 0

    def move(done: int, _: int) -> None:
        if progress:
            progress(before + done, total)

    priced: dict[Seen, FlashedValue] = {}
    for count, kinds in groups:
        pricing = _Pricing(terms, cards, count, kinds)
        blocks = pricing.blocks(resumed) if kept else None
        priced |= pricing.run(dealt[count], workers, blocks, move)
        before += len(dealt[count])
    return {kind: priced[kind] for kind in seen}


def price_dealt(terms: HoldemTerms, deck: Sequence[int], dealt: Dealt) -> Fraction:
    """The value of the best first decision of one hand against known cards of the dealer."""
    hole, dealer = dealt
    kind = Seen.DEALER_CARD if len(dealer) == 1 else Seen.BOTH_DEALER_CARDS
    pricing = _Pricing(terms, check_deck(deck), len(dealer), (kind,))
    value = pricing.price(hole, dealer, pricing.space())[kind]
    return Fraction(value, pricing.deals * terms.scale)


def dealt_classes(deck: Cards, known_count: int) -> Mapping[Dealt, int]:
    """Starting hands with so many other cards known, up to suits, and how many each is.

    >>> classes = dealt_classes(FULL_DECK_NUMBERS, 1)
    >>> len(classes), sum(classes.values()) == 1326 * 50
    (5083, True)
    """
    suits = sorted({card & 3 for card in deck})
    renamings = [dict(zip(suits, order, strict=True)) for order in permutations(suits)]
    holes: Counter[Cards] = Counter(
        min(_renamed(hole, names) for names in renamings) for hole in combinations(deck, 2)
    )
    classes: Counter[Dealt] = Counter()
    for hole, count in holes.items():
        same = [names for names in renamings if _renamed(hole, names) == hole]
        rest = [card for card in deck if card not in hole]
        for others in combinations(rest, known_count):
            classes[hole, min(_renamed(others, names) for names in same)] += count
    return classes


def _renamed(cards: Cards, names: Mapping[int, int]) -> Cards:
    return tuple(sorted(card & ~3 | names[card & 3] for card in cards))


class _Pricing:
    """One computation: all classes with the same number of known cards."""

    def __init__(
        self, terms: HoldemTerms, deck: Cards, known_count: int, kinds: tuple[Seen, ...]
    ) -> None:
        self.terms = terms
        self.deck = deck
        self.known_count = known_count
        self.kinds = kinds
        self.of_dealer = not set(kinds) & set(_OUT_OF_PLAY)
        """Whether the known cards are the dealer's."""
        self.unseen = len(deck) - 2 - known_count
        self.multiples = (
            np.array(terms.first_multiples, dtype=np.int64),
            np.array(terms.flop_multiples, dtype=np.int64),
        )

    @property
    def deals(self) -> int:
        """Flops, runouts and the dealer's unknown cards for each hand and known cards."""
        return deals_with(self.unseen, self.known_count if self.of_dealer else 0)

    def blocks(self, resumed: Progress | None) -> RowBlocks:
        """Where the values of this computation are kept."""
        kinds = ",".join(self.kinds)
        question = f"{self.terms} {self.deck} {self.known_count} {kinds}"
        stored = StoredCounts(
            "seen-cards", [Path(__file__), *flop_sources()], question, packed=True
        )
        return RowBlocks(stored=stored, items=_BLOCK, resumed=resumed)

    def run(
        self,
        classes: Mapping[Dealt, int],
        workers: int | None,
        blocks: RowBlocks | None,
        progress: Progress,
    ) -> dict[Seen, FlashedValue]:
        """Price every class, and add them up."""
        rows = counted_rows(
            self.price_all,
            list(classes),
            columns=len(self.kinds),
            at_once=_CHUNK,
            blocks=blocks,
            workers=workers,
            progress=progress,
        )
        sums = dict.fromkeys(self.kinds, 0)
        # The value of a class fits into 64 bits; that of all hands in it may not.
        for values, hands in zip(rows.tolist(), classes.values(), strict=True):
            for kind, value in zip(self.kinds, values, strict=True):
                sums[kind] += hands * value
        total = sum(classes.values()) * self.deals * self.terms.scale
        return {
            kind: FlashedValue(
                kind,
                Fraction(sums[kind], total * _TIMES[kind]),
                len(classes),
            )
            for kind in self.kinds
        }

    def price_all(self, classes: Sequence[Dealt]) -> Numbers:
        """The best values of some classes, a row for each."""
        space = self.space()
        priced = [self.price(hole, known_cards, space) for hole, known_cards in classes]
        return np.array([[best[kind] for kind in self.kinds] for best in priced], dtype=np.int64)

    def space(self) -> Space:
        """Working space for one piece, used again for each class."""
        return flop_space(self.unseen, turns=Seen.DEALER_AND_TURN_CARD in self.kinds)

    def price(self, hole: Cards, known_cards: Cards, space: Space) -> dict[Seen, int]:
        """The best value of one class, summed over all deals, for each kind."""
        unseen = [card for card in self.deck if card not in hole + known_cards]
        dealer = known_cards if self.of_dealer else ()
        cards, _, flops, turns = sum_flops(self.terms, hole, dealer, unseen, space)
        best = {}
        for kind in self.kinds:
            if kind is Seen.DEALER_AND_FLOP_CARD:
                value = best_with_flop_card(cards.size, flops, *self.multiples)
            elif kind is Seen.DEALER_AND_TURN_CARD:
                value = best_with_turn_card(cards.size, turns, *self.multiples)
            else:
                value = best_of_flops(flops, *self.multiples)
            best[kind] = int(value)
        return best


_TIMES: Final = {
    Seen.DEALER_CARD: 1,
    Seen.BOTH_DEALER_CARDS: 1,
    Seen.OTHER_CARD: 1,
    Seen.TWO_HANDS: 1,
    # Any of the three cards of a flop may be the one that was seen, and turn or river.
    Seen.DEALER_AND_FLOP_CARD: 3,
    Seen.DEALER_AND_TURN_CARD: 2,
}
