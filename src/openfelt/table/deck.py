"""Decks cut for one round. Chance comes from outside, as a function that draws a number."""

from collections.abc import Callable, Sequence

from openfelt.cards import FULL_DECK, Card
from openfelt.rules.dealing import Deal, Lies
from openfelt.rules.house import Deck
from openfelt.rules.round import Round

DrawBelow = Callable[[int], int]
"""Draws a whole number from 0 up to, but not including, its argument, all equally likely."""


def shuffled(cards: Sequence[Card], draw_below: DrawBelow) -> tuple[Card, ...]:
    """Shuffle by Fisher and Yates: every order is equally likely if every draw is fair.

    >>> from openfelt.cards import FULL_DECK
    >>> shuffled(FULL_DECK[:3], lambda limit: 0)
    (Card('2d'), Card('2h'), Card('2c'))
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = draw_below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def cards_for_round(state: Round, draw_below: DrawBelow) -> tuple[Card, ...]:
    """The cards of a whole round in the order of its plan, once bets are closed (R.11).

    One shared deck serves every hand; with a deck per terminal, the dealer and the
    board come from one deck, and each seat's hands from its own copy of the 45 cards
    that are left.
    """
    places = [step.place for step in state.plan if isinstance(step, Deal)]
    if state.house.deck is Deck.SHARED:
        return shuffled(FULL_DECK, draw_below)[: len(places)]
    table_deck = shuffled(FULL_DECK, draw_below)
    at_table = sum(place.lies is not Lies.HAND for place in places)
    left = sorted(table_deck[at_table:])
    decks = {seat: iter(shuffled(left, draw_below)) for seat in _seats(state)}
    from_table = iter(table_deck)
    return tuple(
        next(decks[place.spot.seat]) if place.spot else next(from_table) for place in places
    )


def _seats(state: Round) -> list[int]:
    return sorted({spot.seat for spot in state.hands})
