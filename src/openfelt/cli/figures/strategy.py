"""``openfelt strategy`` prints a strategy in plain lines, its exact cost, and its chart."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import AsJson, HousesFolder, Scheduler, Workers

if TYPE_CHECKING:
    from openfelt.maths.strategy.charts import Chart


class ChartKind(StrEnum):
    """The content of the chart's cells."""

    DECISION = "decision"
    VALUE = "value"
    NONE = "none"


OwnLines = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="For Ultimate Draw, a strategy of your own: one line of text for each hold.",
    ),
]
Spread = Annotated[
    bool,
    typer.Option(
        "--spread",
        help="For Ultimate Draw, also count the standard deviation. The first time, this takes "
        "half an hour or more.",
    ),
]


def strategy(
    house: Annotated[
        str, typer.Argument(metavar="HOUSE", help="The house whose rules apply.")
    ] = "washington",
    name: Annotated[
        str | None,
        typer.Option(
            help="The strategy: basic, published_simple, perfect and others; for Ultimate Draw, "
            "basic_draw, house_way and perfect."
        ),
    ] = None,
    file: OwnLines = None,
    chart: Annotated[
        ChartKind, typer.Option(help="What the chart of the 169 starting hands shows.")
    ] = ChartKind.DECISION,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the chart to a file as SVG.")
    ] = None,
    price: Annotated[
        bool,
        typer.Option("--price", help="Count the figures again instead of looking them up."),
    ] = False,
    spread: Spread = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    folder: HousesFolder = None,
    as_json: AsJson = False,
) -> None:
    """Print a strategy in plain lines, with its exact cost.

    The cost is the expected loss compared with perfect play. Nothing is sampled. The default is
    the basic strategy of the game.
    """
    from openfelt.cli.figures.compile_notice import announce_compiling
    from openfelt.cli.figures.crew_choice import chosen_crew
    from openfelt.cli.figures.draw_strategy import DrawRequest, print_draw_strategy
    from openfelt.cli.figures.strategy_choice import choose_strategy
    from openfelt.cli.figures.strategy_report import choice_facts, choice_report
    from openfelt.cli.rule_data import find_house, open_catalog
    from openfelt.cli.terminal import make_console
    from openfelt.rules.house import GameName

    announce_compiling()
    chosen = find_house(open_catalog(folder), house)
    if chosen.game is GameName.ULTIMATE_DRAW:
        if svg is not None:
            raise Complaint("There is no chart for Ultimate Draw.", ExitCode.WRONG_INPUT)
        request = DrawRequest(name, file, count_again=price, spread=spread)
        with chosen_crew(workers, scheduler):
            print_draw_strategy(chosen, request, as_json=as_json)
        return
    for given, option in ((file, "--file"), (spread, "--spread")):
        if given:
            raise Complaint(f"{option} is for Ultimate Draw only.", ExitCode.WRONG_INPUT)
    with chosen_crew(workers, scheduler):
        choice = choose_strategy(chosen, name or "basic", count_again=price)
    if svg is not None:
        _draw(svg, choice.chart, chart)
    if as_json:
        sys.stdout.write(json.dumps(choice_facts(choice), indent=2) + "\n")
    else:
        make_console().print(choice_report(choice, chart.value))


def _draw(path: Path, chart: "Chart", kind: ChartKind) -> None:
    from openfelt.maths.strategy.charts import draw_decisions, draw_values

    drawn = draw_values(chart) if kind is ChartKind.VALUE else draw_decisions(chart)
    try:
        path.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise Complaint(f"The chart cannot be written to {path}: {error.strerror}.") from error
    sys.stderr.write(f"The chart is in {path}.\n")
