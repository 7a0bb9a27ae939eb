"""The subjects of the bus. Every subject in the program is made here."""

from typing import Final

BEACONS: Final = "beacons"
"""Every second, each table process reports the status of its tables."""
PRESENCE: Final = "presence"
"""Each gateway reports which people have a terminal at which table."""
ACCOUNTS: Final = "accounts"
"""The names of accounts whose sessions, roles or limits have changed."""
DEVICES: Final = "devices"
"""That terminals or card readers of the house have changed."""
SPENDING: Final = "spending"
"""How much of their rate limits callers have used up at each gateway."""
ATTEMPTS: Final = "attempts"
"""The outcomes of sign-in attempts at each gateway."""
SOCKETS: Final = "sockets"
"""How many sockets addresses and accounts have at each gateway."""
CONNECTIONS: Final = "connections"
"""How many HTTP connections addresses have at each gateway, if these are many."""
WANTED: Final = "wanted"
"""Asks any table process to run a table that no process runs."""


def changed(table: str) -> str:
    """The subject on which a table's new version is announced.

    >>> changed("private.online.ann")
    'table.private=online=ann.changed'
    """
    return f"table.{_token(table)}.changed"


def commands(table: str) -> str:
    """The subject on which the holder of a table's lease takes requests."""
    return f"table.{_token(table)}.commands"


def _token(name: str) -> str:
    """A name as one part of a subject. Names contain dots, which separate parts, but no =."""
    return name.replace(".", "=")
