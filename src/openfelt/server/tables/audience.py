"""The players whom a change concerns, so that a bet is not work for a whole stadium."""

from collections.abc import Iterable
from typing import Final

from openfelt.rules.round_events import DecisionMade, WagersSet
from openfelt.table.deck import seat_of_deck
from openfelt.table.events import (
    BoughtIn,
    Collected,
    DeckCommitted,
    SeatLeft,
    SeatTaken,
    SeedCommitted,
    SeedRevealed,
    TableEvent,
)
from openfelt.table.state import Table

_OF_ONE_SEAT: Final = (
    WagersSet,
    DecisionMade,
    BoughtIn,
    Collected,
    SeatTaken,
    SeatLeft,
    SeedCommitted,
    SeedRevealed,
)
"""Events that change the private view of one seat, and only counts for the others."""


def concerned(before: Table, events: Iterable[TableEvent], after: Table) -> frozenset[str] | None:
    """The players whose private views a change may have altered; None for all viewers.

    At a felt table every viewer sees all hands, so every change concerns all of them.
    """
    if after.house.shows_all_hands or _moment(before) != _moment(after):
        return None
    seats = {_seat(event) for event in events if not _seals_the_tables_deck(event)}
    if None in seats:
        return None
    return frozenset(
        table.seats[seat].player
        for table in (before, after)
        for seat in seats
        if seat is not None and seat in table.seats
    )


def _seat(event: TableEvent) -> int | None:
    """The one seat that an event is about, None if it is about the table."""
    if isinstance(event, DeckCommitted):
        return seat_of_deck(event.deck)
    if not isinstance(event, _OF_ONE_SEAT):
        return None
    return event.spot.seat if isinstance(event, WagersSet | DecisionMade) else event.seat


def _seals_the_tables_deck(event: TableEvent) -> bool:
    """Whether only the public view shows an event: there the table's own seal applies."""
    return isinstance(event, DeckCommitted) and seat_of_deck(event.deck) is None


def _moment(table: Table) -> object:
    """Everything that private views depend on besides their own seat."""
    state, seeds = table.round, table.seeds
    return (
        table.house,
        table.phase,
        table.rounds,
        len(table.seats) < table.house.seats,
        len(table.seats) > 1,
        None if table.clock_rule else _some_bettors(table),
        table.bank_offered_to if table.player_banked else None,
        (state.phase, state.street, state.step, state.common_face_up) if state else None,
        (seeds.called, seeds.fixed) if seeds else None,
    )


def _some_bettors(table: Table) -> frozenset[int]:
    """Two of the seats that have bet, or as many as there are."""
    seats: set[int] = set()
    for spot in table.round.hands if table.round else ():
        seats.add(spot.seat)
        if len(seats) == 2:
            break
    return frozenset(seats)
