"""Groups of services that are built together, by the names that the services of a server have."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from openfelt.runtime.cage.cage import Cage
from openfelt.runtime.clock import Clock
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.audit_desk.event_log import EventLog
from openfelt.server.audit_desk.export_jobs import ExportJobs
from openfelt.server.audit_desk.signed_checkpoints import SignedCheckpoints
from openfelt.server.audit_desk.verifications import Verifications
from openfelt.server.limits.rates import Buckets, NetworkBuckets
from openfelt.server.limits.socket_counts import SocketOpenings
from openfelt.server.self_check.software_checks import SoftwareChecks
from openfelt.server.settings import Settings
from openfelt.server.supervision.alert_limits import HouseAlerts
from openfelt.server.supervision.disputes import Disputes
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
from openfelt.server.tables.lobby import Lobby


def cage_services(settings: Settings, floor: Floor) -> dict[str, Any]:
    """The cage and what is told of its chips."""
    store, codec, clock = floor.tools.store, floor.tools.codec, floor.tools.clock
    cage = Cage.of(
        store,
        codec,
        clock,
        voucher_days=settings.cage.voucher_days,
        limit_cents=settings.cage.payout_limit_cents,
        limits=floor.tools.people.limits,
    )
    histories = TrayHistories(cage.trays)
    return {
        "cage": cage,
        "tray_histories": histories,
        "shift_money": ShiftMoney(store, codec, clock, histories),
    }


def overview_services(
    floor: Floor,
    lobby: Lobby,
    sessions: Sessions,
    alerts: HouseAlerts,
    cage: Mapping[str, Any],
    *,
    ready: Callable[[], Awaitable[None]],
) -> dict[str, Any]:
    """What looks over the whole floor, and over the money of the cage."""
    tools = floor.tools
    figures = FloorFigures(tools.store, tools.codec, tools.clock)
    overview = FloorOverview(floor, lobby, sessions, figures, tools.clock, alerts)
    cash = CashThresholds(tools.store, tools.codec, tools.clock, alerts)
    drop = WinToDrop(tools.store, tools.clock, alerts)
    sources = (cash.conditions, drop.conditions, cage["shift_money"].conditions)
    watch = watch_of(overview, tools, sources, ready=ready)
    return {"overview": overview, "watch": watch, "cash_thresholds": cash, "win_to_drop": drop}


def control_services(settings: Settings, floor: Floor, round_reader: RoundReader) -> dict[str, Any]:
    """What is kept in the record for control."""
    store, codec, clock = floor.tools.store, floor.tools.codec, floor.tools.clock
    return {
        "disputes": Disputes(store, codec, clock, RoundFreezer(store, round_reader)),
        "checkpoints": FloorCheckpoints(store, codec, clock),
        "link_record": LinkRecord(store, codec, round_reader),
        "software": SoftwareChecks(store, clock, houses=settings.houses),
        "event_log": EventLog(store),
        "signed_checkpoints": SignedCheckpoints(store),
        "verifications": Verifications(store, clock, settings),
        "exports": ExportJobs(store, clock, settings),
    }


def rate_services(settings: Settings, clock: Clock) -> dict[str, Any]:
    """How often callers may do what is limited."""
    limits = settings.limits
    return {
        "sign_in_rate": NetworkBuckets(limits.sign_ins, clock),
        "proof_rate": NetworkBuckets(limits.proofs, clock),
        "heavy_rate": Buckets(limits.heavy, clock),
        "account_rate": Buckets(limits.account_requests, clock),
        "socket_openings": SocketOpenings(limits.socket_openings, clock),
    }
