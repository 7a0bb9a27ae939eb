"""Computer players at a starter table that its players bank.

A player who comes alone could not play there, because no other player would bank, and the house
never does (C.19). So two computer players sit down as soon as a guest does. They have their own
wallets, with the play money that every player gets, and no money of the house. They bank when it is
their turn, as players do, and bet the minimum when another player banks. The lobby and the table
show which players they are.
"""

import asyncio
import logging
import secrets
from typing import Final

from openfelt.rules.round import Phase, Round
from openfelt.rules.round_actions import SetWagers
from openfelt.rules.wagers import Spot, Wager, WagerKind
from openfelt.runtime.computer_play import due_decisions
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.tables.floor import Floor
from openfelt.storage.door import StoreError
from openfelt.table.collection import bank_wager_min_cents, banker_due_max_cents
from openfelt.table.commands import (
    BuyIn,
    DeclineBank,
    Person,
    Role,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.croupier.house_money import plays_for_house
from openfelt.table.phases import TablePhase
from openfelt.table.state import Table

NAMES: Final = ("computer-player-1", "computer-player-2")
LOOK_SECONDS: Final = 0.5

logger = logging.getLogger(__name__)


class ComputerPlayers:
    """The computer players of one table."""

    def __init__(self, floor: Floor, table: str, *, play_money_cents: int) -> None:
        self._floor = floor
        self._name = table
        self._play_money_cents = play_money_cents
        """The play money of every player of the floor, up to which a wallet may be refilled."""

    async def play(self) -> None:
        """Check the table periodically, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except StoreError as error:
                logger.warning("the computer players at %s wait: %s", self._name, error)

    async def look(self) -> None:
        """Act for the computer players, if this process runs the table."""
        running = self._floor.running.get(self._name)
        if running is None or not has_company(running.worker.table):
            return
        for name in NAMES:
            await self._act(running.worker.table, name)

    async def _act(self, table: Table, name: str) -> None:
        seat = table.seat_of(name)
        if seat is None:
            await self._sit(table, name)
            return
        credit_cents = table.seats[seat].credit_cents
        if credit_cents < self._play_money_cents // 2 and not table.wagers_of(seat):
            await self._bring(name, seat)
        elif table.playing is not None:
            command = next_command(table, table.playing, seat)
            if command is not None:
                await self._ask(name, command)
        elif table.phase is TablePhase.OPEN and table.bank_offered_to in (seat, None):
            await self._ask(name, bank_command(table, seat))

    async def _sit(self, table: Table, name: str) -> None:
        free = [seat for seat in range(table.house.seats, 0, -1) if seat not in table.seats]
        # The last seat is left to a guest.
        if len(free) > 1 and table.phase is TablePhase.OPEN:
            await self._ask(name, TakeSeat(free[0]))

    async def _bring(self, name: str, seat: int) -> None:
        """Fill up the wallet as any player may, and buy in with it."""
        payment, most_cents = secrets.token_hex(8), self._play_money_cents
        cashier = self._floor.cashier
        await self._floor.in_thread(
            lambda: cashier.fill_up(name, most_cents, id=payment, note="play money")
        )
        cents = await self._floor.in_thread(lambda: cashier.balance(name))
        await self._ask(name, BuyIn(seat, cents))

    async def _ask(self, name: str, command: TableCommand) -> Answer:
        person = Person(Role.PLAYER, name)
        request = Request(by=person, command=command, id=secrets.token_hex(8))
        return await self._floor.ask(self._name, request)


def has_company(table: Table) -> bool:
    """Whether a table has a player who is not a computer."""
    return any(not _is_computer(seat.player) for seat in table.seats.values())


def computer_seats(table: Table) -> list[int]:
    """The seats of the computer players at a table."""
    return sorted(number for number, seat in table.seats.items() if _is_computer(seat.player))


def _is_computer(player: str) -> bool:
    """Whether a player is a computer. Earlier versions had some with the house's money.

    These stay where they sit until their absence is noticed, and never bank.
    """
    return player in NAMES or plays_for_house(player)


def bank_command(table: Table, seat: int) -> TableCommand:
    """Bank with all credit less the collection, or pass if that is less than a bank wager."""
    cover_cents = table.seats[seat].credit_cents - banker_due_max_cents(table.house)
    if cover_cents < bank_wager_min_cents(table.house):
        return DeclineBank(seat)
    return TakeBank(seat, cover_cents)


def next_command(table: Table, state: Round, seat: int) -> TableCommand | None:
    """The next command of a computer player: bet the least once, and decide when it is due."""
    spot = Spot(seat, 1)
    if spot in state.pending:
        return due_decisions(state, seat, credit_cents=table.seats[seat].credit_cents)[0]
    banker, ante = state.opened.banker, table.house.wager(WagerKind.ANTE)
    if state.phase is not Phase.WAGERING or banker is None or ante is None or spot in state.hands:
        return None
    if table.seats[banker.seat].player in NAMES:
        return None
    return SetWagers(spot, (Wager(WagerKind.ANTE, ante.min_cents),))
