"""The services of a server, opened and closed in order."""

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import AsyncIterator
from typing import Final

from openfelt.catalog import load_catalog
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.day_closings import DayClosings
from openfelt.runtime.clock import Clock, SteadyClock
from openfelt.runtime.remote.house_tables import SharedTables
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.store_preparation import prepare_store
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.events import ACCOUNT_FORMS, PasswordState
from openfelt.server.accounts.public_names import PublicNames
from openfelt.server.assembly import assembled
from openfelt.server.cluster.bus_connection import open_bus
from openfelt.server.cluster.shared_house import shared_tables, told_to_others
from openfelt.server.credentials.passwords import Passwords, random_password
from openfelt.server.errors import Denied
from openfelt.server.history.unfinished_rounds import UnfinishedRounds
from openfelt.server.monitoring.metrics import Metrics
from openfelt.server.pit.approvals import Approvals
from openfelt.server.pit.card_codes import load_card_codes
from openfelt.server.services import Services
from openfelt.server.settings import Settings, SettingsError
from openfelt.server.store.chores import (
    close_days,
    drop_after_terms,
    expire_vouchers,
    forget_old_refusals,
)
from openfelt.server.store.clock_health import watch_clock
from openfelt.server.store.notary_task import NotaryDesk, look_first, sign_checkpoints
from openfelt.server.store.single_instance import single_instance
from openfelt.server.store.store_metrics import CommandMetrics, MeteredStore
from openfelt.server.supervision.alert_limits import load_alerts
from openfelt.server.tables.companions import Companions
from openfelt.server.tables.rooms import Rooms
from openfelt.server.tables.starter_floor import (
    STARTER_TABLES,
    SUPERVISOR,
    floor_catalog,
    set_up_starter_floor,
)
from openfelt.storage.addresses import open_store
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, StoreError
from openfelt.storage.event_forms import EVENT_FORMS, check_forms

UNFINISHED_SECONDS: Final = 3600
"""How often refunded rounds are counted for the metrics."""

logger = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def open_services(
    settings: Settings,
    *,
    clock: Clock | None = None,
    metrics: Metrics | None = None,
    passwords: Passwords | None = None,
    shuffler: Shuffler | None = None,
) -> AsyncIterator[Services]:
    """Open the services of a server, and close them on the way out.

    Requests that have come in by then are answered; rounds in progress continue at the next
    start. Raises StoreError, CatalogError, SettingsError and EntropyFailure.
    """
    settings.check()
    clock, metrics = clock or SteadyClock(), metrics or Metrics()
    catalog = floor_catalog(load_catalog(settings.houses), starter=settings.starter)
    card_codes, alerts = load_card_codes(settings.card_codes), load_alerts(settings.alerts)
    async with contextlib.AsyncExitStack() as stack:
        owner = stack.enter_context(single_instance(settings.database))
        bus = await stack.enter_async_context(open_bus(settings.cluster, clock))
        store = await asyncio.to_thread(open_store, settings.database)
        try:
            await asyncio.to_thread(check_forms, store, EVENT_FORMS, ACCOUNT_FORMS)
            process = owner or settings.cluster.name or _unique_owner()
            floor = Floor(
                MeteredStore(store, metrics).as_store,
                owner=process,
                clock=clock,
                shuffler=shuffler,
                observer=CommandMetrics(metrics).observe,
                runs_tables=settings.cluster.role.runs_tables,
            )
            shared = shared_tables(settings.cluster, floor, bus, process=process)
            accounts = Accounts(floor.tools.store, clock)
            key = settings.notary_key
            desk = NotaryDesk(key, store, clock) if key is not None else None
            rooms = _rooms(settings, floor, metrics, accounts, shared)
            async with floor, shared or contextlib.nullcontext(), rooms:
                services = assembled(
                    settings,
                    floor,
                    rooms,
                    accounts,
                    bus=bus,
                    catalog=catalog,
                    card_codes=card_codes,
                    alerts=alerts,
                    metrics=metrics,
                    passwords=passwords or Passwords(),
                )
                await asyncio.to_thread(services.software.begin, expected=settings.software)
                if desk is not None:
                    await look_first(desk, services.notary_health)
                await _start(services)
                await asyncio.to_thread(services.software.started)
                tasks = _background_tasks(services, desk)
                if shared is not None:
                    told = told_to_others(bus, shared, rooms.absentees, accounts, services.sessions)
                    tasks += [asyncio.create_task(work) for work in told]
                try:
                    yield services
                finally:
                    await _close(services, tasks)
            if desk is not None:
                # All tables are put down, so nothing is written any more.
                await asyncio.to_thread(desk.sign_last)
        finally:
            await asyncio.to_thread(store.close)


def _rooms(
    settings: Settings,
    floor: Floor,
    metrics: Metrics,
    accounts: Accounts,
    shared: SharedTables | None,
) -> Rooms:
    return Rooms(
        floor,
        metrics,
        names=PublicNames(accounts),
        # A program that plays on its own machine may play as fast as that goes.
        commands=None if settings.local else settings.limits.commands,
        approvals=Approvals(floor.tools.clock, has_role=accounts.has_role),
        tables=shared,
    )


async def _start(services: Services) -> None:
    """Encrypt old decks, set up the starter floor if it is wanted, and start the public tables."""
    await asyncio.to_thread(prepare_store, services.store, services.floor.tools.codec)
    if services.settings.starter:
        services.first_password = await set_up_starter_floor(
            services.floor, services.tables, services.sign_in, services.catalog
        )
    await _replace_first_password(services)
    for table in await services.lobby.public_tables():
        if not services.settings.cluster.role.runs_tables:
            break
        try:
            await services.floor.mailbox(table.id)
        except Refusal as refusal:
            logger.warning("table %s is not started: %s", table.id, refusal)


def _background_tasks(services: Services, desk: NotaryDesk | None) -> list[asyncio.Task[None]]:
    """Start what runs by itself while the server is open."""
    settings = services.settings
    store, clock, codec = services.store, services.clock, services.floor.tools.codec
    purge = Purge(store, codec, services.round_reader, clock)
    work = [
        watch_clock(services.clock_health, store),
        close_days(DayClosings(store), clock),
        expire_vouchers(services.cage.vouchers),
        drop_after_terms(
            purge,
            store,
            keep_days=settings.keep_decks_days,
            keep_proofs_days=settings.keep_proofs_days,
        ),
        forget_old_refusals(store),
        _count_unfinished(services.unfinished_rounds),
        services.compilation.run(),
        services.software.watch(),
        services.watch.run(),
        services.verifications.watch(),
    ]
    if desk is not None:
        work.append(sign_checkpoints(desk, services.notary_health, pause_ms=settings.notary_ms))
    if settings.starter and settings.play_money:
        work += [
            Companions(
                services.floor, starter.table, play_money_cents=settings.play_money_cents
            ).play()
            for starter in STARTER_TABLES
            if starter.computer_players
        ]
    return [asyncio.create_task(task) for task in work]


async def _count_unfinished(rounds: UnfinishedRounds) -> None:
    """Count refunded rounds at intervals, so that the metric follows the record."""
    while True:
        try:
            await asyncio.to_thread(rounds.read)
        except StoreError as error:
            logger.warning("unfinished rounds cannot be counted: %s", error)
        await asyncio.sleep(UNFINISHED_SECONDS)


async def _close(services: Services, tasks: list[asyncio.Task[None]]) -> None:
    services.open = False
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await services.exports.close()
    services.passwords.close()
    await services.returns.close()
    services.round_pool.close()
    services.proof_pool.close()
    services.coach.close()
    services.returns_pool.close()


async def _replace_first_password(services: Services) -> None:
    """Set the supervisor's first password as the settings say, and replace one that is known.

    Before version 0.2, every starter floor had the same password.
    """
    given = services.settings.supervisor_password
    try:
        supervisor = await asyncio.to_thread(services.accounts.get, SUPERVISOR)
    except (Damaged, CodecError) as error:
        # The supervisor cannot sign in. That must not stop the tables.
        logger.error("the account of %s cannot be read: %s", SUPERVISOR, error)
        return
    if supervisor is None or supervisor.password_state is PasswordState.OWN:
        return
    well_known = supervisor.password_state is PasswordState.WELL_KNOWN
    if given and (well_known or supervisor.password_number == 1):
        try:
            await services.sign_in.set_password(SUPERVISOR, given, staff=True)
        except Denied as denied:
            raise SettingsError(
                f"The password given for {SUPERVISOR} is refused: {denied.sentence}"
            ) from denied
        services.first_password = None
    elif well_known:
        services.first_password = random_password()
        await services.sign_in.set_password(
            SUPERVISOR, services.first_password, staff=True, state=PasswordState.TEMPORARY
        )


def _unique_owner() -> str:
    """The name under which this process leases tables."""
    return f"{socket.gethostname()}-{secrets.token_hex(8)}"
