"""A long history for measurements: private tables played by the real worker, in parts.

A part is a database of some tables with thirty days of play. Parts are made and audited in separate
processes, kept in a folder for the next time, and added to each other: streams are independent, so
only transfers are numbered anew and balances added up, also in where the audit of each part has
ended.
"""

import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import msgspec

from openfelt.catalog import load_house
from openfelt.rules import Bet, CloseBets, MakeDecision, SetWagers, Spot, Wager, WagerKind
from openfelt.runtime.audit.database import audit_from
from openfelt.runtime.audit.progress.progress_state import AuditState
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.requests import Request
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.open_table import write_table
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.sqlite import SqliteStore
from openfelt.storage.streams import code_changes
from openfelt.storage.streams.append_keys import APPENDS_STREAM
from openfelt.table.commands import BuyIn, OpenTable, Person, Role, TableCommand, TakeSeat
from tests.kit.audit.forgeries import recode, recode_snapshots

START_MS = 1_767_225_600_000
"""The first moment of 2026, UTC."""
DAY_MS = 86_400_000
PART_DAYS = 30
TABLES = 5
"""How many tables a part has."""
BATCH_ROUNDS = 50
SPOT = Spot(1, 1)
ROUND: tuple[TableCommand, ...] = (
    SetWagers(SPOT, (Wager(WagerKind.ANTE, 100),)),
    CloseBets(),
    MakeDecision(SPOT, Bet(4)),
)
DATABASE = "be" * 16
"""The id of the database whose parts these are."""
KEYS = f"00000bec:{'be' * 32}"
"""The key with which the cards of kept parts are encrypted; it protects nothing."""

Progress = Callable[[int, int], object]


class PartClock:
    """A clock that the play of a part moves on."""

    def __init__(self, now_ms: int) -> None:
        self.now_ms = now_ms

    def wall_ms(self) -> int:
        """The time of the play."""
        return self.now_ms

    def monotonic_ms(self) -> int:
        """The same time."""
        return self.now_ms


class Player:
    """A player at a private table."""

    def __init__(self, store: SqliteStore, part: int, number: int, *, start_ms: int) -> None:
        self.clock = PartClock(start_ms)
        self.name = f"p{part}-{number}"
        self.table = f"t{part}-{number}"
        self.worker_services = WorkerServices.of(
            store, Shuffler(SeededEntropy(part * 1000 + number)), self.clock
        )
        command = OpenTable(table=self.table, house=load_house("online"), private_to=self.name)
        write_table(self.worker_services, command, by=Person(Role.FLOOR, "eve"), lease=None)
        cashier = Cashier(store, self.worker_services.codec, self.clock)
        cashier.deposit(self.name, 10_000_000_000, id="deposit")
        self.worker = TableWorker.start(self.worker_services, self.table, None)
        self.do(TakeSeat(1), BuyIn(1, 5_000_000_000))

    def do(self, *commands: TableCommand) -> None:
        """Give commands in one transaction."""
        start = self.worker.head.version
        requests = [
            Request(by=Person(Role.PLAYER, self.name), command=command, id=f"{start}-{number}")
            for number, command in enumerate(commands)
        ]
        for answer in self.worker.handle(requests):
            assert answer.accepted, answer


class Part(msgspec.Struct, frozen=True):
    """What is kept beside the file of a part."""

    played_seconds: float
    """The processor time of its play."""
    audited_seconds: float
    """The processor time of its audit."""
    state: AuditState
    """Where its audit has ended."""


def part_of(path: Path) -> Part:
    """What is kept beside the file of a part."""
    return msgspec.json.decode(_kept_path(path).read_bytes(), type=Part)


def _kept_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.audited.json")


def make_part(path: Path, part: int, rounds: int) -> None:
    """Play a part of the history into a new file, and audit it."""
    os.environ["OPENFELT_KEYS"] = KEYS
    unfinished = path.with_name(f"{path.name}.unfinished")
    for leftover in path.parent.glob(f"{unfinished.name}*"):
        leftover.unlink()
    started = time.process_time()
    with patch.object(code_changes, "new_id", lambda: DATABASE):
        _play_part(unfinished, part, rounds)
    played = time.process_time()
    with closing(SqliteStore(unfinished)) as store:
        report, state = audit_from(store, None)
    assert report.findings == (), report.findings
    assert state is not None
    kept = Part(played - started, time.process_time() - played, state)
    _kept_path(path).write_bytes(msgspec.json.encode(kept))
    unfinished.rename(path)


def _play_part(path: Path, part: int, rounds: int) -> None:
    with closing(SqliteStore(path)) as store:
        start_ms = START_MS + part * PART_DAYS * DAY_MS
        players = [Player(store, part, number, start_ms=start_ms) for number in range(TABLES)]
        each = rounds // TABLES
        for done in range(0, each, BATCH_ROUNDS):
            for player in players:
                batch = min(BATCH_ROUNDS, each - done)
                share = PART_DAYS * DAY_MS * (done + batch) // each
                player.clock.now_ms = start_ms + share - 1
                player.do(*ROUND * batch)
        store.scrub()


def kept_parts(
    folder: Path, *, parts: int, rounds: int, progress: Progress | None = None
) -> list[Path]:
    """The files of the parts; those that are not there yet are made, one on each processor."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"part-{rounds}-{part}.db" for part in range(parts)]
    missing = [part for part, path in enumerate(paths) if not path.exists()]
    done = parts - len(missing)
    with ProcessPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        making = [pool.submit(make_part, paths[part], part, rounds) for part in missing]
        for made in as_completed(making):
            made.result()
            done += 1
            if progress is not None:
                progress(done, parts)
    return paths


def add_part(database: Path, part: Path) -> int:
    """Add a part to a database of the same schema; gives by how much its transfers were moved."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("ATTACH ? AS part", (str(part),))
        connection.execute("BEGIN IMMEDIATE")
        ((last,),) = connection.execute("SELECT coalesce(max(number), 0) FROM transfers").fetchall()
        # All parts have the id of one database, and the record of it from the first part.
        for table, stream in (("streams", "name"), ("events", "stream")):
            connection.execute(
                f"INSERT INTO main.{table} SELECT * FROM part.{table} WHERE {stream} <> ?",
                (APPENDS_STREAM,),
            )
        for table in ("secrets", "snapshots"):
            connection.execute(f"INSERT INTO main.{table} SELECT * FROM part.{table}")
        for table in ("rule_sets", "event_forms"):
            connection.execute(f"INSERT OR IGNORE INTO main.{table} SELECT * FROM part.{table}")
        columns = "stream, version, at_ms, debit, credit, cents, reason, round, clause, note"
        connection.execute(
            f"INSERT INTO main.transfers (number, {columns})"
            f" SELECT number + ?, {columns} FROM part.transfers ORDER BY number",
            (last,),
        )
        connection.execute(
            "INSERT INTO main.balances (account, cents) SELECT account, cents FROM part.balances"
            " WHERE true ON CONFLICT (account) DO UPDATE SET cents = cents + excluded.cents"
        )
        # Each part was a database of its own, with codes of its own.
        for (stream,) in connection.execute("SELECT name FROM part.streams").fetchall():
            recode(connection, stream)
        recode_snapshots(connection)
        connection.execute("COMMIT")
    return int(last)


def added_state(before: AuditState, part: AuditState, moved: int) -> AuditState:
    """Where the audits of a database and of a part that was added to it have ended."""
    streams = {
        name: msgspec.structs.replace(
            audited,
            position=replace(
                audited.position,
                # A stream without transfers has none that could move.
                transfer=audited.position.transfer and audited.position.transfer + moved,
            ),
        )
        for name, audited in part.streams.items()
        if name != APPENDS_STREAM
    }
    balances = Counter(before.balances)
    balances.update(part.balances)
    return msgspec.structs.replace(
        before,
        events=before.events + part.events,
        streams=before.streams | streams,
        transfer=moved + part.transfer,
        balances={account: cents for account, cents in sorted(balances.items()) if cents},
    )
