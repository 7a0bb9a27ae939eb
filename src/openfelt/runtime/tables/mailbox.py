"""A table's mailbox: a bounded queue of requests, which wait while the worker writes earlier ones.

While one transaction is written to disk, further requests gather; they share the next transaction.
So the more requests arrive together, the less each of them costs.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from itertools import takewhile
from typing import Final, NamedTuple, TypeVar

from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.tables.stops import Lost, StopReason
from openfelt.runtime.tables.watchers import Change, Watcher, Watchers
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage.door import shown_error
from openfelt.table.events import TableEvent
from openfelt.table.permissions import Outside
from openfelt.table.state import Table

MAILBOX_MAX: Final = 4096
"""How many requests may wait at one table."""
BATCH_MAX: Final = 512
"""The maximum number of requests in one transaction."""
ARRIVAL_TURNS: Final = 10
"""How many turns of the loop a request may take from the socket to the mailbox."""
SLOW_MS: Final = 200
"""Players get the time back for which they wait for the store, if it is longer than this."""
RETRY_MS: Final = 2000
"""How often a stopped table checks whether its store is available again."""

logger = logging.getLogger(__name__)


_Given = TypeVar("_Given")


class WaitingRequest(NamedTuple):
    """A request that waits for the worker."""

    request: Request
    answer: "asyncio.Future[Answer]"
    in_time: bool
    """Whether it arrived before the running clock had run out."""


class Mailbox:
    """Drives one worker from an event loop; the worker itself runs in a thread."""

    def __init__(
        self, worker: TableWorker, executor: Executor, *, waiting_max: int = MAILBOX_MAX
    ) -> None:
        self.worker = worker
        self._executor = executor
        self._waiting_max = waiting_max
        self._waiting: deque[WaitingRequest] = deque()
        self._arriving = False
        """Whether the clock has run out and earlier requests are still on their way here."""
        self._news = asyncio.Event()
        self._watchers = Watchers(worker.table.id)
        self._written: list[Change] = []
        self._closing = False
        self._stuck = False
        """Whether the last chore has achieved nothing; the next one then waits a while."""
        worker.listen(self._keep)
        self._task = asyncio.create_task(self._run(), name=f"table {worker.table.id}")

    @property
    def table(self) -> Table:
        """The table as of the last change."""
        return self.worker.table

    @property
    def version(self) -> int:
        """The version of the last change."""
        return self.worker.head.version

    @property
    def time_left_ms(self) -> int | None:
        """How long the running clock still runs, None if none does."""
        return self.worker.time_left_ms

    @property
    def given_back_ms(self) -> int:
        """By how much the running clock runs longer, because the process was late."""
        return self.worker.countdown.given_back_ms

    @property
    def stopped(self) -> StopReason | None:
        """Why the table has stopped, None if it has not."""
        return self.worker.stopped

    def outside(self, table: Table) -> Outside:
        """The outside facts for a command to the table in this state."""
        return self.worker.outside(table)

    async def ask(self, request: Request) -> Answer:
        """Queue a request and wait for its answer; a full mailbox refuses immediately."""
        if self._closing or self._task.done():
            return self._refuse(RuntimeCode.MOVED, "This table is no longer run here.")
        if len(self._waiting) >= self._waiting_max:
            return self._refuse(RuntimeCode.BUSY, "The table is busy; retry with the same id.")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        in_time = self._arriving or self.worker.time_left_ms != 0
        self._waiting.append(WaitingRequest(request, answer, in_time))
        self._news.set()
        return await answer

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call the watcher with every change from now on; returns a function that ends this."""
        return self._watchers.add(watcher)

    @property
    def idle(self) -> bool:
        """Whether there are no requests, no watchers and no running clock."""
        return not self._waiting and not self._watchers and self.worker.table.clock is None

    @property
    def lost(self) -> bool:
        """Whether another process has taken the table over."""
        return self._task.done()

    async def close(self) -> None:
        """Answer the waiting requests, then stop; what has ended the table before is logged."""
        self._closing = True
        self._news.set()
        await asyncio.wait([self._task])
        error = None if self._task.cancelled() else self._task.exception()
        if error is not None:
            logger.error("table %s has ended: %s", self.worker.table.id, shown_error(error))

    # The loop ------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            while not (self._closing and not self._waiting):
                await self._wait()
                await self._work()
        except Lost as lost:
            logger.warning("table %s: %s", self.worker.table.id, lost)
        finally:
            while self._waiting:
                _give(self._waiting.popleft().answer, self._moved())

    async def _wait(self) -> None:
        """Wait for requests, or for the end of the running clock."""
        preparing = True
        while preparing and not self._waiting and not self._closing:
            preparing = await self._prepare()
        if self._waiting or self._closing:
            return
        self._news.clear()
        left_ms = self.worker.time_left_ms
        timeout = None if left_ms is None else left_ms / 1000
        if self.worker.stopped is not None or self._stuck:
            timeout = RETRY_MS / 1000
        try:
            async with asyncio.timeout(timeout):
                await self._news.wait()
        except TimeoutError:
            pass

    async def _work(self) -> None:
        self._stuck = False
        if self.worker.stopped is not None:
            await self._do_chore(self.worker.try_again)
        elif self.worker.time_left_ms == 0:
            await self._end_time()
        await self._answer_batch(len(self._waiting))

    async def _end_time(self) -> None:
        """End the clock, after the requests that arrived in time have been answered.

        A request that lies in a socket at this moment arrived in time too: the loop takes some
        turns to bring it here.
        """
        self._arriving = True
        try:
            for _ in range(ARRIVAL_TURNS):
                await asyncio.sleep(0)
        finally:
            self._arriving = False
        in_time = sum(1 for _ in takewhile(lambda waiting: waiting.in_time, self._waiting))
        while in_time > 0:
            answered = await self._answer_batch(in_time)
            in_time -= answered
        if self.worker.time_left_ms == 0:
            await self._do_chore(self.worker.tick)
            self._stuck = self.worker.time_left_ms == 0

    async def _answer_batch(self, most: int) -> int:
        """Answer the first requests that wait, in one transaction; returns how many."""
        count = min(len(self._waiting), most, BATCH_MAX)
        batch = [self._waiting.popleft() for _ in range(count)]
        try:
            if batch:
                await self._answer(batch)
        finally:
            for waiting in batch:
                if not waiting.answer.done():
                    waiting.answer.set_result(self._moved())
        return count

    async def _prepare(self) -> bool:
        """Have the worker seal decks of the next round; False if there is nothing to do."""
        if self.worker.prepared:
            return False
        before = self.worker.head.version
        await self._do_chore(self.worker.prepare)
        return self.worker.head.version > before

    async def _do_chore(self, chore: Callable[[], object]) -> None:
        """Have the worker do a background chore; a fault must not end the table."""
        try:
            await self._in_thread(chore)
        except Lost:
            raise
        except Exception as error:  # noqa: BLE001 (its trace might quote a card)
            logger.error("table %s: a chore failed: %s", self.worker.table.id, shown_error(error))

    async def _answer(self, batch: list[WaitingRequest]) -> None:
        requests = [waiting.request for waiting in batch]
        try:
            answers = await self._in_thread(lambda: self.worker.handle(requests))
        except Lost:
            raise
        except Exception as error:  # noqa: BLE001 (its trace might quote a card)
            logger.error("table %s: a batch failed: %s", self.worker.table.id, shown_error(error))
            if len(batch) == 1:
                _give(
                    batch[0].answer,
                    self._refuse(
                        RuntimeCode.FAILED, "An internal error occurred; nothing has changed."
                    ),
                )
                return
            for waiting in batch:
                await self._answer([waiting])
            return
        for waiting, answer in zip(batch, answers, strict=True):
            _give(waiting.answer, answer)

    async def _in_thread(self, work: Callable[[], object]) -> list[Answer]:
        """Run work in a thread, then tell the watchers what was written."""
        try:
            result = await self._timed(work)
        finally:
            written, self._written = self._written, []
            for change in written:
                self._watchers.tell(change)
        return result if isinstance(result, list) else []

    async def _timed(self, work: Callable[[], _Given]) -> _Given:
        """Run work in a thread. The clock gives back the time for which it has waited.

        While the table waits for a free thread or for the store, players do not see what they
        have to decide next. The time of deciding is not given back, because players could make
        work on purpose.
        """
        worker = self.worker
        clock, began_ms, written_ms = worker.table.clock, worker.lively_ms(), worker.commit_ms
        waited_ms = 0

        def begun() -> _Given:
            nonlocal waited_ms
            waited_ms = worker.lively_ms() - began_ms
            return work()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, begun)
        finally:
            slow_ms = waited_ms + worker.commit_ms - written_ms
            if clock is not None and slow_ms > SLOW_MS:
                worker.give_back(clock.number, slow_ms)

    def _keep(self, events: tuple[TableEvent, ...], version: int) -> None:
        self._written.append(Change(version, events))

    def _moved(self) -> Answer:
        return self._refuse(RuntimeCode.MOVED, "This table is now run by another process.")

    def _refuse(self, code: RuntimeCode, sentence: str) -> Answer:
        return Answer(version=self.worker.head.version, refused=code.value, sentence=sentence)


def _give(future: "asyncio.Future[Answer]", answer: Answer) -> None:
    """Give an answer to a caller that still waits for it."""
    if not future.done():
        future.set_result(answer)
