"""Endpoints of the auditor's page: the log, recalled rounds, verifications and exports."""

import asyncio
from datetime import date
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import FileResponse

from openfelt.protocol.api_prefix import API
from openfelt.protocol.audit_forms import (
    ArchivesView,
    ArchiveView,
    ExportedFileView,
    ExportForm,
    ExportsView,
    ExportView,
    LogEntryView,
    LogEventView,
    LogPageView,
    RecalledRound,
    RecallForm,
    SignedCheckpointsView,
    SignedCheckpointView,
    VerificationForm,
    VerificationProgress,
    VerificationsView,
    VerificationView,
)
from openfelt.record_events.reading_events import ReadingKind, RecordRead
from openfelt.runtime.clock import end_ms, start_ms
from openfelt.runtime.notary.checkpoints import CheckpointError, checkpoint_hash, read_statement
from openfelt.runtime.readings import note_reading
from openfelt.server.audit_desk.event_log import LogEntry, LogQuery, Position
from openfelt.server.audit_desk.export_jobs import ExportJob
from openfelt.server.errors import Denied, not_found
from openfelt.server.http.dependencies import CurrentCaller, CurrentServices
from openfelt.server.services import Services
from openfelt.server.supervision.frozen_rounds import FrozenRound
from openfelt.storage.door import Checkpoint

router = APIRouter(prefix=f"{API}/audit", tags=["audit"])
# No name of a stream has a control character, and PostgreSQL takes no text with NUL.
StreamText = Annotated[str, Query(max_length=120, pattern=r"^[^\x00-\x1f]*$")]
ActorText = Annotated[str, Query(max_length=120)]
SearchText = Annotated[str, Query(max_length=100)]
PositionText = Annotated[str, Query(max_length=200)]
TimeMs = Annotated[int, Query(ge=0, le=2**53)]
ExportNumber = Annotated[int, Path(ge=1, le=2**53)]


@router.get("/events")
async def events(
    services: CurrentServices,
    *,
    stream: StreamText = "",
    actor: ActorText = "",
    text: SearchText = "",
    from_ms: TimeMs = 0,
    to_ms: TimeMs = 2**53,
    ordinary: bool = False,
    after: PositionText = "",
) -> LogPageView:
    """The log of significant events, the newest first, from a position on.

    One request reads a limited part of the record; ``next`` says where to continue.
    """
    try:
        position = Position.parse(after) if after else None
    except ValueError as error:
        raise _wrong("This is not a position in the log.") from error
    query = LogQuery(stream, actor, text, from_ms, to_ms, ordinary)
    page = await services.round_pool.run(lambda: services.event_log.page(query, position))
    return LogPageView(
        entries=[_entry(entry) for entry in page.entries],
        next=str(page.next) if page.next is not None else None,
        scanned=page.scanned,
    )


@router.get("/event")
async def event(
    services: CurrentServices, *, stream: StreamText, version: Annotated[int, Query(ge=1, le=2**53)]
) -> LogEventView:
    """One event in depth, with the values before it."""
    in_depth = await services.round_pool.run(lambda: services.event_log.entry(stream, version))
    if in_depth is None:
        raise not_found("There is no such event, or it is in an archive.")
    stored = in_depth.entry.stored
    return LogEventView(
        entry=_entry(in_depth.entry),
        before=_entry(in_depth.last) if in_depth.last is not None else None,
        values=in_depth.before,
        command=stored.cause.command,
        hash=stored.hash,
        previous=stored.previous,
    )


@router.post("/recalls")
async def recall(
    form: RecallForm, caller: CurrentCaller, services: CurrentServices
) -> RecalledRound:
    """A finished round as the dealer and each seat saw it; reading it is recorded."""
    await services.lobby.table_for(form.table, caller.viewer)
    frozen = await services.round_pool.run(lambda: _look(services, form))
    reading = RecordRead(ReadingKind.ROUND, f"{form.table}/{form.round}")
    await asyncio.to_thread(note_reading, services.store, services.clock, reading)
    return RecalledRound(
        table=form.table,
        round=form.round,
        recalled_ms=services.clock.wall_ms(),
        frozen=frozen.body,
    )


def _look(services: Services, form: RecallForm) -> FrozenRound:
    """A round of the database, or of an archive at hand; raises Denied."""
    try:
        return services.disputes.look(form.table, form.round, seats=form.seats)
    except Denied as denied:
        archive = services.store.archive(with_state=False)
        if denied.status != HTTPStatus.NOT_FOUND or archive is None:
            raise
    return services.archives.look(form.table, form.round, seats=form.seats)


@router.get("/archives")
async def archives(services: CurrentServices) -> ArchivesView:
    """The archives of old history, and whose files are at hand."""
    listed = await services.round_pool.run(services.archives.all)
    return ArchivesView(
        archives=[
            ArchiveView(
                number=entry.archive.number,
                at_ms=entry.archive.at_ms,
                checkpoint=entry.archive.checkpoint,
                transfer=entry.archive.transfer,
                sha256=entry.archive.sha256,
                file=entry.file.name if entry.file is not None else None,
                problem=entry.problem,
            )
            for entry in listed
        ],
        folder=services.archives.folder is not None,
    )


@router.get("/verifications")
async def verifications(services: CurrentServices) -> VerificationsView:
    """Verifications of the record: the one in progress, the last results, and the next one."""
    return await _verifications(services)


@router.post("/verifications")
async def verify(form: VerificationForm, services: CurrentServices) -> VerificationsView:
    """Begin a verification of the record in the background; its result is recorded."""
    services.verifications.start(full=form.full)
    return await _verifications(services)


async def _verifications(services: Services) -> VerificationsView:
    kept = services.verifications
    results = await asyncio.to_thread(kept.newest)
    next_ms = await asyncio.to_thread(kept.next_ms)
    running = kept.running
    return VerificationsView(
        running=None
        if running is None
        else VerificationProgress(
            since_ms=running.since_ms,
            by=running.by,
            full=running.full,
            done=running.done,
            total=running.total,
        ),
        results=[
            VerificationView(
                at_ms=result.at_ms,
                by=result.by,
                full=result.event.full,
                asked=result.event.asked,
                took_ms=result.event.took_ms,
                events=result.event.events,
                rounds=result.event.rounds,
                transfers=result.event.transfers,
                findings=result.event.findings,
                named=list(result.event.named),
                problem=result.event.problem,
            )
            for result in results
        ],
        every_hours=kept.every_hours,
        next_ms=next_ms,
    )


@router.get("/checkpoints")
async def checkpoints(services: CurrentServices) -> SignedCheckpointsView:
    """The last checkpoints that the notary has signed."""
    newest = await asyncio.to_thread(services.signed_checkpoints.newest)
    return SignedCheckpointsView(
        status=services.notary_health.status,
        checkpoints=[_checkpoint(checkpoint) for checkpoint in newest],
    )


@router.get("/exports")
async def exports(services: CurrentServices) -> ExportsView:
    """The last export, in progress or ready."""
    job = services.exports.job
    return ExportsView(export=_export(job) if job is not None else None)


@router.post("/exports")
async def export(form: ExportForm, services: CurrentServices) -> ExportsView:
    """Begin an export in the background; reading it is recorded."""
    first, last = _day(form.first), _day(form.last)
    if last < first:
        raise _wrong("The last day is before the first.")
    job = await services.exports.start(
        tables=tuple(dict.fromkeys(form.tables)),
        form=form.format,
        start_ms=start_ms(first),
        end_ms=end_ms(last),
    )
    return ExportsView(export=_export(job))


@router.get("/exports/{number}/file")
async def export_file(number: ExportNumber, services: CurrentServices) -> FileResponse:
    """The files of an export with their signed manifest, as one ZIP file."""
    path = services.exports.file(number)
    return FileResponse(
        path, media_type="application/zip", filename=f"openfelt-export-{number}.zip"
    )


def _entry(entry: LogEntry) -> LogEntryView:
    stored = entry.stored
    return LogEntryView(
        at_ms=stored.at_ms,
        stream=stored.stream,
        version=stored.version,
        name=stored.name,
        actor=stored.cause.actor,
        terminal=stored.cause.terminal,
        why=entry.why,
        fields=entry.fields,
    )


def _checkpoint(checkpoint: Checkpoint) -> SignedCheckpointView:
    try:
        statement = read_statement(checkpoint)
        streams, restored = len(statement.heads), statement.restored
    except CheckpointError:
        streams, restored = 0, None
    return SignedCheckpointView(
        number=checkpoint.number,
        at_ms=checkpoint.at_ms,
        streams=streams,
        hash=checkpoint_hash(checkpoint),
        key=checkpoint.key,
        restored=restored.reason if restored is not None else None,
    )


def _export(job: ExportJob) -> ExportView:
    result: dict[str, Any] = job.result or {"key": "", "files": []}
    return ExportView(
        number=job.number,
        by=job.by,
        at_ms=job.at_ms,
        tables=list(job.tables),
        format=job.format,
        done=job.done,
        total=job.total,
        ended=job.ended,
        problem=job.problem,
        files=[ExportedFileView(**file) for file in result["files"]],
        key=result["key"],
    )


def _day(text: str) -> date:
    """A day that is followed by another one; raises Denied."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise _wrong(f"{text} is not a day.") from error
    if day == date.max:
        raise _wrong(f"{text} is too late.")
    return day


def _wrong(sentence: str) -> Denied:
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", sentence)
