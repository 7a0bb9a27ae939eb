"""The current actor: the cause of events that are written outside a table's requests.

A request to a table carries its own caller. Accounts, devices, payments and links are written from
many places, so the current task says once on whose behalf it works. Tasks and threads that say
nothing work for Openfelt itself. A thread started with ``asyncio.to_thread`` acts as its task does.
"""

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from openfelt.storage.door import Cause
from openfelt.table.commands import SYSTEM

SYSTEM_CAUSE: Final = Cause(actor=str(SYSTEM))
VISITOR: Final = "visitor"
"""The actor of a request that has not signed in."""

_ACTING: ContextVar[Cause] = ContextVar("acting", default=SYSTEM_CAUSE)


def acting() -> Cause:
    """The cause of what the current task writes.

    >>> acting().actor
    'system:openfelt'
    """
    return _ACTING.get()


def operator() -> Cause:
    """The user of this machine who runs a command on a database."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        # The user has no name, as in some containers.
        name = "unnamed"
    return Cause(actor=f"operator:{name}", terminal="command line")


def act_as(cause: Cause) -> None:
    """Let the current task act as this cause from now on."""
    _ACTING.set(cause)


@contextmanager
def acting_as(cause: Cause) -> Iterator[None]:
    """Let the current task act as this cause for a while."""
    token = _ACTING.set(cause)
    try:
        yield
    finally:
        _ACTING.reset(token)
