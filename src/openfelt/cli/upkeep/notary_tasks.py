"""``openfelt notary`` shows what is signed, and continues the notary after a restored state."""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, open_database, usual_address
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.notary_files import NotaryFiles, notary_files

if TYPE_CHECKING:
    from openfelt.storage.door import Store

REASON_HELP = "Why an older state was restored; it is recorded in the chain of checkpoints."
REASON_LENGTH_MAX = 500
CONTINUE = 'run openfelt notary continue DATABASE --reason "..."'
"""What lets the notary continue, as messages name it."""
_NO_EPOCH = f"No new epoch of codes has begun; put the keys back, and {CONTINUE}."


class NotaryTask(StrEnum):
    """The task of a notary command."""

    SHOW = "show"
    CONTINUE = "continue"


def notary(
    task: Annotated[
        NotaryTask,
        typer.Argument(
            help="show: print how much is signed, and what is missing. "
            "continue: record that an older state was restored, and sign again."
        ),
    ] = NotaryTask.SHOW,
    database: Database = None,
    checkpoints: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The published checkpoints. The default is the file that openfelt serve writes.",
        ),
    ] = None,
    reason: Annotated[str, typer.Option(metavar="TEXT", help=REASON_HELP)] = "",
) -> None:
    """Show what the notary has signed, or let it continue after a restore."""
    address = database or usual_address(os.environ)
    with open_database(address) as store:
        files = notary_files(address, store, checkpoints)
        if task is NotaryTask.SHOW:
            _show(store, files)
        elif not reason:
            raise Complaint(
                "Say why an older state was restored, with --reason.", ExitCode.WRONG_INPUT
            )
        else:
            continue_notary(store, files, reason=reason)


def _show(store: "Store", files: NotaryFiles) -> None:
    from openfelt.runtime.notary.continuation import find_gap
    from openfelt.runtime.notary.keys import KeyFileError
    from openfelt.runtime.notary.notary import NotaryError

    signed = sum(1 for _ in store.checkpoints())
    plural = "s" if signed != 1 else ""
    typer.echo(f"{signed:,} checkpoint{plural} in the database; published to {files.published}.")
    try:
        gap = find_gap(store, files.published, keys=files.public_keys())
    except (NotaryError, KeyFileError) as error:
        typer.echo(str(error))
        raise typer.Exit(ExitCode.FINDINGS) from error
    typer.echo(gap.sentence)
    if gap.any:
        typer.echo(
            "Stop the server, and restore a newer backup if there is one. If this state is the "
            f"newest, {CONTINUE}: it records what is gone, and the notary signs again."
        )
        raise typer.Exit(ExitCode.FINDINGS)


def continue_notary(store: "Store", files: NotaryFiles, *, reason: str) -> None:
    """Say what is missing of what was signed, and let the notary continue if anything is."""
    from openfelt.runtime.causes import operator
    from openfelt.runtime.clock import SystemClock
    from openfelt.runtime.notary.continuation import continue_record, find_gap
    from openfelt.runtime.notary.keys import KeyFileError, load_or_make_key
    from openfelt.runtime.notary.notary import NotaryError
    from openfelt.storage.door import EpochRefused, KeyFailure

    if len(reason) > REASON_LENGTH_MAX or not reason.isprintable():
        raise Complaint(
            f"A reason must be one line of at most {REASON_LENGTH_MAX} characters.",
            ExitCode.WRONG_INPUT,
        )
    try:
        gap = find_gap(store, files.published, keys=files.public_keys())
        typer.echo(gap.sentence)
        if not files.key.exists():
            begin_epoch(store, reason)
            if not gap.any:
                return
            raise Complaint(
                f"The notary's key is not at {files.key}, so nothing was recorded. Put it back and "
                f"{CONTINUE}."
            )
        _, checkpoint = continue_record(
            store,
            load_or_make_key(files.key),
            SystemClock(),
            published=files.published,
            actor=operator().actor,
            reason=reason,
        )
    except (NotaryError, KeyFileError, EpochRefused) as error:
        raise Complaint(str(error)) from error
    except KeyFailure as error:
        raise Complaint(f"{error} {_NO_EPOCH}") from error
    except OSError as error:
        raise Complaint(f"{error.filename} cannot be used: {error.strerror}.") from error
    if store.keys_used():
        typer.echo("A new epoch of codes has begun: nothing of another copy is authentic here.")
    if checkpoint is not None:
        typer.echo(f"Checkpoint {checkpoint.number:,} records this, and the notary continues.")


def begin_epoch(store: "Store", reason: str) -> None:
    """Let codes of any other copy of this database be worth nothing in it."""
    from openfelt.runtime.clock import SystemClock

    store.begin_epoch(SystemClock().wall_ms(), reason)
    if store.keys_used():
        typer.echo("A new epoch of codes has begun: nothing of another copy is authentic here.")
