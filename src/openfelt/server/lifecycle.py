"""The services of a server, opened and closed in order."""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from functools import partial
from importlib.metadata import version
from typing import Any, Final

from openfelt.catalog import load_catalog
from openfelt.runtime.background import BackgroundTask, kept_up
from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.clock import Clock, SteadyClock
from openfelt.runtime.cluster.duty import Duty
from openfelt.runtime.cluster.identity import identity
from openfelt.runtime.cluster.membership import Membership
from openfelt.runtime.cluster.ownership import Ownership
from openfelt.runtime.remote.house_tables import SharedTables
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.floor import LEASE_MS, Floor, FloorTimes, every
from openfelt.runtime.tables.recovery.store_preparation import prepare_store
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.events import ACCOUNT_FORMS, PasswordState
from openfelt.server.accounts.public_names import PublicNames
from openfelt.server.assembly import assembled
from openfelt.server.cluster.bus_connection import (
    BusWatch,
    bind_bus,
    keep_bound,
    open_bus,
    until_connected,
)
from openfelt.server.cluster.shared_house import shared_tables, told_to_others
from openfelt.server.credentials.passwords import Passwords, random_password
from openfelt.server.errors import Denied
from openfelt.server.history.unfinished_rounds import UnfinishedRounds
from openfelt.server.house_work import SWEEP_MS, Duties, house_work
from openfelt.server.limits.rates import NetworkBuckets
from openfelt.server.monitoring.metrics import Metrics
from openfelt.server.pit.approvals import Approvals
from openfelt.server.pit.card_codes import load_card_codes
from openfelt.server.pit.reused_scans import ReusedScans
from openfelt.server.services import Services
from openfelt.server.settings import Settings, SettingsError
from openfelt.server.store.clock_health import watch_clock
from openfelt.server.store.notary_task import NotaryDesk, keep_signing, look_first, sign_first
from openfelt.server.store.short_lived_texts import ShortLivedTexts, StoredTexts
from openfelt.server.store.single_instance import single_instance
from openfelt.server.store.store_metrics import CommandMetrics, MeteredStore
from openfelt.server.supervision.alert_limits import load_alerts
from openfelt.server.tables.computer_players import ComputerPlayers
from openfelt.server.tables.rooms import Rooms
from openfelt.server.tables.starter_floor import (
    STARTER_TABLES,
    SUPERVISOR,
    floor_catalog,
    set_up_starter_floor,
)
from openfelt.storage.addresses import open_store
from openfelt.storage.cluster.cluster_door import NewMember
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, Store, StoreError
from openfelt.storage.event_forms import EVENT_FORMS, check_forms
from openfelt.storage.keyring import Keyring

SHARED_LEASE_MS: Final = 5_000
"""After this long without a word from a process, another one on the same database takes over."""
EMBEDDED_NAME: Final = "embedded"
"""The name of the server of an embedded database. The next server has the same name, and so does
not wait for the leases of a killed one to expire."""
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
    request_rate: NetworkBuckets | None = None,
) -> AsyncIterator[Services]:
    """Open the services of a server, and close them on the way out.

    Requests that have come in by then are answered; rounds in progress continue at the next
    start. ``request_rate`` counts requests before they get here. Raises StoreError, CatalogError,
    SettingsError and EntropyFailure.
    """
    settings.check()
    clock, metrics = clock or SteadyClock(), metrics or Metrics()
    catalog = floor_catalog(load_catalog(settings.houses), starter=settings.starter)
    card_codes, alerts = load_card_codes(settings.card_codes), load_alerts(settings.alerts)
    async with contextlib.AsyncExitStack() as stack:
        alone = stack.enter_context(single_instance(settings.database))
        member = stack.enter_context(_identity(settings, alone=alone))
        bus = await stack.enter_async_context(open_bus(settings.cluster, clock))
        store = await asyncio.to_thread(open_store, settings.database)
        try:
            await asyncio.to_thread(check_forms, store, EVENT_FORMS, ACCOUNT_FORMS)
            lease_ms = _lease_ms(settings, alone=alone)
            membership = _membership(settings, store, member, bus, clock, alone=alone)
            times = FloorTimes(lease_ms=lease_ms, sweep_ms=None)
            runs = settings.cluster.role.runs_tables
            options = {"clock": clock, "shuffler": shuffler, "times": times, "runs_tables": runs}
            floor = _floor(store, metrics, member.name, bus, **options)
            ownership = Ownership(floor, membership, lease_ms=lease_ms)
            shared = shared_tables(settings.cluster, floor, bus, ownership, process=member.name)
            duties = Duties.of(store, membership, ttl_ms=lease_ms)
            accounts = Accounts(floor.worker_services.store, clock)
            desk = _desk(settings, store, clock)
            notes = StoredTexts(store, Keyring.of(os.environ), clock) if shared else None
            rooms = _rooms(settings, floor, metrics, accounts, shared=shared, notes=notes)
            if runs:
                await until_connected(bus)
            async with membership.joined(), floor, shared or contextlib.nullcontext(), rooms:
                services = assembled(
                    settings,
                    floor,
                    rooms,
                    accounts,
                    ownership=ownership,
                    bus=bus,
                    catalog=catalog,
                    card_codes=card_codes,
                    alerts=alerts,
                    metrics=metrics,
                    passwords=passwords or Passwords(),
                    notes=notes,
                    request_rate=request_rate,
                )
                await duties.start.once(lambda: _prepare(services, desk, duties.notary))
                await services.ownership.start()
                await asyncio.to_thread(_record_start, services)
                tasks = _background_tasks(services, desk, duties)
                try:
                    yield services
                finally:
                    await _close(services, tasks)
            if desk is not None:
                # All tables are put down, so nothing is written any more.
                await asyncio.to_thread(desk.sign_last, duties.notary)
        finally:
            await asyncio.to_thread(store.close)


def _lease_ms(settings: Settings, *, alone: bool) -> int:
    return settings.cluster.lease_ms or (LEASE_MS if alone else SHARED_LEASE_MS)


def _membership(
    settings: Settings, store: Store, member: NewMember, bus: Bus, clock: Clock, *, alone: bool
) -> Membership:
    """This process among others, which says how it reaches the bus."""
    watch, ttl_ms = BusWatch(bus, settings.cluster, clock), _lease_ms(settings, alone=alone)
    return Membership(store, member, ttl_ms=ttl_ms, alone=alone, bus=watch.report)


def _desk(settings: Settings, store: Store, clock: Clock) -> NotaryDesk | None:
    key = settings.notary_key
    return NotaryDesk(key, store, clock) if key is not None else None


def _record_start(services: Services) -> None:
    """Record the program and the house files that a server starts with."""
    services.software.started()
    services.house_files.begin()


def _rooms(
    settings: Settings,
    floor: Floor,
    metrics: Metrics,
    accounts: Accounts,
    *,
    shared: SharedTables | None,
    notes: ShortLivedTexts | None,
) -> Rooms:
    return Rooms(
        floor,
        metrics,
        names=PublicNames(accounts),
        # A program that plays on its own machine may play as fast as that goes.
        commands=None if settings.local else settings.limits.commands,
        approvals=Approvals(floor.worker_services.clock, has_role=accounts.has_role, notes=notes),
        reused_scans=None if notes is None else ReusedScans(notes),
        tables=shared,
    )


def _floor(store: Store, metrics: Metrics, owner: str, bus: Bus, **options: Any) -> Floor:
    """The floor, whose commits and commands are measured."""
    return Floor(
        MeteredStore(store, metrics).as_store,
        owner=owner,
        observer=CommandMetrics(metrics).observe,
        cut_off_ms=lambda: bus.lost_ms,
        **options,
    )


def _identity(settings: Settings, *, alone: bool) -> AbstractContextManager[NewMember]:
    """The name of this process. On an embedded database, the lock of its file is enough."""
    cluster = settings.cluster
    return identity(
        None if alone else cluster.folder,
        name=cluster.name or (EMBEDDED_NAME if alone else None),
        role=cluster.role.value,
        version=version("openfelt"),
    )


async def _prepare(services: Services, desk: NotaryDesk | None, notary: Duty) -> None:
    """Check the program and the record, encrypt old decks, and set up the starter floor if it is
    wanted. One process at a time does this: the first one sets up what the others find."""
    await asyncio.to_thread(services.software.begin, expected=services.settings.software)
    if desk is not None:
        await look_first(desk, services.notary_health, notary)
    await asyncio.to_thread(prepare_store, services.store, services.floor.worker_services.codec)
    await bind_bus(services.bus, services.store, services.clock)
    if services.settings.starter:
        services.first_password = await set_up_starter_floor(
            services.floor, services.tables, services.sign_in, services.catalog
        )
    await _replace_first_password(services)
    if desk is not None:
        await sign_first(desk, services.notary_health)


def _background_tasks(
    services: Services, desk: NotaryDesk | None, duties: Duties
) -> list[asyncio.Task[None]]:
    """Start the background tasks of an open server."""
    settings, floor = services.settings, services.floor
    work: list[BackgroundTask] = [
        partial(watch_clock, services.clock_health, services.store),
        partial(_count_unfinished, services.unfinished_rounds),
        services.compilation.run,
        services.software.watch,
        services.house_files.watch,
        services.ownership.run,
        partial(keep_bound, services.bus, services.store, services.clock),
        *told_to_others(services),
        partial(
            every,
            SWEEP_MS,
            lambda: floor.sweep(skips=lambda table: table not in floor.running),
            at_once=True,
        ),
        partial(duties.house.run, lambda: house_work(services)),
    ]
    if desk is not None:
        health, pause_ms = services.notary_health, settings.notary_ms
        work.append(partial(keep_signing, desk, health, duties.notary, pause_ms=pause_ms))
    if settings.starter and settings.play_money:
        work += [
            ComputerPlayers(floor, starter.table, play_money_cents=settings.play_money_cents).play
            for starter in STARTER_TABLES
            if starter.computer_players
        ]
    return [asyncio.create_task(kept_up(task)) for task in work]


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
    if services.figures_process is not None:
        services.figures_process.close()
    services.round_pool.close()
    services.proof_pool.close()
    services.coach.close()
    await services.draft_counts.close()
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
