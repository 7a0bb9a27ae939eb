"""``openfelt paytables`` prints paytables as they are printed on the felt."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import AsJson, HousesFolder

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from openfelt.catalog import Catalog
    from openfelt.rules.paytable import Paytable


def paytables(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A table (UTH-01), a wager (trips) or a house."),
    ] = None,
    figures: Annotated[
        bool, typer.Option("--figures", help="Print the exact figures of side bets instead.")
    ] = False,
    folder: HousesFolder = None,
    as_json: AsJson = False,
) -> None:
    """Print every paytable, or those of one name, wager or house."""
    from openfelt.cli.rule_data import open_catalog
    from openfelt.cli.terminal import make_console

    tables = chosen_tables(open_catalog(folder), name)
    console = make_console()
    if figures:
        _print_figures(console, name, tables, as_json=as_json)
        return
    if as_json:
        console.file.write(json.dumps([table_facts(table) for table in tables], indent=2) + "\n")
        return
    for table in tables:
        console.print(drawn_table(table))
        console.print()


def _print_figures(
    console: "Console", name: str | None, tables: "list[Paytable]", *, as_json: bool
) -> None:
    from openfelt.cli.figures.compile_notice import announce_compiling
    from openfelt.cli.figures.draw_bonus_report import bonus_facts, bonus_table, draw_bonuses
    from openfelt.cli.figures.side_bet_report import figures_facts, figures_table, side_bets

    announce_compiling()
    bets = side_bets(tables)
    bonuses = draw_bonuses(tables)
    if not bets and not bonuses:
        raise Complaint(
            f"{name!r} names no side bet; only side bets have figures.", ExitCode.WRONG_INPUT
        )
    if as_json:
        facts = [*figures_facts(bets), *bonus_facts(bonuses)]
        console.file.write(json.dumps(facts, indent=2) + "\n")
        return
    if bets:
        console.print(figures_table(bets))
    if bonuses:
        console.print(bonus_table(bonuses))


def chosen_tables(catalog: "Catalog", name: str | None) -> list["Paytable"]:
    """The paytables of a name: one table's, a wager's, or those of a house."""
    tables = list(catalog.paytables.values())
    if name is None:
        return tables
    wanted = name.strip().lower().replace(" ", "_")
    if wanted in catalog.houses:
        house = catalog.houses[wanted]
        own = [rule.paytable for rule in house.wagers if rule.paytable]
        return [*own, house.ante_bonus] if house.ante_bonus else own
    matching = [table for table in tables if wanted in (table.name.lower(), table.wager)]
    if not matching:
        names = ", ".join(dict.fromkeys(table.name for table in tables))
        raise Complaint(
            f"There is no paytable, wager or house called {name!r}. The paytables are {names}.",
            ExitCode.WRONG_INPUT,
        )
    return matching


def table_title(table: "Paytable") -> str:
    """The heading of a table: its wager and its published name."""
    from openfelt.rules import WagerKind

    if table.wager == "ante_bonus":
        return f"Ante Bonus · {table.name}"
    return f"{WagerKind(table.wager).words} · {table.name}"


def table_rows(table: "Paytable") -> Iterator[tuple[str, str]]:
    """The rows of a table as they are printed: the hand and the odds."""
    from openfelt.rules.paytable import HandPaytable, ProgressivePaytable

    if isinstance(table, ProgressivePaytable):
        for row in table.rows:
            pays = f"{row.share_text} of the meter" if row.share_text else f"{row.for_one} for 1"
            envy = f", Envy {row.envy_for_one} for 1" if row.envy_for_one else ""
            yield row.label, pays + envy
    elif isinstance(table, HandPaytable) and table.wager == "ante_bonus":
        # The felt prints a multiple of the Ante where other tables print odds.
        for bonus_row in table.rows:
            yield str(bonus_row.hand).capitalize(), f"{bonus_row.label} the Ante"
    else:
        for hand_row in table.rows:
            yield hand_row.label, str(hand_row.odds)


def drawn_table(table: "Paytable") -> "RenderableType":
    """A paytable ready to print, with its clause and source below."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    drawn = Table(
        title=table_title(table),
        title_justify="left",
        title_style="bold",
        box=box.ROUNDED,
        show_header=False,
    )
    drawn.add_column()
    drawn.add_column(justify="right")
    for label, pays in table_rows(table):
        drawn.add_row(label, pays)
    return Group(drawn, *(Text(note, "dim") for note in _notes(table)))


def _notes(table: "Paytable") -> Iterable[str]:
    yield f"Clause {table.clause}. Source: {table.source.rstrip('.')}."
    if table.claimed_advantage:
        yield f"The document claims a house advantage of {table.claimed_advantage}."
    if table.claimed_game_advantage:
        yield f"It claims {table.claimed_game_advantage} for the whole game."


def table_facts(table: "Paytable") -> dict[str, object]:
    """A paytable as JSON for programs."""
    return {
        "name": table.name,
        "version": table.version,
        "wager": table.wager,
        "clause": table.clause,
        "source": table.source,
        "rows": [{"hand": label, "pays": pays} for label, pays in table_rows(table)],
        "claimed_advantage": table.claimed_advantage,
        "claimed_game_advantage": table.claimed_game_advantage,
    }
