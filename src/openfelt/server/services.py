"""The premises: everything that a running server consists of, opened and closed in order."""

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from openfelt.catalog import Catalog, load_catalog
from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock, SystemClock
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.devices import Terminals
from openfelt.server.accounts.passwords import Passwords, check_password
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.accounts.sign_in import Door
from openfelt.server.history.own_rounds import Histories
from openfelt.server.http.errors import Denied
from openfelt.server.http.house_returns import Returns
from openfelt.server.http.rate_limits import Buckets
from openfelt.server.process.bounded_pool import HardWork
from openfelt.server.process.metrics import Metrics
from openfelt.server.process.notary_task import sign_checkpoints
from openfelt.server.process.running import RunningFloor
from openfelt.server.process.single_instance import only_server
from openfelt.server.process.starter_floor import (
    STARTER_TABLES,
    SUPERVISOR,
    floor_catalog,
    set_up_starter_floor,
)
from openfelt.server.process.store_health import Pulse
from openfelt.server.process.store_metrics import BookedStore
from openfelt.server.settings import Settings
from openfelt.server.socket.limits import SocketCounts
from openfelt.server.tables.house_players import PropositionPlayers
from openfelt.server.tables.lobby import Lobby
from openfelt.server.tables.rooms import Rooms
from openfelt.storage.door import Store
from openfelt.storage.opening import open_store

HARD_WORK_MAX: Final = 2
"""How many replays and proofs are worked on at a time."""
HARD_WORK_WAITING_MAX: Final = 64
"""How many more may wait for that."""
COUNTING_WAITING_MAX: Final = 1000
"""How many houses may wait until their returns are counted."""

logger = logging.getLogger(__name__)
_Given = TypeVar("_Given")


class DefaultCredentials(Exception):
    """The server would listen beyond this machine with a password that everybody knows, or it
    is given another one that is no better."""


@dataclass(slots=True, kw_only=True)
class Premises:
    """A server that runs."""

    settings: Settings
    clock: Clock
    catalog: Catalog
    metrics: Metrics
    store: Store
    floor: RunningFloor
    rooms: Rooms
    accounts: Accounts
    sessions: Sessions
    terminals: Terminals
    passwords: Passwords
    door: Door
    lobby: Lobby
    histories: Histories
    doors_rate: Buckets
    heavy_rate: Buckets
    account_rate: Buckets
    sockets: SocketCounts
    hard_work: HardWork
    counting: HardWork
    returns: Returns
    pulse: Pulse
    open: bool = True
    """False once the server is closing."""

    async def work_hard(self, work: Callable[[], _Given]) -> _Given:
        """Let something run that may take seconds; there are few such threads, so that it
        keeps nobody else waiting, and where too much waits for them it is refused."""
        return await self.hard_work.do(work)


@contextlib.asynccontextmanager
async def open_premises(
    settings: Settings,
    *,
    clock: Clock | None = None,
    metrics: Metrics | None = None,
    passwords: Passwords | None = None,
    shuffler: Shuffler | None = None,
) -> AsyncIterator[Premises]:
    """Open a server's premises, and close them in the end.

    What has been asked by then is answered; rounds in progress are taken up where they were
    at the next start. Raises StoreError, CatalogError and DefaultCredentials.
    """
    clock, metrics = clock or SystemClock(), metrics or Metrics()
    catalog = floor_catalog(load_catalog(settings.houses), starter=settings.starter)
    with only_server(settings.database) as owner:
        opened = await asyncio.to_thread(open_store, settings.database)
        try:
            store = BookedStore(opened, metrics)
            floor = RunningFloor(
                store.as_store, owner=owner or _unique_owner(), clock=clock, shuffler=shuffler
            )
            store.round_of = floor.round_of
            async with floor, Rooms(floor, metrics) as rooms:
                premises = _premises(
                    settings, floor, rooms, catalog=catalog, metrics=metrics, passwords=passwords
                )
                await _begin(premises)
                chores = _chores(premises)
                try:
                    yield premises
                finally:
                    premises.open = False
                    for chore in chores:
                        chore.cancel()
                    await asyncio.gather(*chores, return_exceptions=True)
                    premises.passwords.close()
                    await premises.returns.close()
                    for work in (premises.hard_work, premises.counting):
                        work.close()
        finally:
            await asyncio.to_thread(opened.close)


def _premises(
    settings: Settings,
    floor: RunningFloor,
    rooms: Rooms,
    *,
    catalog: Catalog,
    metrics: Metrics,
    passwords: Passwords | None,
) -> Premises:
    store, clock = floor.tools.store, floor.tools.clock
    accounts = Accounts(store, clock)
    sessions = Sessions(accounts, clock)
    passwords = passwords or Passwords()
    counting = HardWork("counting", at_once=1, waiting_max=COUNTING_WAITING_MAX)
    metrics.watch(
        lambda: {
            "tables_running": len(floor.running),
            "tables_stopped": len(floor.stopped),
            "viewers": rooms.viewers,
        }
    )
    return Premises(
        settings=settings,
        clock=clock,
        catalog=catalog,
        metrics=metrics,
        store=store,
        floor=floor,
        rooms=rooms,
        accounts=accounts,
        sessions=sessions,
        terminals=Terminals(store, clock),
        passwords=passwords,
        door=Door(
            settings, accounts, sessions, passwords=passwords, cashier=floor.cashier, clock=clock
        ),
        lobby=Lobby(floor, clock),
        histories=Histories(floor.tools),
        doors_rate=Buckets(settings.limits.doors, clock),
        heavy_rate=Buckets(settings.limits.heavy, clock),
        account_rate=Buckets(settings.limits.account_requests, clock),
        sockets=SocketCounts(settings.limits, metrics.sockets),
        hard_work=HardWork("hard-work", at_once=HARD_WORK_MAX, waiting_max=HARD_WORK_WAITING_MAX),
        counting=counting,
        returns=Returns(counting.do),
        pulse=Pulse(store, clock),
    )


async def _begin(premises: Premises) -> None:
    """Set the starter floor up where it is wanted, and take up the tables that stand there."""
    if premises.settings.starter:
        await set_up_starter_floor(premises.floor, premises.door, premises.catalog)
    await _check_credentials(premises)
    for table in await premises.lobby.public_tables():
        try:
            await premises.floor.mailbox(table.id)
        except Refusal as refusal:
            logger.warning("table %s is not taken up: %s", table.id, refusal)


def _chores(premises: Premises) -> list[asyncio.Task[None]]:
    """What goes on by itself while the server is open."""
    settings = premises.settings
    chores = [sign_checkpoints(settings, premises.store, premises.clock)]
    if settings.starter and settings.play_money:
        chores += [
            PropositionPlayers(premises.floor, one.table).play()
            for one in STARTER_TABLES
            if one.house_players
        ]
    return [asyncio.create_task(chore) for chore in chores]


async def _check_credentials(premises: Premises) -> None:
    """Set the supervisor's password where one is given, and refuse a known one far from home."""
    settings = premises.settings
    supervisor = await asyncio.to_thread(premises.accounts.get, SUPERVISOR)
    default = supervisor is not None and supervisor.password_default
    if default and settings.supervisor_password:
        try:
            check_password(settings.supervisor_password, name=SUPERVISOR)
        except Denied as denied:
            raise DefaultCredentials(
                f"The password that is given for {SUPERVISOR} is refused: {denied.sentence}"
            ) from denied
        await premises.door.set_password(SUPERVISOR, settings.supervisor_password)
    elif default and not settings.local:
        raise DefaultCredentials(
            f"The password of {SUPERVISOR} is still the one that everybody knows, so nobody "
            f"beyond this machine is let in. Set another first: "
            f"openfelt serve --set-password {SUPERVISOR}"
        )


def _unique_owner() -> str:
    """The name under which this process leases tables."""
    return f"{socket.gethostname()}-{secrets.token_hex(8)}"
