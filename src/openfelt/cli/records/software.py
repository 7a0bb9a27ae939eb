"""``openfelt software`` checks the program's own files, and prints their fingerprint."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import AsJson


def software(
    expect: Annotated[
        str | None,
        typer.Option(
            metavar="FINGERPRINT", help="The fingerprint of the program that was approved."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check the program's own files and rule data by hash, and print their fingerprint."""
    from openfelt.server.self_check.installed_files import software_now

    now = software_now()
    faults = list(now.faults)
    if expect is not None and expect.lower() != now.fingerprint:
        faults.append("The fingerprint is not the one that was approved.")
    if as_json:
        typer.echo(json.dumps(asdict(now) | {"faults": faults}, indent=2))
    else:
        typer.echo(f"version      {now.version}")
        typer.echo(f"fingerprint  {now.fingerprint}")
        typer.echo(f"files        {now.files}")
        for fault in faults:
            typer.echo(f"FOUND: {fault}")
        if not faults:
            typer.echo(
                "Every file is the one that was installed."
                if now.listed
                else "The program is run from its source: there is no list to compare files with."
            )
    if faults:
        raise typer.Exit(ExitCode.FINDINGS)
