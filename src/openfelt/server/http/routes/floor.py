"""Endpoints of the floor's page: every table with its figures."""

from fastapi import APIRouter
from fastapi.responses import Response

from openfelt.protocol.floor_forms import FloorView
from openfelt.protocol.messages import API
from openfelt.server.http.dependencies import CurrentServices

router = APIRouter(prefix=API, tags=["floor"])


@router.get("/floor", response_model=FloorView)
async def floor(services: CurrentServices) -> Response:
    """All public tables with the figures of the day, as they were within the last second."""
    return Response(await services.overview.body(), media_type="application/json")
