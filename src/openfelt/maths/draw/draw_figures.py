"""The exact figures of a house of Ultimate Draw Poker, also with changed terms."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from openfelt.cards import Category
from openfelt.maths.draw.bonus import DrawPlay, award_nets, price_draw_bonus
from openfelt.maths.draw.house_way_ante import HALF_ANTE, HouseWayAnte, count_house_way_ante
from openfelt.maths.draw.qualifying_hands import USUAL, counted_minimum
from openfelt.maths.parallel import Progress
from openfelt.maths.wagers.side_bet_figures import SideBet
from openfelt.rules.house import GameName, House
from openfelt.rules.paytable import HandMinimum, HandPaytable
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
    qualifying: HandMinimum = USUAL
    """The least hand with which the dealer qualifies (D.9)."""

    def changed(self, name: str, value: Fraction) -> "DrawTerms":
        """The terms with one change: `unqualified`, or a category of the Ante Bonus.

        >>> terms = DrawTerms(Fraction(1, 2), {Category.FLUSH: Fraction(1)})
        >>> terms.changed("unqualified", Fraction(1, 4)).unqualified_pays
        Fraction(1, 4)
        """
        if value < 0:
            raise ValueError(f"{name} cannot have a negative payout")
        if name == UNQUALIFIED:
            return replace(self, unqualified_pays=value)
        category = next((c for c in Category if c.words.replace(" ", "_") == name), None)
        if category is None:
            raise ValueError(f"{name!r} is neither {UNQUALIFIED!r} nor a hand such as 'full_house'")
        return replace(self, ante_bonus={**self.ante_bonus, category: value})

    def requiring(self, least: HandMinimum) -> "DrawTerms":
        """The terms with another qualifying hand; raises ValueError for one that is not counted.

        >>> terms = DrawTerms(Fraction(1, 2), {})
        >>> terms.requiring(HandMinimum(Category.TWO_PAIR)).qualifying.or_better
        'two pair or better'
        """
        return replace(self, qualifying=counted_minimum(least))

    @property
    def needs_a_pair(self) -> bool:
        """Whether the dealer qualifies with a pair, as in the published game."""
        return self.qualifying == USUAL


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
    def fair_share(self) -> Fraction | None:
        """The payout for an unqualified dealer that makes the game fair for the house way.

        None if the dealer always qualifies.
        """
        return self.fair_share_with(self.expected)

    def fair_share_with(self, expected: Fraction) -> Fraction | None:
        """The payout for an unqualified dealer that would make this expected result zero.

        The dealer fails to qualify equally often for every hold. None if the dealer never does.
        """
        if not self.ante.unqualified:
            return None
        return self.terms.unqualified_pays - expected / self.ante.unqualified

    def together(self, bonus_units: Fraction) -> Fraction:
        """The expected result of an Ante and some units of the Bonus, for the house way."""
        bonus = self.bonuses.get(DrawPlay.HOUSE_WAY)
        return self.expected + (bonus_units * bonus.expected if bonus else 0)


def is_qualifying(name: str) -> bool:
    """Whether the name of a term, in lower case, is that of the qualifying hand."""
    return name in _QUALIFYING


def refuse_another_hand(terms: DrawTerms) -> None:
    """Raise ValueError for a qualifying hand other than a pair, where only that is counted."""
    if not terms.needs_a_pair:
        raise ValueError(
            "this is counted only for a dealer who qualifies with a pair, not with "
            f"{terms.qualifying.or_better}; openfelt edge prices the stored strategies"
        )


def draw_terms_of(house: House) -> DrawTerms:
    """The terms of a house.

    Raises ValueError for another game, a dealer who needs more than a straight to qualify, and an
    Ante Bonus by the rank of a pair.
    """
    if house.game is not GameName.ULTIMATE_DRAW:
        raise ValueError(f"{house.id} is not Ultimate Draw Poker")
    try:
        least = counted_minimum(house.dealer_qualifies)
    except ValueError as error:
        raise ValueError(f"{house.id}: {error}") from error
    table = house.ante_bonus
    if table and any(row.hand.at_least for row in table.rows):
        raise ValueError(f"the Ante Bonus of {house.id} pays by the rank of a pair")
    return DrawTerms(HALF_ANTE, award_nets(table) if table else {}, least)


def price_draw_house(
    house: House,
    terms: DrawTerms | None = None,
    *,
    ante: HouseWayAnte | None = None,
    progress: Progress | None = None,
) -> DrawFigures:
    """Find the exact figures of a house, or of its game with other terms.

    Raises ValueError for terms that are not counted; see `draw_terms_of`. Without the counts of the
    house way in `ante`, this takes minutes the first time on a machine, and the dealer must qualify
    with a pair.
    """
    own = draw_terms_of(house)
    rule = house.wager(WagerKind.BONUS)
    bonuses = {}
    if rule is not None and isinstance(rule.paytable, HandPaytable):
        bonuses = {play: price_draw_bonus(rule.paytable, play) for play in DrawPlay}
    asked = terms or own
    if ante is None:
        refuse_another_hand(asked)
        ante = count_house_way_ante(progress=progress)
    if ante.qualifying != asked.qualifying:
        raise ValueError("the counts of the house way are for another qualifying hand")
    return DrawFigures(house, asked, ante, bonuses)
