"""The schedule for reconnecting after a lost connection, and when to give up."""

import time
from random import uniform
from typing import Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

FIRST_SECONDS: Final = 30.0
"""How long the first connection is tried: until then the address may be wrong."""
PATIENCE_SECONDS: Final = 600.0
"""How long a server may be away that has answered before."""
PAUSE_SECONDS_MAX: Final = 5.0
_FIRST_PAUSE_SECONDS: Final = 0.1
_PASSING_STATUSES: Final = frozenset({408, 421, 425, 429})
"""HTTP statuses below 500 with which a server or its proxy is only busy."""
_NOT_ALLOWED: Final = frozenset({401, 403})


class Reconnection:
    """Pauses between attempts: they double up to a limit, and start over after each success.

    Each pause is drawn between half and the whole of its length, so that the clients of a server
    that restarts do not all come back in the same moment.
    """

    def __init__(self, patience_seconds: float) -> None:
        """``patience_seconds`` is how long a server may be away that has answered before."""
        self._patience_seconds = patience_seconds
        self._left_seconds = min(FIRST_SECONDS, patience_seconds)
        self._tries = 0
        self._lost_at: float | None = None
        self.succeeded = False
        """Whether there has been a connection."""

    def connected(self) -> None:
        """The server has sent all that a connection begins with."""
        self.succeeded = True
        self._tries, self._lost_at = 0, None
        self._left_seconds = self._patience_seconds

    def pause(self) -> float | None:
        """How many seconds to wait after a failure, None if it is time to give up."""
        now = time.monotonic()
        if self._lost_at is None:
            self._lost_at = now
        if now - self._lost_at >= self._left_seconds:
            return None
        longest = min(_FIRST_PAUSE_SECONDS * 2**self._tries, PAUSE_SECONDS_MAX)
        # The exponent must not grow for ever.
        self._tries = min(self._tries + 1, 16)
        return uniform(longest / 2, longest)

    def passes(self, error: Exception) -> bool:
        """Whether another attempt may succeed after this error."""
        if isinstance(error, InvalidStatus):
            status = error.response.status_code
            if self.succeeded:
                # The address was right, so a proxy without its server may answer anything.
                return status not in _NOT_ALLOWED
            return status >= 500 or status in _PASSING_STATUSES
        # A server that is starting or stopping may not answer with HTTP at all.
        return isinstance(error, OSError | ConnectionClosed | InvalidHandshake)
