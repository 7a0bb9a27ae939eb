"""A register of the house: a short list with its own stream, such as devices or badges.

Every process reads the whole list, and checks for changes by other processes once a second.
"""

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from openfelt.rules.refusal import Refusal
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.server.accounts.events import ACCOUNT_FORMS
from openfelt.server.accounts.tokens import token_hash, token_name
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Commit, Conflict, Store
from openfelt.storage.event_forms import EventCodec

ATTEMPTS_MAX: Final = 50
CACHE_MS: Final = 1000

Line = TypeVar("Line")


class Register(ABC, Generic[Line]):
    """The entries of one register, each by its key. All calls block."""

    def __init__(self, store: Store, clock: Clock, stream: str) -> None:
        self._store = store
        self._clock = clock
        self._stream = stream
        self._codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
        self._lines: dict[str, Line] = {}
        self._version = 0
        self._checked_ms: int | None = None
        self._doubted_ms: int | None = None
        """When another process last reported a change of the list."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after every change, in the thread that made it."""
        self._lock = threading.Lock()

    @abstractmethod
    def _apply(self, event: Any, at_ms: int) -> None:
        """Apply an event to the entries."""

    def all(self) -> list[Line]:
        """Every entry, in the order in which they were added."""
        self._refresh()
        return list(self._lines.values())

    def get(self, key: str) -> Line | None:
        """An entry by its key, or None."""
        self._refresh()
        return self._lines.get(key)

    @property
    def is_fresh(self) -> bool:
        """Whether the list was read recently, so that looking something up does not block."""
        checked_ms, doubted_ms = self._checked_ms, self._doubted_ms
        if checked_ms is None or self._clock.monotonic_ms() - checked_ms > CACHE_MS:
            return False
        return doubted_ms is None or checked_ms > doubted_ms

    def doubt(self) -> None:
        """Read the store before the list is used again, because another process has changed it."""
        self._doubted_ms = self._clock.monotonic_ms()

    def _refresh(self) -> None:
        if self.is_fresh:
            return
        with self._lock:
            if not self.is_fresh:
                self._read()

    def _write(self, decide: Callable[[], tuple[Any, ...]]) -> bool:
        """Write the events that ``decide`` returns for the newest entries; False for none."""
        with self._lock:
            for _ in range(ATTEMPTS_MAX):
                self._read()
                events = decide()
                if not events:
                    return False
                append = Append(
                    stream=self._stream,
                    expected_version=self._version,
                    events=tuple(self._codec.encode(event, cause=acting()) for event in events),
                )
                try:
                    self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
                except Conflict:
                    continue
                self._read()
                self.on_change()
                return True
        raise Refusal(RuntimeCode.BUSY, f"The list of {self._stream} is busy; try again.")

    def _read(self) -> None:
        began_ms = self._clock.monotonic_ms()
        # A list that cannot be authenticated is not adopted in part.
        for stored in list(self._store.record(self._stream, after=self._version)):
            self._apply(self._codec.decode(stored), stored.at_ms)
            self._version = stored.version
        self._checked_ms = began_ms


class TokenRegister(Register[Line]):
    """A register whose entries hold tokens, each by the hash of its token."""

    def __init__(self, store: Store, clock: Clock, stream: str, *, token_name: str) -> None:
        super().__init__(store, clock, stream)
        self._token_name = token_name

    def find(self, token: str) -> Line | None:
        """The entry of a token; None for any other token."""
        if token_name(token) != self._token_name:
            return None
        # The lookup is by hash, so its duration reveals nothing about any token.
        return self.get(token_hash(token))

    async def look_up(self, token: str) -> Line | None:
        """Like ``find``, without blocking. A thread is used only to read the list again."""
        return self.find(token) if self.is_fresh else await asyncio.to_thread(self.find, token)
