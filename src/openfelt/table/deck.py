"""Decks for one round and their shuffle, with random numbers from a function that is passed in.

A round deals from named decks (R.11). A shared deck is called ``table``. If every terminal has its
own deck, the dealer's and the common cards come from ``table``, and the hands of seat 17 from
``seat-17``. Each deck is dealt from its top in the order of the round's plan.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from openfelt.cards import FULL_DECK, Card
from openfelt.rules.dealing import Deal, Lies, Place, Plan
from openfelt.rules.house import Deck, GameName, House
from openfelt.rules.round import Round

DrawBelow = Callable[[int], int]
"""Draws a whole number from 0 up to, but not including, its argument, all equally likely."""

TABLE_DECK: Final = "table"
"""The name of the deck that the table deals from."""
_SEAT_DECK: Final = "seat-"
# Looking a member up in an enumeration takes as long as a call.
_SHARED: Final = Deck.SHARED
_PER_TERMINAL: Final = Deck.PER_TERMINAL
_HAND: Final = Lies.HAND
_SEAT_DECK_NAME: Final = re.compile(r"seat-([1-9][0-9]{0,5})")


DeckPlace = tuple[str, int]
"""Where a card was before it was dealt: the name of its deck, and 0 for the card on top."""


Face = TypeVar("Face")


def shuffled(cards: Sequence[Face], draw_below: DrawBelow) -> tuple[Face, ...]:
    """A Fisher-Yates shuffle: every order is equally likely if every draw is fair.

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
    places = deck_places(state.house, state.plan).values()
    decks = {TABLE_DECK: shuffled(FULL_DECK, draw_below)}
    left = cards_left(state.house, decks[TABLE_DECK])
    for name in seat_decks(state.house, sorted({spot.seat for spot in state.hands})):
        decks[name] = shuffled(left, draw_below)
    return tuple(decks[deck][index] for deck, index in places)


def deck_of(house: House, place: Place) -> str:
    """The name of the deck from which the card of a place comes (R.11)."""
    if house.deck is _PER_TERMINAL and place.spot is not None:
        return _seat_deck(place.spot.seat)
    return TABLE_DECK


def seat_decks(house: House, seats: Iterable[int]) -> tuple[str, ...]:
    """The decks that a round needs besides the table's own, if these seats play."""
    if house.deck is _SHARED:
        return ()
    return tuple([f"{_SEAT_DECK}{seat}" for seat in seats])


def _seat_deck(seat: int) -> str:
    return f"{_SEAT_DECK}{seat}"


def is_deck_name(name: str) -> bool:
    """Whether a deck can have this name.

    >>> [is_deck_name(name) for name in ("table", "seat-17", "seat-07", "seat-")]
    [True, True, False, False]
    """
    return name == TABLE_DECK or _SEAT_DECK_NAME.fullmatch(name) is not None


def seat_of_deck(deck: str) -> int | None:
    """The seat whose own deck this is, None for the table's.

    >>> seat_of_deck("seat-17"), seat_of_deck("table")
    (17, None)
    """
    match = _SEAT_DECK_NAME.fullmatch(deck)
    return int(match[1]) if match else None


def cards_left(house: House, table_deck: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that the table itself does not deal, sorted: those of a terminal's deck."""
    return tuple(sorted(table_deck[cards_at_table(house) :]))


def cards_at_table(house: House) -> int:
    """How many cards a table with a deck per terminal deals itself: the dealer's and the board."""
    return 10 if house.game is GameName.ULTIMATE_DRAW else 7


def deck_places(house: House, plan: Plan) -> dict[Place, DeckPlace]:
    """For each place of a plan, in order, the deck and the index from which its card comes."""
    dealt: Counter[str] = Counter()
    places = {}
    for step in plan:
        if isinstance(step, Deal):
            deck = deck_of(house, step.place)
            places[step.place] = (deck, dealt[deck])
            dealt[deck] += 1
    return places


def dealt_from(state: Round, place: Place) -> DeckPlace:
    """The deck and the index from which the card of a place comes, once bets are closed.

    Raises LookupError if the plan of the round has no such place.
    """
    deck_place = deck_places(state.house, state.plan).get(place)
    if deck_place is None:
        raise LookupError(f"round {state.opened.number} deals no {place}")
    return deck_place


def next_card(state: Round, decks: Mapping[str, Sequence[Card]]) -> Card:
    """The next card in the plan of the round, from the named decks.

    Raises ValueError if the next step deals no card, and LookupError if its deck is missing
    or used up.
    """
    step = state.current_step
    if not isinstance(step, Deal):
        raise ValueError(f"round {state.opened.number} deals no card now")
    deck = deck_of(state.house, step.place)
    index = _dealt_before(state, step.place)
    if len(decks.get(deck, ())) <= index:
        raise LookupError(f"the deck {deck} has no card {index + 1}")
    return decks[deck][index]


def _dealt_before(state: Round, place: Place) -> int:
    """How many cards have left the deck of this place.

    Cards never leave the felt during a round, so the cards there are those that the plan has
    dealt. Counting them is faster than going through the plan of a stadium.
    """
    at_table = len(state.dealer) + len(state.common)
    if state.house.deck is _SHARED:
        return at_table + sum(len(hand.cards) for hand in state.hands.values())
    if place.lies is not _HAND or place.spot is None:
        return at_table
    return sum(len(hand.cards) for hand in state.hands_of(place.spot.seat))
