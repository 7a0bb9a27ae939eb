"""The types of paytables. Their rows are data from the catalog."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from openfelt.cards import Card, Category, Hand, Rank, evaluate
from openfelt.money import round_down
from openfelt.rules.wagers import WagerKind


@dataclass(frozen=True, slots=True)
class Odds:
    """The payout of a winning wager on top of its stake: ``pays`` to ``per``.

    >>> str(Odds(3, 2)), Odds(3, 2).payout_cents(500, unit_cents=1)
    ('3 to 2', 750)
    """

    pays: int
    per: int = 1

    @property
    def ratio(self) -> Fraction:
        """The odds as one exact number."""
        return Fraction(self.pays, self.per)

    def payout_cents(self, stake_cents: int, *, unit_cents: int) -> int:
        """The payout on a stake, rounded down to the house's unit (R.15)."""
        if stake_cents >= 0:
            # In whole numbers, which are quicker than fractions: how many whole units are paid.
            return stake_cents * self.pays // (self.per * unit_cents) * unit_cents
        return round_down(stake_cents * self.ratio, unit_cents=unit_cents)

    def __str__(self) -> str:
        return f"{self.pays:,} to {self.per}"


EVEN_MONEY = Odds(1, 1)
HALF = Odds(1, 2)


@dataclass(frozen=True, slots=True)
class HandMinimum:
    """A minimum hand: a category and, for a pair, the lowest rank that counts."""

    category: Category
    at_least: Rank | None = None

    def met_by(self, hand: Hand) -> bool:
        """Whether the hand is this good or better."""
        category = hand.category
        if category is not self.category or self.at_least is None:
            return category >= self.category
        return hand.first_rank >= self.at_least

    @property
    def or_better(self) -> str:
        """The hand as a minimum: ``"pair or better"``, ``"pair of tens or better"``."""
        return str(self) if self.at_least else f"{self} or better"

    def __str__(self) -> str:
        if self.at_least is None:
            return self.category.words
        return f"{self.category.words} of {self.at_least.plural} or better"


@dataclass(frozen=True, slots=True)
class HandRow:
    """One row of a table that pays by poker hand."""

    hand: HandMinimum
    odds: Odds
    label: str
    """The row as it is printed on the felt."""

    def matches(self, hand: Hand) -> bool:
        """Whether the row applies to this hand; better categories have their own rows."""
        return hand.category is self.hand.category and self.hand.met_by(hand)


@dataclass(frozen=True, slots=True)
class HandPaytable:
    """A table that pays by poker hand: Trips, Blind, Bad Beat, Play the Board and so on."""

    name: str
    version: int
    source: str
    """The published document that the table is taken from."""
    wager: str
    clause: str
    rows: tuple[HandRow, ...]
    claimed_advantage: str | None = None
    """The house advantage that the document claims, quoted."""
    claimed_game_advantage: str | None = None
    """The house advantage that it claims for the whole game with this Blind table."""

    def odds_for(self, hand: Hand) -> Odds | None:
        """The odds for a hand, or None if the table does not list it."""
        category = hand.category
        for row in self.rows:
            if row.hand.category is category and row.hand.met_by(hand):
                return row.odds
        return None


@dataclass(frozen=True, slots=True)
class HolePattern:
    """Two cards in the usual notation: ``AA``, ``AKs``, ``AKo``, ``AK``, or exactly ``AhAd``."""

    text: str
    ranks: tuple[Rank, Rank]
    suited: bool | None = None
    """True for suited only, False for offsuit only, None for either."""
    cards: tuple[Card, Card] | None = None
    """Exactly these two cards, if the pattern names suits."""

    def matches(self, hole: tuple[Card, ...]) -> bool:
        """Whether two hole cards match the pattern."""
        if self.cards is not None:
            return set(self.cards) == set(hole)
        first, second = hole
        ranks = self.ranks
        if ranks not in ((first.rank, second.rank), (second.rank, first.rank)):
            return False
        return self.suited is None or self.suited == (first.suit is second.suit)


@dataclass(frozen=True, slots=True)
class PairsRow:
    """One row of an Ultimate Pairs table."""

    hole: tuple[HolePattern, ...]
    dealer: tuple[HolePattern, ...]
    """Patterns that the dealer's two cards must match as well; empty if they do not matter."""
    odds: Odds
    label: str

    def matches(self, hole: tuple[Card, ...], dealer_hole: tuple[Card, ...]) -> bool:
        """Whether the row pays these cards."""
        return any(pattern.matches(hole) for pattern in self.hole) and (
            not self.dealer or any(pattern.matches(dealer_hole) for pattern in self.dealer)
        )


@dataclass(frozen=True, slots=True)
class PairsPaytable:
    """A table that pays by the two hole cards. The first matching row pays."""

    name: str
    version: int
    source: str
    """The published document that the table is taken from."""
    wager: str
    clause: str
    rows: tuple[PairsRow, ...]
    claimed_advantage: str | None = None
    claimed_game_advantage: str | None = None

    def row_for(self, hole: tuple[Card, ...], dealer_hole: tuple[Card, ...]) -> PairsRow | None:
        """The row that pays these cards, or None."""
        return next((row for row in self.rows if row.matches(hole, dealer_hole)), None)

    @property
    def needs_dealer(self) -> bool:
        """Whether any award depends on the dealer's cards."""
        return any(row.dealer for row in self.rows)


class ProgressiveReads(StrEnum):
    """Which cards make a progressive hand (R.21)."""

    HOLE_AND_FLOP = "hole_and_flop"
    FINAL_SEVEN = "final_seven"
    """Hold'em: hole cards and the whole board."""
    DEALT_FIVE = "dealt_five"
    """Ultimate Draw: the five cards before the draw."""

    def hand_of(self, own: tuple[Card, ...], common: tuple[Card, ...]) -> Hand:
        """The hand that these cards make of a hand's own cards and the common ones."""
        match self:
            case ProgressiveReads.HOLE_AND_FLOP:
                return evaluate((*own, *common[:3]))
            case ProgressiveReads.DEALT_FIVE:
                return evaluate(own)
            case ProgressiveReads.FINAL_SEVEN:
                return evaluate((*own, *common))


@dataclass(frozen=True, slots=True)
class ProgressiveRow:
    """One award: a share of the meter, or a fixed return for each unit wagered."""

    category: Category
    share: Fraction | None
    for_one: int | None
    share_text: str | None
    """The share as the table prints it: ``"10%"``."""
    envy_for_one: int
    """The Envy per unit for every other seat's hand with the wager; 0 for none (R.22)."""
    label: str


@dataclass(frozen=True, slots=True)
class ProgressivePaytable:
    """The awards of a progressive wager, best first."""

    name: str
    version: int
    source: str
    """The published document that the table is taken from."""
    wager: str
    clause: str
    reads: ProgressiveReads
    rows: tuple[ProgressiveRow, ...]
    claimed_advantage: str | None = None
    claimed_game_advantage: str | None = None

    def row_for(self, hand: Hand) -> ProgressiveRow | None:
        """The award of the hand, or None."""
        return next((row for row in self.rows if row.category == hand.category), None)


Paytable = HandPaytable | PairsPaytable | ProgressivePaytable

PAYTABLE_WAGERS = frozenset({kind.value for kind in WagerKind} - {"ante", "play"} | {"ante_bonus"})
"""The wager names of paytables in rule data."""
