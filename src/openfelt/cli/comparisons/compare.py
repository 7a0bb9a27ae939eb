"""``openfelt compare`` puts two houses or two paytables side by side."""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint, wrong_input
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import AsJson, HousesFolder, Workers

if TYPE_CHECKING:
    from openfelt.catalog import Catalog
    from openfelt.maths.draw.draw_figures import DrawFigures
    from openfelt.maths.wagers.house_figures import HouseFigures
    from openfelt.rules import House


def compare(
    first: Annotated[
        str, typer.Argument(metavar="A", help="A house, or a paytable: NAME or WAGER=NAME.")
    ],
    second: Annotated[
        str, typer.Argument(metavar="B", help="The house or paytable to compare it with.")
    ],
    house: Annotated[
        str | None,
        typer.Option(
            help="The house whose paytable is replaced; without it, the first that offers the "
            "wagers of both."
        ),
    ] = None,
    workers: Workers = None,
    folder: HousesFolder = None,
    as_json: AsJson = False,
) -> None:
    """Print every exact figure of two houses or two paytables, and the differences.

    A difference is the second figure minus the first. Paytables are compared within a house.
    """
    from openfelt.cli.comparisons.comparison import (
        compare_figures,
        comparison_facts,
        comparison_report,
    )
    from openfelt.cli.figures.compile_notice import announce_compiling
    from openfelt.cli.figures.crew_choice import chosen_crew
    from openfelt.cli.rule_data import open_catalog
    from openfelt.cli.terminal import make_console

    catalog = open_catalog(folder)
    within = _within(catalog, first, second, house)
    sides = _sides(catalog, first, second, within)
    if sides[0].game is not sides[1].game:
        raise Complaint(
            f"{first} and {second} are different games, which have no figure in common.",
            ExitCode.WRONG_INPUT,
        )
    announce_compiling()
    try:
        with chosen_crew(workers, None):
            priced = _priced(*sides)
    except ValueError as error:
        raise wrong_input(error) from error
    comparison = compare_figures((first, second), priced, within=within)
    if as_json:
        sys.stdout.write(json.dumps(comparison_facts(comparison), indent=2) + "\n")
    else:
        make_console().print(comparison_report(comparison))


def _sides(
    catalog: "Catalog", first: str, second: str, within: str | None
) -> "tuple[House, House]":
    """Both sides as houses; a paytable becomes the house that it is put into, with that table."""
    from openfelt.cli.figures.edge import with_paytables
    from openfelt.cli.rule_data import find_house

    comparisons = [
        find_house(catalog, name)
        if within is None or _is_house(catalog, name)
        else with_paytables(catalog, find_house(catalog, within), [name])
        for name in (first, second)
    ]
    return comparisons[0], comparisons[1]


def _is_house(catalog: "Catalog", name: str) -> bool:
    return name.strip().lower() in catalog.houses


def _within(catalog: "Catalog", first: str, second: str, given: str | None) -> str | None:
    """The house that paytables are put into; None if both sides are houses.

    It is the one that was given; if none was, the other side if that is one, otherwise the first
    with the wagers of both.
    """
    tables = [name for name in (first, second) if not _is_house(catalog, name)]
    for name in tables:
        if not _wagers_of(catalog, name):
            raise Complaint(
                f"There is no house and no paytable called {name!r}. {_offered(catalog)}",
                ExitCode.WRONG_INPUT,
            )
    if not tables or given is not None:
        return given if tables else None
    if len(tables) == 1:
        return second if tables == [first] else first
    wagers = [_wagers_of(catalog, name) for name in tables]
    for house in catalog.houses.values():
        offered = {rule.kind.value for rule in house.wagers}
        if all(offered & named for named in wagers):
            return house.id
    raise Complaint(
        f"No house has the wagers of {' and '.join(tables)}. Give two houses or paytables. "
        f"{_offered(catalog)}",
        ExitCode.WRONG_INPUT,
    )


def _offered(catalog: "Catalog") -> str:
    names = ", ".join(dict.fromkeys(name for _, name in catalog.paytables))
    return f"The houses are {', '.join(catalog.houses)}; the paytables are {names}."


def _wagers_of(catalog: "Catalog", text: str) -> set[str]:
    wager, _, name = text.rpartition("=")
    return {
        of_wager
        for of_wager, of_name in catalog.paytables
        if of_name.lower() == name.strip().lower()
        and (not wager or of_wager == wager.strip().lower().replace(" ", "_"))
    }


def _priced(
    first_house: "House", second_house: "House"
) -> "tuple[HouseFigures, HouseFigures] | tuple[DrawFigures, DrawFigures]":
    from openfelt.cli.progress import watched
    from openfelt.maths.draw.best_play import known_house_way
    from openfelt.maths.draw.draw_figures import draw_terms_of, price_draw_house
    from openfelt.maths.holdem.house_terms import terms_of
    from openfelt.maths.wagers.house_figures import price_house
    from openfelt.rules.house import GameName

    if first_house.game is GameName.ULTIMATE_DRAW:
        sides = (first_house, second_house)
        first_kept, second_kept = (known_house_way(draw_terms_of(s).qualifying) for s in sides)
        return (
            price_draw_house(first_house, ante=first_kept),
            price_draw_house(second_house, ante=second_kept),
        )
    with watched("Solving the game") as progress:
        first = price_house(first_house, progress=progress)
    # Side bets do not change how the game is played, so it is solved once if it can be.
    same = first.solution if terms_of(first_house) == terms_of(second_house) else None
    with watched("Solving the other game") as progress:
        return first, price_house(second_house, solution=same, progress=progress)
