"""Where a contract is tried: one database of each kind, and short ways to write to it."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from openfelt.ledger import Account, AccountKind, Reason, Transfer
from openfelt.storage import Append, Cause, Commit, Head, NewEvent, Store
from openfelt.storage.postgres import PostgresStore
from openfelt.storage.sqlite import SqliteStore
from openfelt.storage.streams.append_keys import APPENDS_STREAM
from tests.kit.postgres_server import PostgresServer

CASH = Account(AccountKind.CASH)
HOUSE = Account(AccountKind.HOUSE)
ALICE = Account(AccountKind.WALLET, "alice")
BOB = Account(AccountKind.WALLET, "bob")


class Clock:
    """A stopped clock, which a test moves."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


class Place:
    """A database that several stores may open; all go by one clock."""

    def __init__(self, address: Path | str, server: PostgresServer | None = None) -> None:
        self.address = address
        self.clock = Clock()
        self._server = server
        self._stores: list[Store] = []

    def open(self, *, now_ms: Callable[[], int] | None = None) -> Store:
        """Open a store here, which is closed after the test."""
        clock = now_ms or self.clock
        store: Store
        if isinstance(self.address, Path):
            store = SqliteStore(self.address, now_ms=clock, busy_ms=30_000)
        else:
            store = PostgresStore(self.address, now_ms=clock)
        self._stores.append(store)
        return store

    def fill(self, source: Path | str) -> None:
        """Let the database begin as a copy of another one of its kind, which is not in use."""
        if isinstance(self.address, Path):
            shutil.copyfile(source, self.address)
        else:
            assert self._server is not None
            self._server.fill(self.address, source=str(source))

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement behind the stores' backs."""
        if self._server is not None:
            return self._server.run(statement, url=str(self.address))
        with closing(sqlite3.connect(self.address, isolation_level=None)) as connection:
            return connection.execute(statement).fetchall()

    def close(self) -> None:
        """Close every store that was opened here."""
        for store in self._stores:
            store.close()


SYSTEM_CAUSE = Cause(actor="system:openfelt")


def event(
    *transfers: Transfer,
    name: str = "bets_closed",
    body: str = "{}",
    command: str | None = None,
    actor: str = "alice",
) -> NewEvent:
    """An event with the money that moves, the last one of a command if one is named."""
    cause = SYSTEM_CAUSE if command is None else caused_by(command, actor=actor)
    return NewEvent(name=name, schema=1, body=body, cause=cause, transfers=transfers)


def caused_by(command: str, *, actor: str = "alice", terminal: str = "device:1") -> Cause:
    """The cause of the last event of a command."""
    return Cause(actor=actor, terminal=terminal, command=command, digest=f"digest of {command}")


def move(debit: Account, credit: Account, cents: int, reason: Reason = Reason.DEPOSIT) -> Transfer:
    """A transfer."""
    return Transfer(debit=debit, credit=credit, cents=cents, reason=reason)


def write(
    store: Store, stream: str, expected: int, *events: NewEvent, at_ms: int = 1000, **rest: Any
) -> Head:
    """Commit one append, and give the stream's new head."""
    append = Append(stream=stream, expected_version=expected, events=events, **rest)
    return store.commit(Commit(at_ms=at_ms, appends=(append,)))[stream]


def contents(place: Place) -> dict[str, list[str]]:
    """Every row of every table but of the store's own stream, to show that nothing has changed."""
    tables = (
        *("streams", "events", "transfers", "balances", "answers"),
        *("secrets", "snapshots", "rule_sets", "checkpoints"),
    )
    return {
        table: sorted(
            repr(row) for row in place.run(f"SELECT * FROM {table}") if row[0] != APPENDS_STREAM
        )
        for table in tables
    }
