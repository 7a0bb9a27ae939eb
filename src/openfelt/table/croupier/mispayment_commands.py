"""Chips paid wrongly by hand although the book is right: reported, and resolved by the floor.

The book is not touched (R.43). Where the book is wrong, there are adjustments (R.38).
"""

from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules.action_checks import check_reason, malformed
from openfelt.rules.refusal import Refusal
from openfelt.table.commands import Person, ReportMispayment, ResolveMispayment
from openfelt.table.incidents import (
    MISPAYMENTS_MAX,
    Mispayment,
    MispaymentReported,
    MispaymentResolved,
    Resolution,
)
from openfelt.table.permissions import Events, Outside
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table


def report_mispayment(table: Table, command: ReportMispayment, by: Person, _: Outside) -> Events:
    """Report what a player got too much or too little of a confirmed round."""
    cents = command.cents
    if type(cents) is not int or not 0 < abs(cents) <= AMOUNT_MAX_CENTS:
        raise malformed("A mispayment must be a whole number of cents other than 0.")
    check_reason(command.reason)
    if table.virtual:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "No chips are paid at this table.")
    played = next(
        (past for past in table.played if past.number == command.round),
        None,
    )
    player = played.players.get(command.seat) if played and type(command.seat) is int else None
    if player is None:
        raise _unknown("Only a hand of the last confirmed rounds of this table can be reported.")
    if len(table.incidents.mispayments) >= MISPAYMENTS_MAX:
        raise _unknown("Too many mispayments wait for the floor: resolve those first.")
    mispayment = Mispayment(
        round=command.round,
        seat=command.seat,
        player=player,
        cents=cents,
        reason=command.reason.strip(),
        by=str(by),
    )
    return (MispaymentReported(table.incidents.mispayments_reported + 1, mispayment),)


def resolve_mispayment(table: Table, command: ResolveMispayment, _: Person, __: Outside) -> Events:
    """Note whether the chips came back, or the player got what was missing."""
    if not isinstance(command.resolution, Resolution):
        raise malformed("Say whether the mispayment was recovered.")
    number = command.number
    if type(number) is not int or number not in table.incidents.mispayments:
        raise _unknown("No such mispayment waits for the floor.")
    return (MispaymentResolved(number, command.resolution),)


def _unknown(sentence: str) -> Refusal:
    return Refusal(TableCode.NOT_ADJUSTABLE, sentence)
