"""The settings of a server: its address, its database and its limits."""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from openfelt.server.limits.rates import Rate

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_HOST_LENGTH_MAX: Final = 255
BODY_BYTES_MAX: Final = 16_384
PROOF_BYTES_MAX: Final = 1_000_000
"""The longest proof that the server checks; longer ones are checked by ``openfelt verify``."""
REVEAL_MS: Final = 2_000
"""How long a terminal takes to deal and turn the cards before a decision; its tests ensure that.
The clocks of newly opened tables run longer by this time."""

_REQUESTS: Final = Rate(per_minute=1200, burst=300)
_SIGN_INS: Final = Rate(per_minute=20, burst=20)
_HEAVY: Final = Rate(per_minute=120, burst=60)
_PROOFS: Final = Rate(per_minute=20, burst=10)
_COMMANDS: Final = Rate(per_minute=240, burst=600)
_SCANS: Final = Rate(per_minute=240, burst=120)
_LIMIT_CHANGES: Final = Rate(per_minute=6, burst=30)
_SOCKETS: Final = Rate(per_minute=30, burst=30)
_HOUR_MS: Final = 3_600_000


class SettingsError(Exception):
    """The server does not start with these settings; the sentence says what to change."""


class ServerRole(StrEnum):
    """The role of one process in a house."""

    BOTH = "both"
    """It takes callers and runs tables."""
    GATEWAY = "gateway"
    """It takes callers, and follows the tables of other processes."""
    TABLES = "tables"
    """It runs tables; only health and metrics can be called."""

    @property
    def takes_callers(self) -> bool:
        """Whether browsers and programs reach this process."""
        return self is not ServerRole.TABLES

    @property
    def runs_tables(self) -> bool:
        """Whether this process runs tables."""
        return self is not ServerRole.GATEWAY


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSettings:
    """Settings for working with other processes on one PostgreSQL database."""

    role: ServerRole = ServerRole.BOTH
    bus: str | None = field(default=None, repr=False)
    """The address of NATS, perhaps with a password; None if this process is alone."""
    name: str | None = None
    """The name under which this process is known and leases tables; None for that of the host with
    some digits that stay with the folder."""
    folder: Path | None = None
    """The folder of the file that proves after a restart that the name is the process's own."""
    lease_ms: int | None = None
    """After this long without a word from a process another takes over its tables; None for the
    usual time."""
    bus_ca: Path | None = None
    bus_certificate: Path | None = None
    bus_key: Path | None = None

    def check(self, database: str) -> None:
        """Raise SettingsError for a process that could reach no other."""
        if self.bus is None:
            if self.role is not ServerRole.BOTH:
                raise SettingsError(
                    f"A process with --role {self.role} works with others. Say where NATS is: "
                    f"openfelt serve --role {self.role} --bus nats://HOST:4222"
                )
            return
        if not self.bus.startswith(("nats://", "tls://")):
            raise SettingsError(
                "The address of the bus must be nats://HOST:4222 or tls://HOST:4222."
            )
        if not database.startswith(("postgresql://", "postgres://")):
            raise SettingsError(
                "Only one process can open a SQLite file, so --bus needs a PostgreSQL database: "
                "openfelt serve --bus URL --database postgresql://HOST/NAME"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLimits:
    """How wrong passwords and codes slow further attempts down. Nothing locks an account."""

    free: int = 3
    """Wrong attempts at one name that an address may make before it has to wait."""
    first_wait_ms: int = 5_000
    """The first wait; each further wrong attempt doubles it."""
    longest_wait_ms: int = 15 * 60_000
    free_in_all: int = 10
    """Wrong attempts at one name, from all unknown devices, before they have to take turns."""
    turn_ms: int = 1_000
    """The time between two turns; it grows with the number of wrong attempts."""
    longest_turn_ms: int = 8_000
    turn_wait_ms: int = 30_000
    """How long an attempt waits for its turn at most."""
    waiting_max: int = 32
    """How many attempts at one name may wait for a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Rate limits of addresses and accounts, lifetimes of sessions, and limits of connections."""

    requests: Rate = _REQUESTS
    """Any request, by address."""
    sign_ins: Rate = _SIGN_INS
    """Guests, sign-ups and sign-ins, by address."""
    account_requests: Rate = _REQUESTS
    """Any request, by account."""
    heavy: Rate = _HEAVY
    """Histories, replays and proofs, by account, or by address without one."""
    proofs: Rate = _PROOFS
    """Proofs that callers send to have them checked, by address."""
    scans: Rate = _SCANS
    """Cards that one reader sends; a dealer draws some twenty a minute."""
    limit_changes: Rate = _LIMIT_CHANGES
    """Limits that one player sets. Each stays in a record that is read before the player bets."""
    socket_openings: Rate = _SOCKETS
    """Sockets that are opened, by account, or by address without one."""
    commands: Rate = _COMMANDS
    """Commands of one player at tables; faster ones wait. Each stays in the record permanently, so
    this bounds the growth of the database by one player: half a gigabyte a day."""
    attempts: AttemptLimits = field(default_factory=AttemptLimits)
    idle_ms: int = _HOUR_MS // 2
    """After this time without a request, players and staff have to sign in again."""
    staff_session_ms: int = 12 * _HOUR_MS
    """After this time staff have to sign in again, however active they are."""
    guest_idle_ms: int = 30 * 24 * _HOUR_MS
    spare_loopback: bool = True
    """Whether loopback addresses have no rate limit while the server is local."""
    sockets_per_address: int = 4000
    sockets_per_account: int = 8
    connections_per_address: int = 1000
    """HTTP connections. This machine and trusted proxies are exempt: the clients behind them are
    limited by their requests."""
    request_ms: int = 40_000
    """How long a connection may be open, or idle after a response, before it sends a request."""
    head_ms: int = 10_000
    """How long the head of a request may take from its first byte."""
    body_ms: int = 20_000
    """How long the body of a request may take."""
    exchange_ms: int = 120_000
    """How long a request may take, from its head to the end of its response."""
    body_bytes: int = 32_000_000
    """How many bytes of bodies may be held at a time, of unfinished ones too."""
    body_bytes_per_site: int = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CageSettings:
    """Settings of the house's cage."""

    vouchers: bool = False
    """Whether terminals of the house issue and accept vouchers. Windows always do."""
    voucher_days: int = 90
    """How long a voucher is valid."""
    payout_limit_cents: int = 300_000
    """A payout in cash above this amount needs a supervisor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one server."""

    database: str
    """The address of the store, as ``openfelt.storage.addresses`` reads it."""
    houses: Path | None = None
    card_codes: Path | None = None
    """The file of the codes that barcode and RFID shoes send for cards."""
    alerts: Path | None = None
    """The file that says from where on something at a table is an alert."""
    archives: Path | None = None
    """The folder of archives whose rounds auditors recall."""
    host: str = "127.0.0.1"
    port: int = 8080
    starter: bool = True
    """Set up the starter floor in an empty database, and deal live houses virtually."""
    play_money: bool = True
    """Guests are admitted, and every player begins with play money."""
    play_money_cents: int = 100_000
    hosts: frozenset[str] = frozenset()
    """The host names under which browsers may reach the server, besides those of this machine."""
    site: Path = field(default_factory=lambda: Path(__file__).parent / "static")
    """The folder of the built web terminal."""
    notary_key: Path | None = None
    """The file of the key that signs checkpoints; None if checkpoints are not signed."""
    notary_ms: int = 60_000
    keep_decks_days: int = 90
    """How long the secret decks of finished rounds are kept. After that only the cards that were
    shown can be known and proved."""
    keep_proofs_days: int | None = None
    """How long the proofs of purged rounds are kept; None forever."""
    supervisor_password: str | None = field(default=None, repr=False)
    """The supervisor's first password, instead of a random one."""
    second_factor: bool | None = None
    """Whether staff need a second factor; None if that follows from ``local``."""
    compile_ahead: bool = False
    """Whether the mathematics is compiled in the background, where that has not been done, and
    computes in a process beside the server."""
    metrics_token: str | None = field(default=None, repr=False)
    """A token that may read metrics and nothing else."""
    limits: Limits = field(default_factory=Limits)
    unfinished_rounds_flagged: int = 3
    """How many refunded unfinished rounds flag a player for the supervisors (R.32)."""
    cage: CageSettings = field(default_factory=CageSettings)
    software: str | None = None
    """The fingerprint of the program that the operator has approved; None if any may deal."""
    verify_hours: int = 24
    """How often the server verifies its record automatically; 0 for never."""
    cluster: ClusterSettings = field(default_factory=ClusterSettings)

    def check(self) -> None:
        """Raise SettingsError for an address that others reach under no name, and for a cluster
        without a bus or a database that it can share."""
        self.cluster.check(self.database)
        if not is_loopback(self.host) and not self.hosts:
            raise SettingsError(
                f"The address {self.host} can be reached from other machines. Say under which "
                f"name browsers reach the server: openfelt serve --host {self.host} "
                "--allow-host NAME"
            )

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server.

        A host name of another machine means that a proxy forwards requests, regardless of the
        address that the server listens on.
        """
        return is_loopback(self.host) and all(map(is_loopback, self.hosts))

    @property
    def practice_dealers(self) -> bool:
        """Whether visitors may deal with play money: on a starter floor that only this machine
        reaches."""
        return self.starter and self.local and self.play_money

    def offers_vouchers(self, *, enrolled: bool) -> bool:
        """Whether a browser gives and takes vouchers: a terminal of the house, or one on this
        machine where no other reaches the server."""
        return self.cage.vouchers and (enrolled or self.local)

    def exempt_from_rates(self, address: str) -> bool:
        """Whether an address has no rate limit: this machine, where no other reaches the server."""
        return self.local and self.limits.spare_loopback and is_loopback(address)

    @property
    def second_factor_required(self) -> bool:
        """Whether staff need a second factor: by default, where others can reach the server."""
        return not self.local if self.second_factor is None else self.second_factor

    @property
    def host_names(self) -> frozenset[str]:
        """The host names under which browsers may reach the server.

        A foreign site could resolve its own name to the server's address and so reach it from a
        visitor's browser (DNS rebinding); therefore a server has fixed names.
        """
        return self.hosts | LOOPBACK_NAMES


def is_loopback(host: str) -> bool:
    """Whether an address or name is a loopback one.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return len(host) <= _HOST_LENGTH_MAX and _is_loopback(host)


@lru_cache(maxsize=1024)
def _is_loopback(host: str) -> bool:
    """Kept, because every request asks several times."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
