"""Proposition players: the house's own players at a starter table that its players bank.

A player who comes alone could not play there, because no other player would bank. So two
players of the house sit down as soon as a guest does. They bank when it is their turn, bet the
minimum when another player banks, and have play money only. The lobby shows how many there are.
"""

import asyncio
import logging
import secrets
from typing import Final

from openfelt.cards import Category, Rank, evaluate
from openfelt.rules.dealing import Street
from openfelt.rules.decisions import Bet, Check, Decision, Fold
from openfelt.rules.referee import MakeDecision, SetWagers
from openfelt.rules.round import Phase, PlayerHand, Round
from openfelt.rules.wagers import Spot, Wager, WagerKind
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.tables.floor import Floor
from openfelt.storage.door import StoreError
from openfelt.table.commands import BuyIn, Person, Role, TableCommand, TakeBank, TakeSeat
from openfelt.table.state import Table, TablePhase

NAMES: Final = ("house-player-1", "house-player-2")
LOOK_SECONDS: Final = 0.5
COVER_CENTS: Final = 500_000
"""The bank wager, which covers the largest Ante of one player through a 4x Play wager."""
CREDIT_CENTS: Final = 600_000
"""The credit that they buy in for."""
CREDIT_LEAST_CENTS: Final = 510_000
"""With less than this they buy in again: it covers the bank wager and every collection."""

logger = logging.getLogger(__name__)


class PropositionPlayers:
    """Plays for the house at one table."""

    def __init__(self, floor: Floor, table: str) -> None:
        self._floor = floor
        self._name = table

    async def play(self) -> None:
        """Look at the table periodically, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except StoreError as error:
                logger.warning("the house's players at %s wait: %s", self._name, error)

    async def look(self) -> None:
        """Do what the house's players have to do now, if this process runs the table."""
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
        if credit_cents < CREDIT_LEAST_CENTS and not table.wagers_of(seat):
            await self._bring(name, seat, CREDIT_CENTS - credit_cents)
        elif table.playing is not None:
            command = next_command(table, table.playing, seat)
            if command is not None:
                await self._ask(name, command)
        elif table.phase is TablePhase.OPEN and table.bank_offered_to in (seat, None):
            await self._ask(name, TakeBank(seat, COVER_CENTS))

    async def _sit(self, table: Table, name: str) -> None:
        free = [seat for seat in range(table.house.seats, 0, -1) if seat not in table.seats]
        # The last seat is left to a guest.
        if len(free) > 1 and table.phase is TablePhase.OPEN:
            await self._ask(name, TakeSeat(free[0]))

    async def _bring(self, name: str, seat: int, cents: int) -> None:
        payment = secrets.token_hex(8)
        cashier = self._floor.cashier
        await self._floor.in_thread(
            lambda: cashier.deposit(name, cents, id=payment, note="play money of the house")
        )
        await self._ask(name, BuyIn(seat, cents))

    async def _ask(self, name: str, command: TableCommand) -> Answer:
        person = Person(Role.PLAYER, name)
        request = Request(by=person, command=command, id=secrets.token_hex(8))
        return await self._floor.ask(self._name, request)


def has_company(table: Table) -> bool:
    """Whether any player of a table is not one of the house's."""
    return any(seat.player not in NAMES for seat in table.seats.values())


def house_players(table: Table) -> int:
    """How many of the house's players sit at a table."""
    return len(house_seats(table))


def house_seats(table: Table) -> list[int]:
    """The seats of the house's players at a table."""
    return sorted(number for number, seat in table.seats.items() if seat.player in NAMES)


def next_command(table: Table, state: Round, seat: int) -> TableCommand | None:
    """What a house's player does in a round: bet the least once, and decide when it is due."""
    spot = Spot(seat, 1)
    if spot in state.pending:
        return MakeDecision(spot, decision(state, state.hands[spot]))
    banker, ante = state.opened.banker, table.house.wager(WagerKind.ANTE)
    if state.phase is not Phase.WAGERING or banker is None or ante is None or spot in state.hands:
        return None
    if table.seats[banker.seat].player in NAMES:
        return None
    return SetWagers(spot, (Wager(WagerKind.ANTE, ante.min_cents),))


def decision(state: Round, hand: PlayerHand) -> Decision:
    """A plain strategy, by the hand's own cards and the board that is face up.

    Two cards with a pair or an ace are worth a wager, and later every hand with a pair is.
    """
    cards = (*hand.cards, *state.common[: state.common_face_up])
    made = len(cards) >= 5 and evaluate(cards).category >= Category.PAIR
    match state.street:
        case Street.BEFORE_FLOP:
            ranks = [card.rank for card in hand.cards]
            return Bet(4) if Rank.ACE in ranks or len(set(ranks)) == 1 else Check()
        case Street.ON_FLOP:
            return Bet(2) if made else Check()
        case _:
            return Bet(1) if made else Fold()
