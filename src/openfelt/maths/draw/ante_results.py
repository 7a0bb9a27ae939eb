"""The result of the Ante for every hold of one hand of Ultimate Draw, counted over all deals.

Counts are independent of what the Ante, its Ante Bonus and the Bonus pay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, perm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw.dealer_groups import Counts, dealer_hands
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.kernels.dealer_flushes import count_dealers_flushes
from openfelt.maths.kernels.flush_tables import OneSuit
from openfelt.maths.kernels.hand_reader import read_five
from openfelt.maths.kernels.hold_results import (
    DRAWS,
    RANKS,
    RESULTS,
    UNQUALIFIED,
    Holds,
    RankDraws,
    Splits,
    count_rank_results,
)
from openfelt.maths.kernels.player_flushes import count_players_flushes
from openfelt.maths.kernels.strength_tables import RANK_KEYS
from openfelt.maths.parallel import Progress, ProgressCount, share_out, workers_available

HOLDS = 32
"""The ways to hold some of five cards: bit 0 stands for the lowest card."""
_HAND = 5
_COPIES = 4
Results = npt.NDArray[np.int64]
"""The number of deals by hold and result: win, lose, or unqualified dealer."""


class DrawTables(NamedTuple):
    """The possible draws from a deck, which are the same for every hand."""

    draws: RankDraws
    splits: Splits
    masks: npt.NDArray[np.int64]
    mask_starts: npt.NDArray[np.int64]
    mask_keys: npt.NDArray[np.uint64]
    listed: tuple[tuple[int, ...], ...]
    """The multisets of ranks, in the order of `draws`."""


@lru_cache(maxsize=2)
def draw_tables(deck: tuple[int, ...]) -> DrawTables:
    """List the draws of a deck."""
    live = sorted({card >> 2 for card in deck})
    listed = [
        [
            draw
            for draw in combinations_with_replacement(live, size)
            if all(draw.count(rank) <= _COPIES for rank in draw)
        ]
        for size in range(DRAWS)
    ]
    sets = [[sum(1 << r for r in ranks) for ranks in combinations(live, n)] for n in range(DRAWS)]
    bits = np.arange(1 << RANKS)[:, None] >> np.arange(RANKS) & 1
    return DrawTables(
        draws=_rank_draws(listed),
        splits=_splits(listed),
        masks=np.array([mask for masks in sets for mask in masks], dtype=np.int64),
        mask_starts=np.cumsum([0, *map(len, sets)]),
        mask_keys=(bits @ np.array(RANK_KEYS)).astype(np.uint64),
        listed=tuple(draw for draws in listed for draw in draws),
    )


def _rank_draws(listed: list[list[tuple[int, ...]]]) -> RankDraws:
    draws = [draw for sized in listed for draw in sized]
    number = {draw: place for place, draw in enumerate(draws)}
    return RankDraws(
        starts=np.cumsum([0, *map(len, listed)]),
        keys=np.array([_key(draw) for draw in draws], dtype=np.uint64),
        parents=np.array([number[draw[:-1]] for draw in draws], dtype=np.int32),
        lasts=np.array([draw[-1] if draw else 0 for draw in draws], dtype=np.int8),
        runs=np.array([draw.count(draw[-1]) if draw else 0 for draw in draws], dtype=np.int8),
    )


def _splits(listed: list[list[tuple[int, ...]]]) -> Splits:
    number = {draw: n for n, draw in enumerate(draw for sized in listed for draw in sized)}
    starts, rows = [0], dict[tuple[int, int], int]()
    for whole in range(DRAWS):
        for first in range(DRAWS):
            for draw in listed[whole] if first <= whole else ():
                for part in combinations(draw, first):
                    place = (number[draw], number[part])
                    rows[place] = rows.get(place, 0) + 1
            starts.append(len(rows))
    return Splits(
        starts=np.array(starts),
        wholes=np.array([whole for whole, _ in rows], dtype=np.int32),
        firsts=np.array([first for _, first in rows], dtype=np.int32),
        ways=np.array(list(rows.values()), dtype=np.int64),
    )


def orders_of(left: int) -> npt.NDArray[np.int64]:
    """The number of orders of five draw cards, by how many cards are drawn first and later."""
    factors = np.zeros((DRAWS, DRAWS), dtype=np.int64)
    for first in range(DRAWS):
        for later in range(DRAWS - first):
            both = first + later
            orders = factorial(first) * factorial(later)
            factors[first, later] = orders * perm(left - both, _HAND - both)
    return factors


def _key(ranks: Sequence[int]) -> int:
    return sum(RANK_KEYS[rank] for rank in ranks)


@dataclass(frozen=True)
class DrawQuestion:
    """A hand, and the cards that cannot be dealt any more."""

    cards: tuple[int, ...]
    """The hand, lowest card first."""
    seen: tuple[int, ...]
    deck: tuple[int, ...]

    @property
    def unseen(self) -> int:
        """How many cards two hands leave for the draw."""
        return len(self.deck) - len(self.seen) - 2 * _HAND

    def left(self) -> npt.NDArray[np.int64]:
        """How many cards are left of each rank; kernels change these temporarily."""
        left = np.bincount(np.array(self.deck) >> 2, minlength=RANKS)
        return left - np.bincount(np.array(self.cards + self.seen) >> 2, minlength=RANKS)

    def suit(self, number: int) -> OneSuit:
        """One suit, as kernels take it."""
        tables = draw_tables(self.deck)
        free = {card >> 2 for card in self.deck}
        free -= {card >> 2 for card in self.cards + self.seen if card & 3 == number}
        return OneSuit(
            free=sum(1 << rank for rank in free),
            masks=tables.masks,
            starts=tables.mask_starts,
            keys=tables.mask_keys,
            left=self.left(),
            factors=orders_of(self.unseen),
            draws=tables.draws,
        )


def count_hold_results(
    hand: Sequence[int],
    *,
    seen: Sequence[int] = (),
    deck: tuple[int, ...] = FULL_DECK_NUMBERS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Results:
    """Count the results of each hold of five cards against the dealer, over all deals.

    `seen` are cards that are out of play. The rest of `deals_of` are ties. For 52 cards it takes
    some seconds of processor time, in `workers` threads. Raises ValueError for too few cards.
    """
    question = DrawQuestion(tuple(sorted(hand)), tuple(seen), deck)
    if question.unseen < _HAND:
        raise ValueError("two hands and five draw cards need 15 cards that are not seen")
    counts = dealer_hands(deck).left_by(question.cards + question.seen)
    jobs = [None, *sorted({card & 3 for card in deck})]
    results = np.zeros((len(jobs), HOLDS, RESULTS), dtype=np.int64)

    def count(_: int, number: int) -> None:
        suit = jobs[number]
        if suit is None:
            results[number] = _rank_results(question, counts)
        else:
            results[number] = flush_results(question, range(HOLDS), suit)

    share_out(
        count,
        range(len(jobs)),
        workers=workers or workers_available(),
        progress=ProgressCount(progress, len(jobs)),
    )
    total: Results = results.sum(axis=0)
    return total


def _rank_results(question: DrawQuestion, counts: Counts) -> Results:
    tables = draw_tables(question.deck)
    holds, places = _holds(question.cards, range(HOLDS))
    out = np.zeros((len(holds.keys), RESULTS), dtype=np.int64)
    count_rank_results(
        dealer_hands(question.deck).hold_groups(counts), tables.draws, tables.splits, holds,
        question.left(), orders_of(question.unseen), reading_tables(), out,
    )  # fmt: skip
    return out[places]


def flush_results(question: DrawQuestion, wanted: Sequence[int], number: int) -> Results:
    """The effect of drawn flushes of one suit on each of the wanted holds."""
    reading, suit = reading_tables(), question.suit(number)
    groups = dealer_hands(question.deck).suited_groups(question.cards + question.seen, number)
    holds, places = _holds(question.cards, wanted)
    out = np.zeros((len(holds.keys), RESULTS), dtype=np.int64)
    count_dealers_flushes(suit, groups, holds, question.unseen, reading, out)
    results: Results = out[places]
    inside = [
        place
        for place, hold in enumerate(wanted)
        if hold < HOLDS - 1 and _is_inside(question.cards, hold, number)
    ]
    if inside:
        own, places = _holds(question.cards, [wanted[place] for place in inside])
        gains = np.zeros((len(own.keys), RESULTS), dtype=np.int64)
        count_players_flushes(suit, groups, own, reading, gains)
        # The last column has ties: the player's cards do not affect whether the dealer qualifies.
        results[inside, :UNQUALIFIED] += gains[places, :UNQUALIFIED]
    return results


def _is_inside(cards: Sequence[int], hold: int, suit: int) -> bool:
    return all(card & 3 == suit for place, card in enumerate(cards) if hold >> place & 1)


def _holds(cards: Sequence[int], wanted: Sequence[int]) -> tuple[Holds, npt.NDArray[np.int64]]:
    """The distinct holds by number of cards drawn, and the place of each wanted hold among them."""
    ranks = [
        (_HAND - hold.bit_count(), [c >> 2 for p, c in enumerate(cards) if hold >> p & 1])
        for hold in wanted
    ]
    different = sorted({(drawn, tuple(held)) for drawn, held in ranks})
    number = {hold: place for place, hold in enumerate(different)}
    drawn = [drawn for drawn, _ in different]
    holds = Holds(
        starts=np.searchsorted(drawn, np.arange(DRAWS + 1)),
        keys=np.array([_key(held) for _, held in different], dtype=np.uint64),
        masks=np.array(
            [sum({1 << rank for rank in held}) for _, held in different], dtype=np.int64
        ),
        standing=int(read_five(np.array(cards), reading_tables())),
    )
    return holds, np.array([number[drawn, tuple(held)] for drawn, held in ranks], dtype=np.int64)


def deals_of(unseen: int = len(FULL_DECK_NUMBERS) - _HAND) -> int:
    """The number of deals with this many unseen cards: dealer's hands times ordered draws."""
    return comb(unseen, _HAND) * perm(unseen - _HAND, _HAND)
