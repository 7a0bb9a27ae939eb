"""The croupier: turns a command at the table into events, or refuses it with a reason.

Permissions, seats, betting windows, the bank and the clock are decided in the modules beside
this one; what belongs to the round is passed to the referee. A refused command changes
nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, get_args

from openfelt.cards import Card
from openfelt.rules.action_checks import check_form, malformed
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.referee import decide
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_actions import (
    Action,
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
from openfelt.table.commands import (
    ApproveAdjustment,
    BuyIn,
    CallFloor,
    ChangeClock,
    ChangeDealer,
    ChangeLink,
    ChangeRules,
    CloseTable,
    Collect,
    CountFelt,
    CountStub,
    DeclareIrregularity,
    DeclineBank,
    EndTime,
    ExpireRound,
    HandOver,
    LeaveSeat,
    OpenBets,
    PauseTable,
    Person,
    ProposeAdjustment,
    RejectAdjustment,
    ReopenBets,
    ReopenTable,
    ReportMispayment,
    ResolveMispayment,
    ResumeClock,
    ResumePlay,
    RevealSeed,
    SeededWagers,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.croupier.adjustment_commands import (
    approve_adjustment,
    propose_adjustment,
    reject_adjustment,
)
from openfelt.table.croupier.bank_commands import decline_bank, take_bank
from openfelt.table.croupier.change_commands import (
    change_clock,
    change_link,
    change_rules,
    link_due,
)
from openfelt.table.croupier.clock import clock_wanted, end_time, expire_round, resume_clock
from openfelt.table.croupier.command_roles import act_name, check_approval, check_role
from openfelt.table.croupier.felt_commands import count_felt
from openfelt.table.croupier.hold_commands import call_floor, check_not_held, resume_play
from openfelt.table.croupier.house_money import house_declines
from openfelt.table.croupier.irregularity_commands import declare_irregularity
from openfelt.table.croupier.mispayment_commands import report_mispayment, resolve_mispayment
from openfelt.table.croupier.reopened_bets import reopen_bets
from openfelt.table.croupier.round_commands import (
    close_bets,
    confirm,
    correct_card,
    deal_or_turn,
    make_decision,
    open_bets,
    set_wagers,
    swap_cards,
    void_round,
)
from openfelt.table.croupier.seat_commands import buy_in, collect, leave_seat, take_seat
from openfelt.table.croupier.seed_commands import reveal_seed, seeded_wagers, seeds_next
from openfelt.table.croupier.stub_commands import count_stub
from openfelt.table.croupier.supervision import (
    change_dealer,
    close_table,
    hand_over,
    pause_table,
    reopen_table,
)
from openfelt.table.deck import deck_of, next_card
from openfelt.table.events import ActApproved, TableClosed, TablePaused
from openfelt.table.permissions import Events, Outside
from openfelt.table.phases import TablePhase
from openfelt.table.state import Table
from openfelt.table.void_reasons import void_withdrawn

_COMMANDS: Final[dict[type, Callable[..., Events]]] = {
    TakeSeat: take_seat,
    LeaveSeat: leave_seat,
    BuyIn: buy_in,
    Collect: collect,
    OpenBets: open_bets,
    ReopenBets: reopen_bets,
    SetWagers: set_wagers,
    SeededWagers: seeded_wagers,
    RevealSeed: reveal_seed,
    CloseBets: close_bets,
    MakeDecision: make_decision,
    DealCard: deal_or_turn,
    TurnCards: deal_or_turn,
    CorrectCard: correct_card,
    SwapCards: swap_cards,
    Confirm: confirm,
    VoidRound: void_round,
    DeclareIrregularity: declare_irregularity,
    ProposeAdjustment: propose_adjustment,
    ApproveAdjustment: approve_adjustment,
    RejectAdjustment: reject_adjustment,
    CountStub: count_stub,
    CountFelt: count_felt,
    CallFloor: call_floor,
    ResumePlay: resume_play,
    ReportMispayment: report_mispayment,
    ResolveMispayment: resolve_mispayment,
    TakeBank: take_bank,
    DeclineBank: decline_bank,
    EndTime: end_time,
    ResumeClock: resume_clock,
    ExpireRound: expire_round,
    ChangeRules: change_rules,
    ChangeLink: change_link,
    ChangeClock: change_clock,
    ChangeDealer: change_dealer,
    HandOver: hand_over,
    CloseTable: close_table,
    PauseTable: pause_table,
    ReopenTable: reopen_table,
}


_ACTIONS: Final = frozenset(get_args(Action))
# Looking a member up in an enumeration takes as long as a call.
_WAGERING: Final = Phase.WAGERING
_READY: Final = Phase.READY
_ENDS: Final = (TablePhase.CLOSING, TablePhase.PAUSING)


def direct(
    table: Table,
    command: TableCommand,
    *,
    by: Person,
    outside: Outside,
    approved_by: Person | None = None,
) -> Events:
    """The events that follow from a command at the table; raises Refusal.

    What a supervisor has approved is decided as if the supervisor had given it, at the terminal of
    the table's dealer. The record names both.
    """
    act = _COMMANDS.get(type(command))
    if act is None:
        raise malformed("That is not a command of a table.")
    if approved_by is not None:
        check_approval(table, command, by, approved_by)
    check_role(table, command, approved_by or by)
    check_not_held(table, command, approved_by or by)
    if type(command) in _ACTIONS:
        check_form(command)
    if approved_by is None:
        return act(table, command, by, outside)
    approved = ActApproved(approved_by.name, act_name(command))
    return (approved, *act(table, command, approved_by, outside))


def go_on(table: Table, decks: Mapping[str, Sequence[Card]], outside: Outside) -> Events:
    """The events that follow by themselves: virtual cards, clocks, a table that closes.

    The caller applies these events and asks again until there are none.
    """
    state = table.playing
    if state is None:
        if events := link_due(table):
            return events
        if table.phase is TablePhase.CLOSING:
            return (TableClosed("The last round is over."),)
        if table.phase is TablePhase.PAUSING:
            return (TablePaused(table.paused_for or ""),)
        return house_declines(table) or clock_wanted(table)
    if table.phase in _ENDS and state.phase is _WAGERING and not state.hands:
        return void_withdrawn(state)
    if events := seeds_next(table):
        return events
    if (action := _dealers_next(table, state, decks, outside)) is not None:
        return decide(state, action)
    return clock_wanted(table)


def _dealers_next(
    table: Table, state: Round, decks: Mapping[str, Sequence[Card]], outside: Outside
) -> Action | None:
    """The virtual dealer's next action; hands from a terminal's own deck are always virtual.

    No card leaves a deck before the seeds are fixed, which decide the order of its cards.
    """
    if table.seeds is not None and not table.seeds.fixed:
        return None
    match state.current_step:
        case Deal(place=place) if deck_of(state.house, place) in decks:
            return DealCard(next_card(state, decks))
        case Turn() if table.virtual:
            return TurnCards()
    if state.phase is _READY and table.virtual:
        return Confirm(outside.meter_cents, outside.seed_cents)
    return None
