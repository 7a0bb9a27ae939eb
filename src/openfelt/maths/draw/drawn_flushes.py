"""The deals of Ultimate Draw in which a strategy draws a flush, by the dealer's final hand.

Only dealers with a pair, two pairs or three of a kind are counted: a better qualifying hand rules
these out, and the five ranks without the flush would have lost to them.
"""

from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw.ante_results import draw_tables, orders_of
from openfelt.maths.draw.holds import DrawHolds, Holds
from openfelt.maths.draw.house_way_ante import rank_sets
from openfelt.maths.kernels.hold_results import RANKS
from openfelt.maths.kernels.rung_flushes import FlushHolds, RungDeck, count_rung_flushes
from openfelt.maths.kernels.rung_ranks import RUNGS
from openfelt.maths.parallel import Progress, ProgressCount, piece_results, slices

_HAND = 5
_PIECES = 256
Numbers = npt.NDArray[np.int64]
_Row = tuple[int, int, list[int], int]
"""The ranks kept, those of the hand in their suit and in each other suit, and the hands."""


def count_drawn_flushes(
    holds: DrawHolds,
    rows: Numbers,
    chosen: Holds,
    times: Numbers,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[int]:
    """Count the deals by rung: some classes with a hold and a weight each, added up.

    Straight flushes are left out. About a minute of processor time for a strategy with 52 cards.
    """
    deck = tuple(holds.classes.deck.tolist())
    same: dict[tuple[int, ...], list[_Row]] = {}
    for row, hold, weight in zip(rows.tolist(), chosen.tolist(), times.tolist(), strict=True):
        hand = holds.hands[row].tolist()
        entries = _entries(hand, hold, weight, sorted({card & 3 for card in deck}))
        if entries:
            same.setdefault(tuple(card >> 2 for card in hand), []).extend(entries)
    alike = list(same.items())
    pieces = [alike[piece] for piece in slices(len(alike), _PIECES)]
    steps = ProgressCount(progress, len(pieces))
    totals = [0] * RUNGS
    for _, counted in piece_results(partial(_count_piece, deck), pieces, workers=workers):
        totals = [total + more for total, more in zip(totals, counted, strict=True)]
        steps.step()
    return totals


def _entries(hand: Sequence[int], hold: int, weight: int, suits: Sequence[int]) -> list[_Row]:
    """The suits in which a hold can draw a flush."""
    kept = [card for place, card in enumerate(hand) if hold >> place & 1]
    if len(kept) == _HAND or len({card & 3 for card in kept}) > 1:
        return []
    masks = {suit: sum(1 << (card >> 2) for card in hand if card & 3 == suit) for suit in suits}
    ranks = sum(1 << (card >> 2) for card in kept)
    return [
        (ranks, masks[suit], [masks[other] for other in suits if other != suit], weight)
        for suit in ({card & 3 for card in kept} or suits)
    ]


def _count_piece(
    deck: tuple[int, ...], pieces: Sequence[tuple[tuple[int, ...], list[_Row]]]
) -> list[int]:
    """Count some multisets of ranks with all their holds."""
    totals = [0] * RUNGS
    common = _rung_deck(deck)
    patterns = np.zeros(common.fives.size, dtype=np.int64)
    for ranks, entries in pieces:
        listed = sorted(entries, key=lambda entry: (-entry[0].bit_count(), entry))
        holds = FlushHolds(
            ranks=np.bincount(np.array(ranks), minlength=RANKS).astype(np.int64),
            different=np.array(sorted(set(ranks)), dtype=np.int64),
            kept=np.array([kept for kept, *_ in listed], dtype=np.int64),
            own=np.array([own for _, own, *_ in listed], dtype=np.int64),
            others=np.array([others for _, _, others, _ in listed], dtype=np.int64),
            times=np.array([weight for *_, weight in listed], dtype=np.int64),
        )
        out = np.zeros(RUNGS, dtype=np.int64)
        count_rung_flushes(holds, common, patterns, out)
        totals = [total + more for total, more in zip(totals, out.tolist(), strict=True)]
    return totals


@lru_cache(maxsize=2)
def _rung_deck(deck: tuple[int, ...]) -> RungDeck:
    tables, sets = draw_tables(deck), rank_sets(deck)
    hold_masks, numbers = np.unique(sets.holds[:, 0], return_inverse=True)
    ranks = [[rank for rank in range(RANKS) if mask >> rank & 1] for mask in sets.masks.tolist()]
    return RungDeck(
        suits=sets.suits,
        live=sets.live,
        masks=tables.masks,
        starts=tables.mask_starts,
        fives=sets.masks,
        five_ranks=np.array(ranks, dtype=np.int64).reshape(-1, _HAND),
        holds=numbers.astype(np.int64),
        hold_masks=hold_masks.astype(np.int64),
        straights=sets.straights,
        factors=orders_of(len(deck) - 2 * _HAND),
    )
