"""Tables of one link in processes of their own, on both kinds of database: winners who meet, folds
that meet, and processes that are killed in the middle of a fold."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from fractions import Fraction
from functools import partial
from pathlib import Path
from threading import Barrier

import pytest

from openfelt.rules import Confirm
from openfelt.runtime.audit import audit
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.links.links import Links
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage import Store
from openfelt.storage.postgres import commit_trips as postgres_commits
from openfelt.table.commands import OpenBets, Person, Role
from openfelt.table.links.link_events import RoundCounted
from openfelt.table.links.link_referee import OpenLink
from tests.independent.record import check_record
from tests.kit.fixtures import empty_place
from tests.kit.floors import Desk, Shift, StandingClock
from tests.kit.storage.store_places import Place

THIRD = Fraction(333_333, 1_000_000)
"""A part of a wager that leaves a fraction of a cent nearly every time."""
LOSES = ("2c 7d Kc Kd", "3s 8d 9h Js 4c")
PAYS_NINE = ("2c 7d Kc Kd", "2s 2d 9h Js 3c")
ROYAL = ("As Ks 2h 2d", "Qs Js Ts 3c 4d")


class Process(Shift):
    """A process of its own on a database of either kind."""

    def __init__(self, place: Place) -> None:
        self.clock = StandingClock()
        self.any_store: Store = place.open()
        self.worker_services = WorkerServices.of(
            self.any_store, Shuffler(SeededEntropy(1)), self.clock
        )
        self.cashier = Cashier(self.any_store, self.worker_services.codec, self.clock)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A database with an open link."""
    with closing(empty_place(request, tmp_path)) as place:
        opening = OpenLink(link="main", contribution=THIRD, seed_cents=100_000)
        Process(place).worker_services.links.command("main", opening)
        yield place


def seated(place: Place, number: int) -> Desk:
    """A table of the link with a player, in a process of its own."""
    desk = Process(place).open_table("washington", name=f"table-{number}", link="main")
    desk.dealer = Person(Role.DEALER, f"dealer-{number}")
    return desk.sit(f"player-{number}", 1, 500)


def ready(desk: Desk, cards: str, board: str) -> Desk:
    """A round that only waits to be confirmed."""
    player = desk.table.seats[1].player
    desk.do(OpenBets(), "dan").bet(player, "1.1", "ante 10, progressive 1").close().deal(cards)
    return desk.choose(player, "1.1", "4x").deal(board).turn()


def at_once(works: list[Callable[[], object]]) -> None:
    """Run all of these in threads that start together."""
    start = Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        start.wait()
        work()

    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(run, work) for work in works]:
            done.result()


def check_all(place: Place) -> None:
    """The audit, and a checker that shares nothing with the program, find nothing."""
    report = audit(place.open())
    assert report.findings == ()
    check_record(place.address)


def test_winners_and_folds_that_meet_leave_books_exact_to_the_last_fraction(place: Place) -> None:
    """Two tables win the whole meter in one instant, two feed it, and two processes fold it."""
    desks = [seated(place, number) for number in range(1, 5)]
    folders = [Process(place).worker_services.links for _ in range(2)]
    for winners in ((0, 1), (2, 3)):
        for number, desk in enumerate(desks):
            ready(desk, *(ROYAL if number in winners else PAYS_NINE))
        works: list[Callable[[], object]] = [desk.confirm for desk in desks]
        works += [partial(folded_often, links) for links in folders]
        at_once(works)
        check_all(place)
    folders[0].fold("main")
    current = Process(place).worker_services.links.get("main")
    assert current.link is not None
    meter = current.link.meter
    assert (current.waiting, current.link.rounds, current.link.wins) == ((), 8, 4)
    assert current.link.folded == {f"table-{number}": 2 for number in range(1, 5)}
    assert meter.contributed == 800
    assert meter.seeded + meter.contributed == (
        meter.amount + meter.reserve + meter.awarded + meter.envied
    )
    # A win takes the whole cents of the meter, and every fraction stays for the next.
    assert (meter.amount - int(meter.amount)) == (8 * 100 * THIRD) % 1
    check_order(place)
    check_all(place)


def folded_often(links: Links) -> None:
    """Fold the link some times."""
    for _ in range(3):
        links.fold("main")


def check_order(place: Place) -> None:
    """The record of the link orders its winners: each found what the one before had left."""
    process = Process(place)
    shares = [
        event.from_meter_cents
        for stored in process.any_store.events("link/main")
        if isinstance(event := process.worker_services.codec.decode(stored), RoundCounted)
        and event.won
    ]
    assert len(shares) == 4
    # The seed and at most the contributions of eight rounds: the meter was seeded in between.
    assert all(100_000 < cents <= 100_000 + 8 * 34 for cents in shares)


def before_commit(store: Store) -> None:
    store.commit = _killed  # type: ignore[method-assign,assignment]


def after_commit(store: Store) -> None:
    commit = store.commit

    def and_die(wanted: object) -> None:
        commit(wanted)  # type: ignore[arg-type]
        _killed()

    store.commit = and_die  # type: ignore[method-assign,assignment]


def within_commit(_: Store) -> None:
    postgres_commits._write = _killed  # type: ignore[assignment]


def _killed(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


KILLS = [
    # database, moment of the kill, rounds that were counted by then
    pytest.param("postgres", within_commit, 0),
    pytest.param("sqlite", after_commit, 1),
    pytest.param("sqlite", before_commit, 0, marks=pytest.mark.variant),
    pytest.param("postgres", before_commit, 0, marks=pytest.mark.variant),
    pytest.param("postgres", after_commit, 1, marks=pytest.mark.variant),
]


@pytest.mark.parametrize(("place", "moment", "counted"), KILLS, indirect=["place"])
def test_a_process_that_is_killed_in_the_middle_of_a_fold_loses_and_doubles_nothing(
    place: Place, moment: Callable[[Store], None], counted: int
) -> None:
    desk = ready(seated(place, 1), *PAYS_NINE).confirm()
    pid = os.fork()
    if pid == 0:
        # The child opens connections of its own, and never returns.
        process = Process(place)
        moment(process.any_store)
        process.worker_services.links.fold("main")
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    check_all(place)
    links = Process(place).worker_services.links
    assert links.fold("main") == 1 - counted
    assert links.fold("main") == 0
    ready(desk, *ROYAL)
    assert desk.ask(Confirm(), desk.dealer).accepted
    assert desk.round.settlement is not None
    assert desk.round.settlement.meter_paid_cents == 100_000 + int(200 * THIRD)
    check_all(place)
