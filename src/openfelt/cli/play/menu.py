"""The menu of houses."""

from collections.abc import Collection

from rich.table import Table

from openfelt.catalog import Catalog
from openfelt.cli.play.desk import Desk, Leave
from openfelt.rules import House

FIRST_CHOICE = "washington"


def choose_house(
    desk: Desk, catalog: Catalog, *, last: str | None, waiting: Collection[str]
) -> House:
    """Ask for a house by number or name; Enter takes the one played last.

    ``waiting`` names the houses where a round of the player waits.
    """
    houses = list(catalog.houses.values())
    usual = last or FIRST_CHOICE
    default = next((n for n, house in enumerate(houses, start=1) if house.id == usual), 1)
    desk.screen(_drawn(houses, waiting, default))
    while True:
        text = desk.ask(f"Which table? 1 to {len(houses)}, Enter for {default}")
        if text in ("quit", "q", "exit"):
            raise Leave
        if not text:
            return houses[default - 1]
        if text.isdecimal() and text.isascii() and 1 <= int(text[:6]) <= len(houses):
            return houses[int(text) - 1]
        if text in catalog.houses:
            return catalog.houses[text]
        desk.say(f"There is no table {text!r}. Type a number, a name, or quit.")


def _drawn(houses: list[House], waiting: Collection[str], default: int) -> Table:
    table = Table(
        title="OPENFELT · choose a table", title_justify="left", title_style="bold", box=None
    )
    table.add_column("", justify="right")
    table.add_column("house", style="bold", no_wrap=True)
    table.add_column("game")
    table.add_column("")
    for number, house in enumerate(houses, start=1):
        note = "a round waits for you" if house.id in waiting else ""
        if number == default and not note:
            note = "press Enter for this one"
        table.add_row(str(number), house.id, house.name, note)
    return table
