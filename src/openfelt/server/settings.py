"""The settings of a server: its address, its database and its limits."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from openfelt.server.limits.rates import Rate

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
BODY_BYTES_MAX: Final = 65_536
PROOF_BYTES_MAX: Final = 8_000_000
"""The longest proof that is accepted; that of a full stadium of 2,000 terminals is shorter."""

_REQUESTS: Final = Rate(per_minute=1200, burst=300)
_SIGN_INS: Final = Rate(per_minute=20, burst=20)
_HEAVY: Final = Rate(per_minute=120, burst=60)


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
    failures_before_lock: int = 3
    first_lock_ms: int = 60_000
    """How long the first lock lasts; each further failure doubles it."""
    longest_lock_ms: int = 86_400_000
    idle_ms: int = 30 * 60_000
    """After this time without a request, players and staff have to sign in again."""
    guest_idle_ms: int = 30 * 86_400_000
    spare_loopback: bool = True
    """Whether loopback addresses have no rate limit while the server is local."""
    sockets_per_address: int = 4000
    sockets_per_account: int = 8
    connections_per_address: int = 1000
    """HTTP connections. This machine and trusted proxies are exempt: the clients behind them are
    limited by their requests."""
    request_ms: int = 40_000
    """How long a connection may be open, or idle after a response, before it sends a request."""
    exchange_ms: int = 120_000
    """How long a request may take, from its head to the end of its response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one server."""

    database: str
    """The address of the store, as ``openfelt.storage.opening`` reads it."""
    houses: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8080
    starter: bool = True
    """Set up the starter floor in an empty database, and deal live houses virtually."""
    play_money: bool = True
    """Guests are admitted, and every player begins with play money."""
    play_money_cents: int = 100_000
    hosts: frozenset[str] = frozenset()
    """The host names under which browsers may reach the server; empty for any."""
    site: Path = field(default_factory=lambda: Path(__file__).parent / "static")
    """The folder of the built web terminal."""
    notary_key: Path | None = None
    """The file of the key that signs checkpoints; None where checkpoints are not signed."""
    notary_ms: int = 60_000
    supervisor_password: str | None = field(default=None, repr=False)
    """Replaces the supervisor's default password."""
    limits: Limits = field(default_factory=Limits)
    unfinished_rounds_flagged: int = 3
    """How many refunded unfinished rounds flag a player for the supervisors (R.32)."""

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server.

        A host name of another machine means that a proxy forwards requests, whatever address
        the server itself listens on.
        """
        return is_loopback(self.host) and all(map(is_loopback, self.hosts))

    def exempt_from_rates(self, address: str) -> bool:
        """Whether an address has no rate limit: this machine, where no other reaches the server."""
        return self.local and self.limits.spare_loopback and is_loopback(address)

    @property
    def host_names(self) -> frozenset[str]:
        """The host names under which browsers may reach the server; empty for any.

        A foreign site could resolve its own name to the loopback address and so reach a local
        server (DNS rebinding); therefore a local server has fixed names.
        """
        return self.hosts | LOOPBACK_NAMES if self.hosts or self.local else frozenset()


def is_loopback(host: str) -> bool:
    """Whether an address or name is a loopback one.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
