"""A bus whose messages only the processes of one house can read and write.

Every body is encrypted with a key of the house's keyring, which each of its processes has anyway to
read cards in the store, and bound to its subject. An answer is bound to the request that it
answers. A message from any other sender is dropped, and so is a replayed one: one that was
recorded, and is sent again to the process that has already taken it, immediately or later.
"""

import logging
import secrets
from typing import Final, NamedTuple

from openfelt.runtime.bus.bus import Bus, Ending, Handler, NoAnswer, Server
from openfelt.runtime.bus.taken_messages import TakenMessages
from openfelt.runtime.clock import Clock
from openfelt.storage.door import StoreError
from openfelt.storage.keyring import Ciphertext, Keyring

STALE_MS: Final = 120_000
"""How much the clocks of two processes may differ; an older message is dropped."""
KEYS_READ_MS: Final = 1000
"""How often the key file is read again for a message under an unknown key."""
_BUS: Final = "bus"
_SENDER_BYTES: Final = 12

logger = logging.getLogger(__name__)


class _Opened(NamedTuple):
    """A message of this house."""

    nonce: str
    """The id of its sender, and its number from that sender."""
    body: str


class SealedBus:
    """Seals all messages of another bus."""

    def __init__(self, bus: Bus, keyring: Keyring, clock: Clock) -> None:
        self._bus = bus
        self._keyring = keyring
        self._clock = clock
        self._complained = False
        self._sender = secrets.token_hex(_SENDER_BYTES)
        self._sent = self._subscribed = 0
        # The clocks of two machines may differ in either direction.
        self._taken = TakenMessages(clock, forget_ms=2 * STALE_MS)
        self._keys_read_ms = clock.monotonic_ms() - KEYS_READ_MS

    @property
    def connected(self) -> bool:
        """Whether messages reach other processes at the moment."""
        return self._bus.connected

    @property
    def lost_ms(self) -> int:
        """The total time in which no message could reach another process."""
        return self._bus.lost_ms

    async def publish(self, subject: str, body: str) -> None:
        """Publish to all subscribers of this house."""
        await self._bus.publish(subject, self._sealed(subject, body)[0])

    async def subscribe(self, subject: str, handler: Handler) -> Ending:
        """Call the handler with every message of this house from now on."""
        self._subscribed += 1
        reader = f"{subject} {self._subscribed}"

        def take(sealed: str) -> None:
            opened = self._opened(subject, sealed)
            if opened is not None and self._is_new(reader, opened):
                handler(opened.body)

        return await self._bus.subscribe(subject, take)

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        """Ask the process that serves a subject; raises NoAnswer or NotServed."""
        sealed, nonce = self._sealed(subject, body)
        answer = await self._bus.request(subject, sealed, timeout_ms=timeout_ms)
        opened = self._opened(_answer_to(subject, nonce), answer)
        if opened is None:
            raise NoAnswer(subject)
        return opened.body

    async def serve(self, subject: str, server: Server, *, group: str = "") -> Ending:
        """Answer requests of this house from now on."""

        async def answer(sealed: str) -> str | None:
            opened = self._opened(subject, sealed)
            if opened is None or not self._is_new(subject, opened):
                return None
            answered = await server(opened.body)
            if answered is None:
                return None
            return self._sealed(_answer_to(subject, opened.nonce), answered)[0]

        return await self._bus.serve(subject, answer, group=group)

    async def close(self) -> None:
        """End all subscriptions and services."""
        await self._bus.close()

    def _sealed(self, subject: str, body: str) -> tuple[str, str]:
        """A body in its sealed form, and the nonce by which its answer refers to it."""
        self._sent += 1
        nonce = f"{self._sender}.{self._sent}"
        encrypted = self._keyring.encrypt(_BUS, subject, f"{nonce} {self._clock.wall_ms()} {body}")
        return encrypted.text, nonce

    def _opened(self, subject: str, sealed: str) -> _Opened | None:
        """A message; None if no process of this house has just sealed it."""
        encrypted = Ciphertext.parse(sealed)
        try:
            if not self._may_know(encrypted.key):
                return None
            text = self._keyring.decrypt(_BUS, subject, encrypted)
        except StoreError as error:
            self._complain(f"it does not come from this house ({type(error).__name__})")
            return None
        nonce, at_ms, plain = text.split(" ", 2)
        if abs(self._clock.wall_ms() - int(at_ms)) > STALE_MS:
            self._complain("it is old, or the clocks of two machines differ by minutes")
            return None
        return _Opened(nonce, plain)

    def _is_new(self, reader: str, opened: _Opened) -> bool:
        # In a rolling upgrade, servers of the previous version send a random nonce without a
        # number.
        sender, _, number = opened.nonce.partition(".")
        if self._taken.take(reader, sender, int(number) if number.isdecimal() else 1):
            return True
        self._complain("it was sent a second time")
        return False

    def _may_know(self, key: str) -> bool:
        """Whether a key is known, or the key file may be read for it now."""
        if key in self._keyring.ids:
            return True
        # An outsider could send any number of messages under keys that do not exist.
        now_ms = self._clock.monotonic_ms()
        if now_ms - self._keys_read_ms < KEYS_READ_MS:
            return False
        self._keys_read_ms = now_ms
        return True

    def _complain(self, why: str) -> None:
        """Log the first dropped message only: an outsider could send any number of them."""
        if not self._complained:
            logger.error("a message on the bus was dropped: %s", why)
        self._complained = True


def _answer_to(subject: str, nonce: str) -> str:
    return f"{subject} answer {nonce}"
