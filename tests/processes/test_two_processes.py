"""Two processes on one database want the same tables: one runs each, and the other is shut out."""

import signal
from contextlib import closing, suppress
from urllib.parse import quote

import psycopg
import pytest

from openfelt.storage.door import Append, Cause, Commit, Fenced, NewEvent
from openfelt.storage.postgres import PostgresStore
from openfelt.storage.postgres import statements as sql
from tests.kit.postgres_server import PostgresServer
from tests.kit.processes.checks import check_database
from tests.kit.processes.programs import TABLES, CasinoProcess, Line, accepted, refused, runs_all

LEASE = ("--lease-ms", "2000")


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    """A database whose locks are given up on after two seconds, so that no test waits for long."""
    limits = quote("-c lock_timeout=2s -c idle_in_transaction_session_timeout=1s", safe="")
    return f"{postgres.fresh_database()}&options={limits}"


def test_who_sleeps_longer_than_the_lease_is_shut_out(database: str) -> None:
    with CasinoProcess(database, "--owner", "first", *LEASE) as first:
        first.wait_until(runs_all)
        with CasinoProcess(database, "--owner", "second", *LEASE) as second:
            second.wait_until(lambda lines: refused(lines, "moved") >= TABLES)
            assert not {line["stream"] for line in accepted(second.lines)} & TABLES
            for sleeper, other in ((first, second), (second, first)):
                take_over(sleeper, other)
            told = [*first.kill(), *second.kill()]
    check_database(database, told)


def take_over(sleeper: CasinoProcess, other: CasinoProcess) -> None:
    """Put the one that runs all tables to sleep until the other runs them, and wake it up."""
    sleeper.send(signal.SIGSTOP)
    before = len(other.lines)
    other.wait_until(lambda lines: first_lines(lines, sleeper.lines).keys() >= TABLES, after=before)
    taken = first_lines(other.lines[before:], sleeper.lines)
    asleep = len(sleeper.lines)
    sleeper.send(signal.SIGCONT)
    sleeper.wait_until(lambda lines: refused(lines, "moved") >= TABLES, after=asleep)
    for line in accepted(sleeper.lines[asleep:]):
        first = taken.get(line["stream"])
        # It may hear late of what was written before the other came. What it writes after that
        # it writes under a lease of its own, which is newer than the other's.
        if first is not None and line["version"] >= first["version"]:
            # Without a number the table was lost again before the line was printed.
            assert line["fence"] is None or line["fence"] > first["fence"], (line, first)
    other.wait_until(runs_all, after=len(other.lines))


def first_lines(lines: list[Line], known: list[Line]) -> dict[str, Line]:
    """The first command of each stream that was carried out there anew."""
    old = {(line["stream"], line["actor"], line["id"]) for line in known}
    return {
        line["stream"]: line
        for line in reversed(accepted(lines))
        if line["stream"] in TABLES and (line["stream"], line["actor"], line["id"]) not in old
    }


@pytest.mark.parametrize("where", ["in a pipeline", "after a pipeline"])
def test_a_session_that_sleeps_in_a_write_does_not_hold_a_table(database: str, where: str) -> None:
    stream = "table/one"
    with closing(PostgresStore(database)) as sleeper, closing(PostgresStore(database)) as other:
        lease = sleeper.take_lease(stream, "sleeper", ttl_ms=1)
        assert lease is not None
        with sleeper._connections.lent() as connection:
            # A pipeline whose session was ended meanwhile complains at its own end.
            with suppress(psycopg.OperationalError), connection.pipeline():
                connection.execute(sql.BEGIN)
                connection.execute(sql.LOCK_STREAMS, ([stream],)).fetchall()
                if where == "in a pipeline":
                    assert other.take_lease(stream, "other", ttl_ms=60_000)
            if where == "after a pipeline":
                assert other.take_lease(stream, "other", ttl_ms=60_000)
        event = NewEvent(
            name="bets_closed", schema=1, body="{}", cause=Cause(actor="system:openfelt")
        )
        late = Append(stream=stream, expected_version=0, fence=lease.fence, events=(event,))
        with pytest.raises(Fenced):
            sleeper.commit(Commit(at_ms=1, appends=(late,)))
