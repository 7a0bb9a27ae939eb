"""The lateness of this process: time in which its event loop could serve no terminal.

A stalled loop, a stopped process and a machine without time for it all look alike: a beat that is
due every moment comes late. Clocks of tables do not run then, because a player's decision
may lie unread in a socket. A suspended machine needs no care, since its monotonic clock stands
still as well.
"""

import asyncio
import time
from typing import Final, NamedTuple

BEAT_MS: Final = 50
TOLERANCE_MS: Final = 200
"""Less lateness than this is not counted: every busy process is a little late."""


class _Beats(NamedTuple):
    """The beats so far, as one value that any thread may read."""

    lost_ms: int
    due_ms: int
    """When the next beat is due."""


class Lateness:
    """Measures by beats how much time this process has lost."""

    def __init__(self) -> None:
        self._beats: _Beats | None = None

    def lost_ms(self) -> int:
        """How much time has been lost since the start, a stall in progress included."""
        return 0 if self._beats is None else _lost_ms(self._beats, _now_ms())

    async def run(self) -> None:
        """Beat until cancelled."""
        lost_ms = self.lost_ms()
        try:
            while True:
                self._beats = _Beats(lost_ms, _now_ms() + BEAT_MS)
                await asyncio.sleep(BEAT_MS / 1000)
                lost_ms = _lost_ms(self._beats, _now_ms())
        finally:
            self._beats = None


def _lost_ms(beats: _Beats, now_ms: int) -> int:
    late_ms = now_ms - beats.due_ms
    return beats.lost_ms + (late_ms if late_ms > TOLERANCE_MS else 0)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
