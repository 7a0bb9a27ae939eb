"""A forger: a person who may write anything to the database, and holds no key of the house."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from openfelt.storage.chain import event_hash
from openfelt.storage.door import FIRST_HASH, Cause, NewEvent
from tests.kit.audit.tamperer import literal

_ROWS: Final = {
    "streams": "name",
    "events": "stream",
    "secrets": "stream",
    "snapshots": "stream",
    "transfers": "stream",
}
"""The tables with rows of a stream, and the columns that name it."""


class Forger:
    """Writes to a database behind the store's back, as skilfully as possible."""

    def __init__(
        self, run: Callable[[str], Sequence[tuple[Any, ...]]], *, numbers: bool = False
    ) -> None:
        """``numbers`` says that the database numbers transfers itself, as PostgreSQL does."""
        self.run = run
        self.numbers = numbers

    def value(self, query: str) -> Any:
        """The single value that a query returns."""
        ((value,),) = self.run(query)
        return value

    def append(
        self, stream: str, name: str, body: dict[str, Any], *, schema: int = 1, moved: bool = True
    ) -> int:
        """Append an event with a correct hash, and move the head to it unless it is left behind.

        Everything is as Openfelt would write it, except for the code of the head.
        """
        query = f"SELECT version, hash, at_ms FROM streams WHERE name = {literal(stream)}"
        ((before, last, at_ms),) = self.run(query)
        cause = Cause(actor="system:openfelt")
        event = NewEvent(name=name, schema=schema, body=json.dumps(body), cause=cause)
        version = int(before) + 1
        own = event_hash(last, stream=stream, version=version, at_ms=at_ms, event=event)
        row = (stream, version, name, schema, event.body, at_ms, last, own, cause.actor, "", "", "")
        self.run(f"INSERT INTO events VALUES ({', '.join(map(literal, row))})")
        if moved:
            self.run(
                f"UPDATE streams SET version = {version}, hash = {literal(own)}"
                f" WHERE name = {literal(stream)}"
            )
        return version

    def rewrite(self, stream: str, version: int, **columns: str) -> None:
        """Change columns of an event, and the hashes of it and of all later events and the head.

        Everything is as Openfelt would write it, except for the code of the head.
        """
        changes = ", ".join(f"{column} = {literal(text)}" for column, text in columns.items())
        self.run(
            f"UPDATE events SET {changes} WHERE stream = {literal(stream)} AND version = {version}"
        )
        self.rehash(stream, after=version - 1)

    def rehash(self, stream: str, *, after: int = 0) -> None:
        """Compute the chain of a stream again, after the event of a version, up to its head."""
        rows = self.run(
            "SELECT version, name, schema, body, at_ms, hash, actor, terminal, command, digest"
            f" FROM events WHERE stream = {literal(stream)} ORDER BY version"
        )
        last = FIRST_HASH
        for version, name, schema, body, at_ms, own, *parts in rows:
            if version > after:
                actor, terminal, command, digest = parts
                cause = Cause(actor=actor, terminal=terminal, command=command, digest=digest)
                event = NewEvent(name=name, schema=schema, body=body, cause=cause)
                hashed = event_hash(last, stream=stream, version=version, at_ms=at_ms, event=event)
                self.run(
                    f"UPDATE events SET previous = {literal(last)}, hash = {literal(hashed)}"
                    f" WHERE stream = {literal(stream)} AND version = {version}"
                )
                own = hashed
            last = own
        self.run(
            f"UPDATE streams SET version = {len(rows)}, hash = {literal(last)},"
            f" at_ms = {rows[-1][4]} WHERE name = {literal(stream)}"
        )

    def cut(self, stream: str, keep: int) -> None:
        """Cut a stream off after the event of a version, with its transfers and secrets."""
        for table in ("events", "transfers", "snapshots"):
            self.run(f"DELETE FROM {table} WHERE stream = {literal(stream)} AND version > {keep}")
        if keep:
            self.rehash(stream, after=keep)
        else:
            self.run(f"DELETE FROM secrets WHERE stream = {literal(stream)}")
            self.run(f"DELETE FROM streams WHERE name = {literal(stream)}")

    def rows_of(self, stream: str) -> dict[str, Sequence[tuple[Any, ...]]]:
        """Every row of a stream, as an administrator may have kept it."""
        return {
            table: self.run(f"SELECT * FROM {table} WHERE {column} = {literal(stream)}")
            for table, column in _ROWS.items()
        }

    def put_back(self, stream: str, rows: dict[str, Sequence[tuple[Any, ...]]]) -> None:
        """Set a stream back to rows that were authentic once, with the balances of the house."""
        for table, column in _ROWS.items():
            self.run(f"DELETE FROM {table} WHERE {column} = {literal(stream)}")
            for row in rows[table]:
                numbered = (
                    " OVERRIDING SYSTEM VALUE" if table == "transfers" and self.numbers else ""
                )
                values = ", ".join(map(literal, row))
                self.run(f"INSERT INTO {table}{numbered} VALUES ({values})")
        self.balance_anew()

    def balance_anew(self) -> None:
        """Make all balances the sums of the transfers that are there."""
        self.run("DELETE FROM balances")
        self.run(
            "INSERT INTO balances (account, cents) SELECT account, sum(cents) FROM"
            " (SELECT credit AS account, cents FROM transfers"
            "  UNION ALL SELECT debit, -cents FROM transfers) AS moved GROUP BY account"
        )

    def book(self, stream: str, version: int, *, debit: str, credit: str, cents: int) -> None:
        """Add a transfer to an event, and change the two balances with it."""
        at_ms = self.value(
            f"SELECT at_ms FROM events WHERE stream = {literal(stream)} AND version = {version}"
        )
        values = (stream, version, at_ms, debit, credit, cents, "deposit", None, None, "")
        self.run(
            "INSERT INTO transfers (stream, version, at_ms, debit, credit, cents, reason, round,"
            f" clause, note) VALUES ({', '.join(map(literal, values))})"
        )
        for account, change in ((debit, -cents), (credit, cents)):
            self.run(
                f"UPDATE balances SET cents = cents + {change} WHERE account = {literal(account)}"
            )
