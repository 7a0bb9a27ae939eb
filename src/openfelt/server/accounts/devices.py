"""Enrolled devices: terminals of the house, which may play where remote play is not allowed."""

import hmac
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.server.accounts.events import (
    ACCOUNT_FORMS,
    DeviceDismissed,
    DeviceEnrolled,
    DeviceEvent,
)
from openfelt.server.accounts.tokens import new_token, token_hash, token_name
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Commit, Conflict, Store
from openfelt.storage.event_forms import EventCodec

STREAM: Final = "terminals"
TOKEN_NAME: Final = "terminal"  # noqa: S105 (the name in a token, and not a token)
ATTEMPTS_MAX: Final = 50
DEVICES_MAX: Final = 10_000
CACHE_MS: Final = 1000

Decide = Callable[[], DeviceEvent | None]


@dataclass(frozen=True, slots=True)
class Device:
    """A device that a supervisor has enrolled."""

    id: str
    """The hash of its token."""
    label: str
    by: str
    at_ms: int


class Devices:
    """All enrolled devices. All calls block."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
        self._devices: dict[str, Device] = {}
        self._version = 0
        self._checked_ms: int | None = None
        self._lock = threading.Lock()

    def enrol(self, label: str, *, by: str) -> str:
        """Enrol a device; gives its token."""
        token = new_token(TOKEN_NAME)
        self._write(lambda: DeviceEnrolled(token_hash(token), label, by))
        return token

    def remove(self, device: str, *, by: str) -> bool:
        """Remove a device; False where it was not enrolled."""
        return self._write(lambda: DeviceDismissed(device, by) if device in self._devices else None)

    def is_enrolled(self, token: str) -> bool:
        """Whether a token is that of an enrolled device."""
        if token_name(token) != TOKEN_NAME:
            return False
        wanted = token_hash(token)
        # All devices are compared, so that the time says nothing about the list.
        return any([hmac.compare_digest(device.id, wanted) for device in self.all()])  # noqa: C419

    def all(self) -> list[Device]:
        """Every enrolled device, in the order of enrolment."""
        with self._lock:
            now_ms = self._clock.monotonic_ms()
            if self._checked_ms is None or now_ms - self._checked_ms > CACHE_MS:
                self._read()
            return list(self._devices.values())

    def _write(self, decide: Decide) -> bool:
        with self._lock:
            for _ in range(ATTEMPTS_MAX):
                self._read()
                event = decide()
                if event is None:
                    return False
                if isinstance(event, DeviceEnrolled) and len(self._devices) >= DEVICES_MAX:
                    raise Refusal(RuntimeCode.BUSY, "There are too many terminals.")
                append = Append(
                    stream=STREAM,
                    expected_version=self._version,
                    events=(self._codec.encode(event, cause=acting()),),
                )
                try:
                    self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
                except Conflict:
                    continue
                self._read()
                return True
        raise Refusal(RuntimeCode.BUSY, "The list of terminals is busy; try again.")

    def _read(self) -> None:
        # A list that cannot be authenticated is not taken over in part.
        for stored in list(self._store.record(STREAM, after=self._version)):
            event = self._codec.decode(stored)
            if isinstance(event, DeviceEnrolled):
                self._devices[event.terminal] = Device(
                    event.terminal, event.label, event.by, stored.at_ms
                )
            else:
                self._devices.pop(event.terminal, None)
            self._version = stored.version
        self._checked_ms = self._clock.monotonic_ms()
