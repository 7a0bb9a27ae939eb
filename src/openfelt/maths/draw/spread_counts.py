"""What becomes of some holds of Ultimate Draw by category of the final hand, kept on disk.

Only the categories that an Ante Bonus can pay are told apart, a flush and better. Their wins and
losses beside those of all other hands give the distribution of a round.
"""

import inspect
from collections.abc import Mapping, Sequence
from functools import partial
from math import comb, factorial, perm
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw import ante_results, dealer_groups, flush_changes, rank_counts
from openfelt.maths.draw.ante_results import (
    HOLDS,
    DrawQuestion,
    _holds,
    _is_inside,
    draw_tables,
    orders_of,
)
from openfelt.maths.draw.dealer_groups import GroupChoice, dealer_hands
from openfelt.maths.draw.flush_changes import _LONG, _patterns
from openfelt.maths.draw.flush_counts import Changes, CountKind, Hand, with_same_ranks
from openfelt.maths.draw.rank_counts import (
    FullRanks,
    Keep,
    KeptCounts,
    _avoided,
    _counts,
    _key,
    rank_holds,
)
from openfelt.maths.draw.rank_solution import HoldEntries, hold_entries
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels import player_flush_spread, strong_ranks
from openfelt.maths.kernels.dealer_flush_spread import SPREAD, count_dealers_spread
from openfelt.maths.kernels.hold_results import RANKS, RESULTS, UNQUALIFIED
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.kernels.player_flush_spread import count_long_spread, count_players_spread
from openfelt.maths.kernels.rank_classes import NO_RANK, PATTERNS, Kept
from openfelt.maths.kernels.strong_ranks import STRONG, count_strong
from openfelt.maths.parallel import Progress, ProgressCount, piece_results
from openfelt.maths.stored_counts import StoredCounts

_HAND = 5
_COLUMNS = SPREAD * RESULTS
_FLUSHES = (1, 4, 5)
"""Flush, straight flush and royal flush among the categories that are told apart."""
Numbers = npt.NDArray[np.int64]


# Full houses and fours of a kind, by ranks --------------------------------------


def count_strong_ranks(full: FullRanks, keep: Keep) -> KeptCounts:
    """Count the strong hands of what is kept, for everything that can be thrown away with it."""
    tables = draw_tables(full.deck)
    number = {ranks: place for place, ranks in enumerate(tables.listed)}
    possible = [
        thrown
        for thrown in full.multisets(_HAND - len(keep.ranks))
        if all((keep.ranks + thrown).count(rank) <= full.suits for rank in thrown)
    ]
    kept = Kept(
        ranks=np.array(_counts(keep.ranks), dtype=np.int8),
        key=np.uint64(_key(keep.ranks)),
        size=len(keep.ranks),
        standing=0,
        thrown=np.array([number[thrown] for thrown in possible], dtype=np.int64),
        hands=np.array([_counts(keep.ranks + thrown) for thrown in possible], dtype=np.int8),
        different=np.array(
            [(sorted({*keep.ranks, *thrown}) + [NO_RANK] * _HAND)[:_HAND] for thrown in possible],
            dtype=np.int8,
        ),
    )
    plain = np.zeros((len(possible), STRONG), dtype=np.int64)
    patterns = np.zeros((len(possible), PATTERNS, STRONG), dtype=np.int64)
    count_strong(
        kept, rank_holds(full), tables.draws, tables.splits, full.suits,
        orders_of(len(full.deck) - 2 * _HAND), reading_tables(), plain, patterns,
    )  # fmt: skip
    return KeptCounts({t: n for n, t in enumerate(possible)}, plain, _avoided(patterns))


class StrongCounts:
    """Full houses and fours of a kind of some holds, by ranks."""

    def __init__(self, deck: tuple[int, ...]) -> None:
        self._deck = deck
        self._stored = StoredCounts("draw-strong", _rank_sources(), f"{deck}", packed=True)

    def count(
        self,
        wanted: Numbers,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Numbers:
        """Count some holds, given as class times 32 and hold, as far as they are not known."""
        entries = hold_entries(self._deck)
        chosen = np.zeros(len(entries.holds.hands) * HOLDS, dtype=np.bool_)
        chosen[wanted] = True
        results = np.zeros((len(chosen), STRONG), dtype=np.int64)
        known = np.zeros(len(chosen), dtype=np.bool_)
        missing: list[int] = []
        steps = ProgressCount(progress, len(entries.pieces))
        for number, piece in enumerate(entries.pieces):
            stored = self._stored.read(number, (-1, 1 + STRONG))
            if stored is not None:
                results[stored[:, 0]] = stored[:, 1:]
                known[stored[:, 0]] = True
            rows = entries.rows(piece)
            if (chosen & ~known)[rows].any():
                missing.append(number)
            else:
                steps.step()
        asked = [_asked(entries, entries.pieces[n], chosen | known) for n in missing]
        task = partial(_count_strong_piece, self._deck)
        for place, counted in piece_results(task, asked, workers=workers):
            results[counted[:, 0]] = counted[:, 1:]
            self._stored.write(missing[place], counted)
            steps.step()
        found: Numbers = results[wanted]
        return found


def _asked(
    entries: HoldEntries, piece: tuple[int, int], chosen: npt.NDArray[np.bool_]
) -> list[tuple[int, Numbers]]:
    """The ways to keep of a piece that are wanted, each with its holds."""
    asked = []
    for place in range(*piece):
        rows = entries.rows((place, place + 1))
        if chosen[rows].any():
            asked.append((place, rows[chosen[rows]]))
    return asked


def _count_strong_piece(deck: tuple[int, ...], asked: Sequence[tuple[int, Numbers]]) -> Numbers:
    """Count the holds of one piece: their numbers, and what is counted."""
    entries = hold_entries(deck)
    parts = []
    for place, rows in asked:
        keep = entries.keeps[place]
        every = entries.rows((place, place + 1))
        found = np.zeros((len(every), STRONG), dtype=np.int64)
        if len(keep.ranks) < _HAND:
            found = entries.found(place, count_strong_ranks(entries.full, keep))
        parts.append(np.column_stack([rows, found[np.isin(every, rows)]]))
    return np.concatenate(parts)


# What flushes change -------------------------------------------------------------


class SameRanksSpread:
    """Hands that have the same ranks, and what flushes change for some of their holds."""

    def __init__(
        self, deck: tuple[int, ...], wanted: Mapping[tuple[int, ...], Sequence[int]]
    ) -> None:
        """`wanted` has the holds of each hand."""
        self._deck, self._wanted = deck, wanted
        self._suits = sorted({card & 3 for card in deck})
        self._holds = sorted({hold for holds in wanted.values() for hold in holds})
        self._by_suit: dict[tuple[int, bool], Numbers] = {}

    def changes(self, hand: tuple[int, ...]) -> Numbers:
        """By wanted hold and category: deals that win, lose, and meet an unqualified dealer."""
        question = DrawQuestion(hand, (), self._deck)
        wanted = self._wanted[hand]
        total = np.zeros((len(wanted), _COLUMNS), dtype=np.int64)
        for suit in self._suits:
            total += self._dealers(question, suit)[[self._holds.index(hold) for hold in wanted]]
            total += _dealers_spread(question, wanted, suit, GroupChoice.MANY_DRAWN)
            for place, hold in enumerate(wanted):
                if hold < HOLDS - 1 and _is_inside(hand, hold, suit):
                    total[place] += _players_spread(question, hold, suit)
        return total

    def _dealers(self, question: DrawQuestion, suit: int) -> Numbers:
        """What the dealer's flushes of one suit change that draw few cards."""
        own = sum(1 << (card >> 2) for card in question.cards if card & 3 == suit)
        flush = len({card & 3 for card in question.cards}) == 1
        if (own, flush) not in self._by_suit:
            self._by_suit[own, flush] = _dealers_spread(
                question, self._holds, suit, GroupChoice.FEW_DRAWN
            )
        return self._by_suit[own, flush]


def _dealers_spread(
    question: DrawQuestion, wanted: Sequence[int], suit: int, choice: GroupChoice
) -> Numbers:
    groups = dealer_hands(question.deck).suited_groups(question.cards, suit, choice)
    holds, places = _holds(question.cards, wanted)
    out = np.zeros((len(holds.keys), _COLUMNS), dtype=np.int64)
    count_dealers_spread(question.suit(suit), groups, holds, reading_tables(), out)
    return out[places]


def _players_spread(question: DrawQuestion, hold: int, suit: int) -> Numbers:
    """What flushes of one suit change for a hold of this suit alone."""
    reading = reading_tables()
    holds, _ = _holds(question.cards, [hold])
    out = np.zeros((1, _COLUMNS), dtype=np.int64)
    one = question.suit(suit)
    unseen = len(question.deck) - len(question.cards)
    if hold.bit_count() + _LONG > _HAND:
        groups = dealer_hands(question.deck).suited_groups(question.cards, suit)
        count_players_spread(one, groups, holds, reading, out)
    else:
        live = sum(1 << rank for rank in {card >> 2 for card in question.deck})
        taken = [
            (1 << RANKS) - 1 & ~live | sum(1 << (c >> 2) for c in question.cards if c & 3 == other)
            for other in sorted({card & 3 for card in question.deck} - {suit})
        ]
        count_long_spread(
            one, int(holds.masks[0]), np.array(taken, dtype=np.int64), unseen,
            _patterns(question.deck), reading, out[0],
        )  # fmt: skip
    drawn = _HAND - hold.bit_count()
    draws = _flush_draws(int(holds.masks[0]), one.free, drawn)
    return _with_unqualified(out[0], [ways * _deals(unseen, drawn) for ways in draws])


def _deals(unseen: int, drawn: int) -> int:
    """The deals in which the player draws one set of cards."""
    orders = factorial(drawn) * perm(unseen - _HAND - drawn, _HAND - drawn)
    return comb(unseen - drawn, _HAND) * orders


def _flush_draws(held: int, free: int, drawn: int) -> list[int]:
    """How many draws of a suit complete a hold: to a flush, a straight flush and a royal flush."""
    straights = [
        ranks
        for ranks in (1 << 12 | 0b1111, *(0b11111 << low for low in range(9)))
        if ranks & held == held and ranks & ~held & ~free == 0
    ]
    royal = int(0b11111 << 8 in straights)
    return [comb(free.bit_count(), drawn) - len(straights), len(straights) - royal, royal]


def _with_unqualified(counted: Numbers, deals: Sequence[int]) -> Numbers:
    """Replace ties by unqualified dealers: what is left of the deals with each kind of flush."""
    spread = counted.reshape(SPREAD, RESULTS).copy()
    spread[0, UNQUALIFIED] = 0
    for category, every in zip(_FLUSHES, deals, strict=True):
        spread[category, UNQUALIFIED] = every - counted.reshape(SPREAD, RESULTS)[category].sum()
        spread[0, UNQUALIFIED] -= spread[category, UNQUALIFIED]
    return spread.ravel()


def count_spread_hands(deck: tuple[int, ...], hands: Sequence[Hand]) -> Changes:
    """Count the changes of some holds of some hands; those with the same ranks together."""
    changes: Changes = {}
    for alike in with_same_ranks(hands):
        ranks = SameRanksSpread(deck, {cards: holds for _, cards, holds in alike})
        for number, cards, holds in alike:
            for hold, row in zip(holds, ranks.changes(cards).tolist(), strict=True):
                changes[number, hold] = tuple(row)
    return changes


def spread_kind() -> CountKind:
    """What flushes change by category, as it is kept."""
    modules = (ante_results, dealer_groups, flush_changes)
    kernels = kernel_sources(inspect.getfile(player_flush_spread))
    sources = [Path(__file__), *(Path(inspect.getfile(module)) for module in modules), *kernels]
    return CountKind("draw-spread", _COLUMNS, count_spread_hands, sources)


def _rank_sources() -> list[Path]:
    """The files that counts by ranks depend on."""
    modules = (ante_results, rank_counts)
    kernels = kernel_sources(inspect.getfile(strong_ranks))
    return [Path(__file__), *(Path(inspect.getfile(module)) for module in modules), *kernels]
