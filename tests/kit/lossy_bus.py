"""A bus that loses, repeats, delays and reorders what is sent, by a seed."""

import asyncio
from random import Random

from openfelt.runtime.bus.bus import NoAnswer
from openfelt.runtime.bus.local_bus import LocalBus


class LossyBus(LocalBus):
    """Loses a share of all messages, requests and answers, and repeats as many."""

    def __init__(self, seed: int, *, share: float = 0.25) -> None:
        super().__init__()
        self._random = Random(seed)
        self._share = share
        self._late: set[asyncio.Task[None]] = set()
        self.sent: list[str] = []
        """Every body that was given to the bus."""

    async def publish(self, subject: str, body: str) -> None:
        """Publish to subscribers never, once or twice, sooner or later."""
        self.sent.append(body)
        for _ in range(self._copies()):
            task = asyncio.create_task(self._later(subject, body))
            self._late.add(task)
            task.add_done_callback(self._late.discard)

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        """Ask never, once or twice, and perhaps lose the answer."""
        self.sent.append(body)
        answer = None
        for _ in range(self._copies()):
            answer = await super().request(subject, body, timeout_ms=timeout_ms)
        if answer is None or self._random.random() < self._share:
            raise NoAnswer(subject)
        return answer

    async def close(self) -> None:
        """Forget what is still under way."""
        for task in self._late:
            task.cancel()
        await super().close()

    def _copies(self) -> int:
        chance = self._random.random()
        return 0 if chance < self._share else 2 if chance > 1 - self._share else 1

    async def _later(self, subject: str, body: str) -> None:
        for _ in range(self._random.randrange(20)):
            await asyncio.sleep(0)
        await super().publish(subject, body)
