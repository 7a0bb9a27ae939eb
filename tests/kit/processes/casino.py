"""A casino in its own process: a floor of tables on one database, and bots that play.

    python -m tests.kit.processes.casino DATABASE [--owner NAME] [--seed N] [--lease-ms N]
        [--finish]

For each answer that a bot gets, the program prints one line of JSON, once the answer is there:
that is what the world outside knows. It plays until it is terminated; with ``--finish`` it opens
no round any more, and ends when all rounds are over. While SIGUSR1 has been the last signal, its
files cannot grow, as on a full disk; SIGUSR2 gives them room again.
"""

import argparse
import asyncio
import json
import resource
import signal
import sys
from collections.abc import Awaitable, Callable
from fractions import Fraction
from random import Random
from typing import Any

from openfelt.catalog import load_house
from openfelt.rules import House, Refusal
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.streams import table_stream, wallet_stream
from openfelt.runtime.tables.floor import Floor, FloorTimes
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Unavailable
from openfelt.table.commands import (
    SYSTEM,
    BuyIn,
    ChangeDealer,
    Collect,
    OpenTable,
    Person,
    Role,
    TableCommand,
    TakeSeat,
)
from openfelt.table.links.link_referee import OpenLink
from openfelt.table.state import Table
from tests.kit.own_houses import own_house
from tests.kit.processes.bots import dealer_wants, needs_money, player_wants

DEPOSIT_CENTS = 500_000
WITHDRAWN_CENTS = 100
STADIUM_PLAYERS = 24
LINK = "main"
FLOOR = Person(Role.FLOOR, "eve")
LOOK_SECONDS = 0.02
"""How often a bot checks its table."""
LATER_SECONDS = 0.2
"""How long a bot waits when its table cannot answer now."""

TRANSIENT = {RuntimeCode.BUSY, RuntimeCode.STOPPED, RuntimeCode.MOVED, RuntimeCode.FAILED}
"""Refusals after which the same command is sent again, with the same id."""


def plan() -> dict[str, tuple[OpenTable, tuple[str, ...]]]:
    """Every table with the names of its players."""
    virtual: House = own_house("washington", {"table.dealer": "virtual"})
    stadium = OpenTable(
        table="stadium",
        house=load_house("stadium"),
        dealer_mode=DealerMode.VIRTUAL,
        clock=ClockRule(wager_seconds=1, decision_seconds=1),
    )
    crowd = tuple(f"terminal-{number}" for number in range(1, STADIUM_PLAYERS + 1))
    tables = [
        (stadium, crowd),
        (OpenTable(table="washington", house=virtual, link=LINK), ("wim", "wes", "wyn")),
        (OpenTable(table="california", house=load_house("california")), ("cal", "cat", "cy")),
    ]
    for player in ("olga", "otto"):
        private = OpenTable(table=player, house=load_house("online"), private_to=player)
        tables.append((private, (player,)))
    return {command.table: (command, players) for command, players in tables}


def told(
    stream: str, actor: str, command: str, answer: Answer, *, fence: int | None = None
) -> None:
    """Print an answer, and the number of the lease under which it was written."""
    line = {"stream": stream, "actor": actor, "id": command, "fence": fence, **_plain(answer)}
    print(json.dumps(line), flush=True)  # noqa: T201


def _plain(answer: Answer) -> dict[str, Any]:
    return {"version": answer.version, "refused": answer.refused}


class Bot:
    """A person at one table; asks until there is an answer, always with the same id."""

    def __init__(self, floor: Floor, table: str, person: Person, rng: Random) -> None:
        self.floor = floor
        self.name = table
        self.person = person
        self.rng = rng
        self._run = f"{rng.getrandbits(64):016x}"
        self._asked = 0

    async def table(self) -> Table:
        """The table as it stands, once this process runs it.

        A refusal to show the table is told like that of a command: a bot that looked at its table
        while the process slept asks for nothing until it sees the table again.
        """
        while True:
            try:
                return (await self.floor.mailbox(self.name)).worker.table
            except Refusal as refusal:
                answer = Answer(version=0, refused=refusal.code.value, sentence=refusal.sentence)
                told(table_stream(self.name), str(self.person), "look", answer)
            except Unavailable:
                pass
            await asyncio.sleep(LATER_SECONDS)

    async def ask(self, command: TableCommand, command_id: str | None = None) -> Answer:
        """Ask until the table itself has answered; now and then ask once more."""
        self._asked += 1
        request = Request(
            by=self.person, command=command, id=command_id or f"{self._run}-{self._asked}"
        )
        answer = await self._answer(request, new=command_id is None)
        if self.rng.random() < 0.03 and (again := await self._answer(request, new=False)) != answer:
            print(json.dumps({"wrong": [str(answer), str(again)]}), flush=True)  # noqa: T201
        return answer

    async def _answer(self, request: Request, *, new: bool) -> Answer:
        while True:
            before = self._fence()
            answer = await self.floor.ask(self.name, request)
            # A lease that was replaced meanwhile may be the one under which this was written, or
            # a later one; and what was asked before may have been written under an earlier one.
            fence = before if new and before == self._fence() else None
            told(table_stream(self.name), str(request.by), request.id or "", answer, fence=fence)
            if answer.refused not in TRANSIENT:
                return answer
            new = False
            await asyncio.sleep(LATER_SECONDS)

    def _fence(self) -> int | None:
        """The number of the lease under which this process runs the table now."""
        mailbox = self.floor.running.get(self.name)
        lease = mailbox.worker.lease if mailbox else None
        return lease.fence if lease else None

    async def pay(self, work: Callable[[str], Answer], command_id: str) -> None:
        """Go to the cashier until there is an answer."""
        while True:
            try:
                answer = await asyncio.to_thread(work, command_id)
            except (Refusal, Unavailable):
                await asyncio.sleep(LATER_SECONDS)
                continue
            told(wallet_stream(self.person.name), str(SYSTEM), command_id, answer)
            return


class Player(Bot):
    """A player: deposits, sits down, plays, and tops up."""

    def __init__(self, floor: Floor, table: str, seat: int, name: str, rng: Random) -> None:
        super().__init__(floor, table, Person(Role.PLAYER, name), rng)
        self.seat = seat
        self._top_ups = 0

    async def live(self, *, opens: bool) -> None:
        """Play forever. After a restart everything that has its own id is sent again."""
        name = self.person.name
        await self.top_up(sit=True)
        while True:
            table = await self.table()
            if needs_money(table, name):
                await self.top_up()
                continue
            command = player_wants(table, name, self.rng, opens=opens)
            if command is None or self.rng.random() < 0.02:
                await asyncio.sleep(LOOK_SECONDS)
                continue
            answer = await self.ask(command)
            if isinstance(command, Collect) and answer.accepted:
                await self.pay(self._withdraw, f"{self._run}-{answer.version}")
            await asyncio.sleep(0 if answer.accepted else LOOK_SECONDS)

    async def top_up(self, *, sit: bool = False) -> None:
        """The next deposit and buy-in; their ids are the same in every life of the process."""
        self._top_ups += 1
        await self.pay(self._deposit, f"deposit-{self._top_ups}")
        if sit:
            await self.ask(TakeSeat(self.seat), "sit")
        await self.ask(BuyIn(self.seat, DEPOSIT_CENTS), f"buy-in-{self._top_ups}")

    def _deposit(self, command_id: str) -> Answer:
        return self.floor.cashier.deposit(self.person.name, DEPOSIT_CENTS, id=command_id)

    def _withdraw(self, command_id: str) -> Answer:
        return self.floor.cashier.withdraw(self.person.name, WITHDRAWN_CENTS, id=command_id)


class Dealer(Bot):
    """Staff at a table: closes bets, and deals where the cards are real."""

    async def live(self) -> None:
        """Deal forever."""
        while True:
            table = await self.table()
            command = dealer_wants(table, self.rng)
            if not table.virtual and table.dealer is None:
                command = ChangeDealer(self.person.name)
            if command is None:
                await asyncio.sleep(LOOK_SECONDS)
            else:
                await self.ask(command)


async def open_floor(floor: Floor) -> None:
    """Open the link and the tables that are not there already."""
    link = OpenLink(link=LINK, contribution=Fraction(1, 4), seed_cents=1_000_000)
    for work in (
        lambda: asyncio.to_thread(floor.worker_services.links.command, LINK, link),
        *(_opening(floor, command) for command, _ in plan().values()),
    ):
        try:
            await work()
        except Refusal:
            continue


def _opening(floor: Floor, command: OpenTable) -> Callable[[], Awaitable[None]]:
    return lambda: floor.open_table(command, by=FLOOR)


def bots(floor: Floor, rng: Random, *, opens: bool) -> list[Awaitable[None]]:
    """What all people of the house do."""
    lives: list[Awaitable[None]] = []
    for table, (_, players) in plan().items():
        for seat, name in enumerate(players, start=1):
            player = Player(floor, table, seat, name, Random(rng.getrandbits(64)))
            lives.append(player.live(opens=opens))
        if table in ("washington", "california"):
            # Where the program deals, no dealer stands; a supervisor closes bets.
            staff = FLOOR if table == "washington" else Person(Role.DEALER, "dan")
            lives.append(Dealer(floor, table, staff, Random(rng.getrandbits(64))).live())
    return lives


async def all_over(floor: Floor) -> None:
    """Wait until no table has a round in progress."""
    for table in plan():
        mailbox = await floor.mailbox(table)
        changed = asyncio.Event()
        mailbox.watch(lambda _, changed=changed: changed.set())  # type: ignore[misc]
        while mailbox.worker.table.playing is not None:
            await changed.wait()
            changed.clear()


async def play(options: argparse.Namespace) -> None:
    """Run the floor until the signal to end, or until all rounds are over."""
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, end.set)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    for number, size in ((signal.SIGUSR1, 1), (signal.SIGUSR2, hard)):
        loop.add_signal_handler(number, resource.setrlimit, resource.RLIMIT_FSIZE, (size, hard))
    times = FloorTimes(lease_ms=options.lease_ms)
    async with Floor(open_store(options.database), owner=options.owner, times=times) as floor:
        await open_floor(floor)
        lives = bots(floor, Random(options.seed), opens=not options.finish)
        tasks = [asyncio.ensure_future(life) for life in lives]
        over = asyncio.ensure_future(all_over(floor) if options.finish else _wait(end))
        done, _ = await asyncio.wait([over, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()


async def _wait(end: asyncio.Event) -> None:
    await end.wait()


def main(arguments: list[str]) -> None:
    """Read the command line and play."""
    parser = argparse.ArgumentParser()
    parser.add_argument("database")
    parser.add_argument("--owner", default="casino")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--lease-ms", type=int, default=15_000)
    parser.add_argument("--finish", action="store_true")
    asyncio.run(play(parser.parse_args(arguments)))


if __name__ == "__main__":
    main(sys.argv[1:])
