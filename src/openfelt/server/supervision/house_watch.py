"""The watchers of the house: fairness, links and tables, and the resulting alerts."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import day_of
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.server.supervision import alert_conditions as conditions
from openfelt.server.supervision.alert_book import AlertBook, Condition, ConditionSource
from openfelt.server.supervision.floor_overview import FloorOverview
from openfelt.server.supervision.jackpots.link_books import LinkAccountant
from openfelt.server.supervision.real_play.fairness_watch import FairnessWatch
from openfelt.server.supervision.real_play.wager_odds import Compute
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, StoreError

PAUSE_SECONDS: Final = 30
"""How often the house is checked while no supervisor asks."""
TURN_SECONDS: Final = 0.2
"""The pause between two parts of a long history."""
LOOKED_MS: Final = 2000
"""Cache lifetime of a check, for any number of supervisors."""
PATIENCE_SECONDS: Final = 2
"""How long a supervisor waits for a check; then they see what has been counted so far."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class HouseWatch:
    """Checks the house and raises its alerts."""

    fairness: FairnessWatch
    book: AlertBook
    overview: FloorOverview
    accountant: LinkAccountant
    ready: Callable[[], Awaitable[object]]
    """Awaited before anything is counted: compiling the mathematics would halt the server."""
    sources: tuple[ConditionSource, ...]
    """Others who watch; each gives the conditions that hold now."""
    _looking: "asyncio.Task[None] | None" = None
    _looked_ms: int | None = None

    async def look(self) -> None:
        """Count what is new and raise the alerts that follow; all callers share one check.

        A long check continues in the background: the record may be long, and on a new machine the
        mathematics is compiled first.
        """
        now_ms = self.overview.clock.monotonic_ms()
        if self._looked_ms is not None and now_ms - self._looked_ms < LOOKED_MS:
            return
        looking = self._begun()
        if (await asyncio.wait((looking,), timeout=PATIENCE_SECONDS))[0]:
            looking.result()
            self._looked_ms = now_ms

    def _begun(self) -> "asyncio.Task[None]":
        """The check in progress, or a new one."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
            # A look that all callers have left may fail too; the next one says so.
            self._looking.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._looking

    async def _look(self) -> None:
        await asyncio.to_thread(self.fairness.count_behind)
        await self.ready()
        view = await self.overview.view()
        await asyncio.to_thread(self.fairness.refresh)
        await asyncio.to_thread(lambda: self._raise(list(conditions.of_the_floor(view))))

    def _raise(self, raised: list[Condition]) -> None:
        limits, today = self.overview.alerts, day_of(self.overview.clock.wall_ms())
        with self.fairness.lock:
            raised += conditions.of_dealers(self.fairness, limits, today)
            if not self.fairness.behind:
                # Half of a history would say what the whole of it takes back.
                raised += conditions.of_results(self.fairness, limits)
                raised += conditions.of_players(self.fairness, limits)
                raised += conditions.of_shuffles(self.fairness, limits)
        try:
            raised += conditions.of_links(self.accountant.all())
        except (Damaged, CodecError) as error:
            # The audit says what is wrong; one damaged link hides no other alert.
            logger.error("the books of the links cannot be read: %s", error)
        for source in self.sources:
            raised += source()
        self.book.raise_new(raised)

    async def run(self) -> None:
        """Check the house at intervals until cancelled."""
        while True:
            await asyncio.sleep(PAUSE_SECONDS)
            try:
                await asyncio.shield(self._begun())
                while self.fairness.behind:
                    await asyncio.sleep(TURN_SECONDS)
                    await asyncio.to_thread(self.fairness.refresh)
            except (StoreError, CodecError, Refusal) as error:
                logger.warning("the house could not be checked: %s", error)


def watch_of(
    overview: FloorOverview,
    worker_services: WorkerServices,
    sources: tuple[ConditionSource, ...],
    *,
    ready: Callable[[], Awaitable[None]],
    compute: Compute | None = None,
) -> HouseWatch:
    """The watch of a server; ``compute`` computes odds in another process."""
    store, codec, clock = worker_services.store, worker_services.codec, worker_services.clock
    book = AlertBook(store, codec, clock)
    overview.alerts_open = book.open_count
    return HouseWatch(
        FairnessWatch(store, codec, worker_services.rulebook, clock, compute),
        book,
        overview,
        LinkAccountant(store, codec, clock, worker_services.links),
        ready,
        sources,
    )
