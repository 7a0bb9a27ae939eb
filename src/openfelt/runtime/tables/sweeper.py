"""The sweeper: finds rounds that have waited too long for their player (O.unfinished)."""

import logging
from collections.abc import Callable
from typing import Final, NamedTuple

from openfelt.runtime.streams import StreamKind, name_of
from openfelt.runtime.tables.recovery.recovery import RecoveredTable, recover
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import Damaged, StoreError, Unavailable
from openfelt.storage.shown_names import shown

REMEMBERED_MAX: Final = 100_000
"""For how many tables the sweeper remembers that there is nothing to do; others are read again."""

logger = logging.getLogger(__name__)


class Expired(NamedTuple):
    """A round that has waited too long."""

    table: str
    round: int
    days: int
    """Since it was opened."""


class Sweeper:
    """Searches all tables of the store, running or not, for expired rounds."""

    def __init__(self, worker_services: WorkerServices) -> None:
        self._services = worker_services
        self._nothing_at: dict[str, int] = {}
        """The version at which a table had no round that can expire."""

    def due(self, *, skips: Callable[[str], bool] = lambda _: False) -> list[Expired]:
        """The expired rounds, without the tables that ``skips`` names: they are not ready yet."""
        worker_services, expired = self._services, []
        now_ms = worker_services.clock.wall_ms()
        for stream in worker_services.store.streams(StreamKind.TABLE.prefix):
            try:
                version = worker_services.store.head(stream).version
            except Damaged as error:
                logger.error("%s cannot be swept: %s", shown(stream), error)
                continue
            if self._nothing_at.get(stream) == version or skips(name_of(stream)):
                continue
            recovered = self._recovered(stream)
            if recovered is None:
                # It may be readable the next time, as when a key is back.
                continue
            state = recovered.table.playing
            if state is None or state.house.unfinished_days is None:
                if stream in self._nothing_at or len(self._nothing_at) < REMEMBERED_MAX:
                    self._nothing_at[stream] = version
                continue
            days = recovered.since.round_days(now_ms)
            if days >= state.house.unfinished_days:
                expired.append(Expired(recovered.table.id, state.opened.number, days))
        return expired

    def _recovered(self, stream: str) -> RecoveredTable | None:
        """A recovered table; one that cannot be read must not hold up the others."""
        try:
            return recover(self._services.store, self._services.codec, name_of(stream))
        except Unavailable:
            raise
        except StoreError as error:
            logger.error("%s cannot be swept: %s", shown(stream), error)
            return None
