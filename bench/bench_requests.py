"""The processor time of small HTTP requests: the index of endpoints beside the framework's search.

One application answers both ways in turn, without a socket. The search tries all patterns one
after another, as the framework does by itself.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from openfelt.server.app import make_app
from openfelt.server.settings import Settings

PATHS = ("/healthz", "/api/v1/houses", "/api/v1/me", "/api/v1/tables", "/api/v1/nothing")
REQUESTS = 200
TURNS = 5


async def ask(app: FastAPI, path: str) -> int:
    """Ask for a page without a socket; returns the status."""
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1")],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return int(sent[0]["status"])


async def microseconds(app: FastAPI, path: str) -> float:
    """The processor time of one request."""
    started = time.process_time()
    for _ in range(REQUESTS):
        await ask(app, path)
    return (time.process_time() - started) / REQUESTS * 1e6


async def measure(folder: Path) -> None:
    """Ask for each page both ways in turn, and print the least time of each."""
    app = make_app(Settings(database=str(folder / "felt.db")))
    index = app.router.middleware_stack
    async with app.router.lifespan_context(app):
        print(f"{'':20}{'search':>10}{'index':>10}{'ratio':>8}   microseconds a request")
        for path in PATHS:
            taken: dict[str, list[float]] = {"search": [], "index": []}
            for _ in range(TURNS):
                for name, stack in (("search", app.router.app), ("index", index)):
                    app.router.middleware_stack = stack
                    taken[name].append(await microseconds(app, path))
            search, found = min(taken["search"]), min(taken["index"])
            print(f"{path:20}{search:10.0f}{found:10.0f}{search / found:8.2f}")


def main() -> None:
    """Compare the two ways to find an endpoint."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
