"""The decks that a table must commit to before any wager that is dealt from them.

A virtual table deals every card from decks. A live dealer deals from a real deck, but the hands of
terminals that have their own decks are virtual beside a live dealer too (R.11).
"""

from collections.abc import Iterable, Sequence
from typing import Final

from openfelt.cards import FULL_DECK, Card
from openfelt.rules.dealing import Deal, Lies
from openfelt.rules.house import Deck
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_actions import SetWagers
from openfelt.rules.round_events import CardDealt, RoundSettled, RoundVoided, WagersSet
from openfelt.rules.wagers import Spot
from openfelt.table.commands import SeededWagers, TableCommand, TakeBank
from openfelt.table.deck import TABLE_DECK, cards_left, seat_decks
from openfelt.table.events import SeatTaken, TableEvent
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table

_WAGERING: Final = Phase.WAGERING
_PER_TERMINAL: Final = Deck.PER_TERMINAL
_SEALED_ANEW: Final = frozenset({RoundSettled, RoundVoided, SeatTaken})
"""The events after which decks of the next round can be sealed."""


def decks_unsealed(table: Table) -> tuple[str, ...]:
    """The decks for which a commitment must still be published.

    Between rounds they are those of the next round. While bets are open, only a player who has
    just sat down may need one.
    """
    return _unsealed(table, table.seats)


def seals_alike(table: Table, other: Table) -> bool:
    """Whether two states of a table have the same unsealed decks for certain.

    Their seats and seals are compared by identity, so a bet in a stadium does not have to check all
    of them.
    """
    if table.sitting is not other.sitting or table.commitments is not other.commitments:
        return False
    return _betting(table) == _betting(other)


def _betting(table: Table) -> tuple[object, ...]:
    """The facts on which unsealed decks depend, besides seats and seals."""
    state = table.playing
    bets = None if state is None else (state.phase, state.house, bool(state.hands))
    return table.house, table.seeds is None, bets


def _unsealed(table: Table, seats: Iterable[int]) -> tuple[str, ...]:
    state = table.playing
    if state is not None and (state.phase is not _WAGERING or not _seals_ahead(table, state)):
        return ()
    house, sealed = table.house if state is None else state.house, table.commitments
    decks = [deck for deck in seat_decks(house, sorted(seats)) if deck not in sealed]
    if table.virtual and TABLE_DECK not in sealed:
        decks.insert(0, TABLE_DECK)
    return tuple(decks)


def _seals_ahead(table: Table, state: Round) -> bool:
    """Whether the decks of a round that takes wagers are committed to before the wagers.

    A live dealer may open a round while no player sits at the table. It has no commitment yet,
    and can have them all before the first wager.
    """
    return table.seeds is not None or (not table.virtual and not state.hands)


def is_sealed(table: Table, seat: int) -> bool:
    """Whether the decks from which a seat's next wager is dealt are committed to."""
    return not _unsealed(table, (seat,))


def check_sealed(table: Table, seat: int) -> None:
    """Refuse a wager on a deck whose commitment is not published yet."""
    if not is_sealed(table, seat):
        raise Refusal(
            TableCode.DECK_NOT_SEALED, "The deck is not sealed yet; try again in a moment."
        )


def decks_due(table: Table, event: TableEvent) -> tuple[str, ...]:
    """The decks of the next round that can be sealed now that this event has happened."""
    if type(event) not in _SEALED_ANEW:
        return ()
    seats = [event.seat] if isinstance(event, SeatTaken) else table.seats
    return _unsealed(table, seats)


def decks_bet_on(table: Table, commands: Iterable[TableCommand]) -> tuple[str, ...]:
    """The unsealed decks from which the wagers of these commands would be dealt."""
    seats = {seat for command in commands if (seat := _seat_betting(command)) is not None}
    taken = [seat for seat in seats if seat in table.seats]
    return _unsealed(table, taken) if seats else ()


def _seat_betting(command: TableCommand) -> int | None:
    """The seat for which a command makes a wager, None if it makes none."""
    seat: object = None
    match command:
        case (
            SetWagers(spot=Spot(seat=number))
            | SeededWagers(wagers=SetWagers(spot=Spot(seat=number)))
        ):
            seat = number
        case TakeBank(seat=number):
            seat = number
    return seat if type(seat) is int else None


def scanned_cards(table: Table) -> frozenset[Card]:
    """The cards that a live dealer has scanned, which terminals' decks pass over.

    The decks of a round that an earlier version of Openfelt opened did not contain them.
    """
    state = table.playing
    if table.virtual or state is None or table.seeds is None:
        return frozenset()
    return frozenset((*state.dealer, *state.common))


# Decks that are committed to within a round -----------------------------------------


def decks_needed(table: Table, event: TableEvent) -> tuple[str, ...]:
    """The decks that a round cannot continue without, now that this event has happened.

    Only a round that an earlier version of Openfelt opened needs any, because it is finished in
    its own way: a terminal's deck was shuffled when its first wager was placed or, with a live
    dealer, after the last card was scanned.
    """
    state = table.playing
    if state is None or table.seeds is not None or state.house.deck is not _PER_TERMINAL:
        return ()
    match event:
        case WagersSet(spot, wagers) if table.virtual and wagers:
            wanted = seat_decks(state.house, [spot.seat])
            return tuple(deck for deck in wanted if deck not in table.commitments)
        case CardDealt() if not table.virtual and not table.commitments:
            step = state.current_step
            if isinstance(step, Deal) and step.place.lies is Lies.HAND:
                return seat_decks(state.house, sorted({spot.seat for spot in state.hands}))
    return ()


def cards_needed(state: Round, table_deck: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of such a deck, in order, before it is shuffled (R.11).

    They are neither the dealer's nor common: the scanned cards with a live dealer, otherwise the
    first ones of the table's deck.
    """
    if table_deck:
        return cards_left(state.house, table_deck)
    scanned = {*state.dealer, *state.common}
    return tuple(card for card in FULL_DECK if card not in scanned)
