"""A server that sends a terminal what a test chooses, true or not."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from openfelt.client import Terminal
from openfelt.protocol.messages import PROTOCOL

View = dict[str, Any]
TABLE = "table-1"


def public_view(**changes: Any) -> View:
    """A private table of the house ``online`` between two rounds, with its deck sealed."""
    counts = ("rounds", "rounds_voided", "rounds_withdrawn", "seeds", "seeds_withheld")
    return {
        "table": TABLE, "house": "online", "fingerprint": "00", "phase": "open",
        "dealer_mode": "virtual", "private": True, "seats_taken": [1], "players": 1,
        "computer_seats": [], "commitments": {}, "deck_round": 1, "results": [],
        "fairness": dict.fromkeys(counts, 0), "round": None, "seeds": None,
    } | changes  # fmt: skip


def private_view(**changes: Any) -> View:
    """The player at seat 1."""
    money = ("credit_cents", "wallet_cents", "bet_cents", "win_cents", "net_cents")
    return dict.fromkeys((*money, "collection_cents"), 0) | {
        "name": "ann", "seat": 1, "deck_root": None, "deck_round": 1, "deck_sealed": True,
        "seed_commitment": None, "seed_revealed": False, "hands": {}, "may": [],
    } | changes  # fmt: skip


def round_view(phase: str = "playing", **changes: Any) -> View:
    """Round 1 in this phase."""
    return {
        "number": 1, "id": f"{TABLE}/1", "phase": phase, "common": [], "dealer": [], "hands": {},
        "hands_in_play": 1, "hands_waited_for": 0,
    } | changes  # fmt: skip


def seeds_view(digest: str | None = None, *, fixed: bool = False) -> View:
    """The seeds of the round, called with a digest or not."""
    return {"committed": 1, "digest": digest, "fixed": fixed, "withheld": 0}


class CheatingServer:
    """One table, at which every command gets the answer that a test has chosen."""

    def __init__(self) -> None:
        self.public = public_view()
        self.private = private_view()
        self.version = 1
        self.asked: list[View] = []
        self.refuses: set[str] = set()
        self.on_wager: tuple[View, View] | None = None
        """What is shown with the first accepted wager."""
        self.reachable = asyncio.Event()
        self.reachable.set()
        self._socket: ServerConnection | None = None
        self.port = 0

    def terminal(self) -> Terminal:
        """A terminal at the table."""
        origin = f"http://127.0.0.1:{self.port}"
        return Terminal(f"ws://127.0.0.1:{self.port}/", origin=origin, headers={})

    async def shows(self, public: View | None = None, private: View | None = None) -> None:
        """Show a change to the terminal, if it is connected."""
        self.version += 1
        self.public |= public or {}
        self.private |= private or {}
        if self._socket is not None:
            views = {"public": self.public, "private": self.private}
            with contextlib.suppress(ConnectionClosed):
                await self._say(type="change", version=self.version, **views)

    async def _say(self, **message: Any) -> None:
        assert self._socket is not None
        await self._socket.send(json.dumps(message))

    async def serve(self, socket: ServerConnection) -> None:
        """Serve one connection."""
        await socket.recv()
        await self.reachable.wait()
        self._socket = socket
        views = {"public": self.public, "private": self.private}
        await self._say(type="welcome", protocol=PROTOCOL, version=self.version, **views)
        try:
            async for text in socket:
                await self._answer(json.loads(text))
        finally:
            self._socket = None

    async def _answer(self, message: View) -> None:
        kind = message["command"]["kind"]
        self.asked.append(message["command"])
        if kind == "set_wagers" and self.on_wager is not None:
            await self.shows(*self.on_wager)
        accepted = kind not in self.refuses
        refusal = {} if accepted else {"refused": "seeds_not_called", "sentence": "Too late."}
        answer = {"id": message["id"], "version": self.version, "accepted": accepted} | refusal
        await self._say(type="answer", **answer)


@contextlib.asynccontextmanager
async def cheating_server() -> AsyncIterator[CheatingServer]:
    """A cheating server on a loopback port."""
    cheat = CheatingServer()
    async with serve(cheat.serve, "127.0.0.1", 0) as running:
        cheat.port = next(iter(running.sockets)).getsockname()[1]
        yield cheat
