"""A hall for tests: a floor on a file, and a real server on a loopback port that only has sockets.

A header says who the caller is, so that a test needs no sign-in to be a player or a dealer.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from fastapi import FastAPI, WebSocket

from openfelt.catalog import load_house
from openfelt.client import Terminal
from openfelt.rules import House
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.socket.connection import serve_terminal
from openfelt.server.tables.rooms import Rooms
from openfelt.storage.addresses import open_store
from openfelt.table.commands import OpenTable, Person, Role

EVE = Person(Role.FLOOR, "eve")
DOLLARS = 100_000


class Hall:
    """A running server with one floor."""

    def __init__(self, floor: Floor, rooms: Rooms, port: int) -> None:
        self.floor = floor
        self.rooms = rooms
        self.port = port

    async def open(
        self,
        table: str,
        house: House | str,
        *,
        mode: DealerMode | None = None,
        clock: ClockRule | None = None,
        private_to: str | None = None,
    ) -> None:
        """Put a table on the floor."""
        rules = load_house(house) if isinstance(house, str) else house
        command = OpenTable(
            table=table, house=rules, dealer_mode=mode, clock=clock, private_to=private_to
        )
        await self.floor.open_table(command, by=EVE)

    def terminal(
        self,
        table: str,
        name: str | None,
        role: Role = Role.PLAYER,
        *,
        remote: bool = False,
        stopped: str = "",
    ) -> Terminal:
        """A person's terminal at a table."""
        if name is not None and role is Role.PLAYER:
            self.floor.cashier.deposit(name, DOLLARS, id="first")
        headers = {
            "X-Name": name or "",
            "X-Role": role.value,
            "X-Remote": "1" if remote else "",
            "X-Stopped": stopped,
        }
        address = f"127.0.0.1:{self.port}"
        return Terminal(
            f"ws://{address}/ws/tables/{table}", origin=f"http://{address}", headers=headers
        )


def _viewer(socket: WebSocket) -> Viewer | None:
    name = socket.headers["x-name"]
    if not name:
        return None
    person = Person(Role(socket.headers["x-role"]), name)
    return Viewer(
        person,
        enrolled=not socket.headers["x-remote"],
        stopped=socket.headers.get("x-stopped", ""),
    )


@contextlib.asynccontextmanager
async def open_hall(folder: Path, *, seed: int = 1, owner: str = "hall") -> AsyncIterator[Hall]:
    """A hall on a new file in this folder, or on the one that is there."""
    store = open_store(str(folder / "hall.db"))
    shuffler = Shuffler(SeededEntropy(seed))
    try:
        async with Floor(store, owner=owner, shuffler=shuffler) as floor, Rooms(floor) as rooms:
            app = FastAPI()

            @app.websocket("/ws/tables/{table}")
            async def terminal(socket: WebSocket, table: str) -> None:
                await serve_terminal(socket, table, _viewer(socket), rooms)

            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            config = uvicorn.Config(
                app, port=port, log_config=None, lifespan="off", ws="websockets-sansio"
            )
            server = uvicorn.Server(config)
            server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
            serving = asyncio.create_task(server.serve())
            while not server.started:  # noqa: ASYNC110 (uvicorn offers nothing to wait for)
                await asyncio.sleep(0.01)
            try:
                yield Hall(floor, rooms, port)
            finally:
                server.should_exit = True
                await serving
    finally:
        store.close()
