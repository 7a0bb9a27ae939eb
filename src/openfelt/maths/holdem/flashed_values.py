"""The exact value of seeing cards of the dealer before the first decision.

All pairs of a starting hand and the dealer's known cards are sorted into classes under
permutations of the suits. Each class is priced over all flops, runouts and, where one card of the
dealer is known, over the dealer's other card.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from importlib.resources import files
from itertools import combinations, permutations
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS, check_deck
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.kernels.flashed_boards import FLASHED
from openfelt.maths.kernels.flashed_decisions import (
    best_of_flops,
    best_with_flop_card,
    best_with_turn_card,
)
from openfelt.maths.kernels.flashed_flops import SUIT, WORK, price_flashed
from openfelt.maths.kernels.records import new_record
from openfelt.maths.parallel import Progress, ProgressCount, piece_results, slices

BOARDS_BY_RANK: Final = 13**5
_CHUNK: Final = 8
"""Classes that are priced before progress is reported."""

Cards = tuple[int, ...]
Dealt = tuple[Cards, Cards]
"""A starting hand and the dealer's known cards, by number."""
Space = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""The values of boards by rank, of flops, and of flops with a turn."""


class Seen(StrEnum):
    """What a player has seen before the first decision."""

    DEALER_CARD = "dealer_card"
    DEALER_AND_FLOP_CARD = "dealer_and_flop_card"
    DEALER_AND_TURN_CARD = "dealer_and_turn_card"
    BOTH_DEALER_CARDS = "both_dealer_cards"

    @property
    def words(self) -> str:
        """What was seen, in words."""
        return _WORDS[self]


_WORDS: Final = {
    Seen.DEALER_CARD: "one card of the dealer",
    Seen.DEALER_AND_FLOP_CARD: "one card of the dealer and one of the flop",
    Seen.DEALER_AND_TURN_CARD: "one card of the dealer, and the turn or the river",
    Seen.BOTH_DEALER_CARDS: "both cards of the dealer",
}


PUBLISHED: Final = {
    Seen.DEALER_CARD: "13.5922%",
    Seen.DEALER_AND_FLOP_CARD: "22.3286%",
    Seen.DEALER_AND_TURN_CARD: "26.1867%",
    Seen.BOTH_DEALER_CARDS: "38.5816%",
}
"""The advantage of the player per Ante under the usual terms, as Jacobson has published it."""
_USUAL_FILE: Final = "usual_flashed_values.json"


def known_flashed_value(seen: Seen, terms: HoldemTerms) -> Fraction | None:
    """The kept value under the usual terms; None if none is kept.

    `tests/maths/holdem/test_flashed_values.py` counts the kept values again.
    """
    if terms != HoldemTerms.of():
        return None
    text = files("openfelt.maths.holdem").joinpath(_USUAL_FILE).read_text(encoding="utf-8")
    value = json.loads(text)["values"].get(seen.value)
    return None if value is None else Fraction(value)


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
) -> Mapping[Seen, FlashedValue]:
    """Price perfect play with what was seen; minutes of processor time for the whole deck.

    The three kinds with one card of the dealer are priced together, in the time of one.
    """
    terms = terms or HoldemTerms.of()
    cards = check_deck(deck)
    with_one = tuple(kind for kind in seen if kind is not Seen.BOTH_DEALER_CARDS)
    groups: list[tuple[int, tuple[Seen, ...]]] = [(1, with_one)] if with_one else []
    if Seen.BOTH_DEALER_CARDS in seen:
        groups.append((2, (Seen.BOTH_DEALER_CARDS,)))
    dealt = {known: dealt_classes(cards, known) for known, _ in groups}
    chunks = sum(len(slices(len(found), len(found) // _CHUNK + 1)) for found in dealt.values())
    count = ProgressCount(progress, chunks)
    priced: dict[Seen, FlashedValue] = {}
    for known, kinds in groups:
        priced |= _Pricing(terms, cards, known, kinds).run(dealt[known], workers, count)
    return {kind: priced[kind] for kind in seen}


def price_dealt(terms: HoldemTerms, deck: Sequence[int], dealt: Dealt) -> Fraction:
    """The value of the best first decision of one hand against known cards of the dealer."""
    hole, dealer = dealt
    kind = Seen.DEALER_CARD if len(dealer) == 1 else Seen.BOTH_DEALER_CARDS
    pricing = _Pricing(terms, check_deck(deck), len(dealer), (kind,))
    value = pricing.price(hole, dealer, pricing.space())[kind]
    return Fraction(value, pricing.deals * terms.scale)


def dealt_classes(deck: Cards, known: int) -> Mapping[Dealt, int]:
    """Starting hands with so many known cards of the dealer, up to suits, and how many each is.

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
        for dealer in combinations(rest, known):
            classes[hole, min(_renamed(dealer, names) for names in same)] += count
    return classes


def _renamed(cards: Cards, names: Mapping[int, int]) -> Cards:
    return tuple(sorted(card & ~3 | names[card & 3] for card in cards))


class _Pricing:
    """One computation: all classes with the same number of known cards of the dealer."""

    def __init__(
        self, terms: HoldemTerms, deck: Cards, known: int, kinds: tuple[Seen, ...]
    ) -> None:
        self.terms = terms
        self.deck = deck
        self.known = known
        self.kinds = kinds
        self.unseen = len(deck) - 2 - known
        self.multiples = (
            np.array(terms.first_multiples, dtype=np.int64),
            np.array(terms.flop_multiples, dtype=np.int64),
        )

    @property
    def deals(self) -> int:
        """Flops, runouts and the dealer's unknown cards for each hand and known cards."""
        runouts = math.comb(self.unseen, 3) * math.comb(self.unseen - 3, 2)
        return runouts * (self.unseen - 5 if self.known == 1 else 1)

    def run(
        self, classes: Mapping[Dealt, int], workers: int | None, count: ProgressCount
    ) -> dict[Seen, FlashedValue]:
        """Price every class, and add them up."""
        items = list(classes.items())
        pieces = [items[some] for some in slices(len(items), len(items) // _CHUNK + 1)]
        sums = dict.fromkeys(self.kinds, 0)
        for _, part in piece_results(self.price_all, pieces, workers=workers):
            for kind, value in part.items():
                sums[kind] += value
            count.step()
        total = sum(classes.values()) * self.deals * self.terms.scale
        return {
            kind: FlashedValue(
                kind,
                Fraction(sums[kind], total * _TIMES[kind]),
                len(classes),
            )
            for kind in self.kinds
        }

    def price_all(self, classes: Sequence[tuple[Dealt, int]]) -> dict[Seen, int]:
        """The best values of some classes, each times the hands in it."""
        sums, space = dict.fromkeys(self.kinds, 0), self.space()
        for (hole, dealer), hands in classes:
            for kind, value in self.price(hole, dealer, space).items():
                sums[kind] += hands * value
        return sums

    def space(self) -> Space:
        """Working space for one piece, used again for each class."""
        flops = math.comb(self.unseen, 3)
        turns = flops * self.unseen if Seen.DEALER_AND_TURN_CARD in self.kinds else 0
        return (
            np.zeros((BOARDS_BY_RANK, 3), dtype=np.int64),
            np.zeros((flops, 3), dtype=np.int64),
            np.zeros((turns, 3), dtype=np.int64),
        )

    def price(self, hole: Cards, dealer: Cards, space: Space) -> dict[Seen, int]:
        """The best value of one class, summed over all deals, for each kind."""
        cards = np.array([c for c in self.deck if c not in hole + dealer], dtype=np.int64)
        flashed = new_record(FLASHED)
        flashed.hole[:] = hole
        flashed.known = self.known
        flashed.dealer[: self.known] = dealer
        np.add.at(flashed.left, cards >> 2, 1)
        np.add.at(flashed.hole_suits, [card & 3 for card in hole], 1)
        np.add.at(flashed.dealer_suits, [card & 3 for card in dealer], 1)
        record, reading = self.terms.as_record(), reading_tables()
        _, flops, turns = space
        work = new_record(WORK), new_record(SUIT)
        price_flashed(cards, flashed, record, reading, *space, *work)
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
    # Any of the three cards of a flop may be the one that was seen, and turn or river.
    Seen.DEALER_AND_FLOP_CARD: 3,
    Seen.DEALER_AND_TURN_CARD: 2,
}
