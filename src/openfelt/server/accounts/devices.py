"""Enrolled devices: terminals of the house, which may play where remote play is not allowed.

A device may be enrolled as the dealer's terminal of one table. There dealers sign on by badge and
PIN.
"""

from dataclasses import dataclass, replace
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import DEVICES_STREAM
from openfelt.server.accounts.events import (
    DeviceDismissed,
    DeviceEnrolled,
    DeviceEvent,
    DeviceRenamed,
    DeviceState,
    DeviceStateSet,
)
from openfelt.server.accounts.register import TokenRegister
from openfelt.server.accounts.tokens import new_token, token_hash
from openfelt.storage.door import Store

TOKEN_NAME: Final = "terminal"  # noqa: S105 (the name in a token, and not a token)
DEVICES_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class Device:
    """A device that a supervisor has enrolled."""

    id: str
    """The hash of its token."""
    label: str
    by: str
    at_ms: int
    table: str | None = None
    """The table of which it is the dealer's terminal."""
    state: DeviceState = DeviceState.IN_SERVICE
    reason: str = ""
    """Why it takes no wagers."""

    @property
    def stopped(self) -> str:
        """Why the device takes no wagers, empty while it does."""
        return "" if self.state is DeviceState.IN_SERVICE else self.reason


class Devices(TokenRegister[Device]):
    """All enrolled devices. All calls block."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock, DEVICES_STREAM, token_name=TOKEN_NAME)

    def enrol(self, label: str, *, by: str, table: str | None = None) -> str:
        """Enrol a device, perhaps as the dealer's terminal of a table; returns its token."""
        token = new_token(TOKEN_NAME)

        def decide() -> tuple[DeviceEvent, ...]:
            if len(self._lines) >= DEVICES_MAX:
                raise Refusal(RuntimeCode.BUSY, "There are too many terminals.")
            return (DeviceEnrolled(token_hash(token), label, by, table),)

        self._write(decide)
        return token

    def remove(self, device: str, *, by: str) -> bool:
        """Remove a device; False if it was not enrolled."""
        return self._write(lambda: (DeviceDismissed(device, by),) if device in self._lines else ())

    def rename(self, device: str, label: str, *, by: str) -> bool:
        """Give a device another label; False if it was not enrolled, or has that label."""

        def decide() -> tuple[DeviceEvent, ...]:
            line = self._lines.get(device)
            named = line is None or line.label == label
            return () if named else (DeviceRenamed(device, label, by),)

        return self._write(decide)

    def set_state(self, device: str, state: DeviceState, *, reason: str, by: str) -> bool:
        """Lock a device, take it out of service or put it into service; False if it is not
        enrolled, or in that state for that reason."""

        def decide() -> tuple[DeviceEvent, ...]:
            line = self._lines.get(device)
            if line is None or (line.state, line.reason) == (state, reason):
                return ()
            return (DeviceStateSet(device, state, line.state, reason, by),)

        return self._write(decide)

    def is_enrolled(self, token: str) -> bool:
        """Whether a token is that of an enrolled device."""
        return self.find(token) is not None

    def _apply(self, event: DeviceEvent, at_ms: int) -> None:
        match event:
            case DeviceEnrolled():
                self._lines[event.terminal] = Device(
                    event.terminal, event.label, event.by, at_ms, event.table
                )
            case DeviceDismissed(device):
                self._lines.pop(device, None)
            case DeviceRenamed(device, label) if device in self._lines:
                self._lines[device] = replace(self._lines[device], label=label)
            case DeviceStateSet(device, state) if device in self._lines:
                line = self._lines[device]
                self._lines[device] = replace(line, state=state, reason=event.reason)
