"""The services of a server, put together from its settings."""

from collections.abc import Awaitable, Callable
from typing import Any

from openfelt.catalog import Catalog
from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.cage.cage import Cage
from openfelt.runtime.clock import Clock
from openfelt.runtime.cluster.ownership import Ownership
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.devices import Devices
from openfelt.server.accounts.passkeys import Passkeys
from openfelt.server.accounts.second_factors import SecondFactors
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.accounts.sign_in import SignIn
from openfelt.server.accounts.table_readers import TableReaders
from openfelt.server.audit_desk.archive_list import Archives
from openfelt.server.audit_desk.event_log import EventLog
from openfelt.server.audit_desk.export_jobs import ExportJobs
from openfelt.server.audit_desk.signed_checkpoints import SignedCheckpoints
from openfelt.server.audit_desk.verifications import Verifications
from openfelt.server.compilation import Compilation
from openfelt.server.credentials.challenges import SharedChallenges
from openfelt.server.credentials.passwords import Passwords
from openfelt.server.draft_desk.draft_counts import DraftCounts
from openfelt.server.figures_process import FiguresProcess
from openfelt.server.history.coach import Coach
from openfelt.server.history.player_rounds import PlayerRounds
from openfelt.server.history.recent_rounds import RecentRounds
from openfelt.server.history.unfinished_rounds import UnfinishedRounds
from openfelt.server.limits import work_pools
from openfelt.server.limits.connection_counts import ConnectionCounts
from openfelt.server.limits.rates import Buckets, NetworkBuckets
from openfelt.server.limits.socket_counts import SocketCounts, SocketOpenings
from openfelt.server.monitoring.metrics import Measured, Metrics
from openfelt.server.pit.badges import Badges
from openfelt.server.pit.card_codes import CardCodes
from openfelt.server.pit.pins import Pins
from openfelt.server.pit.shifts import Shifts
from openfelt.server.self_check.house_files import HouseFiles
from openfelt.server.self_check.software_checks import SoftwareChecks
from openfelt.server.services import Services
from openfelt.server.settings import Settings
from openfelt.server.store.clock_health import ClockHealth
from openfelt.server.store.notary_health import NotaryHealth
from openfelt.server.store.short_lived_texts import ShortLivedTexts
from openfelt.server.store.store_health import StoreHealth
from openfelt.server.supervision.alert_limits import HouseAlerts
from openfelt.server.supervision.disputes import Disputes
from openfelt.server.supervision.figure_transfers.figure_scopes import FigureScopes
from openfelt.server.supervision.figure_transfers.transfer_lists import TransferLists
from openfelt.server.supervision.floor_checkpoints import FloorCheckpoints
from openfelt.server.supervision.floor_figures import FloorFigures
from openfelt.server.supervision.floor_money.cash_thresholds import CashThresholds
from openfelt.server.supervision.floor_money.shift_money import ShiftMoney
from openfelt.server.supervision.floor_money.tray_histories import TrayHistories
from openfelt.server.supervision.floor_money.win_to_drop import WinToDrop
from openfelt.server.supervision.floor_overview import FloorOverview
from openfelt.server.supervision.frozen_rounds import RoundFreezer
from openfelt.server.supervision.house_watch import watch_of
from openfelt.server.supervision.jackpots.link_record import LinkRecord
from openfelt.server.supervision.real_play.wager_odds import Compute
from openfelt.server.tables.house_returns import HouseReturns
from openfelt.server.tables.lobby import Lobby
from openfelt.server.tables.rooms import Rooms
from openfelt.storage.door import Store
from openfelt.table.commands import Person, Role


def assembled(
    settings: Settings,
    floor: Floor,
    rooms: Rooms,
    accounts: Accounts,
    *,
    ownership: Ownership,
    bus: Bus,
    catalog: Catalog,
    card_codes: CardCodes,
    alerts: HouseAlerts,
    metrics: Metrics,
    passwords: Passwords,
    notes: ShortLivedTexts | None = None,
    request_rate: NetworkBuckets | None = None,
) -> Services:
    """The services of a server on an open floor."""
    store, clock = floor.worker_services.store, floor.worker_services.clock
    sessions = Sessions(accounts, clock, staff_ms=settings.limits.staff_session_ms)
    round_pool = work_pools.round_pool()
    round_reader = RoundReader(store, floor.worker_services.rulebook)
    compilation = Compilation(wanted=settings.compile_ahead)
    figures = FiguresProcess() if settings.compile_ahead else None
    lobby, cage = Lobby(floor, clock, rooms.tables), _cage(settings, floor, accounts)
    overview = _overview(
        floor,
        lobby,
        sessions,
        alerts,
        cage["shift_money"],
        ready=compilation.ended,
        compute=None if figures is None else figures.odds_of,
    )
    shifts = Shifts(store, floor.worker_services.codec)
    services = Services(
        settings=settings,
        clock=clock,
        catalog=catalog,
        metrics=metrics,
        store=store,
        ownership=ownership,
        bus=bus,
        floor=floor,
        tables=rooms.tables,
        rooms=rooms,
        **cage,
        accounts=accounts,
        sessions=sessions,
        devices=Devices(store, clock),
        pins=Pins(accounts, Badges(store, clock), passwords=passwords, clock=clock),
        shifts=shifts,
        readers=TableReaders(store, clock),
        **_sign_in(settings, floor, accounts, sessions, passwords, notes=notes),
        lobby=lobby,
        **overview,
        transfer_lists=_transfer_lists(floor, cage, overview, shifts),
        **_kept_for_control(settings, floor, round_reader),
        card_codes=card_codes,
        round_reader=round_reader,
        **_rounds(floor, RecentRounds(round_reader, round_pool)),
        **_limits(settings, clock, metrics, request_rate),
        round_pool=round_pool,
        proof_slots=work_pools.proof_slots(),
        proof_pool=work_pools.proof_pool(),
        **_mathematics(compilation, figures),
        **_health(settings, store, clock),
    )
    metrics.watch(lambda: _measured(services))
    return services


def _sign_in(
    settings: Settings,
    floor: Floor,
    accounts: Accounts,
    sessions: Sessions,
    passwords: Passwords,
    *,
    notes: ShortLivedTexts | None,
) -> dict[str, Any]:
    """The services for signing in, by name."""
    clock = floor.worker_services.clock
    challenges = None if notes is None else SharedChallenges(notes)
    second_factors = SecondFactors(accounts, clock, notes=notes)
    passkeys = Passkeys(accounts, clock, challenges=challenges)
    return {
        "passwords": passwords,
        "second_factors": second_factors,
        "passkeys": passkeys,
        "sign_in": SignIn(
            settings,
            accounts,
            sessions,
            passwords=passwords,
            second_factors=second_factors,
            passkeys=passkeys,
            cashier=floor.cashier,
            clock=clock,
        ),
    }


def _mathematics(compilation: Compilation, figures: FiguresProcess | None) -> dict[str, Any]:
    """What counts and advises, by the names of the services; it waits for the compilation."""
    returns_pool = work_pools.returns_pool()
    compute = None if figures is None else figures.returns_of
    return {
        "coach": Coach(ready=compilation.ended),
        "draft_counts": DraftCounts(ready=compilation.ended),
        "returns_pool": returns_pool,
        "returns": HouseReturns(returns_pool.run, ready=compilation.ended, compute=compute),
        "figures_process": figures,
        "compilation": compilation,
    }


def _cage(settings: Settings, floor: Floor, accounts: Accounts) -> dict[str, Any]:
    """The services of the cage and its chips, by name."""
    store, codec, clock = (
        floor.worker_services.store,
        floor.worker_services.codec,
        floor.worker_services.clock,
    )
    cage = Cage.of(
        store,
        codec,
        clock,
        voucher_days=settings.cage.voucher_days,
        limit_cents=settings.cage.payout_limit_cents,
        limits=floor.worker_services.people.limits,
        may_approve=lambda name: accounts.has_role(Person(Role.FLOOR, name)),
    )
    histories = TrayHistories(cage.trays)
    return {
        "cage": cage,
        "tray_histories": histories,
        "shift_money": ShiftMoney(store, codec, clock, histories),
    }


def _overview(
    floor: Floor,
    lobby: Lobby,
    sessions: Sessions,
    alerts: HouseAlerts,
    shift_money: ShiftMoney,
    *,
    ready: Callable[[], Awaitable[None]],
    compute: Compute | None,
) -> dict[str, Any]:
    """The services that watch the whole floor, by name."""
    worker_services = floor.worker_services
    figures = FloorFigures(worker_services.store, worker_services.codec, worker_services.clock)
    overview = FloorOverview(floor, lobby, sessions, figures, worker_services.clock, alerts)
    cash = CashThresholds(
        worker_services.store, worker_services.codec, worker_services.clock, alerts
    )
    drop = WinToDrop(worker_services.store, worker_services.clock, alerts)
    sources = (cash.conditions, drop.conditions, shift_money.conditions)
    watch = watch_of(overview, worker_services, sources, ready=ready, compute=compute)
    return {"overview": overview, "watch": watch, "cash_thresholds": cash, "win_to_drop": drop}


def _transfer_lists(
    floor: Floor, cage: dict[str, Any], overview: dict[str, Any], shifts: Shifts
) -> TransferLists:
    """The transfers behind every figure of the floor's pages."""
    worker_services = floor.worker_services
    scopes = FigureScopes(
        store=worker_services.store,
        clock=worker_services.clock,
        figures=overview["overview"].figures,
        shift_money=cage["shift_money"],
        win_to_drop=overview["win_to_drop"],
        accountant=overview["watch"].accountant,
        shifts=shifts,
        cage=cage["cage"],
    )
    return TransferLists(
        worker_services.store, worker_services.codec, scopes, cage["tray_histories"]
    )


def _kept_for_control(
    settings: Settings, floor: Floor, round_reader: RoundReader
) -> dict[str, Any]:
    """The services that keep control records, by name."""
    store, codec, clock = (
        floor.worker_services.store,
        floor.worker_services.codec,
        floor.worker_services.clock,
    )
    return {
        "disputes": Disputes(store, codec, clock, RoundFreezer(store, round_reader)),
        "checkpoints": FloorCheckpoints(store, codec, clock),
        "link_record": LinkRecord(store, codec, round_reader),
        "software": SoftwareChecks(store, clock, houses=settings.houses),
        "house_files": HouseFiles(store, clock, settings.houses, floor.worker_services.held_houses),
        "event_log": EventLog(store),
        "archives": Archives(store, settings.archives),
        "signed_checkpoints": SignedCheckpoints(store),
        "verifications": Verifications(store, clock, settings),
        "exports": ExportJobs(store, clock, settings),
    }


def _rounds(floor: Floor, recent: RecentRounds) -> dict[str, Any]:
    """The services for earlier rounds, by name."""
    store = floor.worker_services.store
    return {
        "recent_rounds": recent,
        "player_rounds": PlayerRounds(store),
        "unfinished_rounds": UnfinishedRounds(store, floor.worker_services.codec),
    }


def _limits(
    settings: Settings, clock: Clock, metrics: Metrics, request_rate: NetworkBuckets | None
) -> dict[str, Any]:
    """How often callers may do what is limited, by the names of the services."""
    limits = settings.limits
    return {
        "request_rate": request_rate or NetworkBuckets(limits.requests, clock),
        "sign_in_rate": NetworkBuckets(limits.sign_ins, clock),
        "proof_rate": NetworkBuckets(limits.proofs, clock),
        "heavy_rate": Buckets(limits.heavy, clock),
        "account_rate": Buckets(limits.account_requests, clock),
        "scan_rate": Buckets(limits.scans, clock),
        "limit_rate": Buckets(limits.limit_changes, clock),
        "socket_openings": SocketOpenings(limits.socket_openings, clock),
        "sockets": SocketCounts(
            metrics.sockets,
            per_account=limits.sockets_per_account,
            per_address=limits.sockets_per_address,
        ),
        "connections": ConnectionCounts(limits.connections_per_address),
    }


def _health(settings: Settings, store: Store, clock: Clock) -> dict[str, Any]:
    """The services that report the server's health, by name."""
    pause_ms = settings.notary_ms if settings.notary_key else None
    return {
        "store_health": StoreHealth(store, clock),
        "notary_health": NotaryHealth(clock, pause_ms=pause_ms),
        "clock_health": ClockHealth(clock),
    }


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
        "follow_lag_seconds": services.ownership.lag_ms / 1000,
        "viewers": services.rooms.viewers,
        "players_flagged": services.unfinished_rounds.flagged(flagged_from),
    }
