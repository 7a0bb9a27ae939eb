"""Subscriptions: the viewers of a room, each with the messages on their way to that viewer."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from openfelt.protocol.close_codes import CloseCode
from openfelt.protocol.table_views import PrivateView
from openfelt.server.accounts.viewer import Viewer
from openfelt.table.commands import Role

QUEUE_MAX: Final = 256
"""How many messages may wait for one viewer before the viewer is disconnected."""


@dataclass(eq=False, slots=True)
class Subscription:
    """One viewer in a room, and the messages on their way to that viewer."""

    viewer: Viewer | None
    private: PrivateView
    """The private view as it was last sent."""
    queue: "asyncio.Queue[str]" = field(default_factory=lambda: asyncio.Queue(QUEUE_MAX))
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the viewer is disconnected."""
    why: CloseCode = CloseCode.LET_GO
    """Why the viewer is disconnected."""
    write: Callable[[str], bool] | None = None
    """Writes a message to the viewer immediately, False if it cannot; None if there is no such way.
    """
    waiting: int = 0
    """How many messages are queued, or are on their way from the queue to the viewer."""
    asking: set["asyncio.Task[None]"] = field(default_factory=set)
    """The viewer's commands that wait for their answers."""

    def send(self, message: str) -> None:
        """Write a message or queue it; a viewer whose queue is full is disconnected."""
        if self.gone.is_set():
            return
        # A message never overtakes one that waits.
        if self.write is not None and not self.waiting and self.write(message):
            return
        self.waiting += 1
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.let_go()

    @property
    def player(self) -> str | None:
        """The player who is watching, None for a visitor and for staff."""
        if self.viewer is None or self.viewer.person.role is not Role.PLAYER:
            return None
        return self.viewer.name

    def let_go(self, why: CloseCode = CloseCode.LET_GO) -> None:
        """End the socket and drop its queue; the terminal may reconnect."""
        if self.gone.is_set():
            return
        self.why = why
        self.gone.set()
        while not self.queue.empty():
            self.queue.get_nowait()
