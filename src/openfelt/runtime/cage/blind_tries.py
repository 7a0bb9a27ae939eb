"""How often a dealer may be wrong about a tray whose book the dealer does not see.

A dealer counts without knowing what the tray should hold, so that a surplus cannot be taken before
it is counted. Each refusal of a count without a reason, and of a credit that the tray could not
give, says something about the book. So a tray has a few of them; then no answer depends on the book
any more. The tries are kept in memory: a restart, or another gateway, gives a few more.
"""

import logging
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.tray_rules import Signer
from openfelt.runtime.clock import Clock

TRIES_MAX: Final = 3
"""How often a dealer may miscount, or ask for too much, within the time."""
FORGOTTEN_MS: Final = 8 * 3_600_000
"""After a shift, a refusal no longer counts."""

logger = logging.getLogger(__name__)


class BlindTries:
    """The refusals of dealers at each tray. Threads may share it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._refused_ms: defaultdict[str, list[int]] = defaultdict(list)
        self._lock = threading.Lock()

    @contextmanager
    def counted(self, tray: str, signer: Signer, used_up: Refusal) -> Iterator[None]:
        """Count a refusal by what the tray should hold; raises ``used_up`` before it is looked at.

        A supervisor sees the book anyway.
        """
        if signer.is_supervisor:
            yield
            return
        with self._lock:
            since_ms = self._clock.monotonic_ms() - FORGOTTEN_MS
            refused_ms = [at_ms for at_ms in self._refused_ms.pop(tray, ()) if at_ms > since_ms]
            if refused_ms:
                self._refused_ms[tray] = refused_ms
        if len(refused_ms) >= TRIES_MAX:
            raise used_up
        try:
            yield
        except Refusal:
            with self._lock:
                self._refused_ms[tray].append(self._clock.monotonic_ms())
            logger.warning("%s gave a wrong count or credit for the tray of %s", signer.name, tray)
            raise
