"""The floor: all tables that this process runs, each under a lease that it takes and renews."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol, Self, TypeVar
from weakref import WeakValueDictionary

from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock, SystemClock
from openfelt.runtime.commits import CommitObserver, CommitReport, unobserved
from openfelt.runtime.lateness import Lateness
from openfelt.runtime.outage_log import OutageLog
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.shuffle.entropy import SystemEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import PRIVATE_PREFIX, table_stream
from openfelt.runtime.tables.mailbox import Mailbox
from openfelt.runtime.tables.open_table import write_table
from openfelt.runtime.tables.recovery.rebuilds import Rebuilds
from openfelt.runtime.tables.stops import UNREADABLE, Lost
from openfelt.runtime.tables.sweeper import Sweeper
from openfelt.runtime.tables.watchers import Watcher
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import (
    Cause,
    Conflict,
    Fenced,
    Lease,
    Store,
    StoreError,
    Unavailable,
    shown_error,
)
from openfelt.table.commands import SYSTEM, ExpireRound, OpenTable, Person

LEASE_MS: Final = 15_000
"""How long a table stays leased to a process that no longer renews the lease."""
LINKS_MS: Final = 300
"""How often a link counts what its tables have fed to it, so that meters follow within a second."""
THREADS_MAX: Final = 8

logger = logging.getLogger(__name__)
_Given = TypeVar("_Given")


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorTimes:
    """How often the floor does its chores."""

    lease_ms: int = LEASE_MS
    links_ms: int = LINKS_MS
    sweep_ms: int | None = 3_600_000
    """None if the floor's owner has it swept."""
    idle_ms: int = 600_000
    """After this long without use a table is put down; the next request takes it up again."""


class Attendant(Protocol):
    """Receives the changes at all tables of a floor."""

    def taken_up(self, mailbox: Mailbox) -> None:
        """This process has begun to run a table."""
        ...

    def put_down(self, mailbox: Mailbox) -> None:
        """This process no longer runs a table."""
        ...

    def committed(self, committed: CommitReport) -> None:
        """Something has been written; called in the thread that wrote it."""
        ...


class Floor:
    """Runs tables for as long as the process lives."""

    def __init__(
        self,
        store: Store,
        *,
        owner: str,
        shuffler: Shuffler | None = None,
        clock: Clock | None = None,
        times: FloorTimes | None = None,
        observer: CommitObserver = unobserved,
        runs_tables: bool = True,
        cut_off_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        """A floor that runs no tables has only the services of workers, to follow tables with.

        ``cut_off_ms`` is the total time in which other processes could not reach this one; running
        clocks give players this time back, as they do when the process itself is late.
        """
        clock = clock or SystemClock()
        self._runs_tables = runs_tables
        self._observer = observer
        self._attendants: list[Attendant] = []
        self._lateness = Lateness()
        self.worker_services = WorkerServices.of(
            store,
            shuffler or Shuffler(SystemEntropy()),
            clock,
            self._observe,
            lost_ms=lambda: self._lateness.lost_ms() + cut_off_ms(),
        )
        self.cashier = Cashier(
            store,
            self.worker_services.codec,
            clock,
            self._observe,
            limits=self.worker_services.people.limits,
        )
        self._owner = owner
        self._times = times or FloorTimes()
        self._threads = ThreadPoolExecutor(THREADS_MAX, thread_name_prefix="openfelt")
        self._mailboxes: dict[str, Mailbox] = {}
        self._used_ms: dict[str, int] = {}
        self._taking_up: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """A lock exists as long as a task holds it or waits for it."""
        self._unreadable: set[str] = set()
        """Tables whose record could not be opened when they were last wanted."""
        self._sweeper = Sweeper(self.worker_services)
        self.rebuilds = Rebuilds(store, self.worker_services.codec, clock, owner=owner)
        self._chores: list[asyncio.Task[None]] = []

    # Life ------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        times = self._times
        self._chores = [
            asyncio.create_task(every(times.lease_ms // 3, self.renew_leases), name="leases"),
            asyncio.create_task(every(times.lease_ms // 3, self.refresh_dealers), name="dealers"),
            asyncio.create_task(every(times.links_ms, self.refresh_links), name="links"),
            asyncio.create_task(every(times.idle_ms // 4, self.rest), name="rest"),
        ]
        if times.sweep_ms is not None:
            sweeping = every(times.sweep_ms, self.sweep, at_once=True)
            self._chores.append(asyncio.create_task(sweeping, name="sweeper"))
        if isinstance(self.worker_services.clock, SystemClock):
            # A clock that a test moves is never late.
            self._chores.append(asyncio.create_task(self._lateness.run(), name="lateness"))
        return self

    async def __aexit__(self, *_: object) -> None:
        for chore in self._chores:
            chore.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        await self.rebuilds.close()
        for table, mailbox in tuple(self._mailboxes.items()):
            wanted = not (mailbox.idle and table.startswith(PRIVATE_PREFIX))
            await self._put_down(table, mailbox, wanted=wanted)
        self._threads.shutdown()

    # Tables ----------------------------------------------------------------------------

    def attend(self, attendant: Attendant) -> None:
        """Notify an attendant of every table that is taken up, and of every write."""
        self._attendants.append(attendant)

    def _observe(self, committed: CommitReport) -> None:
        """Tell all observers what was written. A failing observer does not undo it."""
        for observer in (self._observer, *(each.committed for each in self._attendants)):
            try:
                observer(committed)
            except Exception as error:  # noqa: BLE001 (its trace might quote a card)
                logger.error("an observer of commits has failed: %s", shown_error(error))

    @property
    def running(self) -> Mapping[str, Mailbox]:
        """The mailboxes of the tables that this process runs now."""
        return MappingProxyType(self._mailboxes)

    @property
    def stopped(self) -> dict[str, str]:
        """The tables of this process that have stopped, and why."""
        stopped = {table: mailbox.worker.stopped for table, mailbox in self._mailboxes.items()}
        return dict.fromkeys(self._unreadable, UNREADABLE) | {
            table: why.sentence for table, why in stopped.items() if why is not None
        }

    def run_elsewhere(self, tables: Iterable[str]) -> None:
        """Other processes run these tables, so they have not stopped, readable here or not."""
        self._unreadable.difference_update(tables)

    async def open_table(self, command: OpenTable, *, by: Person, run: bool = True) -> None:
        """Put a new table on the floor, and run it here unless another process is to; raises
        Refusal."""
        cause = acting()
        if by is not SYSTEM:
            cause = Cause(actor=str(by), terminal=cause.terminal)
        await self.in_thread(lambda: self._write_table(command, by, cause))
        if run:
            await self.mailbox(command.table)

    def _write_table(self, command: OpenTable, by: Person, cause: Cause) -> None:
        try:
            write_table(self.worker_services, command, by=by, lease=None, cause=cause)
        except (Conflict, Fenced) as conflict:
            raise Refusal(
                RuntimeCode.TABLE_EXISTS, f"A table called {command.table} already exists."
            ) from conflict

    async def ask(self, table: str, request: Request) -> Answer:
        """Send a request to a table, taking the table up first if no process runs it."""
        try:
            mailbox = await self.mailbox(table)
        except Refusal as refusal:
            return Answer.of_refusal(refusal, 0)
        self.use(table)
        return await mailbox.ask(request)

    def use(self, table: str) -> None:
        """Note that a table is in use, so that it is not put down."""
        if table in self._mailboxes:
            self._used_ms[table] = self.worker_services.clock.monotonic_ms()

    async def watch(self, table: str, watcher: Watcher) -> Callable[[], None]:
        """Call the watcher with every change at a table; returns a function that ends this."""
        return (await self.mailbox(table)).watch(watcher)

    async def mailbox(self, table: str) -> Mailbox:
        """The mailbox of a table, taken up if it does not run; raises Refusal if that is
        impossible."""
        if not self._runs_tables:
            raise Refusal(RuntimeCode.MOVED, "This process runs no tables.")
        running = self._mailboxes.get(table)
        if running is not None and not running.lost and table not in self._taking_up:
            # Nearly every request is for a table that runs, and that no task takes up or puts down.
            return running
        async with self._taking_up.setdefault(table, asyncio.Lock()):
            mailbox = self._mailboxes.get(table)
            if mailbox is None or mailbox.lost:
                if not await self.ready(table):
                    raise Refusal(
                        RuntimeCode.STOPPED,
                        f"{table} is being rebuilt from its record; it will be ready soon.",
                    )
                worker = await self.in_thread(lambda: self._taken_up(table))
                lost, mailbox = mailbox, Mailbox(worker, self._threads)
                self._mailboxes[table] = mailbox
                self._used_ms[table] = self.worker_services.clock.monotonic_ms()
                for attendant in self._attendants:
                    if lost is not None:
                        attendant.put_down(lost)
                    attendant.taken_up(mailbox)
            return mailbox

    async def ready(self, table: str) -> bool:
        """Whether a table can be read immediately; if not, a process begins to rebuild it."""
        if table in self.rebuilds.tables:
            return False
        if not await self.in_thread(lambda: self._needs_rebuilding(table)):
            return True
        if self._runs_tables:
            self.rebuilds.start(table, self._run_rebuilt)
        else:
            await self.in_thread(lambda: self.worker_services.store.want_owner(table_stream(table)))
        return False

    def _needs_rebuilding(self, table: str) -> bool:
        mailbox = self._mailboxes.get(table)
        if mailbox is not None and not mailbox.lost:
            return False
        try:
            return self.rebuilds.needed(table)
        except StoreError:
            # Taking the table up says what is wrong.
            return False

    async def _run_rebuilt(self, table: str) -> None:
        """Run a table that has been rebuilt, as the start of the server would have."""
        try:
            await self.mailbox(table)
        except Refusal as refusal:
            logger.warning("table %s is not started: %s", table, refusal)

    def _taken_up(self, table: str) -> TableWorker:
        """The worker of a table, or the refusal that says why this process cannot run it."""
        try:
            worker = self._take_up(table)
        except Lost as lost:
            raise Refusal(RuntimeCode.MOVED, f"{table} is run by another process.") from lost
        except Unavailable as error:
            raise Refusal(
                RuntimeCode.STOPPED, f"The store is unavailable: {error.sentence}"
            ) from error
        except (Conflict, Fenced):
            raise
        except StoreError as error:
            # The sentence names rows and files of the operator, so only the log gets it.
            if table not in self._unreadable:
                logger.error("table %s cannot be taken up: %s", table, error)
            self._unreadable.add(table)
            raise Refusal(RuntimeCode.STOPPED, UNREADABLE) from error
        self._unreadable.discard(table)
        return worker

    def _take_up(self, table: str) -> TableWorker:
        store = self.worker_services.store
        if store.head(table_stream(table)).version == 0:
            raise Refusal(RuntimeCode.NO_SUCH_TABLE, f"There is no table called {table}.")
        lease = store.take_lease(table_stream(table), self._owner, ttl_ms=self._times.lease_ms)
        if lease is None:
            raise Refusal(RuntimeCode.MOVED, f"{table} is run by another process.")
        try:
            return TableWorker.start(self.worker_services, table, lease)
        except StoreError:
            # Another process may be able to read it: one of a newer version, or with more keys.
            self._release(lease, wanted=True)
            raise

    async def hand_over(self, table: str, mailbox: Mailbox) -> None:
        """Put a table down that another process is to take up."""
        await self._put_down(table, mailbox, wanted=True)

    async def _put_down(self, table: str, mailbox: Mailbox, *, wanted: bool = False) -> None:
        """Finish the waiting requests, and release the table for other processes.

        Requests that arrive in the meantime wait, and then take the table up again. ``wanted`` says
        that another process should run it now, and not only when a request comes.
        """
        async with self._taking_up.setdefault(table, asyncio.Lock()):
            if self._mailboxes.get(table) is not mailbox:
                return
            await mailbox.close()
            del self._mailboxes[table]
            for attendant in self._attendants:
                attendant.put_down(mailbox)
            self._used_ms.pop(table, None)
            lease = mailbox.worker.lease
            if lease is not None:
                await self.in_thread(lambda: self._release(lease, wanted=wanted))

    def _release(self, lease: Lease, *, wanted: bool) -> None:
        try:
            self.worker_services.store.release_lease(lease, wanted=wanted)
        except Unavailable as error:
            logger.warning(
                "the lease of %s could not be released and will expire: %s", lease.stream, error
            )

    # Chores ----------------------------------------------------------------------------

    async def renew_leases(self) -> None:
        """Renew the leases of all tables together; a table whose lease was lost is put down."""
        held = {
            mailbox.worker.lease.stream: (table, mailbox)
            for table, mailbox in self._mailboxes.items()
            if mailbox.worker.lease is not None and not mailbox.lost
        }
        leases = [mailbox.worker.lease for _, mailbox in held.values() if mailbox.worker.lease]
        renewed = await self.in_thread(
            lambda: self.worker_services.store.renew_leases(leases, ttl_ms=self._times.lease_ms)
        )
        for lease in renewed:
            _, mailbox = held.pop(lease.stream)
            if _is_held(mailbox, lease):
                mailbox.worker.lease = lease
        lost = {lease.stream: lease for lease in leases if lease.stream in held}
        for stream, (table, mailbox) in held.items():
            # A worker that takes its lease anew after a lost commit has another one by now.
            if self._mailboxes.get(table) is mailbox and _is_held(mailbox, lost[stream]):
                logger.warning("the lease of %s has passed to another process", table)
                await self._put_down(table, mailbox)

    async def refresh_links(self) -> None:
        """Fold the links of this floor's tables, and read what was done to links elsewhere."""
        tables = (mailbox.worker.table for mailbox in self._mailboxes.values() if not mailbox.lost)
        fed: dict[str, set[str]] = {}
        for table in tables:
            if table.link is not None:
                fed.setdefault(table.link, set()).add(table.id)
        await self.in_thread(lambda: self.worker_services.links.refresh(fed))

    async def refresh_dealers(self) -> None:
        """Read what other processes have done to dealers."""
        await self.in_thread(self.worker_services.people.dealers.refresh)

    async def sweep(
        self,
        *,
        skips: Callable[[str], bool] = lambda _: False,
        ask: Callable[[str, Request], Awaitable[Answer]] | None = None,
    ) -> None:
        """Cancel and refund rounds that have waited too long for their player (O.unfinished).

        It is done at the start too: a server that is often restarted must not put it off. A table
        that has to be rebuilt first is swept the next time, and one that ``skips`` names is not.
        ``ask`` sends the requests, where other processes run tables too.
        """
        sweeper = self._sweeper
        expired = await self.in_thread(
            lambda: sweeper.due(skips=lambda table: skips(table) or self._needs_rebuilding(table))
        )
        for table, number, days in expired:
            request = Request(by=SYSTEM, command=ExpireRound(number, days))
            answer = await (ask or self.ask)(table, request)
            done = "swept" if answer.accepted else "not swept"
            logger.info("round %s/%d %s after %d days: %s", table, number, done, days, answer)

    async def rest(self) -> None:
        """Put down tables that have not been used for a while."""
        now_ms = self.worker_services.clock.monotonic_ms()
        for table, mailbox in tuple(self._mailboxes.items()):
            unused_ms = now_ms - self._used_ms.get(table, now_ms)
            if mailbox.lost or (mailbox.idle and unused_ms > self._times.idle_ms):
                await self._put_down(table, mailbox)

    async def in_thread(self, work: Callable[[], _Given]) -> _Given:
        """Run blocking work in one of the floor's threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def _is_held(mailbox: Mailbox, lease: Lease) -> bool:
    """Whether this lease is still the one that a mailbox's worker writes under."""
    held = mailbox.worker.lease
    return held is not None and held.fence == lease.fence


def _name_of(chore: Callable[[], Awaitable[None]]) -> str:
    """What a chore is called in the log."""
    name = getattr(chore, "__name__", "")
    return name if name.isidentifier() else "a chore"


async def every(
    pause_ms: int, chore: Callable[[], Awaitable[None]], *, at_once: bool = False
) -> None:
    """Do a chore at intervals; one that fails is tried again the next time."""
    outage = OutageLog(logger, f"the store is unavailable, {_name_of(chore)} waits")
    if not at_once:
        await asyncio.sleep(pause_ms / 1000)
    while True:
        try:
            await chore()
            outage.over()
        except Unavailable as error:
            outage.failed(error)
        except Exception as error:  # noqa: BLE001 (its trace might quote a card)
            logger.error("a chore failed: %s", shown_error(error))
        await asyncio.sleep(pause_ms / 1000)
