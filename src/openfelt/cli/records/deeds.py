"""``openfelt deeds`` lists who did what: the events of staff and operators, with their causes."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, open_database
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import AsJson
from openfelt.cli.records.ledger_statement import rows_as_csv
from openfelt.cli.terminal import printable

if TYPE_CHECKING:
    from openfelt.storage.door import Store

STAFF = ("floor:", "dealer:", "cashier:", "auditor:", "operator:")
"""Prefixes of the actors whose deeds are listed by default."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An event, and who caused it."""

    time: str
    actor: str
    terminal: str
    stream: str
    version: int
    event: str
    command: str


def deeds(
    database: Database = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="ACTOR",
            help="List the deeds of one actor, such as floor:ann or player:bob; floor: stands for "
            "all supervisors. The default is all staff.",
        ),
    ] = None,
    at: Annotated[
        str,
        typer.Option(
            metavar="STREAM", help="List only the deeds in this stream, such as table/pit-3."
        ),
    ] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV for spreadsheets.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what staff have done, from the chained record: time, actor, terminal and event."""
    if as_csv and as_json:
        raise Complaint("Give --csv or --json, not both.", ExitCode.WRONG_INPUT)
    with open_database(database) as store:
        listed = deeds_in(store, STAFF if by is None else (by,), at)
        if as_json:
            typer.echo(json.dumps([asdict(deed) for deed in listed], indent=2))
        elif as_csv:
            rows = (tuple(asdict(deed).values()) for deed in listed)
            rows_as_csv(sys.stdout, Deed.__slots__, rows)
        else:
            for deed in listed:
                line = (
                    f"{deed.time}  {deed.actor}  {deed.event} at {deed.stream} {deed.version}"
                    f"  {deed.terminal}"
                )
                typer.echo(printable(line))


def deeds_in(store: "Store", actors: tuple[str, ...], prefix: str) -> Iterator[Deed]:
    """The events whose stream and actor begin with these prefixes, stream by stream."""
    for stream in store.streams(prefix):
        for stored in store.events(stream):
            cause = stored.cause
            if cause.actor.startswith(actors):
                yield Deed(
                    time=datetime.fromtimestamp(stored.at_ms / 1000, UTC).isoformat(" ", "seconds"),
                    actor=cause.actor,
                    terminal=cause.terminal,
                    stream=stream,
                    version=stored.version,
                    event=stored.name,
                    command=cause.command,
                )
