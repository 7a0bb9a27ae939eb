"""A table as a process follows it: the fold of its events, wherever the table runs.

The process that runs the table announces each new version over the bus. What has changed is read
from the store; a message that is lost, repeated or late costs time and nothing else. If the table
runs in this process, its mailbox reports the changes instead, and nothing is read. So viewers keep
their connections when a table moves.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, Protocol

from openfelt.runtime.remote.table_fold import TableFold
from openfelt.runtime.remote.table_status import TableStatus
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.tables.draft import outside_now
from openfelt.runtime.tables.mailbox import Mailbox
from openfelt.runtime.tables.stops import UNREADABLE, StopReason
from openfelt.runtime.tables.watchers import Change, Watcher, Watchers
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import Unavailable, shown_error
from openfelt.table.events import TableEvent
from openfelt.table.permissions import Outside
from openfelt.table.state import Table

SILENT_MS: Final = 3_000
"""After this long without a message from its process, a table counts as stopped for its viewers."""
REACH_MS: Final = 5_000
"""How long an answer waits until its change is known here."""
RETRY_MS: Final = 500
"""How long after a failure the store is read again."""

MOVES: Final = StopReason(
    RuntimeCode.MOVED, "This table is moving to another server and continues in a moment."
)
CUT_OFF: Final = StopReason(
    RuntimeCode.MOVED, "The servers cannot reach each other. The table continues when they can."
)
NO_STORE: Final = StopReason(RuntimeCode.STOPPED, "The store is unavailable at the moment.")

logger = logging.getLogger(__name__)
Read = tuple[TableFold, tuple[TableEvent, ...]]
"""A table as it is in the store now, and the events since it was last read."""


class Messenger(Protocol):
    """Sends requests to the process that runs a table."""

    @property
    def connected(self) -> bool:
        """Whether other processes can be reached."""
        ...

    async def send(self, table: str, request: Request) -> Answer:
        """The answer of the process that runs the table, or STOPPED if there was none."""
        ...


class FollowedTable:
    """Follows one table until it is closed."""

    def __init__(
        self,
        fold: TableFold,
        worker_services: WorkerServices,
        messenger: Messenger,
        in_thread: Callable[[Callable[[], Read]], Awaitable[Read]],
    ) -> None:
        self._fold = fold
        self._services = worker_services
        self._messenger = messenger
        self._in_thread = in_thread
        self._local: Mailbox | None = None
        self._unwatch: Callable[[], None] = lambda: None
        self._status: TableStatus | None = None
        self._heard_ms = self._seen_ms = worker_services.clock.monotonic_ms()
        """When its process last sent a status, and when the last version was read here."""
        self._status_ms = 0
        self._clock_seen_ms = self._began_clock_ms()
        self._failure: StopReason | None = None
        self._watchers = Watchers(fold.table.id)
        self._wanted = 0
        """A version that is known to exist."""
        self._behind_ms: int | None = None
        """Since when this copy has lacked a version that is known to exist; None if it is
        complete."""
        self._news = asyncio.Event()
        self._reached: list[tuple[int, asyncio.Future[None]]] = []
        self._task = asyncio.create_task(self._run(), name=f"follow {fold.table.id}")

    # What is known ---------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table as of the last version that is known here."""
        return self._fold.table

    @property
    def version(self) -> int:
        """That version."""
        return self._fold.version

    @property
    def lag_ms(self) -> int:
        """How long this copy has lacked an event that is in the record; 0 if it is complete."""
        behind_ms = self._behind_ms
        return 0 if behind_ms is None else self._services.clock.monotonic_ms() - behind_ms

    @property
    def lost(self) -> bool:
        """Whether it is no longer followed."""
        return self._task.done()

    @property
    def watched(self) -> bool:
        """Whether it has any viewers."""
        return bool(self._watchers)

    @property
    def local(self) -> Mailbox | None:
        """The mailbox of the table, if this process runs it."""
        return None if self._local is None or self._local.lost else self._local

    @property
    def silent(self) -> bool:
        """Whether no process has reported for a while that it runs the table."""
        return (
            self.local is None and self._services.clock.monotonic_ms() - self._heard_ms > SILENT_MS
        )

    @property
    def stopped(self) -> StopReason | None:
        """Why the table is stopped for its viewers."""
        if self.local is not None:
            return self.local.stopped
        if self._failure is not None:
            return self._failure
        if self.silent:
            return MOVES if self._messenger.connected else CUT_OFF
        return self._status.stopped if self._status else None

    def outside(self, table: Table) -> Outside:
        """The outside facts for a command to the table in this state."""
        if self.local is not None:
            return self.local.outside(table)
        outside = outside_now(self._services, table, self._fold.since.round_days)
        return replace(outside, absent_ms=self._status.absent_ms if self._status else {})

    # The table's clock: only the process that runs the table ends it ------------------------------

    @property
    def time_left_ms(self) -> int | None:
        """How long the clock still runs, as its process has reported, otherwise by the record."""
        if self.local is not None:
            return self.local.time_left_ms
        clock, now_ms = self.table.clock, self._services.clock.monotonic_ms()
        if clock is None:
            return None
        status = self._status
        if status is not None and status.clock == clock.number and status.left_ms is not None:
            return max(0, status.left_ms - (now_ms - self._status_ms))
        return min(clock.ms, max(0, clock.ms - (now_ms - self._clock_seen_ms)))

    @property
    def given_back_ms(self) -> int:
        """How much longer the clock runs, because its process was late."""
        if self.local is not None:
            return self.local.given_back_ms
        status, clock = self._status, self.table.clock
        same = status is not None and clock is not None and status.clock == clock.number
        return status.given_back_ms if status is not None and same else 0

    def _began_clock_ms(self) -> int:
        """When the running clock was started, by the monotonic clock of this process."""
        clock = self._services.clock
        return clock.monotonic_ms() - max(0, clock.wall_ms() - self._fold.since.clock_ms)

    # What is heard ---------------------------------------------------------------------

    def hear(self, status: TableStatus) -> None:
        """Note the status from the process that runs the table."""
        if self._status is not None and status.is_older_than(self._status):
            return
        self._status = status
        self._heard_ms = self._status_ms = self._services.clock.monotonic_ms()
        self.want(status.version)

    def want(self, version: int) -> None:
        """Continue reading, if this version is not known yet."""
        self._wanted = max(self._wanted, version)
        if self._wanted > self.version:
            if self._behind_ms is None:
                self._behind_ms = self._services.clock.monotonic_ms()
            self._news.set()

    def attach(self, mailbox: Mailbox) -> None:
        """This process runs the table from now on."""
        self.detach()
        self._local = mailbox
        self._unwatch = mailbox.watch(self._changed_here)
        self.want(mailbox.version)

    def detach(self) -> None:
        """This process no longer runs the table."""
        self._unwatch()
        self._unwatch, self._local = (lambda: None), None
        self._status, self._heard_ms = None, self._services.clock.monotonic_ms()

    def _changed_here(self, change: Change) -> None:
        """Adopt what the mailbox has written, or read the store if earlier events are missing."""
        if self._local is None or change.version - len(change.events) != self.version:
            self.want(change.version)
            return
        worker = self._local.worker
        self._adopt(TableFold(worker.table, change.version, worker.since), change)

    async def _run(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                await self._read()
            except Exception as error:  # noqa: BLE001 (its trace might quote a card)
                self._fail(error)
            if self._failure is not None:
                await asyncio.sleep(RETRY_MS / 1000)
                self._news.set()

    async def _read(self) -> None:
        worker_services, before = self._services, self._fold
        fold, events = await self._in_thread(
            lambda: before.read_on(worker_services.store, worker_services.codec)
        )
        self._failure = self._behind_ms = None
        if self._fold is before and events:
            self._adopt(fold, Change(fold.version, events))
        if self._wanted > self.version and self._fold is not before:
            self._news.set()

    def _fail(self, error: Exception) -> None:
        """Show the table as stopped. Only the log gets the reason, which may name files."""
        if self._failure is None:
            logger.warning("table %s cannot be followed: %s", self.table.id, shown_error(error))
        away = isinstance(error, Unavailable)
        self._failure = NO_STORE if away else StopReason(RuntimeCode.STOPPED, UNREADABLE)

    def _adopt(self, fold: TableFold, change: Change) -> None:
        before, self._fold = self.table.clock, fold
        clock = fold.table.clock
        if clock is not None and (before is None or before.number != clock.number):
            self._clock_seen_ms = self._services.clock.monotonic_ms()
        self._watchers.tell(change)
        for version, reached in self._reached:
            if version <= fold.version and not reached.done():
                reached.set_result(None)
        self._reached = [waiting for waiting in self._reached if not waiting[1].done()]

    # Watching and asking ---------------------------------------------------------------

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call the watcher with every change from now on; returns a function that ends this."""
        return self._watchers.add(watcher)

    async def ask(self, request: Request) -> Answer:
        """Have a request decided where the table runs. Its change is sent before its answer."""
        local = self.local
        if local is not None:
            answer = await local.ask(request)
            if answer.refused != RuntimeCode.MOVED:
                return answer
        answer = await self._messenger.send(self.table.id, request)
        if answer.refused != RuntimeCode.STOPPED:
            await self.reach(answer.version)
        return answer

    async def reach(self, version: int) -> None:
        """Wait until a version is known here, but not forever: it arrives anyway."""
        if version <= self.version:
            return
        reached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._reached.append((version, reached))
        self.want(version)
        await asyncio.wait((reached,), timeout=REACH_MS / 1000)
        reached.cancel()

    async def close(self) -> None:
        """Stop following the table."""
        self._unwatch()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
