"""The commands of a round as a table takes them, each from a player, a dealer or staff."""

from dataclasses import replace
from typing import Final

from openfelt.rules.choices import clock_decision
from openfelt.rules.dealing import Deal, Lies, Place
from openfelt.rules.decisions import DecidedBy, Hold
from openfelt.rules.house import Deck
from openfelt.rules.referee import alike, follow, open_round
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Round
from openfelt.rules.round_actions import (
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    SetWagers,
    SwapCards,
    TurnCards,
    VoidRound,
)
from openfelt.rules.round_events import Banker, WagersSet
from openfelt.rules.wagers import Beneficiary, WagerKind
from openfelt.table.collection import player_due_cents
from openfelt.table.commands import OpenBets, Person, Role
from openfelt.table.croupier.committed_decks import check_sealed
from openfelt.table.croupier.felt_commands import check_felt, felt_matched
from openfelt.table.permissions import (
    STAFF,
    Events,
    Outside,
    absence_of,
    check_in_time,
    in_progress,
    own_seat,
)
from openfelt.table.phases import TablePhase
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table
from openfelt.table.transitions import after
from openfelt.table.void_reasons import void_by_staff

# Looking a member up in an enumeration takes as long as a call.
_PLAYER: Final = Role.PLAYER
_SYSTEM: Final = Role.SYSTEM
_BY_PLAYER: Final = DecidedBy.PLAYER
_PROGRESSIVE: Final = WagerKind.PROGRESSIVE


def open_bets(table: Table, _: OpenBets, __: Person, outside: Outside) -> Events:
    """Begin a round at a live table."""
    if table.virtual:
        raise Refusal(
            TableCode.CARDS_ARE_VIRTUAL, "The first wager opens the round of a virtual table."
        )
    if table.player_banked:
        raise Refusal(TableCode.NO_BANKER, "The round opens when a player takes the bank.")
    return new_round(table, outside)


def set_wagers(table: Table, command: SetWagers, by: Person, outside: Outside) -> Events:
    """Set the wagers on a spot; at a virtual table the first ones open the round.

    The system may take back the wagers of a player who has left.
    """
    seat = own_seat(table, command.spot.seat, by)
    if by.role is _SYSTEM and command.wagers:
        raise Refusal(TableCode.NOT_ALLOWED, "Only players may make wagers.")
    check_sealed(table, command.spot.seat)
    opened: Events = ()
    if table.playing is None:
        if not table.virtual or table.player_banked or not command.wagers:
            raise Refusal(TableCode.BETS_NOT_OPEN, "Bets are not open yet.")
        opened = new_round(table, outside)
        table = after(table, opened[0], ())
    _check_progressive(table, command, outside)
    state = in_progress(table)
    if not opened and by.role is _PLAYER:
        check_in_time(state, outside)
    credit_cents = seat.credit_cents - _dues_with(state, command)
    events = follow(state, command, credit_cents=credit_cents)
    if opened and any(isinstance(event, WagersSet) and not event.wagers for event in events):
        raise Refusal(TableCode.BETS_NOT_OPEN, "A round must open with a wager above zero.")
    return (*opened, *events)


def _dues_with(state: Round, command: SetWagers) -> int:
    """The collection that the seat will pay if these wagers are accepted."""
    if not state.house.bank.collection:
        return 0
    antes = [
        hand.stake_cents(WagerKind.ANTE)
        for at, hand in state.hands.items()
        if at.seat == command.spot.seat and at != command.spot
    ]
    antes += [
        wager.cents
        for wager in command.wagers
        if (wager.kind, wager.beneficiary) == (WagerKind.ANTE, Beneficiary.PLAYER)
        and type(wager.cents) is int
    ]
    return sum(player_due_cents(state.house, ante) for ante in antes)


def _check_progressive(table: Table, command: SetWagers, outside: Outside) -> None:
    """A new progressive wager needs a link that takes it; one already placed may stay."""
    if _PROGRESSIVE not in [wager.kind for wager in command.wagers]:
        return
    if table.link is None:
        raise Refusal(TableCode.NO_LINK, "This table has no progressive.")
    state = table.playing
    lies = state.hands.get(command.spot) if state else None
    if not outside.link_takes_wagers and not (lies and lies.stake_cents(WagerKind.PROGRESSIVE)):
        raise Refusal(TableCode.LINK_PAUSED, "The progressive is paused.")


def close_bets(table: Table, command: CloseBets, by: Person, outside: Outside) -> Events:
    """Close the bets; a player may do so if no other player is kept from betting ."""
    if by.role is Role.PLAYER:
        _check_alone(table, by)
    state = in_progress(table)
    check_in_time(state, outside)
    matched = felt_matched(table, state, command) if by.role in STAFF else ()
    return (*matched, *follow(state, command))


def _check_alone(table: Table, by: Person) -> None:
    """Refuse a player who would keep other players from betting."""
    seat = table.seat_of(by.name)
    state = table.playing
    if table.clock_rule:
        waits_for_others = len(table.seats) > (seat is not None)
    else:
        waits_for_others = state is not None and any(spot.seat != seat for spot in state.hands)
    if seat is None or not table.virtual or waits_for_others:
        raise Refusal(TableCode.NOT_ALLOWED, "Bets close by the clock or by the dealer.")


def make_decision(table: Table, command: MakeDecision, by: Person, outside: Outside) -> Events:
    """Decide for one's own hand or, as staff, as the clock would for an absent player."""
    state = in_progress(table)
    check_in_time(state, outside)
    if by.role is _PLAYER:
        seat = own_seat(table, command.spot.seat, by)
        if command.by is not _BY_PLAYER:
            command = replace(command, by=DecidedBy.PLAYER)
        return follow(state, command, credit_cents=seat.credit_cents)
    if not alike(command.decision, only := clock_decision(state, command.spot)):
        # A hold is not named: its cards may be the player's secret.
        words = "be played the house way" if isinstance(only, Hold) else str(only)
        raise Refusal(TableCode.NOT_ALLOWED, f"For an absent player the hand can only {words}.")
    absence = absence_of(table, command.spot.seat, by, outside)
    return (*absence, *follow(state, replace(command, by=DecidedBy.FLOOR)))


def deal_or_turn(table: Table, command: DealCard | TurnCards, by: Person, _: Outside) -> Events:
    """Deal or turn the next card, as the dealer of the table."""
    _check_hands_on_cards(table, by)
    state = in_progress(table)
    step = state.current_step
    if by.role is not Role.SYSTEM and isinstance(step, Deal):
        _check_not_terminals(state, step.place)
        check_felt(table)
    return follow(state, command)


def correct_card(table: Table, command: CorrectCard, by: Person, _: Outside) -> Events:
    """Correct a wrongly scanned card; a virtual card was not scanned and stands.

    After the first decision, or once hands are dealt to terminals beside the dealer, only a
    supervisor may (R.31).
    """
    return follow(_correctable(table, by, command.place), command)


def swap_cards(table: Table, command: SwapCards, by: Person, _: Outside) -> Events:
    """Exchange two cards that were scanned in the wrong order, as one correction (R.31)."""
    return follow(_correctable(table, by, command.place, command.other), command)


def _correctable(table: Table, by: Person, *places: Place) -> Round:
    """The round in progress, if cards at these places may be corrected now."""
    if table.virtual:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "The cards of this table are dealt virtually.")
    _check_hands_on_cards(table, by)
    state = in_progress(table)
    for place in places:
        _check_not_terminals(state, place)
    if table.seeds is not None and table.seeds.awaited:
        # The scanned cards decide, together with the seeds, what the terminals are dealt.
        raise Refusal(
            TableCode.SEEDS_AWAITED,
            "The terminals are revealing their seeds; correct the card afterwards.",
        )
    return state


def _check_not_terminals(state: Round, place: Place) -> None:
    """A card from a terminal's own deck is virtual, even with a live dealer."""
    if state.house.deck is Deck.PER_TERMINAL and place.lies is Lies.HAND:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "The terminals' hands are dealt virtually.")


def confirm(table: Table, _: Confirm, by: Person, outside: Outside) -> Events:
    """Confirm the round by the link's meter, not by that of the command."""
    _check_hands_on_cards(table, by)
    return follow(in_progress(table), Confirm(outside.meter_cents, outside.seed_cents))


def void_round(table: Table, command: VoidRound, _: Person, __: Outside) -> Events:
    """Declare the round void: a supervisor everywhere, a dealer while there are no wagers."""
    return void_by_staff(in_progress(table), command)


def _check_hands_on_cards(table: Table, by: Person) -> None:
    if table.virtual and by.role is not Role.SYSTEM:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "The cards of this table are dealt virtually.")


def new_round(table: Table, outside: Outside, banker: Banker | None = None) -> Events:
    """Open a new round; refused while a round is in progress or none may begin."""
    if table.phase in (TablePhase.PAUSING, TablePhase.PAUSED):
        raise Refusal(TableCode.TABLE_PAUSED, "The table is paused; play resumes soon.")
    if table.phase is not TablePhase.OPEN:
        raise Refusal(TableCode.TABLE_CLOSED, "This table is closed.")
    if table.playing is not None:
        raise Refusal(
            TableCode.ROUND_IN_PROGRESS, f"Round {table.rounds} of this table is not over."
        )
    return (open_round(table.house, number=table.rounds + 1, day=outside.day, banker=banker),)
