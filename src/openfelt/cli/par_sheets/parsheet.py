"""``openfelt parsheet`` prints the par sheet of a house."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint, wrong_input
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import (
    COUNT_MAX,
    SEED_MAX,
    HouseName,
    HousesFolder,
    OtherPaytables,
    Scheduler,
    Workers,
)

if TYPE_CHECKING:
    from openfelt.cli.par_sheets.sheet_writer import WholeSheet


class SheetFormat(StrEnum):
    """How the sheet is written."""

    MD = "md"
    HTML = "html"
    PDF = "pdf"
    XLSX = "xlsx"
    JSON = "json"


SimulatedRounds = Annotated[
    int,
    typer.Option(
        min=0,
        max=COUNT_MAX,
        metavar="N",
        help="Add a seeded run of this many simulated rounds, such as 500000000.",
    ),
]
RunSeed = Annotated[
    int, typer.Option(min=0, max=SEED_MAX, metavar="N", help="The seed of that run.")
]
_BINARY = (SheetFormat.PDF, SheetFormat.XLSX)


def parsheet(
    house: HouseName,
    paytable: OtherPaytables = None,
    sheet_format: Annotated[
        SheetFormat | None,
        typer.Option("--format", help="The format; without it, that of the file's name, or md."),
    ] = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="The file to write; without it the sheet is printed. May be given several times, "
            "to write several formats of one sheet.",
        ),
    ] = None,
    rounds: SimulatedRounds = 0,
    seed: RunSeed = 1,
    sign: Annotated[
        Path | None,
        typer.Option(
            metavar="KEY",
            help="Sign each file with this Ed25519 key; a missing key is created. "
            "openfelt checksheet checks the signature.",
        ),
    ] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    folder: HousesFolder = None,
) -> None:
    """Print the par sheet of a house: rules, paytables, counts and every exact figure."""
    from openfelt.cli.figures.compile_notice import announce_compiling
    from openfelt.cli.figures.crew_choice import chosen_crew
    from openfelt.cli.figures.edge import with_paytables
    from openfelt.cli.rule_data import find_house, open_catalog

    targets = _targets(out or [], sheet_format)
    if sign is not None and not out:
        raise Complaint("--sign needs --out: what is printed is not signed.", ExitCode.WRONG_INPUT)
    _require_packages(set(targets.values()))
    catalog = open_catalog(folder)
    chosen = with_paytables(catalog, find_house(catalog, house), paytable or [])
    announce_compiling()

    from openfelt.cli.par_sheets.sheet_writer import price_sheet

    try:
        with chosen_crew(workers, scheduler):
            sheet = price_sheet(chosen, rounds=rounds, seed=seed, key_file=sign)
    except ValueError as error:
        raise wrong_input(error) from error
    if not targets:
        sys.stdout.write(_written(sheet, sheet_format or SheetFormat.MD).decode())
    for path, form in targets.items():
        content = _written(sheet, form)
        try:
            path.write_bytes(content)
            sheet.sign(path, content)
        except OSError as error:
            raise Complaint(f"{path} cannot be written: {error}.", ExitCode.WRONG_INPUT) from error


def _targets(files: list[Path], wanted: SheetFormat | None) -> dict[Path, SheetFormat]:
    """The format of each file."""
    if not files and wanted in _BINARY:
        raise Complaint(f"Name the {wanted} file with --out.", ExitCode.WRONG_INPUT)
    targets = {}
    for path in files:
        suffix = path.suffix.lower().removeprefix(".")
        if wanted is None and suffix not in list(SheetFormat):
            raise Complaint(
                f"{path} does not end in a known format: {', '.join(SheetFormat)}. "
                "Give one with --format.",
                ExitCode.WRONG_INPUT,
            )
        targets[path] = wanted or SheetFormat(suffix)
    if wanted is not None and len(files) > 1:
        raise Complaint(
            "Give either --format and one file, or several files by the endings of their names.",
            ExitCode.WRONG_INPUT,
        )
    return targets


def _require_packages(formats: set[SheetFormat]) -> None:
    """Ask for missing packages before anything is counted."""
    from openfelt.cli.par_sheets.formats.optional_packages import (
        CHARTS,
        PDF,
        WORKBOOK,
        request,
        require,
    )

    if SheetFormat.PDF in formats:
        require(PDF, "A PDF")
    if SheetFormat.XLSX in formats:
        require(WORKBOOK, "A workbook")
    if SheetFormat.HTML in formats and (sentence := request(CHARTS)):
        sys.stderr.write(f"The page is written without charts: {sentence}.\n")


def _written(sheet: "WholeSheet", form: SheetFormat) -> bytes:
    match form:
        case SheetFormat.PDF:
            return sheet.as_pdf()
        case SheetFormat.XLSX:
            return sheet.as_workbook()
        case SheetFormat.HTML:
            return sheet.as_html().encode()
        case SheetFormat.JSON:
            return sheet.as_json().encode()
    return sheet.as_markdown().encode()
