"""The commands of ``openfelt``. A new command is one file with one function, added here."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final

import typer

from openfelt.cli.comparisons.compare import compare
from openfelt.cli.figures.advise import advise
from openfelt.cli.figures.edge import edge
from openfelt.cli.figures.simulate import simulate
from openfelt.cli.figures.strategy import strategy
from openfelt.cli.houses import houses
from openfelt.cli.par_sheets.checksheet import checksheet
from openfelt.cli.par_sheets.parsheet import parsheet
from openfelt.cli.paytables import paytables
from openfelt.cli.play import play
from openfelt.cli.records.audit import audit
from openfelt.cli.records.clock_repair import clock
from openfelt.cli.records.deeds import deeds
from openfelt.cli.records.export import export
from openfelt.cli.records.ledger import ledger
from openfelt.cli.records.retention import retention
from openfelt.cli.records.secret_keys import keys
from openfelt.cli.records.software import software
from openfelt.cli.records.verify import verify
from openfelt.cli.scan import scan
from openfelt.cli.serve import serve
from openfelt.cli.upkeep.archive import archive
from openfelt.cli.upkeep.backup import backup
from openfelt.cli.upkeep.notary_tasks import notary
from openfelt.cli.upkeep.restore import restore
from openfelt.cli.upkeep.servers import drain, status
from openfelt.cli.upkeep.ship import ship

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    # Plain help does not load Rich, so it is fast.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS: Final[Mapping[Callable[..., None], str]] = {
    play: "Play at the keyboard, with play money.",
    serve: "Serve a casino floor to browsers.",
    scan: "Send cards to a live table, as a shuffler or card reader does.",
    houses: "List the houses: their names, games and sources.",
    paytables: "Print every paytable, or those of one name, wager or house.",
    edge: "Print the exact figures of a house.",
    compare: "Print the exact figures of two houses or paytables.",
    parsheet: "Print the par sheet of a house.",
    checksheet: "Check that a par sheet is the one that was signed.",
    advise: "Print the exact value of every decision for a hand, in Antes.",
    strategy: "Print a strategy in plain lines, with its exact cost.",
    simulate: "Simulate rounds of a house with a strategy.",
    verify: "Check the proof of one round.",
    audit: "Check everything in a database, or in a shipped copy.",
    ledger: "Show the trial balance, an account, or the closing of a day.",
    deeds: "List what staff have done, from the chained record.",
    export: "Write rounds, transfers and significant events as files.",
    keys: "Show, rotate or apply the keys that encrypt secret cards.",
    software: "Check the program's own files, and print their fingerprint.",
    clock: "Show records that are ahead of this machine's clock.",
    retention: "Show how many bytes a database uses per round.",
    backup: "Copy a database while a server runs, and verify the copy.",
    restore: "Restore a backup into a new database, verified before and after.",
    notary: "Show what the notary has signed.",
    archive: "Move old history to a file, and keep what play needs.",
    ship: "Append what is new in the log to a second copy.",
    status: "Show the servers that share a database.",
    drain: "Let a server hand its tables to the others.",
}
"""Every command, with what the list of commands says of it: one line of 80 columns."""

for _command, _words in COMMANDS.items():
    app.command(short_help=_words)(_command)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"openfelt {version('openfelt')}")
        raise typer.Exit


@app.callback()
def openfelt(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Openfelt runs casino table poker. Play it with: openfelt play"""
