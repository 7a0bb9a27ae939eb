"""Players and dealers whose terminals are gone, so that the others do not wait forever.

A seat whose terminal is gone passes the bank on after a moment, and is given back after a
while, its credit with it, once nothing of it is in play. What lies on the felt is played:
the clock decides for it. A dealer whose terminal is gone is signed off, so that the players
know why no card comes; their wagers stay where they are.
"""

import asyncio
import secrets
from typing import Final

from openfelt.runtime.requests import Request
from openfelt.runtime.tables.mailbox import Mailbox
from openfelt.server.tables.house_players import NAMES
from openfelt.table.commands import (
    ChangeDealer,
    DeclineBank,
    LeaveSeat,
    Person,
    Role,
    TableCommand,
)
from openfelt.table.state import Table

BANK_MS: Final = 15_000
"""How long a bank offer waits for a terminal that is gone."""
DEALER_MS: Final = 15_000
"""How long a dealer whose terminal is gone is still taken to be at the table."""
SEAT_MS: Final = 180_000
"""How long a seat is kept for a terminal that is gone."""
ABSENCE: Final = Person(Role.FLOOR, "absence")


class Absences:
    """The players and dealers whose terminals are gone from one table, and since when."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._since_ms: dict[str, int] = {}
        self._asking: set[asyncio.Task[object]] = set()

    def look(self, present: set[str], now_ms: int) -> None:
        """Act for players and dealers who have been gone too long."""
        table = self._mailbox.worker.table
        here = {seat.player for seat in table.seats.values()}
        here |= {table.dealer} if table.dealer is not None else set()
        gone = here - present - {*NAMES}
        self._since_ms = {who: self._since_ms.get(who, now_ms) for who in gone}
        if table.opened.private_to is not None or self._asking:
            return
        for who, since_ms in self._since_ms.items():
            command = wanted(table, who, now_ms - since_ms)
            if command is not None:
                self._ask(command)
                return

    def _ask(self, command: TableCommand) -> None:
        request = Request(by=ABSENCE, command=command, id=secrets.token_hex(16))
        task = asyncio.create_task(self._mailbox.ask(request))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)


def wanted(table: Table, who: str, gone_ms: int) -> TableCommand | None:
    """The command for a player or dealer who has been gone for this long, if any."""
    if who == table.dealer:
        return ChangeDealer(None) if gone_ms >= DEALER_MS else None
    seat = table.seat_of(who)
    if seat is None or table.wagers_of(seat):
        return None
    if gone_ms >= SEAT_MS:
        return LeaveSeat(seat)
    between = table.player_banked and table.playing is None
    if between and gone_ms >= BANK_MS and table.bank_offered_to == seat:
        return DeclineBank(seat)
    return None
