"""The machine's disk: one SQLite file, and what a loss of power leaves of it.

A power loss is taken at its worst moment: while a commit is being written. What reached the
disk of it is a part of what the commit changed in the write-ahead log.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from openfelt.storage.postgres import PostgresStore
from openfelt.storage.sqlite import SqliteStore
from tests.simulation.sim_clock import SimulatedClock

SECTOR_BYTES = 512


class SimulatedStore(SqliteStore):
    """The real store. It need not wait for the disk, whose failures are simulated."""

    def _connect(self) -> sqlite3.Connection:
        connection = super()._connect()
        connection.execute("PRAGMA synchronous = OFF")
        return connection


AnyStore = SqliteStore | PostgresStore
StoreMaker = Callable[[Path, SimulatedClock], AnyStore]


def simulated_store(path: Path, clock: SimulatedClock) -> SqliteStore:
    """A sound store."""
    return SimulatedStore(path, now_ms=clock.wall_ms)


@dataclass(frozen=True, slots=True)
class Image:
    """The files of the database at one moment."""

    database: bytes
    log: bytes


@dataclass(frozen=True, slots=True)
class Tear:
    """How much of a commit reached the disk."""

    kind: str
    left: Image
    whole: bool
    """Whether all of it did."""


class Disk:
    """Holds the database, opens stores on it, and loses power."""

    def __init__(self, folder: Path | None, clock: SimulatedClock, make_store: StoreMaker) -> None:
        """Without a folder the database is elsewhere, and a subclass says where."""
        self._folder = folder or Path()
        self._clock = clock
        self._make_store = make_store
        self._losses = 0
        self._opened: list[AnyStore] = []

    @property
    def path(self) -> Path:
        """The database as it is since the last loss of power."""
        return self._folder / f"floor-{self._losses}.db"

    @property
    def database(self) -> str:
        """The database as a program is told where it is."""
        return str(self.path)

    def open(self) -> AnyStore:
        """Open the store as a process does."""
        store = self._make_store(self.path, self._clock)
        self._opened.append(store)
        return store

    def open_to_look(self) -> AnyStore:
        """Open a sound store, through which the auditor looks at what is written."""
        store = simulated_store(self.path, self._clock)
        self._opened.append(store)
        return store

    def close(self, store: AnyStore) -> None:
        """Close one store."""
        store.close()
        if store in self._opened:
            self._opened.remove(store)

    def close_all(self) -> None:
        """Close every store."""
        for store in self._opened:
            store.close()
        self._opened.clear()

    def image(self) -> Image:
        """The files as they are now."""
        log = self.path.with_name(self.path.name + "-wal")
        return Image(self.path.read_bytes(), log.read_bytes() if log.exists() else b"")

    def torn(self, before: Image, random: Random) -> Tear:
        """What a loss of power leaves of what was written since an image was taken."""
        return torn(before, self.image(), random)

    def lose_power(self, left: Image) -> None:
        """Go on with what was left on the disk; every open store is gone."""
        self.close_all()
        old = self.path
        self._losses += 1
        self.path.write_bytes(left.database)
        if left.log:
            self.path.with_name(self.path.name + "-wal").write_bytes(left.log)
        for file in old.parent.glob(old.name + "*"):
            file.unlink()


def torn(before: Image, after: Image, random: Random) -> Tear:
    """What a loss of power leaves while the files go from one image to the next."""
    if after.database != before.database:
        # The log was brought to the disk before the first page of the database changed.
        cut = _cut(before.database, after.database, random)
        database = after.database[:cut] + before.database[cut:]
        return Tear("while the log was emptied", Image(database, after.log), whole=True)
    start, end = _changed(before.log, after.log)
    if random.random() < 0.35:
        return Tear("just after the commit", after, whole=True)
    if random.random() < 0.5:
        sector = random.randrange(start, end) // SECTOR_BYTES * SECTOR_BYTES
        lost = after.log[:sector] + _piece(before.log, sector) + after.log[sector + SECTOR_BYTES :]
        return Tear("one sector never written", Image(after.database, lost), lost == after.log)
    cut = random.randrange(start, end)
    log = after.log[:cut] + before.log[cut:]
    return Tear("log cut short", Image(after.database, log), log == after.log)


def _piece(log: bytes, at: int) -> bytes:
    """What lay in a sector before; nothing but zeros beyond the old end."""
    return log[at : at + SECTOR_BYTES].ljust(SECTOR_BYTES, b"\0")


def _cut(before: bytes, after: bytes, random: Random) -> int:
    start, end = _changed(before, after)
    return random.randint(start, end)


def _changed(before: bytes, after: bytes) -> tuple[int, int]:
    """Where two contents differ: the first byte, and the end of the last."""
    start = _alike(before, after)
    if len(before) != len(after):
        return start, max(len(after), start + 1)
    return start, max(len(after) - _alike(before[::-1], after[::-1]), start + 1)


def _alike(one: bytes, other: bytes) -> int:
    """How many bytes are the same at the beginning, found by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
