"""Runs of the tamperer: every alteration on a fresh copy of a database, and what the audit said."""

import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import psycopg

from openfelt.storage.door import StoreError
from tests.kit.audit.tampered_houses import House
from tests.kit.audit.tamperer import KEYS, Alteration, Tamperer, damaged_bytes
from tests.kit.postgres_server import PostgresServer

STRUCTURE = "the file"

Place = tuple[str, str]
"""A table, and a column or what was done to a row."""


@dataclass(slots=True)
class Outcome:
    """What became of all alterations."""

    found: Counter[Place] = field(default_factory=Counter)
    missed: Counter[Place] = field(default_factory=Counter)
    explained: dict[Place, str] = field(default_factory=dict)
    unexplained: list[Alteration] = field(default_factory=list)
    refused: int = 0
    """Alterations that the database itself refused, such as a key that is taken."""

    def add(self, alteration: Alteration, *, found: bool) -> None:
        """Count an alteration that the audit has found, or not."""
        place = (alteration.table, alteration.column)
        (self.found if found else self.missed)[place] += 1
        if not found and alteration.explained is not None:
            self.explained[place] = alteration.explained
        elif not found:
            self.unexplained.append(alteration)

    def lines(self) -> Iterator[str]:
        """The table that a run prints."""
        yield f"{'table':<16} {'column or row':<16} {'found':>6} {'not found':>10}"
        for place in sorted(self.found.keys() | self.missed.keys()):
            table, column = place
            missed = self.missed[place]
            reason = f"  {self.explained.get(place, 'NOT EXPLAINED')}" if missed else ""
            yield f"{table:<16} {column:<16} {self.found[place]:>6} {missed:>10}{reason}"
        total = self.found.total() + self.missed.total()
        yield (
            f"{total} alterations, {self.found.total()} found, {self.missed.total()} not found; "
            f"the database refused {self.refused} others."
        )


def is_found(house: House) -> bool:
    """Whether the audit reports a database, or cannot even open it."""
    try:
        return not house.audited().clean
    except StoreError:
        return True


class SqliteRun:
    """Alters copies of a SQLite database."""

    def __init__(self, house: House, folder: Path, *, seed: int) -> None:
        self._house = house
        self._folder = folder
        self._random = random.Random(seed)
        self._work = folder / "altered.db"
        with closing(sqlite3.connect(house.database)) as connection:
            # One file without a log beside it is simple to copy.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")
            self.tamperer = Tamperer(
                lambda statement: connection.execute(statement).fetchall(), seed=seed, sqlite=True
            )

    def alter(self, alteration: Alteration, outcome: Outcome) -> None:
        """Make one alteration and audit the result."""
        self._copy()
        try:
            with closing(sqlite3.connect(self._work)) as connection:
                connection.execute(alteration.statement)
                connection.commit()
        except sqlite3.Error:
            outcome.refused += 1
            return
        outcome.add(alteration, found=is_found(self._altered))

    def damage(self, outcome: Outcome) -> None:
        """Overwrite some bytes of the file and audit the result, if that has changed a row."""
        self._copy()
        self._work.write_bytes(damaged_bytes(self._work.read_bytes(), self._random))
        if self._content(self._work) == self._content(Path(self._house.database)):
            outcome.refused += 1
            return
        alteration = Alteration(STRUCTURE, "bytes", "damaged", "")
        outcome.add(alteration, found=is_found(self._altered))

    @property
    def _altered(self) -> House:
        return replace(self._house, database=str(self._work))

    def _copy(self) -> None:
        for left in self._folder.glob("altered.db*"):
            left.unlink()
        shutil.copyfile(self._house.database, self._work)

    def _content(self, path: Path) -> object:
        try:
            with closing(sqlite3.connect(path)) as connection:
                connection.text_factory = bytes
                schema = connection.execute("SELECT * FROM sqlite_schema").fetchall()
                return schema, [connection.execute(f"SELECT * FROM {t}").fetchall() for t in KEYS]
        except (sqlite3.Error, UnicodeError) as error:
            return type(error)


class PostgresRun:
    """Alters copies of a PostgreSQL database."""

    def __init__(self, house: House, server: PostgresServer, *, seed: int) -> None:
        self._house = house
        self._server = server
        self._template = house.database.partition(":///")[2].partition("?")[0]
        self.tamperer = Tamperer(
            lambda statement: server.run(statement, url=house.database), seed=seed, sqlite=False
        )

    def alter(self, alteration: Alteration, outcome: Outcome) -> None:
        """Make one alteration and audit the result."""
        self._server.run("DROP DATABASE IF EXISTS altered")
        self._server.run(f"CREATE DATABASE altered TEMPLATE {self._template}")
        url = self._server.url_of("altered")
        try:
            self._server.run(alteration.statement, url=url)
        except psycopg.Error:
            outcome.refused += 1
            return
        outcome.add(alteration, found=is_found(replace(self._house, database=url)))


def run_all(
    run: SqliteRun | PostgresRun, outcome: Outcome, *, each: int, done: Callable[[], object]
) -> None:
    """Make this many alterations of each kind."""
    for alteration in run.tamperer.alterations(each):
        run.alter(alteration, outcome)
        done()
