"""``openfelt archive`` moves old history to a file that can be audited alone."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, open_database, usual_address
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import DAYS_MAX
from openfelt.cli.progress import watched
from openfelt.cli.upkeep.backup import left_behind

if TYPE_CHECKING:
    from openfelt.maths.parallel import Progress
    from openfelt.storage.door import Store

_WRONG = ExitCode.WRONG_INPUT
KEEP_DAYS = 400
KEEP_DAYS_MIN = 30


def archive(
    database: Database = None,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="The archive file to write.")
    ] = None,
    keep_days: Annotated[
        int,
        typer.Option(
            min=KEEP_DAYS_MIN,
            max=DAYS_MAX,
            metavar="DAYS",
            help="How many days of history stay in the database.",
        ),
    ] = KEEP_DAYS,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact",
            help="Give the space back to the file system. Stop the server first: it takes minutes.",
        ),
    ] = False,
    return_file: Annotated[
        Path | None,
        typer.Option(
            "--put-back",
            metavar="FILE",
            help="Put the history of the newest archive back into the database instead.",
        ),
    ] = None,
) -> None:
    """Move the history before a signed checkpoint to a file, and keep what play needs.

    The file holds the whole database as it was at that checkpoint. It can be audited, searched and
    restored like any other database; keep it as long as records must be kept.
    """
    from openfelt.runtime.causes import acting_as, operator
    from openfelt.storage.door import StoreError

    if (to is None) == (return_file is None):
        raise Complaint("Name a new file with --to, or an archive with --put-back.", _WRONG)
    address = database or usual_address(os.environ)
    with open_database(address) as store, watched("Archiving") as progress, acting_as(operator()):
        try:
            if return_file is not None:
                sentence = _put_back(store, address, return_file, progress)
            else:
                assert to is not None
                sentence = _archive(store, address, to, keep_days, progress)
            if compact:
                store.scrub(thoroughly=True)
        except StoreError as error:
            raise Complaint(str(error)) from error
    typer.echo(sentence)


def _archive(
    store: "Store", address: str, to: Path, keep_days: int, progress: "Progress | None"
) -> str:
    from openfelt.runtime.archive.archive_moves import archive_history
    from openfelt.runtime.clock import SystemClock

    moved, written = archive_history(
        store, address, to, SystemClock(), keep_days=keep_days, progress=progress
    )
    if written is None:
        return (
            f"Archive {moved.number} had been interrupted, and is finished now. Its file is the "
            f"one that was named then. Nothing was written to {to}; run the command again to "
            "archive what has become old since."
        )
    for stale in written.left:
        typer.echo(left_behind(stale))
    return (
        f"Archive {moved.number} in {to} holds {written.state.events:,} events up to checkpoint "
        f"{moved.checkpoint:,}, and its audit is clean.\n"
        "Keep the file, its manifest and the keys: they are the only record of that time."
    )


def _put_back(store: "Store", address: str, path: Path, progress: "Progress | None") -> str:
    from openfelt.runtime.archive.archive_moves import put_back
    from openfelt.runtime.clock import SystemClock

    returned = put_back(store, address, path, SystemClock(), progress=progress)
    return f"The history of archive {returned.number} is in the database again."
