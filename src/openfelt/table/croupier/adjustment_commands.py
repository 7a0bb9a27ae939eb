"""Adjustments of wrong payouts: proposed by staff, approved by another supervisor (R.38)."""

from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.action_checks import check_reason, malformed
from openfelt.rules.refusal import Refusal
from openfelt.table.adjustments import PROPOSED_MAX, Adjustment
from openfelt.table.commands import (
    Actor,
    ApproveAdjustment,
    Person,
    ProposeAdjustment,
    RejectAdjustment,
)
from openfelt.table.events import AdjustmentMade, AdjustmentProposed, AdjustmentRejected
from openfelt.table.permissions import Events, Outside, check_other_person
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table


def propose_adjustment(table: Table, command: ProposeAdjustment, by: Person, _: Outside) -> Events:
    """Propose what the bank of a confirmed round pays a player, or gets back."""
    cents = command.cents
    if type(cents) is not int or not 0 < abs(cents) <= AMOUNT_MAX_CENTS:
        raise malformed("An adjustment must be a whole number of cents other than 0.")
    check_reason(command.reason)
    if table.virtual:
        raise Refusal(
            TableCode.CARDS_ARE_VIRTUAL,
            "Payouts at this table are automatic and cannot be adjusted.",
        )
    played = next(
        (past for past in table.played if past.number == command.round),
        None,
    )
    if played is None:
        raise _not_adjustable("Only the last confirmed rounds of this table can be adjusted.")
    player = played.players.get(command.seat) if type(command.seat) is int else None
    if player is None:
        raise _not_adjustable(f"Seat {command.seat} had no hand in round {command.round}.")
    if len(table.adjustments) >= PROPOSED_MAX:
        raise _not_adjustable("Too many adjustments wait for a supervisor: decide on those first.")
    proposed = Adjustment(
        round=played.number,
        seat=command.seat,
        player=player,
        banker=played.banker,
        cents=cents,
        reason=command.reason.strip(),
        by=str(by),
    )
    _check_not_own(by, proposed)
    _check_cover(table, proposed)
    return (AdjustmentProposed(table.adjustments_proposed + 1, proposed),)


def approve_adjustment(
    table: Table, command: ApproveAdjustment, by: Person, outside: Outside
) -> Events:
    """Approve an adjustment, which moves the money; the proposer may not."""
    proposed = _proposed(table, command.number)
    check_other_person(Actor.parse(proposed.by).name, by.name, request="adjustment")
    _check_not_own(by, proposed)
    _check_cover(table, proposed)
    held_cents = outside.wallet_cents
    if proposed.payer is not None and held_cents is not None and abs(proposed.cents) > held_cents:
        raise Refusal(
            TableCode.WALLET_SHORT,
            f"{proposed.payer}'s wallet holds {format_cents(held_cents)}, "
            f"which is less than {format_cents(abs(proposed.cents))}.",
        )
    return (AdjustmentMade(command.number),)


def _check_cover(table: Table, proposed: Adjustment) -> None:
    """A player who banks wins and pays no more than the bank wager (C.betting.4, C.19, R.18)."""
    if proposed.banker is None:
        return
    played = next(
        (past for past in table.played if past.number == proposed.round),
        None,
    )
    if played is None or played.cover_left_cents is None:
        raise _not_adjustable("The bank wager of that round is no longer available.")
    if played.win_left_cents is not None and -proposed.cents > played.win_left_cents:
        raise Refusal(
            TableCode.COVER_SPENT,
            f"The player/dealer of round {played.number} can win only "
            f"{format_cents(played.win_left_cents)} more: no more than the bank wager is won.",
        )
    if proposed.cents > played.cover_left_cents:
        raise Refusal(
            TableCode.COVER_SPENT,
            f"The bank wager of round {played.number} has only "
            f"{format_cents(played.cover_left_cents)} left: a player/dealer pays no more.",
        )


def reject_adjustment(table: Table, command: RejectAdjustment, _: Person, __: Outside) -> Events:
    """Reject an adjustment, or take back one's own."""
    check_reason(command.reason)
    _proposed(table, command.number)
    return (AdjustmentRejected(command.number, command.reason.strip()),)


def payer_of(table: Table, command: object) -> str | None:
    """The player whose wallet an approval would charge, None for another command or the house."""
    if not isinstance(command, ApproveAdjustment) or type(command.number) is not int:
        return None
    proposed = table.adjustments.get(command.number)
    return proposed.payer if proposed else None


def _proposed(table: Table, number: object) -> Adjustment:
    proposed = table.adjustments.get(number) if type(number) is int else None
    if proposed is None:
        raise _not_adjustable("No such adjustment waits for approval.")
    return proposed


def _check_not_own(by: Person, adjustment: Adjustment) -> None:
    """Refuse staff who have played the round themselves, before they had their role."""
    if by.name in (adjustment.player, adjustment.banker):
        raise Refusal(
            TableCode.NEEDS_SUPERVISOR,
            "This adjustment moves your own money: other people must propose and approve it.",
        )


def _not_adjustable(sentence: str) -> Refusal:
    return Refusal(TableCode.NOT_ADJUSTABLE, sentence)
