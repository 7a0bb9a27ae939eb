"""What a server is told when it starts: where it listens, what it keeps, and every limit."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from openfelt.server.http.rate_limits import Rate

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
BODY_BYTES_MAX: Final = 65_536
PROOF_BYTES_MAX: Final = 8_000_000
"""The longest proof that is taken for checking; a full stadium of 2,000 terminals needs less."""

_OFTEN: Final = Rate(per_minute=1200, burst=300)
_AT_THE_DOOR: Final = Rate(per_minute=20, burst=20)
_HEAVY: Final = Rate(per_minute=120, burst=60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one address or one account may ask, and for how long a session lasts."""

    requests: Rate = _OFTEN
    """Any request, by address."""
    doors: Rate = _AT_THE_DOOR
    """Coming in: guests, signing up and signing in, by address."""
    account_requests: Rate = _OFTEN
    """Any request, by account."""
    heavy: Rate = _HEAVY
    """Histories, replays and proofs, by account or else by address."""
    failures_before_lock: int = 3
    first_lock_ms: int = 60_000
    """How long the first lock holds; each further failure doubles it."""
    longest_lock_ms: int = 86_400_000
    idle_ms: int = 30 * 60_000
    """After so long without a request, whoever plays for money or works here signs in again."""
    guest_idle_ms: int = 30 * 86_400_000
    spare_loopback: bool = True
    """Whether a machine that alone can reach the server is not limited by address."""
    sockets_per_address: int = 4000
    sockets_per_account: int = 8
    connections_per_address: int = 1000
    """Connections that are no sockets. This machine, and proxies that the server trusts, are
    spared: whoever is behind them is limited by what they ask."""
    request_ms: int = 40_000
    """Within so long of connecting, or of the last answer, a connection asks something."""
    exchange_ms: int = 120_000
    """Within so long of its first lines, a request has come in whole and its answer is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One server."""

    database: str
    """The address of the store, as ``openfelt.storage.opening`` reads it."""
    houses: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8080
    starter: bool = True
    """Put the starter floor on an empty database, and deal live houses virtually there."""
    play_money: bool = True
    """Guests may come in, and everybody begins with play money."""
    play_money_cents: int = 100_000
    hosts: frozenset[str] = frozenset()
    """The names by which browsers may reach the server; empty for any."""
    site: Path = field(default_factory=lambda: Path(__file__).parent / "static")
    """The web terminal, as it was built."""
    notary_key: Path | None = None
    """The key that signs checkpoints; None where nobody signs."""
    notary_ms: int = 60_000
    supervisor_password: str | None = field(default=None, repr=False)
    """Replaces the password that everybody knows, where the supervisor still has that one."""
    limits: Limits = field(default_factory=Limits)

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server.

        A name beyond this machine says that a proxy lets others in, whatever address the
        server itself listens on.
        """
        return is_loopback(self.host) and all(map(is_loopback, self.hosts))

    @property
    def host_names(self) -> frozenset[str]:
        """The names by which browsers may reach the server; empty for any.

        A page elsewhere could give its own name the loopback address and so talk to a
        server that only this machine should reach; therefore a local one has fixed names.
        """
        return self.hosts | LOOPBACK_NAMES if self.hosts or self.local else frozenset()


def is_loopback(host: str) -> bool:
    """Whether an address or name means this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
