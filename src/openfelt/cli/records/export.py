"""``openfelt export`` writes rounds, transfers and events as files with a signed manifest."""

import os
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, open_database, usual_address
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.notary_files import notary_files
from openfelt.cli.progress import watched

if TYPE_CHECKING:
    from openfelt.runtime.exports.export_folder import SignedExport
    from openfelt.runtime.exports.export_rows import Period

_WRONG = ExitCode.WRONG_INPUT
_FIRST_DAY = date(1970, 1, 1)
_LAST_DAY = date(9999, 12, 30)


class Format(StrEnum):
    """The format of the files."""

    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


class Content(StrEnum):
    """The content of an export."""

    ROUNDS = "rounds"
    LINES = "lines"
    TRANSFERS = "transfers"
    EVENTS = "events"


def export(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="The folder to write; with --check, the export to check."
        ),
    ],
    database: Database = None,
    content: Annotated[
        list[Content] | None,
        typer.Option(
            "--table",
            help="rounds, their settlement lines, transfers of the book, or significant events. "
            "Repeat the option for several; the default is all.",
        ),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", help="The format; json is one object in each line.")
    ] = Format.CSV,
    first: Annotated[
        datetime | None,
        typer.Option("--from", formats=["%Y-%m-%d"], metavar="DAY", help="The first day, UTC."),
    ] = None,
    last: Annotated[
        datetime | None,
        typer.Option("--to", formats=["%Y-%m-%d"], metavar="DAY", help="The last day, UTC."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check an export against its manifest instead.")
    ] = False,
    public_key: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="The notary's public key, with --check."),
    ] = None,
) -> None:
    """Write rounds, settlement lines, transfers and significant events as files.

    A manifest names each file with its SHA-256, its rows and the period, signed with the notary's
    key. An export contains no card that was not shown.
    """
    if check:
        _print_checked(folder, public_key or [])
        return
    signed = _exported(folder, database, content or list(Content), form, _period(first, last))
    for file in signed.manifest.files:
        typer.echo(f"{folder / file.name}: {file.rows:,} rows")
    typer.echo(f"{folder / 'manifest.json'}, signed with the key {signed.key}.")
    _tell_archived(signed)


def _period(first: datetime | None, last: datetime | None) -> "Period":
    from openfelt.runtime.clock import end_ms, start_ms
    from openfelt.runtime.exports.export_rows import Period

    start = first.date() if first is not None else _FIRST_DAY
    end = last.date() if last is not None else _LAST_DAY
    if end < start:
        raise Complaint("--to is before --from.", _WRONG)
    if end > _LAST_DAY:
        raise Complaint(f"--to must be at most {_LAST_DAY}.", _WRONG)
    return Period(start_ms(start), end_ms(end))


def _exported(
    folder: Path, database: str | None, content: list[Content], form: Format, period: "Period"
) -> "SignedExport":
    from openfelt.runtime.causes import acting_as, operator
    from openfelt.runtime.clock import SystemClock
    from openfelt.runtime.exports.export_files import ExportFormat, FormatMissing
    from openfelt.runtime.exports.export_folder import ExportError, write_export
    from openfelt.runtime.exports.export_rows import ExportTable
    from openfelt.runtime.notary.keys import KeyFileError, load_or_make_key

    address = database or usual_address(os.environ)
    with (
        open_database(address) as store,
        watched("Exporting") as progress,
        acting_as(operator()),
    ):
        path = notary_files(address, store).key
        if not path.exists():
            raise Complaint(
                f"There is no key of the notary at {path}. openfelt serve makes it when it starts."
            )
        try:
            return write_export(
                store,
                folder,
                load_or_make_key(path),
                SystemClock(),
                tables=[ExportTable(table.value) for table in dict.fromkeys(content)],
                form=ExportFormat(form.value),
                period=period,
                progress=progress,
            )
        except (ExportError, FormatMissing, KeyFileError) as error:
            raise Complaint(str(error), _WRONG) from error
        except OSError as error:
            raise Complaint(f"{folder} cannot be written: {error.strerror}.", _WRONG) from error


def _print_checked(folder: Path, public_key: list[Path]) -> None:
    from openfelt.runtime.exports.export_folder import ExportError, check_export, other_files
    from openfelt.runtime.notary.keys import KeyFileError, read_public_key

    try:
        signed = check_export(folder, [read_public_key(path) for path in public_key])
    except KeyFileError as error:
        raise Complaint(str(error), _WRONG) from error
    except ExportError as error:
        typer.echo(str(error))
        raise typer.Exit(ExitCode.FINDINGS) from error
    for file in signed.manifest.files:
        typer.echo(f"{file.name}: {file.rows:,} rows, as signed.")
    typer.echo(f"Signed with the key {signed.key}.")
    _tell_archived(signed)
    if others := other_files(folder, signed):
        typer.echo(f"Note: {others} more in this folder were not signed, and were not checked.")
    if not public_key:
        typer.echo("Note: No public key was given, so the key that the export names was trusted.")


def _tell_archived(signed: "SignedExport") -> None:
    """Say that a part of the period is in archives, and so in none of the files."""
    if signed.manifest.lacks_history:
        archived = datetime.fromtimestamp(signed.manifest.archived_ms / 1000, UTC)
        typer.echo(
            f"Note: History before {archived:%Y-%m-%d %H:%M:%S} UTC is in archives of the "
            "database, and not in this export."
        )
