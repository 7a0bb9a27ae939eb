"""All tables of the house as one process reaches them: its own, and those of other processes."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, Protocol, Self
from weakref import WeakValueDictionary

import msgspec

from openfelt.rules.refusal import Refusal
from openfelt.runtime import command_spans
from openfelt.runtime.background import kept_up
from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import Bus, Ending, NoAnswer, NotServed
from openfelt.runtime.commits import CommitReport
from openfelt.runtime.outage_log import OutageLog
from openfelt.runtime.remote.followed_table import FollowedTable
from openfelt.runtime.remote.request_forms import request_text
from openfelt.runtime.remote.table_access import TableAccess
from openfelt.runtime.remote.table_fold import TableFold
from openfelt.runtime.remote.table_service import TableService
from openfelt.runtime.remote.table_status import Beacon, TableStatus
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.streams import StreamKind, table_stream
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.mailbox import Mailbox
from openfelt.runtime.tables.stops import UNREADABLE
from openfelt.storage.codec import CodecError
from openfelt.storage.door import StoreError, Unavailable
from openfelt.table.commands import OpenTable, Person

TRY_MS: Final = 2_000
"""How long one copy of a request waits for its answer."""
ASK_MS: Final = 10_000
"""How long a request is sent again under the same id before it is reported as unanswered."""
AGAIN_MS: Final = 100
WANT_MS: Final = 1_000
"""How often other processes are asked to run a table that none runs."""
POLL_SECONDS: Final = 5
"""How often the versions of all followed tables are read from the store, in case messages were
lost."""
UNUSED_MS: Final = 60_000
"""How long a table without viewers is still followed."""
TAKERS: Final = "tables"

logger = logging.getLogger(__name__)


class HouseTables(Protocol):
    """All tables of the house."""

    async def access(self, table: str) -> TableAccess:
        """A table, wherever it runs; raises Refusal if there is none or it cannot be read."""
        ...

    def access_if_followed(self, table: str) -> TableAccess | None:
        """A table that this process runs or follows, without reading the store."""
        ...

    async def ask(self, table: str, request: Request) -> Answer:
        """Send a request to a table, wherever it runs."""
        ...

    async def open_table(self, command: OpenTable, *, by: Person) -> None:
        """Put a new table on the floor, and have a process run it; raises Refusal."""
        ...


class OwnTables:
    """The tables of a process that is alone: it runs all of them."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    async def access(self, table: str) -> TableAccess:
        """A table, which is taken up if it does not run yet."""
        return await self._floor.mailbox(table)

    def access_if_followed(self, table: str) -> TableAccess | None:
        """A table that runs now."""
        return self._floor.running.get(table)

    async def ask(self, table: str, request: Request) -> Answer:
        """Send a request to a table."""
        return await self._floor.ask(table, request)

    async def open_table(self, command: OpenTable, *, by: Person) -> None:
        """Put a new table on the floor and run it; raises Refusal."""
        await self._floor.open_table(command, by=by)


class SharedTables:
    """The tables of a house that several processes share."""

    def __init__(
        self,
        floor: Floor,
        bus: Bus,
        *,
        process: str,
        takes: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """``takes`` lets this process take up a table that is assigned to it; None for never."""
        self.floor = floor
        self.process = process
        self._bus = bus
        self._takes = takes
        self._service = TableService(floor, bus, process=process)
        self._followed: dict[str, FollowedTable] = {}
        self._endings: dict[str, Ending] = {}
        self._used_ms: dict[str, int] = {}
        self._wanted_ms: dict[str, int] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._task: asyncio.Task[None] | None = None
        floor.attend(self)

    # Tables ----------------------------------------------------------------------------

    async def access(self, table: str) -> TableAccess:
        """A table, followed from now on; raises Refusal."""
        self._used_ms[table] = self.floor.worker_services.clock.monotonic_ms()
        async with self._opening.setdefault(table, asyncio.Lock()):
            followed = self._followed.get(table)
            if followed is None:
                followed = await self._follow(table)
            return followed

    def access_if_followed(self, table: str) -> TableAccess | None:
        """A table that this process runs or follows."""
        return self._followed.get(table) or self.floor.running.get(table)

    async def _follow(self, table: str) -> FollowedTable:
        worker_services = self.floor.worker_services
        if not await self.floor.ready(table):
            raise Refusal(
                RuntimeCode.STOPPED,
                f"{table} is being rebuilt from its record; it will be ready soon.",
            )
        try:
            fold = await self.floor.in_thread(
                lambda: TableFold.begun(worker_services.store, worker_services.codec, table)
            )
        except Unavailable as error:
            raise Refusal(
                RuntimeCode.STOPPED, f"The store is unavailable: {error.sentence}"
            ) from error
        except (StoreError, CodecError) as error:
            logger.error("table %s cannot be followed: %s", table, error)
            raise Refusal(RuntimeCode.STOPPED, UNREADABLE) from error
        if fold is None:
            raise Refusal(RuntimeCode.NO_SUCH_TABLE, f"There is no table called {table}.")
        followed = FollowedTable(fold, worker_services, self, self.floor.in_thread)

        def hear(body: str) -> None:
            followed.hear(msgspec.json.decode(body, type=TableStatus))

        self._endings[table] = await self._bus.subscribe(subjects.changed(table), hear)
        self._followed[table] = followed
        running = self.floor.running.get(table)
        if running is not None and not running.lost:
            followed.attach(running)
        # Read what was written between the first read and the subscription.
        followed.want(fold.version + 1)
        return followed

    async def ask(self, table: str, request: Request) -> Answer:
        """Send a request to a table, wherever it runs."""
        try:
            access = await self.access(table)
        except Refusal as refusal:
            return Answer.of_refusal(refusal, 0)
        return await access.ask(request)

    async def open_table(self, command: OpenTable, *, by: Person) -> None:
        """Put a new table on the floor, and have a process run it; raises Refusal."""
        await self.floor.open_table(command, by=by, run=False)
        await self._want(command.table)

    @property
    def watched(self) -> list[str]:
        """The tables that are watched here, which their processes must not put down."""
        return [table for table, followed in self._followed.items() if followed.watched]

    @property
    def lag_ms(self) -> int:
        """The largest lag of any followed table behind its record."""
        return max((followed.lag_ms for followed in tuple(self._followed.values())), default=0)

    # What the floor tells --------------------------------------------------------------

    def taken_up(self, mailbox: Mailbox) -> None:
        """Receive the changes of a table from its mailbox from now on."""
        followed = self._followed.get(mailbox.table.id)
        if followed is not None:
            followed.attach(mailbox)

    def put_down(self, mailbox: Mailbox) -> None:
        """Receive them over the bus again."""
        followed = self._followed.get(mailbox.table.id)
        if followed is not None:
            followed.detach()

    def committed(self, committed: CommitReport) -> None:
        """The mailbox reports what it has written."""

    # Requests to other processes ---------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether other processes can be reached."""
        return self._bus.connected

    async def send(self, table: str, request: Request) -> Answer:
        """Send a request until the holder of the table's lease has answered it.

        Every copy has the same id, so it is carried out once. Without an answer it is unknown
        whether it was carried out; the result is then STOPPED.
        """
        if request.id is None:
            request = replace(request, id=secrets.token_hex(16))
        with command_spans.span("bus", table=table):
            return await self._send(
                table, request_text(self.floor.worker_services.rulebook, request)
            )

    async def _send(self, table: str, text: str) -> Answer:
        clock = self.floor.worker_services.clock
        until_ms = clock.monotonic_ms() + ASK_MS
        while clock.monotonic_ms() < until_ms:
            try:
                answer = await self._bus.request(subjects.commands(table), text, timeout_ms=TRY_MS)
                return Answer.from_json(answer)
            except NotServed:
                await self._want(table)
            except NoAnswer:
                pass
            await asyncio.sleep(AGAIN_MS / 1000)
        sentence = "The server that runs this table does not answer; retry with the same id."
        return Answer(version=0, refused=RuntimeCode.STOPPED.value, sentence=sentence)

    async def _want(self, table: str) -> None:
        """Ask the other processes to run a table that none runs."""
        now_ms = self.floor.worker_services.clock.monotonic_ms()
        if now_ms - self._wanted_ms.get(table, -WANT_MS) < WANT_MS:
            return
        self._wanted_ms[table] = now_ms
        with contextlib.suppress(NoAnswer):
            await self._bus.request(subjects.WANTED, table, timeout_ms=TRY_MS)

    async def _take_wanted(self, table: str) -> str | None:
        """Take up a table that another process has asked for, if it is assigned to this process."""
        assert self._takes is not None
        try:
            await self._takes(table)
        except (Refusal, StoreError) as refusal:
            logger.info("table %s was requested and cannot be taken up: %s", table, refusal)
        return ""

    # Life ------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(kept_up(self.run), name="shared tables")
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def run(self) -> None:
        """Serve the tables of this process and follow those of others, until cancelled."""
        async with contextlib.AsyncExitStack() as ends:
            heard = await self._bus.subscribe(subjects.BEACONS, self._hear_beacon)
            ends.push_async_callback(heard)
            if self._takes is not None:
                served = await self._bus.serve(subjects.WANTED, self._take_wanted, group=TAKERS)
                ends.push_async_callback(served)
            await self._serve_and_follow()

    async def _serve_and_follow(self) -> None:
        service = asyncio.create_task(kept_up(self._service.run), name="table service")
        outage = OutageLog(logger, "followed tables cannot be compared with the store")
        try:
            while True:
                await asyncio.sleep(POLL_SECONDS)
                try:
                    await self.look()
                    outage.over()
                except StoreError as error:
                    outage.failed(error)
        finally:
            service.cancel()
            await asyncio.gather(service, return_exceptions=True)
            for table in tuple(self._followed):
                await self._drop(table)

    def _hear_beacon(self, body: str) -> None:
        for status in msgspec.json.decode(body, type=Beacon).tables:
            followed = self._followed.get(status.table)
            if followed is not None:
                followed.hear(status)

    async def look(self) -> None:
        """Compare the followed tables with the store, and stop following unused ones."""
        now_ms = self.floor.worker_services.clock.monotonic_ms()
        for table, followed in tuple(self._followed.items()):
            if not followed.watched and now_ms - self._used_ms.get(table, 0) > UNUSED_MS:
                await self._drop(table)
            elif followed.silent and followed.watched:
                await self._want(table)
        remote = {
            table_stream(table): followed
            for table, followed in self._followed.items()
            if followed.local is None
        }
        if remote:
            store = self.floor.worker_services.store
            heads = await self.floor.in_thread(lambda: store.heads(StreamKind.TABLE.prefix))
            for stream, followed in remote.items():
                if stream in heads:
                    followed.want(heads[stream].version)

    async def _drop(self, table: str) -> None:
        async with self._opening.setdefault(table, asyncio.Lock()):
            followed = self._followed.pop(table, None)
            self._used_ms.pop(table, None)
            self._wanted_ms.pop(table, None)
            end = self._endings.pop(table, None)
            if end is not None:
                await end()
            if followed is not None:
                await followed.close()
