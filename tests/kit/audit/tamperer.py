"""A random tamperer: alters a database one value or one row at a time, in every table and column.

It needs no key of the house. What an audit does not find of it must be explained here, and on the
page about durability.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

Run = Callable[[str], Sequence[tuple[Any, ...]]]
"""Runs a statement behind the store's back."""

KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "streams": ("name",),
    "events": ("stream", "version"),
    "transfers": ("number",),
    "balances": ("account",),
    "answers": ("stream", "actor", "command"),
    "secrets": ("stream", "name"),
    "snapshots": ("stream",),
    "rule_sets": ("fingerprint",),
    "checkpoints": ("number",),
    "event_forms": ("name",),
    "archives": ("number",),
    "members": ("name",),
    "openfelt_schema": ("version",),
}
"""The tables, and the columns that identify a row."""

EXPLAINED: Final[Mapping[tuple[str, str], str]] = {
    ("streams", "fence"): "the number of a table's lease",
    ("streams", "owner"): "the owner of a table's lease",
    ("streams", "until_ms"): "the end of a table's lease",
    ("streams", "added"): "a lease of a table that does not exist",
    ("balances", "deleted"): "a balance of zero",
    ("balances", "added"): "a balance of zero",
    ("balances", "account"): "a balance of zero",
    ("snapshots", "deleted"): "a snapshot, which only saves time",
    ("transfers", "number"): "the number of a transfer, where the order stays the same",
    ("answers", "added"): "a refusal of an earlier version",
    ("event_forms", "deleted"): "a form of an event that an earlier version wrote as well",
    ("event_forms", "name"): "a form of an event that an earlier version wrote as well",
    ("event_forms", "schema"): "a form of an event that only an archive has",
    ("rule_sets", "deleted"): "a rule set that no event names",
    **{
        ("members", what): "the list of running processes"
        for what in (
            *("name", "home", "run", "role", "version", "started_ms", "beat_ms", "until_ms"),
            "lag_ms",
            *("drained", "deleted", "added"),
        )
    },
}
"""What an audit need not find, by table and column or kind, and what it is."""


class Alteration(NamedTuple):
    """One change of one row."""

    table: str
    column: str
    """The column, or ``deleted`` or ``added`` for a whole row."""
    kind: str
    statement: str

    @property
    def explained(self) -> str | None:
        """What it is, if it need not be found."""
        return EXPLAINED.get((self.table, self.column))


class Tamperer:
    """Thinks of alterations of one database."""

    def __init__(self, run: Run, *, seed: int, sqlite: bool) -> None:
        self._run = run
        self._random = random.Random(seed)
        self._sqlite = sqlite
        self._columns = {table: self._columns_of(table) for table in KEYS}
        self._rows = {table: list(run(f"SELECT * FROM {table}")) for table in KEYS}

    def alterations(self, each: int) -> Iterator[Alteration]:
        """So many alterations of every column, and of the rows of every table."""
        for table, columns in self._columns.items():
            if not self._rows[table]:
                continue
            for number, column in enumerate(columns):
                for _ in range(each):
                    yield self._changed(table, number, column, self._row(table))
            for _ in range(each):
                where = self._where(table, self._row(table))
                yield Alteration(table, "deleted", "deleted", f"DELETE FROM {table} WHERE {where}")
                yield self._added(table)
        for kind in self._kinds("events"):
            for _ in range(each):
                yield self._changed_event(kind)

    def _kinds(self, table: str) -> dict[str, list[tuple[Any, ...]]]:
        """The rows of a table by the kind of their stream; in one, if they have none."""
        columns, kinds = self._columns[table], dict[str, list[tuple[Any, ...]]]()
        at = columns.index("stream") if "stream" in columns else None
        for row in self._rows[table]:
            kind = "" if at is None else str(row[at]).partition("/")[0]
            kinds.setdefault(kind, []).append(row)
        return kinds

    def _row(self, table: str) -> tuple[Any, ...]:
        """A row of any kind of stream: a rare kind is chosen as often as a table's."""
        kinds = self._kinds(table)
        return self._random.choice(kinds[self._random.choice(sorted(kinds))])

    def _changed_event(self, kind: str) -> Alteration:
        """A change of any column of an event, named after the kind of its stream."""
        number = self._random.randrange(len(self._columns["events"]))
        row = self._random.choice(self._kinds("events")[kind])
        changed = self._changed("events", number, self._columns["events"][number], row)
        return changed._replace(column=f"of {kind}")

    def _columns_of(self, table: str) -> list[str]:
        if self._sqlite:
            query = f"SELECT name FROM pragma_table_info('{table}')"
        else:
            query = (
                "SELECT column_name FROM information_schema.columns WHERE table_schema = "
                f"current_schema() AND table_name = '{table}' ORDER BY ordinal_position"
            )
        return [str(name) for (name,) in self._run(query)]

    def _where(self, table: str, row: tuple[Any, ...]) -> str:
        columns = self._columns[table]
        return " AND ".join(
            f"{column} = {literal(row[columns.index(column)])}" for column in KEYS[table]
        )

    def _changed(self, table: str, number: int, column: str, row: tuple[Any, ...]) -> Alteration:
        kind, value = self._another(table, number, column, row[number])
        where = self._where(table, row)
        return Alteration(
            table, column, kind, f"UPDATE {table} SET {column} = {value} WHERE {where}"
        )

    def _another(self, table: str, number: int, column: str, value: Any) -> tuple[str, str]:
        """The kind of a change, and another value as SQL."""
        others = sorted({row[number] for row in self._rows[table]} - {value}, key=repr)
        choices: list[tuple[str, str]] = []
        if others:
            choices.append(("value of another row", literal(self._random.choice(others))))
        if isinstance(value, int):
            step = self._random.choice((1, -1, 1000, 60_000))
            choices.append(("another number", literal(value + step)))
        elif value is None:
            choices.append(("a text", literal("x")))
        else:
            choices.append(("another text", literal(self._mistyped(value))))
            if value:
                choices.append(("emptied", "''"))
                choices.append(("cut short", literal(value[: len(value) // 2])))
            if self._sqlite:
                choices.append(("not UTF-8", f"CAST(X'FF' AS TEXT) || substr({column}, 2)"))
        return self._random.choice(choices)

    def _mistyped(self, value: str) -> str:
        if not value:
            return "x"
        at = self._random.randrange(len(value))
        other = self._random.choice([sign for sign in "0a9Z" if sign != value[at]])
        return value[:at] + other + value[at + 1 :]

    def _added(self, table: str) -> Alteration:
        """A copy of a row under another key."""
        row = list(self._row(table))
        columns = self._columns[table]
        at = columns.index(self._random.choice(KEYS[table]))
        far = self._random.choice((1, 100_000))
        row[at] = row[at] + far if isinstance(row[at], int) else f"{row[at]}-2"
        names, values = ", ".join(columns), ", ".join(map(literal, row))
        overriding = "" if self._sqlite else " OVERRIDING SYSTEM VALUE"
        statement = f"INSERT INTO {table} ({names}){overriding} VALUES ({values})"
        return Alteration(table, "added", "added", statement)


def literal(value: Any) -> str:
    """A value as SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, int):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def damaged_bytes(data: bytes, source: random.Random) -> bytes:
    """A SQLite file in which a few bytes behind its header are others."""
    at = source.randrange(200, len(data) - 64)
    length = source.choice((1, 8, 64))
    return data[:at] + source.randbytes(length) + data[at + length :]
