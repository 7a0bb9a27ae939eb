"""The endpoint of a path, found by a dictionary instead of trying all of them one after another.

The framework tries every pattern in order, which takes longer than most requests themselves. Here
the endpoints are kept by the length of their paths, the first parts and the last one, and only
those that can match are tried, in the same order. A request that matches none of them is left to
the framework.
"""

from collections.abc import Iterator
from itertools import count
from typing import Final

from fastapi import APIRouter
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

_PARTS: Final = 3
"""By how many parts of its path an endpoint is found: ``/api/v1/tables`` has three."""
_VALUE: Final = "{}"
"""Represents a last part that is a value."""

_Key = tuple[int, tuple[str, ...], str]
_Place = tuple[int, BaseRoute]


class RouteIndex:
    """All endpoints of an application by their paths."""

    def __init__(self, router: APIRouter) -> None:
        self._router = router
        self._number = count()
        self._by_key: dict[_Key, list[_Place]] = {}
        self._anywhere: list[_Place] = []
        """Endpoints whose paths begin with a value, or have any length."""
        for route in router.routes:
            self._add(route, str(getattr(route, "path", "")))

    def include(self, group: APIRouter) -> None:
        """Add the endpoints of a group, which has nothing to open or close, one by one."""
        lifespan = self._router.lifespan_context
        for route in group.routes:
            self._router.include_router(APIRouter(routes=[route]))
            # Otherwise every endpoint wraps the start of the application once more.
            self._router.lifespan_context = lifespan
            self._add(self._router.routes[-1], str(getattr(route, "path", "")))

    def _add(self, route: BaseRoute, path: str) -> None:
        place = next(self._number), route
        parts = _parts(path)
        first = parts[:_PARTS]
        if not path or ":path}" in path or any("{" in part for part in first):
            self._anywhere.append(place)
        else:
            last = _VALUE if "{" in parts[-1] else parts[-1]
            self._by_key.setdefault((len(parts), first, last), []).append(place)

    def _candidates(self, path: str) -> Iterator[BaseRoute]:
        """The endpoints that may take a path, in the order in which they were added."""
        parts = _parts(path)
        length, first, numbered = len(parts), parts[:_PARTS], list(self._anywhere)
        for last in {*parts[-1:], _VALUE}:
            numbered += self._by_key.get((length, first, last), ())
        return (route for _, route in sorted(numbered, key=_number))

    def route_of(self, scope: Scope) -> tuple[BaseRoute, Scope] | None:
        """The endpoint that takes a request, and what it has found; None if the framework decides.

        An endpoint that knows the path but not the method says so itself.
        """
        partial: tuple[BaseRoute, Scope] | None = None
        for route in self._candidates(scope["path"]):
            match, child_scope = route.matches(scope)
            if match is Match.FULL:
                return route, child_scope
            if match is Match.PARTIAL and partial is None:
                partial = route, child_scope
        return partial

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the endpoint of a request handle it, as the framework would."""
        taken = None if scope["type"] == "lifespan" else self.route_of(scope)
        if taken is None:
            await self._router.app(scope, receive, send)
            return
        scope.setdefault("router", self._router)
        route, child_scope = taken
        scope.update(child_scope)
        await route.handle(scope, receive, send)


def _parts(path: str) -> tuple[str, ...]:
    return tuple(path.split("/")[1:])


def _number(place: _Place) -> int:
    return place[0]
