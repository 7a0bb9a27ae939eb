"""The endpoint of the servers that share the database."""

import asyncio

from fastapi import APIRouter

from openfelt.protocol.api_prefix import API
from openfelt.protocol.server_views import RunTableView, ServerStateView, ServersView
from openfelt.runtime.cluster.cluster_state import ServerState, cluster_state
from openfelt.server.http.dependencies import CurrentServices

router = APIRouter(prefix=API, tags=["operations"])


@router.get("/servers")
async def servers(services: CurrentServices) -> ServersView:
    """The servers that share the database, with the tables and duties of each, and the tables that
    wait for a server."""
    state = await asyncio.to_thread(cluster_state, services.store)
    return ServersView(
        servers=[_view(server) for server in state.servers],
        waiting=list(state.waiting),
        apart=list(state.apart),
    )


def _view(server: ServerState) -> ServerStateView:
    member = server.member
    return ServerStateView(
        name=member.name,
        role=member.role,
        version=member.version,
        started_ms=member.started_ms,
        silent_ms=member.silent_ms,
        state=server.words,
        bus=member.bus.state.value,
        bus_ms=member.bus.for_ms,
        lag_ms=member.lag_ms,
        tables=[RunTableView(**table._asdict()) for table in server.tables],
        duties=list(server.duties),
    )
