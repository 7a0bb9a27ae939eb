"""``openfelt checksheet`` checks the signature of a par sheet."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode


def checksheet(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The par sheet, in any format.")],
    key: Annotated[
        Path, typer.Option(help="The public key that you trust: the file that ends in .pub.")
    ],
    signature: Annotated[
        Path | None,
        typer.Option(help="The signature; without it, the file beside the sheet, ending in .sig."),
    ] = None,
) -> None:
    """Check that a par sheet is the one that was signed, by the key that you trust."""
    from openfelt.runtime.notary.keys import KeyFileError, read_public_key
    from openfelt.runtime.notary.signed_files import (
        LINE_BYTES_MAX,
        SIGNATURE_SUFFIX,
        SignatureError,
        check_file,
    )

    beside = signature or file.with_name(file.name + SIGNATURE_SUFFIX)
    try:
        trusted = read_public_key(key)
        content = file.read_bytes()
        with beside.open("rb") as stream:
            line = stream.read(LINE_BYTES_MAX).decode("utf-8", errors="replace")
    except KeyFileError as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error
    except OSError as error:
        raise Complaint(
            f"{error.filename} cannot be read: {error.strerror}.", ExitCode.WRONG_INPUT
        ) from error
    try:
        signed = check_file(content, line, trusted=trusted)
    except SignatureError as error:
        typer.echo(str(error))
        raise typer.Exit(ExitCode.FINDINGS) from error
    signed_at = datetime.fromtimestamp(signed.at_ms / 1000, UTC)
    typer.echo(f"{file.name} is as it was signed on {signed_at:%Y-%m-%d %H:%M} UTC.")
    for name, value in signed.about.items():
        typer.echo(f"{name}: {value}")
