"""Measures how much tables that feed one progressive link delay each other, on PostgreSQL.

Each table is run by a thread with a store and a memory of the link of its own, as in its own
process, and plays rounds of two players as fast as it can. A second thread folds the link as often
as a floor does. The same tables play once without a link, once with a link each, and once with one
link for all; a commit that finds the link changed is decided and written again. The figures are
conflicts of confirmations for each round and how much slower rounds are, as ratios of runs that
follow one another at once; another load on the machine shows in them. In the end the books of the
link are compared with what was played, to the last fraction.
"""

import random
import threading
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.requests import Answer, Request
from openfelt.runtime.shuffle.entropy import SystemEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.floor import LINKS_MS
from openfelt.runtime.tables.open_table import write_table
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Commit, Conflict, Store
from openfelt.table.commands import BuyIn, OpenTable, Person, Role, TableCommand, TakeSeat
from openfelt.table.links.link_referee import OpenLink
from tests.kit.own_houses import own_house
from tests.kit.postgres_server import postgres_server
from tests.kit.processes.bots import dealer_wants, needs_money, player_wants

TABLES: Final = (1, 4, 8)
ROUNDS: Final = 15
FLOOR: Final = Person(Role.FLOOR, "eve")
BUY_IN_CENTS: Final = 10_000_000
AGAIN_CENTS: Final = 100_000
_IDS: Final = count(1)
WAYS: Final = ("no link", "a link each", "one link")


@dataclass
class Counted:
    """What one table has done."""

    rounds: int = 0
    conflicts: int = 0
    seconds: list[float] = field(default_factory=list)


class Desk:
    """A table with two players that play by themselves."""

    def __init__(self, database: str, table: str, link: str | None, stack: ExitStack) -> None:
        self.store: Store = stack.enter_context(closing(open_store(database)))
        self.counted = Counted()
        worker_services = WorkerServices.of(self.store, Shuffler(SystemEntropy()), SystemClock())
        self._count_conflicts()
        self.worker_services, self.link = worker_services, link
        if link is not None:
            opening = OpenLink(link=link, contribution=Fraction(1, 4), seed_cents=1_000_000)
            # Another table may have opened it.
            with suppress(Refusal):
                worker_services.links.command(link, opening)
        house = own_house("washington", {"table.dealer": "virtual"})
        write_table(
            worker_services, OpenTable(table=table, house=house, link=link), by=FLOOR, lease=None
        )
        self.worker = TableWorker.start(worker_services, table, None)
        self.random = random.Random(table)
        self.players = (f"{table}.a", f"{table}.b")
        cashier = Cashier(self.store, worker_services.codec, SystemClock())
        for seat, player in enumerate(self.players, start=1):
            cashier.deposit(player, 2 * BUY_IN_CENTS, id="1")
            self._do(TakeSeat(seat), Person(Role.PLAYER, player))
            self._do(BuyIn(seat, BUY_IN_CENTS), Person(Role.PLAYER, player))

    def _count_conflicts(self) -> None:
        commit = self.store.commit

        def counting(wanted: Commit) -> object:
            try:
                return commit(wanted)
            except Conflict:
                # A fold that comes second has nothing left to do.
                self.counted.conflicts += wanted.appends[0].stream.startswith("table/")
                raise

        self.store.commit = counting  # type: ignore[method-assign,assignment]

    def _do(self, command: TableCommand, by: Person) -> None:
        answer = self._ask(command, by)
        assert answer.accepted, answer

    def _ask(self, command: TableCommand, by: Person) -> Answer:
        request = Request(by=by, command=command, id=f"{next(_IDS)}")
        (answer,) = self.worker.handle([request])
        return answer

    def play(self, ready: threading.Barrier) -> None:
        """Play some rounds, after all tables are ready."""
        ready.wait()
        began = time.perf_counter()
        while self.counted.rounds < ROUNDS:
            table = self.worker.table
            before = table.rounds if table.playing is not None else None
            for seat, player in enumerate(self.players, start=1):
                if needs_money(self.worker.table, player):
                    self._do(BuyIn(seat, AGAIN_CENTS), Person(Role.PLAYER, player))
                wanted = player_wants(self.worker.table, player, self.random, opens=True)
                if wanted is not None:
                    self._ask(wanted, Person(Role.PLAYER, player))
            if (dealt := dealer_wants(self.worker.table, self.random)) is not None:
                self._ask(dealt, FLOOR)
            if before is not None and self.worker.table.playing is None:
                self.counted.rounds += 1
                self.counted.seconds.append(time.perf_counter() - began)
                began = time.perf_counter()

    def fold(self, over: threading.Event) -> None:
        """Fold the link as a floor does, until all rounds are played."""
        while self.link is not None and not over.wait(LINKS_MS / 1000):
            self.worker_services.links.refresh({self.link: [self.worker.table.id]})


def check_books(desks: list[Desk]) -> None:
    """Every wager is in the meter or the reserve of its link, and every round is counted."""
    for link in {desk.link for desk in desks if desk.link is not None}:
        desks[0].worker_services.links.fold(link)
        current = desks[0].worker_services.links.reload(link)
        assert current.link is not None
        assert not current.waiting
        meter = current.link.meter
        paid = meter.awarded + meter.envied
        assert meter.seeded + meter.contributed == meter.amount + meter.reserve + paid


def played(database: str, tables: int, way: str) -> tuple[float, float]:
    """The rounds a second of all tables, and the conflicts for each round."""
    with ExitStack() as stack:
        desks = []
        for number in range(tables):
            link = {"no link": None, "a link each": f"link-{number}", "one link": "main"}[way]
            desks.append(Desk(database, f"table-{number}", link, stack))
        ready = threading.Barrier(tables)
        threads = [threading.Thread(target=desk.play, args=(ready,)) for desk in desks]
        over = threading.Event()
        folders = [threading.Thread(target=desk.fold, args=(over,)) for desk in desks]
        began = time.perf_counter()
        for thread in (*threads, *folders):
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - began
        over.set()
        for thread in folders:
            thread.join()
        check_books(desks)
        rounds = sum(desk.counted.rounds for desk in desks)
        conflicts = sum(desk.counted.conflicts for desk in desks)
    return rounds / seconds, conflicts / rounds


def main() -> None:
    """Print conflicts and ratios for each number of tables."""
    with postgres_server(durable=True) as server:
        for tables in TABLES:
            results = {way: played(server.fresh_database(), tables, way) for way in WAYS}
            base = results["no link"][0]
            for way, (pace, conflicts) in results.items():
                print(
                    f"{tables} tables, {way}: {pace:.1f} rounds a second "
                    f"({pace / base:.2f} of those without a link), "
                    f"{conflicts:.2f} conflicts a round"
                )
