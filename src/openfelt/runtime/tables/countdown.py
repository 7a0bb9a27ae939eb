"""The countdown of a table's running clock, which gives back the time that the process was late."""

from collections.abc import Callable
from typing import Final

from openfelt.runtime.clock import Clock

GIVEN_BACK_MAX_MS: Final = 600_000
"""By how much one clock may run longer in all. So a process that is always late, or made late on
purpose, does not keep a table forever."""


class Countdown:
    """The time left on the running clock.

    A stalled process could read no decision, and a slow write kept players from seeing what to
    decide. Neither is counted against the players.
    """

    def __init__(self, clock: Clock, lost_ms: Callable[[], int]) -> None:
        self._clock = clock
        self._lost_ms = lost_ms
        """How much time this process has lost so far."""
        self._deadline_ms: int | None = None
        self._lost_before_ms = 0
        """The time that the process had lost when the clock was started."""
        self._waited_ms = 0
        """How long players have waited for slow writes."""

    def start(self, ms: int) -> None:
        """Count down from here."""
        self._deadline_ms = self._clock.monotonic_ms() + ms
        self._lost_before_ms, self._waited_ms = self._lost_ms(), 0

    def stop(self) -> None:
        """No clock runs."""
        self._deadline_ms = None
        self._waited_ms = 0

    @property
    def running(self) -> bool:
        """Whether a clock runs."""
        return self._deadline_ms is not None

    @property
    def left_ms(self) -> int | None:
        """How long the clock still runs, below 0 once it has run out; None if none runs."""
        if self._deadline_ms is None:
            return None
        return self._deadline_ms + self.given_back_ms - self._clock.monotonic_ms()

    @property
    def given_back_ms(self) -> int:
        """By how much the clock runs longer, because the process was late."""
        if self._deadline_ms is None:
            return 0
        lost_ms = max(0, self._lost_ms() - self._lost_before_ms)
        return min(lost_ms + self._waited_ms, GIVEN_BACK_MAX_MS)

    def give_back(self, ms: int) -> None:
        """Let the clock run longer after a slow write."""
        self._waited_ms += ms
