"""Which fault strikes next. Everything is drawn from the seed."""

from dataclasses import dataclass
from random import Random
from typing import Final

from tests.simulation.tally import Tally

RATE_MOST: Final = 0.6
"""The highest probability of a fault: a caller who retries must succeed in the end."""


class Crash(BaseException):
    """A process has died in the middle of something. Nothing of ours may catch it."""


class PowerLoss(Crash):
    """The machine has lost its power: every process has died."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each fault strikes, for one call or one message."""

    crash_before: float = 0.003
    crash_after: float = 0.004
    crash_leasing: float = 0.0005
    crash_leased: float = 0.0005
    crash_reading: float = 0.0002
    power_loss: float = 0.0008
    disk_full: float = 0.0006
    store_gone: float = 0.0001
    unknown: float = 0.002
    meddling: float = 0.08
    meddling_with_link: float = 0.4
    """Another process writes to the same link or wallet just before a commit."""
    message_lost: float = 0.03
    message_twice: float = 0.06
    message_late: float = 0.04
    shuffler_failed: float = 0.0005
    vanishing: float = 0.025

    def scaled(self, factor: float) -> "Rates":
        """All rates, so many times as high, but none so high that no attempt gets through."""
        return Rates(
            **{name: min(getattr(self, name) * factor, RATE_MOST) for name in Rates.__slots__}
        )


WEATHERS: Final = (0.3, 1.0, 1.0, 2.5)
"""How stormy a seed may be."""
LEASING: Final = ("take_lease", "renew_lease", "release_lease")
WRITES: Final = ("commit", *LEASING)
SURE: Final = (
    "crash_before",
    "crash_after",
    "crash_leasing",
    "crash_leased",
    "crash_reading",
    "power_loss",
    "disk_full",
    "store_gone",
    "unknown",
    "shuffler_failed",
)
"""Faults that strike at least once in every seed."""


class Faults:
    """Draws the faults of one simulation, and counts them."""

    def __init__(self, random: Random, tally: Tally) -> None:
        self.random = random
        self.tally = tally
        self.rates = Rates().scaled(random.choice(WEATHERS))
        self._due: list[str] = []
        self.quiet = False
        """No fault strikes any more: it is closing time."""

    def strikes(self, fault: str) -> bool:
        """Whether a fault happens now: by chance, or because it is due."""
        if self.quiet:
            return False
        if fault in self._due:
            self._due.remove(fault)
            return True
        chance: float = getattr(self.rates, fault)
        return self.random.random() < chance

    def make_due(self, fault: str) -> None:
        """Let a fault strike at the next occasion, so that no seed goes without it."""
        self._due.append(fault)

    def crash_before(self, call: str) -> bool:
        """Whether the process dies before a call reaches the store."""
        if call == "commit":
            return self._struck("crash_before", "crash before commit")
        if call in LEASING:
            return self._struck("crash_leasing", f"crash before leasing, {call}")
        return self._struck("crash_reading", f"crash before reading, {call}")

    def crash_after(self, call: str) -> bool:
        """Whether the process dies after a write, before it knows."""
        if call == "commit":
            return self._struck("crash_after", "crash after commit")
        return call in LEASING and self._struck("crash_leased", f"crash after leasing, {call}")

    def _struck(self, fault: str, name: str) -> bool:
        if not self.strikes(fault):
            return False
        self.tally.add(name)
        return True
