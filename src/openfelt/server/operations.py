"""Pages for whoever runs the server: is it well, and what does it count?"""

import asyncio
from http import HTTPStatus

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from openfelt.server.account_events import AccountRole
from openfelt.server.denied import not_allowed
from openfelt.server.identity import Anybody, Here
from openfelt.server.premises import Premises
from openfelt.server.settings import is_loopback
from openfelt.storage.door import StoreError

router = APIRouter(tags=["operations"])
STORE_SECONDS_MAX = 3


class Health(BaseModel):
    """How a server is."""

    status: str
    """``ok``; ``degraded`` where a table has stopped; ``failing`` where the store has."""
    tables_running: int
    tables_stopped: list[str]
    sockets: int


@router.get("/healthz", responses={503: {"model": Health}})
async def healthz(premises: Here, response: Response) -> Health:
    """Whether the server can do its work: 200 if so, 503 where its store is not there."""
    stopped = premises.floor.stopped.keys() | premises.lobby.unreadable
    well = await _store_answers(premises)
    if not well:
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    return Health(
        status="ok" if well and not stopped else "degraded" if well else "failing",
        tables_running=len(premises.floor.running),
        tables_stopped=sorted(stopped),
        sockets=premises.rooms.viewers,
    )


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(visitor: Anybody, premises: Here) -> Response:
    """Counters for Prometheus: for this machine itself, and for supervisors and auditors."""
    account = visitor.account
    trusted = account is not None and account.role in (AccountRole.SUPERVISOR, AccountRole.AUDITOR)
    if not trusted and not is_loopback(visitor.address):
        raise not_allowed("Metrics are for this machine, or for a supervisor's token.")
    return Response(premises.metrics.text(), media_type=CONTENT_TYPE_LATEST)


async def _store_answers(premises: Premises) -> bool:
    try:
        async with asyncio.timeout(STORE_SECONDS_MAX):
            await asyncio.to_thread(premises.store.head, "account/")
    except (StoreError, TimeoutError):
        return False
    return True
