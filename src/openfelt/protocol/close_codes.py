"""The codes with which a server closes a socket, and which of them are final.

Temporary conditions close with a code after which a client reconnects automatically: a restart, a
table that moves or has stopped, too many sockets. A final code is for what another attempt would
not change, such as a table that does not exist.
"""

from enum import IntEnum
from typing import Final


class CloseCode(IntEnum):
    """Why a server has closed a socket."""

    POLICY = 1008
    """No ``hello``, too many invalid messages, or a page of another origin."""
    TOO_LONG = 1009
    """A message was too long."""
    RESTARTING = 1012
    """The server is shutting down."""
    SIGNED_OUT = 4001
    """The session has ended. Only a client with another session may reconnect."""
    OTHER_PROTOCOL = 4002
    """The server uses another protocol version."""
    TERMINAL_CHANGED = 4003
    """The terminal is no longer enrolled; it may reconnect and watch."""
    NO_SUCH_TABLE = 4004
    """The table does not exist, or is not the caller's."""
    LET_GO = 4008
    """The client was too slow."""
    MOVED = 4009
    """Another server process runs the table now."""
    STOPPED = 4010
    """The table or the store has stopped, and resumes once the fault is repaired."""
    TOO_MANY = 4029
    """Too many sockets from one address or account."""

    @property
    def meaning(self) -> str:
        """The code in words, for descriptions."""
        return _MEANINGS[self]


FINAL_CODES: Final = frozenset(
    {
        CloseCode.POLICY,
        CloseCode.TOO_LONG,
        CloseCode.SIGNED_OUT,
        CloseCode.OTHER_PROTOCOL,
        CloseCode.NO_SUCH_TABLE,
    }
)
"""After these a client does not reconnect; after all others it does, with growing pauses."""

_MEANINGS: Final = {
    CloseCode.POLICY: "no hello, too many invalid messages, too many control frames or fragments, "
    "or a page of another origin",
    CloseCode.TOO_LONG: "the message is too long",
    CloseCode.RESTARTING: "the server is shutting down",
    CloseCode.SIGNED_OUT: "the session has ended",
    CloseCode.OTHER_PROTOCOL: "the server uses another protocol version",
    CloseCode.TERMINAL_CHANGED: "the terminal is no longer enrolled; it may reconnect and watch",
    CloseCode.NO_SUCH_TABLE: "there is no such table, or it is not the caller's",
    CloseCode.LET_GO: "the client was too slow",
    CloseCode.MOVED: "another server process runs the table now",
    CloseCode.STOPPED: "the table or its store has stopped for the moment",
    CloseCode.TOO_MANY: "too many sockets from one address or account",
}
