"""A small pool of connections to PostgreSQL, each lent to one thread at a time."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
from psycopg import conninfo
from psycopg.pq import TransactionStatus

from openfelt.storage.door import StoreError, Unavailable, Unknown
from openfelt.storage.postgres.errors import plain

Connection = psycopg.Connection[tuple[Any, ...]]
"""A connection whose rows are plain tuples."""

_WAIT_S = 30
"""How long a thread waits for a free connection."""

_DEFAULTS: dict[str, Any] = {"connect_timeout": "10", "application_name": "openfelt"}
"""Defaults that the address may override."""

_ENDING_S = 5
"""How long a thread waits for the end of a session whose commit was lost."""
_LOOK_MS = 20

# A program that stalls in the middle of a write must not hold a table's rows for ever, and what is
# committed must be on disk. Limits that were set for the user or the database are kept. What is set
# for the session stays, even if the operator changes it for the server meanwhile.
_SETTINGS = b"""
    SELECT set_config(name, CASE value WHEN unwanted THEN wanted ELSE value END, false)
    FROM (VALUES
        ('lock_timeout', '0', '10s'),
        ('idle_in_transaction_session_timeout', '0', '10s'),
        ('statement_timeout', '0', '60s'),
        ('synchronous_commit', 'off', 'on')
    ) AS settings (name, unwanted, wanted),
    LATERAL (SELECT current_setting(name) AS value) AS present
    WHERE value = unwanted OR name = 'synchronous_commit'
"""

_SESSION = b"""
    SELECT pid, CAST(backend_start AS text) FROM pg_stat_activity WHERE pid = pg_backend_pid()
"""
# A session that waits for a standby has committed, and to end it would only hide that the standby
# does not have it.
_END = b"""
    SELECT CASE WHEN wait_event IS DISTINCT FROM 'SyncRep' THEN pg_terminate_backend(pid) END
    FROM pg_stat_activity WHERE pid = %s AND backend_start = CAST(%s AS timestamptz)
"""


def _location(address: Mapping[str, Any]) -> str:
    """The address of a database, without its user and password."""
    parts = {name: str(address.get(name, "")) for name in ("host", "port", "dbname", "options")}
    return "postgresql:" + " ".join(f"{name}={value}" for name, value in parts.items() if value)


class _Session(NamedTuple):
    """A session of the server, which outlives its connection for a while."""

    pid: int
    started: str
    """When it began: another session may get the same number."""


class ConnectionPool:
    """Connections to one database. Idle ones are kept; lost ones are discarded.

    The server may still be at a commit whose connection was lost. So before anything else is read
    or written through this pool, that session is ended: the record then has the commit, or will
    never have it.
    """

    def __init__(self, url: str, *, connections_max: int) -> None:
        try:
            given = set(conninfo.conninfo_to_dict(url))
            added = {name: value for name, value in _DEFAULTS.items() if name not in given}
            self._conninfo = conninfo.make_conninfo(url, **added)
            self.location = _location(conninfo.conninfo_to_dict(url))
        except psycopg.Error:
            # The driver's message may repeat the address, with its password.
            raise StoreError("The address of the PostgreSQL database cannot be read.") from None
        self._max = connections_max
        self._free = threading.BoundedSemaphore(connections_max)
        self._idle: list[Connection] = []
        self._closed = False
        self._sessions: WeakKeyDictionary[Connection, _Session] = WeakKeyDictionary()
        self._lost: list[_Session] = []
        """Sessions that were lost during a commit."""
        self._ending = threading.Lock()

    @contextmanager
    def lent(self) -> Iterator[Connection]:
        """A connection for one piece of work; it is kept only if no transaction is left open."""
        if not self._free.acquire(timeout=_WAIT_S):
            raise Unavailable(f"All {self._max} connections to the database are busy.")
        try:
            connection = self._certain() if self._lost else self._pop_idle() or self._connect()
            try:
                yield connection
            except BaseException as error:
                self._note_lost(connection, error)
                raise
            finally:
                self._take_back(connection)
        finally:
            self._free.release()

    def _note_lost(self, connection: Connection, error: BaseException) -> None:
        """Note a session that may still commit something: others end with their connection."""
        refused = isinstance(error, StoreError) and not isinstance(error, Unknown)
        if connection.closed and not refused and not isinstance(error, psycopg.Error):
            self._lost.append(self._sessions[connection])

    def _certain(self) -> Connection:
        """A connection, once no lost commit can be carried out any more; raises Unavailable."""
        while True:
            idle = self._pop_idle()
            connection = idle or self._connect()
            try:
                with self._ending:
                    while self._lost:
                        self._end(connection, self._lost[0])
                        del self._lost[0]
            except psycopg.Error as error:
                connection.close()
                if idle is None:
                    raise plain(error) from error
            except BaseException:
                connection.close()
                raise
            else:
                return connection

    def _end(self, connection: Connection, session: _Session) -> None:
        until = time.monotonic() + _ENDING_S
        while connection.execute(_END, session).fetchall():
            if time.monotonic() > until:
                raise Unavailable("The database server is still at a commit that was lost.")
            time.sleep(_LOOK_MS / 1000)

    def forget_idle(self) -> None:
        """Close idle connections: if one was lost, the others were lost too."""
        while (connection := self._pop_idle()) is not None:
            connection.close()

    def close(self) -> None:
        """Close all connections; lent ones are closed when they are returned."""
        self._closed = True
        self.forget_idle()

    def _pop_idle(self) -> Connection | None:
        # list.pop and list.append are atomic to other threads.
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _take_back(self, connection: Connection) -> None:
        status = connection.pgconn.transaction_status
        if connection.closed or status != TransactionStatus.IDLE:
            connection.close()
        else:
            self._idle.append(connection)
        if self._closed:
            # The store was closed in the meantime, and missed this connection.
            self.forget_idle()

    def _connect(self) -> Connection:
        if self._closed:
            raise Unavailable("The store is closed.")
        try:
            connection = psycopg.connect(self._conninfo, autocommit=True)
        except psycopg.Error as error:
            raise plain(error) from error
        try:
            encoding = connection.info.parameter_status("server_encoding")
            if encoding != "UTF8":
                raise StoreError(f"The encoding of the database must be UTF8, not {encoding}.")
            connection.execute(_SETTINGS)
            ((pid, started),) = connection.execute(_SESSION).fetchall()
            self._sessions[connection] = _Session(pid, started)
        except psycopg.Error as error:
            connection.close()
            raise plain(error) from error
        except BaseException:
            connection.close()
            raise
        return connection
