"""The first transaction of a new table: its first event, its rules, and its place at a link."""

from openfelt.rules.refusal import Refusal
from openfelt.runtime.links.drafted_link import DraftedLink
from openfelt.runtime.links.links import ATTEMPTS_MAX
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import Append, Cause, Commit, Conflict, Lease
from openfelt.table.commands import OpenTable, Person
from openfelt.table.croupier.supervision import opening
from openfelt.table.events import TableOpened
from openfelt.table.links.link_referee import JoinTable


def write_table(
    worker_services: WorkerServices,
    command: OpenTable,
    *,
    by: Person,
    lease: Lease | None,
    cause: Cause | None = None,
) -> None:
    """Write a new table's first event; raises Refusal.

    The cause may name a player on whose behalf the system opens the table. If the table exists
    already it raises Conflict, or Fenced if a process runs it. A link that others change again and
    again raises Refusal: BUSY.
    """
    worker_services.check_house(command.house)
    opened = opening(command, by=by)
    for _ in range(ATTEMPTS_MAX):
        try:
            _write(worker_services, opened, lease, cause or Cause(actor=str(by)))
        except Conflict as error:
            if error.stream == table_stream(opened.table):
                raise
            worker_services.read_again(error.stream)
        else:
            return
    raise Refusal(
        RuntimeCode.BUSY,
        f"The progressive link {opened.link} is busy, so {opened.table} was not opened; try again.",
    )


def _write(
    worker_services: WorkerServices, opened: TableOpened, lease: Lease | None, cause: Cause
) -> None:
    append = Append(
        stream=table_stream(opened.table),
        expected_version=0,
        fence=lease.fence if lease else None,
        events=(worker_services.codec.encode(opened, cause=cause),),
    )
    appends = [append]
    drafted = None
    if opened.link is not None:
        before = worker_services.links.get(opened.link)
        drafted = DraftedLink.of(before).after(JoinTable(opened.table), cause)
        appends.extend(worker_services.links.appends(opened.link, drafted))
    worker_services.store.commit(
        Commit(
            at_ms=worker_services.clock.wall_ms(),
            appends=tuple(appends),
            rule_sets=(worker_services.rulebook.rule_set(opened.house),),
        )
    )
    if drafted is not None and opened.link is not None:
        worker_services.links.keep(opened.link, drafted.written)
