"""The tables of this process as other processes reach them over the bus.

Only the holder of a table's lease answers for it, and only what the store has confirmed. A process
that has lost a lease does not answer, so that the caller asks again and reaches the new holder.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from openfelt.runtime import command_spans
from openfelt.runtime.background import kept_up
from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import Bus, Ending
from openfelt.runtime.commits import CommitReport
from openfelt.runtime.remote.request_forms import request_in, trace_in
from openfelt.runtime.remote.table_status import Beacon, TableStatus, status_of
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.streams import StreamKind
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.mailbox import Mailbox
from openfelt.storage.codec import CodecError
from openfelt.storage.door import StoreError

BEACON_SECONDS: Final = 1
BEACON_BYTES_MAX: Final = 500_000
"""The longest message about tables; NATS accepts a megabyte, and the seal adds a third."""
_UNCONFIRMED: Final = frozenset(RuntimeCode) - {RuntimeCode.MOVED}
"""Refusals that the worker may have given without reading the store."""

logger = logging.getLogger(__name__)


class TableService:
    """Serves the tables of a floor, and reports their status."""

    def __init__(self, floor: Floor, bus: Bus, *, process: str) -> None:
        self._floor = floor
        self._bus = bus
        self._process = process
        self._served: dict[Mailbox, Ending] = {}
        self._changed: set[str] = set()
        self._news = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serving: set[asyncio.Task[None]] = set()
        floor.attend(self)

    # Reports of the floor --------------------------------------------------------------

    def taken_up(self, mailbox: Mailbox) -> None:
        """Serve a table that this process now runs."""
        task = asyncio.create_task(self._serve(mailbox))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        self._tell(mailbox.table.id)

    def put_down(self, mailbox: Mailbox) -> None:
        """Stop serving a table."""
        task = asyncio.create_task(self._end(mailbox))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    def committed(self, committed: CommitReport) -> None:
        """Announce a table's new version; called in the thread that wrote it."""
        if committed.kind is StreamKind.TABLE and committed.events and self._loop is not None:
            self._loop.call_soon_threadsafe(self._tell, committed.name)

    def _tell(self, table: str) -> None:
        self._changed.add(table)
        self._news.set()

    # Telling ---------------------------------------------------------------------------

    async def run(self) -> None:
        """Announce changes immediately and everything every second, until cancelled."""
        self._loop = asyncio.get_running_loop()
        for mailbox in tuple(self._floor.running.values()):
            if mailbox not in self._served:
                self.taken_up(mailbox)
        beacons = asyncio.create_task(kept_up(self._send_beacons))
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                changed, self._changed = self._changed, set()
                for table in changed:
                    await self._tell_changed(table)
        finally:
            self._loop = None
            beacons.cancel()
            await asyncio.gather(beacons, *self._serving, return_exceptions=True)
            for mailbox in tuple(self._served):
                await self._end(mailbox)

    async def _tell_changed(self, table: str) -> None:
        mailbox = self._floor.running.get(table)
        if mailbox is not None and not mailbox.lost:
            body = msgspec.json.encode(status_of(mailbox)).decode()
            await self._bus.publish(subjects.changed(table), body)

    async def _send_beacons(self) -> None:
        while True:
            running = [box for box in self._floor.running.values() if not box.lost]
            for beacon in beacons(self._process, map(status_of, running)):
                await self._bus.publish(subjects.BEACONS, msgspec.json.encode(beacon).decode())
            await asyncio.sleep(BEACON_SECONDS)

    # Answering -------------------------------------------------------------------------

    async def _serve(self, mailbox: Mailbox) -> None:
        async def answer(text: str) -> str | None:
            return await self._answer(mailbox, text)

        self._served[mailbox] = await self._bus.serve(subjects.commands(mailbox.table.id), answer)

    async def _end(self, mailbox: Mailbox) -> None:
        end = self._served.pop(mailbox, None)
        if end is not None:
            await end()

    async def _answer(self, mailbox: Mailbox, text: str) -> str | None:
        """The answer to a request; None if this process must not answer."""
        try:
            request = request_in(self._floor.worker_services.rulebook, text)
        except CodecError as error:
            logger.error("a request to %s cannot be read: %s", mailbox.table.id, error)
            return None
        self._floor.use(mailbox.table.id)
        answer = await _asked(mailbox, request, text)
        if answer.refused == RuntimeCode.MOVED:
            await self._end(mailbox)
            return None
        if answer.refused in _UNCONFIRMED and not await self._holds(mailbox):
            return None
        return answer.to_json()

    async def _holds(self, mailbox: Mailbox) -> bool:
        """Whether the store confirms that this process still runs a table."""
        try:
            await self._floor.in_thread(mailbox.worker.check_current)
        except StoreError:
            return False
        return True


def beacons(process: str, statuses: Iterable[TableStatus]) -> Iterator[Beacon]:
    """The status of all tables, split into messages small enough for the bus."""
    told: list[TableStatus] = []
    length = 0
    for status in statuses:
        added = len(msgspec.json.encode(status))
        if told and length + added > BEACON_BYTES_MAX:
            yield Beacon(process, told)
            told, length = [], 0
        told.append(status)
        length += added
    if told:
        yield Beacon(process, told)


async def _asked(mailbox: Mailbox, request: Request, text: str) -> Answer:
    """Ask a table, within the trace of the gateway if there is one."""
    if not command_spans.active():
        return await mailbox.ask(request)
    name = command_spans.command_name(str(request.by), request.id)
    table, carried = mailbox.table.id, trace_in(text)
    with command_spans.span("table", table=table, carried=carried, command=name):
        return await mailbox.ask(request)
