"""Writers who meet: threads of one store, and two stores on one database."""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier, Event
from typing import TypeVar

import pytest

from openfelt.ledger import Account, AccountKind, Reason
from openfelt.ledger.book import Book, changes, trial_balance
from openfelt.storage import (
    FIRST_HASH,
    Append,
    Commit,
    Conflict,
    Fenced,
    Lease,
    NotEnough,
    RuleSet,
    Store,
    Unavailable,
)
from tests.kit.storage.store_places import ALICE, BOB, CASH, Place, event, move, write

Result = TypeVar("Result")


def at_once(works: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run all of these in threads of their own that start together."""
    start = Barrier(len(works))

    def run(work: Callable[[], Result]) -> Result:
        start.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return [done.result() for done in [pool.submit(run, work) for work in works]]


def stores(place: Place, count: int) -> list[Store]:
    """Two stores, each for every other thread."""
    two = [place.open(), place.open()]
    return [two[number % 2] for number in range(count)]


@pytest.fixture
def no_second_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a deadlock be seen: a store would try again, and the test would not notice."""
    monkeypatch.setattr("openfelt.storage.postgres.store.may_try_again", lambda error: False)


def test_each_version_is_won_by_exactly_one_of_eight(place: Place) -> None:
    versions = 12

    def writer(store: Store, name: str) -> list[int]:
        won = []
        while (version := store.head("a").version) < versions:
            try:
                write(
                    store,
                    "a",
                    version,
                    event(move(CASH, ALICE, 1), command=name + str(version)),
                )
            except Conflict:
                continue
            won.append(version + 1)
        return won

    all_stores = stores(place, 8)
    won = at_once([partial(writer, store, f"w{n}-") for n, store in enumerate(all_stores)])
    assert sorted(version for one in won for version in one) == list(range(1, versions + 1))
    found = list(all_stores[0].events("a"))
    assert [one.previous for one in found] == [FIRST_HASH, *(one.hash for one in found[:-1])]
    assert all_stores[0].balance(ALICE) == versions


def test_a_new_stream_is_begun_by_exactly_one_of_eight(place: Place) -> None:
    def begin(store: Store, stream: str) -> bool:
        try:
            write(store, stream, 0, event())
        except Conflict:
            return False
        return True

    all_stores = stores(place, 8)
    for number in range(5):
        stream = f"new-{number}"
        assert sum(at_once([partial(begin, store, stream) for store in all_stores])) == 1


def test_a_free_lease_goes_to_exactly_one(place: Place) -> None:
    all_stores = stores(place, 8)
    for turn in range(5):
        leases = at_once(
            [
                partial(store.take_lease, "a", f"owner-{n}", ttl_ms=1000)
                for n, store in enumerate(all_stores)
            ]
        )
        (winner,) = [lease for lease in leases if lease is not None]
        assert winner.fence == turn + 1
        place.clock.ms += 1000


def test_a_stale_holder_never_writes_after_the_new_one(place: Place) -> None:
    old_store, new_store = place.open(), place.open()
    old = old_store.take_lease("a", "east", ttl_ms=1000)
    assert old is not None
    taken_over = Event()

    def stale(lease: Lease) -> int:
        written = 0
        while True:
            # It reads the right version each time, so that only the fence can stop it.
            version = old_store.head("a").version
            over = taken_over.is_set()
            try:
                write(old_store, "a", version, event(name="stale"), fence=lease.fence)
            except Conflict:
                continue
            except Fenced:
                return written
            assert not over, "a stale holder wrote after the takeover"
            written += 1

    def takeover() -> int:
        while old_store.head("a").version < 3:
            pass
        place.clock.ms += 5000
        new = new_store.take_lease("a", "west", ttl_ms=1000)
        assert new is not None
        taken_over.set()
        for _ in range(3):
            while True:
                try:
                    version = new_store.head("a").version
                    write(new_store, "a", version, event(name="fresh"), fence=new.fence)
                    break
                except Conflict:
                    continue
        return 3

    at_once([lambda: stale(old), takeover])
    names = [stored.name for stored in new_store.events("a")]
    assert names == ["stale"] * (len(names) - 3) + ["fresh"] * 3


@pytest.mark.usefixtures("no_second_try")
def test_opposite_transfers_neither_deadlock_nor_overdraw(place: Place) -> None:
    all_stores = stores(place, 8)
    write(all_stores[0], "bank", 0, event(move(CASH, ALICE, 40), move(CASH, BOB, 40)))

    def table(store: Store, number: int) -> bool:
        chance = random.Random(number)
        refused: list[bool] = []
        version = 0
        for _ in range(25):
            pay, get = (ALICE, BOB) if (number + version) % 2 else (BOB, ALICE)
            cents = chance.randint(1, 30)
            meter = Account(AccountKind.METER, chance.choice("xyz"))
            moved = event(
                move(pay, get, cents, Reason.WAGER), move(CASH, meter, 1, Reason.CONTRIBUTION)
            )
            try:
                write(store, f"table-{number}", version, moved)
                version += 1
            except NotEnough as short:
                refused.append(short.account == pay)
        return all(refused)

    assert all(at_once([partial(table, store, n) for n, store in enumerate(all_stores)]))
    store = all_stores[0]
    assert trial_balance(Book(store.balances())).balanced
    assert store.balance(ALICE) + store.balance(BOB) == 80
    book = changes(stored.transfer for stored in store.transfers())
    assert {one: cents for one, cents in book.items() if cents} == store.balances()
    # No wallet was ever overdrawn: its transfers are numbered in the order of their commits.
    for wallet in (ALICE, BOB):
        running = 0
        for stored in store.transfers(account=wallet):
            sign = 1 if stored.transfer.credit == wallet else -1
            running += sign * stored.transfer.cents
            assert running >= 0


@pytest.mark.usefixtures("no_second_try")
def test_commits_over_the_same_streams_do_not_deadlock(place: Place) -> None:
    all_stores = stores(place, 8)
    rule_sets = [RuleSet(fingerprint=str(n), house="h", body="{}") for n in range(4)]

    def both(store: Store, number: int) -> int:
        chance = random.Random(number)
        done = 0
        while done < 8:
            names = ["a", "b", "c"]
            chance.shuffle(names)
            appends = tuple(
                Append(stream=name, expected_version=store.head(name).version, events=(event(),))
                for name in names
            )
            some = tuple(chance.sample(rule_sets, 2))
            try:
                store.commit(Commit(at_ms=1, appends=appends, rule_sets=some))
                done += 1
            except Conflict:
                pass
        return done

    assert at_once([partial(both, store, n) for n, store in enumerate(all_stores)]) == [8] * 8
    assert [all_stores[0].head(name).version for name in "abc"] == [64] * 3


def test_a_reader_who_remembers_the_last_number_misses_no_transfer(place: Place) -> None:
    all_stores = stores(place, 6)
    reader = place.open()
    over = Event()

    def table(store: Store, number: int) -> None:
        wallet = Account(AccountKind.WALLET, str(number))
        reserve = Account(AccountKind.RESERVE, str(number))
        for version in range(30):
            write(store, f"table-{number}", version, event(move(reserve, wallet, 1)))

    def tail() -> list[int]:
        seen: list[int] = []
        last_look = False
        while not last_look:
            last_look = over.is_set()
            seen += [one.number for one in reader.transfers(after=seen[-1] if seen else 0)]
        return seen

    with ThreadPoolExecutor(1) as pool:
        tailed = pool.submit(tail)
        at_once([partial(table, store, n) for n, store in enumerate(all_stores)])
        over.set()
        seen = tailed.result()
    assert len(seen) == 180
    assert seen == [one.number for one in reader.transfers()]


def test_two_processes_may_open_an_empty_database_at_once(place: Place) -> None:
    opened = at_once([place.open] * 6)
    write(opened[0], "a", 0, event())
    assert [store.head("a").version for store in opened] == [1] * 6


def test_closing_in_the_middle_leaves_whole_commits(place: Place) -> None:
    store = place.open()

    def writer(number: int) -> int:
        version = 0
        try:
            while True:
                write(store, f"t{number}", version, event(move(CASH, ALICE, 1)))
                version += 1
        except Unavailable:
            return version

    def closer() -> int:
        while store.head("t0").version < 5:
            pass
        store.close()
        return 0

    works: list[Callable[[], int]] = [partial(writer, n) for n in range(3)]
    *written, _ = at_once([*works, closer])
    again = place.open()
    assert [again.head(f"t{n}").version for n in range(3)] == written
    assert again.balance(ALICE) == sum(written)


@pytest.mark.parametrize("count", [1, 20])
def test_more_threads_than_connections_take_turns(place: Place, count: int) -> None:
    store = place.open()
    done = at_once([partial(write, store, f"t{n}", 0, event()) for n in range(count)])
    assert [head.version for head in done] == [1] * count
