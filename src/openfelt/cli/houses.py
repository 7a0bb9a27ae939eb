"""``openfelt houses`` lists every house that can be played."""

import json
from typing import TYPE_CHECKING

from openfelt.cli.options import AsJson, HousesFolder

if TYPE_CHECKING:
    from openfelt.rules import House


def houses(folder: HousesFolder = None, as_json: AsJson = False) -> None:
    """List the houses: their names, games and sources."""
    from rich.table import Table
    from rich.text import Text

    from openfelt.cli.rule_data import open_catalog
    from openfelt.cli.terminal import make_console

    all_houses = open_catalog(folder).houses.values()
    console = make_console()
    if as_json:
        facts = [house_facts(house) for house in all_houses]
        console.file.write(json.dumps(facts, indent=2) + "\n")
        return
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for house in all_houses:
        table.add_row(house.id, house.name)
        table.add_row("", Text(f"Game: {house.game.words}", "dim"))
        table.add_row("", Text(f"Source: {house.source}", "dim"))
        for departure in house.departures:
            table.add_row("", Text(f"Departs from {departure.clause}: {departure.reason}", "dim"))
    console.print(table)
    console.print("Play one with: openfelt play HOUSE")


def house_facts(house: "House") -> dict[str, object]:
    """A house as JSON for programs."""
    return {
        "id": house.id,
        "version": house.version,
        "name": house.name,
        "game": house.game.value,
        "source": house.source,
        "document": house.document,
        "fingerprint": house.fingerprint,
        "seats": house.seats,
        "hands_per_seat": house.hands_per_seat,
        "wagers": {
            rule.kind.value: {
                "min_cents": rule.min_cents,
                "max_cents": rule.max_cents,
                "paytable": rule.paytable.name if rule.paytable else None,
            }
            for rule in house.wagers
        },
        "notices": list(house.notices),
        "departures": [
            {"clause": departure.clause, "reason": departure.reason}
            for departure in house.departures
        ],
    }
