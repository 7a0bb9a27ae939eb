"""The terms of a house that the mathematics of its game depend on."""

from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.rules.house import GameName, House
from openfelt.rules.wagers import WagerKind


def terms_of(house: House) -> HoldemTerms:
    """The terms of a house that its exact figures depend on.

    Raises ValueError for a house that is not Ultimate Texas Hold'em, or whose Blind pays by the
    rank of a pair.

    >>> from openfelt.catalog import load_house
    >>> terms_of(load_house("online")).first_multiples
    (4, 3)
    """
    if house.game is not GameName.ULTIMATE_HOLDEM or house.play is None:
        raise ValueError(f"{house.id} is not Ultimate Texas Hold'em, which this is counted for")
    table = house.hand_table(WagerKind.BLIND)
    if any(row.hand.at_least for row in table.rows):
        raise ValueError(f"the Blind of {house.id} pays by the rank of a pair")
    return HoldemTerms.of(
        {row.hand.category: row.odds.ratio for row in table.rows},
        qualifying=house.dealer_qualifies,
        first_multiples=house.play.before_flop,
        flop_multiples=house.play.on_flop,
        river_multiples=house.play.on_river,
    )
