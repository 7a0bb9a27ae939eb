"""Bytes on disk: what a thousand hands leave in a SQLite database, by table of the database.

A stadium plays some rounds, in which every player bets, changes the bet, checks twice and plays.
The pages of each table and of its indexes are counted before and after. The year is that of a hall
of 2,000 terminals which are in play for half of the time, with a round a minute.
``OPENFELT_BENCH_SIZE="100 10"`` sets how many terminals play how many rounds.
"""

import asyncio
import os
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from openfelt.rules import Bet, Check
from tests.kit.server.silent_halls import silent_hall

TERMINALS, ROUNDS = (int(part) for part in os.environ.get("OPENFELT_BENCH_SIZE", "100 10").split())
HANDS_A_YEAR = 2000 * 365 * 24 * 60 // 2


def sizes(path: Path) -> Counter[str]:
    """The bytes of each table of the database, its indexes included."""
    query = (
        "SELECT schema.tbl_name, sum(stat.pgsize) FROM dbstat AS stat"
        " JOIN sqlite_schema AS schema ON schema.name = stat.name GROUP BY 1"
    )
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return Counter(dict(database.execute(query)))


async def grown(path: Path) -> Counter[str]:
    """What the rounds of a stadium add to each table."""
    async with silent_hall(path, TERMINALS) as hall:
        before = sizes(path)
        for _ in range(ROUNDS):
            hall.handle(hall.bets(0))
            hall.handle(hall.bets(1))
            hall.close_bets()
            for decision in (Check(), Check(), Bet(1)):
                hall.handle(hall.decisions(decision))
            hall.prepare()
        after = sizes(path)
        after.subtract(before)
        return after


def main() -> None:
    """Print the bytes of a thousand hands by table, and of a year."""
    with tempfile.TemporaryDirectory() as folder:
        added = asyncio.run(grown(Path(folder) / "felt.db"))
    hands = TERMINALS * ROUNDS
    each = {table: size / hands for table, size in added.most_common() if size}
    print(f"bytes on disk, by table of the database, of {hands:,} hands")
    print(f"{'':20}{'1,000 hands':>16}{'a year at 2,000 terminals':>28}")
    for table, size in (*each.items(), ("all", sum(each.values()))):
        print(f"{table:20}{size * 1000:16,.0f}{size * HANDS_A_YEAR / 1e9:25,.0f} GB")


if __name__ == "__main__":
    main()
