"""A stadium in one process, whose viewers have no sockets: to count and to time what a command
costs apart from the wire."""

import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import count
from pathlib import Path

from openfelt.catalog import load_house
from openfelt.rules import CloseBets, MakeDecision, SetWagers, Spot, Wager, WagerKind
from openfelt.rules.decisions import Decision
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.runtime.requests import Request
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.mailbox import BATCH_MAX, Mailbox
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.tables.room import Room
from openfelt.server.tables.rooms import Rooms
from openfelt.server.tables.subscriptions import Subscription
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Store
from openfelt.table.commands import (
    BuyIn,
    OpenTable,
    Person,
    RevealSeed,
    Role,
    SeededWagers,
    TableCommand,
    TakeSeat,
)
from openfelt.table.seeds import SEED_BYTES, seed_commitment

FLOOR = Person(Role.FLOOR, "eve")
TABLE = "stadium"
SEED = "5e" * SEED_BYTES
SLOW = ClockRule(wager_seconds=3600, decision_seconds=3600)
"""A clock that does not run out meanwhile."""

_ids = count(1)


class SilentHall:
    """A stadium table, its worker and its room. Requests are handled when a caller says so."""

    def __init__(self, floor: Floor, mailbox: Mailbox, room: Room, size: int) -> None:
        self.floor = floor
        self.mailbox = mailbox
        self.worker = mailbox.worker
        self.room = room
        self.size = size

    def bets(self, turn: int) -> list[Request]:
        """A bet of every player, which differs from that of the turn before."""
        ante = Wager(WagerKind.ANTE, 1000 + 100 * (turn % 2))
        wagers = (ante, Wager(WagerKind.TRIPS, 500))
        return [request(seat, SetWagers(Spot(seat, 1), wagers)) for seat in range(1, self.size + 1)]

    def seeded_bets(self) -> list[Request]:
        """The first bet of every player, which binds the seat to a seed, as terminals do."""
        number = self.worker.table.rounds + 1
        return [
            request(
                seat, SeededWagers(asked.command, seed_commitment(f"{TABLE}/{number}", seat, SEED))
            )
            for seat, asked in enumerate(self.bets(0), start=1)
            if isinstance(asked.command, SetWagers)
        ]

    def reveals(self) -> list[Request]:
        """The seed of every player, once bets are closed."""
        return [request(seat, RevealSeed(seat, SEED)) for seat in range(1, self.size + 1)]

    def decisions(self, decision: Decision) -> list[Request]:
        """The same decision of every player."""
        return [
            request(seat, MakeDecision(Spot(seat, 1), decision)) for seat in range(1, self.size + 1)
        ]

    def close_bets(self) -> None:
        """Close the bets and deal, as the floor does."""
        self.handle([Request(by=FLOOR, command=CloseBets(), id=f"{next(_ids)}")])
        self.tell()

    def handle(self, requests: Sequence[Request]) -> None:
        """Let the worker carry requests out, in transactions as large as its mailbox makes them."""
        for start in range(0, len(requests), BATCH_MAX):
            for answer in self.worker.handle(requests[start : start + BATCH_MAX]):
                assert answer.accepted, answer

    def tell(self) -> None:
        """Let the room send its viewers what was written, and take it off their queues."""
        written, self.mailbox._written = self.mailbox._written, []
        for change in written:
            self.room._changed(change)
        self.room._finish_publishing()
        for subscription in self.room.subscriptions:
            while not subscription.queue.empty():
                subscription.queue.get_nowait()

    def publish(self) -> None:
        """Send the public change that the room still holds back."""
        if self.room._publishing is not None:
            self.room._publish()
            self.room._finish_publishing()

    def prepare(self) -> None:
        """Seal the decks of the next round."""
        while self.worker.prepare():
            pass
        self.tell()


def request(seat: int, command: TableCommand) -> Request:
    """A command of the player at a seat, under its own id."""
    return Request(by=Person(Role.PLAYER, f"p{seat}"), command=command, id=f"{next(_ids)}")


@contextlib.contextmanager
def _store(where: Path | Store) -> Iterator[Store]:
    if isinstance(where, Path):
        with contextlib.closing(open_store(str(where))) as store:
            yield store
    else:
        yield where


@contextlib.asynccontextmanager
async def silent_hall(where: Path | Store, size: int) -> AsyncIterator[SilentHall]:
    """A stadium in which this many players sit and watch, in a file or in a store."""
    with _store(where) as store:
        async with Floor(store, owner="hall") as floor:
            for seat in range(1, size + 1):
                floor.cashier.deposit(f"p{seat}", 100_000_000, id="deposit")
            opening = OpenTable(
                table=TABLE, house=load_house("stadium"), dealer_mode=DealerMode.VIRTUAL, clock=SLOW
            )
            await floor.open_table(opening, by=FLOOR)
            mailbox = await floor.mailbox(TABLE)
            room = await Rooms(floor).room(TABLE)
            hall = SilentHall(floor, mailbox, room, size)
            seats = range(1, size + 1)
            hall.handle([request(seat, TakeSeat(seat)) for seat in seats])
            hall.handle([request(seat, BuyIn(seat, 20_000_000)) for seat in seats])
            hall.prepare()
            for seat in seats:
                subscription: Subscription = await room.enter(
                    Viewer(Person(Role.PLAYER, f"p{seat}")), seen=None
                )
                subscription.queue.get_nowait()
            try:
                yield hall
            finally:
                room.close()
