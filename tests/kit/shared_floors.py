"""Several processes of one house for tests, all in one event loop and on one store."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from random import Random

from openfelt.catalog import load_house
from openfelt.rules.house import DealerMode
from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.remote.followed_table import FollowedTable
from openfelt.runtime.remote.house_tables import SharedTables
from openfelt.runtime.requests import Answer
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.floor import Floor, FloorTimes
from openfelt.storage.door import Store
from openfelt.table.commands import BuyIn, ChangeDealer, OpenTable, Person, TableCommand, TakeSeat
from tests.kit.floors import request
from tests.kit.own_houses import own_house
from tests.kit.processes.bots import dealer_wants, player_wants
from tests.kit.tables import DEALER, FLOOR

HOUSES = ("online", "stadium", "washington", "california")
"""The houses that the bots can play."""
CENTS = 200_000


@dataclass(slots=True)
class FloorProcess:
    """One process: its own floor, and the tables of the house."""

    floor: Floor
    tables: SharedTables

    async def followed(self, table: str) -> FollowedTable:
        """A table as this process follows it."""
        access = await self.tables.access(table)
        assert isinstance(access, FollowedTable)
        return access

    async def do(self, table: str, command: TableCommand, by: str | Person) -> Answer:
        """Give a command that is carried out."""
        answer = await self.tables.ask(table, request(command, by))
        assert answer.accepted, answer
        return answer


@contextlib.asynccontextmanager
async def floor_process(
    store: Store, bus: Bus, name: str, *, runs_tables: bool = True, lease_ms: int = 15_000
) -> AsyncIterator[FloorProcess]:
    """A process for as long as the block lasts."""
    floor = Floor(
        store,
        owner=name,
        shuffler=Shuffler(SeededEntropy(7)),
        times=FloorTimes(lease_ms=lease_ms),
        runs_tables=runs_tables,
    )

    async def take(table: str) -> None:
        await floor.mailbox(table)

    tables = SharedTables(floor, bus, process=name, takes=take if runs_tables else None)
    async with floor, tables:
        yield FloorProcess(floor, tables)


async def open_table(
    process: FloorProcess, name: str, house: str = "online", *, here: bool = False
) -> None:
    """Open a table of a house, dealt by the program where the house allows it.

    It runs in any process that runs tables, or ``here``.
    """
    rules = own_house("washington", {"table.dealer": "virtual"}) if house == "washington" else None
    command = OpenTable(
        table=name,
        house=rules or load_house(house),
        dealer_mode=DealerMode.VIRTUAL if house == "stadium" else None,
    )
    if here:
        await process.floor.open_table(command, by=FLOOR)
    else:
        await process.tables.open_table(command, by=FLOOR)


async def seat_players(process: FloorProcess, table: str, *players: str) -> None:
    """Let players sit down, each with money."""
    for seat, player in enumerate(players, start=1):
        process.floor.cashier.deposit(player, CENTS, id=f"first {player}")
        await process.do(table, TakeSeat(seat), player)
        await process.do(table, BuyIn(seat, CENTS), player)


async def play_rounds(process: FloorProcess, table: str, *, rounds: int, seed: int) -> None:
    """Have bots play, all of them through one process, until so many rounds are over."""
    rng, followed = Random(seed), await process.followed(table)
    last = followed.table.rounds + rounds
    while followed.table.rounds < last or followed.table.playing is not None:
        state = followed.table
        if not state.virtual and state.dealer is None:
            await process.do(table, ChangeDealer(DEALER.name), DEALER)
        opens = state.rounds < last
        for seat in tuple(state.seats.values()):
            command = player_wants(followed.table, seat.player, rng, opens=opens)
            if command is not None:
                await process.tables.ask(table, request(command, seat.player))
        staff = dealer_wants(followed.table, rng)
        if staff is not None:
            await process.tables.ask(table, request(staff, FLOOR if state.virtual else DEALER))
