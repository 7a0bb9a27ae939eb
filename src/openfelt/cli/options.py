"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

HousesFolder = Annotated[
    Path | None,
    typer.Option(
        "--houses",
        metavar="DIR",
        envvar="OPENFELT_HOUSES",
        help="A folder of your own houses, with your paytables in its folder paytables.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
