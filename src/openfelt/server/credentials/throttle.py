"""Throttled sign-ins: wrong attempts slow further ones down, and never lock an account.

- An address that was wrong about a name has to wait before it tries that name again; the other
  addresses of its network wait once the network was wrong often. No other address waits.
- Once unknown devices were wrong about a name often, wherever they are, attempts from unknown
  devices take turns at that name, one at a time. The caller whose network was wrong least often
  is next, so a person at a new address comes before an attacker who uses addresses again.
- An attempt from a device from which the owner has signed in before, or with a valid one-time
  code, waits for neither. It has its own waits, which no stranger can cause.
"""

import asyncio
import random
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from openfelt.runtime.clock import DAY_MS, Clock
from openfelt.server.errors import Denied
from openfelt.server.limits.networks import networks_of
from openfelt.server.limits.rates import Sharing
from openfelt.server.settings import AttemptLimits

KEYS_MAX: Final = 50_000
TURNS_MAX: Final = 1000
"""Beyond this many names under attack, those whose attacks are over are forgotten."""
WAITING_MAX: Final = 2000
"""How many attempts at all names together may wait for a turn."""
FORGOTTEN_MS: Final = DAY_MS
"""Wrong attempts no longer count after this time without another one."""
FORGIVEN_EACH_MS: Final = 600_000
"""Of the wrong attempts at a name from all devices, one is forgotten each time this has passed."""
_SLOWER_EVERY: Final = 20
"""After this many more wrong attempts, the time between two turns doubles."""
_NETWORK_FREE: Final = 4
"""How many times the wrong attempts of one address a network of addresses may make."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to sign in."""

    name: str
    address: str
    proof: str | None = None
    """Evidence that the attempt is the owner's: a known device, or ``code`` for a valid code."""

    def counters(self) -> Iterator[tuple[str, int]]:
        """The counters of the attempt, each with its multiple of the free attempts."""
        if self.proof is not None:
            yield f"{self.name} by {self.proof}", 1
            return
        for level, network in enumerate(networks_of(self.address)):
            yield f"{self.name} from {network.name}", _NETWORK_FREE**level


class ThrottleStep(StrEnum):
    """The outcome of an attempt."""

    BEGUN = "begun"
    """It counts as a wrong one until it has succeeded."""
    WITHDRAWN = "withdrawn"
    SUCCEEDED = "succeeded"
    FORGIVEN = "forgiven"
    """All attempts at the name are forgotten."""


@dataclass(slots=True)
class _Failures:
    count: int = 0
    last_ms: int = 0


class Throttle:
    """Counts wrong attempts, and makes further ones wait. It belongs to one event loop."""

    def __init__(self, limits: AttemptLimits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._failures: OrderedDict[str, _Failures] = OrderedDict()
        self._turns: dict[str, _Turns] = {}
        self._waiting = 0
        """How many attempts wait for a turn, at all names."""
        self._sharing: Sharing | None = None
        self._tell: Callable[[ThrottleStep, Attempt], None] = lambda _, __: None

    def share(self, sharing: Sharing, tell: Callable[[ThrottleStep, Attempt], None]) -> None:
        """Count together with the other gateways of the house, to which each step is reported."""
        self._sharing, self._tell = sharing, tell

    def heard(self, step: ThrottleStep, attempt: Attempt) -> None:
        """Count what another gateway has reported."""
        match step:
            case ThrottleStep.BEGUN:
                self._begin(attempt, times=1)
            case ThrottleStep.WITHDRAWN:
                self._withdraw(attempt)
            case ThrottleStep.SUCCEEDED:
                self._succeed(attempt)
            case ThrottleStep.FORGIVEN:
                self._forgive(attempt.name)

    async def admit(self, attempt: Attempt) -> None:
        """Wait until an attempt may be made, and count it as a wrong one until it has succeeded.

        Counting it first keeps attempts at the same time from being free. Raises Denied for an
        attempt that has to come again later.
        """
        self._check_waits(attempt)
        rank = tuple(self._count(key) for key, _ in reversed(tuple(attempt.counters())))
        over = self._in_all(attempt.name) - self._limits.free_in_all
        # Gateways that do not receive each other's messages count each attempt as if all had had
        # one.
        self._begin(attempt, times=self._times)
        self._tell(ThrottleStep.BEGUN, attempt)
        if attempt.proof is None and over >= 0:
            try:
                await self._turn(attempt.name, rank, over)
            except (Denied, asyncio.CancelledError):
                # No password has been guessed.
                self.withdraw(attempt)
                raise

    def withdraw(self, attempt: Attempt) -> None:
        """Take back the count of an attempt that was not wrong, or not made."""
        self._withdraw(attempt, times=self._times)
        self._tell(ThrottleStep.WITHDRAWN, attempt)

    def _begin(self, attempt: Attempt, *, times: int) -> None:
        for key, _ in attempt.counters():
            self._add(key, times)
        if attempt.proof is None:
            self._add(attempt.name, times)

    @property
    def _times(self) -> int:
        return 1 if self._sharing is None else self._sharing.parts

    def _withdraw(self, attempt: Attempt, *, times: int = 1) -> None:
        for key in (attempt.name, *(key for key, _ in attempt.counters())):
            failures = self._failures.get(key)
            if failures is not None and (key != attempt.name or attempt.proof is None):
                failures.count = max(0, failures.count - times)

    def succeeded(self, attempt: Attempt) -> None:
        """Forget the wrong attempts from the place where the owner has signed in."""
        self._succeed(attempt, times=self._times)
        self._tell(ThrottleStep.SUCCEEDED, attempt)

    def _succeed(self, attempt: Attempt, *, times: int = 1) -> None:
        self._withdraw(attempt, times=times)
        for key, share in attempt.counters():
            if share == 1:
                self._failures.pop(key, None)

    def forgive(self, name: str) -> None:
        """Forget all wrong attempts at a name."""
        self._forgive(name)
        self._tell(ThrottleStep.FORGIVEN, Attempt(name, ""))

    def _forgive(self, name: str) -> None:
        for key in [key for key in self._failures if key.partition(" ")[0] == name]:
            del self._failures[key]

    # Waits -------------------------------------------------------------------------------------

    def _check_waits(self, attempt: Attempt) -> None:
        now_ms = self._clock.wall_ms()
        for key, times in attempt.counters():
            failures = self._failures.get(key)
            if failures is None:
                continue
            wait_ms = self._wait_ms(failures.count - self._limits.free * times)
            left_ms = failures.last_ms + wait_ms - now_ms
            if left_ms > 0:
                raise slow_down(left_ms)

    def _wait_ms(self, over: int) -> int:
        if over < 0:
            return 0
        return min(self._limits.first_wait_ms << min(over, 40), self._limits.longest_wait_ms)

    def _count(self, key: str) -> int:
        failures = self._failures.get(key)
        return failures.count if failures is not None else 0

    def _in_all(self, name: str) -> int:
        """The wrong attempts at a name that are not forgotten yet."""
        failures = self._failures.get(name)
        if failures is None:
            return 0
        forgiven = (self._clock.wall_ms() - failures.last_ms) // FORGIVEN_EACH_MS
        return max(0, failures.count - forgiven)

    def _add(self, key: str, times: int) -> None:
        now_ms = self._clock.wall_ms()
        failures = self._failures.pop(key, _Failures())
        if now_ms - failures.last_ms > FORGOTTEN_MS:
            failures.count = 0
        if " " not in key:
            failures.count -= min(failures.count, (now_ms - failures.last_ms) // FORGIVEN_EACH_MS)
        self._failures[key] = _Failures(failures.count + times, now_ms)
        while len(self._failures) > KEYS_MAX:
            self._failures.popitem(last=False)

    async def _turn(self, name: str, rank: tuple[int, ...], over: int) -> None:
        if self._waiting >= WAITING_MAX:
            raise slow_down(self._limits.turn_wait_ms)
        if len(self._turns) >= TURNS_MAX:
            self._turns = {key: turns for key, turns in self._turns.items() if not turns.idle}
        turns = self._turns.setdefault(name, _Turns(self._limits))
        turn_ms = self._limits.turn_ms << min(over // _SLOWER_EVERY, 20)
        gateways = 1 if self._sharing is None else self._sharing.gateways
        self._waiting += 1
        try:
            await turns.wait(rank, gateways * min(turn_ms, self._limits.longest_turn_ms) / 1000)
        finally:
            self._waiting -= 1
            if turns.idle:
                self._turns.pop(name, None)


@dataclass(eq=False, slots=True)
class _Waiting:
    rank: tuple[int, ...]
    called: "asyncio.Future[None]"
    chance: float = field(default_factory=random.random)


class _Turns:
    """Attempts at one name, which take turns."""

    def __init__(self, limits: AttemptLimits) -> None:
        self._limits = limits
        self._waiting: list[_Waiting] = []
        self._free_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Whether no attempt waits, and the next one would not have to."""
        return not self._waiting and asyncio.get_running_loop().time() >= self._free_at

    async def wait(self, rank: tuple[int, ...], seconds: float) -> None:
        """Wait for a turn; ``seconds`` later the next one comes. Raises Denied."""
        loop = asyncio.get_running_loop()
        waiting = _Waiting(rank, loop.create_future())
        self._waiting.append(waiting)
        if len(self._waiting) > self._limits.waiting_max:
            self._refuse(max(self._waiting, key=lambda attempt: (attempt.rank, attempt.chance)))
        self._call_next(seconds)
        try:
            async with asyncio.timeout(self._limits.turn_wait_ms / 1000):
                await waiting.called
        except TimeoutError:
            raise slow_down(self._limits.turn_wait_ms) from None
        finally:
            if waiting in self._waiting:
                self._waiting.remove(waiting)

    def _refuse(self, waiting: _Waiting) -> None:
        self._waiting.remove(waiting)
        if not waiting.called.done():
            waiting.called.set_exception(slow_down(self._limits.turn_wait_ms))

    def _call_next(self, seconds: float) -> None:
        """Give the best attempt its turn, now or when the last turn is over."""
        loop = asyncio.get_running_loop()
        if self._timer is not None or not self._waiting:
            return
        if loop.time() >= self._free_at:
            waiting = min(self._waiting, key=lambda attempt: (attempt.rank, attempt.chance))
            self._waiting.remove(waiting)
            if not waiting.called.done():
                waiting.called.set_result(None)
                self._free_at = loop.time() + seconds
        if self._waiting:
            self._timer = loop.call_at(max(self._free_at, loop.time()), self._over, seconds)

    def _over(self, seconds: float) -> None:
        self._timer = None
        self._call_next(seconds)


def slow_down(wait_ms: int) -> Denied:
    """Too many wrong attempts have been made from the caller's network."""
    return Denied(
        HTTPStatus.TOO_MANY_REQUESTS,
        "slow_down",
        "Too many wrong attempts; wait a moment before the next one.",
        wait_ms=wait_ms,
    )
