"""The floor of a server, which also says what it runs at the moment."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.mailbox import Mailbox

_Given = TypeVar("_Given")


class RunningFloor(Floor):
    """A floor whose tables can be looked at without taking one up."""

    async def in_thread(self, work: Callable[[], _Given]) -> _Given:
        """Let something that blocks run in one of the floor's threads."""
        return await self._in_thread(work)

    @property
    def running(self) -> Mapping[str, Mailbox]:
        """The mailboxes of the tables that this process runs now."""
        return MappingProxyType(self._mailboxes)

    def round_of(self, table: str) -> int | None:
        """The number of the round in progress or of the last one, None where nothing is known."""
        running = self._mailboxes.get(table)
        return running.worker.table.rounds if running else None

    @property
    def stopped(self) -> dict[str, str]:
        """The tables of this process that have stopped, and why."""
        found = {}
        for table, mailbox in tuple(self._mailboxes.items()):
            if (stopped := mailbox.worker.stopped) is not None:
                found[table] = stopped.sentence
        return found
