"""A seeded simulation of several processes: workers, gateways and a lossy bus in virtual time.

Players give commands through any gateway, and again under the same id until they have an answer.
Meanwhile table processes and gateways are killed, fall asleep for longer than their leases and wake
up, and lose the bus or the store. Every answer is compared with the record, and every follower with
its fold. At every other seed the tables feed a progressive link, whose books must balance to the
last fraction.
"""

import asyncio
import contextlib
import logging
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from openfelt.catalog import load_house
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.refusal import Refusal
from openfelt.runtime.audit import audit
from openfelt.runtime.remote.followed_table import FollowedTable
from openfelt.runtime.remote.table_fold import TableFold
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.watchers import Change
from openfelt.storage.door import Store, Unavailable
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.keyring import Keyring
from openfelt.storage.rulebook import Rulebook
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.commands import BuyIn, OpenTable, Person, TableCommand, TakeSeat
from tests.independent.record import Violation, check_record
from tests.kit.floors import request
from tests.kit.processes.bots import dealer_wants, player_wants
from tests.kit.tables import FLOOR
from tests.simulation.cluster.house import LEASE_MS, Process
from tests.simulation.cluster.shared_link import OPENING, SharedLink
from tests.simulation.cluster.simulated_bus import Air
from tests.simulation.cluster.virtual_loop import VirtualClock, run_virtually
from tests.simulation.failure import SimulationFailure, require
from tests.simulation.floor_plan import LINK, house
from tests.simulation.sim_keys import simulated_keys
from tests.simulation.tally import Tally

TABLES = ("a", "b")
CLOCK = ClockRule(wager_seconds=5, decision_seconds=5)
"""The clock of a linked table, which deals by itself."""
CENTS = 200_000
COMMANDS = 12
"""How many commands each player gives."""
LINKED_COMMANDS = 20
"""As many where each other round feeds a link."""
TRIES_MAX = 60
LOSS = 0.15
REFUSED = 0.2
"""The share of commands that the table refuses."""
KEYS = f"00000001:{'ab' * 32}"
Patches = Callable[[], contextlib.AbstractContextManager[object]]
_UNDECIDED = frozenset(code.value for code in RuntimeCode) - {RuntimeCode.ID_REUSED.value}


@dataclass(slots=True)
class Followed:
    """A follower whose every change is checked."""

    process: Process
    table: FollowedTable
    version: int

    def heard(self, change: Change) -> None:
        """Compare the events of a change with its version."""
        require(
            change.version == self.version + len(change.events),
            "a follower has skipped a version",
            f"{len(change.events)} events lead from {self.version} to {change.version}",
        )
        self.version = change.version


class ClusterSimulation:
    """One seed."""

    def __init__(self, seed: int, folder: Path, clock: VirtualClock) -> None:
        self.clock = clock
        self.random = Random(seed)
        self.tally = Tally()
        self.store: Store = SqliteStore(
            folder / "felt.db",
            now_ms=clock.wall_ms,
            keyring=Keyring(folder / "keys", content=KEYS),
        )
        self.codec = EventCodec(Rulebook(self.store).codec)
        self.air = Air(self.random, LOSS)
        self.processes: dict[str, Process] = {}
        self.followed: list[Followed] = []
        self.told: list[dict[str, object]] = []
        """Every answer that a player got."""
        self.linked = bool(seed % 2)
        self.link = SharedLink(self.store, self.codec, TABLES)
        self.failures: list[SimulationFailure] = []
        self._file = folder / "felt.db"
        self._over = False
        """Whether the players have finished, and nothing more has to fail."""
        self._runs = seed * 1000
        self._ids = 0

    async def run(self) -> Tally:
        """Play, let things fail, and compare; raises SimulationFailure."""
        names = [f"tables-{n}" for n in range(self.random.randint(2, 3))]
        gateways = [f"gateway-{n}" for n in range(self.random.randint(1, 2))]
        for name in (*names, *gateways):
            await self._start(name)
        await self._open_tables(self.processes[gateways[0]])
        for gateway in gateways:
            await self._watch(gateway)
        players = [
            asyncio.create_task(self._play(f"player{n}", table, gateways))
            for n, table in enumerate(TABLES)
        ]
        faults = asyncio.create_task(self._fail(names, gateways))
        try:
            async with asyncio.timeout(3600):
                await asyncio.gather(*players)
                self._over = True
                await faults
            await self._compare()
        finally:
            for task in (faults, *players):
                task.cancel()
            await asyncio.gather(faults, *players, return_exceptions=True)
            for process in self.processes.values():
                await process.close()
        self._check_failures()
        self._check_books()
        self.tally.add("seeds")
        return self.tally

    def _check_books(self) -> None:
        """What was answered is there once, and every cent is accounted for."""
        if self.linked:
            self.link.check(self.tally)
        try:
            check_record(self._file, self.told)
        except Violation as violation:
            raise SimulationFailure("the independent check", str(violation)) from None
        report = audit(self.store)
        require(report.clean, "the audit", "; ".join(map(str, report.findings)))

    async def _open_tables(self, process: Process) -> None:
        if self.linked:
            process.floor.worker_services.links.command(LINK, OPENING)
        for table in TABLES:
            command = OpenTable(table=table, house=load_house("online"))
            if self.linked:
                command = OpenTable(
                    table=table,
                    house=house("jackpot"),
                    dealer_mode=DealerMode.VIRTUAL,
                    clock=CLOCK,
                    link=LINK,
                )
            await process.tables.open_table(command, by=FLOOR)

    async def _start(self, name: str) -> None:
        self._runs += 1
        process = Process(
            self.store,
            self.air,
            self.clock,
            name,
            run=self._runs,
            tables=name.startswith("tables"),
            rigged=self.linked,
        )
        self.processes[name] = process
        await process.start()

    async def _watch(self, gateway: str) -> None:
        """Let a gateway follow all tables."""
        process = self.processes[gateway]
        for table in TABLES:
            access = await self._patiently(lambda to=table: process.tables.access(to))  # type: ignore[misc]
            assert isinstance(access, FollowedTable)
            followed = Followed(process, access, access.version)
            access.watch(lambda change, to=followed: self._hear(to, change))  # type: ignore[misc]
            self.followed.append(followed)

    def _hear(self, followed: Followed, change: Change) -> None:
        try:
            followed.heard(change)
        except SimulationFailure as failure:
            self.failures.append(failure)

    def _check_failures(self) -> None:
        if self.failures:
            raise self.failures[0]

    async def _patiently(self, work: Callable[[], Awaitable[object]]) -> object:
        for _ in range(TRIES_MAX):
            try:
                return await work()
            except (Refusal, Unavailable):
                await asyncio.sleep(0.5)
        raise SimulationFailure("a table is out of reach", "it could not be followed")

    # Players ---------------------------------------------------------------------------

    async def _play(self, player: str, table: str, gateways: list[str]) -> None:
        self.processes[gateways[0]].floor.cashier.deposit(player, CENTS, id=f"first {player}")
        await self._do(TakeSeat(1), player, table, gateways)
        await self._do(BuyIn(1, CENTS), player, table, gateways)
        for _ in range(LINKED_COMMANDS if self.linked else COMMANDS):
            access = await self._patiently(lambda: self._gateway(gateways).tables.access(table))
            assert isinstance(access, FollowedTable)
            state = access.table
            by: str | Person = player
            command = player_wants(state, player, self.random, opens=True)
            if command is None:
                by, command = FLOOR, dealer_wants(state, self.random)
            if command is None or self.random.random() < REFUSED:
                # A command that the table refuses.
                by, command = player, TakeSeat(self.random.randint(1, 9))
            await self._do(command, by, table, gateways)
            await asyncio.sleep(self.random.random() * 3)

    async def _do(
        self, command: TableCommand, by: str | Person, table: str, gateways: list[str]
    ) -> None:
        """Give a command, again under its id until it is answered, and check the answer."""
        self._ids += 1
        asked = request(command, by, id=f"command {self._ids}")
        before = self.store.head(table_stream(table)).version
        for _ in range(TRIES_MAX):
            try:
                answer = await self._gateway(gateways).ask(table, asked)
            except (Refusal, Unavailable):
                await asyncio.sleep(0.5)
                continue
            self._note(asked, answer, table)
            if answer.refused not in _UNDECIDED:
                self._check(asked, answer, table, before)
                return
            self.tally.add(f"no answer: {answer.refused}")
            await asyncio.sleep(0.3)
        raise SimulationFailure("no answer", f"{asked} at {table}")

    def _gateway(self, gateways: list[str]) -> Process:
        """Any gateway that takes callers; raises Unavailable if there is none."""
        living = [name for name in gateways if not self.processes[name].dead.is_set()]
        if not living:
            raise Unavailable("No gateway takes callers.")
        return self.processes[self.random.choice(living)]

    def _note(self, asked: Request, answer: Answer, table: str) -> None:
        told = {"stream": table_stream(table), "actor": str(asked.by), "id": asked.id}
        self.told.append(told | {"version": answer.version, "refused": answer.refused})

    def _check(self, asked: Request, answer: Answer, table: str, before: int) -> None:
        done = [
            stored
            for stored in self.store.events(table_stream(table))
            if stored.cause.command == asked.id and stored.cause.digest
        ]
        if answer.accepted:
            self.tally.add("accepted")
            require(len(done) == 1, "an answer without its record", f"{asked}: {done}")
            return
        self.tally.add("refused")
        require(not done, "a refusal of what was done", f"{asked}: {done}")
        require(
            answer.version >= before,
            "an answer from the past",
            f"{asked} was sent at version {before} and refused at {answer.version}",
        )

    # Faults ----------------------------------------------------------------------------

    async def _fail(self, workers: list[str], gateways: list[str]) -> None:
        often = (self._kill, self._kill, self._sleep, self._sleep, self._sleep)
        faults = (*often, self._cut, self._lose_store, self._compared)
        while not self._over:
            await asyncio.sleep(self.random.random() * 8)
            fault = self.random.choice(faults)
            if fault == self._compared:
                await self._compared("")
                continue
            name = self.random.choice(workers if self.random.random() < 0.7 else gateways)
            self.tally.add(f"fault {fault.__name__.strip('_')} of {name.partition('-')[0]}")
            await fault(name)

    async def _kill(self, name: str) -> None:
        """Kill a process and start it again; the terminals of a gateway go elsewhere meanwhile."""
        process = self.processes[name]
        await process.kill()
        self.followed = [each for each in self.followed if each.process is not process]
        await asyncio.sleep(self.random.random() * LEASE_MS / 500)
        await self._start(name)
        if not process.runs_tables:
            await self._watch(name)

    async def _sleep(self, name: str) -> None:
        """Sleep for longer than the lease, and wake with everything that has come meanwhile."""
        process = self.processes[name]
        process.line.asleep = process.store.asleep = True
        await asyncio.sleep(LEASE_MS / 1000 + self.random.random() * 4)
        process.line.wake()
        # It still believes that it holds its leases.
        await asyncio.sleep(self.random.random() * 2)
        process.store.asleep = False

    async def _cut(self, name: str) -> None:
        process = self.processes[name]
        process.line.cut = True
        await asyncio.sleep(self.random.random() * 20)
        process.line.cut = False

    async def _lose_store(self, name: str) -> None:
        process = self.processes[name]
        process.store.away = True
        await asyncio.sleep(self.random.random() * 8)
        process.store.away = False

    # Followers -------------------------------------------------------------------------

    async def _compared(self, _: str) -> None:
        """Compare every follower with the fold of the record up to its version."""
        for followed in self.followed:
            self._compare_one(followed)

    def _compare_one(self, followed: Followed) -> None:
        table, version = followed.table.table, followed.table.version
        begun = TableFold.begun(self.store, self.codec, table.id)
        if begun is not None and begun.version == version:
            self.tally.add("followers compared")
            if begun.table != table:
                self.failures.append(
                    SimulationFailure(
                        "a follower is not the fold of its record", f"{table.id} at {version}"
                    )
                )

    async def _compare(self) -> None:
        """In the end, with a bus that works, every follower and every meter knows everything."""
        self.air.share = 0
        for process in self.processes.values():
            process.store.away = process.store.asleep = process.line.cut = False
            process.line.wake()
        await self._until(self._have_followed, "a follower stays behind")
        if self.linked:
            await self._until(self.link.has_counted_all, "a link stays behind")
            await self._until(self._have_counted, "a meter stays behind")
        await self._compared("")
        self._check_failures()

    async def _until(self, ready: Callable[[], bool], otherwise: str) -> None:
        for _ in range(60):
            await asyncio.sleep(1)
            if ready():
                return
        heads = {table: self.store.head(table_stream(table)).version for table in TABLES}
        raise SimulationFailure(otherwise, str(heads))

    def _have_followed(self) -> bool:
        heads = {table: self.store.head(table_stream(table)).version for table in TABLES}
        return all(each.table.version == heads[each.table.table.id] for each in self.followed)

    def _have_counted(self) -> bool:
        """Whether every process shows the meter by the record."""
        exact = self.link.recorded().meter.display_cents
        links = (process.floor.worker_services.links for process in self.processes.values())
        return all(each.meter_cents(LINK) == exact for each in links)


class ClusterFailure(SimulationFailure):
    """A failure of a seed of several processes."""

    def __init__(self, check: str, sentence: str, seed: int) -> None:
        super().__init__(check, sentence)
        self.seed = seed

    def __str__(self) -> str:
        return f"{self.check}: {self.sentence} (seed {self.seed} of the cluster)"


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """What a seed does on purpose is not logged."""
    logger = logging.getLogger("openfelt")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


def run_seed(seed: int, patches: Patches = contextlib.nullcontext) -> Tally:
    """Run one seed, perhaps of a broken build; raises SimulationFailure."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with _silence(), tempfile.TemporaryDirectory(prefix="openfelt-cluster-", dir=memory) as folder:
        try:
            with simulated_keys(), patches():
                return run_virtually(
                    lambda clock: ClusterSimulation(seed, Path(folder), clock).run()
                )
        except SimulationFailure as failure:
            raise ClusterFailure(failure.check, failure.sentence, seed) from None
