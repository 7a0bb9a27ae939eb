"""Dealing procedures as pure plans: where each card goes, and when the deal pauses.

A plan is a list of steps. Cards fill its ``Deal`` steps in the order in which they
leave the shuffler, so virtual cards and scanned cards follow the same plan.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from openfelt.rules.house import Deck, GameName, House, Procedure
from openfelt.rules.wagers import Spot


class Lies(StrEnum):
    """The three places where cards are dealt."""

    HAND = "hand"
    DEALER = "dealer"
    COMMON = "common"
    """The board of Ultimate Texas Hold'em, or the draw cards of Ultimate Draw."""


class Place(NamedTuple):
    """Where one card goes."""

    lies: Lies
    spot: Spot | None
    """The spot of a player's hand; None for other places."""
    position: int
    """The position within the hand, the dealer's cards or the common cards, from 1."""

    def __str__(self) -> str:
        whose = f"hand {self.spot}" if self.spot else self.lies.value
        return f"{whose} card {self.position}"


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


@dataclass(frozen=True, slots=True)
class Decide:
    """The deal pauses until every pending hand has decided."""

    street: Street


Step = Deal | Turn | Decide
Plan = tuple[Step, ...]


def dealing_plan(house: House, procedure: Procedure, spots: Sequence[Spot]) -> Plan:
    """The whole plan of one round for the hands in play, in dealing order.

    >>> from openfelt.catalog import load_house
    >>> from openfelt.rules.wagers import Spot
    >>> plan = dealing_plan(load_house("online"), Procedure.HANDHELD, [Spot(1, 1)])
    >>> sum(isinstance(step, Deal) for step in plan)
    9
    """
    hands_up = house.player_cards_face_up
    if house.deck is Deck.SHARED:
        return tuple(_PLANS[procedure](spots, hands_up))
    whole_board_first = _draw if procedure is Procedure.DRAW else _community_first
    return _table_first(whole_board_first(spots, hands_up))


def hands_max(house: House) -> int:
    """The number of hands that one deck serves: 22 in hold'em (R.11), 8 in draw (R.28)."""
    return (52 - 5 - 5) // 5 if house.game is GameName.ULTIMATE_DRAW else (52 - 5 - 2) // 2


def _handheld(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """W.3 to W.9: two cards to each hand; then the board as needed, face up."""
    yield from _sets(spots, 2, hands_up)
    yield Decide(Street.BEFORE_FLOP)
    yield from _common(1, 3, face_up=True)
    yield Decide(Street.ON_FLOP)
    yield from _common(4, 5, face_up=True)
    yield Decide(Street.ON_RIVER)
    yield from _showdown(2)


def _community_first(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """W.ace.3 to W.ace.11: five cards face down first, then the sets of two."""
    yield from _common(1, 5, face_up=False)
    yield from _sets(spots, 2, hands_up)
    yield from _turned_streets()


def _shoe(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """C.dealing.3: one card around, one more around, then the board, all face down."""
    for position in (1, 2):
        for spot in spots:
            yield Deal(Place(Lies.HAND, spot, position), hands_up)
        yield Deal(Place(Lies.DEALER, None, position), face_up=False)
    yield from _common(1, 5, face_up=False)
    yield from _turned_streets()


def _draw(spots: Sequence[Spot], hands_up: bool) -> Iterator[Step]:
    """D.3 to D.7: five each, five common draw cards face down, holds, then the dealer.

    D.4 allows two ways to lay out the draw cards. Both leave the card that left the
    shuffler first on spot 1, so one plan serves both.
    """
    yield from _sets(spots, 5, hands_up)
    yield from _common(1, 5, face_up=False)
    yield Decide(Street.DRAW)
    yield Turn(Lies.DEALER, 5)
    yield Turn(Lies.COMMON, 5)
    yield Turn(Lies.HAND, 5)


def _table_first(steps: Iterable[Step]) -> Plan:
    """R.11, a deck for each terminal: the dealer's and the common cards are dealt first.

    Every terminal deals from the remaining cards, so these cards must be known by then,
    whether they are virtual or scanned from a real deck. They stay face down until their turn.
    """
    steps = tuple(steps)
    deals = [step for step in steps if isinstance(step, Deal)]
    deals.sort(key=lambda step: step.place.lies is Lies.HAND)
    return (*deals, *(step for step in steps if not isinstance(step, Deal)))


_PLANS = {
    Procedure.HANDHELD: _handheld,
    Procedure.COMMUNITY_FIRST: _community_first,
    Procedure.SHOE: _shoe,
    Procedure.DRAW: _draw,
}


def _sets(spots: Sequence[Spot], size: int, hands_up: bool) -> Iterator[Step]:
    """A whole set of cards to each hand from left to right, and to the dealer last."""
    for spot in spots:
        for position in range(1, size + 1):
            yield Deal(Place(Lies.HAND, spot, position), hands_up)
    for position in range(1, size + 1):
        yield Deal(Place(Lies.DEALER, None, position), face_up=False)


def _common(first: int, last: int, *, face_up: bool) -> Iterator[Step]:
    for position in range(first, last + 1):
        yield Deal(Place(Lies.COMMON, None, position), face_up)


def _turned_streets() -> Iterator[Step]:
    """The streets of a board that was dealt face down."""
    yield Decide(Street.BEFORE_FLOP)
    yield Turn(Lies.COMMON, 3)
    yield Decide(Street.ON_FLOP)
    yield Turn(Lies.COMMON, 5)
    yield Decide(Street.ON_RIVER)
    yield from _showdown(2)


def _showdown(size: int) -> Iterator[Step]:
    yield Turn(Lies.DEALER, size)
    yield Turn(Lies.HAND, size)
