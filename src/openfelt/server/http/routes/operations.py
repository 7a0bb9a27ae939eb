"""Pages for whoever runs the server: is it well, and what does it count?"""

from http import HTTPStatus

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from openfelt.server.accounts.events import AccountRole
from openfelt.server.http.dependencies import Anybody, Here
from openfelt.server.http.errors import not_allowed
from openfelt.server.services import Premises
from openfelt.server.settings import is_loopback
from openfelt.server.tables.lobby import PRIVATE_PREFIX

router = APIRouter(tags=["operations"])


class Health(BaseModel):
    """How a server is."""

    status: str
    """``ok``; ``degraded`` where a table has stopped; ``failing`` where the store has."""
    tables_running: int
    tables_stopped: list[str]
    """Public ones. The name of a private table is its player's, and this page is open to all."""
    private_tables_stopped: int
    sockets: int


@router.get("/healthz", responses={503: {"model": Health}})
async def healthz(premises: Here, response: Response) -> Health:
    """Whether the server can do its work: 200 if so, 503 where its store takes nothing."""
    stopped = premises.floor.stopped.keys() | premises.lobby.unreadable
    public = sorted(name for name in stopped if not _private(premises, name))
    well = await premises.pulse.beats()
    if not well:
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    return Health(
        status="ok" if well and not stopped else "degraded" if well else "failing",
        tables_running=len(premises.floor.running),
        tables_stopped=public,
        private_tables_stopped=len(stopped) - len(public),
        sockets=premises.rooms.viewers,
    )


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(visitor: Anybody, premises: Here) -> Response:
    """Counters for Prometheus: for supervisors and auditors, and for this machine itself where
    nobody else can reach the server. Elsewhere a proxy may look like this machine."""
    account = visitor.account
    trusted = account is not None and account.role in (AccountRole.SUPERVISOR, AccountRole.AUDITOR)
    if not trusted and not (premises.settings.local and is_loopback(visitor.address)):
        raise not_allowed("Metrics are for a supervisor's or an auditor's token.")
    return Response(premises.metrics.text(), media_type=CONTENT_TYPE_LATEST)


def _private(premises: Premises, table: str) -> bool:
    running = premises.floor.running.get(table)
    owned = running is not None and running.worker.table.opened.private_to is not None
    return owned or table.startswith(PRIVATE_PREFIX)
