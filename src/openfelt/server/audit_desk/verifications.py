"""Verifications of the record: audits on demand and on a schedule, each with its result kept."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from openfelt.record_events.verification_events import RecordVerified
from openfelt.runtime.audit.progress.state_file import SUFFIX
from openfelt.runtime.causes import SYSTEM_CAUSE, acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.streams import VERIFICATIONS_STREAM
from openfelt.server.audit_desk.desk_program import DeskTask
from openfelt.server.audit_desk.desk_work import WorkFailed, run_task
from openfelt.server.errors import Denied
from openfelt.server.settings import Settings
from openfelt.server.store.notary_task import KEY_SUFFIX
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Cause, Commit, Store, StoreError
from openfelt.storage.event_forms import EventCodec

SHOWN_MAX: Final = 20
"""How many results are shown."""
HOUR_MS: Final = 3_600_000
FIRST_MS: Final = 10 * 60_000
"""How long after the start of a server the first scheduled verification may come."""
LOOK_SECONDS: Final = 60.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Verification:
    """A verification that has ended."""

    at_ms: int
    by: str
    event: RecordVerified


@dataclass(frozen=True, slots=True)
class RunningVerification:
    """A verification in progress."""

    since_ms: int
    by: str
    full: bool
    done: int = 0
    total: int = 0


class Verifications:
    """Audits the database of a server, one audit at a time."""

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        self._store = store
        self._clock = clock
        self._database = settings.database
        self._key = settings.notary_key
        self.every_hours = settings.verify_hours
        self._codec = EventCodec(Codec(lambda _: None))
        self._since_ms = clock.wall_ms()
        self._task: asyncio.Task[None] | None = None
        self.running: RunningVerification | None = None

    def newest(self) -> list[Verification]:
        """The last results, the newest first. It blocks."""
        return list(self._read())

    def _read(self) -> Iterator[Verification]:
        last = self._store.head(VERIFICATIONS_STREAM).version
        events = list(self._store.events(VERIFICATIONS_STREAM, after=max(0, last - SHOWN_MAX)))
        for stored in reversed(events):
            event = self._codec.decode(stored)
            assert isinstance(event, RecordVerified)
            yield Verification(stored.at_ms, stored.cause.actor, event)

    def next_ms(self) -> int | None:
        """When the next scheduled verification is due, None for never. It blocks."""
        if not self.every_hours:
            return None
        last = next(self._read(), None)
        due = last.at_ms + self.every_hours * HOUR_MS if last is not None else 0
        return max(due, self._since_ms + FIRST_MS)

    def start(self, *, full: bool) -> RunningVerification:
        """Begin a verification for the caller; raises Denied while one is in progress."""
        if self.running is not None:
            raise Denied(HTTPStatus.CONFLICT, "verifying", "The record is already being verified.")
        return self._begin(acting(), full=full, asked=True)

    def _begin(self, cause: Cause, *, full: bool, asked: bool) -> RunningVerification:
        self.running = RunningVerification(self._clock.wall_ms(), cause.actor, full)
        self._task = asyncio.create_task(self._run(cause, full=full, asked=asked))
        return self.running

    async def watch(self) -> None:
        """Verify the record when it is time, until cancelled."""
        try:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                try:
                    due = await asyncio.to_thread(self.next_ms)
                except StoreError as error:
                    logger.error("the verification could not start: %s", error)
                    continue
                if due is not None and self.running is None and self._clock.wall_ms() >= due:
                    self._begin(SYSTEM_CAUSE, full=False, asked=False)
        finally:
            await self.close()

    async def close(self) -> None:
        """End a verification in progress; the next one begins where the last one ended."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _moved(self, done: int, total: int) -> None:
        if self.running is not None:
            self.running = replace(self.running, done=done, total=total)

    async def _run(self, cause: Cause, *, full: bool, asked: bool) -> None:
        began = self._clock.monotonic_ms()
        task = DeskTask(
            database=self._database,
            notary_key=str(self._key) if self._key is not None else None,
            audit=True,
            full=full,
            state=str(_state_file(self._key)) if self._key is not None else "",
        )
        result: dict[str, Any] = {
            "full": full, "events": 0, "rounds": 0, "transfers": 0, "findings": 0, "named": []
        }  # fmt: skip
        problem = ""
        try:
            result = await run_task(task, self._moved)
        except WorkFailed as error:
            problem = str(error)
            logger.error("the verification failed: %s", error)
        finally:
            self.running = None
        event = RecordVerified(
            **result | {"named": tuple(result["named"])},
            asked=asked,
            took_ms=self._clock.monotonic_ms() - began,
            problem=problem,
        )
        if event.findings:
            logger.critical("the record has findings: %s", " ".join(event.named[:3]))
        try:
            await asyncio.to_thread(self._record, event, cause)
        except StoreError as error:
            logger.error("the result of a verification is not recorded: %s", error)

    def _record(self, event: RecordVerified, cause: Cause) -> None:
        append = Append(
            stream=VERIFICATIONS_STREAM,
            expected_version=self._store.head(VERIFICATIONS_STREAM).version,
            events=(self._codec.encode(event, cause=cause),),
        )
        self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))


def _state_file(key: Path) -> Path:
    """The file with the progress of ``openfelt audit``, so that each continues the other."""
    return key.with_name(key.name.removesuffix(KEY_SUFFIX) + SUFFIX)
