"""The pace of a viewer's messages on sockets. Faster ones are delayed; none is refused."""

from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.server.limits.rates import Buckets, Rate, Sharing

MESSAGES: Final = Rate(per_minute=3000, burst=200)
"""Messages of one viewer, over all sockets."""


class MessagePace:
    """Says how long the next message of a viewer has to wait.

    >>> from openfelt.runtime.clock import SystemClock
    >>> pace = MessagePace(SystemClock(), commands=Rate(per_minute=60, burst=2))
    >>> [pace.command_wait_ms("ann") > 0 for _ in range(3)]
    [False, False, True]
    """

    def __init__(
        self, clock: Clock, *, messages: Rate = MESSAGES, commands: Rate | None = None
    ) -> None:
        """``commands`` limits the commands of one player; an accepted command stays in the
        record."""
        self._messages = Buckets(messages, clock)
        self._commands = None if commands is None else Buckets(commands, clock)

    def share(self, sharing: Sharing) -> dict[str, Buckets]:
        """Count together with the other gateways; returns the buckets that they charge."""
        shared = {"messages": self._messages}
        if self._commands is not None:
            shared["commands"] = self._commands
        for name, buckets in shared.items():
            buckets.share(name, sharing)
        return shared

    def message_wait_ms(self, viewer: str) -> int:
        """Count a message; 0 if it is within the limit, otherwise the milliseconds to wait."""
        return self._messages.take(viewer)

    def command_wait_ms(self, player: str) -> int:
        """The same for a command of a player."""
        return 0 if self._commands is None else self._commands.take(player)
