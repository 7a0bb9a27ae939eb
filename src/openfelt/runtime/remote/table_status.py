"""The status of a table that its process reports to others, besides the table's record.

Every status names the fencing number of its lease and the version of the table. So a status that
arrives late, or from a process that has lost its lease, is recognised and ignored.
"""

import msgspec

from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.tables.mailbox import Mailbox
from openfelt.runtime.tables.stops import StopReason


class TableStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """The status of a table in the process that runs it."""

    table: str
    fence: int
    version: int
    clock: int | None = None
    """The number of the running clock."""
    left_ms: int | None = None
    given_back_ms: int = 0
    stop: tuple[str, str] | None = None
    """The code and the sentence, if the table has stopped."""
    absent_ms: dict[str, int] = {}
    """How long each of its absent people has been gone."""

    @property
    def stopped(self) -> StopReason | None:
        """Why the table has stopped."""
        return None if self.stop is None else StopReason(RuntimeCode(self.stop[0]), self.stop[1])

    def is_older_than(self, other: "TableStatus") -> bool:
        """Whether another status is newer: of a later lease, or of a later version."""
        return (self.fence, self.version) < (other.fence, other.version)


class Beacon(msgspec.Struct, frozen=True, omit_defaults=True):
    """The status of all tables of one process, sent every second."""

    process: str
    tables: list[TableStatus]


def status_of(mailbox: Mailbox) -> TableStatus:
    """The status of a table of this process."""
    worker = mailbox.worker
    table, lease, stopped = worker.table, worker.lease, worker.stopped
    return TableStatus(
        table=table.id,
        fence=lease.fence if lease else 0,
        version=worker.head.version,
        clock=table.clock.number if table.clock else None,
        left_ms=worker.time_left_ms,
        given_back_ms=worker.countdown.given_back_ms,
        stop=None if stopped is None else (stopped.code.value, stopped.sentence),
        absent_ms=dict(worker.absent_ms),
    )
