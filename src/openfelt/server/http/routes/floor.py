"""Endpoints of the floor's page: every table with its figures, and checkpoints of them."""

import asyncio
from dataclasses import asdict
from datetime import date

from fastapi import APIRouter
from fastapi.responses import Response

from openfelt.protocol.api_prefix import API
from openfelt.protocol.floor_forms import (
    CheckpointForm,
    CheckpointTable,
    FloorCheckpointView,
    FloorView,
)
from openfelt.record_events.floor_checkpoint_events import CheckpointFigures
from openfelt.server.http.dependencies import CurrentServices
from openfelt.server.supervision.floor_checkpoints import FloorCheckpoint
from openfelt.table.commands import Actor

router = APIRouter(prefix=API, tags=["floor"])


@router.get("/floor", response_model=FloorView)
async def floor(services: CurrentServices) -> Response:
    """All public tables with the figures of the day, as they were within the last second."""
    return Response(await services.overview.body(), media_type="application/json")


@router.get("/floor/checkpoints")
async def checkpoints(services: CurrentServices) -> list[FloorCheckpointView]:
    """The last checkpoints of the floor, the newest first."""
    return [
        _view(checkpoint) for checkpoint in await asyncio.to_thread(services.checkpoints.newest)
    ]


@router.post("/floor/checkpoints")
async def keep_checkpoint(form: CheckpointForm, services: CurrentServices) -> FloorCheckpointView:
    """Keep the figures of the floor as they are now."""
    floor = await services.overview.view()
    tables = {
        line.table: CheckpointFigures(
            rounds=line.figures.rounds,
            stakes_cents=line.figures.stakes_cents,
            win_cents=line.figures.win_cents or 0,
            players=line.players,
        )
        for line in floor.tables
        if line.figures is not None
    }
    day = date.fromisoformat(floor.day)
    kept = await asyncio.to_thread(services.checkpoints.keep, day, tables, note=form.note)
    return _view(kept)


def _view(checkpoint: FloorCheckpoint) -> FloorCheckpointView:
    kept = checkpoint.kept
    return FloorCheckpointView(
        number=checkpoint.number,
        at_ms=checkpoint.at_ms,
        by=Actor.parse(checkpoint.by).name,
        note=kept.note,
        day=kept.day.isoformat(),
        tables={name: CheckpointTable(**asdict(table)) for name, table in kept.tables.items()},
    )
