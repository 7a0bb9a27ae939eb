"""Measures the cost of durability: commands at tables compared with plain commits of one row.

Each measurement runs on a SQLite file and on a PostgreSQL server with fsync on: the cost of a
single command compared with one INSERT of one row; the commands per second when 500 terminals
bet at once and share transactions, compared with one transaction for each; and the whole rounds
per second of a stadium with 500 terminals. Contenders alternate.
"""

import asyncio
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

from bench.aims import note
from openfelt.catalog import load_house
from openfelt.rules import (
    Bet,
    Check,
    CloseBets,
    MakeDecision,
    SetWagers,
    Spot,
    Wager,
    WagerKind,
)
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Store
from openfelt.table.commands import BuyIn, OpenTable, Person, Role, TableCommand, TakeSeat
from tests.kit.postgres_server import postgres_server

ALONE = 400
"""How often each contender writes alone."""
TERMINALS = 500
CROWDS = 5
"""How often 500 terminals bet at once, and one after another."""
ROUNDS = 5
ALONE_MAX = {"SQLite": 2, "PostgreSQL": 3}
"""The targets of one command alone, in plain commits."""
CROWD_MIN = 20.0

FLOOR = Person(Role.FLOOR, "eve")
STREETS = (Check(), Check(), Bet(1))
SLOW = ClockRule(wager_seconds=3600, decision_seconds=3600)
"""A clock that does not run out during a measurement."""

_ids = count(1)


@dataclass(frozen=True)
class Ground:
    """The setup for one kind of store."""

    name: str
    store: Store
    raw_commit: Callable[[], object]
    """Commits one row to a separate database, without Openfelt."""


@contextmanager
def sqlite_ground() -> Iterator[Ground]:
    """A database file of Openfelt, and another one with a single table."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_store(str(Path(folder) / "felt.db"))) as store,
        closing(sqlite3.connect(Path(folder) / "raw.db", isolation_level=None)) as raw,
    ):
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("PRAGMA synchronous = FULL")
        raw.execute("CREATE TABLE raw (number INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        insert = "INSERT INTO raw (body) VALUES (?)"
        yield Ground("SQLite", store, lambda: raw.execute(insert, ("x" * 200,)))


@contextmanager
def postgres_ground() -> Iterator[Ground]:
    """Two databases of one server that has fsync on."""
    with (
        postgres_server(durable=True) as server,
        closing(open_store(server.fresh_database())) as store,
        psycopg.connect(server.fresh_database(), autocommit=True) as raw,
    ):
        raw.execute(
            "CREATE TABLE raw (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
            " body text NOT NULL)"
        )
        insert = b"INSERT INTO raw (body) VALUES (%s)"
        yield Ground("PostgreSQL", store, lambda: raw.execute(insert, ("x" * 200,)))


# A floor with its players ----------------------------------------------------------


def request(player: int, command: TableCommand) -> Request:
    """A player's command with a unique id."""
    return Request(by=Person(Role.PLAYER, f"p{player}"), command=command, id=f"{next(_ids)}")


def bet(player: int, turn: int) -> Request:
    """Wagers that differ from those of the previous turn."""
    ante = Wager(WagerKind.ANTE, 1000 + 100 * (turn % 2))
    return request(player, SetWagers(Spot(player, 1), (ante,)))


async def all_answers(asked: Sequence[Awaitable[Answer]]) -> None:
    """Wait for the answers; each command must be accepted."""
    for answer in await asyncio.gather(*asked):
        assert answer.accepted, answer


def _buy_in(seat: int) -> BuyIn:
    return BuyIn(seat, 20_000_000)


async def open_tables(floor: Floor) -> None:
    """One stadium with all its terminals bought in, and two tables with one player each."""
    for player in range(1, TERMINALS + 1):
        floor.cashier.deposit(f"p{player}", 100_000_000, id="deposit")
    stadium = OpenTable(
        table="stadium",
        house=load_house("stadium"),
        dealer_mode=DealerMode.VIRTUAL,
        clock=SLOW,
    )
    online = [OpenTable(table=name, house=load_house("online")) for name in ("handled", "asked")]
    for command in (stadium, *online):
        await floor.open_table(command, by=FLOOR)
        players = range(1, TERMINALS + 1 if command is stadium else 2)
        for step in (TakeSeat, _buy_in):
            await all_answers(
                [floor.ask(command.table, request(player, step(player))) for player in players]
            )


async def worker_of(floor: Floor, table: str) -> TableWorker:
    """The worker of a table, while its mailbox is paused."""
    return (await floor.mailbox(table)).worker


# What is measured ------------------------------------------------------------------


async def measure_alone(ground: Ground, floor: Floor) -> None:
    """One command at a time, compared with one plain commit at a time."""
    worker = await worker_of(floor, "handled")
    times: dict[str, list[float]] = {"plain commit": [], "worker, handle": [], "floor, ask": []}
    for turn in range(ALONE):
        started = time.perf_counter()
        ground.raw_commit()
        committed = time.perf_counter()
        answers = worker.handle([bet(1, turn)])
        handled = time.perf_counter()
        answers.append(await floor.ask("asked", bet(1, turn)))
        asked = time.perf_counter()
        assert all(answer.accepted for answer in answers)
        taken = (committed - started, handled - committed, asked - handled)
        for kept, seconds in zip(times.values(), taken, strict=True):
            kept.append(seconds)
    raw_ms = statistics.median(times["plain commit"])
    print(f"\n{ground.name}, one command alone (at most {ALONE_MAX[ground.name]} plain commits)")
    for name, all_seconds in times.items():
        median, late = statistics.median(all_seconds), sorted(all_seconds)[-(ALONE // 100) - 1]
        print(
            f"  {name:16} median {median * 1000:7.3f} ms   p99 {late * 1000:7.3f} ms"
            f"   {median / raw_ms:5.2f} plain commits"
        )
    asked_ms = statistics.median(times["floor, ask"])
    note(f"alone_{ground.name.lower()}", asked_ms / raw_ms)


async def measure_crowd(ground: Ground, floor: Floor) -> None:
    """All terminals bet at once, and then one by one, each in its own transaction."""
    worker = await worker_of(floor, "stadium")
    players = range(1, TERMINALS + 1)
    await all_answers([floor.ask("stadium", bet(player, 1)) for player in players])
    together, alone = [], []
    for turn in range(2, 2 + 2 * CROWDS, 2):
        started = time.perf_counter()
        await all_answers([floor.ask("stadium", bet(player, turn)) for player in players])
        shared = time.perf_counter()
        for player in players:
            assert worker.handle([bet(player, turn + 1)])[0].accepted
        together.append(TERMINALS / (shared - started))
        alone.append(TERMINALS / (time.perf_counter() - shared))
    ratio = statistics.median(together) / statistics.median(alone)
    print(f"\n{ground.name}, {TERMINALS} terminals bet at once (at least {CROWD_MIN:.0f} times)")
    print(f"  one transaction each {statistics.median(alone):9,.0f} commands/s")
    print(f"  shared transactions  {statistics.median(together):9,.0f} commands/s")
    print(f"  ratio                {ratio:9.1f}")
    note(f"rate_{ground.name.lower()}", statistics.median(together))
    note(f"ratio_{ground.name.lower()}", ratio)


async def play_round(floor: Floor, turn: int) -> None:
    """One whole round: all players bet, bets close, and all players decide three times."""
    players = range(1, TERMINALS + 1)
    await all_answers([floor.ask("stadium", bet(player, turn)) for player in players])
    closing_bets = Request(by=FLOOR, command=CloseBets(), id=f"{next(_ids)}")
    await all_answers([floor.ask("stadium", closing_bets)])
    for decision in STREETS:
        decisions = (request(player, MakeDecision(Spot(player, 1), decision)) for player in players)
        await all_answers([floor.ask("stadium", decided) for decided in decisions])


async def measure_rounds(ground: Ground, floor: Floor) -> None:
    """Rounds of a full stadium, one after another."""
    worker = await worker_of(floor, "stadium")
    await play_round(floor, 0)
    before, started = worker.head.version, time.perf_counter()
    for turn in range(ROUNDS):
        await play_round(floor, turn)
    seconds, events = time.perf_counter() - started, worker.head.version - before
    commands = ROUNDS * (TERMINALS * (1 + len(STREETS)) + 1)
    print(f"\n{ground.name}, whole rounds with {TERMINALS} terminals")
    print(f"  {ROUNDS / seconds:.2f} rounds/s   {events / seconds:,.0f} events/s", end="   ")
    print(f"{commands / seconds:,.0f} commands/s")


async def measure(ground: Ground) -> None:
    """All measurements on one kind of store."""
    async with Floor(ground.store, owner="bench") as floor:
        await open_tables(floor)
        await measure_alone(ground, floor)
        await measure_crowd(ground, floor)
        await measure_rounds(ground, floor)


def disk_sync_ms() -> float:
    """The time to sync 4 KB to a preallocated file on disk, in milliseconds."""
    with tempfile.TemporaryFile() as file:
        file.write(bytes(1 << 20))
        file.flush()
        os.fsync(file.fileno())
        times = []
        for block in range(200):
            started = time.perf_counter()
            os.pwrite(file.fileno(), b"x" * 4096, block * 4096)
            os.fsync(file.fileno())
            times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


def main() -> None:
    """Print the cost of a single command and of many at once, relative to the plain store."""
    print(f"This disk syncs 4 KB in {disk_sync_ms():.3f} ms.")
    with sqlite_ground() as ground:
        asyncio.run(measure(ground))
    try:
        with postgres_ground() as ground:
            asyncio.run(measure(ground))
    except AssertionError as error:
        print(f"PostgreSQL is skipped: {error}")


if __name__ == "__main__":
    main()
