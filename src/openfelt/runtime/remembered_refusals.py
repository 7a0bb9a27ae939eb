"""The refusals that a process remembers, so that a repeated command is refused in the same way.

A refused command changes nothing, so its refusal need not be in the record. It is remembered for
as long as copies of the command may still be under way: a caller who has read a refusal must not
find the command carried out by a second copy. Copies are sent over connections to this process and
are lost with them, so memory is enough. Later, a repeated command is decided again.
"""

import threading
from collections import OrderedDict
from typing import Final, NamedTuple

from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import Answer
from openfelt.storage.door import CommandKey

KEPT_MS: Final = 600_000
"""How long a refusal is remembered."""
PER_ACTOR_MAX: Final = 256
"""How many refusals of one actor are remembered: as many as the commands that the eight sockets of
an account may have under way."""
REFUSALS_MAX: Final = 20_000
"""How many refusals are remembered in all."""


class GivenAnswer(NamedTuple):
    """An answer, with the digest of the command that got it."""

    digest: str
    answer: Answer
    with_cards: str | None = None
    """The hash of the command with its cards, as long as it is remembered; see `Digests`."""


class _Refused(NamedTuple):
    given: GivenAnswer
    until_ms: int


class RememberedRefusals:
    """The last refusals of each actor. Threads may share it."""

    def __init__(
        self,
        clock: Clock,
        *,
        kept_ms: int = KEPT_MS,
        per_actor_max: int = PER_ACTOR_MAX,
        refusals_max: int = REFUSALS_MAX,
    ) -> None:
        self._clock = clock
        self._kept_ms = kept_ms
        self._per_actor_max = per_actor_max
        self._max = refusals_max
        self._by_actor: OrderedDict[str, OrderedDict[tuple[str, str], _Refused]] = OrderedDict()
        """The refused commands of each actor by stream and id; the longest unused actor first."""
        self._count = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return self._count

    def get(self, stream: str, key: CommandKey) -> GivenAnswer | None:
        """The refusal of a command, as long as it is remembered."""
        actor, command = key
        with self._lock:
            own = self._by_actor.get(actor)
            refused = own.get((stream, command)) if own is not None else None
        if refused is None or refused.until_ms <= self._clock.monotonic_ms():
            return None
        return refused.given

    def add(self, stream: str, key: CommandKey, given: GivenAnswer) -> None:
        """Remember a refusal, and forget the oldest ones if there are too many."""
        actor, command = key
        until_ms = self._clock.monotonic_ms() + self._kept_ms
        with self._lock:
            own = self._by_actor.setdefault(actor, OrderedDict())
            self._by_actor.move_to_end(actor)
            self._count += (stream, command) not in own
            own[stream, command] = _Refused(given, until_ms)
            own.move_to_end((stream, command))
            if len(own) > self._per_actor_max:
                own.popitem(last=False)
                self._count -= 1
            while self._count > self._max:
                _, forgotten = self._by_actor.popitem(last=False)
                self._count -= len(forgotten)
