"""The processes that share a store: which of them runs which tables, and which tables none runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from openfelt.runtime.streams import DUTY_PREFIX, StreamKind, name_of
from openfelt.storage.cluster.cluster_door import BusState, HeldLease, Member
from openfelt.storage.door import Store


class RunTable(NamedTuple):
    """A table and its lease."""

    table: str
    fence: int
    """The number of the lease."""
    left_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    """One process."""

    member: Member
    tables: tuple[RunTable, ...]
    duties: tuple[str, ...]
    """Its tasks for the whole house."""

    @property
    def words(self) -> str:
        """``living``, ``drained``, ``draining`` while it still runs tables, or ``gone``."""
        if not self.member.living:
            return "gone"
        if not self.member.drained:
            return "living"
        return "draining" if self.tables else "drained"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterState:
    """All processes, in order of their names."""

    servers: tuple[ServerState, ...]
    waiting: tuple[str, ...]
    """Tables that a process should run, but none does."""
    apart: tuple[str, ...] = ()
    """Living processes that reach only their own tables, although there are others."""


def apart_in(members: Sequence[Member]) -> tuple[str, ...]:
    """The living processes without a bus, if there are several.

    Their players cannot sit down at tables of other processes, nor other players at theirs.
    """
    living = [member for member in members if member.living]
    if len(living) < 2:
        return ()
    return tuple(member.name for member in living if member.bus.state is BusState.NONE)


def cluster_state(store: Store) -> ClusterState:
    """The current state of the cluster in the store; raises StoreError.

    A process that runs a table without being a member, of an earlier version for example, is not
    among the servers.
    """
    tables = store.held_leases(StreamKind.TABLE.prefix)
    duties = store.held_leases(DUTY_PREFIX)
    members = store.members()
    return ClusterState(
        servers=tuple(_server(member, tables, duties) for member in members),
        apart=apart_in(members),
        waiting=tuple(name_of(lease.stream) for lease in tables if not lease.left_ms),
    )


def _server(
    member: Member, tables: tuple[HeldLease, ...], duties: tuple[HeldLease, ...]
) -> ServerState:
    return ServerState(
        member=member,
        tables=tuple(
            RunTable(name_of(lease.stream), lease.fence, lease.left_ms)
            for lease in tables
            if lease.owner == member.name and lease.left_ms
        ),
        duties=tuple(
            name_of(lease.stream)
            for lease in duties
            if lease.owner == member.name and lease.left_ms
        ),
    )
