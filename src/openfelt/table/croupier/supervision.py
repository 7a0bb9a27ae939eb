"""The commands of a supervisor: opening and closing tables, and changing dealers."""

from dataclasses import replace
from typing import Final

from openfelt.rules.action_checks import check_reason
from openfelt.rules.house import ClockRule, DealerMode, House
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase
from openfelt.rules.round_actions import VoidRound
from openfelt.table.commands import (
    ChangeDealer,
    CloseTable,
    HandOver,
    OpenTable,
    PauseTable,
    Person,
    ReopenTable,
    Role,
)
from openfelt.table.croupier.command_roles import check_opening
from openfelt.table.events import (
    ClosingAnnounced,
    DealerChanged,
    Handover,
    PauseAnnounced,
    TableClosed,
    TableOpened,
    TablePaused,
    TableReopened,
)
from openfelt.table.permissions import (
    Events,
    Outside,
    bad_table,
    check_name,
    needs_supervisor,
)
from openfelt.table.phases import TablePhase
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table
from openfelt.table.void_reasons import void_by_staff

REVEAL_MAX_MS: Final = 10_000


def opening(command: OpenTable, *, by: Person) -> TableOpened:
    """The opening of a new table; ``openfelt.table.state.open_table`` makes its state."""
    check_opening(by)
    check_name(command.table, "table")
    house = checked_house(command.house)
    mode = house.dealer_mode if command.dealer_mode is None else command.dealer_mode
    if not isinstance(mode, DealerMode):
        raise bad_table("The dealer must be live or virtual.")
    if mode is DealerMode.EITHER:
        raise bad_table(f"Say whether {house.name} is dealt live or virtually.")
    if house.dealer_mode not in (mode, DealerMode.EITHER):
        raise bad_table(f"{house.name} is not dealt by a {mode} dealer.")
    if command.private_to is not None:
        check_name(command.private_to, "player")
        if mode is not DealerMode.VIRTUAL:
            raise bad_table("A private table must be dealt virtually.")
    # A private table waits for its player, unless it is opened with a clock.
    own = None if command.private_to is not None else house.clock
    clock = own if command.clock is None else command.clock
    if clock is not None and not is_clock(clock):
        raise bad_table("A clock must be between 1 second and 1 hour.")
    if type(command.reveal_ms) is not int or not 0 <= command.reveal_ms <= REVEAL_MAX_MS:
        raise bad_table("Cards must be shown within 10 seconds.")
    check_link(house, command.link)
    return TableOpened(
        table=command.table,
        house=house,
        dealer_mode=mode,
        clock=clock,
        private_to=command.private_to,
        link=command.link,
        reveal_ms=command.reveal_ms if clock else 0,
    )


def checked_house(house: object) -> House:
    """Refuse what is no house."""
    if not isinstance(house, House):
        raise bad_table("A table needs the rules of a house.")
    return house


def is_clock(clock: object) -> bool:
    """Whether a clock gives a possible time."""
    return isinstance(clock, ClockRule) and all(
        type(seconds) is int and 1 <= seconds <= 3600
        for seconds in (clock.wager_seconds, clock.decision_seconds)
    )


def check_link(house: House, link: str | None) -> None:
    """Refuse an invalid name, and a link of a house without a progressive wager."""
    if link is not None:
        check_name(link, "link")
        if house.progressive is None:
            raise bad_table(f"{house.name} has no progressive wager.")


def change_dealer(table: Table, command: ChangeDealer, by: Person, outside: Outside) -> Events:
    """Sign a dealer on or off. Dealers do so for themselves; only a supervisor hands a table over.

    The round in progress continues: its wagers and cards stay, and its tips stay with the dealer
    who closed its bets (R.31).
    """
    if table.virtual:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "A virtual table has no dealer.")
    if command.dealer is not None:
        check_name(command.dealer, "dealer")
    if by.role is Role.DEALER:
        _check_oneself(table, command, by)
    elsewhere = outside.signed_on_at.get(command.dealer) if command.dealer else None
    if elsewhere not in (None, table.id):
        raise Refusal(
            TableCode.SIGNED_ON_ELSEWHERE,
            "This dealer is signed on at another table: sign off there.",
        )
    return (DealerChanged(command.dealer, handover=_handover(table, command.dealer)),)


def hand_over(table: Table, command: HandOver, by: Person, outside: Outside) -> Events:
    """Hand the table over to another dealer; the dealer of the table does so, or a supervisor."""
    if table.dealer is None or command.dealer == table.dealer:
        raise Refusal(TableCode.NOT_SIGNED_ON, "There is no other dealer to take over from.")
    # Who may hand over has been checked; to whom is checked as for a supervisor.
    return change_dealer(table, ChangeDealer(command.dealer), replace(by, role=Role.FLOOR), outside)


def _handover(table: Table, dealer: str | None) -> Handover | None:
    """From whom a dealer takes over and when, None if no dealer is signed on or none comes."""
    if table.dealer is None or dealer in (None, table.dealer):
        return None
    state = table.playing
    if state is None:
        return Handover(table.dealer)
    hands = (hand.cards for hand in state.hands.values())
    cards = len(state.dealer) + len(state.common) + sum(map(len, hands))
    return Handover(table.dealer, state.opened.number, state.phase.value, cards)


def _check_oneself(table: Table, command: ChangeDealer, by: Person) -> None:
    """A dealer signs on where no other dealer is, and signs off only there."""
    if command.dealer not in (None, by.name):
        raise Refusal(TableCode.NOT_ALLOWED, "Dealers can sign on only themselves.")
    if command.dealer is None and table.dealer != by.name:
        raise Refusal(TableCode.NOT_SIGNED_ON, "You are not signed on at this table.")
    if table.dealer not in (None, by.name):
        raise needs_supervisor(
            "Another dealer is signed on here: that dealer must sign off first, or a supervisor "
            "hands the table over."
        )


def close_table(table: Table, command: CloseTable, _: Person, __: Outside) -> Events:
    """Close the table now, or when its round is over."""
    check_reason(command.reason)
    _check_not_closed(table)
    state = table.playing
    if state is None:
        return (TableClosed(command.reason),)
    if state.phase is Phase.WAGERING and not state.hands:
        return (*void_by_staff(state, VoidRound(command.reason)), TableClosed(command.reason))
    return (ClosingAnnounced(command.reason),)


def pause_table(table: Table, command: PauseTable, _: Person, __: Outside) -> Events:
    """Pause the table now, or when its round is over (R.44)."""
    check_reason(command.reason)
    _check_not_closed(table)
    if table.phase is not TablePhase.OPEN:
        raise Refusal(TableCode.TABLE_PAUSED, "This table is already paused, or will be.")
    state = table.playing
    if state is None:
        return (TablePaused(command.reason),)
    if state.phase is Phase.WAGERING and not state.hands:
        return (*void_by_staff(state, VoidRound(command.reason)), TablePaused(command.reason))
    return (PauseAnnounced(command.reason),)


def _check_not_closed(table: Table) -> None:
    if table.phase in (TablePhase.CLOSING, TablePhase.CLOSED):
        raise Refusal(TableCode.TABLE_CLOSED, "This table is already closed or closing.")


def reopen_table(table: Table, _: ReopenTable, __: Person, ___: Outside) -> Events:
    """Take wagers again."""
    if table.phase is TablePhase.OPEN:
        raise Refusal(TableCode.TABLE_OPEN, "This table is open.")
    return (TableReopened(),)
