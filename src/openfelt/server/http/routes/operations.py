"""Endpoints for operators: health and metrics."""

import hmac
from http import HTTPStatus

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from openfelt.server.accounts.events import AccountRole
from openfelt.server.errors import not_allowed
from openfelt.server.http.dependencies import CurrentCaller, CurrentServices, bearer_token
from openfelt.server.services import Services
from openfelt.server.settings import is_loopback
from openfelt.server.tables.lobby import PRIVATE_PREFIX

router = APIRouter(tags=["operations"])


class Health(BaseModel):
    """The health of a server."""

    status: str
    """``ok``, ``degraded`` where a table has stopped, or ``failing`` where the store has."""
    tables_running: int
    tables_stopped: list[str]
    """Public tables only: the name of a private table contains its player's."""
    private_tables_stopped: int
    sockets: int


@router.get("/healthz", responses={503: {"model": Health}})
async def healthz(services: CurrentServices, response: Response) -> Health:
    """Whether the server works: 200 if so, 503 where its store cannot be written to."""
    stopped = services.floor.stopped.keys() | services.lobby.unreadable
    public = sorted(name for name in stopped if not _private(services, name))
    writable = await services.store_health.writable()
    if not writable:
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    return Health(
        status="failing" if not writable else "degraded" if stopped else "ok",
        tables_running=len(services.floor.running),
        tables_stopped=public,
        private_tables_stopped=len(stopped) - len(public),
        sockets=services.rooms.viewers,
    )


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request, caller: CurrentCaller, services: CurrentServices) -> Response:
    """Metrics for Prometheus: for supervisors, auditors and the token for metrics, and without
    either for this machine where no other can reach the server."""
    account = caller.account
    trusted = account is not None and account.role in (AccountRole.SUPERVISOR, AccountRole.AUDITOR)
    token = services.settings.metrics_token
    if token and hmac.compare_digest(bearer_token(request) or "", token):
        trusted = True
    if not trusted and not (services.settings.local and is_loopback(caller.address)):
        raise not_allowed("Metrics need the token for metrics, or that of a supervisor or auditor.")
    return Response(services.metrics.text(), media_type=CONTENT_TYPE_LATEST)


def _private(services: Services, table: str) -> bool:
    running = services.floor.running.get(table)
    owned = running is not None and running.worker.table.opened.private_to is not None
    return owned or table.startswith(PRIVATE_PREFIX)
