"""The faults of a server: stopped, killed, cut off in the middle, full, read-only."""

import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from openfelt.storage import RuleSet, StoreError, Unavailable, Unknown
from openfelt.storage.door import CommandKey, Commit, StoredAnswer
from openfelt.storage.postgres import PostgresStore
from openfelt.storage.postgres import statements as sql
from tests.kit.postgres_server import PostgresServer, postgres_server
from tests.kit.storage.lossy_line import LossyLine
from tests.kit.storage.store_places import ALICE, BOB, CASH, event, move, write


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.fresh_database()


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url)) as store:
        yield store


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresServer]:
    """A server that a test may stop and kill; it writes to the disk as in earnest."""
    with postgres_server(durable=True) as server:
        yield server


# The server goes and comes


def test_a_server_that_stops_is_reported_and_survived(own_server: PostgresServer) -> None:
    with closing(PostgresStore(own_server.fresh_database())) as store:
        write(store, "a", 0, event(move(CASH, ALICE, 5)))
        own_server.stop()
        for attempt in (
            lambda: write(store, "a", 1, event()),
            lambda: store.head("a"),
            lambda: store.take_lease("a", "east", ttl_ms=1000),
        ):
            with pytest.raises(Unavailable, match="The database server cannot be reached"):
                attempt()
        own_server.start()
        assert store.head("a").version == 1
        write(store, "a", 1, event())


def test_idle_connections_of_a_restarted_server_are_replaced(own_server: PostgresServer) -> None:
    with closing(PostgresStore(own_server.fresh_database())) as store:
        both = threading.Barrier(2)

        def read() -> None:
            with store._connections.lent():
                both.wait()

        threads = [threading.Thread(target=read) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        own_server.stop()
        own_server.start()
        write(store, "a", 0, event())
        assert store.head("a").version == 1


def test_what_was_committed_survives_a_killed_server(own_server: PostgresServer) -> None:
    with closing(PostgresStore(own_server.fresh_database())) as store:
        for version in range(20):
            write(store, "a", version, event(move(CASH, ALICE, 1)))
        own_server.kill()
        with pytest.raises(Unavailable):
            write(store, "a", 20, event())
        own_server.start()
        assert store.head("a").version == 20
        assert store.balance(ALICE) == 20
        write(store, "a", 20, event())


def test_a_commit_whose_session_is_ended_is_never_taken_for_that_of_another_writer(
    store: PostgresStore, url: str
) -> None:
    """A session that ends after the COMMIT must not have it tried again, which is a conflict."""
    done, failed = threading.Event(), list[BaseException]()

    def writer(stream: str) -> None:
        try:
            while not done.is_set():
                with suppress(Unavailable):
                    version = store.head(stream).version
                    while not done.is_set():
                        write(store, stream, version, event(move(CASH, ALICE, 1)))
                        version += 1
        except BaseException as error:  # noqa: BLE001 (told by the test)
            failed.append(error)

    threads = [threading.Thread(target=writer, args=(f"t{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    with psycopg.connect(url, autocommit=True) as other:
        for _ in range(40):
            time.sleep(0.05)
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'openfelt' AND datname = current_database()"
            )
    done.set()
    for thread in threads:
        thread.join()
    assert not failed
    assert store.balance(ALICE) == sum(store.head(f"t{number}").version for number in range(4))


def test_a_server_that_stops_under_many_writers_leaves_whole_commits(
    own_server: PostgresServer,
) -> None:
    with closing(PostgresStore(own_server.fresh_database())) as store:
        told = dict.fromkeys(range(4), 0)
        unknown: set[int] = set()

        def writer(number: int) -> None:
            try:
                while True:
                    write(store, f"t{number}", told[number], event(move(CASH, ALICE, 1)))
                    told[number] += 1
            except Unknown:
                unknown.add(number)
            except Unavailable:
                pass

        threads = [threading.Thread(target=writer, args=(number,)) for number in told]
        for thread in threads:
            thread.start()
        while min(told.values()) < 5:
            time.sleep(0.01)
        own_server.kill()
        for thread in threads:
            thread.join()
        own_server.start()
        found = {number: store.head(f"t{number}").version for number in told}
        for number, version in found.items():
            assert version - told[number] in ((0, 1) if number in unknown else (0,))
        assert store.balance(ALICE) == sum(found.values())


# Cut off while committing


@pytest.fixture
def line(postgres: PostgresServer, url: str) -> Iterator[LossyLine]:
    database = url.partition(":///")[2].partition("?")[0]
    with (
        tempfile.TemporaryDirectory(prefix="openfelt-line-") as folder,
        closing(LossyLine(Path(folder), postgres.socket)) as line,
    ):
        line.url = postgres.url_of(database, sockets=Path(folder))
        yield line


@pytest.mark.parametrize(("breaks", "version"), [("before", 1), ("after", 2)])
def test_a_connection_lost_during_a_commit_leaves_the_outcome_unknown(
    line: LossyLine, store: PostgresStore, breaks: str, version: int
) -> None:
    with closing(PostgresStore(line.url)) as far:
        write(far, "a", 0, event(move(CASH, ALICE, 5)))
        line.breaks = breaks
        with pytest.raises(Unknown, match="lost during a commit") as caught:
            write(far, "a", 1, event(move(CASH, ALICE, 5), command="1"))
        assert isinstance(caught.value, Unavailable)
        # The server may still be at it when the client has given up, and is then stopped at it.
        there = far.head("a").version
        assert there in (1, version)
        version = there
        assert store.head("a").version == version
        assert store.balance(ALICE) == 5 * version
        assert len(store.answers("a", [("alice", "1")])) == version - 1
        write(far, "a", version, event())


def test_a_lost_commit_is_not_carried_out_once_the_record_was_read_again(
    line: LossyLine, store: PostgresStore, url: str
) -> None:
    """A command could be refused in between, and be carried out by its first copy afterwards."""
    with closing(PostgresStore(line.url)) as far, psycopg.connect(url) as other:
        write(far, "a", 0, event(move(CASH, ALICE, 5)))
        other.execute("LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE")
        line.breaks = "meanwhile"
        with pytest.raises(Unknown):
            write(far, "a", 1, event(move(CASH, ALICE, 5), command="1"))
        assert far.head("a").version == 1
        other.rollback()
        sessions = "SELECT count(*) FROM pg_locks WHERE relation = 'events'::regclass"
        deadline = time.monotonic() + 30
        while other.execute(sessions).fetchone() != (0,) and time.monotonic() < deadline:
            other.rollback()
            time.sleep(0.01)
        other.rollback()
        assert (store.head("a").version, store.balance(ALICE)) == (1, 5)
        write(far, "a", 1, event(move(CASH, ALICE, 5), command="1"))


def test_a_server_that_goes_on_with_a_lost_commit_is_not_asked_anything(
    line: LossyLine, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = b"SELECT pid FROM pg_stat_activity WHERE pid = %s AND %s <> ''"
    with closing(PostgresStore(line.url)) as far, psycopg.connect(url) as other:
        write(far, "a", 0, event())
        other.execute("LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE")
        line.breaks = "meanwhile"
        with pytest.raises(Unknown):
            write(far, "a", 1, event())
        with monkeypatch.context() as stubborn:
            stubborn.setattr("openfelt.storage.postgres.connections._END", never)
            stubborn.setattr("openfelt.storage.postgres.connections._ENDING_S", 0)
            with pytest.raises(Unavailable, match="still at a commit that was lost"):
                far.head("a")
        assert far.head("a").version == 1


@pytest.mark.parametrize("written", [0, 1])
def test_a_commit_under_way_is_waited_for(store: PostgresStore, url: str, written: int) -> None:
    """The first commit to a stream, whose row no other session sees yet, as well as a later one."""
    for version in range(written):
        write(store, "a", version, event())
    with (
        closing(PostgresStore(url)) as slow,
        psycopg.connect(url) as other,
        ThreadPoolExecutor(2) as pool,
    ):
        write(slow, "b", 0, event())  # the first commit of all writes events of the store's own
        other.execute("LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE")
        writing = pool.submit(write, slow, "a", written, event(command="1"))
        _until_waiting(url, 1)
        answers = pool.submit(_answers_after_writers, store, "a", ("alice", "1"))
        _until_waiting(url, 2)
        assert not answers.done()
        other.rollback()
        assert len(answers.result(30)) == 1
        writing.result(30)


def _answers_after_writers(
    store: PostgresStore, stream: str, key: CommandKey
) -> Mapping[CommandKey, StoredAnswer]:
    store.wait_for_writers(stream)
    return store.answers(stream, [key])


def _until_waiting(url: str, sessions: int) -> None:
    """Wait until this many sessions wait for a lock."""
    waiting = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    deadline = time.monotonic() + 30
    with psycopg.connect(url, autocommit=True) as connection:
        while connection.execute(waiting).fetchone() != (sessions,):
            assert time.monotonic() < deadline, "no session waits"
            time.sleep(0.01)


# Refusals of the server


def test_a_read_only_database_is_reported(postgres: PostgresServer, url: str) -> None:
    PostgresStore(url).close()
    name = url.partition(":///")[2].partition("?")[0]
    postgres.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with closing(PostgresStore(url)) as store:
        with pytest.raises(Unavailable, match="The database is read-only"):
            write(store, "a", 0, event())
        assert store.head("a").version == 0


def failing(postgres: PostgresServer, url: str, code: str, *, times: int) -> None:
    """Make the next inserts of events fail with an error of this code."""
    postgres.run("CREATE SEQUENCE failures", url=url)
    postgres.run(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f" IF nextval('failures') <= {times} THEN"
        f" RAISE EXCEPTION 'so the test wants it' USING ERRCODE = '{code}'; END IF;"
        " RETURN NEW; END $$",
        url=url,
    )
    postgres.run(
        "CREATE TRIGGER failing BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail()",
        url=url,
    )


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("53100", "The disk of the database server is full"),
        ("53200", "The database server is overloaded"),
        ("58030", "The database server cannot read or write its disk"),
        ("55P03", "Another writer has held a lock for too long"),
        ("42501", "This user may not do that in the database"),
        ("XX000", "PostgreSQL failed"),
    ],
)
def test_a_failure_of_the_server_is_reported_and_survived(
    postgres: PostgresServer, store: PostgresStore, url: str, code: str, sentence: str
) -> None:
    failing(postgres, url, code, times=1)
    with pytest.raises(Unavailable, match=f"{sentence}: so the test wants it"):
        write(store, "a", 0, event(move(CASH, ALICE, 5), command="1"))
    assert store.balances() == {}
    assert store.answers("a", [("alice", "1")]) == {}
    write(store, "a", 0, event(move(CASH, ALICE, 5)))


@pytest.mark.parametrize("code", ["40001", "40P01"])
def test_a_writer_rolled_back_for_others_tries_again(
    postgres: PostgresServer, store: PostgresStore, url: str, code: str
) -> None:
    failing(postgres, url, code, times=3)
    assert write(store, "a", 0, event(move(CASH, ALICE, 5))).version == 1
    assert store.balance(ALICE) == 5


def test_it_gives_up_in_the_end(postgres: PostgresServer, store: PostgresStore, url: str) -> None:
    failing(postgres, url, "40P01", times=1000)
    with pytest.raises(Unavailable, match="Other writers conflicted too often"):
        write(store, "a", 0, event())


def test_a_lock_that_is_held_too_long_is_reported(store: PostgresStore, url: str) -> None:
    write(store, "a", 0, event())
    with (
        psycopg.connect(url) as other,
        closing(PostgresStore(f"{url}&options=-clock_timeout%3D100ms")) as hasty,
    ):
        other.execute("SELECT * FROM streams FOR UPDATE")
        with pytest.raises(Unavailable, match="Another writer has held a lock for too long"):
            write(hasty, "a", 1, event())
        other.rollback()
        write(hasty, "a", 1, event())


def test_a_connection_that_stalls_in_a_write_is_ended(store: PostgresStore) -> None:
    with store._connections.lent() as connection:
        found = {
            name: connection.execute(b"SELECT current_setting(%s)", (name,)).fetchone()
            for name in (
                "lock_timeout",
                "idle_in_transaction_session_timeout",
                "synchronous_commit",
            )
        }
    # The tests' server has synchronous_commit off; a store never trusts that.
    assert found == {
        "lock_timeout": ("10s",),
        "idle_in_transaction_session_timeout": ("10s",),
        "synchronous_commit": ("on",),
    }


def test_what_a_session_writes_is_synced_even_if_the_server_is_told_otherwise(
    own_server: PostgresServer,
) -> None:
    own_server.run("ALTER SYSTEM SET synchronous_commit = on")
    own_server.run("SELECT pg_reload_conf()")
    with closing(PostgresStore(own_server.fresh_database())) as store:
        own_server.run("ALTER SYSTEM SET synchronous_commit = off")
        own_server.run("SELECT pg_reload_conf()")
        present = b"SELECT current_setting('synchronous_commit')"
        for _ in range(20):
            with store._connections.lent() as connection:
                assert connection.execute(present).fetchone() == ("on",)
            time.sleep(0.05)
    own_server.run("ALTER SYSTEM RESET synchronous_commit")


def test_a_busy_pool_is_reported(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openfelt.storage.postgres.connections._WAIT_S", 0)
    with closing(PostgresStore(url, connections_max=1)) as store:
        busy = pytest.raises(Unavailable, match="All 1 connections to the database are busy")
        with store._connections.lent(), busy:
            store.head("a")
        assert store.head("a").version == 0


def test_a_row_that_the_database_refuses_is_reported(
    postgres: PostgresServer, store: PostgresStore, url: str
) -> None:
    failing(postgres, url, "23514", times=1)
    with pytest.raises(StoreError, match="The database refuses a row"):
        write(store, "a", 0, event())


# Numbers of transfers


NUMBERED = """
    INSERT INTO transfers (stream, version, at_ms, debit, credit, cents, reason, note)
    VALUES ('slow', 1, 1, 'cash', 'wallet:carol', 7, 'deposit', '')
"""
WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


def test_a_reader_of_all_transfers_waits_for_a_writer_that_has_a_lower_number(
    postgres: PostgresServer, store: PostgresStore, url: str
) -> None:
    """Numbers are given before they are committed: a later one may become visible first."""
    read: list[list[int]] = []
    reader = threading.Thread(
        target=lambda: read.append([stored.number for stored in store.transfers()])
    )
    with psycopg.connect(url) as slow:
        slow.execute(sql.LOCK_SHARED, (sql.NUMBERING,))
        slow.execute(NUMBERED)
        write(store, "a", 0, event(move(CASH, ALICE, 5)))
        reader.start()
        while reader.is_alive() and postgres.run(WAITING, url=url) == [(0,)]:
            time.sleep(0.01)
        assert read == [], "it has read past a transfer that is still to come"
        slow.commit()
    reader.join()
    assert read == [[1, 2]]


def test_a_writer_holds_its_numbers_until_they_are_committed(
    postgres: PostgresServer, store: PostgresStore, url: str
) -> None:
    writer = threading.Thread(target=lambda: write(store, "b", 0, event(move(CASH, BOB, 5))))
    with psycopg.connect(url) as reader:
        reader.execute(sql.LOCK, (sql.NUMBERING,))
        # What moves no money has no number, and does not wait.
        write(store, "a", 0, event())
        writer.start()
        while writer.is_alive() and postgres.run(WAITING, url=url) == [(0,)]:
            time.sleep(0.01)
        assert store.head("b").version == 0
        reader.commit()
    writer.join()
    assert store.balance(BOB) == 5


def test_a_writer_that_stalls_with_its_numbers_does_not_stop_others_while_they_are_read(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "LOCK_BRIEFLY", b"SET LOCAL lock_timeout = '100ms'")
    monkeypatch.setattr("openfelt.storage.postgres.store._NUMBERING_PAUSE_MS", 100)
    monkeypatch.setattr("openfelt.storage.postgres.store._NUMBERING_ATTEMPTS_MAX", 10_000)
    write(store, "a", 0, event(move(CASH, ALICE, 5)))
    readers = [threading.Thread(target=read) for read in (store._last_transfer, store.book)]
    with psycopg.connect(url) as stalled, closing(PostgresStore(url)) as other:
        stalled.execute(sql.LOCK_SHARED, (sql.NUMBERING,))
        for reader in readers:
            reader.start()
        for version in range(1, 6):
            write(other, "a", version, event(move(CASH, ALICE, 5)))
        assert store.balance(ALICE) == 30
        assert all(reader.is_alive() for reader in readers)
        stalled.rollback()
    for reader in readers:
        reader.join()


def test_a_reader_of_numbers_gives_up_in_the_end(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "LOCK_BRIEFLY", b"SET LOCAL lock_timeout = '20ms'")
    monkeypatch.setattr("openfelt.storage.postgres.store._NUMBERING_PAUSE_MS", 10)
    with psycopg.connect(url) as stalled:
        stalled.execute(sql.LOCK_SHARED, (sql.NUMBERING,))
        with pytest.raises(Unavailable, match="Another writer has held a lock for too long"):
            store.book()
        stalled.rollback()
        assert store.book() == (0, {})


# Opening


def test_a_missing_database_is_reported(postgres: PostgresServer) -> None:
    with pytest.raises(Unavailable, match='database "nowhere" does not exist'):
        PostgresStore(postgres.url_of("nowhere"))


def test_a_database_must_hold_all_characters(postgres: PostgresServer) -> None:
    postgres.run("CREATE DATABASE plain_bytes ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(StoreError, match="must be UTF8, not SQL_ASCII"):
        PostgresStore(postgres.url_of("plain_bytes"))


def test_tables_are_made_in_the_first_schema_of_the_path(
    postgres: PostgresServer, url: str
) -> None:
    postgres.run("CREATE TABLE invoices (number int)", url=url)
    postgres.run("CREATE SCHEMA felt", url=url)
    with closing(PostgresStore(f"{url}&options=-csearch_path%3Dfelt")) as store:
        write(store, "a", 0, event())
    assert postgres.run("SELECT stream FROM felt.events", url=url) == [("appends",), ("a",)]


# Leases by the database's clock


def test_leases_use_the_clock_of_the_database(store: PostgresStore) -> None:
    lease = store.take_lease("a", "east", ttl_ms=60_000)
    assert lease is not None
    assert abs(lease.until_ms - 60_000 - time.time_ns() // 1_000_000) < 30_000
    assert store.take_lease("a", "west", ttl_ms=60_000) is None
    renewed = store.renew_lease(lease, ttl_ms=1)
    assert renewed is not None
    assert renewed.until_ms < lease.until_ms
    while store.take_lease("a", "west", ttl_ms=60_000) is None:
        time.sleep(0.01)


def test_many_rows_of_every_table_go_in_one_commit(store: PostgresStore) -> None:
    rule_sets = tuple(RuleSet(fingerprint=str(n), house="h", body="{}") for n in range(3))
    store.commit(Commit(at_ms=1, appends=(), rule_sets=rule_sets))
    events = [
        event(move(CASH, ALICE, n), move(ALICE, BOB, 1), command=str(n)) for n in range(2, 102)
    ]
    write(store, "a", 0, *events)
    assert store.balance(BOB) == 100
    assert len(list(store.transfers(account=ALICE))) == 200
