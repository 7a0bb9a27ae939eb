"""The counts behind the figures of drafts: kept in memory, and counted in the background.

A paytable of a side bet needs no new count. Terms of the game itself change the best play, so they
are counted, which takes some seconds; a caller who keeps typing cancels the previous count.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from openfelt.server.errors import Denied
from openfelt.server.limits.bounded_pool import BoundedPool

if TYPE_CHECKING:
    from openfelt.maths.holdem.game_outcomes import GameOutcomes
    from openfelt.maths.holdem.terms import HoldemTerms

KEPT_MAX: Final = 64
"""How many terms' counts are kept; each takes a few kilobytes."""
WAITING_MAX: Final = 16
_Result = TypeVar("_Result")


class _Dropped(Exception):
    """No caller waits for the count."""


@dataclass(slots=True)
class Count:
    """A count in progress."""

    done: int = 0
    steps: int = 0
    callers: set[str] = field(default_factory=set)
    dropped: bool = False

    def go_on(self, done: int, steps: int, /) -> None:
        """Note the progress; stop if no caller waits."""
        if self.dropped:
            raise _Dropped
        self.done, self.steps = done, steps


class DraftCounts:
    """Counts of whole games by their terms. For one event loop."""

    def __init__(self, *, ready: Callable[[], Awaitable[None]] | None = None) -> None:
        """``ready`` is awaited before anything is counted: compiling would halt the server."""
        self._ready = ready
        # One thread, so that drafts never take the processors from the tables.
        self._pool = BoundedPool("drafts", threads=1, waiting_max=WAITING_MAX)
        self._kept: OrderedDict[HoldemTerms, GameOutcomes | str] = OrderedDict()
        """The counts, or why terms cannot be counted."""
        self._counts: dict[HoldemTerms, Count] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> bool:
        """Whether anything is being counted."""
        return bool(self._tasks)

    def kept(self, terms: "HoldemTerms") -> "GameOutcomes | str | None":
        """The counts of the best play under these terms, or why there are none; None if unknown."""
        outcomes = self._kept.get(terms)
        if outcomes is not None:
            self._kept.move_to_end(terms)
        return outcomes

    def want(self, wanted: "list[HoldemTerms]", *, caller: str) -> Count | None:
        """Count these terms for a caller, and nothing else; the progress of the last of them."""
        missing = [terms for terms in wanted if terms not in self._kept]
        for terms, count in self._counts.items():
            if terms not in missing:
                count.callers.discard(caller)
                count.dropped = not count.callers
        for terms in missing:
            running = self._counts.get(terms)
            if running is None or running.dropped:
                running = self._counts[terms] = Count()
                task = asyncio.create_task(self._count(terms, running))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            running.callers.add(caller)
        return self._counts[missing[-1]] if missing else None

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Run work that needs compiled kernels, in the thread of drafts; raises Denied if busy."""
        if self._ready is not None:
            await self._ready()
        return await self._pool.run(work)

    async def _count(self, terms: "HoldemTerms", count: Count) -> None:
        try:
            self._keep(terms, await self.run(lambda: _outcomes(terms, count)))
        except ValueError as error:
            self._keep(terms, str(error))
        except (_Dropped, Denied):
            # It is counted when a caller asks again.
            pass
        finally:
            if self._counts.get(terms) is count:
                del self._counts[terms]

    def _keep(self, terms: "HoldemTerms", outcomes: "GameOutcomes | str") -> None:
        self._kept[terms] = outcomes
        while len(self._kept) > KEPT_MAX:
            self._kept.popitem(last=False)

    async def close(self) -> None:
        """Cancel the current count, and end the thread."""
        for count in self._counts.values():
            count.dropped = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._pool.close()


def _outcomes(terms: "HoldemTerms", count: Count) -> "GameOutcomes":
    from openfelt.maths.holdem.game_outcomes import GameOutcomes
    from openfelt.maths.holdem.solver import solve_holdem

    count.go_on(0, count.steps)
    solution = solve_holdem(terms, workers=1, progress=count.go_on)
    # The solution itself has a value for every flop; of drafts only the outcomes are kept.
    return GameOutcomes(terms, solution.outcomes)
