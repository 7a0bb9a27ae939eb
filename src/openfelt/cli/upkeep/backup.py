"""``openfelt backup`` copies a database while a server runs, and verifies the copy."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, check_there, usual_address
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import AsJson
from openfelt.cli.progress import watched

if TYPE_CHECKING:
    from openfelt.storage.backup.backup_file import Backup


def backup(
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The backup file to write.")],
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Copy a database at one moment, while a server runs, and verify the copy.

    The backup is one SQLite file, with a manifest beside it. It never contains the keys that
    encrypt secret cards: keep a copy of those in another place.
    """
    from openfelt.storage.backup.backup_file import make_backup
    from openfelt.storage.door import StoreError

    address = database or usual_address(os.environ)
    check_there(address)
    with watched("Backing up") as progress:
        try:
            done = make_backup(address, to, progress=progress)
        except StoreError as error:
            raise Complaint(str(error)) from error
    if as_json:
        typer.echo(json.dumps(backup_facts(done), indent=2))
    else:
        print_backup(done, f"Backed up to {to}, and verified")
    if done.faults:
        raise typer.Exit(ExitCode.FINDINGS)


def backup_facts(done: "Backup") -> dict[str, object]:
    """A backup as JSON for programs."""
    import msgspec

    return {"manifest": msgspec.to_builtins(done.manifest), "faults": done.faults}


def left_behind(path: Path) -> str:
    """The message about a file that an interrupted process has left."""
    return f"{path} was left by an interrupted process. Nothing needs it: remove it."


def print_backup(done: "Backup", heading: str) -> None:
    """Print what a backup holds."""
    holds = done.manifest.contents
    typer.echo(f"{heading}: {done.manifest.bytes / 1e6:,.1f} MB, schema {holds.schema}.")
    typer.echo(f"It ends at position {holds.position:,}, with {holds.last_transfer:,} transfers.")
    if holds.checkpoint is None:
        typer.echo("The notary has signed nothing in it.")
    else:
        typer.echo(f"The notary's last checkpoint in it is {holds.checkpoint.number:,}.")
    if holds.keys:
        typer.echo(f"Its cards need the keys {', '.join(holds.keys)}, which are not in it.")
    for stale in done.left:
        typer.echo(left_behind(stale))
    for fault in done.faults:
        typer.echo(f"The database itself is not in order: {fault}. Run openfelt audit.")
