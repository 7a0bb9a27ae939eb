"""``openfelt status`` shows the servers of a database, and ``openfelt drain`` empties one."""

import json
import time
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import VARIABLE, Database, open_database
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import AsJson
from openfelt.cli.terminal import printable

if TYPE_CHECKING:
    from openfelt.runtime.cluster.cluster_state import ClusterState, ServerState

_POLL_SECONDS = 1
_HEADINGS = (
    "server",
    "role",
    "version",
    "started (UTC)",
    "heard of",
    "state",
    "bus",
    "lag",
    "tables",
    "duties",
)


def status(
    database: Database = None,
    tables: Annotated[
        bool, typer.Option("--tables", help="List the tables of each server, with their leases.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the servers that share a database: who runs what, and which tables wait for a server.

    Exits with 4 if a table is waiting for a server, or if servers share the tables without a bus.
    """
    from openfelt.runtime.cluster.cluster_state import cluster_state

    with open_database(database) as store:
        state = cluster_state(store)
    if as_json:
        typer.echo(json.dumps(_plain(state), indent=2))
    else:
        _print(state, tables=tables)
    if state.waiting or state.apart:
        raise typer.Exit(ExitCode.FINDINGS)


def drain(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a server.")],
    database: Annotated[
        str | None,
        typer.Option("--database", metavar="URL", envvar=VARIABLE, help="The database."),
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Let the server take tables again.")] = False,
    wait: Annotated[
        int,
        typer.Option(
            "--wait", min=0, max=3600, metavar="SECONDS", help="How long to wait for the tables."
        ),
    ] = 120,
) -> None:
    """Let a server hand its tables to the others, between rounds, so that it can be restarted.

    A restarted server takes tables again.
    """
    from openfelt.runtime.cluster.cluster_state import cluster_state

    with open_database(database) as store:
        if not store.drain_member(name, drained=not undo):
            raise Complaint(f"There is no server called {name}.", ExitCode.WRONG_INPUT)
        if undo:
            typer.echo(f"{name} takes tables again.")
            return
        deadline = time.monotonic() + wait
        left = _left(cluster_state(store), name)
        while left and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
            left = _left(cluster_state(store), name)
    if left:
        raise Complaint(f"{name} still runs {left} tables. No other server may take them.")
    typer.echo(f"{name} runs no tables, and can be restarted.")


def _left(state: "ClusterState", name: str) -> int:
    return sum(len(server.tables) for server in state.servers if server.member.name == name)


def _plain(state: "ClusterState") -> dict[str, object]:
    return {
        "servers": [
            asdict(server.member)
            | {
                "bus": server.member.bus.state.value,
                "bus_ms": server.member.bus.for_ms,
                "state": server.words,
                "tables": [table._asdict() for table in server.tables],
                "duties": list(server.duties),
            }
            for server in state.servers
        ],
        "waiting": list(state.waiting),
        "apart": list(state.apart),
    }


def _print(state: "ClusterState", *, tables: bool) -> None:
    lines = [_HEADINGS, *map(_line, state.servers)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    if state.servers:
        for line in lines:
            cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
            typer.echo(printable("  ".join(cells).rstrip()))
    else:
        typer.echo("No server runs on this database.")
    if tables:
        for server in state.servers:
            for table in server.tables:
                owner = f"{server.member.name}, lease {table.fence}, {table.left_ms} ms left"
                typer.echo(printable(f"{table.table}: {owner}"))
    for table_name in state.waiting:
        typer.echo(printable(f"NOT RUN: {table_name}"))
    for server_name in state.apart:
        apart = f"WITHOUT A BUS: {server_name} reaches only the tables that it runs itself"
        typer.echo(printable(apart))


def _line(server: "ServerState") -> tuple[str, ...]:
    member = server.member
    started = datetime.fromtimestamp(member.started_ms // 1000, UTC)
    return (
        member.name,
        member.role,
        member.version,
        f"{started:%Y-%m-%d %H:%M:%S}",
        f"{member.silent_ms // 1000} s ago",
        server.words,
        member.bus.state.value or "-",
        f"{member.lag_ms} ms",
        str(len(server.tables)),
        ", ".join(server.duties) or "-",
    )
