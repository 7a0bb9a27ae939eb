"""Which decks a table must commit to, and when: before any wager that is dealt from them."""

from collections.abc import Iterable, Sequence

from openfelt.cards import FULL_DECK, Card
from openfelt.rules.dealing import Deal, Lies
from openfelt.rules.house import Deck
from openfelt.rules.referee import SetWagers
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import CardDealt, Phase, Round, RoundSettled, RoundVoided, WagersSet
from openfelt.rules.wagers import Spot
from openfelt.table.commands import SeededWagers, TableCommand, TakeBank
from openfelt.table.deck import TABLE_DECK, cards_left, seat_decks
from openfelt.table.events import SeatTaken, TableEvent
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table


def decks_unsealed(table: Table) -> tuple[str, ...]:
    """The decks for which a commitment must still be published; none with a live dealer.

    Between rounds they are those of the next round. While bets are open, only a player who has
    just sat down may need one.
    """
    return _unsealed(table, table.seats)


def _unsealed(table: Table, seats: Iterable[int]) -> tuple[str, ...]:
    state = table.playing
    if not table.virtual or (
        state is not None and (table.seeds is None or state.phase is not Phase.WAGERING)
    ):
        return ()
    decks = (TABLE_DECK, *seat_decks(table.house, sorted(seats)))
    return tuple(deck for deck in decks if deck not in table.commitments)


def is_sealed(table: Table, seat: int) -> bool:
    """Whether the decks from which a seat's next wager is dealt are committed to."""
    return not _unsealed(table, [seat])


def check_sealed(table: Table, seat: int) -> None:
    """Refuse a wager on a deck whose commitment is not published yet."""
    if not is_sealed(table, seat):
        raise Refusal(
            TableCode.DECK_NOT_SEALED, "The deck is not sealed yet; try again in a moment."
        )


def decks_due(table: Table, event: TableEvent) -> tuple[str, ...]:
    """The decks of the next round that can be sealed now that this event has happened."""
    match event:
        case RoundSettled() | RoundVoided():
            return decks_unsealed(table)
        case SeatTaken(seat):
            return _unsealed(table, [seat])
    return ()


def decks_bet_on(table: Table, commands: Iterable[TableCommand]) -> tuple[str, ...]:
    """The unsealed decks from which the wagers of these commands would be dealt."""
    unsealed = frozenset(decks_unsealed(table))
    if not unsealed:
        return ()
    seats = {seat for command in commands if (seat := _seat_betting(command)) is not None}
    decks = (TABLE_DECK, *seat_decks(table.house, sorted(seats))) if seats else ()
    return tuple(deck for deck in decks if deck in unsealed)


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


# Decks that are committed to within a round -----------------------------------------


def decks_needed(table: Table, event: TableEvent) -> tuple[str, ...]:
    """The decks that a round cannot go on without, now that this event has happened.

    With a live dealer the terminals' decks wait for the scanned cards, which they must not
    contain. A round that an earlier version of Openfelt opened is finished in its own way: a
    terminal's deck is shuffled when its first wager is placed.
    """
    state = table.playing
    if state is None or table.seeds is not None or state.house.deck is not Deck.PER_TERMINAL:
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

    They are neither the dealer's nor common: the scanned cards with a live dealer, else the
    first ones of the table's deck.
    """
    if table_deck:
        return cards_left(state.house, table_deck)
    scanned = {*state.dealer, *state.common}
    return tuple(card for card in FULL_DECK if card not in scanned)
