"""``openfelt ship`` appends what is new in the log to a second copy, as signed segments."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, open_database, usual_address
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.notary_files import notary_files
from openfelt.cli.progress import watched

if TYPE_CHECKING:
    from openfelt.runtime.shipment.segment_file import SignedManifest
    from openfelt.storage.door import Store

LOCK = ".lock"


def ship(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="The folder of the copy; it is created if missing."),
    ],
    database: Database = None,
    archive: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="An archive of the database, for history that was archived before it was shipped. "
            "Repeat the option for each, the oldest first.",
        ),
    ] = None,
) -> None:
    """Append what is new in the log to a second copy, signed with the notary's key.

    Run it as often as you like, while tables are in play. The copy holds no secret: no card that
    was not shown, no password, no key. Check it anywhere with: openfelt audit DIR
    """
    address = database or usual_address(os.environ)
    with open_database(address) as store, _alone(folder):
        signed = _shipped(store, address, folder, archive or [])
    if signed is None:
        typer.echo(f"Nothing is new since the last segment in {folder}.")
        return
    manifest = signed.manifest
    typer.echo(
        f"Segment {manifest.number:,} in {folder}: {manifest.events:,} events, "
        f"{manifest.rounds:,} finished rounds, {manifest.size:,} bytes, up to checkpoint "
        f"{manifest.checkpoint:,}.\n"
        f"Signed with the key {signed.key}."
    )


def _shipped(
    store: "Store", address: str, folder: Path, archives: list[Path]
) -> "SignedManifest | None":
    from openfelt.cli.joined_archives import joined
    from openfelt.runtime.causes import acting_as, operator
    from openfelt.runtime.clock import SystemClock
    from openfelt.runtime.notary.keys import KeyFileError, load_or_make_key
    from openfelt.runtime.shipment.segment_file import SegmentError
    from openfelt.runtime.shipment.shipper import ShipmentError, Shipper

    path = notary_files(address, store).key
    if not path.exists():
        raise Complaint(
            f"There is no key of the notary at {path}. openfelt serve makes it when it starts."
        )
    try:
        key = load_or_make_key(path)
        with ExitStack() as opened, watched("Shipping") as progress, acting_as(operator()):
            history = joined(store, archives, opened) if archives else store
            return Shipper(history, folder, key, SystemClock(), progress=progress).ship()
    except (KeyFileError, SegmentError, ShipmentError) as error:
        raise Complaint(str(error)) from error
    except OSError as error:
        raise Complaint(f"{folder} cannot be written: {error.strerror}.") from error


def _alone(folder: Path) -> ExitStack:
    """Keep other processes from shipping to a folder; the system ends this with the process."""
    stack = ExitStack()
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        # Those who keep the copy could have laid a link instead.
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(folder / LOCK, flags, 0o600)
    except OSError as error:
        raise Complaint(
            f"{folder} cannot be written: {error.strerror}.", ExitCode.WRONG_INPUT
        ) from error
    stack.callback(os.close, descriptor)
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        stack.close()
        raise Complaint(f"Another process ships to {folder} now.") from error
    return stack
