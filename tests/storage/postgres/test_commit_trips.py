"""Commits in one round trip: what they take it for, and what they leave to two."""

import os
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import psycopg
import pytest

from openfelt.storage import Conflict, Head, Repeated, Unavailable
from openfelt.storage.door import Append, Commit, Fenced, Forged, NotEnough
from openfelt.storage.postgres import PostgresStore, commit_trips
from openfelt.storage.postgres import statements as sql
from tests.kit.postgres_server import PostgresServer
from tests.kit.storage.store_places import ALICE, BOB, CASH, event, move, write

WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.fresh_database()


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url)) as store:
        write(store, "a", 0, event(move(CASH, ALICE, 5)))
        yield store


def test_the_next_commit_of_a_stream_takes_one_round_trip(store: PostgresStore) -> None:
    before = store.commits.at_once
    write(store, "a", 1, event(move(ALICE, BOB, 2)), event())
    write(store, "a", 3, event(move(ALICE, BOB, 3)))
    assert store.commits.at_once == before + 2
    assert [event.version for event in store.events("a")] == [1, 2, 3, 4]
    assert (store.balance(ALICE), store.balance(BOB)) == (0, 5)
    assert store.head("a").hash == list(store.events("a"))[-1].hash


def test_a_commit_to_two_streams_takes_one_round_trip(store: PostgresStore) -> None:
    write(store, "b", 0, event())
    before = store.commits.at_once
    one = Append(stream="a", expected_version=1, events=(event(move(ALICE, BOB, 2)), event()))
    other = Append(stream="b", expected_version=1, events=(event(move(BOB, ALICE, 1)),))
    heads = store.commit(Commit(at_ms=1000, appends=(one, other)))
    assert store.commits.at_once == before + 1
    assert {stream: store.head(stream) for stream in ("a", "b")} == heads
    assert (heads["a"].version, heads["b"].version) == (3, 2)
    assert (store.balance(ALICE), store.balance(BOB)) == (4, 1)


def test_only_a_commit_that_moves_money_waits_for_a_reader_of_the_numbers(
    postgres: PostgresServer, store: PostgresStore, url: str
) -> None:
    before = store.commits.at_once
    writer = threading.Thread(target=lambda: write(store, "a", 2, event(move(ALICE, BOB, 2))))
    with psycopg.connect(url) as reader:
        reader.execute(sql.LOCK, (sql.NUMBERING,))
        write(store, "a", 1, event())
        writer.start()
        while writer.is_alive() and postgres.run(WAITING, url=url) == [(0,)]:
            time.sleep(0.01)
        assert store.head("a").version == 2
        reader.commit()
    writer.join()
    assert store.balance(BOB) == 2
    assert store.commits.at_once == before + 2


@pytest.mark.parametrize(("stream", "version"), [("a", 1), ("new", 0)], ids=["one trip", "two"])
def test_a_commit_that_waits_for_a_reader_of_the_numbers_holds_no_balance(
    postgres: PostgresServer, store: PostgresStore, url: str, stream: str, version: int
) -> None:
    # A commit that has the lock could wait for that balance, and the reader for that commit.
    balance = "SELECT cents FROM balances WHERE account = %s FOR UPDATE NOWAIT"
    writer = threading.Thread(
        target=lambda: write(store, stream, version, event(move(ALICE, BOB, 2)))
    )
    with psycopg.connect(url) as reader:
        reader.execute(sql.LOCK, (sql.NUMBERING,))
        writer.start()
        while writer.is_alive() and postgres.run(WAITING, url=url) == [(0,)]:
            time.sleep(0.01)
        assert reader.execute(balance, (str(ALICE),)).fetchall() == [(5,)]
        reader.commit()
    writer.join()
    assert store.balance(BOB) == 2


def test_a_server_with_thousands_of_open_sockets_commits_in_one_round_trip(url: str) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as stack:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2048)), hard))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(1024):
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        store = stack.enter_context(closing(PostgresStore(url)))
        write(store, "a", 0, event(move(CASH, ALICE, 5)))
        write(store, "a", 1, event(move(ALICE, BOB, 2)))
        assert store.commits.at_once == 1
        assert store.balance(BOB) == 2


def test_a_stream_that_another_process_has_moved_is_written_under_a_lock(
    store: PostgresStore, url: str
) -> None:
    with closing(PostgresStore(url)) as other:
        write(other, "a", 1, event())
    before = store.commits.at_once
    with pytest.raises(Conflict):
        write(store, "a", 1, event(move(ALICE, BOB, 2)))
    write(store, "a", 2, event(move(ALICE, BOB, 2)))
    assert store.commits.at_once == before
    write(store, "a", 3, event())
    assert store.commits.at_once == before + 1
    assert (store.balance(ALICE), store.balance(BOB)) == (3, 2)


def test_a_lease_that_another_process_has_taken_is_respected(
    store: PostgresStore, url: str
) -> None:
    lease = store.take_lease("a", "east", ttl_ms=0)
    assert lease is not None
    write(store, "a", 1, event(), fence=lease.fence)
    with closing(PostgresStore(url)) as other:
        assert other.take_lease("a", "west", ttl_ms=1000) is not None
    before = store.commits.at_once
    with pytest.raises(Fenced):
        write(store, "a", 2, event(), fence=lease.fence)
    assert store.commits.at_once == before
    assert store.head("a").version == 2


def test_what_an_account_does_not_hold_is_not_moved(store: PostgresStore) -> None:
    before = store.commits.at_once
    with pytest.raises(NotEnough) as refused:
        write(store, "a", 1, event(move(ALICE, BOB, 6)))
    assert refused.value.short_cents == 1
    assert store.commits.at_once == before
    assert (store.balance(ALICE), store.balance(BOB)) == (5, 0)
    assert store.head("a").version == 1
    # The next commit is as good as any.
    write(store, "a", 1, event(move(ALICE, BOB, 5)))
    assert store.balance(BOB) == 5


def test_a_command_is_carried_out_once(store: PostgresStore) -> None:
    write(store, "a", 1, event(move(ALICE, BOB, 1), command="7"))
    with pytest.raises(Repeated):
        write(store, "a", 2, event(move(ALICE, BOB, 1), command="7"))
    assert (store.balance(ALICE), store.balance(BOB)) == (4, 1)
    assert store.head("a").version == 2


def test_a_forged_head_is_not_taken_for_the_known_one(store: PostgresStore, url: str) -> None:
    """The server compares the whole head, not its version alone."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE streams SET hash = %s WHERE name = 'a'", ("f" * 64,))
    before = store.commits.at_once
    with pytest.raises(Forged):
        write(store, "a", 1, event())
    assert store.commits.at_once == before


class ContestedHeads(dict[str, Head]):
    """Known heads, which another thread changes as soon as they are gone through."""

    def __init__(self, commits: commit_trips.Commits) -> None:
        super().__init__()
        self._commits = commits

    def __iter__(self) -> Any:
        names = super().__iter__()
        other = threading.Thread(target=lambda: self._commits._remember({"other": HEAD}))
        other.start()
        other.join(timeout=0.2)
        return names


HEAD = Head(version=1, hash="", at_ms=0, fence=0)


def test_heads_beyond_the_limit_are_forgotten_while_others_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commit_trips, "HEADS_KEPT", 2)
    commits = commit_trips.Commits()
    commits._heads = ContestedHeads(commits)
    commits._remember({"a": HEAD, "b": HEAD, "c": HEAD})
    assert len(commits._heads) <= 2


def test_a_row_that_stays_locked_is_waited_for_once(url: str) -> None:
    with (
        closing(PostgresStore(f"{url}&options=-clock_timeout%3D1s")) as hasty,
        psycopg.connect(url) as other,
    ):
        write(hasty, "a", 0, event())
        other.execute("SELECT * FROM streams FOR UPDATE")
        began = time.monotonic()
        with pytest.raises(Unavailable, match="Another writer has held a lock for too long"):
            write(hasty, "a", 1, event())
        assert time.monotonic() - began < 1.9
