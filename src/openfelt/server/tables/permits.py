"""Which kinds of commands are open to somebody now, so that a screen offers no others.

The table itself is asked wherever a command needs nothing but its kind; so what is offered
and what is accepted cannot drift apart.
"""

from datetime import date
from typing import Final

from openfelt.rules.dealing import Deal
from openfelt.rules.referee import CloseBets, Confirm, TurnCards, VoidRound
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase
from openfelt.table.commands import (
    CloseTable,
    Collect,
    DeclineBank,
    LeaveSeat,
    OpenBets,
    Person,
    ReopenTable,
    Role,
    TableCommand,
    TakeBank,
)
from openfelt.table.croupier import direct
from openfelt.table.permissions import Outside
from openfelt.table.state import Table, TablePhase

_OUTSIDE: Final = Outside(day=date(2026, 1, 1), meter_cents=0, seed_cents=0)
"""Nothing of it decides whether one of the commands below is open."""

_STAFF_COMMANDS: Final[dict[str, TableCommand]] = {
    "open_bets": OpenBets(),
    "close_bets": CloseBets(),
    "turn_cards": TurnCards(),
    "void_round": VoidRound("?"),
    "close_table": CloseTable("?"),
    "reopen_table": ReopenTable(),
}


FROM_ANYWHERE: Final = frozenset({"collect", "leave_seat", "decline_bank"})
"""What ends play, and so needs no terminal of the house."""


def may(table: Table, viewer: Person | None, *, remote: bool = False) -> list[str]:
    """The kinds of commands that are open to a viewer now.

    ``remote`` is a player who is not at a terminal of a house that plays only there.
    """
    if viewer is None:
        return []
    if viewer.role is Role.PLAYER:
        found = _player_may(table, viewer)
        return [kind for kind in found if kind in FROM_ANYWHERE] if remote else found
    found = [kind for kind, command in _STAFF_COMMANDS.items() if _open(table, command, viewer)]
    state = table.playing
    if state is not None and not table.virtual:
        if isinstance(state.current_step, Deal):
            found.append("deal_card")
        if state.dealer or state.common or any(hand.cards for hand in state.hands.values()):
            found.append("correct_card")
        if state.phase is Phase.READY and _open(table, Confirm(), viewer):
            found.append("confirm")
    return found


def _player_may(table: Table, viewer: Person) -> list[str]:
    seat = table.seat_of(viewer.name)
    if seat is None:
        can_sit = table.phase is TablePhase.OPEN and len(table.seats) < table.house.seats
        theirs = table.opened.private_to in (None, viewer.name)
        return ["take_seat"] if can_sit and theirs else []
    found = []
    if table.phase is not TablePhase.CLOSED:
        found.append("buy_in")
    if _wagers_open(table, seat):
        found.append("set_wagers")
    commands: dict[str, TableCommand] = {
        "close_bets": CloseBets(),
        "collect": Collect(seat),
        "leave_seat": LeaveSeat(seat),
        "decline_bank": DeclineBank(seat),
    }
    found += [kind for kind, command in commands.items() if _open(table, command, viewer)]
    if table.player_banked and _open(table, TakeBank(seat, 1), viewer):
        found.append("take_bank")
    if (state := table.playing) is not None and any(
        hand.spot in state.pending for hand in state.hands_of(seat)
    ):
        found.append("decide")
    return found


def _wagers_open(table: Table, seat: int) -> bool:
    state = table.playing
    if state is None:
        return table.phase is TablePhase.OPEN and table.virtual and not table.player_banked
    banker = state.opened.banker
    return state.phase is Phase.WAGERING and not (banker and banker.seat == seat)


def _open(table: Table, command: TableCommand, viewer: Person) -> bool:
    try:
        direct(table, command, by=viewer, outside=_OUTSIDE)
    except Refusal:
        return False
    return True
