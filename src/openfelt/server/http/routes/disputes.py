"""Endpoints of disputes: freeze a round, add notes and the outcome, and export everything."""

import asyncio
from dataclasses import asdict
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Path
from fastapi.responses import Response

from openfelt.protocol.api_prefix import API
from openfelt.protocol.dispute_forms import (
    DisputeEntry,
    DisputeNote,
    DisputeOutcome,
    DisputeSeatView,
    DisputeView,
    NewDispute,
)
from openfelt.record_events.dispute_events import DisputeEnd
from openfelt.record_events.reading_events import ReadingKind, RecordRead
from openfelt.runtime.causes import acting
from openfelt.runtime.readings import note_reading
from openfelt.server.http.dependencies import CurrentCaller, CurrentServices
from openfelt.server.services import Services
from openfelt.server.supervision.disputes import Dispute
from openfelt.storage.codec import read_json
from openfelt.table.commands import Actor

router = APIRouter(prefix=API, tags=["disputes"])
DisputeNumber = Annotated[int, Path(ge=1, le=2**53)]
FrozenSeat = Annotated[int, Path(ge=0, le=100_000)]
EXPORT_FORM: Final = "openfelt.dispute-export/1"


@router.get("/disputes")
async def disputes(services: CurrentServices) -> list[DisputeView]:
    """All disputes, the newest first."""
    return [_view(entry) for entry in await asyncio.to_thread(services.disputes.all)]


@router.post("/disputes")
async def open_dispute(
    form: NewDispute, caller: CurrentCaller, services: CurrentServices
) -> DisputeView:
    """Freeze a finished round with the views of each seat and the dealer.

    A second request for the same round returns the existing dispute.
    """
    await services.lobby.table_for(form.table, caller.viewer)
    cause = acting()
    return _view(
        await services.round_pool.run(
            lambda: services.disputes.open(form.table, form.round, note=form.note, cause=cause)
        )
    )


@router.get("/disputes/{dispute}")
async def dispute(dispute: DisputeNumber, services: CurrentServices) -> DisputeView:
    """A dispute by its number."""
    return _view(await asyncio.to_thread(services.disputes.get, dispute))


@router.post("/disputes/{dispute}/notes")
async def add_note(
    dispute: DisputeNumber, form: DisputeNote, services: CurrentServices
) -> DisputeView:
    """Add a note, which cannot be removed."""
    return _view(await asyncio.to_thread(services.disputes.note, dispute, form.note))


@router.post("/disputes/{dispute}/outcome")
async def decide(
    dispute: DisputeNumber, form: DisputeOutcome, services: CurrentServices
) -> DisputeView:
    """Add the outcome, which is final."""
    outcome = DisputeEnd(form.outcome)
    return _view(await asyncio.to_thread(services.disputes.decide, dispute, outcome, form.note))


@router.get("/disputes/{dispute}/views/{seat}")
async def seat_view(
    dispute: DisputeNumber, seat: FrozenSeat, services: CurrentServices
) -> DisputeSeatView:
    """The view of one seat, or of the dealer for seat 0, as data and as a picture.

    Reading it is recorded.
    """

    def read() -> DisputeSeatView:
        record = services.disputes.get(dispute)
        view = services.disputes.seat_view(record, seat)
        reading = RecordRead(ReadingKind.DISPUTE, f"{dispute}, seat {seat}")
        note_reading(services.store, services.clock, reading)
        return DisputeSeatView(seat=seat, **asdict(view))

    return await services.round_pool.run(read)


@router.get("/disputes/{dispute}/export")
async def export(dispute: DisputeNumber, services: CurrentServices) -> Response:
    """Everything of a dispute as one file: its record, the frozen round, its views and proof.

    Reading it is recorded.
    """
    body = await services.round_pool.run(lambda: _export(services, dispute))
    reading = RecordRead(ReadingKind.DISPUTE, str(dispute))
    await asyncio.to_thread(note_reading, services.store, services.clock, reading)
    name = f"openfelt-dispute-{dispute}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type="application/json", headers=headers)


def _export(services: Services, number: int) -> bytes:
    record = services.disputes.get(number)
    frozen = services.disputes.frozen(record)
    return msgspec.json.encode(
        {
            "form": EXPORT_FORM,
            "dispute": _view(record).model_dump(),
            "record": [
                {
                    "version": stored.version,
                    "name": stored.name,
                    "at_ms": stored.at_ms,
                    "actor": stored.cause.actor,
                    "hash": stored.hash,
                    "previous": stored.previous,
                    "body": read_json(stored.body),
                }
                for stored in services.disputes.record(number)
            ],
            # As it was frozen, byte by byte, so that its hash can be computed.
            "frozen": frozen,
        }
    )


def _view(dispute: Dispute) -> DisputeView:
    opened, outcome = dispute.opened, dispute.outcome
    return DisputeView(
        number=dispute.number,
        table=opened.table,
        round=opened.round,
        at_ms=dispute.at_ms,
        by=Actor.parse(dispute.by).name,
        note=opened.note,
        seats=list(opened.seats),
        until_ms=opened.until_ms,
        purged=opened.purged,
        digest=opened.digest,
        outcome=None if outcome is None else outcome.value,
        entries=[
            DisputeEntry(
                at_ms=entry.at_ms,
                by=Actor.parse(entry.by).name,
                note=entry.note,
                outcome=None if entry.outcome is None else entry.outcome.value,
            )
            for entry in dispute.entries
        ],
    )
