"""The side of the screen: results of the last games, and paytables in force."""

from collections.abc import Iterator

from rich.text import Text

from openfelt.cli.paytables import table_rows
from openfelt.cli.play.history import GAMES_COUNTED
from openfelt.cli.play.screens.figures import Figures
from openfelt.rules import WagerKind
from openfelt.rules.house import House
from openfelt.rules.paytable import Paytable, ProgressivePaytable

_ORDER = (
    WagerKind.TRIPS,
    WagerKind.BONUS,
    WagerKind.BLIND,
    WagerKind.BAD_BEAT,
    WagerKind.PLAY_THE_BOARD,
    WagerKind.PROGRESSIVE,
    WagerKind.ULTIMATE_PAIRS,
)


def sidebar(figures: Figures, *, width: int, height: int) -> list[Text]:
    """Results and as many paytables as there are lines for; at least one."""
    lines = [*_results(figures, width), Text(), Text("PAYTABLES*", "bold")]
    for number, table in enumerate(tables_in_force(figures.house)):
        drawn = list(_table(table, width))
        if number and len(lines) + len(drawn) + 1 > height:
            continue
        lines += drawn
    lines.append(Text("*Refer to HELP for details", "dim"))
    return lines


def tables_in_force(house: House) -> list[Paytable]:
    """The paytables of a house, the one that players ask for most first."""
    rules = {rule.kind: rule.paytable for rule in house.wagers}
    tables = [table for kind in _ORDER if (table := rules.get(kind)) is not None]
    return [tables[0], house.ante_bonus, *tables[1:]] if house.ante_bonus else tables


def _results(figures: Figures, width: int) -> Iterator[Text]:
    yield Text("PLAYER HAND RESULTS", "bold")
    yield Text("WIN".ljust(6) + " " * (width - 15) + "STAND OFF", "dim")
    for words, wins, stand_offs in figures.results():
        yield Text(f"{wins:<6}{words.upper().center(width - 12)}{stand_offs:>6}")
    yield Text(f"OVER THE LAST {GAMES_COUNTED} GAMES".center(width), "dim")


def _table(table: Paytable, width: int) -> Iterator[Text]:
    title = "ANTE BONUS" if table.wager == "ante_bonus" else WagerKind(table.wager).words.upper()
    yield Text(f"{title} · {table.name}", "bold")
    if isinstance(table, ProgressivePaytable):
        rows = [(row.label, row.share_text or f"{row.for_one} for 1") for row in table.rows]
    else:
        rows = list(table_rows(table))
    for label, pays in rows:
        pays = pays.replace(" the Ante", "")
        room = width - len(pays) - 1
        name = label if len(label) <= room else label[: room - 1] + "…"
        yield Text(f"{name.ljust(room)} {pays}")
