"""The commands of ``openfelt``. A new command is one file with one function, added here."""

from typing import Annotated

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

app.command()(play)
app.command()(serve)
app.command()(scan)
app.command()(houses)
app.command()(paytables)
app.command()(edge)
app.command()(compare)
app.command()(parsheet)
app.command()(checksheet)
app.command()(advise)
app.command()(strategy)
app.command()(simulate)
app.command()(verify)
app.command()(audit)
app.command()(ledger)
app.command()(deeds)
app.command()(export)
app.command()(keys)
app.command()(software)
app.command()(clock)
app.command()(retention)
app.command()(backup)
app.command()(restore)
app.command()(notary)
app.command()(archive)
app.command()(ship)
app.command()(status)
app.command()(drain)


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
