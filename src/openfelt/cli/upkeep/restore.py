"""``openfelt restore`` puts a backup into a new database, and says what it lacks."""

from pathlib import Path
from typing import Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import VARIABLE, open_database
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.notary_files import notary_files
from openfelt.cli.progress import watched
from openfelt.cli.upkeep.backup import print_backup
from openfelt.cli.upkeep.notary_tasks import CONTINUE, REASON_HELP, begin_epoch, continue_notary


def restore(
    backup: Annotated[
        Path, typer.Argument(metavar="BACKUP", help="A file that openfelt backup has written.")
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="DATABASE",
            envvar=VARIABLE,
            help="A new SQLite file, or an empty PostgreSQL database: postgresql://host/name.",
        ),
    ],
    checkpoints: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The notary's published checkpoints, which show what the backup lacks. "
            "The default is the file that openfelt serve writes for the database.",
        ),
    ] = None,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help=REASON_HELP)
    ] = "a backup was restored",
) -> None:
    """Restore a backup into a new database, verified before and after.

    Nothing is ever overwritten. If the notary has signed more than the backup holds, the command
    says how much is gone, and the notary continues with a checkpoint that records it.
    """
    from openfelt.storage.backup.backup_file import restore_backup
    from openfelt.storage.door import StoreError

    with watched("Restoring") as progress:
        try:
            done = restore_backup(
                backup,
                to,
                progress=progress,
                then=lambda: _continue_record(to, checkpoints, reason),
            )
        except StoreError as error:
            raise Complaint(str(error)) from error
    print_backup(done, f"Restored from {backup}, and verified")
    if done.faults:
        raise typer.Exit(ExitCode.FINDINGS)


def _continue_record(to: str, checkpoints: Path | None, reason: str) -> None:
    """Begin a new epoch in a restored database, and let the notary continue."""
    with open_database(to) as store:
        if missing := store.missing_keys():
            # Codes cannot be bound to a new epoch without them.
            raise Complaint(
                f"The database is restored, but these keys are not here: {', '.join(missing)}. Put "
                f"them back, and {CONTINUE}."
            )
        files = notary_files(to, store, checkpoints)
        if files.published.exists():
            continue_notary(store, files, reason=reason)
        else:
            begin_epoch(store, reason)
            typer.echo(
                f"There are no published checkpoints at {files.published}, so it is not known what "
                f"was signed after the backup. If you find them, put them there and {CONTINUE}."
            )
