"""A PostgreSQL server for the tests: started on demand, thrown away at the end.

It listens on a socket in its own folder and on no network, so any number of them run side by side.
PostgreSQL refuses to run as root; for root it runs as the user ``postgres`` or ``nobody``.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from tests.kit.processes.orphan_guard import OrphanGuard

MISSING = (
    "PostgreSQL is not installed: neither the path nor /usr/lib/postgresql has its initdb. "
    "Install it, on Debian with: apt-get install postgresql"
)

# Tests do not cut the power, so they need not wait for the disk.
FAST = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")

STARTED_WITHIN_S = 60

# The first line of the file is the process id of the server, while there is one.
END_AND_REMOVE = """
    server=$(head -n 1 "$0/data/postmaster.pid") && kill -QUIT "$server"
    while kill -0 "$server"; do sleep 0.1; done
    rm -rf "$0"
"""


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs; AssertionError where it is not installed."""
    found = shutil.which(name)
    if found:
        return str(Path(found).resolve())
    beside = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4])
    )
    assert beside, MISSING
    return str(beside[-1])


class PostgresServer:
    """One server. Its databases survive ``stop``, ``kill`` and ``start``."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self._data = folder / "data"
        self._sockets = folder
        self._log = folder / "log"
        self._settings = () if durable else FAST
        self._as_user = _ordinary_user(folder)
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = count(1)
        self._make()

    @property
    def url(self) -> str:
        """The address of the server's first database."""
        return self.url_of("postgres")

    def url_of(self, database: str, *, sockets: Path | None = None) -> str:
        """The address of a database, through another folder of sockets where one is given."""
        return f"postgresql:///{database}?host={sockets or self._sockets}&user=postgres"

    @property
    def socket(self) -> Path:
        """The socket on which the server listens."""
        return self._sockets / ".s.PGSQL.5432"

    def fresh_database(self) -> str:
        """Make an empty database and give its address."""
        name = f"felt_{next(self._databases)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url_of(name)

    def fill(self, url: str, *, source: str) -> None:
        """Make a database again, as a copy of another one that is not in use."""
        old, new = (address.partition("///")[2].partition("?")[0] for address in (source, url))
        self.run(f"DROP DATABASE {new}")
        self.run(f"CREATE DATABASE {new} TEMPLATE {old}")

    def run(self, statement: str, *, url: str | None = None) -> list[tuple[Any, ...]]:
        """Run one statement behind the store's back, and give its rows."""
        with psycopg.connect(url or self.url, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        assert self._process is None, "the server runs already"
        command = [program("postgres"), "-D", str(self._data), "-k", str(self._sockets)]
        command += ["-c", "listen_addresses=", "-c", "max_connections=200", *self._settings]
        with self._log.open("ab") as log:
            # A session of its own, so that the server and its children can be killed together.
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd="/", start_new_session=True, **self._as_user
            )
        deadline = time.monotonic() + STARTED_WITHIN_S
        while True:
            try:
                self.run("SELECT 1")
            except psycopg.OperationalError:
                assert self._process.poll() is None, self._log.read_text(encoding="utf-8")
                assert time.monotonic() < deadline, self._log.read_text(encoding="utf-8")
                time.sleep(0.02)
            else:
                return

    def stop(self) -> None:
        """Shut the server down, ending all connections."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(timeout=STARTED_WITHIN_S)
            self._process = None

    def kill(self) -> None:
        """Kill the server and its children at once, as a loss of power would."""
        assert self._process is not None, "the server does not run"
        # Each child leads a group of its own. A server that stands still starts no other one.
        self._process.send_signal(signal.SIGSTOP)
        children = _children_of(self._process.pid)
        for process in (self._process.pid, *children):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait(timeout=STARTED_WITHIN_S)
        self._process = None
        # The server cannot be started again while one of them holds on to its shared memory.
        while any(Path(f"/proc/{child}").exists() for child in children):
            time.sleep(0.01)
        # What an orderly stop would have removed.
        (self._data / "postmaster.pid").unlink(missing_ok=True)

    def _make(self) -> None:
        subprocess.run(
            [
                program("initdb"),
                f"--pgdata={self._data}",
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            **self._as_user,
        )


def _children_of(parent: int) -> list[int]:
    """The processes that a process has started, where the system tells of them in /proc."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # The name of the program stands in brackets and may contain anything.
            _, own_parent, *_ = file.read_text(errors="replace").rpartition(")")[2].split()
            if int(own_parent) == parent:
                found.append(int(file.parent.name))
    return found


def _ordinary_user(folder: Path) -> dict[str, Any]:
    """How to start a program as a user other than root, who then owns the folder."""
    if os.geteuid() != 0:
        return {}
    users = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = users.get("postgres") or users["nobody"]
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[PostgresServer]:
    """A running server; ``durable`` ones write to the disk as in earnest."""
    # Not in pytest's folder, which only its owner may enter. Names of sockets must be short.
    folder = Path(tempfile.mkdtemp(prefix="openfelt-pg-"))
    guard = OrphanGuard(END_AND_REMOVE, str(folder))
    try:
        server = PostgresServer(folder, durable=durable)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        guard.release()
