"""What players and staff share: they look up when something changes, and now and then anyway."""

from random import Random
from typing import TYPE_CHECKING

from openfelt.table.commands import Person
from openfelt.table.state import Table
from tests.simulation.terminal import Terminal

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation


class Actor:
    """A person with a terminal, at one table or walking about."""

    quickest_ms = 50
    slowest_ms = 700
    """How long the person thinks after a change."""
    patience_ms = 12_000
    """After this long, the person looks up without any change."""

    def __init__(self, simulation: "Simulation", by: Person, table: str | None) -> None:
        self.table = table
        self.terminal = Terminal(simulation, by, self.wake)
        self._simulation = simulation
        self._random: Random = simulation.random
        self._wakes_ms: int | None = None
        self._wakings = 0

    def wake(self) -> None:
        """Something has changed: think, then act."""
        if not self.terminal.vanished:
            self._wake_in(self._random.randint(self.quickest_ms, self.slowest_ms))

    def _wake_in(self, delay_ms: int) -> None:
        at_ms = self._simulation.machine.clock.true_ms + delay_ms
        if self._wakes_ms is None or at_ms < self._wakes_ms:
            self._wakes_ms = at_ms
            self._wakings += 1
            number = self._wakings
            self._simulation.after(delay_ms, lambda: self._woken(number))

    def _woken(self, number: int) -> bool:
        """Act, unless something woke this person earlier; say whether anything came of it."""
        if number != self._wakings or self.terminal.vanished:
            return False
        self._wakes_ms = None
        sent = self.terminal.sent
        self.act()
        if not self.terminal.vanished:
            self._wake_in(self._random.randint(self.patience_ms // 2, self.patience_ms))
        return self.terminal.sent != sent

    def act(self) -> None:
        """Do something, or nothing."""
        raise NotImplementedError

    def seen(self) -> Table | None:
        """The table as anybody can see it."""
        return self._simulation.auditor.tables.get(self.table or "")
