"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from openfelt.money import AMOUNT_MAX_CENTS

COUNT_MAX = 10**12
"""The most rounds, deals or hands that can be asked for."""
SEED_MAX = 2**64 - 1
DAYS_MAX = 36_500
"""A hundred years."""
DOLLARS_MAX = AMOUNT_MAX_CENTS // 100

HouseName = Annotated[str, typer.Argument(metavar="HOUSE", help="The house, such as washington.")]
OtherPaytables = Annotated[
    list[str] | None,
    typer.Option(
        "--paytable",
        metavar="NAME",
        help="Use another paytable: its name, or WAGER=NAME. May be given several times.",
    ),
]
HousesFolder = Annotated[
    Path | None,
    typer.Option(
        "--houses",
        metavar="DIR",
        envvar="OPENFELT_HOUSES",
        help="A folder with your own house files; your paytables are in its subfolder paytables.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, max=256, metavar="N", help="Threads; all processors by default."
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Compute on the workers of a Dask scheduler, such as tcp://10.0.0.5:8786. The result "
        "is the same.",
    ),
]
KeepDecks = Annotated[
    int,
    typer.Option(
        "--keep-decks",
        min=1,
        max=DAYS_MAX,
        metavar="DAYS",
        help="How long the secret decks and mucked cards of finished rounds are kept. After that, "
        "only cards that were shown can be read and proved.",
    ),
]
KeepProofs = Annotated[
    int | None,
    typer.Option(
        "--keep-proofs",
        min=1,
        max=DAYS_MAX,
        metavar="DAYS",
        help="How long proofs are kept after their decks are gone; by default, indefinitely.",
    ),
]
