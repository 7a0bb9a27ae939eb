"""The end of a table's clock, and its start."""

from openfelt.rules.action_checks import malformed
from openfelt.rules.choices import clock_decision
from openfelt.rules.decisions import DecidedBy
from openfelt.rules.house import ClockRule, Unfinished
from openfelt.rules.referee import decide
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase, Round, apply
from openfelt.rules.round_actions import CloseBets, MakeDecision
from openfelt.table.commands import EndTime, ExpireRound, Person, ResumeClock
from openfelt.table.croupier.hold_commands import resumed
from openfelt.table.croupier.seed_commands import awaits_seeds
from openfelt.table.events import (
    BankDeclined,
    ClockStarted,
    ClockStopped,
    SeedsFixed,
    TableEvent,
)
from openfelt.table.incidents import HOLD_MAX_MS, ClockFor
from openfelt.table.permissions import Events, Outside, in_progress
from openfelt.table.refusal import TableCode
from openfelt.table.seeds import SEEDS_MS
from openfelt.table.state import Table
from openfelt.table.void_reasons import void_unfinished


def end_time(table: Table, command: EndTime, _: Person, __: Outside) -> Events:
    """Time is up: bets close, hands do what the clock decides, or the bank passes on."""
    clock, state = table.clock, table.playing
    if clock is not None and clock.number == command.clock and table.incidents.hold is not None:
        return resumed(table.incidents.hold, in_time=False)
    if clock is None or clock.number != command.clock:
        raise Refusal(TableCode.CLOCK_PASSED, "That clock is no longer running.")
    if state is None:
        # Between rounds only an offered bank has a clock, which stops when the offer ends.
        seat = table.awaited_banker
        return (ClockStopped(),) if seat is None else (BankDeclined(seat),)
    if clock.gives_time_for is ClockFor.SEEDS:
        return (SeedsFixed(table.seeds.missing if table.seeds else ()),)
    if clock.gives_time_for is ClockFor.WAGERS:
        return decide(state, CloseBets()) if state.hands else (ClockStopped(),)
    return _defaults(state)


def _defaults(state: Round) -> Events:
    """The decisions of all hands that have not decided in time (R.10, R.27)."""
    events: list[TableEvent] = []
    street = state.street
    for spot in tuple(state.hands):
        if state.street is street and spot in state.pending:
            default = MakeDecision(spot, clock_decision(state, spot), DecidedBy.CLOCK)
            for event in decide(state, default):
                events.append(event)
                state = apply(state, event)
    return tuple(events)


def resume_clock(table: Table, command: ResumeClock, _: Person, __: Outside) -> Events:
    """Continue with what was left of the clock before an outage, never with more."""
    if table.clock is None:
        raise Refusal(TableCode.CLOCK_PASSED, "No clock is running.")
    if type(command.ms) is not int:
        raise malformed("The time left on a clock must be a whole number of milliseconds.")
    return (ClockStarted(table.clock.gives_time_for, max(0, min(command.ms, table.clock.ms))),)


def expire_round(table: Table, command: ExpireRound, _: Person, __: Outside) -> Events:
    """End a round that has waited too long (O.unfinished): cancel it, or let the clock decide.

    The clock decides for the hands that are due now; the caller repeats the command until the
    round is over. A round whose bets are open is cancelled in any case (R.32).
    """
    state = in_progress(table)
    if type(command.days) is not int:
        raise malformed("The days that a round has waited must be a whole number.")
    days_max = state.house.unfinished_days
    if days_max is None or command.days < days_max or command.round != state.opened.number:
        raise Refusal(TableCode.NOT_EXPIRED, "This round still waits for its player.")
    if state.house.unfinished is Unfinished.CLOCK and state.street is not None:
        return _defaults(state)
    return void_unfinished(state, days_max)


def clock_wanted(table: Table) -> Events:
    """The clock to start, if players must be given time and no clock runs yet."""
    if table.clock is not None:
        return ()
    rule, state = table.clock_rule, table.playing
    if table.incidents.hold is not None:
        return (ClockStarted(ClockFor.FLOOR, HOLD_MAX_MS),)
    if awaits_seeds(table):
        return (ClockStarted(ClockFor.SEEDS, SEEDS_MS),)
    if rule is None:
        return ()
    if state is None:
        return _bank_clock_wanted(table, rule)
    if state.phase is Phase.WAGERING and state.hands:
        return (ClockStarted(ClockFor.WAGERS, rule.wager_seconds * 1000),)
    if state.street is not None:
        return (ClockStarted(ClockFor.DECISIONS, _choice_ms(table, rule)),)
    return ()


def _bank_clock_wanted(table: Table, rule: ClockRule) -> Events:
    """The clock for an offered bank, if other players wait for the answer (R.19).

    Each seat is asked once before a round, so this ends when all players have passed at the
    latest.
    """
    if table.awaited_banker is None:
        return ()
    return (ClockStarted(ClockFor.BANK, _choice_ms(table, rule)),)


def _choice_ms(table: Table, rule: ClockRule) -> int:
    """The time for a choice, which begins when the cards before it have been shown."""
    return rule.decision_seconds * 1000 + table.opened.reveal_ms
