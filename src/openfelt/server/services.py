"""The services of a running server, which its endpoints use."""

from dataclasses import dataclass, field

from openfelt.catalog import Catalog
from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.cage.cage import Cage
from openfelt.runtime.clock import Clock
from openfelt.runtime.cluster.ownership import Ownership
from openfelt.runtime.remote.house_tables import HouseTables
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
from openfelt.server.credentials.passwords import Passwords
from openfelt.server.draft_desk.draft_counts import DraftCounts
from openfelt.server.figures_process import FiguresProcess
from openfelt.server.history.coach import Coach
from openfelt.server.history.player_rounds import PlayerRounds
from openfelt.server.history.recent_rounds import RecentRounds
from openfelt.server.history.unfinished_rounds import UnfinishedRounds
from openfelt.server.limits.bounded_pool import BoundedPool
from openfelt.server.limits.connection_counts import ConnectionCounts
from openfelt.server.limits.fair_pool import FairPool
from openfelt.server.limits.rates import Buckets, NetworkBuckets
from openfelt.server.limits.slots import Slots
from openfelt.server.limits.socket_counts import SocketCounts, SocketOpenings
from openfelt.server.monitoring.metrics import Metrics
from openfelt.server.pit.card_codes import CardCodes
from openfelt.server.pit.pins import Pins
from openfelt.server.pit.shifts import Shifts
from openfelt.server.self_check.house_files import HouseFiles
from openfelt.server.self_check.software_checks import SoftwareChecks
from openfelt.server.settings import Settings
from openfelt.server.store.clock_health import ClockHealth
from openfelt.server.store.notary_health import NotaryHealth
from openfelt.server.store.store_health import StoreHealth
from openfelt.server.supervision.disputes import Disputes
from openfelt.server.supervision.figure_transfers.transfer_lists import TransferLists
from openfelt.server.supervision.floor_checkpoints import FloorCheckpoints
from openfelt.server.supervision.floor_money.cash_thresholds import CashThresholds
from openfelt.server.supervision.floor_money.shift_money import ShiftMoney
from openfelt.server.supervision.floor_money.tray_histories import TrayHistories
from openfelt.server.supervision.floor_money.win_to_drop import WinToDrop
from openfelt.server.supervision.floor_overview import FloorOverview
from openfelt.server.supervision.house_watch import HouseWatch
from openfelt.server.supervision.jackpots.link_record import LinkRecord
from openfelt.server.tables.house_returns import HouseReturns
from openfelt.server.tables.lobby import Lobby
from openfelt.server.tables.rooms import Rooms
from openfelt.storage.door import Store


@dataclass(slots=True, kw_only=True)
class Services:
    """Everything that the endpoints of a running server use."""

    settings: Settings
    clock: Clock
    catalog: Catalog
    metrics: Metrics
    store: Store
    ownership: Ownership
    bus: Bus
    floor: Floor
    tables: HouseTables
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
    request_rate: NetworkBuckets
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
    transfer_lists: TransferLists
    heavy_rate: Buckets
    account_rate: Buckets
    scan_rate: Buckets
    limit_rate: Buckets
    socket_openings: SocketOpenings
    sockets: SocketCounts
    connections: ConnectionCounts
    round_pool: BoundedPool
    """Computes replays and proofs, which may take seconds."""
    proof_slots: Slots
    """Proofs of callers, from their first byte to the verdict."""
    proof_pool: FairPool
    """Checks proofs of callers."""
    coach: Coach
    draft_counts: DraftCounts
    returns_pool: BoundedPool
    returns: HouseReturns
    figures_process: FiguresProcess | None
    compilation: Compilation
    store_health: StoreHealth
    notary_health: NotaryHealth
    clock_health: ClockHealth
    software: SoftwareChecks
    house_files: HouseFiles
    event_log: EventLog
    archives: Archives
    signed_checkpoints: SignedCheckpoints
    verifications: Verifications
    exports: ExportJobs
    first_password: str | None = field(default=None, repr=False)
    """The supervisor's random password, where this start has set one; it is shown once."""
    open: bool = True
    """False once the server is closing."""
