"""A bus whose messages only the processes of one house can read and write.

Every body is encrypted with a key of the house's keyring, which each of its processes has anyway
to read cards in the store, and bound to its subject. An answer is bound to the request that it
answers. A message of a stranger, and one that is recorded and sent again later, is dropped.
"""

import logging
import secrets
from typing import Final

from openfelt.runtime.bus.bus import Bus, Ending, Handler, NoAnswer, Server
from openfelt.runtime.clock import Clock
from openfelt.storage.door import StoreError
from openfelt.storage.keyring import Encrypted, Keyring

STALE_MS: Final = 120_000
"""By how much the clocks of two processes may differ; a message that is older is dropped."""
_BUS: Final = "bus"
_NONCE_BYTES: Final = 12

logger = logging.getLogger(__name__)


class SealedBus:
    """Seals what goes over another bus."""

    def __init__(self, bus: Bus, keyring: Keyring, clock: Clock) -> None:
        self._bus = bus
        self._keyring = keyring
        self._clock = clock
        self._complained = False

    @property
    def connected(self) -> bool:
        """Whether messages reach other processes at the moment."""
        return self._bus.connected

    @property
    def lost_ms(self) -> int:
        """For how long in all messages have reached no other process."""
        return self._bus.lost_ms

    async def publish(self, subject: str, body: str) -> None:
        """Tell all subscribers of this house."""
        await self._bus.publish(subject, self._sealed(subject, body)[0])

    async def subscribe(self, subject: str, handler: Handler) -> Ending:
        """Call the handler with every message of this house from now on."""

        def take(sealed: str) -> None:
            opened = self._opened(subject, sealed)
            if opened is not None:
                handler(opened[0])

        return await self._bus.subscribe(subject, take)

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        """Ask the process that serves a subject; raises NoAnswer or NotServed."""
        sealed, nonce = self._sealed(subject, body)
        answer = await self._bus.request(subject, sealed, timeout_ms=timeout_ms)
        opened = self._opened(_answer_to(subject, nonce), answer)
        if opened is None:
            raise NoAnswer(subject)
        return opened[0]

    async def serve(self, subject: str, server: Server, *, group: str = "") -> Ending:
        """Answer requests of this house from now on."""

        async def answer(sealed: str) -> str | None:
            opened = self._opened(subject, sealed)
            answered = await server(opened[0]) if opened is not None else None
            if opened is None or answered is None:
                return None
            return self._sealed(_answer_to(subject, opened[1]), answered)[0]

        return await self._bus.serve(subject, answer, group=group)

    async def close(self) -> None:
        """End all subscriptions and services."""
        await self._bus.close()

    def _sealed(self, subject: str, body: str) -> tuple[str, str]:
        """A body as it travels, and the nonce by which its answer names it."""
        nonce = secrets.token_hex(_NONCE_BYTES)
        encrypted = self._keyring.encrypt(_BUS, subject, f"{nonce} {self._clock.wall_ms()} {body}")
        return f"{encrypted.key}:{encrypted.body}", nonce

    def _opened(self, subject: str, sealed: str) -> tuple[str, str] | None:
        """A body and its nonce; None for one that no process of this house has just sealed."""
        key, _, body = sealed.partition(":")
        try:
            text = self._keyring.decrypt(_BUS, subject, Encrypted(key, body))
        except StoreError as error:
            self._complain(f"it does not come from this house ({type(error).__name__})")
            return None
        nonce, at_ms, plain = text.split(" ", 2)
        if abs(self._clock.wall_ms() - int(at_ms)) > STALE_MS:
            self._complain("it is old, or the clocks of two machines differ by minutes")
            return None
        return plain, nonce

    def _complain(self, why: str) -> None:
        """Log the first dropped message: a stranger could send any number of them."""
        if not self._complained:
            logger.error("a message on the bus was dropped: %s", why)
        self._complained = True


def _answer_to(subject: str, nonce: str) -> str:
    return f"{subject} answer {nonce}"
