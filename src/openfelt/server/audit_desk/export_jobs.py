"""Exports that auditors ask for on their page: one at a time, kept until the next one."""

import asyncio
import shutil
import zipfile
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from openfelt.record_events.reading_events import ReadingKind, RecordRead
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.exports.export_rows import time_text
from openfelt.runtime.readings import note_reading
from openfelt.server.audit_desk.desk_program import DeskTask
from openfelt.server.audit_desk.desk_work import WorkFailed, run_task
from openfelt.server.errors import Denied, not_found
from openfelt.server.settings import Settings
from openfelt.storage.door import Store


@dataclass(frozen=True, slots=True)
class ExportJob:
    """An export, from the request to the file."""

    number: int
    by: str
    at_ms: int
    tables: tuple[str, ...]
    format: str
    done: int = 0
    total: int = 0
    ended: bool = False
    problem: str = ""
    result: dict[str, Any] | None = None
    file: Path | None = None


class ExportJobs:
    """The exports of a server."""

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        self._store = store
        self._clock = clock
        self._database = settings.database
        self._key = settings.notary_key
        self._folder: Path | None = None
        self._task: asyncio.Task[None] | None = None
        self.job: ExportJob | None = None

    async def start(
        self, *, tables: tuple[str, ...], form: str, start_ms: int, end_ms: int
    ) -> ExportJob:
        """Begin an export; raises Denied while one is in progress. Reading it is recorded."""
        if self.job is not None and not self.job.ended:
            raise Denied(HTTPStatus.CONFLICT, "exporting", "An export is already in progress.")
        number = self.job.number + 1 if self.job is not None else 1
        cause = acting()
        job = ExportJob(number, cause.actor, self._clock.wall_ms(), tables, form)
        self.job = job
        subject = f"{', '.join(tables)} {time_text(start_ms)[:10]} to {time_text(end_ms - 1)[:10]}"
        try:
            reading = RecordRead(ReadingKind.EXPORT, subject)
            await asyncio.to_thread(note_reading, self._store, self._clock, reading)
        except BaseException:
            self.job = replace(job, ended=True, problem="It could not be recorded.")
            raise
        await asyncio.to_thread(self._clear)
        folder = self._folder = Path(mkdtemp(prefix="openfelt-export-"))
        task = DeskTask(
            database=self._database,
            notary_key=str(self._key) if self._key is not None else None,
            audit=False,
            folder=str(folder / "export"),
            tables=list(tables),
            format=form,
            start_ms=start_ms,
            end_ms=end_ms,
            actor=cause.actor,
        )
        self._task = asyncio.create_task(self._run(task, folder))
        return job

    def file(self, number: int) -> Path:
        """The file of a finished export; raises Denied."""
        if self.job is None or self.job.number != number or self.job.file is None:
            raise not_found("There is no such export. It is kept until the next one begins.")
        return self.job.file

    def _moved(self, done: int, total: int) -> None:
        if self.job is not None:
            self.job = replace(self.job, done=done, total=total)

    async def _run(self, task: DeskTask, folder: Path) -> None:
        assert self.job is not None
        try:
            result = await run_task(task, self._moved)
            file = await asyncio.to_thread(_zipped, folder)
        except (WorkFailed, OSError) as error:
            self.job = replace(self.job, ended=True, problem=str(error))
        else:
            self.job = replace(self.job, ended=True, result=result, file=file)

    async def close(self) -> None:
        """End an export in progress, and remove its files."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await asyncio.to_thread(self._clear)

    def _clear(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def _zipped(folder: Path) -> Path:
    """The files of an export as one."""
    target = folder / "export.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((folder / "export").iterdir()):
            archive.write(path, path.name)
    return target
