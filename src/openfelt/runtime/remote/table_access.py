"""Access to a table for viewers and callers, wherever it runs."""

from collections.abc import Callable
from typing import Protocol

from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.tables.stops import StopReason
from openfelt.runtime.tables.watchers import Watcher
from openfelt.table.permissions import Outside
from openfelt.table.state import Table


class TableAccess(Protocol):
    """A table that this process runs, or one that it follows while another process runs it."""

    @property
    def table(self) -> Table:
        """The table as of the last change that is known here."""
        ...

    @property
    def version(self) -> int:
        """The version of that change."""
        ...

    @property
    def time_left_ms(self) -> int | None:
        """How long the clock still runs; None if no clock runs."""
        ...

    @property
    def given_back_ms(self) -> int:
        """How much longer the running clock runs, because its process was late."""
        ...

    @property
    def stopped(self) -> StopReason | None:
        """Why the table is stopped, None if it is not."""
        ...

    @property
    def lost(self) -> bool:
        """Whether this access is no longer usable."""
        ...

    def outside(self, table: Table) -> Outside:
        """The outside facts for a command to the table in this state."""
        ...

    async def ask(self, request: Request) -> Answer:
        """Have a request decided, written and answered."""
        ...

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call the watcher with every change from now on; returns a function that ends this."""
        ...
