"""Endpoints for operators: health and metrics."""

from http import HTTPStatus

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from openfelt.runtime.streams import PRIVATE_PREFIX
from openfelt.server.http.dependencies import CurrentServices
from openfelt.server.services import Services

router = APIRouter(tags=["operations"])


class Health(BaseModel):
    """The health of a server."""

    status: str
    """``ok``; ``degraded`` where a table has stopped, no process runs a table that one should run,
    the record is not signed, the clock is wrong or the bus is away; or ``failing`` where the store
    cannot be written to, every table has stopped, or only this server has lost the bus."""
    tables_running: int
    tables_stopped: list[str]
    """Public tables only: the name of a private table contains its player's."""
    private_tables_stopped: int
    tables_abandoned: list[str]
    """Public tables whose process has ended, and which no other process has taken up."""
    private_tables_abandoned: int
    notary: str
    """``ok``, ``off`` where no checkpoints are wanted, or why none are signed: ``key``,
    ``record``, ``older``, ``store`` or ``late``."""
    clock: str
    """``ok``, ``jumped`` where the machine's clock was set while the server ran, or ``behind``
    where the record has events of a later time."""
    bus: str
    """``ok``; ``none`` for a server without one; ``lost`` while it is away; ``cut off`` where only
    this server has lost it; or ``apart`` where servers share the database without a bus."""
    sockets: int


@router.get("/healthz", responses={503: {"model": Health}})
async def healthz(services: CurrentServices, response: Response) -> Health:
    """Whether the server works: 200 if so, 503 where its store cannot be written to, where every
    table that it runs has stopped, or where it alone has lost the bus.

    A degraded server is answered with 200. Its other tables continue, and a proxy that took the
    server out of service would stop them as well.
    """
    stopped = services.floor.stopped.keys() | services.lobby.unreadable
    public = sorted(name for name in stopped if not _private(services, name))
    writable = await services.store_health.writable()
    none_goes_on = bool(stopped) and not services.floor.running.keys() - stopped
    failing = not writable or none_goes_on
    clock = services.clock_health.status
    abandoned = services.ownership.abandoned
    listed = [table for table in abandoned if not _private(services, table)]
    bus = _bus(services)
    failing = failing or bus == "cut off"
    degraded = (
        bool(stopped or abandoned)
        or services.notary_health.problem is not None
        or clock != "ok"
        or bus not in ("ok", "none")
    )
    if failing:
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    return Health(
        status="failing" if failing else "degraded" if degraded else "ok",
        tables_running=len(services.floor.running),
        tables_stopped=public,
        private_tables_stopped=len(stopped) - len(public),
        tables_abandoned=listed,
        private_tables_abandoned=len(abandoned) - len(listed),
        notary=services.notary_health.status,
        clock=clock,
        bus=bus,
        sockets=services.rooms.viewers,
    )


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(services: CurrentServices) -> Response:
    """Metrics for Prometheus: for supervisors, auditors and the token for metrics, and without
    either for this machine where no other can reach the server."""
    return Response(services.metrics.text(), media_type=CONTENT_TYPE_LATEST)


def _bus(services: Services) -> str:
    ownership = services.ownership
    if ownership.apart:
        return "apart"
    if services.settings.cluster.bus is None:
        return "none"
    if services.bus.connected:
        return "ok"
    return "cut off" if ownership.cut_off else "lost"


def _private(services: Services, table: str) -> bool:
    running = services.floor.running.get(table)
    owned = running is not None and running.worker.table.opened.private_to is not None
    return owned or table.startswith(PRIVATE_PREFIX)
