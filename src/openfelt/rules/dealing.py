"""Dealing procedures as pure plans: where each card goes, and when the deal pauses.

A plan is a list of steps. Cards fill its ``Deal`` steps in the order in which they
leave the shuffler, so virtual cards and scanned cards follow the same plan.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from openfelt.rules.house import Deck, GameName, House, Procedure, SettlementOrder, ShowdownOrder
from openfelt.rules.wagers import Spot

COMMON_CARDS: Final = 5
KEPT_SPOTS_MAX: Final = 12
"""Up to this many hands, the plan of a round is kept for the rounds that follow."""
_PLACE: Final = re.compile(r"(?:hand (\d{1,4}\.\d)|(dealer|common)) card (\d)", re.ASCII)
_FIRST_TO_LAST: Final = tuple(range(1, COMMON_CARDS + 1))
# Looking a member up in an enumeration takes as long as a call.
_RIGHT_TO_LEFT: Final = SettlementOrder.RIGHT_TO_LEFT
_FROM_BANKERS_LEFT: Final = SettlementOrder.FROM_BANKERS_LEFT


class Lies(StrEnum):
    """The three places where cards are dealt."""

    HAND = "hand"
    DEALER = "dealer"
    COMMON = "common"
    """The board of Ultimate Texas Hold'em, or the draw cards of Ultimate Draw."""


class Place(NamedTuple):
    """The place of one card."""

    lies: Lies
    spot: Spot | None
    """The spot of a player's hand; None for other places."""
    position: int
    """The position within the hand, the dealer's cards or the common cards, from 1."""

    def __str__(self) -> str:
        whose = f"hand {self.spot}" if self.spot else self.lies.value
        return f"{whose} card {self.position}"

    @classmethod
    def parse(cls, text: str) -> "Place":
        """Parse a place; raises ValueError for any other text.

        >>> str(Place.parse("hand 3.1 card 2"))
        'hand 3.1 card 2'
        """
        match = _PLACE.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is not a place of a card")
        spot, lies, position = match.groups()
        return cls(
            Lies(lies) if lies else Lies.HAND, Spot.parse(spot) if spot else None, int(position)
        )


class Street(StrEnum):
    """A point of the deal at which hands decide."""

    BEFORE_FLOP = "before_flop"
    ON_FLOP = "on_flop"
    ON_RIVER = "on_river"
    DRAW = "draw"

    @property
    def words(self) -> str:
        """The street in words: ``"before the flop"``."""
        return _STREET_WORDS[self]


_STREET_WORDS = {
    Street.BEFORE_FLOP: "before the flop",
    Street.ON_FLOP: "on the flop",
    Street.ON_RIVER: "on the river",
    Street.DRAW: "at the draw",
}


@dataclass(frozen=True, slots=True)
class Deal:
    """One card leaves the shuffler."""

    place: Place
    face_up: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """Cards that are face down are turned over."""

    lies: Lies
    up_to: int
    """How many cards of the place are face up afterwards."""
    spot: Spot | None = None
    """The one hand that is turned, where hands are turned one after another; None for all."""


@dataclass(frozen=True, slots=True)
class ReturnAntes:
    """With an unqualified dealer, the Antes go back before any hand is turned (W.12)."""


@dataclass(frozen=True, slots=True)
class Decide:
    """The deal pauses until every pending hand has decided."""

    street: Street


Step = Deal | Turn | ReturnAntes | Decide
Plan = tuple[Step, ...]


def dealing_plan(
    house: House, procedure: Procedure, spots: Sequence[Spot], *, banker_seat: int | None = None
) -> Plan:
    """The whole plan of one round for the hands in play, in dealing order.

    >>> from openfelt.catalog import load_house
    >>> from openfelt.rules.wagers import Spot
    >>> plan = dealing_plan(load_house("online"), Procedure.HANDHELD, [Spot(1, 1)])
    >>> sum(isinstance(step, Deal) for step in plan)
    9
    """
    terms = PlanTerms(
        procedure,
        house.game,
        house.deck,
        house.player_cards_face_up,
        house.showdown,
        house.settlement_order,
        house.refund_antes_first,
        banker_seat,
    )
    plan = _kept_plan if len(spots) <= KEPT_SPOTS_MAX else _plan
    return plan(terms, tuple(spots))


class PlanTerms(NamedTuple):
    """The facts on which a plan depends besides the hands in play."""

    procedure: Procedure
    game: GameName
    deck: Deck
    hands_up: bool
    showdown: ShowdownOrder
    settlement_order: SettlementOrder
    refund_antes_first: bool
    banker_seat: int | None


def _plan(terms: PlanTerms, spots: tuple[Spot, ...]) -> Plan:
    deal = _PLANS[terms.procedure]
    if terms.deck is Deck.PER_TERMINAL and terms.game is GameName.ULTIMATE_HOLDEM:
        # In rules from before S.4 had its own procedure, these decks had another's name.
        deal = _terminals
    steps = deal(spots, terms.hands_up)
    if terms.deck is Deck.PER_TERMINAL:
        steps = _table_first(steps)
    return (*steps, *_hands_turned(terms, spots))


_kept_plan = lru_cache(maxsize=256)(_plan)
"""Small tables deal the same few plans in round after round."""


def settlement_order(
    house: House, spots: Iterable[Spot], *, banker_seat: int | None = None
) -> tuple[Spot, ...]:
    """The hands in the order in which they are settled (R.14)."""
    return _in_settlement_order(house.settlement_order, spots, banker_seat)


def _in_settlement_order(
    order: SettlementOrder, spots: Iterable[Spot], banker_seat: int | None
) -> tuple[Spot, ...]:
    in_order = sorted(spots)
    if order is _RIGHT_TO_LEFT:
        in_order.reverse()
    elif order is _FROM_BANKERS_LEFT:
        first = banker_seat or 0
        in_order.sort(key=lambda spot: (spot.seat <= first, spot))
    return tuple(in_order)


def first_hand_turned(plan: Plan) -> int:
    """The place in a plan at which players' hands are first shown, or its end."""
    turns = (
        at for at, step in enumerate(plan) if isinstance(step, Turn) and step.lies is Lies.HAND
    )
    return next(turns, len(plan))


def hands_max(house: House) -> int:
    """The number of hands that one deck serves: 22 in hold'em (R.11), 8 in draw (R.28)."""
    return (52 - 5 - 5) // 5 if house.game is GameName.ULTIMATE_DRAW else (52 - 5 - 2) // 2


def _handheld(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """W.3 to W.9: two cards to each hand; then the board as needed, face up."""
    yield from _sets(spots, 2, hands_up)
    yield Decide(Street.BEFORE_FLOP)
    yield from _common(1, 2, 3, face_up=True)
    yield Decide(Street.ON_FLOP)
    yield from _common(4, 5, face_up=True)
    yield Decide(Street.ON_RIVER)
    yield Turn(Lies.DEALER, 2)


def _community_first(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """W.ace.3 to W.ace.11: five cards face down first, then the sets of two."""
    yield from _common(*_FIRST_TO_LAST, face_up=False)
    yield from _sets(spots, 2, hands_up)
    yield from _turned_streets()


def _shoe(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """C.dealing.3: one card around, one more around, then the board, all face down."""
    for position in (1, 2):
        for spot in spots:
            yield Deal(Place(Lies.HAND, spot, position), hands_up)
        yield Deal(Place(Lies.DEALER, None, position), face_up=False)
    yield from _common(*_FIRST_TO_LAST, face_up=False)
    yield from _turned_streets()


def _terminals(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """S.4, R.11: the board and the dealer's two face down, then two to each hand."""
    yield from _community_first(spots, hands_up)


def _draw(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """D.4a: the draw cards are spread from spot 1 to the right."""
    return _spread(spots, hands_up, _FIRST_TO_LAST)


def _draw_from_five(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """D.4b: the first draw card goes to spot 5, the next to spot 4, and so on."""
    return _spread(spots, hands_up, _FIRST_TO_LAST[::-1])


def _spread(spots: Sequence[Spot], hands_up: bool, draw_cards: Sequence[int]) -> Iterator[Step]:
    """D.3 to D.7: five each, five common draw cards face down, holds, then the dealer."""
    yield from _sets(spots, 5, hands_up)
    yield from _common(*draw_cards, face_up=False)
    yield Decide(Street.DRAW)
    yield Turn(Lies.DEALER, 5)
    yield Turn(Lies.COMMON, 5)


def _table_first(steps: Iterable[Step]) -> Iterator[Step]:
    """R.11, a deck for each terminal: the dealer's and the common cards are dealt first.

    Every terminal deals from the remaining cards, so these cards must be known by then,
    whether they are virtual or scanned from a real deck. They stay face down until their turn.
    """
    steps = tuple(steps)
    deals = [step for step in steps if isinstance(step, Deal)]
    deals.sort(key=lambda step: step.place.lies is Lies.HAND)
    yield from deals
    yield from (step for step in steps if not isinstance(step, Deal))


def _hands_turned(terms: PlanTerms, spots: Sequence[Spot]) -> Iterator[Step]:
    """The players' hands are shown: all together, or one after another as they are settled."""
    size = 5 if terms.game is GameName.ULTIMATE_DRAW else 2
    if terms.showdown is ShowdownOrder.TOGETHER:
        yield Turn(Lies.HAND, size)
        return
    if terms.refund_antes_first:
        yield ReturnAntes()
    for spot in _in_settlement_order(terms.settlement_order, spots, terms.banker_seat):
        yield Turn(Lies.HAND, size, spot)


_PLANS: Final[dict[Procedure, Callable[[Sequence[Spot], bool], Iterator[Step]]]] = {
    Procedure.HANDHELD: _handheld,
    Procedure.COMMUNITY_FIRST: _community_first,
    Procedure.SHOE: _shoe,
    Procedure.TERMINALS: _terminals,
    Procedure.DRAW: _draw,
    Procedure.DRAW_FROM_FIVE: _draw_from_five,
}


def _sets(spots: Sequence[Spot], size: int, hands_up: bool) -> Iterator[Step]:
    """A whole set of cards to each hand from left to right, and to the dealer last."""
    for spot in spots:
        for position in range(1, size + 1):
            yield Deal(Place(Lies.HAND, spot, position), hands_up)
    for position in range(1, size + 1):
        yield Deal(Place(Lies.DEALER, None, position), face_up=False)


def _common(*positions: int, face_up: bool) -> Iterator[Step]:
    for position in positions:
        yield Deal(Place(Lies.COMMON, None, position), face_up)


def _turned_streets() -> Iterator[Step]:
    """The streets of a board that was dealt face down."""
    yield Decide(Street.BEFORE_FLOP)
    yield Turn(Lies.COMMON, 3)
    yield Decide(Street.ON_FLOP)
    yield Turn(Lies.COMMON, 5)
    yield Decide(Street.ON_RIVER)
    yield Turn(Lies.DEALER, 2)
