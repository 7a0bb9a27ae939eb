"""Health of the notary: whether the record is being signed, and why not."""

import logging
from enum import StrEnum
from typing import Final

from openfelt.runtime.clock import Clock

LATE_PAUSES: Final = 5
"""After this many intervals without a signature the notary is late, for any reason."""
LATE_LEAST_MS: Final = 60_000
REMINDER_MS: Final = 3_600_000
"""A problem that persists is logged again after this time."""

logger = logging.getLogger(__name__)


class NotaryProblem(StrEnum):
    """Why the record is not signed. The values are public and contain no path."""

    KEY = "key"
    """The key is missing, unreadable, not private, or not the one that signed before."""
    RECORD = "record"
    """The record does not continue what was signed or published before: it needs an audit."""
    OLDER = "older"
    """The database is older than the checkpoints that were published: an old copy was restored."""
    STORE = "store"
    """A checkpoint cannot be written or published."""
    LATE = "late"
    """Nothing has been signed for too long."""


class NotaryHealth:
    """The state of the notary's last run."""

    def __init__(self, clock: Clock, *, pause_ms: int | None) -> None:
        """``pause_ms`` is the interval of checkpoints, None if none are signed."""
        self._clock = clock
        self._pause_ms = pause_ms
        self._done_ms = clock.monotonic_ms()
        self._problem: NotaryProblem | None = None
        self._logged_ms = 0

    @property
    def problem(self) -> NotaryProblem | None:
        """Why the record is not signed, None if it is, or where no notary is wanted."""
        if self._pause_ms is None:
            return None
        late = self.age_ms > max(self._pause_ms * LATE_PAUSES, LATE_LEAST_MS)
        return self._problem or (NotaryProblem.LATE if late else None)

    @property
    def status(self) -> str:
        """``ok``, ``off``, or the problem."""
        if self._pause_ms is None:
            return "off"
        return self.problem or "ok"

    @property
    def age_ms(self) -> int:
        """How long ago the notary last signed everything."""
        return 0 if self._pause_ms is None else self._clock.monotonic_ms() - self._done_ms

    def done(self) -> None:
        """Note that everything is signed."""
        if self._problem is not None:
            logger.warning("checkpoints are signed again")
        self._problem = None
        self._done_ms = self._clock.monotonic_ms()

    def failed(self, problem: NotaryProblem, error: Exception) -> None:
        """Note why nothing was signed; it is logged immediately, and every hour while it lasts."""
        now_ms = self._clock.monotonic_ms()
        if problem is not self._problem or now_ms - self._logged_ms >= REMINDER_MS:
            logger.error("checkpoints are not signed: %s", error)
            self._logged_ms = now_ms
        self._problem = problem
