"""``openfelt keys`` shows, rotates and applies the keys that seal secret cards."""

import os
from enum import StrEnum
from typing import Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.records.database import Database, open_database


class KeyTask(StrEnum):
    """What is done with the keys."""

    SHOW = "show"
    ROTATE = "rotate"
    RESEAL = "reseal"


def keys(
    task: Annotated[
        KeyTask,
        typer.Argument(
            help="show: list the ids of all keys, and of those that the database needs. "
            "rotate: add a key, which seals from now on. "
            "reseal: seal all decks of a database with the newest key."
        ),
    ] = KeyTask.SHOW,
    database: Database = None,
) -> None:
    """Show, rotate or apply the keys that seal secret cards."""
    from openfelt.storage.door import KeyFailure
    from openfelt.storage.keyring import Keyring

    keyring = Keyring.of(os.environ)
    try:
        if task is KeyTask.ROTATE:
            typer.echo(f"The key {keyring.rotate()} in {keyring.where} seals from now on.")
            typer.echo("Copy the file to a safe place that is not that of the database's copies.")
            typer.echo("A running server uses it after its next start.")
        elif task is KeyTask.RESEAL:
            _reseal(database)
        else:
            _show(database, keyring.ids, keyring.where)
    except KeyFailure as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error


def _show(database: str | None, ids: tuple[str, ...], where: str) -> None:
    typer.echo(f"Keys in {where}: {', '.join(ids) or 'none yet'}.")
    with open_database(database) as store:
        used, missing = store.sealing_keys(), store.missing_keys()
    typer.echo(f"Keys that the database needs: {', '.join(used) or 'none yet'}.")
    if missing:
        typer.echo(f"Missing keys: {', '.join(missing)}.")
        raise typer.Exit(ExitCode.FINDINGS)


def _reseal(database: str | None) -> None:
    from openfelt.runtime.streams import StreamKind

    done = 0
    with open_database(database) as store:
        for prefix in (StreamKind.TABLE.prefix, StreamKind.PURGE.prefix):
            while resealed := store.reseal(prefix):
                done += resealed
                typer.echo(f"{done:,} secrets sealed with the newest key.")
        store.scrub(thoroughly=True)
    typer.echo("All decks and kept proofs are sealed with the newest key.")
    typer.echo("Keep the old keys: cards in the record of events were sealed with them.")
