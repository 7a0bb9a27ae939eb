"""The exact figures of side bets: every award with its number of deals.

Figures are per unit wagered. ``net`` is the net result of a deal, so a losing deal is -1. Nothing
is sampled, and nothing is rounded before it is printed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt

from openfelt.cards import Category
from openfelt.maths.hands.deal_counts import (
    HandKey,
    dealer_pairs,
    five_card_counts,
    hole_pairs,
    seven_card_counts,
)
from openfelt.maths.holdem.game_outcomes import VOLATILITY_Z
from openfelt.rules.paytable import (
    HandPaytable,
    HandRow,
    PairsPaytable,
    ProgressivePaytable,
    ProgressiveReads,
    ProgressiveRow,
)

LOSS = Fraction(-1)
DEALS_TO_TWO = comb(52, 2) * comb(50, 2) * comb(48, 5)
"""All deals to player, dealer and board."""


@dataclass(frozen=True, slots=True)
class Award:
    """One possible result of the wager."""

    label: str
    deals: int
    """The number of deals with this result."""
    net: Fraction
    """The net result of one unit."""


@dataclass(frozen=True, slots=True)
class SideBet:
    """The exact figures of one wager with one paytable."""

    wager: str
    paytable: str
    awards: tuple[Award, ...]
    """Every award from the top of the table down, the losing deals last."""

    @property
    def deals(self) -> int:
        """The number of all deals."""
        return sum(award.deals for award in self.awards)

    @property
    def expected(self) -> Fraction:
        """The expected net result of one unit."""
        return self._mean(award.net * award.deals for award in self.awards)

    @property
    def house_advantage(self) -> Fraction:
        """The expected loss of one unit: the house advantage."""
        return -self.expected

    @property
    def hit_frequency(self) -> Fraction:
        """The share of deals that win."""
        return self._mean(Fraction(award.deals) for award in self.awards if award.net > 0)

    @property
    def variance(self) -> Fraction:
        """The variance of one unit wagered."""
        square = self._mean(award.net**2 * award.deals for award in self.awards)
        return square - self.expected**2

    @property
    def std_dev(self) -> float:
        """The standard deviation of one unit wagered, for printing."""
        return sqrt(self.variance)

    @property
    def volatility(self) -> float:
        """The volatility index of one unit: its standard deviation times 1.645, for 90%."""
        return VOLATILITY_Z * self.std_dev

    def _mean(self, parts: Iterable[Fraction]) -> Fraction:
        return sum(parts, Fraction(0)) / self.deals


def price_trips(table: HandPaytable) -> SideBet:
    """Trips: the best five of seven cards.

    >>> from openfelt.catalog import load_catalog
    >>> trips = price_trips(load_catalog().paytables["trips", "UTH-01"])
    >>> f"{float(trips.house_advantage):.4%}", trips.deals
    ('0.9018%', 133784560)
    """
    counts = seven_card_counts()
    return _by_category(table, counts, sum(counts.values()))


def price_play_the_board(table: HandPaytable) -> SideBet:
    """Play the Board: the five community cards."""
    counts = five_card_counts()
    return _by_hand(table, counts, counts.total())


def price_bad_beat(table: HandPaytable, losing_hands: Mapping[Category, int]) -> SideBet:
    """Bad Beat: the losing hand, the player's or the dealer's.

    ``losing_hands`` counts, over all deals to player, dealer and board, the losing hand's
    category; the remaining deals are ties, which lose the wager (R.6).
    """
    return _by_category(table, losing_hands, DEALS_TO_TWO)


def _by_category(table: HandPaytable, counts: Mapping[Category, int], deals: int) -> SideBet:
    """Price a table by category alone; the rank of a pair is not counted among seven cards."""
    if any(row.hand.at_least for row in table.rows):
        raise ValueError(
            f"{table.name} pays {table.wager} by the rank of a pair, which is not counted exactly"
        )
    return _by_hand(table, {(category, None): n for category, n in counts.items()}, deals)


def _by_hand(table: HandPaytable, counts: Mapping[HandKey, int], deals: int) -> SideBet:
    awards = [
        Award(row.label, sum(n for key, n in counts.items() if _pays(row, key)), row.odds.ratio)
        for row in table.rows
    ]
    return _with_losses(table.wager, table.name, awards, deals)


def _pays(row: HandRow, key: HandKey) -> bool:
    category, pair = key
    lowest = row.hand.at_least
    return category == row.hand.category and (lowest is None or (pair or 0) >= lowest)


def _with_losses(wager: str, name: str, awards: list[Award], deals: int) -> SideBet:
    lost = deals - sum(award.deals for award in awards)
    return SideBet(wager, name, (*awards, Award("All others", lost, LOSS)))


def price_ultimate_pairs(table: PairsPaytable) -> SideBet:
    """Ultimate Pairs: two hole cards, and the dealer's two if an award reads them.

    >>> from openfelt.catalog import load_catalog
    >>> pairs = price_ultimate_pairs(load_catalog().paytables["ultimate_pairs", "UPB-1"])
    >>> pairs.deals, str(pairs.hit_frequency)
    (1624350, '21/221')
    """
    deals = dict.fromkeys(table.rows, 0)
    for hole in hole_pairs():
        fitting = [row for row in table.rows if any(pattern.matches(hole) for pattern in row.hole)]
        if fitting and not fitting[0].dealer:
            deals[fitting[0]] += 1225
        elif fitting:
            for dealer in dealer_pairs(hole):
                row = table.row_for(hole, dealer)
                if row is not None:
                    deals[row] += 1
    awards = [Award(row.label, count, row.odds.ratio) for row, count in deals.items()]
    return _with_losses(table.wager, table.name, awards, 1326 * 1225)


@dataclass(frozen=True, slots=True)
class ProgressiveFigures:
    """A progressive wager, whose return grows with its meter. Amounts are in units wagered.

    A share counts in full, which is exact for one hand in the progressive. Several hands
    that win the same share in one round divide it, so with several hands the true return is
    slightly lower, and this an upper limit; `progressive_hands` counts it exactly.
    """

    paytable: str
    fixed_return: Fraction
    """The return of the fixed awards on one unit."""
    return_per_meter_unit: Fraction
    """The return of each unit on the meter."""
    hit_frequency: Fraction
    envy_per_other_hand: Fraction
    """The return by Envy for each other seat's hand with the wager."""

    def expected(self, meter_units: Fraction, *, hands: int = 1) -> Fraction:
        """The expected net result of one unit at this meter, with this many hands in it."""
        envy = (hands - 1) * self.envy_per_other_hand
        return self.fixed_return + self.return_per_meter_unit * meter_units + envy - 1

    def break_even_meter(self, *, hands: int = 1) -> Fraction | None:
        """The meter, in units, from which the wager is fair; None if no meter makes it fair."""
        missing = -self.expected(Fraction(0), hands=hands)
        if missing <= 0:
            return Fraction(0)
        if self.return_per_meter_unit == 0:
            return None
        return missing / self.return_per_meter_unit


def price_progressive(table: ProgressivePaytable) -> ProgressiveFigures:
    """The progressive: fixed awards, shares of the meter, and Envy."""
    chances = _progressive_chances(table.reads)
    rows = [(row, chances[row.category]) for row in table.rows]
    return ProgressiveFigures(
        paytable=table.name,
        fixed_return=_total(chance * (row.for_one or 0) for row, chance in rows),
        return_per_meter_unit=_total(chance * (row.share or 0) for row, chance in rows),
        hit_frequency=_total(chance for _, chance in rows),
        envy_per_other_hand=_total(chance * row.envy_for_one for row, chance in rows),
    )


def progressive_award(row: ProgressiveRow | None, meter_units: Fraction) -> Fraction:
    """The payout of a row for one unit at this meter, the stake included; 0 for no row."""
    if row is None:
        return Fraction(0)
    return row.share * meter_units if row.share is not None else Fraction(row.for_one or 0)


def progressive_at(table: ProgressivePaytable, *, meter_units: Fraction) -> SideBet:
    """The progressive as a wager at a fixed meter: awards and their variance."""
    chances = _progressive_chances(table.reads)
    deals = 133_784_560 if table.reads is ProgressiveReads.FINAL_SEVEN else 2_598_960
    awards = [
        Award(
            row.label,
            int(chances[row.category] * deals),
            progressive_award(row, meter_units) - 1,
        )
        for row in table.rows
    ]
    return _with_losses(table.wager, table.name, awards, deals)


def _progressive_chances(reads: ProgressiveReads) -> dict[Category, Fraction]:
    if reads is ProgressiveReads.FINAL_SEVEN:
        counts = Counter(seven_card_counts())
    else:
        counts = Counter(dict.fromkeys(Category, 0))
        for (category, _), count in five_card_counts().items():
            counts[category] += count
    deals = counts.total()
    return {category: Fraction(count, deals) for category, count in counts.items()}


def _total(parts: Iterable[Fraction]) -> Fraction:
    return sum(parts, Fraction(0))
