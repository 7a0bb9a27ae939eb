"""Ultimate Draw by ranks: every hold of every hand at once, as far as ranks decide it.

Suits matter in one way only: what the dealer holds of four or five cards of a suit. The number of
these hands depends on ranks, and on the player's cards of that suit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw.ante_results import draw_tables, orders_of
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.deck_classes import check_deck
from openfelt.maths.kernels.hand_reader import read_five
from openfelt.maths.kernels.hold_results import RANKS, RESULTS, strength_of
from openfelt.maths.kernels.house_way import HOLD_ALL, house_way_hold
from openfelt.maths.kernels.rank_classes import (
    FIVE_SUITED,
    FOUR_SUITED,
    NO_RANK,
    PATTERNS,
    PLAIN,
    Kept,
    RankDeck,
    RankHolds,
    count_kept,
)
from openfelt.maths.kernels.strength_tables import RANK_KEYS

_HAND = 5
Ranks = tuple[int, ...]
"""Ranks of cards, lowest first."""
Numbers = npt.NDArray[np.int64]
KeptCount = Callable[[Kept, RankHolds, RankDeck, np.record, Numbers, Numbers], None]
"""A kernel that counts some kept ranks: for all suits of the dealer's ranks, and by suit
pattern."""
_HoldRow = tuple[int, int, int, Ranks, int, int, int, int]


@dataclass(frozen=True)
class FullRanks:
    """A deck that has all its ranks in the same suits."""

    deck: tuple[int, ...]
    ranks: Ranks
    suits: int

    @property
    def hands(self) -> list[Ranks]:
        """All multisets of five ranks."""
        return self.multisets(_HAND)

    def multisets(self, size: int) -> list[Ranks]:
        """All multisets of ranks of this size."""
        return [
            ranks
            for ranks in combinations_with_replacement(self.ranks, size)
            if all(ranks.count(rank) <= self.suits for rank in ranks)
        ]


def full_ranks(deck: Sequence[int]) -> FullRanks:
    """Describe a deck; raises ValueError for one that has its ranks in different suits."""
    cards = check_deck(deck)
    ranks = tuple(sorted({card >> 2 for card in cards}))
    return FullRanks(cards, ranks, len({card & 3 for card in cards}))


@lru_cache(maxsize=2)
def rank_holds(full: FullRanks) -> RankHolds:
    """List what the dealer holds of all ranks, with the hands of four and five of a suit.

    Each of these is subtracted from the hands that hold by their ranks, and added where it belongs.
    """
    rows = sorted(row for hand in full.hands for row in _rows_of(hand))
    heads = [
        place for place, row in enumerate(rows) if place == 0 or row[:3] != rows[place - 1][:3]
    ]
    return RankHolds(
        keys=np.array([rows[head][1] for head in heads], dtype=np.uint64),
        strengths=np.array([rows[head][2] for head in heads], dtype=np.int64),
        drawn=np.array([rows[head][0] for head in heads], dtype=np.int64),
        starts=np.array([*heads, len(rows)], dtype=np.int64),
        hands=np.array([_counts(row[3]) for row in rows], dtype=np.int8),
        kinds=np.array([row[4] for row in rows], dtype=np.int8),
        signs=np.array([row[5] for row in rows], dtype=np.int8),
        suited=np.array([row[6] for row in rows], dtype=np.int64),
        odd=np.array([row[7] for row in rows], dtype=np.int8),
    )


def _rows_of(hand: Ranks) -> list[_HoldRow]:
    """The rows of one multiset: cards drawn, key, strength, ranks, kind, sign, suited, odd."""
    reading = reading_tables()
    different = len(set(hand)) == _HAND
    # No four of one suit: suits alternate, and cards of equal rank get different suits.
    suits = [place % 2 if different else hand[:place].count(r) for place, r in enumerate(hand)]
    cards = np.array([rank << 2 | suit for rank, suit in zip(hand, suits, strict=True)])
    hold = int(house_way_hold(cards, reading))
    held = tuple(rank for place, rank in enumerate(hand) if hold >> place & 1)
    stands = hold == HOLD_ALL
    plain = (_HAND - len(held), _key(held), int(read_five(cards, reading)) if stands else 0, hand)
    rows: list[_HoldRow] = [(*plain, PLAIN, 1, 0, 0)]
    if not different:
        return rows
    every = sum(1 << rank for rank in hand)
    flush = (0, _key(hand), int(reading.flushes[every]), hand)
    rows.append((*plain, FIVE_SUITED, -1, every, 0))
    rows.append((*flush, FIVE_SUITED, 1, every, 0))
    for odd in () if stands else hand:
        four = tuple(rank for rank in hand if rank != odd)
        mask = every & ~(1 << odd)
        rows.append((*plain, FOUR_SUITED, -1, mask, odd))
        rows.append((1, _key(four), 0, hand, FOUR_SUITED, 1, mask, odd))
    return rows


def _key(ranks: Sequence[int]) -> int:
    return sum(RANK_KEYS[rank] for rank in ranks)


def _counts(ranks: Sequence[int]) -> list[int]:
    return [ranks.count(rank) for rank in range(RANKS)]


@dataclass(frozen=True)
class Keep:
    """What the player keeps: some ranks, and whether five of them are of one suit."""

    ranks: Ranks
    flush: bool = False


def keeps_of(full: FullRanks) -> list[Keep]:
    """Everything that a player can keep."""
    keeps = [Keep(ranks) for size in range(_HAND + 1) for ranks in full.multisets(size)]
    return [*keeps, *(Keep(ranks, flush=True) for ranks in combinations(full.ranks, _HAND))]


@dataclass(frozen=True)
class KeptCounts:
    """The results of some kept ranks, by the ranks discarded with them."""

    thrown: dict[Ranks, int]
    """The row of each multiset of ranks."""
    plain: npt.NDArray[np.int64]
    by_pattern: npt.NDArray[np.int64]
    """The effect of suits, for each set of the hand's ranks that the player has in a suit."""


def count_kept_ranks(full: FullRanks, keep: Keep) -> KeptCounts:
    """Count the results of some kept ranks, with everything that can be discarded with them."""
    counted = RESULTS if len(keep.ranks) == _HAND else RESULTS - 1
    return count_by_thrown(full, keep, thrown_with(full, keep), count_kept, counted)


def thrown_with(full: FullRanks, keep: Keep) -> list[Ranks]:
    """All multisets of ranks that can be discarded with the kept ones."""
    return [
        thrown
        for thrown in full.multisets(_HAND - len(keep.ranks))
        if all((keep.ranks + thrown).count(rank) <= full.suits for rank in thrown)
    ]


def count_by_thrown(
    full: FullRanks, keep: Keep, thrown: Sequence[Ranks], count: KeptCount, columns: int
) -> KeptCounts:
    """Count with a kernel that fills this many columns, for some discarded ranks."""
    tables = draw_tables(full.deck)
    number = {ranks: place for place, ranks in enumerate(tables.listed)}
    every = sum(1 << rank for rank in keep.ranks)
    standing = 0
    if keep.flush:
        standing = int(reading_tables().flushes[every])
    elif len(keep.ranks) == _HAND:
        standing = int(strength_of(np.uint64(_key(keep.ranks)), reading_tables()))
    kept = Kept(
        ranks=np.array(_counts(keep.ranks), dtype=np.int8),
        key=np.uint64(_key(keep.ranks)),
        size=len(keep.ranks),
        standing=standing,
        thrown=np.array([number[discards] for discards in thrown], dtype=np.int64),
        hands=np.array([_counts(keep.ranks + discards) for discards in thrown], dtype=np.int8),
        different=np.array(
            [(sorted({*keep.ranks, *discards}) + [NO_RANK] * _HAND)[:_HAND] for discards in thrown],
            dtype=np.int8,
        ),
    )
    plain = np.zeros((len(thrown), columns), dtype=np.int64)
    patterns = np.zeros((len(thrown), PATTERNS, columns), dtype=np.int64)
    orders = orders_of(len(full.deck) - 2 * _HAND)
    deck = RankDeck(tables.draws, tables.splits, full.suits, orders)
    count(kept, rank_holds(full), deck, reading_tables(), plain, patterns)
    return KeptCounts(
        {discards: place for place, discards in enumerate(thrown)}, plain, _avoided(patterns)
    )


def _avoided(patterns: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each set of ranks, the sum over all patterns that contain none of them."""
    sums = patterns.copy()
    for bit in range(_HAND):
        with_bit = np.arange(PATTERNS)[np.arange(PATTERNS) >> bit & 1 == 1]
        sums[:, with_bit] += sums[:, with_bit ^ 1 << bit]
    avoided: npt.NDArray[np.int64] = sums[:, (PATTERNS - 1) ^ np.arange(PATTERNS)]
    return avoided
