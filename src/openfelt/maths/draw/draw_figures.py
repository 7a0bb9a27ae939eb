"""The exact figures of a house of Ultimate Draw Poker, also with changed terms."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from openfelt.cards import Category, Rank
from openfelt.maths.draw.bonus import DrawPlay, award_nets, price_draw_bonus
from openfelt.maths.draw.house_way_ante import HALF_ANTE, HouseWayAnte, count_house_way_ante
from openfelt.maths.parallel import Progress
from openfelt.maths.wagers.side_bet_figures import SideBet
from openfelt.rules.house import GameName, House
from openfelt.rules.paytable import HandPaytable
from openfelt.rules.wagers import WagerKind

UNQUALIFIED = "unqualified"
"""The name, among the terms, of the payout for an unqualified dealer."""
_QUALIFYING = ("qualifies", "qualifying", "dealer_qualifies")


@dataclass(frozen=True, slots=True)
class DrawTerms:
    """The payouts of the Ante besides even money."""

    unqualified_pays: Fraction
    """The part of the Ante that an unqualified dealer pays (D.10)."""
    ante_bonus: Mapping[Category, Fraction]
    """The Ante Bonus by category, in Antes (D.12)."""

    def changed(self, name: str, value: Fraction) -> "DrawTerms":
        """The terms with one change: `unqualified`, or a category of the Ante Bonus.

        >>> terms = DrawTerms(Fraction(1, 2), {Category.FLUSH: Fraction(1)})
        >>> terms.changed("unqualified", Fraction(1, 4)).unqualified_pays
        Fraction(1, 4)
        """
        if value < 0:
            raise ValueError(f"{name} cannot have a negative payout")
        if name == UNQUALIFIED:
            return DrawTerms(value, self.ante_bonus)
        category = next((c for c in Category if c.words.replace(" ", "_") == name), None)
        if category is None:
            raise ValueError(f"{name!r} is neither {UNQUALIFIED!r} nor a hand such as 'full_house'")
        return DrawTerms(self.unqualified_pays, {**self.ante_bonus, category: value})


@dataclass(frozen=True, slots=True)
class DrawFigures:
    """The exact figures of a house of Ultimate Draw Poker."""

    house: House
    terms: DrawTerms
    ante: HouseWayAnte
    """The Ante for a player who holds the house way."""
    bonuses: Mapping[DrawPlay, SideBet]
    """The Bonus by the way to hold: best for it alone, or the house way. Empty without a Bonus."""

    @property
    def expected(self) -> Fraction:
        """The expected result of one Ante with its Ante Bonus, for the house way."""
        return self.ante.expected(
            self.terms.ante_bonus, unqualified_pays=self.terms.unqualified_pays
        )

    @property
    def fair_share(self) -> Fraction:
        """The payout for an unqualified dealer that makes the game fair for the house way."""
        return self.ante.fair_share(self.terms.ante_bonus)

    def fair_share_with(self, expected: Fraction) -> Fraction:
        """The payout for an unqualified dealer that would make this expected result zero.

        The dealer fails to qualify equally often for every hold.
        """
        return self.terms.unqualified_pays - expected / self.ante.unqualified

    def together(self, bonus_units: Fraction) -> Fraction:
        """The expected result of an Ante and some units of the Bonus, for the house way."""
        bonus = self.bonuses.get(DrawPlay.HOUSE_WAY)
        return self.expected + (bonus_units * bonus.expected if bonus else 0)


def refuse_uncounted(name: str) -> None:
    """Raise ValueError for a change of the rules that cannot be priced from the counts."""
    if name in _QUALIFYING:
        raise ValueError(
            "another qualifying hand cannot be priced from the counts: they tell deals apart by "
            "whether the dealer has a pair, and compare hands only where there is one; give a "
            "house file another dealer_qualifies and use openfelt simulate"
        )


def draw_terms_of(house: House) -> DrawTerms:
    """The terms of a house.

    Raises ValueError for another game, a dealer who qualifies with another hand than a pair, and
    an Ante Bonus by the rank of a pair.
    """
    if house.game is not GameName.ULTIMATE_DRAW:
        raise ValueError(f"{house.id} is not Ultimate Draw Poker")
    least = house.dealer_qualifies
    if least.category is not Category.PAIR or least.at_least not in (None, Rank.TWO):
        raise ValueError(
            f"the dealer of {house.id} qualifies with another hand than a pair, for which nothing "
            "is counted: openfelt simulate plays such a house"
        )
    table = house.ante_bonus
    if table and any(row.hand.at_least for row in table.rows):
        raise ValueError(f"the Ante Bonus of {house.id} pays by the rank of a pair")
    return DrawTerms(HALF_ANTE, award_nets(table) if table else {})


def price_draw_house(
    house: House,
    terms: DrawTerms | None = None,
    *,
    ante: HouseWayAnte | None = None,
    progress: Progress | None = None,
) -> DrawFigures:
    """Find the exact figures of a house, or of its game with other terms.

    Raises ValueError for terms that are not counted; see `draw_terms_of`. Without the counts of the
    house way in `ante`, this takes minutes the first time on a machine.
    """
    own = draw_terms_of(house)
    rule = house.wager(WagerKind.BONUS)
    bonuses = {}
    if rule is not None and isinstance(rule.paytable, HandPaytable):
        bonuses = {play: price_draw_bonus(rule.paytable, play) for play in DrawPlay}
    counted = ante or count_house_way_ante(progress=progress)
    return DrawFigures(house, terms or own, counted, bonuses)
