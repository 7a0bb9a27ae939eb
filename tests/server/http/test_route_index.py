"""The index of endpoints beside the framework's own search through all of them."""

from pathlib import Path
from typing import Any

import pytest
from starlette.routing import BaseRoute, Match

from openfelt.server.app import make_app
from openfelt.server.http.route_index import RouteIndex
from openfelt.server.settings import Settings
from openfelt.table.role_permissions import PERMISSIONS

Found = tuple[BaseRoute, dict[str, Any]] | None


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> RouteIndex:
    folder: Path = tmp_path_factory.mktemp("index")
    index = make_app(Settings(database=str(folder / "felt.db"))).router.middleware_stack
    assert isinstance(index, RouteIndex)
    return index


def asked(method: str, path: str) -> dict[str, Any]:
    """A request, or a socket if the method says so."""
    kind = "websocket" if method == "WEBSOCKET" else "http"
    scope = {"type": kind, "path": path, "headers": [], "query_string": b"", "root_path": ""}
    return scope if kind == "websocket" else {**scope, "method": method}


def searched(index: RouteIndex, scope: dict[str, Any]) -> Found:
    """The endpoint as the framework finds it: the first that matches, otherwise the first in
    part."""
    matches = [(route, *route.matches(scope)) for route in index._router.routes]
    for wanted in (Match.FULL, Match.PARTIAL):
        for route, match, found in matches:
            if match is wanted:
                return route, dict(found)
    return None


def paths() -> list[str]:
    """The path of every endpoint with values, and paths that are nearly theirs."""
    listed = {key.partition(" ")[2] for key in PERMISSIONS}
    filled = [
        "/".join("x-1" if "{" in part else part for part in path.split("/")) for path in listed
    ]
    near = [f"{path}{more}" for path in filled for more in ("/", "/more", "//", "/%2e")]
    cut = [path.rpartition("/")[0] for path in filled]
    odd = [
        "",
        "/",
        "//",
        "/api",
        "/api/",
        "/api/v1",
        "/API/V1/me",
        "/api/v1//me",
        "api/v1/me",
        "/é",
    ]
    return sorted({*filled, *near, *cut, *odd})


def test_the_index_finds_what_the_framework_finds(index: RouteIndex) -> None:
    taken = set()
    for path in paths():
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "WEBSOCKET"):
            by_index = index.route_of(asked(method, path))
            by_search = searched(index, asked(method, path))
            assert (by_index is None) == (by_search is None), (method, path)
            if by_index is not None and by_search is not None:
                assert by_index[0] is by_search[0], (method, path)
                assert dict(by_index[1]) == by_search[1], (method, path)
                taken.add(id(by_index[0]))
    # Every endpoint was found by some path.
    assert taken >= {id(route) for _, route in index._anywhere}
    assert len(taken) > len(index._by_key)


def test_few_endpoints_are_tried(index: RouteIndex) -> None:
    """However many endpoints there are, a path is compared with a handful of them."""
    most = max(len(list(index._candidates(path))) for path in paths())
    assert most <= 6 < len(index._router.routes) / 10
