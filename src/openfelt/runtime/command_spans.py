"""Entry points for tracing a command. Without a tracer, each of these calls does nothing.

A command is traced through the gateway, the bus, the table and the store. Which tracer there is,
the server decides at its start; see ``openfelt.server.monitoring.traces``.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Protocol

_NOTHING: Final = nullcontext()


class Tracer(Protocol):
    """Makes spans. All methods may be called in any thread."""

    def span(
        self, name: str, *, carried: str | None, command: str | None, table: str
    ) -> AbstractContextManager[None]:
        """A span within the current one, or within one of another process."""
        ...

    def commit(self, commands: Iterable[str]) -> AbstractContextManager[None]:
        """The span of a commit, within that of one of its commands."""
        ...

    def carried(self) -> str | None:
        """The id of the current span, for another process."""
        ...


_tracer: Tracer | None = None


def use(tracer: Tracer | None) -> None:
    """Trace from now on, or no longer."""
    global _tracer  # noqa: PLW0603 (there is one per process, as with logging)
    _tracer = tracer


def active() -> bool:
    """Whether commands are traced."""
    return _tracer is not None


def span(
    name: str, *, table: str, carried: str | None = None, command: str | None = None
) -> AbstractContextManager[None]:
    """A part of what happens to a command; ``carried`` names the part in another process.

    ``command`` names the command, so that its commit is found in another thread.
    """
    if _tracer is None:
        return _NOTHING
    return _tracer.span(name, carried=carried, command=command, table=table)


def commit(commands: Iterable[str]) -> AbstractContextManager[None]:
    """A commit that writes some commands."""
    return _NOTHING if _tracer is None else _tracer.commit(commands)


def carried() -> str | None:
    """The id of the current span, for another process; None without a tracer."""
    return None if _tracer is None else _tracer.carried()


def command_name(actor: str, command: str | None) -> str:
    """The name of a command by who gives it and its id.

    >>> command_name("player:ann", "7")
    'player:ann 7'
    """
    return f"{actor} {command or ''}"
