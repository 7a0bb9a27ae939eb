"""The part of the door to storage that leads to the processes that share a database.

Members and leases say which process runs which tables now. They are not part of the record:
changing them stops or moves a table, but changes no card and no cent.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

WANTED = "?"
"""The owner of a lease that no process holds, but one should take."""


class BusState(StrEnum):
    """The state of a process's connection to the bus."""

    UNKNOWN = ""
    """The process has a version that does not report it."""
    NONE = "none"
    """The process has no bus, and reaches only the tables that it runs itself."""
    CONNECTED = "connected"
    LOST = "lost"


class BusReport(NamedTuple):
    """The state of a process's connection to the bus, and its duration."""

    state: BusState
    for_ms: int = 0


UNREPORTED = BusReport(BusState.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMember:
    """A process that joins the others."""

    name: str
    """The name under which it leases tables, the same after a restart."""
    home: str
    """A random text that stays with the folder of this process. It proves after a restart that the
    member under the process's name is its own previous run."""
    run: str
    """A random text of this start alone. A member can be renewed only by the start that joined."""
    role: str
    version: str
    """The version of Openfelt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member(NewMember):
    """A process as the others see it, by the clock of the store."""

    started_ms: int
    silent_ms: int
    """How long ago it last renewed itself."""
    left_ms: int
    """How much longer it counts as running; 0 if it no longer does."""
    drained: bool
    """Whether it is to hand its tables to others."""
    bus: BusReport = UNREPORTED
    """How it reached the bus when it last renewed itself."""
    lag_ms: int = 0
    """The largest lag of a table that it showed behind the record, at that renewal."""

    @property
    def living(self) -> bool:
        """Whether it has renewed itself in time."""
        return self.left_ms > 0


class HeldLease(NamedTuple):
    """A lease that was not given back: of a living process, or of one that has died."""

    stream: str
    owner: str
    """The name of a member, or WANTED."""
    fence: int
    left_ms: int
    """How long it still lasts; 0 if it has expired."""


class ClusterDoor(Protocol):
    """The part of every store's interface about the processes that share it. All calls block."""

    def join(self, member: NewMember, *, ttl_ms: int, alone: bool = False) -> Member | None:
        """Become a member, not drained; returns the living member that has the name, or None.

        A member that has expired, or that has the same home, is replaced. ``alone`` is for a
        process that is known to be the only one, and replaces any member. The rows of members that
        have been gone for a day are removed.
        """
        ...

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
        ...

    def leave(self, member: NewMember) -> None:
        """Stop being a member, unless another process has taken the name."""
        ...

    def drain_member(self, name: str, *, drained: bool) -> bool:
        """Ask a member to hand its tables to others, or to take some again; False if unknown."""
        ...

    def members(self) -> tuple[Member, ...]:
        """All members, living or not, in order of their names."""
        ...

    def held_leases(self, prefix: str) -> tuple[HeldLease, ...]:
        """The leases of streams with this prefix that were not given back, in order."""
        ...

    def want_owner(self, stream: str) -> None:
        """Let any process take the lease of a stream with events, if it was given back."""
        ...

    def copy_id(self, at_ms: int) -> str:
        """An id that no other database has, nor a copy of this one. A new epoch changes it.

        The database is prepared for commits if it was not; raises what a commit raises.
        """
        ...

    def put_note(self, kind: str, name: str, body: str, *, ttl_ms: int) -> None:
        """Store a text for all processes for a short time, replacing one of the same name."""
        ...

    def note(self, kind: str, name: str) -> str | None:
        """A text that has not expired."""
        ...

    def take_note(self, kind: str, name: str) -> str | None:
        """Remove a text and return it; if several processes try, only one gets it."""
        ...

    def swap_note(self, kind: str, name: str, *, before: str, after: str) -> bool:
        """Replace a text without extending its time; False if it was not as expected."""
        ...

    def purge_notes(self) -> None:
        """Remove the texts that have expired."""
        ...
