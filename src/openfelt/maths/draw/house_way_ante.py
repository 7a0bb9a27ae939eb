"""The Ante of Ultimate Draw Poker, exactly, for a player who holds the house way.

Player and dealer then play alike with the same draw cards, so the deal with their hands exchanged
is as likely as the deal itself. `docs/internals/exact-draw.md` proves that all comparisons of two
qualified hands cancel. What remains is how often a hand qualifies, and how often neither does.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations, product
from math import comb, perm
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category, Rank
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.qualifying_hands import USUAL
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS, check_deck
from openfelt.maths.kernels import unqualified_flushes
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.kernels.unqualified_flushes import count_flushes
from openfelt.maths.kernels.unqualified_pairs import DRAWS, VARIANTS, RankSets, count_by_ranks
from openfelt.maths.parallel import Progress, ProgressCount, piece_results, slices
from openfelt.maths.stored_counts import StoredCounts
from openfelt.rules.paytable import HandMinimum
from openfelt.rules.ultimate_draw import UNQUALIFIED_PAYS

HALF_ANTE = UNQUALIFIED_PAYS.ratio
"""What an unqualified dealer pays (D.10)."""
_LOWEST = int(min(Rank))
_JACK_OR_HIGHER = sum(1 << (rank - _LOWEST) for rank in Rank if rank >= Rank.JACK)
_SEQUENCES = [0b1_0000_0000_0111, *(0b1111 << low for low in range(10))]
_STRAIGHTS = [0b1_0000_0000_1111, *(0b11111 << low for low in range(9))]
_PIECES = 128


@dataclass(frozen=True, slots=True)
class HouseWayAnte:
    """How often dealer and player qualify, if both hold the house way."""

    unqualified: Fraction
    """How often the dealer, or the player, ends with less than the qualifying hand."""
    both_unqualified: Fraction
    """How often both do."""
    categories: Mapping[Category, Fraction]
    """How often a hand ends in each category."""
    qualifying: HandMinimum = USUAL
    """The least hand with which the dealer qualifies."""

    @property
    def lost_to_dealer(self) -> Fraction:
        """The average net loss of the Ante to qualified dealers."""
        return self.unqualified - self.both_unqualified

    def bonus(self, pays: Mapping[Category, Fraction]) -> Fraction:
        """The average return of an Ante Bonus with these multiples of the Ante (D.12)."""
        return sum((pays[paid] * self.categories[paid] for paid in pays), Fraction(0))

    def expected(
        self, bonus: Mapping[Category, Fraction], *, unqualified_pays: Fraction = HALF_ANTE
    ) -> Fraction:
        """The expected result of one Ante with its Ante Bonus."""
        return unqualified_pays * self.unqualified - self.lost_to_dealer + self.bonus(bonus)

    def fair_share(self, bonus: Mapping[Category, Fraction]) -> Fraction:
        """The part of the Ante that an unqualified dealer would pay in a fair game.

        Raises ZeroDivisionError if the dealer always qualifies.
        """
        return (self.lost_to_dealer - self.bonus(bonus)) / self.unqualified


def count_house_way_ante(
    deck: Sequence[int] = FULL_DECK_NUMBERS,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> HouseWayAnte:
    """Count the Ante of a player who holds the house way.

    For 52 cards this takes two to three minutes of processor time, the first time on a machine. The
    counts are stored in the folder of compiled kernels, so an interrupted count continues where it
    stopped. Raises ValueError for a deck with fewer than 15 cards or two suits.
    """
    cards = check_deck(deck)
    if len(cards) < 15 or len({card & 3 for card in cards}) < 2:
        raise ValueError("two hands and five draw cards need 15 cards, of two suits or more")
    holds = draw_holds(cards)
    final = holds.categories(holds.house_way)
    return HouseWayAnte(
        unqualified=Fraction(final[Category.HIGH_CARD], holds.draws),
        both_unqualified=_both_unqualified(cards, workers, progress),
        categories={category: Fraction(n, holds.draws) for category, n in final.items()},
    )


def _both_unqualified(
    deck: tuple[int, ...], workers: int | None, progress: Progress | None
) -> Fraction:
    sets = _cached_rank_sets(deck)
    counts = np.zeros((2, len(sets.masks), DRAWS), dtype=np.int64)
    pieces = slices(len(sets.masks), _PIECES)
    stored = StoredCounts("draw-pairs", _sources(), f"{deck}")

    count = ProgressCount(progress, len(pieces))
    missing = []
    for number, piece in enumerate(pieces):
        before = stored.read(number, counts[:, piece].shape)
        if before is None:
            missing.append(number)
        else:
            counts[:, piece] = before
            count.step()
    task = partial(_count_piece, deck)
    for place, rows in piece_results(task, [pieces[n] for n in missing], workers=workers):
        counts[:, pieces[missing[place]]] = rows
        stored.write(missing[place], rows)
        count.step()
    left = len(deck) - 10
    # Each row fits into 64 bits; the sum of all rows does not.
    pairs = sum(
        sign * pairs * perm(left - drawn, 5 - drawn)
        for sign, rows in ((1, counts[0]), (-1, counts[1]))
        for row in rows.tolist()
        for drawn, pairs in enumerate(row)
    )
    return Fraction(pairs, comb(len(deck), 5) * comb(len(deck) - 5, 5) * perm(left, 5))


def _count_piece(deck: tuple[int, ...], piece: slice) -> npt.NDArray[np.int64]:
    """Count the pairs of hands of some sets of ranks, and those with flushes."""
    sets = _cached_rank_sets(deck)
    counts = np.zeros((2, len(sets.masks), DRAWS), dtype=np.int64)
    count_by_ranks(sets, piece.start, piece.stop, counts[0])
    count_flushes(sets, piece.start, piece.stop, counts[1])
    return counts[:, piece].copy()


def _sources() -> list[Path]:
    """The files that these counts depend on: this one, and the kernels with all they import."""
    return [Path(__file__), *kernel_sources(inspect.getfile(unqualified_flushes))]


def rank_sets(deck: Sequence[int]) -> RankSets:
    """All sets of five different ranks of a deck that are not a straight, with their holds."""
    live = sorted({card >> 2 for card in deck})
    masks = [sum(1 << rank for rank in ranks) for ranks in combinations(live, 5)]
    masks = [mask for mask in masks if mask not in _STRAIGHTS]
    holds = np.zeros((len(masks), VARIANTS), dtype=np.int64)
    for row, mask in enumerate(masks):
        holds[row] = [_plain_hold(mask), *(mask & ~(1 << rank) for rank in _ranks(mask))]
    suits = len({card & 3 for card in deck})
    return RankSets(
        masks=np.array(masks, dtype=np.int64),
        holds=holds,
        straights=np.array(_STRAIGHTS, dtype=np.int64),
        live=sum(1 << rank for rank in live),
        suits=suits,
        special=_special_ways(suits),
    )


_cached_rank_sets = lru_cache(maxsize=2)(rank_sets)


def _ranks(mask: int) -> list[int]:
    return [rank for rank in range(mask.bit_length()) if mask >> rank & 1]


def _plain_hold(mask: int) -> int:
    """What the house way holds of five different ranks, no straight or four of a suit (R.26)."""
    for sequence in reversed(_SEQUENCES):
        if mask & sequence == sequence:
            return sequence
    return mask & _JACK_OR_HIGHER


def _special_ways(suits: int) -> npt.NDArray[np.int64]:
    """By pattern, the ways to choose the suits of two hands; see `special_pattern`."""
    ways = np.zeros(64, dtype=np.int64)
    for pattern in range(64):
        for suit, odd, other, other_odd in product(range(suits), repeat=4):
            possible = (
                (odd != suit if pattern & 1 else odd == 0)
                and (other_odd != other if pattern & 2 else other_odd == 0)
                and not (pattern & 4 and suit == other)
                and not (pattern & 8 and odd == other)
                and not (pattern & 16 and other_odd == suit)
                and not (pattern & 32 and odd == other_odd)
            )
            ways[pattern] += possible
    return ways
