"""The services of a running server, opened and closed in order."""

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from openfelt.catalog import Catalog, load_catalog
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cage import Cage
from openfelt.runtime.cage.day_closings import DayClosings
from openfelt.runtime.cage.takings import TakingsBook
from openfelt.runtime.clock import Clock, SteadyClock
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.store_preparation import prepare_store
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.devices import Devices
from openfelt.server.accounts.events import ACCOUNT_FORMS, PasswordState
from openfelt.server.accounts.passkeys import Passkeys
from openfelt.server.accounts.public_names import PublicNames
from openfelt.server.accounts.second_factors import SecondFactors
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.accounts.sign_in import SignIn
from openfelt.server.accounts.table_readers import TableReaders
from openfelt.server.audit_desk.event_log import EventLog
from openfelt.server.audit_desk.export_jobs import ExportJobs
from openfelt.server.audit_desk.signed_checkpoints import SignedCheckpoints
from openfelt.server.audit_desk.verifications import Verifications
from openfelt.server.credentials.passwords import Passwords, random_password
from openfelt.server.errors import Denied
from openfelt.server.history.coach import Coach
from openfelt.server.history.player_rounds import PlayerRounds
from openfelt.server.history.recent_rounds import RecentRounds
from openfelt.server.history.unfinished_rounds import UnfinishedRounds
from openfelt.server.limits import work_pools
from openfelt.server.limits.bounded_pool import BoundedPool
from openfelt.server.limits.fair_pool import FairPool
from openfelt.server.limits.rates import Buckets, NetworkBuckets
from openfelt.server.limits.slots import Slots
from openfelt.server.limits.socket_counts import SocketCounts, SocketOpenings
from openfelt.server.monitoring.metrics import Measured, Metrics
from openfelt.server.pit.approvals import Approvals
from openfelt.server.pit.badges import Badges
from openfelt.server.pit.card_codes import CardCodes, load_card_codes
from openfelt.server.pit.pins import Pins
from openfelt.server.pit.shifts import Shifts
from openfelt.server.self_check.software_checks import SoftwareChecks
from openfelt.server.service_groups import (
    cage_services,
    control_services,
    overview_services,
    rate_services,
)
from openfelt.server.settings import Limits, Settings, SettingsError
from openfelt.server.store.chores import (
    close_days,
    drop_after_terms,
    expire_vouchers,
    forget_old_refusals,
)
from openfelt.server.store.clock_health import ClockHealth, watch_clock
from openfelt.server.store.notary_health import NotaryHealth
from openfelt.server.store.notary_task import NotaryDesk, look_first, sign_checkpoints
from openfelt.server.store.single_instance import single_instance
from openfelt.server.store.store_health import StoreHealth
from openfelt.server.store.store_metrics import CommandMetrics, MeteredStore
from openfelt.server.supervision.alert_limits import HouseAlerts, load_alerts
from openfelt.server.supervision.disputes import Disputes
from openfelt.server.supervision.floor_checkpoints import FloorCheckpoints
from openfelt.server.supervision.floor_money.cash_thresholds import CashThresholds
from openfelt.server.supervision.floor_money.shift_money import ShiftMoney
from openfelt.server.supervision.floor_money.tray_histories import TrayHistories
from openfelt.server.supervision.floor_money.win_to_drop import WinToDrop
from openfelt.server.supervision.floor_overview import FloorOverview
from openfelt.server.supervision.house_watch import HouseWatch
from openfelt.server.supervision.jackpots.link_record import LinkRecord
from openfelt.server.tables.companions import Companions
from openfelt.server.tables.compilation import Compilation
from openfelt.server.tables.house_returns import HouseReturns
from openfelt.server.tables.lobby import Lobby
from openfelt.server.tables.rooms import Rooms
from openfelt.server.tables.starter_floor import (
    STARTER_TABLES,
    SUPERVISOR,
    floor_catalog,
    set_up_starter_floor,
)
from openfelt.storage.addresses import open_store
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, Store, StoreError
from openfelt.storage.event_forms import EVENT_FORMS, check_forms

UNFINISHED_SECONDS: Final = 3600
"""How often refunded rounds are counted for the metrics."""

logger = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Services:
    """Everything that the endpoints of a running server use."""

    settings: Settings
    clock: Clock
    catalog: Catalog
    metrics: Metrics
    store: Store
    floor: Floor
    rooms: Rooms
    cage: Cage
    accounts: Accounts
    sessions: Sessions
    devices: Devices
    pins: Pins
    shifts: Shifts
    readers: TableReaders
    passwords: Passwords
    second_factors: SecondFactors
    passkeys: Passkeys
    sign_in: SignIn
    lobby: Lobby
    card_codes: CardCodes
    player_rounds: PlayerRounds
    round_reader: RoundReader
    recent_rounds: RecentRounds
    sign_in_rate: NetworkBuckets
    proof_rate: NetworkBuckets
    unfinished_rounds: UnfinishedRounds
    overview: FloorOverview
    disputes: Disputes
    checkpoints: FloorCheckpoints
    tray_histories: TrayHistories
    shift_money: ShiftMoney
    cash_thresholds: CashThresholds
    link_record: LinkRecord
    watch: HouseWatch
    win_to_drop: WinToDrop
    heavy_rate: Buckets
    account_rate: Buckets
    socket_openings: SocketOpenings
    sockets: SocketCounts
    round_pool: BoundedPool
    """Computes replays and proofs, which may take seconds."""
    proof_slots: Slots
    """Proofs of callers, from their first byte to the verdict."""
    proof_pool: FairPool
    """Checks proofs of callers."""
    coach: Coach
    returns_pool: BoundedPool
    returns: HouseReturns
    compilation: Compilation
    store_health: StoreHealth
    notary_health: NotaryHealth
    clock_health: ClockHealth
    software: SoftwareChecks
    event_log: EventLog
    signed_checkpoints: SignedCheckpoints
    verifications: Verifications
    exports: ExportJobs
    first_password: str | None = field(default=None, repr=False)
    """The supervisor's random password, where this start has set one; it is shown once."""
    open: bool = True
    """False once the server is closing."""


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
    with single_instance(settings.database) as owner:
        store = await asyncio.to_thread(open_store, settings.database)
        try:
            await asyncio.to_thread(check_forms, store, EVENT_FORMS, ACCOUNT_FORMS)
            floor = Floor(
                MeteredStore(store, metrics).as_store,
                owner=owner or _unique_owner(),
                clock=clock,
                shuffler=shuffler,
                observer=CommandMetrics(metrics).observe,
            )
            accounts = Accounts(floor.tools.store, clock)
            key = settings.notary_key
            desk = NotaryDesk(key, store, clock) if key is not None else None
            # A program that plays on its own machine may play as fast as that goes.
            commands = None if settings.local else settings.limits.commands
            names = PublicNames(accounts)
            approvals = Approvals(clock, has_role=accounts.has_role)
            async with (
                floor,
                Rooms(floor, metrics, names=names, commands=commands, approvals=approvals) as rooms,
            ):
                services = _services(
                    settings,
                    floor,
                    rooms,
                    accounts,
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
                try:
                    yield services
                finally:
                    await _close(services, tasks)
            if desk is not None:
                # All tables are put down, so nothing is written any more.
                await asyncio.to_thread(desk.sign_last)
        finally:
            await asyncio.to_thread(store.close)


def _services(
    settings: Settings,
    floor: Floor,
    rooms: Rooms,
    accounts: Accounts,
    *,
    catalog: Catalog,
    card_codes: CardCodes,
    alerts: HouseAlerts,
    metrics: Metrics,
    passwords: Passwords,
) -> Services:
    store, clock = floor.tools.store, floor.tools.clock
    sessions = Sessions(accounts, clock, staff_ms=settings.limits.staff_session_ms)
    second_factors, passkeys = SecondFactors(accounts, clock), Passkeys(accounts, clock)
    round_pool, returns_pool = work_pools.round_pool(), work_pools.returns_pool()
    round_reader = RoundReader(store, floor.tools.rulebook)
    compilation = Compilation(wanted=settings.compile_ahead)
    lobby, cage = Lobby(floor, clock), cage_services(settings, floor)
    services = Services(
        settings=settings,
        clock=clock,
        catalog=catalog,
        metrics=metrics,
        store=store,
        floor=floor,
        rooms=rooms,
        **cage,
        accounts=accounts,
        sessions=sessions,
        devices=Devices(store, clock),
        pins=Pins(accounts, Badges(store, clock), passwords=passwords, clock=clock),
        shifts=Shifts(store, floor.tools.codec),
        readers=TableReaders(store, clock),
        passwords=passwords,
        second_factors=second_factors,
        passkeys=passkeys,
        sign_in=SignIn(
            settings,
            accounts,
            sessions,
            passwords=passwords,
            second_factors=second_factors,
            passkeys=passkeys,
            cashier=floor.cashier,
            clock=clock,
        ),
        lobby=lobby,
        **overview_services(floor, lobby, sessions, alerts, cage, ready=compilation.ended),
        **control_services(settings, floor, round_reader),
        card_codes=card_codes,
        player_rounds=PlayerRounds(store),
        round_reader=round_reader,
        recent_rounds=RecentRounds(round_reader, round_pool),
        unfinished_rounds=UnfinishedRounds(store, floor.tools.codec),
        **rate_services(settings, clock),
        sockets=_socket_counts(settings.limits, metrics),
        round_pool=round_pool,
        proof_slots=work_pools.proof_slots(),
        proof_pool=work_pools.proof_pool(),
        coach=Coach(ready=compilation.ended),
        returns_pool=returns_pool,
        returns=HouseReturns(returns_pool.run, ready=compilation.ended),
        compilation=compilation,
        store_health=StoreHealth(store, clock),
        notary_health=_notary_health(settings, clock),
        clock_health=ClockHealth(clock),
    )
    metrics.watch(lambda: _measured(services))
    return services


def _notary_health(settings: Settings, clock: Clock) -> NotaryHealth:
    return NotaryHealth(clock, pause_ms=settings.notary_ms if settings.notary_key else None)


def _socket_counts(limits: Limits, metrics: Metrics) -> SocketCounts:
    return SocketCounts(
        metrics.sockets,
        per_account=limits.sockets_per_account,
        per_address=limits.sockets_per_address,
    )


def _measured(services: Services) -> Measured:
    """The gauges that are measured at each scrape."""
    flagged_from = services.settings.unfinished_rounds_flagged
    return {
        "notary_failing": int(services.notary_health.problem is not None),
        "checkpoint_age_seconds": services.notary_health.age_ms // 1000,
        "clock_jump_seconds": services.clock_health.jump_ms // 1000,
        "record_ahead_seconds": services.clock_health.ahead_ms // 1000,
        "tables_running": len(services.floor.running),
        "tables_stopped": len(services.floor.stopped),
        "viewers": services.rooms.viewers,
        "players_flagged": services.unfinished_rounds.flagged(flagged_from),
    }


async def _start(services: Services) -> None:
    """Encrypt old decks, set up the starter floor if it is wanted, and start the public tables."""
    await asyncio.to_thread(prepare_store, services.store, services.floor.tools.codec)
    if services.settings.starter:
        services.first_password = await set_up_starter_floor(
            services.floor, services.sign_in, services.catalog
        )
    await _replace_first_password(services)
    for table in await services.lobby.public_tables():
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
        close_days(DayClosings(store), TakingsBook(store), clock),
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
