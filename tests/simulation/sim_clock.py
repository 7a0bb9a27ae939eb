"""A clock that the simulator turns: its wall jumps both ways, its monotonic side never does."""

from typing import Final

START_MS: Final = 1_780_000_000_000
"""The first moment of every simulation, in milliseconds since 1970."""


class SimulatedClock:
    """The clock of the one machine on which all simulated processes run."""

    def __init__(self) -> None:
        self.true_ms = 0
        """How much time has really passed, which no process can ask for."""
        self.wall_offset_ms = 0
        """By how much the wall clock is wrong."""
        self.jumps = 0
        self._started_ms = 0

    def wall_ms(self) -> int:
        """What the machine believes the time to be."""
        return START_MS + self.true_ms + self.wall_offset_ms

    def monotonic_ms(self) -> int:
        """Milliseconds since the machine was started."""
        return self.true_ms - self._started_ms

    def go_to(self, true_ms: int) -> None:
        """Let time pass, up to this moment."""
        self.true_ms = max(self.true_ms, true_ms)

    def jump_to(self, wall_offset_ms: int) -> None:
        """An operator sets the machine's clock."""
        self.wall_offset_ms = wall_offset_ms
        self.jumps += 1

    def start_machine(self) -> None:
        """The machine starts again after a loss of power, and counts from zero."""
        self._started_ms = self.true_ms
