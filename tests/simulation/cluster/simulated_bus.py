"""A bus between simulated processes that loses, repeats, delays and reorders, by a seed.

Each process has a line of its own, which can be cut, and which holds everything back while the
process is asleep.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from openfelt.runtime.bus.bus import Ending, Handler, NoAnswer, NotServed, Server

DELAY_MS_MAX = 40
Kept = TypeVar("Kept")


@dataclass(slots=True)
class Air:
    """What all lines share."""

    random: Random
    share: float
    """The share of messages that is lost, and the share that is repeated."""
    handlers: dict[str, list[tuple["Line", Handler]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    servers: dict[str, list[tuple["Line", Server, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def copies(self) -> int:
        """How often a message arrives."""
        chance = self.random.random()
        return 0 if chance < self.share else 2 if chance > 1 - self.share else 1

    def later(self, do: Callable[[], object]) -> None:
        """Let a message arrive after a while."""
        delay_ms = self.random.randrange(1, DELAY_MS_MAX)
        asyncio.get_running_loop().call_later(delay_ms / 1000, do)


class Line:
    """The bus as one process has it."""

    def __init__(self, air: Air) -> None:
        self._air = air
        self.cut = False
        self.asleep = False
        self._held: list[Callable[[], object]] = []
        self._answering: set[asyncio.Task[None]] = set()
        self.lost_ms = 0

    @property
    def connected(self) -> bool:
        """Whether messages reach other processes."""
        return not self.cut

    def wake(self) -> None:
        """Deliver what was held back while the process slept."""
        self.asleep = False
        held, self._held = self._held, []
        for do in held:
            do()

    def _arrive(self, do: Callable[[], object]) -> None:
        """Something has come to this process."""
        if self.cut:
            return
        if self.asleep:
            self._held.append(do)
        else:
            do()

    async def publish(self, subject: str, body: str) -> None:
        """Tell all subscribers, each of them never, once or twice."""
        if self.cut or self.asleep:
            return
        for line, handler in tuple(self._air.handlers[subject]):
            for _ in range(1 if line is self else self._air.copies()):
                self._air.later(lambda line=line, to=handler: line._arrive(lambda: to(body)))  # type: ignore[misc]

    async def subscribe(self, subject: str, handler: Handler) -> Ending:
        """Hear what is published from now on."""
        return _kept(self._air.handlers[subject], (self, handler))

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        """Ask all servers of a subject, or one of each group; the first answer counts."""
        if self.cut:
            await asyncio.sleep(min(timeout_ms, 1000) / 1000)
            raise NoAnswer(subject)
        servers = self._asked(subject)
        if not servers:
            await asyncio.sleep(0.001)
            raise NotServed(subject)
        answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        for line, server in servers:
            for _ in range(self._air.copies()):
                self._air.later(
                    lambda line=line, server=server: line._arrive(  # type: ignore[misc]
                        lambda: line._serve(server, body, self, answered)
                    )
                )
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                return await answered
        except TimeoutError as error:
            raise NoAnswer(subject) from error

    def _asked(self, subject: str) -> list[tuple["Line", Server]]:
        groups: dict[str, list[tuple[Line, Server]]] = defaultdict(list)
        for number, (line, server, group) in enumerate(self._air.servers[subject]):
            if not line.cut:
                groups[group or str(number)].append((line, server))
        return [self._air.random.choice(each) for each in groups.values()]

    def _serve(
        self, server: Server, body: str, asker: "Line", answered: "asyncio.Future[str]"
    ) -> None:
        async def work() -> None:
            answer = await server(body)
            if answer is None or self.cut:
                return
            for _ in range(self._air.copies()):
                self._air.later(
                    lambda: asker._arrive(
                        lambda: answered.done() or answered.set_result(answer)  # type: ignore[func-returns-value]
                    )
                )

        task = asyncio.create_task(work())
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def serve(self, subject: str, server: Server, *, group: str = "") -> Ending:
        """Answer requests from now on."""
        return _kept(self._air.servers[subject], (self, server, group))

    async def close(self) -> None:
        """Answer nothing more."""
        self.cut = True


def _kept(everything: list[Kept], kept: Kept) -> Ending:
    everything.append(kept)

    async def end() -> None:
        if kept in everything:
            everything.remove(kept)

    return end
