"""Which fault strikes next. Everything is drawn from the seed."""

from dataclasses import dataclass
from random import Random
from typing import Final

from tests.simulation.tally import Tally


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
    crash_reading: float = 0.0002
    power_loss: float = 0.0008
    disk_full: float = 0.0006
    store_gone: float = 0.0001
    unknown: float = 0.002
    meddling: float = 0.02
    """Somebody else writes to the same link or wallet just before a commit."""
    message_lost: float = 0.03
    message_twice: float = 0.06
    message_late: float = 0.04
    shuffler_failed: float = 0.0005

    def scaled(self, factor: float) -> "Rates":
        """All rates, so many times as high."""
        return Rates(**{name: getattr(self, name) * factor for name in Rates.__slots__})


WEATHERS: Final = (0.3, 1.0, 1.0, 2.5)
"""How stormy a seed may be."""
WRITES: Final = ("commit", "take_lease", "renew_lease", "release_lease")


class Faults:
    """Draws the faults of one simulation, and counts them."""

    def __init__(self, random: Random, tally: Tally) -> None:
        self.random = random
        self.tally = tally
        self.rates = Rates().scaled(random.choice(WEATHERS))
        self.quiet = False
        """No fault strikes any more: it is closing time."""

    def strikes(self, chance: float) -> bool:
        """Whether something of this chance happens now."""
        return not self.quiet and self.random.random() < chance

    def crash_before(self, call: str) -> bool:
        """Whether the process dies before a call reaches the store."""
        rates = {"commit": self.rates.crash_before}
        rate = rates.get(call, self.rates.crash_leasing if call in WRITES else self.rates.crash_reading)
        return self._struck(rate, f"crash before {call}")

    def crash_after(self, call: str) -> bool:
        """Whether the process dies after a write, before it knows."""
        rate = self.rates.crash_after if call == "commit" else self.rates.crash_leasing
        return call in WRITES and self._struck(rate, f"crash after {call}")

    def _struck(self, chance: float, name: str) -> bool:
        if not self.strikes(chance):
            return False
        self.tally.add(name)
        return True
