"""The processes that share a store, in both kinds of database."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from openfelt.storage.cluster.cluster_door import (
    UNREPORTED,
    WANTED,
    BusReport,
    BusState,
    HeldLease,
    Member,
    NewMember,
)
from openfelt.storage.errors import Damaged, tell_damage
from openfelt.storage.sql.rows import Row, intact, text_fault
from openfelt.storage.sql.statements import beginning_with

GONE_MS: Final = 24 * 3_600_000
"""After this long, a member that has died is removed."""

# Each store puts its own clock into {now}.
_JOIN: Final = (
    "INSERT INTO members (name, home, run, role, version, started_ms, beat_ms, until_ms, drained)"
    " VALUES (?, ?, ?, ?, ?, {now}, {now}, {now} + ?, 0)"
    " ON CONFLICT (name) DO UPDATE SET home = excluded.home, run = excluded.run,"
    " role = excluded.role, version = excluded.version, started_ms = excluded.started_ms,"
    " beat_ms = excluded.beat_ms, until_ms = excluded.until_ms, drained = 0, bus = '', bus_ms = 0,"
    " lag_ms = 0"
    " WHERE members.home = excluded.home OR members.until_ms <= excluded.beat_ms OR ? = 1"
    " RETURNING name"
)
_FORGET: Final = "DELETE FROM members WHERE until_ms < {now} - ? AND name <> ? RETURNING name"
_RENEW: Final = (
    "UPDATE members SET beat_ms = {now}, until_ms = {now} + ?, bus = ?, bus_ms = ?, lag_ms = ?"
    " WHERE name = ? AND run = ? RETURNING name"
)
_LEAVE: Final = "DELETE FROM members WHERE name = ? AND run = ? RETURNING name"
_DRAIN: Final = "UPDATE members SET drained = ? WHERE name = ? RETURNING name"
_MEMBERS: Final = (
    "SELECT name, home, run, role, version, started_ms, {now} - beat_ms, until_ms - {now}, drained,"
    " bus, bus_ms, lag_ms FROM members ORDER BY name"
)
_HELD: Final = (
    "SELECT name, owner, fence, until_ms - {{now}} FROM streams"
    " WHERE owner <> '' AND {names} ORDER BY name"
)
_WANT: Final = (
    "UPDATE streams SET owner = ?, until_ms = 0 WHERE name = ? AND owner = '' AND version > 0"
    " RETURNING name"
)
_PUT_NOTE: Final = (
    "INSERT INTO notes (kind, name, body, until_ms) VALUES (?, ?, ?, {now} + ?)"
    " ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, until_ms = excluded.until_ms"
    " RETURNING name"
)
_NOTE: Final = "SELECT body FROM notes WHERE kind = ? AND name = ? AND until_ms > {now}"
_TAKE_NOTE: Final = (
    "DELETE FROM notes WHERE kind = ? AND name = ? AND until_ms > {now} RETURNING body"
)
_SWAP_NOTE: Final = (
    "UPDATE notes SET body = ? WHERE kind = ? AND name = ? AND body = ? AND until_ms > {now}"
    " RETURNING name"
)
_PURGE_NOTES: Final = "DELETE FROM notes WHERE until_ms <= {now} RETURNING name"


class ClusterQueries(ABC):
    """The queries of both stores about the processes that share them."""

    @abstractmethod
    def _read(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement that only reads."""

    @abstractmethod
    def _write(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement in a separate transaction."""

    @abstractmethod
    def _now(self) -> tuple[str, tuple[int, ...]]:
        """The clock of leases: its SQL and the values in it."""

    def join(self, member: NewMember, *, ttl_ms: int, alone: bool = False) -> Member | None:
        """Become a member; returns the living member that has the name, or None."""
        clock, now = self._now()
        self._write(_FORGET.format(now=clock), (*now, GONE_MS, member.name))
        joined = self._write(
            _JOIN.format(now=clock),
            (
                *(member.name, member.home, member.run, member.role, member.version),
                *(*now, *now, *now, ttl_ms, int(alone)),
            ),
        )
        if joined:
            return None
        return next((existing for existing in self.members() if existing.name == member.name), None)

    def renew_member(
        self,
        member: NewMember,
        *,
        ttl_ms: int,
        bus: BusReport = UNREPORTED,
        lag_ms: int = 0,
    ) -> bool:
        """Renew the membership, and report the state of the bus and the lag of the shown tables.

        Returns False if another process has taken the name.
        """
        clock, now = self._now()
        report = (bus.state.value, bus.for_ms, lag_ms)
        values = (*now, *now, ttl_ms, *report, member.name, member.run)
        return bool(self._write(_RENEW.format(now=clock), values))

    def leave(self, member: NewMember) -> None:
        """Stop being a member, unless another process has taken the name."""
        self._write(_LEAVE, (member.name, member.run))

    def drain_member(self, name: str, *, drained: bool) -> bool:
        """Ask a member to hand its tables to others, or to take some again; False if unknown."""
        return bool(self._write(_DRAIN, (int(drained), name)))

    def members(self) -> tuple[Member, ...]:
        """All members, living or not, in order of their names."""
        clock, now = self._now()
        rows = self._read(_MEMBERS.format(now=clock), (*now, *now))
        return tuple(intact(rows, _member, tell_damage))

    def held_leases(self, prefix: str) -> tuple[HeldLease, ...]:
        """The leases of streams with this prefix that were not given back, in order."""
        clock, now = self._now()
        names, values = beginning_with("name", prefix)
        rows = self._read(_HELD.format(names=names).format(now=clock), (*now, *values))
        return tuple(
            HeldLease(str(name), str(owner), int(fence), max(int(left_ms), 0))
            for name, owner, fence, left_ms in rows
        )

    def want_owner(self, stream: str) -> None:
        """Let any process take the lease of a stream with events, if it was given back."""
        self._write(_WANT, (WANTED, stream))

    # Notes

    def put_note(self, kind: str, name: str, body: str, *, ttl_ms: int) -> None:
        """Store a text for all processes for a short time, replacing one of the same name."""
        clock, now = self._now()
        self._write(_PUT_NOTE.format(now=clock), (kind, name, body, *now, ttl_ms))

    def note(self, kind: str, name: str) -> str | None:
        """A text that has not expired."""
        clock, now = self._now()
        return _body(self._read(_NOTE.format(now=clock), (kind, name, *now)))

    def take_note(self, kind: str, name: str) -> str | None:
        """Remove a text and return it; if several processes try, only one gets it."""
        clock, now = self._now()
        return _body(self._write(_TAKE_NOTE.format(now=clock), (kind, name, *now)))

    def swap_note(self, kind: str, name: str, *, before: str, after: str) -> bool:
        """Replace a text without extending its time; False if it was not as expected."""
        clock, now = self._now()
        values = (after, kind, name, before, *now)
        return bool(self._write(_SWAP_NOTE.format(now=clock), values))

    def purge_notes(self) -> None:
        """Remove the texts that have expired."""
        clock, now = self._now()
        self._write(_PURGE_NOTES.format(now=clock), now)


def _body(rows: Sequence[Row]) -> str | None:
    return str(rows[0][0]) if rows else None


def _member(row: Row) -> Member:
    *_, bus, bus_ms, lag_ms = row
    if (fault := text_fault((*row[:5], bus))) is not None:
        raise Damaged("members", row[0], fault)
    name, home, run, role, version, started_ms, silent_ms, left_ms, drained = row[:9]
    states = {state.value: state for state in BusState}
    return Member(
        name=name,
        home=home,
        run=run,
        role=role,
        version=version,
        started_ms=started_ms,
        silent_ms=max(silent_ms, 0),
        left_ms=max(left_ms, 0),
        drained=bool(drained),
        bus=BusReport(states.get(bus, BusState.UNKNOWN), max(bus_ms, 0)),
        lag_ms=max(lag_ms, 0),
    )
