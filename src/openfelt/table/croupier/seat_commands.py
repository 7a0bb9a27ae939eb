"""The commands of a seat: sit down, buy in, collect, stand up."""

from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.action_checks import malformed
from openfelt.rules.refusal import Refusal
from openfelt.table.commands import BuyIn, Collect, LeaveSeat, Person, TakeSeat
from openfelt.table.events import BoughtIn, Collected, SeatLeft, SeatTaken
from openfelt.table.permissions import Events, Outside, check_name, own_seat
from openfelt.table.phases import TablePhase
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table


def take_seat(table: Table, command: TakeSeat, by: Person, _: Outside) -> Events:
    """Sit down at a free seat; a player has one seat at a table."""
    check_name(by.name, "player")
    if not table.phase.takes_seats:
        raise Refusal(TableCode.TABLE_CLOSED, "This table is closing; you can no longer sit down.")
    seat = _first_free(table) if command.seat is None else command.seat
    if type(seat) is not int or not 1 <= seat <= table.house.seats:
        raise Refusal(TableCode.NO_SUCH_SEAT, f"There is no seat {seat} at this table.")
    if table.opened.private_to not in (None, by.name):
        raise Refusal(TableCode.PRIVATE_TABLE, "This is another player's private table.")
    if seat in table.seats:
        raise Refusal(TableCode.SEAT_TAKEN, f"Seat {seat} is taken.")
    if (own := table.seat_of(by.name)) is not None:
        raise Refusal(TableCode.ALREADY_SEATED, f"You already sit at seat {own} of this table.")
    return (SeatTaken(seat, by.name),)


def _first_free(table: Table) -> int:
    for seat in range(1, table.house.seats + 1):
        if seat not in table.seats:
            return seat
    raise Refusal(TableCode.SEAT_TAKEN, "Every seat of this table is taken.")


def leave_seat(table: Table, command: LeaveSeat, by: Person, _: Outside) -> Events:
    """Collect and stand up; a supervisor may do this for a player who has left."""
    seat = own_seat(table, command.seat, by)
    _check_not_in_play(table, command.seat)
    collected = (Collected(command.seat, seat.credit_cents),) if seat.credit_cents else ()
    return (*collected, SeatLeft(command.seat))


def buy_in(table: Table, command: BuyIn, by: Person, outside: Outside) -> Events:
    """Bring money from the wallet to the seat."""
    seat = own_seat(table, command.seat, by)
    if table.phase is TablePhase.CLOSED:
        raise Refusal(TableCode.TABLE_CLOSED, "This table is closed.")
    if type(command.cents) is not int or not 0 < command.cents <= AMOUNT_MAX_CENTS:
        raise malformed("A buy-in must be a whole number of cents above 0.")
    if seat.credit_cents + command.cents > AMOUNT_MAX_CENTS:
        raise malformed(f"A seat's credit may be at most {format_cents(AMOUNT_MAX_CENTS)}.")
    if outside.wallet_cents is not None and command.cents > outside.wallet_cents:
        raise Refusal(
            TableCode.WALLET_SHORT, f"Your wallet holds {format_cents(outside.wallet_cents)}."
        )
    return (BoughtIn(command.seat, command.cents),)


def collect(table: Table, command: Collect, by: Person, _: Outside) -> Events:
    """Take the seat's whole credit back to the wallet, while no wager is in play."""
    seat = own_seat(table, command.seat, by)
    _check_not_in_play(table, command.seat)
    if not seat.credit_cents:
        raise Refusal(TableCode.NOTHING_TO_COLLECT, "There is no credit to collect.")
    return (Collected(command.seat, seat.credit_cents),)


def _check_not_in_play(table: Table, seat: int) -> None:
    if table.wagers_of(seat):
        raise Refusal(
            TableCode.IN_PLAY, "Your wagers are in play; take them back or finish the round."
        )
