"""The commands that take or pass the bank of a table whose players bank in turn."""

from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.action_checks import malformed
from openfelt.rules.refusal import Refusal
from openfelt.rules.round_events import Banker
from openfelt.table.collection import bank_wager_min_cents, banker_due_max_cents
from openfelt.table.commands import DeclineBank, Person, TakeBank
from openfelt.table.croupier.committed_decks import check_sealed
from openfelt.table.croupier.house_money import check_own_money
from openfelt.table.croupier.round_commands import new_round
from openfelt.table.croupier.seed_commands import binding, check_hex
from openfelt.table.events import BankDeclined
from openfelt.table.permissions import Events, Outside, absence_of, own_seat
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table
from openfelt.table.transitions import after


def take_bank(table: Table, command: TakeBank, by: Person, outside: Outside) -> Events:
    """Bank the next round, which opens it."""
    seat = own_seat(table, command.seat, by)
    check_own_money(seat.player)
    _check_bank(table, command.seat)
    if type(command.cover_cents) is not int or not 0 < command.cover_cents <= AMOUNT_MAX_CENTS:
        raise malformed("A bank wager must be a whole number of cents above 0.")
    if command.seed_commitment is not None:
        check_hex(command.seed_commitment)
    least_cents = bank_wager_min_cents(table.house)
    if command.cover_cents < least_cents:
        raise Refusal(
            TableCode.BANK_WAGER_SMALL,
            f"A bank wager at this table must be at least {format_cents(least_cents)}.",
        )
    most_cents = seat.credit_cents - banker_due_max_cents(table.house)
    if command.cover_cents > most_cents:
        raise Refusal(
            TableCode.WALLET_SHORT,
            f"Your bank wager can be at most {format_cents(max(most_cents, 0))}: "
            "your credit less the collection.",
        )
    check_sealed(table, command.seat)
    opened = new_round(table, outside, Banker(command.seat, command.cover_cents))
    return (*opened, *binding(after(table, opened[0], ()), command.seat, command.seed_commitment))


def decline_bank(table: Table, command: DeclineBank, by: Person, outside: Outside) -> Events:
    """Pass the bank on; staff may do it for a player who is away."""
    own_seat(table, command.seat, by)
    _check_bank(table, command.seat)
    if table.has_declined(command.seat):
        raise Refusal(TableCode.NOT_YOUR_BANK, "You have already passed the bank on.")
    return (*absence_of(table, command.seat, by, outside), BankDeclined(command.seat))


def _check_bank(table: Table, seat: int) -> None:
    """The bank is offered to this seat, or all players have passed and it is free to take."""
    if not table.player_banked:
        raise Refusal(TableCode.NOT_YOUR_BANK, "The house banks this game.")
    if table.playing is not None:
        raise Refusal(TableCode.ROUND_IN_PROGRESS, "This round already has its player/dealer.")
    offered = table.bank_offered_to
    if offered not in (seat, None) or table.has_had_its_turns(seat):
        whose = f"It is offered to seat {offered}." if offered else "You have had your turns."
        raise Refusal(TableCode.NOT_YOUR_BANK, f"The bank is not yours to take. {whose}")
