"""One simulation: a floor of tables, servers, terminals and people, driven by a seed.

Everything happens in one thread, in steps. A step is the next thing in time: a message
arrives, a mailbox is worked off, a clock ends, a person acts, a fault strikes.
"""

import heapq
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from openfelt.cards import FULL_DECK
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.links import links
from openfelt.runtime.tables.recovery import snapshots
from openfelt.runtime.tables.worker import TableWorker
from openfelt.table.links.link_referee import OpenLink
from tests.simulation.actor import Actor
from tests.simulation.auditor import Auditor, Trace
from tests.simulation.claims import Claims
from tests.simulation.closing import close_floor
from tests.simulation.disk import StoreMaker, simulated_store
from tests.simulation.failure import SimulationFailure
from tests.simulation.faults import SURE
from tests.simulation.floor_plan import LINK, SIDE_LINK, PlannedTable, planned_tables
from tests.simulation.machine import Machine
from tests.simulation.messages import CASHIER, Network
from tests.simulation.players import Player
from tests.simulation.server import Server
from tests.simulation.sim_keys import simulated_keys
from tests.simulation.staff import PATIENCE_MS, Dealer, Supervisor
from tests.simulation.tally import Tally
from tests.simulation.terminal import Terminal

STEPS = 4000
"""How many steps a seed takes by default."""
CROWD_EVERY = 50
"""One seed in so many has hundreds of players at tables of their own."""
CHECK_EVERY = 100
"""After so many steps everything is compared, and not only what has changed."""


@dataclass(frozen=True, slots=True)
class Build:
    """The parts that a deliberately broken build exchanges."""

    name: str = "sound"
    worker: type[TableWorker] = TableWorker
    cashier: Callable[..., Cashier] = Cashier
    make_store: StoreMaker = simulated_store
    patches: Callable[[], AbstractContextManager[Any]] = field(default=nullcontext)


class Simulation:
    """One seed."""

    def __init__(
        self,
        seed: int,
        steps: int,
        folder: Path,
        build: Build,
        trace: Trace | None = None,
        *,
        server: str | None = None,
    ) -> None:
        self.seed = seed
        self.steps = steps
        self.step = 0
        self.build = build
        self.random = Random(seed)
        self.tally = Tally()
        self.trace = trace
        self.machine = Machine(folder, self.random, self.tally, build.make_store, server=server)
        self.auditor = Auditor(self.machine, trace)
        self.claims = Claims(self)
        self.network = Network(self)
        self.deck = FULL_DECK
        self.servers: list[Server] = []
        self.tables: dict[str, PlannedTable] = {}
        self.supervisor: Supervisor
        self.terminals: list[Terminal] = []
        self._people: dict[str, list[Actor]] = {}
        self._schedule: list[tuple[int, int, Callable[[], object]]] = []
        self._scheduled = 0
        self._amounts = 0
        self._restarts = 0

    # Time ------------------------------------------------------------------------------

    def after(self, delay_ms: int, do: Callable[[], object]) -> None:
        """Let something happen later."""
        self._scheduled += 1
        at_ms = self.machine.clock.true_ms + delay_ms
        heapq.heappush(self._schedule, (at_ms, self._scheduled, do))

    def run(self) -> Tally:
        """Run the seed to its end; raises SimulationFailure."""
        try:
            self._set_up()
            while self.step < self.steps:
                self._next()
            close_floor(self)
        except SimulationFailure as failure:
            raise failure.at(seed=self.seed, steps=self.steps, step=self.step) from None
        except Exception as error:
            unexpected = SimulationFailure("unexpected error", repr(error))
            raise unexpected.at(seed=self.seed, steps=self.steps, step=self.step) from error
        finally:
            self.machine.close()
        self.tally.fingerprint = self.auditor.fingerprint()
        self.tally.add("seeds")
        self.tally.add("steps", self.step)
        return self.tally

    def _next(self) -> None:
        """Take the next step; looking up and doing nothing is none."""
        self.step += 1
        losses = self.machine.power_losses
        happened: object = False
        while happened is False:
            at_ms, _, do = heapq.heappop(self._schedule)
            self.machine.clock.go_to(at_ms)
            happened = do()
        if self.machine.power_losses != losses:
            for server in list(self.servers):
                server.die()
        lost_power = self.machine.power_losses != losses
        self.check_step(everything=lost_power or self.step % CHECK_EVERY == 0)

    def check_step(self, *, everything: bool = False) -> None:
        """Check what this step has changed, and now and then everything."""
        changed = self.auditor.after_step()
        for table in changed:
            for server in self.servers:
                if table in server.workers:
                    self.auditor.compare(server.workers[table])
            for person in self._people.get(table, ()):
                person.wake()
        if everything:
            self.auditor.check_everything()
            for server in self.servers:
                for running in server.workers.values():
                    self.auditor.compare(running)
            if self.auditor.tables:
                self.auditor.check_recovery(self.random.choice(list(self.auditor.tables)))

    def new_amount(self, least_cents: int, most_cents: int) -> int:
        """An amount that no other player has paid yet, as long as there are enough of them."""
        self._amounts += 1
        return least_cents + self._amounts * 7919 % max(1, most_cents - least_cents)

    # The floor -------------------------------------------------------------------------

    def _set_up(self) -> None:
        random = self.random
        crowd = self.seed % CROWD_EVERY == CROWD_EVERY - 1
        private = 250 if crowd else random.choice((4, 4, 6, 8, 12, 40))
        planned = planned_tables(self.seed, private=private)
        self.tables = {table.name: table for table in planned}
        for number in range(random.randint(2, 4)):
            self.start_server(f"server-{number}", f"server-{number}")
        for link in (LINK, SIDE_LINK):
            self._open_link(link)
        self.supervisor = Supervisor(self)
        for table in planned:
            for number in range(table.players_wanted):
                name = table.private_to or f"{table.name}-player-{number}"
                self._enter(Player(self, name, table.name))
            if table.live:
                self._enter(Dealer(self, table.name))
        self._enter(self.supervisor)
        self.after(1000, self._weather)
        for fault in SURE:
            self._surely(lambda fault=fault: self.machine.faults.make_due(fault))  # type: ignore[misc]
        strikes = (self._let_a_month_pass, *(self._jump,) * 2, *(self._stall,) * 2)
        for strike in (*strikes, *(self._jump_and_kill,) * 3):
            self._surely(strike)

    def _enter(self, person: Actor) -> None:
        self.terminals.append(person.terminal)
        self._people.setdefault(person.table or "", []).append(person)
        person.wake()

    def _open_link(self, link: str) -> None:
        """Open a link, and try again until it is there."""
        server = self.any_server()
        if link in self.auditor.links:
            return
        self.after(500, lambda: self._open_link(link))
        if server is not None:
            opening = OpenLink(link=link, contribution=Fraction(1, 4), seed_cents=10_000)
            server.run(lambda: server.command_link(link, opening))

    # Servers ---------------------------------------------------------------------------

    def start_server(self, name: str, owner: str) -> Server:
        """Start a process."""
        server = Server(self, name, owner)
        self.servers.append(server)
        self.after(self.random.randint(1, 50), server.tend)
        return server

    def server_died(self, server: Server) -> None:
        """Start another process in its place, after a while; perhaps under the same name."""
        self.servers.remove(server)
        self.tally.add("process died")
        self._restarts += 1
        owner = server.owner
        if self.random.random() < 0.3:
            owner = f"{server.name}-{self._restarts}"
        if not self.machine.faults.quiet:
            self.after(self.random.randint(50, 1000), lambda: self.start_server(server.name, owner))

    def absent_ms(self, table: str) -> dict[str, int]:
        """The players of a table who have kept the others waiting: their terminals are gone."""
        idle_ms, state = self.auditor.idle_ms(table), self.auditor.tables.get(table)
        if state is None or idle_ms < PATIENCE_MS:
            return {}
        return dict.fromkeys(state.sitting, idle_ms)

    def any_server(self) -> Server | None:
        """Some process that lives."""
        return self.random.choice(self.servers) if self.servers else None

    def server_for(self, to: str) -> Server | None:
        """Where a message is delivered: to the process that claims to run the table."""
        if to == CASHIER:
            return self.any_server()
        found = [server for server in self.servers if to in server.workers]
        if len(found) > 1:
            self.tally.add("message while two processes run a table")
        return self.random.choice(found) if found else None

    # Weather ---------------------------------------------------------------------------

    def _weather(self) -> None:
        """Strike at a process or at the clock."""
        random = self.random
        self.after(random.randint(200, 1500), self._weather)
        chance, server = random.random(), self.any_server()
        if random.random() < 0.1:
            self.machine.hot = random.random() < 0.75
        if chance < 0.04:
            self._jump()
        elif chance < 0.05:
            self._let_a_month_pass()
        elif chance < 0.13:
            self._stall()
        elif server is None:
            return
        elif chance < 0.15:
            self.tally.add("process killed")
            server.die()
        elif chance < 0.19 and server.workers:
            table = random.choice(list(server.workers))
            server.run(lambda: server.give_up_if_possible(table))

    def _surely(self, strike: Callable[[], object]) -> None:
        """Let something strike once in the first seconds."""
        self.after(self.random.randint(2000, 12_000), strike)

    def _jump(self) -> None:
        """Set the wall clock to another time, most often not far away."""
        random, clock = self.random, self.machine.clock
        far = random.random() < 0.2
        offset_ms = random.randint(-1, 1) * random.randint(1, 7_200_000 if far else 20_000)
        ahead = offset_ms > clock.wall_offset_ms
        self.tally.add(f"clock jumped {'forward' if ahead else 'back'}")
        clock.jump_to(offset_ms)

    def _jump_and_kill(self) -> None:
        """Set the wall clock to another time, and then end every process in which a clock runs."""

        def kill() -> None:
            for server in [server for server in self.servers if server.runs_a_clock]:
                self.tally.add("process killed after a jump of the wall clock")
                server.die()

        self._jump()
        self.after(self.random.randint(100, 3000), kill)

    def _stall(self) -> None:
        """Let a process do nothing for so long that it may lose its leases."""
        server = self.any_server()
        if server is not None:
            self.tally.add("process stalled")
            server.stall(self.machine.clock.true_ms + self.random.randint(500, 9000))

    def _let_a_month_pass(self) -> None:
        self.tally.add("a month passed")
        # No connection lasts that long, and nothing waits in a mailbox.
        for terminal in self.terminals:
            terminal.connections.clear()
        for server in self.servers:
            server.forget_messages()
        self.machine.clock.go_to(self.machine.clock.true_ms + 31 * DAY_MS)
        for server in list(self.servers):
            server.run(server.sweep)


def run_seed(
    seed: int,
    *,
    steps: int = STEPS,
    build: Build | None = None,
    trace: Trace | None = None,
    server: str | None = None,
) -> Tally:
    """Run one seed in a folder of its own, or on an empty database of a server.

    Raises SimulationFailure.
    """
    build = build or Build()
    with _folder() as folder, simulated_keys(), _often(Random(seed)), build.patches():
        return Simulation(seed, steps, folder, build, trace, server=server).run()


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder in memory where the system has one: the disk's failures are simulated."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        yield Path(folder)


@contextmanager
def _often(random: Random) -> Iterator[None]:
    """Let snapshots be written far more often than in earnest."""
    every = random.choice((3, 20, 100))
    with (
        mock.patch.object(snapshots, "SNAPSHOT_EVERY", every),
        mock.patch.object(links, "LINK_SNAPSHOT_EVERY", every),
    ):
        yield
