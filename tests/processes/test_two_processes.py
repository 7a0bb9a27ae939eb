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
    """On a busy machine a process may lose a table at any time, because it renews too late.

    So no process is expected to keep a table. What must hold is that the one that slept writes
    nothing more under the lease that it had.
    """
    with CasinoProcess(database, "--owner", "first", *LEASE) as first:
        first.wait_until(runs_all)
        with CasinoProcess(database, "--owner", "second", *LEASE) as second:
            second.wait_until(lambda lines: bool(refused(lines, "moved") & TABLES))
            for sleeper, other in ((first, second), (second, first)):
                take_over(sleeper, other)
            told = [*first.kill(), *second.kill()]
    check_database(database, told)


def take_over(sleeper: CasinoProcess, other: CasinoProcess) -> None:
    """Put a process to sleep until the other one runs every table, and wake it up."""
    sleeper.send(signal.SIGSTOP)
    before = len(other.lines)
    other.wait_until(lambda lines: first_lines(lines, sleeper.lines).keys() >= TABLES, after=before)
    taken = first_lines(other.lines[before:], sleeper.lines)
    asleep = len(sleeper.lines)
    sleeper.send(signal.SIGCONT)
    sleeper.wait_until(lambda lines: heard_of(lines, taken) >= TABLES, after=asleep)
    for line in written_after(sleeper.lines[asleep:], taken):
        first = taken[line["stream"]]
        assert line["fence"] > first["fence"], (line, first)


def first_lines(lines: list[Line], known: list[Line]) -> dict[str, Line]:
    """The first command of each table that was carried out there anew, under a known lease."""
    old = {(line["stream"], line["actor"], line["id"]) for line in known}
    return {
        line["stream"]: line
        for line in sorted(accepted(lines), key=lambda line: -line["version"])
        if line["stream"] in TABLES
        and line["fence"] is not None
        and (line["stream"], line["actor"], line["id"]) not in old
    }


def written_after(lines: list[Line], taken: dict[str, Line]) -> list[Line]:
    """What was carried out at tables after another process had taken them, under known leases.

    A process may hear late of what it wrote before. Without a number, the table was lost again
    before the line was printed.
    """
    return [
        line
        for line in accepted(lines)
        if line["stream"] in taken
        and line["version"] > taken[line["stream"]]["version"]
        and line["fence"] is not None
    ]


def heard_of(lines: list[Line], taken: dict[str, Line]) -> set[str]:
    """The tables of which a process was told that they have moved, or that it has leased anew."""
    again = {line["stream"] for line in written_after(lines, taken)}
    return refused(lines, "moved") | again


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
