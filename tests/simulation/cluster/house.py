"""The simulated processes of one house: table processes and gateways on one store."""

import asyncio
import contextlib
from random import Random
from typing import Any, cast

from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.cluster.membership import Membership
from openfelt.runtime.cluster.ownership import Ownership
from openfelt.runtime.remote.house_tables import SharedTables
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.floor import Floor, FloorTimes
from openfelt.storage.cluster.cluster_door import BusReport, BusState, NewMember
from openfelt.storage.door import Store, Unavailable
from tests.simulation.cluster.simulated_bus import Air, Line
from tests.simulation.cluster.virtual_loop import VirtualClock
from tests.simulation.rigged import RiggedShuffler

LEASE_MS = 5000
LINKS_MS = 900
"""How often a process reads its links: less often than in a house, which saves half of a seed."""
HOT_CHANCE = 0.3
"""How often a rigged deck is one of those that nearly always win."""
_RENEWALS = frozenset({"renew_leases", "renew_member"})


class ProcessStore:
    """The store as one process has it: away when the process is dead or cut off from it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.away = False
        self.asleep = False
        """A process that sleeps renews nothing."""

    def __getattr__(self, name: str) -> Any:
        if self.away or (self.asleep and name in _RENEWALS):

            def fail(*_: object, **__: object) -> None:
                raise Unavailable("The database cannot be reached.")

            return fail
        return getattr(self._store, name)


def _shuffler(run: int, *, rigged: bool) -> Shuffler:
    if not rigged:
        return Shuffler(SeededEntropy(run))
    random = Random(run)
    return RiggedShuffler(random, lambda: random.random() < HOT_CHANCE)


class Process:
    """One process, started and killed by the simulation."""

    def __init__(
        self,
        store: Store,
        air: Air,
        clock: VirtualClock,
        name: str,
        *,
        run: int,
        tables: bool,
        rigged: bool = False,
    ) -> None:
        """With ``rigged``, the decks often win a share of a progressive."""
        self.name, self.runs_tables = name, tables
        self.dead = asyncio.Event()
        """Set when the process has been killed."""
        self.store, self.line = ProcessStore(store), Line(air)
        self._clock = clock
        own = cast("Store", self.store)
        self.floor = Floor(
            own,
            owner=name,
            clock=clock,
            shuffler=_shuffler(run, rigged=rigged),
            times=FloorTimes(lease_ms=LEASE_MS, links_ms=LINKS_MS, sweep_ms=None),
            runs_tables=tables,
        )
        role = "tables" if tables else "gateway"
        member = NewMember(name=name, home=name, run=str(run), role=role, version="1")
        self._connected_ms = clock.monotonic_ms()
        self._was_connected = True
        self.membership = Membership(own, member, ttl_ms=LEASE_MS, bus=self._bus_report)
        self.ownership = Ownership(self.floor, self.membership, lease_ms=LEASE_MS)
        self.tables = SharedTables(
            self.floor,
            cast("Bus", self.line),
            process=name,
            takes=self._take if tables else None,
        )
        self._stack = contextlib.AsyncExitStack()
        self._task: asyncio.Task[None] | None = None

    def _bus_report(self) -> BusReport:
        now_ms = self._clock.monotonic_ms()
        if self._was_connected != self.line.connected:
            self._was_connected, self._connected_ms = self.line.connected, now_ms
        state = BusState.CONNECTED if self._was_connected else BusState.LOST
        return BusReport(state, now_ms - self._connected_ms)

    async def _take(self, table: str) -> None:
        await self.floor.in_thread(lambda: self.store.want_owner(table_stream(table)))
        await self.ownership.step()

    async def start(self) -> None:
        """Join, and run what falls to this process."""
        self.membership._try_to_join()
        await self._stack.enter_async_context(self.floor)
        await self._stack.enter_async_context(self.tables)
        self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while True:
            await asyncio.sleep(1)
            if not self.store.asleep:
                with contextlib.suppress(Unavailable):
                    await self.membership.renew()
                    await self.ownership.step()

    async def kill(self) -> None:
        """End without a word: no lease is given back, and no message leaves any more."""
        self.dead.set()
        self.line.cut = self.store.away = True
        await self.close()

    async def ask(self, table: str, request: Request) -> Answer:
        """Send a request through this process; raises Unavailable if it dies meanwhile."""
        asking = asyncio.create_task(self.tables.ask(table, request))
        dying = asyncio.create_task(self.dead.wait())
        await asyncio.wait((asking, dying), return_when=asyncio.FIRST_COMPLETED)
        dying.cancel()
        if not asking.done():
            asking.cancel()
            raise Unavailable("The gateway does not answer any more.")
        return await asking

    async def close(self) -> None:
        """Stop everything."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        with contextlib.suppress(Unavailable):
            await self._stack.aclose()
