"""A progressive with several hands: winners that divide a share, and Envy in the variance.

All hands use the same flop, each with its own two cards from one deck. On a flop, few pairs of
cards win a share of the meter, so every set of them that may be dealt together is listed, with its
exact chance. `docs/internals/exact-holdem.md` derives the sums.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

import numpy as np

from openfelt.cards import Category
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS, classify_deck
from openfelt.maths.kernels.joint_products import read_flops
from openfelt.rules.house import Deck, House, SeveralWinners
from openfelt.rules.paytable import ProgressivePaytable, ProgressiveReads, ProgressiveRow
from openfelt.rules.wagers import WagerKind

Pair = tuple[int, int]
Winner = tuple[Pair, ProgressiveRow]
"""Two cards that win a share on a flop, and their row."""
WINNERS_MAX: Final = 12
"""The most pairs of cards that may win a share on one flop."""


@dataclass(frozen=True, slots=True)
class _Flop:
    """A class of flops on which a share can be won."""

    count: int
    winners: tuple[Winner, ...]


@dataclass(frozen=True, slots=True)
class _Counts:
    """Counts that do not depend on the number of hands, over all flops and pairs of cards."""

    cards: int
    flops: int
    fixed: int
    """The fixed awards of one hand."""
    fixed_squares: int
    fixed_and_envy: int
    """The fixed award of one hand times the Envy of another."""
    winning: tuple[_Flop, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveHand:
    """One of several hands in a progressive, each at a different seat. Amounts are in units
    wagered."""

    hands: int
    fixed_return: Fraction
    """The return of the fixed awards on one unit."""
    return_per_meter_unit: Fraction
    """The return of each unit on the meter, minus what other winners take of it."""
    seed_return: Fraction
    """The return of shares of the seed, after another hand has won the whole meter."""
    envy_return: Fraction
    """The return by awards of the other hands."""
    squares: tuple[Fraction, Fraction, Fraction]
    """The mean square of everything paid: the constant, and the factors of the meter and its
    square."""

    def expected(self, meter_units: Fraction) -> Fraction:
        """The expected net result of one unit at this meter."""
        paid = self.fixed_return + self.seed_return + self.envy_return
        return paid + self.return_per_meter_unit * meter_units - 1

    def variance(self, meter_units: Fraction) -> Fraction:
        """The variance of the net result of one unit at this meter, Envy included."""
        constant, by_meter, by_square = self.squares
        square = constant + by_meter * meter_units + by_square * meter_units**2
        return square - (self.expected(meter_units) + 1) ** 2

    @property
    def break_even_meter(self) -> Fraction | None:
        """The meter, in units, from which the wager is fair; None if no meter makes it fair."""
        missing = -self.expected(Fraction(0))
        if missing <= 0:
            return Fraction(0)
        return missing / self.return_per_meter_unit if self.return_per_meter_unit else None


def progressive_hand(
    table: ProgressivePaytable,
    *,
    hands: int,
    several_winners: SeveralWinners,
    seed_units: Fraction,
    deck: tuple[int, ...] = FULL_DECK_NUMBERS,
) -> ProgressiveHand:
    """Count one of several hands in a progressive that are dealt from one deck.

    Raises ValueError for a table that cannot be counted: one that reads cards other than hole and
    flop, that pays Envy on a row without a share, or with which many hands win a share in one deal.
    """
    counts = _count(table, deck)
    if not 1 <= hands <= (counts.cards - 3) // 2:
        raise ValueError(f"{counts.cards} cards are not enough for a flop and {hands} hands")
    pairs = math.comb(counts.cards - 3, 2)
    pair_chance = Fraction(1, counts.flops * pairs)
    two_pairs_chance = Fraction(hands - 1, counts.flops * pairs * math.comb(counts.cards - 5, 2))
    sums = _ShareSums(counts, hands, several_winners, seed_units)
    square, by_meter, by_square = sums.squares
    return ProgressiveHand(
        hands=hands,
        fixed_return=counts.fixed * pair_chance,
        return_per_meter_unit=sums.meter,
        seed_return=sums.seed,
        envy_return=sums.envy,
        squares=(
            square
            + counts.fixed_squares * pair_chance
            + 2 * counts.fixed_and_envy * two_pairs_chance,
            by_meter,
            by_square,
        ),
    )


def house_progressive_hand(house: House, *, hands: int) -> ProgressiveHand | None:
    """The same for a house; None if its progressive cannot be counted with several hands."""
    wager, rule = house.wager(WagerKind.PROGRESSIVE), house.progressive
    if wager is None or rule is None or house.deck is not Deck.SHARED:
        return None
    table = house.progressive_table()
    seed = Fraction(rule.seed_cents, wager.min_cents)
    try:
        return progressive_hand(
            table, hands=hands, several_winners=rule.several_winners, seed_units=seed
        )
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class ShareRounds:
    """How much of a meter the hands of one round win together."""

    chances: Mapping[Fraction, Fraction]
    """The probability of each part of the meter that may be taken, except none."""
    of_seed: Fraction
    """The mean part of the seed that is won after the whole meter, in the same round."""


def share_rounds(
    table: ProgressivePaytable, *, hands: int, several_winners: SeveralWinners
) -> ShareRounds:
    """Count what several hands of one deck win together; ValueError as `progressive_hand`."""
    counts = _count(table, FULL_DECK_NUMBERS)
    chances: dict[Fraction, Fraction] = {}
    of_seed = Fraction(0)
    for flop in counts.winning:
        for winners, chance in _dealt_together(flop.winners, counts.cards, hands):
            weight = chance * Fraction(flop.count, counts.flops * math.factorial(len(winners)))
            for parts in _shares([row for _, row in winners], several_winners):
                taken = sum((of_meter for of_meter, _ in parts), Fraction(0))
                chances[taken] = chances.get(taken, Fraction(0)) + weight
                of_seed += weight * sum(seed for _, seed in parts)
    return ShareRounds(chances, of_seed)


@lru_cache(maxsize=8)
def _count(table: ProgressivePaytable, deck: tuple[int, ...]) -> _Counts:
    if table.reads is not ProgressiveReads.HOLE_AND_FLOP:
        raise ValueError("only hole cards and flop are counted with several hands")
    if any(row.envy_for_one and row.share is None for row in table.rows):
        raise ValueError("Envy is counted only on awards that are a share of the meter")
    classes = classify_deck(deck)
    made = np.empty((len(classes.flops.cards), classes.hand_cells.size), dtype=np.int8)
    read_flops(classes.flops.cards, classes.deck, reading_tables(), made)
    rows = {row.category: row for row in table.rows}
    pays = np.array([_fixed(rows.get(category)) for category in Category] + [0], dtype=np.int64)
    # Hands with a card of the flop have the category -1, and so use the last entry, which is zero.
    fixed = pays[made]
    highs, lows = np.tril_indices(classes.deck.size, -1)
    weights = classes.flops.counts.astype(np.int64)
    shares = [category for category, row in rows.items() if row.share is not None]
    winning, fixed_and_envy = [], 0
    for place in np.nonzero(np.isin(made, shares).any(axis=1))[0]:
        numbers = np.nonzero(np.isin(made[place], shares))[0]
        winners = tuple(
            ((int(lows[n]), int(highs[n])), rows[Category(int(made[place, n]))]) for n in numbers
        )
        if len(winners) > WINNERS_MAX:
            raise ValueError("too many hands win a share at once to count them")
        count = int(weights[place])
        winning.append(_Flop(count, winners))
        for cards, row in winners:
            apart = ~np.isin(lows, cards) & ~np.isin(highs, cards)
            fixed_and_envy += count * row.envy_for_one * int(fixed[place][apart].sum())
    return _Counts(
        cards=classes.deck.size,
        flops=int(weights.sum()),
        fixed=int((fixed.sum(axis=1) * weights).sum()),
        fixed_squares=int(((fixed**2).sum(axis=1) * weights).sum()),
        fixed_and_envy=fixed_and_envy,
        winning=tuple(winning),
    )


def _fixed(row: ProgressiveRow | None) -> int:
    return 0 if row is None or row.share is not None else row.for_one or 0


class _ShareSums:
    """Means over all deals of what one hand receives by shares and Envy."""

    def __init__(
        self, counts: _Counts, hands: int, rule: SeveralWinners, seed_units: Fraction
    ) -> None:
        self.meter = self.seed = self.envy = Fraction(0)
        square = by_meter = by_square = Fraction(0)
        for flop in counts.winning:
            for winners, chance in _dealt_together(flop.winners, counts.cards, hands):
                # Each hand is as likely as any other to be one of the winners.
                weight = chance * Fraction(flop.count, counts.flops * hands)
                envied = sum(row.envy_for_one for _, row in winners)
                losers = hands - len(winners)
                self.envy += weight * (losers + len(winners) - 1) * envied
                square += weight * losers * envied**2
                for parts in _shares([row for _, row in winners], rule):
                    order_weight = weight / math.factorial(len(winners))
                    for (_, row), (of_meter, of_seed) in zip(winners, parts, strict=True):
                        without_meter = envied - row.envy_for_one + of_seed * seed_units
                        self.meter += order_weight * of_meter
                        self.seed += order_weight * of_seed * seed_units
                        square += order_weight * without_meter**2
                        by_meter += order_weight * 2 * without_meter * of_meter
                        by_square += order_weight * of_meter**2
        self.squares = square, by_meter, by_square


def _dealt_together(
    winners: Sequence[Winner], cards: int, hands: int
) -> Iterator[tuple[tuple[Winner, ...], Fraction]]:
    """Every possible set of simultaneous winners, and the probability of exactly these.

    By inclusion and exclusion: the probability that some hands hold all of a set, minus that they
    hold one more, and so on.
    """
    sets = [
        winning
        for size in range(1, min(hands, len(winners)) + 1)
        for winning in combinations(winners, size)
        if len({card for pair, _ in winning for card in pair}) == 2 * size
    ]
    for winning in sets:
        chance = Fraction(0)
        for superset in sets:
            if set(winning) <= set(superset):
                sign = (-1) ** (len(superset) - len(winning))
                chance += sign * _chance(len(superset), cards, hands)
        yield winning, chance


def _chance(pairs: int, cards: int, hands: int) -> Fraction:
    """The probability that some of the hands hold these pairs of cards."""
    ways = math.prod(math.comb(cards - 3 - 2 * done, 2) for done in range(pairs))
    return Fraction(math.perm(hands, pairs), ways)


def _shares(
    rows: Sequence[ProgressiveRow], rule: SeveralWinners
) -> Iterator[list[tuple[Fraction, Fraction]]]:
    """The parts of meter and seed that winners get, once for each order of settlement (R.24)."""
    for order in permutations(range(len(rows))):
        parts = [(Fraction(0), Fraction(0))] * len(rows)
        if rule is SeveralWinners.IN_ORDER:
            groups = [[place] for place in order]
        else:
            best_first = sorted({row.share or Fraction(0) for row in rows}, reverse=True)
            groups = [[p for p in order if rows[p].share == share] for share in best_first]
        meter, seed = Fraction(1), Fraction(0)
        for group in groups:
            share = rows[group[0]].share or Fraction(0)
            for place in group:
                parts[place] = meter * share / len(group), seed * share / len(group)
            meter, seed = meter * (1 - share), seed * (1 - share)
            if share == 1:
                # A meter that was won as a whole is immediately at its seed again.
                meter, seed = Fraction(0), Fraction(1)
        yield parts
