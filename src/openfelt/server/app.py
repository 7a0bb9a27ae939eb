"""The ASGI application of a server: its endpoints behind its middleware."""

import contextlib
import os
from collections.abc import AsyncIterator
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from openfelt.protocol.api_prefix import API
from openfelt.protocol.asyncapi import asyncapi
from openfelt.protocol.form_fields import (
    Problem,
)
from openfelt.protocol.openapi import message_schemas
from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock, SteadyClock
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.server.credentials.passwords import Passwords
from openfelt.server.errors import Denied
from openfelt.server.http import website
from openfelt.server.http.access_log import AccessLog
from openfelt.server.http.endpoint_permissions import check_permission, endpoints
from openfelt.server.http.request_guard import RequestGuard, problem_body, problem_headers
from openfelt.server.http.route_index import RouteIndex
from openfelt.server.http.routes import (
    account,
    auditors,
    cage,
    dealer_terminals,
    disputes,
    drawer_transfers,
    fairness_figures,
    figure_transfers,
    floor,
    history,
    houses,
    operations,
    passkeys,
    player_limits,
    progressive_links,
    readers,
    second_factor,
    self_checks,
    servers,
    staff,
    table_changes,
    tables,
    trays,
    what_if,
)
from openfelt.server.http.visitors import Visitors
from openfelt.server.lifecycle import open_services
from openfelt.server.limits.rates import NetworkBuckets
from openfelt.server.limits.refused_sites import RefusedSites
from openfelt.server.monitoring.metrics import Metrics
from openfelt.server.monitoring.traces import exported_traces
from openfelt.server.settings import Settings
from openfelt.server.socket import endpoint
from openfelt.storage.door import StoreError
from openfelt.table.role_permissions import PERMISSIONS

_DESCRIPTION = """
Lobby, accounts, history, paytables and proofs of an Openfelt server. Tables are played over a
socket at /ws/tables/{table}. Amounts are whole cents. Every refusal has a code for programs and
a sentence for people.
"""
_GROUPS = (
    account,
    second_factor,
    passkeys,
    dealer_terminals,
    staff,
    player_limits,
    floor,
    figure_transfers,
    disputes,
    auditors,
    progressive_links,
    fairness_figures,
    readers,
    cage,
    drawer_transfers,
    trays,
    tables,
    table_changes,
    houses,
    what_if,
    history,
    self_checks,
    servers,
    operations,
)
"""The endpoints of REST, in groups."""


def make_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    passwords: Passwords | None = None,
    shuffler: Shuffler | None = None,
) -> FastAPI:
    """The application of a server, whose services open and close with it."""
    used_clock, metrics = clock or SteadyClock(), Metrics()
    request_rate = NetworkBuckets(settings.limits.requests, used_clock)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with exported_traces(os.environ, version=version("openfelt")):
            async with open_services(
                settings,
                clock=used_clock,
                metrics=metrics,
                passwords=passwords,
                shuffler=shuffler,
                request_rate=request_rate,
            ) as services:
                app.state.services = services
                yield

    app = Application(
        title="Openfelt",
        version=version("openfelt"),
        description=_DESCRIPTION,
        lifespan=lifespan,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses={"4XX": {"model": Problem, "description": "Refused"}},
        dependencies=[Depends(check_permission)],
    )
    app.add_api_route(f"{API}/asyncapi.json", asyncapi, include_in_schema=False)
    # The website comes last: its route matches every path that is left.
    routers = [*(group.router for group in _GROUPS), endpoint.router, website.router]
    if unlisted := set(endpoints(routers)) - PERMISSIONS.keys():
        raise RuntimeError(f"No permission is listed for {', '.join(sorted(unlisted))}.")
    index = RouteIndex(app.router)
    for router in routers if settings.cluster.role.takes_callers else [operations.router]:
        index.include(router)
    app.router.middleware_stack = index
    _add_error_handlers(app)
    app.add_middleware(Visitors)
    app.state.refused_sites = RefusedSites(used_clock)
    app.add_middleware(
        RequestGuard, settings=settings, requests=request_rate, refused=app.state.refused_sites
    )
    app.add_middleware(AccessLog, metrics=metrics, clock=used_clock)
    return app


class Application(FastAPI):
    """An application whose description includes the messages that some endpoints return."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI description of all endpoints."""
        description = super().openapi()
        description["components"]["schemas"] |= message_schemas()
        return description


# Refusals ----------------------------------------------------------------------------------


def _add_error_handlers(app: FastAPI) -> None:
    """Answer every refusal in the same form, whichever layer it comes from."""

    @app.exception_handler(Denied)
    async def denied(_: Request, error: Denied) -> Response:
        return _problem(error)

    @app.exception_handler(Refusal)
    async def refused(_: Request, error: Refusal) -> Response:
        return _problem(Denied(HTTPStatus.CONFLICT, error.code.value, error.sentence))

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> Response:
        return _problem(Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed", _sentence(error)))

    @app.exception_handler(StoreError)
    async def no_store(_: Request, __: StoreError) -> Response:
        return _problem(
            Denied(
                HTTPStatus.SERVICE_UNAVAILABLE, "stopped", "The store is unavailable at the moment."
            )
        )

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Response:
        status = HTTPStatus(error.status_code)
        problem = Denied(status, status.name.lower(), f"{status.phrase}.")
        answer = _problem(problem)
        answer.headers.update(error.headers or {})
        return answer


def _sentence(error: RequestValidationError) -> str:
    """Describe an invalid request, without its values, which may be secrets."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}"[:300]


def _problem(denied: Denied) -> Response:
    return Response(
        problem_body(denied),
        int(denied.status),
        problem_headers(denied),
        media_type="application/json",
    )
