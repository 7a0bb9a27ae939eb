"""The floor is called: the table is on hold, and goes on with the time that it had (R.42)."""

from typing import Final

from openfelt.rules.action_checks import check_reason
from openfelt.rules.refusal import Refusal
from openfelt.rules.round_actions import (
    CloseBets,
    Confirm,
    DealCard,
    MakeDecision,
    SetWagers,
    TurnCards,
)
from openfelt.table.commands import CallFloor, Person, ResumePlay, Role, SeededWagers
from openfelt.table.events import ClockStarted
from openfelt.table.incidents import HOLDS_MAX, FloorCalled, PlayResumed
from openfelt.table.permissions import Events, Outside, in_progress
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table

_HELD: Final = (
    SetWagers,
    SeededWagers,
    CloseBets,
    MakeDecision,
    DealCard,
    TurnCards,
    Confirm,
)
"""Commands that wait while a table is on hold."""


def check_not_held(table: Table, command: object, by: Person) -> None:
    """Refuse what would go on with the round while the table is on hold.

    The system only takes back what an absent player has bet.
    """
    if table.incidents.hold is None or by.role is Role.SYSTEM:
        return
    if isinstance(command, _HELD):
        raise Refusal(TableCode.ON_HOLD, "The floor has been called: the table is on hold.")


def call_floor(table: Table, command: CallFloor, _: Person, outside: Outside) -> Events:
    """Put the table on hold, with what is left of its clock."""
    if command.note != "":
        check_reason(command.note)
    if table.virtual:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "This table is dealt by the program.")
    in_progress(table)
    if table.incidents.hold is not None:
        raise Refusal(TableCode.ON_HOLD, "The floor has already been called.")
    if table.seeds is not None and table.seeds.awaited:
        raise Refusal(
            TableCode.SEEDS_AWAITED,
            "The terminals are revealing their seeds; call the floor afterwards.",
        )
    if table.incidents.holds >= HOLDS_MAX:
        raise Refusal(
            TableCode.NOT_ON_HOLD, f"The floor can be called at most {HOLDS_MAX} times in a round."
        )
    clock = table.clock
    if clock is None:
        return (FloorCalled(note=command.note.strip()),)
    left_ms = clock.ms if outside.clock_left_ms is None else outside.clock_left_ms
    return (
        FloorCalled(clock.gives_time_for, max(0, min(left_ms, clock.ms)), command.note.strip()),
    )


def resume_play(table: Table, _: ResumePlay, __: Person, ___: Outside) -> Events:
    """Continue where the table was put on hold."""
    if table.incidents.hold is None:
        raise Refusal(TableCode.NOT_ON_HOLD, "The table is not on hold.")
    return resumed(table.incidents.hold, in_time=True)


def resumed(hold: FloorCalled, *, in_time: bool) -> Events:
    """The end of a hold: the clock goes on with the time that it had."""
    if hold.gives_time_for is None:
        return (PlayResumed(in_time),)
    return PlayResumed(in_time), ClockStarted(hold.gives_time_for, hold.left_ms)
