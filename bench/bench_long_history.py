"""Measures the work of later days on a long history, and how it grows.

A history of a million rounds is played once through the real worker, in 32 parts, and kept in a
folder outside of the source tree: ``openfelt/bench`` below XDG_CACHE_HOME, or the one that
OPENFELT_BENCH_DATA names. OPENFELT_BENCH_ROUNDS sets another number of rounds; ten thousand take a
few minutes. OPENFELT_BENCH_PARTS stops after so many parts of the history.

The parts are added one to another, and whenever their number has doubled each piece of work is
measured: the audit that goes on after another day, the closing of a day, the first page of a
player's history, a restart with every table, and a backup. Each has the time that passed, the time
of the processor, which other work on the machine disturbs less, and the growth of both against the
line before, where the history was half as long. Every part brings five its own tables, so the
restart is divided by their number.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from rich.progress import Progress

from openfelt.runtime.audit.database import audit_from
from openfelt.runtime.audit.progress.progress_state import AuditState
from openfelt.runtime.cage.days.day_book import day_book
from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import StreamKind, names_in
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.server.history.player_rounds import PlayerRounds
from openfelt.storage.backup.backup_file import make_backup, remove_backup
from openfelt.storage.sqlite import SqliteStore
from tests.kit.storage.long_history import (
    DAY_MS,
    KEYS,
    PART_DAYS,
    ROUND,
    START_MS,
    PartClock,
    Player,
    add_part,
    added_state,
    kept_parts,
    part_of,
)

ROUNDS = int(os.environ.get("OPENFELT_BENCH_ROUNDS", "1000000"))
PARTS = 32
USED = int(os.environ.get("OPENFELT_BENCH_PARTS", PARTS))
DAY_ROUNDS = 50
"""How many rounds are played on the day before each measurement."""


def cache_folder() -> Path:
    """Where the parts of the history are kept."""
    named = os.environ.get("OPENFELT_BENCH_DATA")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "openfelt" / "bench"


class Took(NamedTuple):
    """How long a piece of work took, in seconds."""

    passed: float
    processor: float

    def per(self, number: int) -> "Took":
        """The time of one of so many like pieces."""
        return Took(self.passed / number, self.processor / number)


def seconds(work: Callable[[], object]) -> Took:
    """How long a piece of work takes."""
    started, busy = time.perf_counter(), time.process_time()
    work()
    return Took(time.perf_counter() - started, time.process_time() - busy)


class LongHistory:
    """A database that grows part by part."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parts = 0
        self.state: AuditState | None = None
        self._before: list[Took] = []

    def grow(self, path: Path) -> None:
        """Add a part, and where its audit has ended."""
        part, rounds = part_of(path), ROUNDS / PARTS
        if self.state is None:
            shutil.copyfile(path, self.path)
            self.state = part.state
        else:
            self.state = added_state(self.state, part.state, add_part(self.path, path))
        self.parts += 1
        print(
            f"  part {self.parts}: played with {rounds / part.played_seconds:,.0f} and audited with"
            f" {rounds / part.audited_seconds:,.0f} rounds a second of one processor",
            flush=True,
        )

    @property
    def end_ms(self) -> int:
        """The end of the play."""
        return START_MS + self.parts * PART_DAYS * DAY_MS

    def _audit(self) -> None:
        with closing(SqliteStore(self.path)) as store:
            report, self.state = audit_from(store, self.state)
        assert report.findings == (), report.findings
        assert self.state is not None

    def measure(self) -> None:
        """Measure everything after one more day, and print it with its growth."""
        rounds = ROUNDS * self.parts // PARTS
        size = self.path.stat().st_size / 1e6
        print(f"{rounds:,} rounds, {size:,.0f} MB", flush=True)
        self._play_a_day()
        with closing(SqliteStore(self.path)) as store:
            tables = len(names_in(store, StreamKind.TABLE))
        measured = {
            "audit, going on": seconds(self._audit),
            "closing of a day": seconds(self._close_day),
            "first page of a history": seconds(self._first_page),
            f"restart, of {tables} tables each": seconds(self._restart).per(tables),
            "backup, verified": seconds(self._back_up),
        }
        for number, (name, took) in enumerate(measured.items()):
            growth = ""
            if self._before:
                before = self._before[number]
                growth = (
                    f"   x {took.passed / before.passed:.2f}"
                    f"   x {took.processor / before.processor:.2f}"
                )
            print(
                f"  {name:28} {took.passed * 1000:10,.1f} ms, processor"
                f" {took.processor * 1000:10,.1f} ms{growth}",
                flush=True,
            )
        self._before = list(measured.values())

    def _play_a_day(self) -> None:
        """Play some rounds at a new table on the last day, and close this day.

        The days before it are closed and audited first, without being measured.
        """
        clock = PartClock(self.end_ms - DAY_MS // 2)
        with closing(SqliteStore(self.path)) as store:
            DayClosings(store).close_due(clock)
        self._audit()
        with closing(SqliteStore(self.path)) as store:
            player = Player(store, 1000 + self.parts, 0, start_ms=clock.now_ms)
            player.do(*ROUND * DAY_ROUNDS)
            DayClosings(store).close_due(PartClock(self.end_ms + 1))

    def _close_day(self) -> None:
        day = datetime.fromtimestamp(self.end_ms / 1000 - 1, UTC).date()
        with closing(SqliteStore(self.path)) as store:
            assert day_book(store, day).reconciled

    def _first_page(self) -> None:
        with closing(SqliteStore(self.path)) as store:
            page = PlayerRounds(store).rounds("t0-0", "p0-0", below=None, limit=20)
        assert page

    def _restart(self) -> None:
        with closing(SqliteStore(self.path)) as store:
            clock = PartClock(self.end_ms)
            worker_services = WorkerServices.of(store, Shuffler(SeededEntropy(1)), clock)
            for table in names_in(store, StreamKind.TABLE):
                TableWorker.start(worker_services, table, None)

    def _back_up(self) -> None:
        target = self.path.with_name("backup")
        make_backup(str(self.path), target)
        remove_backup(target)


def main() -> None:
    """Make the history where it is missing, and measure it at every doubling."""
    os.environ["OPENFELT_KEYS"] = KEYS
    folder = cache_folder()
    print(f"The history is kept in {folder}.", flush=True)
    with Progress(transient=True) as progress:
        playing = progress.add_task("playing the history", total=USED)
        parts = kept_parts(
            folder,
            parts=USED,
            rounds=ROUNDS // PARTS,
            progress=lambda done, _: progress.update(playing, completed=done),
        )
    with tempfile.TemporaryDirectory(dir=folder) as place:
        history = LongHistory(Path(place) / "felt.db")
        for number, part in enumerate(parts, start=1):
            history.grow(part)
            if number & (number - 1) == 0:
                history.measure()


if __name__ == "__main__":
    main()
