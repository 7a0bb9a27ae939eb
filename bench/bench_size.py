"""Bytes on disk: what a thousand hands leave in a SQLite database, by table of the database.

A stadium plays some rounds, in which every player bets, changes the bet, checks twice and plays.
The pages of each table and of its indexes are counted before and after. The year is that of a hall
of 2,000 terminals which are in play for half of the time, with a round a minute. From the same
figures follows what the live database and an archive take if history is archived every month.
``OPENFELT_BENCH_SIZE="100 10"`` sets how many terminals play how many rounds.

Then the tables are written a second time in three forms that would be smaller, alone and together:
hashes as bytes and without that of the event before; accounts, streams and rounds by number; and
settlements without their sentences, which follow from their outcomes. Nothing else reads these
forms: they only tell what a migration would save.
"""

import asyncio
import os
import re
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from openfelt.rules import Bet, Check
from tests.kit.server.silent_halls import silent_hall

TERMINALS, ROUNDS = (int(part) for part in os.environ.get("OPENFELT_BENCH_SIZE", "100 10").split())
HANDS_A_DAY = 2000 * 24 * 60 // 2
HANDS_A_YEAR = HANDS_A_DAY * 365
MONTH = 31
ARCHIVED = ((90, 400), (90, 90), (30, 30))
"""For how many days decks and history are kept in a live database, by examples."""


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


# Smaller forms ---------------------------------------------------------------------


class Form(NamedTuple):
    """A form in which the events and transfers could be stored."""

    hashes: bool = False
    """Hashes and digests are bytes, and no event repeats the hash of the one before."""
    numbers: bool = False
    """Streams, accounts and rounds are numbers, which a table of names explains."""
    codes: bool = False
    """A settled line has no sentence."""


FORMS = {
    "as today": Form(),
    "hashes as bytes, once": Form(hashes=True),
    "names by number": Form(numbers=True),
    "codes in place of sentences": Form(codes=True),
    "all three": Form(hashes=True, numbers=True, codes=True),
}


_SENTENCE = re.compile(r',"because":"(?:[^"\\]|\\.)*"')


def _without_sentences(body: str) -> str:
    return _SENTENCE.sub("", body)


def written_again(path: Path, form: Form) -> int:
    """The bytes of all events and transfers of a database in another form, with their indexes."""
    with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(path)) as database:
        database.execute("ATTACH ? AS copy", (str(Path(folder) / "copy.db"),))
        hashed = "BLOB" if form.hashes else "TEXT"
        name = "INTEGER" if form.numbers else "TEXT"
        previous = "" if form.hashes else " previous TEXT,"
        database.executescript(
            "CREATE TABLE copy.names (number INTEGER PRIMARY KEY, name TEXT UNIQUE);"
            f"CREATE TABLE copy.events (stream {name}, version INTEGER, name {name},"
            f" schema INTEGER, body TEXT, at_ms INTEGER,{previous} hash {hashed},"
            f" actor {name}, terminal {name}, command TEXT, digest {hashed},"
            " PRIMARY KEY (stream, version)) WITHOUT ROWID;"
            "CREATE UNIQUE INDEX copy.events_by_command ON events (stream, actor, command)"
            " WHERE digest <> '';"
            f"CREATE TABLE copy.transfers (number INTEGER PRIMARY KEY, stream {name},"
            f" version INTEGER, at_ms INTEGER, debit {name}, credit {name}, cents INTEGER,"
            f" reason {name}, round {name}, clause {name}, note TEXT);"
            "CREATE INDEX copy.transfers_by_stream ON transfers (stream, number);"
            "CREATE INDEX copy.transfers_by_debit ON transfers (debit, number);"
            "CREATE INDEX copy.transfers_by_credit ON transfers (credit, number);"
            "CREATE INDEX copy.transfers_by_time ON transfers (at_ms, number);"
        )
        numbers: dict[str, int] = {}

        def named(text: str | None) -> str | int | None:
            if text is None or not form.numbers:
                return text
            return numbers.setdefault(text, len(numbers) + 1)

        for row in database.execute("SELECT * FROM main.events").fetchall():
            stream, version, kind, schema, body, at_ms, before, own, actor, at, command, digest = (
                row
            )
            hashes = (bytes.fromhex(own),) if form.hashes else (before, own)
            body = _without_sentences(body) if form.codes else body
            values = (
                *(named(stream), version, named(kind), schema, body, at_ms, *hashes),
                *(named(actor), named(at), command),
                bytes.fromhex(digest) if form.hashes and digest else digest,
            )
            gaps = ", ".join("?" * len(values))
            database.execute(f"INSERT INTO copy.events VALUES ({gaps})", values)
        for row in database.execute("SELECT * FROM main.transfers").fetchall():
            number, stream, version, at_ms, debit, credit, cents, *words, note = row
            values = (
                *(number, named(stream), version, at_ms, named(debit), named(credit), cents),
                *(named(word) for word in words),
                note,
            )
            database.execute(f"INSERT INTO copy.transfers VALUES ({', '.join('?' * 11)})", values)
        database.executemany(
            "INSERT INTO copy.names VALUES (?, ?)", [(n, text) for text, n in numbers.items()]
        )
        database.commit()
        ((size,),) = database.execute("SELECT sum(pgsize) FROM dbstat('copy')")
        return int(size)


def print_forms(path: Path) -> None:
    """Print what each smaller form would save of all events and transfers."""
    today = written_again(path, FORMS["as today"])
    print("\nevents and transfers, written again")
    for words, form in FORMS.items():
        size = written_again(path, form)
        print(f"{words:32}{size:14,}   {1 - size / today:6.1%} less")


def main() -> None:
    """Print the bytes of a thousand hands by table, and of a year."""
    with tempfile.TemporaryDirectory() as folder:
        added = asyncio.run(grown(Path(folder) / "felt.db"))
        print_forms(Path(folder) / "felt.db")
    hands = TERMINALS * ROUNDS
    each = {table: size / hands for table, size in added.most_common() if size}
    print(f"bytes on disk, by table of the database, of {hands:,} hands")
    print(f"{'':20}{'1,000 hands':>16}{'a year at 2,000 terminals':>28}")
    for table, size in (*each.items(), ("all", sum(each.values()))):
        print(f"{table:20}{size * 1000:16,.0f}{size * HANDS_A_YEAR / 1e9:25,.0f} GB")
    print_archived(secrets=each["secrets"], record=each["events"] + each["transfers"])


def print_archived(*, secrets: float, record: float) -> None:
    """Print what the live database takes if history is moved to an archive every month.

    Secrets are purged after their term, and the record grows for a month beyond its own.
    """
    print("2,000 terminals, archived every month: live database just before, and the archive")
    for decks_days, history_days in ARCHIVED:
        days = {"secrets": decks_days, "record": history_days + MONTH}
        live = HANDS_A_DAY * (days["secrets"] * secrets + days["record"] * record) / 1e9
        terms = f"--keep-decks {decks_days}, --keep-days {history_days}"
        archive = HANDS_A_DAY * MONTH * record / 1e9
        print(f"  {terms:36}{live:10,.0f} GB{archive:10,.0f} GB")


if __name__ == "__main__":
    main()
