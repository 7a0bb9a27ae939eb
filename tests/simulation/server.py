"""A simulated server process: it leases tables, runs their workers, and dies at any moment."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from openfelt.ledger.wallet import Deposited, WalletEvent
from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.open_table import write_table
from openfelt.runtime.tables.stops import Lost
from openfelt.runtime.tables.sweeper import Sweeper
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import Lease, Unavailable
from openfelt.table.commands import SYSTEM, ExpireRound, OpenTable, Person, Role
from openfelt.table.links.link_referee import LinkCode, LinkCommand
from tests.simulation.failure import SimulationFailure, require
from tests.simulation.faults import Crash
from tests.simulation.faulty_store import FaultyStore
from tests.simulation.floor_plan import house
from tests.simulation.messages import CASHIER, Message
from tests.simulation.rigged import RiggedShuffler

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation

LEASE_MS: Final = 3000
BATCH_MAX: Final = 16
CLOCK_WRONG_MAX_MS: Final = 4 * 3600 * 1000
"""By so much a wall clock is never wrong here, however it jumps."""
OPENER: Final = Person(Role.FLOOR, "opener")


class Server:
    """One process. What it holds in memory is lost when it dies."""

    def __init__(self, simulation: "Simulation", name: str, owner: str) -> None:
        self.name = name
        self.owner = owner
        self.alive = True
        self.workers: dict[str, TableWorker] = {}
        self._simulation = simulation
        machine = simulation.machine
        self._machine = machine
        self._random: Random = machine.random
        self._store = FaultyStore(machine.disk.open(), machine, owner)
        seed = machine.random.getrandbits(64)
        self.shuffler = RiggedShuffler(Random(seed), lambda: machine.hot)
        self.worker_services = WorkerServices.of(self._store, self.shuffler, machine.clock)
        self.worker_services.people.ask_absent(simulation.absent_ms)
        self.cashier = simulation.build.cashier(
            self._store, self.worker_services.codec, machine.clock
        )
        self._sweeper = Sweeper(self.worker_services)
        self._mailboxes: dict[str, list[Message]] = {}
        self._stalled_until_ms = 0

    # Life and death ------------------------------------------------------------------

    def run(self, do: Callable[[], object]) -> None:
        """Do something, and die where a crash strikes on the way."""
        if not self.alive:
            return
        try:
            do()
        except Crash:
            self.die()

    def die(self) -> None:
        """Everything in memory is gone; a process that starts later takes its tables over."""
        if not self.alive:
            return
        self.alive = False
        self._store.dead = True
        self.workers.clear()
        self._mailboxes.clear()
        self._machine.disk.close(self._store.inner)
        self._simulation.server_died(self)

    @property
    def runs_a_clock(self) -> bool:
        """Whether a clock runs at one of its tables."""
        return any(worker.table.clock is not None for worker in self.workers.values())

    def stall(self, until_ms: int) -> None:
        """Do nothing for a while, and go on as if nothing had been."""
        self._stalled_until_ms = until_ms

    @property
    def _stalled_ms(self) -> int:
        return max(0, self._stalled_until_ms - self._machine.clock.true_ms)

    # Messages ------------------------------------------------------------------------

    def receive(self, message: Message) -> None:
        """Put a message into its mailbox; the first one rings."""
        box = self._mailboxes.setdefault(message.to, [])
        box.append(message)
        if len(box) == 1:
            delay_ms = self._stalled_ms + self._random.randint(0, 15)
            self._simulation.after(delay_ms, lambda: self._work_off(message.to))

    def forget_messages(self) -> None:
        """Lose what waits in the mailboxes, with the connections that it came over."""
        self._mailboxes.clear()

    def _work_off(self, to: str) -> None:
        if not self.alive:
            return
        if self._stalled_ms:
            self._simulation.after(self._stalled_ms, lambda: self._work_off(to))
            return
        box = self._mailboxes.pop(to, [])
        for start in range(0, len(box), BATCH_MAX):
            batch = box[start : start + BATCH_MAX]
            self.run(lambda batch=batch: self._take(to, batch))  # type: ignore[misc]

    def _take(self, to: str, batch: list[Message]) -> None:
        if to == CASHIER:
            for message in batch:
                self._pay(message)
            return
        worker = self.workers.get(to)
        if worker is None:
            self._simulation.tally.add("message to a table that no process runs", len(batch))
            return
        if self._machine.faults.strikes("shuffler_failed"):
            self.shuffler.failing = True
        requests = [Request(by=one.by, command=one.command, id=one.id) for one in batch]  # type: ignore[arg-type]
        self._simulation.claims.check_repeats(worker, requests, lambda: self._ask(worker, requests))
        answers = self._simulation.claims.last_answers
        if answers is not None:
            for message, answer in zip(batch, answers, strict=True):
                self._simulation.network.answer(message, answer)

    def _ask(self, worker: TableWorker, requests: list[Request]) -> list[Answer] | None:
        """The worker's answers; None where it has lost its table."""
        try:
            answers = worker.handle(requests)
        except Lost:
            self._lost(worker)
            return None
        if len(requests) > 1:
            self._simulation.tally.add("batch of several commands")
        return answers

    def _pay(self, message: Message) -> None:
        event = message.command
        assert isinstance(event, WalletEvent)
        act = self.cashier.deposit if isinstance(event, Deposited) else self.cashier.withdraw
        try:
            answer = act(event.player, event.cents, id=message.id, note=event.note)
        except Unavailable:
            self._simulation.tally.add("payment not answered, store unavailable")
            return
        self._simulation.network.answer(message, answer)

    # Tables --------------------------------------------------------------------------

    def tend(self) -> None:
        """Renew leases, let clocks end, and take up tables that no process runs."""
        if not self.alive:
            return
        delay_ms = self._stalled_ms + self._random.randint(500, 1500)
        self._simulation.after(delay_ms, self.tend)
        if self._stalled_ms:
            return
        if self._random.random() < 0.3:
            self.run(self._refresh_links)
        if self._random.random() < 0.02:
            self.run(self.sweep)
        for table in self._simulation.tables:
            self.run(lambda table=table: self._tend_table(table))  # type: ignore[misc]

    def _tend_table(self, table: str) -> None:
        try:
            worker = self.workers.get(table)
            if worker is None:
                self._consider(table)
            else:
                self._keep(worker)
        except Unavailable:
            self._simulation.tally.add("table not tended, store unavailable")
        except Lost:
            self._lost(self.workers[table])

    def _refresh_links(self) -> None:
        try:
            fed: dict[str, list[str]] = {}
            for worker in self.workers.values():
                if worker.table.link is not None:
                    fed.setdefault(worker.table.link, []).append(worker.table.id)
            self.worker_services.links.refresh(fed)
            self.worker_services.people.dealers.refresh()
        except Unavailable:
            self._simulation.tally.add("links not refreshed, store unavailable")

    def _keep(self, worker: TableWorker) -> None:
        table, random = worker.table.id, self._random
        assert worker.lease is not None
        ends_in_ms = worker.lease.until_ms - self._machine.clock.wall_ms()
        if ends_in_ms < LEASE_MS * 2 // 3 and random.random() < 0.9:
            lease = self._store.renew_lease(worker.lease, ttl_ms=LEASE_MS)
            if lease is None:
                self._simulation.tally.add("stale holder saw that its lease was over")
                del self.workers[table]
                return
            worker.lease = lease
        if worker.stopped is not None:
            expected = "error" not in worker.stopped.sentence
            require(expected, "unexpected error", f"{table}: {worker.stopped.sentence}")
            if worker.stopped.code is RuntimeCode.SHUFFLER_FAILED:
                self._simulation.tally.add("shuffler failed")
                self.give_up(table)
            elif worker.try_again():
                self._simulation.tally.add("table goes on after a stop")
                self._look_at(worker)
            return
        worker.tick()
        if random.random() < 0.3:
            worker.prepare()

    def sweep(self) -> None:
        """Cancel and refund rounds that have waited for thirty days."""
        try:
            for expired in self._sweeper.due():
                worker = self.workers.get(expired.table)
                if worker is not None:
                    self._expire(worker, ExpireRound(expired.round, expired.days))
        except Unavailable:
            self._simulation.tally.add("rounds not swept, store unavailable")

    def _expire(self, worker: TableWorker, command: ExpireRound) -> None:
        table = worker.table.id
        try:
            (answer,) = worker.handle([Request(by=SYSTEM, command=command)])
        except Lost:
            self._lost(worker)
            return
        if answer.accepted:
            self._simulation.tally.add("round expired")
            aged_ms = self._simulation.auditor.round_age_ms(table) + CLOCK_WRONG_MAX_MS
            require(aged_ms >= 30 * DAY_MS, "expiry", f"{table} lost a round too early.")

    def _lost(self, worker: TableWorker) -> None:
        self._simulation.tally.add("stale holder fenced")
        self.workers.pop(worker.table.id, None)

    def give_up(self, table: str) -> None:
        """Hand a table over in good order."""
        worker = self.workers.pop(table)
        assert worker.lease is not None
        self._simulation.tally.add("table handed over")
        self._store.release_lease(worker.lease)

    def _consider(self, table: str) -> None:
        """Take up a table that no process runs, or believe so."""
        servers = self._simulation.servers
        quota = len(self._simulation.tables) // max(len(servers), 1) + 2
        run = any(table in server.workers for server in servers)
        if len(self.workers) >= quota or self._random.random() < (0.85 if run else 0.2):
            return
        lease = self._store.take_lease(table_stream(table), self.owner, ttl_ms=LEASE_MS)
        if lease is None:
            return
        if self._store.head(table_stream(table)).version == 0 and not self._open(table, lease):
            return
        build = self._simulation.build
        worker = build.worker.start(self.worker_services, table, lease)
        self.workers[table] = worker
        self._simulation.tally.add("table taken up")
        self._look_at(worker)

    def _look_at(self, worker: TableWorker) -> None:
        """Compare a table that has just been built again with the record."""
        self._simulation.auditor.after_step()
        self._simulation.auditor.compare(worker)

    def _open(self, table: str, lease: Lease) -> bool:
        planned = self._simulation.tables[table]
        if (
            planned.link is not None
            and self.worker_services.links.reload(planned.link).link is None
        ):
            return False
        command = OpenTable(
            table=table,
            house=house(planned.kind),
            dealer_mode=planned.dealer_mode,
            clock=planned.clock,
            private_to=planned.private_to,
            link=planned.link,
        )
        write_table(self.worker_services, command, by=OPENER, lease=lease)
        return True

    def give_up_if_possible(self, table: str) -> None:
        """Hand a table over, unless the store cannot be reached."""
        try:
            self.give_up(table)
        except Unavailable:
            self._simulation.tally.add("table not handed over, store unavailable")

    # Closing time --------------------------------------------------------------------

    def tend_all(self) -> None:
        """Take up every table that there is."""
        for table in self._simulation.auditor.tables:
            self._tend_table(table)

    def answer_now(self, message: Message) -> Answer:
        """Answer a message at once."""
        event = message.command
        if isinstance(event, WalletEvent):
            act = self.cashier.deposit if isinstance(event, Deposited) else self.cashier.withdraw
            return act(event.player, event.cents, id=message.id, note=event.note)
        request = Request(by=message.by, command=event, id=message.id)
        (answer,) = self.workers[message.to].handle([request])
        return answer

    # Links ---------------------------------------------------------------------------

    def command_link(self, link: str, command: LinkCommand) -> None:
        """A supervisor's command at a link; what was not answered is simply asked again."""
        try:
            self.worker_services.links.command(link, command)
        except Unavailable:
            self._simulation.tally.add("link not changed, store unavailable")
        except Refusal as refusal:
            if not isinstance(refusal.code, LinkCode):
                raise SimulationFailure("link", f"{command} was refused: {refusal}") from refusal
        else:
            self._simulation.tally.add(f"link: {type(command).__name__}")
