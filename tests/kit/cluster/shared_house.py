"""Servers that share a house: one PostgreSQL database, one NATS, and a port for each of them."""

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path

from openfelt.client import Terminal
from openfelt.protocol.messages import Bet
from openfelt.server.settings import ClusterSettings, ServerRole, Settings
from tests.kit.nats_server import NatsServer
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.open_house import settings_in
from tests.kit.server.real_server import served

_NAMESPACES = itertools.count()


class SharedHouse:
    """The settings of all processes of one house."""

    def __init__(self, folder: Path, postgres: PostgresServer, nats: NatsServer) -> None:
        self._folder = folder
        self.database = postgres.fresh_database()
        self.bus = f"{nats.url}/shared{next(_NAMESPACES)}"

    def settings(self, name: str, role: ServerRole, bus: str | None = None) -> Settings:
        """The settings of one process."""
        cluster = ClusterSettings(role=role, bus=bus or self.bus, name=name, lease_ms=3000)
        return settings_in(self._folder, database=self.database, port=0, cluster=cluster)

    @contextlib.contextmanager
    def serving(self, name: str, role: ServerRole, bus: str | None = None) -> Iterator[str]:
        """A process for as long as the block lasts; gives its address."""
        with served(self.settings(name, role, bus)) as address:
            yield address


def phase_of(table: Terminal) -> str | None:
    """The phase of the round that a terminal shows."""
    return table.public.round.phase if table.public.round else None


async def play_a_round(table: Terminal, **wagers: int) -> None:
    """Bet, deal, and play four times the ante."""
    await table.bet(**(wagers or {"ante": 1000, "trips": 500}))
    await table.deal()
    await table.until(lambda now: "decide" in now.private.may)
    assert len(table.private.hands[f"{table.private.seat}.1"].cards) == 2
    await table.decide(Bet(multiple=4))
    await table.until(lambda now: phase_of(now) == "settled")
