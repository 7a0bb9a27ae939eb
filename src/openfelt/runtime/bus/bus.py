"""The interface of the bus between the processes that share a database.

The bus is never the source of truth: it may lose, repeat and reorder what is sent. So a message
only says that something may have changed, with the version to compare; what has changed is read
from the store. A request without an answer is sent again under the same id.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

Handler = Callable[[str], None]
"""Called in the event loop with the body of a message."""
Server = Callable[[str], Awaitable[str | None]]
"""Answers the body of a request; None for no answer."""
Ending = Callable[[], Awaitable[None]]
"""Ends a subscription or a service."""


class NoAnswer(Exception):
    """A request was not answered in time: it may or may not have been carried out."""


class NotServed(NoAnswer):
    """No process serves the subject now, so the request has reached none."""


class Bus(Protocol):
    """The interface of every bus. Subjects are made in ``subjects.py``; bodies are text."""

    @property
    def connected(self) -> bool:
        """Whether messages reach other processes at the moment."""
        ...

    @property
    def lost_ms(self) -> int:
        """The total time in which no message could reach another process."""
        ...

    async def publish(self, subject: str, body: str) -> None:
        """Publish to all subscribers; it never fails, but may reach none."""
        ...

    async def subscribe(self, subject: str, handler: Handler) -> Ending:
        """Call the handler with every message from now on."""
        ...

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        """Ask the process that serves a subject; raises NoAnswer or NotServed."""
        ...

    async def serve(self, subject: str, server: Server, *, group: str = "") -> Ending:
        """Answer requests from now on; only one process of a group gets each request."""
        ...

    async def close(self) -> None:
        """End all subscriptions and services."""
        ...
