"""A whole server for tests, in memory and on its own file.

async def test_a_guest_is_signed_in(house: OpenHouse) -> None:
    ann = await house.guest()
    assert await signed_in(ann)
"""

import contextlib
import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI

from openfelt.rules import CloseBets, MakeDecision, SetWagers, clock_decision
from openfelt.rules.wagers import Spot
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.server.app import make_app
from openfelt.server.credentials.passwords import Passwords
from openfelt.server.services import Services
from openfelt.server.settings import Settings
from openfelt.server.tables.house_returns import Computed, HouseReturns
from openfelt.table.commands import SYSTEM, BuyIn, EndTime, Person, Role, TableCommand, TakeSeat
from openfelt.table.state import Table
from tests.kit.floors import StandingClock, smallest_wagers

HERE = "http://127.0.0.1"
PASSWORD = "correct horse battery"
SUPERVISOR = {"name": "supervisor", "password": PASSWORD}
AUDITOR = {"name": "ada", "password": "purple monkey dishwasher"}
_IDS = itertools.count(1)


def settings_in(folder: Path, **changes: Any) -> Settings:
    """The settings of a server in a folder."""
    made = Settings(
        database=str(folder / "felt.db"), site=folder / "site", supervisor_password=PASSWORD
    )
    return replace(made, **changes)


def quick_passwords() -> Passwords:
    """Hashes that take next to no time."""
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


class OpenHouse:
    """A server that runs in this process, without a port."""

    def __init__(self, app: FastAPI, clock: StandingClock) -> None:
        self.app = app
        self.clock = clock
        self._clients = contextlib.AsyncExitStack()

    @property
    def services(self) -> Services:
        """Everything that the server consists of."""
        services = self.app.state.services
        assert isinstance(services, Services)
        return services

    async def client(self, *, address: str = "127.0.0.1", base: str = HERE) -> httpx.AsyncClient:
        """A browser at an address, closed with the house."""
        transport = httpx.ASGITransport(app=self.app, client=(address, 50_000))
        client = httpx.AsyncClient(transport=transport, base_url=base)
        return await self._clients.enter_async_context(client)

    async def guest(self, **where: str) -> httpx.AsyncClient:
        """A browser in which a guest has come in."""
        client = await self.client(**where)
        assert (await client.post("/api/v1/guest")).status_code == 200
        return client

    async def supervisor(self) -> httpx.AsyncClient:
        """A browser in which the supervisor has signed in."""
        client = await self.client()
        assert (await client.post("/api/v1/sign-in", json=SUPERVISOR)).status_code == 200
        return client

    async def auditor(self) -> httpx.AsyncClient:
        """A browser in which an auditor has signed in."""
        form = AUDITOR | {"role": "auditor", "temporary": False}
        supervisor = await self.supervisor()
        assert (await supervisor.post("/api/v1/accounts", json=form)).status_code == 200
        client = await self.client()
        assert (await client.post("/api/v1/sign-in", json=AUDITOR)).status_code == 200
        return client

    async def close(self) -> None:
        """Close every browser."""
        await self._clients.aclose()

    # At a table ------------------------------------------------------------------------

    async def ask(self, table: str, command: TableCommand, by: str | Person) -> Answer:
        """Give a command to a table."""
        person = Person(Role.PLAYER, by) if isinstance(by, str) else by
        command_id = None if person is SYSTEM else f"command {next(_IDS)}"
        request = Request(by=person, command=command, id=command_id)
        return await self.services.floor.ask(table, request)

    async def do(self, table: str, command: TableCommand, by: str | Person) -> None:
        """Give a command that is carried out."""
        answer = await self.ask(table, command, by)
        assert answer.accepted, answer

    async def sit(self, table: str, player: str, seat: int, cents: int = 50_000) -> None:
        """Let a player sit down and buy in."""
        await self.do(table, TakeSeat(seat), player)
        await self.do(table, BuyIn(seat, cents), player)

    async def bet(self, table: str, *seats: int) -> None:
        """Let the players at these seats bet on their first hand."""
        for seat in seats:
            state = await self.state(table)
            wagers = SetWagers(Spot(seat, 1), smallest_wagers(state.house))
            await self.do(table, wagers, state.seats[seat].player)

    async def deal(self, table: str) -> None:
        """Let the time for bets run out, so that the hands wait for their decisions."""
        clock = (await self.state(table)).clock
        assert clock is not None
        await self.do(table, EndTime(clock.number), SYSTEM)
        playing = (await self.state(table)).playing
        assert playing is not None
        assert playing.pending

    async def play(self, table: str) -> int:
        """Play the round in progress to its end, each hand as the clock would."""
        state = await self.state(table)
        if state.opened.clock is None:
            await self.do(table, CloseBets(), next(iter(state.seats.values())).player)
        elif state.clock is not None:
            await self.do(table, EndTime(state.clock.number), SYSTEM)
        while (playing := (await self.state(table)).playing) is not None:
            spot = min(playing.pending)
            decision = MakeDecision(spot, clock_decision(playing, spot))
            await self.do(table, decision, (await self.state(table)).seats[spot.seat].player)
        return (await self.state(table)).rounds

    async def stadium_round(self) -> int:
        """Play a round of two new guests at the stadium; gives its number."""
        for seat in (5, 9):
            await self.sit("stadium-1", await name_of(await self.guest()), seat)
        await self.bet("stadium-1", 5, 9)
        return await self.play("stadium-1")

    async def state(self, table: str) -> Table:
        """A table as it is."""
        return (await self.services.floor.mailbox(table)).worker.table


async def name_of(client: httpx.AsyncClient) -> str:
    """The name of the user who has signed in in a browser."""
    name = (await client.get("/api/v1/me")).json()["name"]
    assert isinstance(name, str)
    return name


async def signed_in(client: httpx.AsyncClient, headers: dict[str, str] | None = None) -> bool:
    """Whether anybody has signed in in a browser, or by a token in these headers."""
    answer = await client.get("/api/v1/me", headers=headers)
    assert answer.status_code == 200
    return answer.json()["name"] is not None


@contextlib.asynccontextmanager
async def open_house(
    folder: Path, *, clock: StandingClock | None = None, counting: bool = False, **changes: Any
) -> AsyncIterator[OpenHouse]:
    """A server in a folder, open for as long as the block lasts."""
    clock = clock or StandingClock()
    app = make_app(
        settings_in(folder, **changes),
        clock=_as_clock(clock),
        passwords=quick_passwords(),
        shuffler=Shuffler(SeededEntropy(7)),
    )
    async with app.router.lifespan_context(app):
        house = OpenHouse(app, clock)
        if not counting:
            # Counting over all deals would keep every test waiting at its end.
            house.services.returns = HouseReturns(_nothing)
        try:
            yield house
        finally:
            await house.close()


async def _nothing(_: object) -> Computed:
    return []


def _as_clock(clock: StandingClock) -> Clock:
    return clock
