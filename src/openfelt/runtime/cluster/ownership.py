"""The tables of this process: taken up and handed over as the placement says.

A table that a process has left, or whose process has died, stays among the held leases of the
store, so that it is found without a visitor. A table that was put down because it is idle does
not; the next request takes it up.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final, NamedTuple

from openfelt.rules.refusal import Refusal
from openfelt.runtime.cluster.cluster_state import apart_in
from openfelt.runtime.cluster.membership import Membership
from openfelt.runtime.cluster.placement import placed
from openfelt.runtime.outage_log import OutageLog
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import PRIVATE_PREFIX, StreamKind, name_of, names_in, table_stream
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.mailbox import Mailbox
from openfelt.storage.cluster.cluster_door import BusState, HeldLease, Member
from openfelt.storage.door import StoreError
from openfelt.table.permissions import NAME

GATEWAY: Final = "gateway"
"""The role of a process that runs no tables."""
TABLES: Final = "tables"
"""The role of a process that serves no callers."""
STEP_MS_MAX: Final = 1000
"""How often a process compares its tables with the placement, at least."""
AFTER_END_MS: Final = 5
"""How long after the end of another process's lease the tables are compared."""
PATIENCE_MS: Final = 30_000
"""How long a table that is to move waits for its round to end. After that it moves within the
round, which continues in the other process with the same cards."""
CUT_OFF_MS: Final = 10_000
"""A process that has been without the bus for this long hands its tables over, if another one has
had the bus for as long. When NATS itself is down, all processes are without the bus and tables
stay."""
RETRY_MS: Final = 30_000
"""How long until a table that could not be taken up is tried again."""
ADOPTED_MS: Final = 600_000
"""How long a process keeps a table that another one should have taken up but did not."""

logger = logging.getLogger(__name__)


class Moves(NamedTuple):
    """The moves that one process has to make."""

    take: tuple[str, ...]
    give: tuple[str, ...]


class Adoption(NamedTuple):
    """A table that this process keeps because the assigned process did not take it."""

    others: frozenset[str]
    """The runs of the other processes at the time. A process that joins later may take the
    table."""
    until_ms: int


def moves(
    me: str, leases: Sequence[HeldLease], members: Sequence[Member], running: Sequence[str]
) -> Moves:
    """The tables that a process should take up now, and those that it should hand over."""
    takers = [member.name for member in takers_of(members)]
    tables = {name_of(lease.stream): lease for lease in leases}
    owners = {table: lease.owner if lease.left_ms else None for table, lease in tables.items()}
    # A restarted process knows the leases of its last run; no other process may take them yet.
    owners |= {table: me for table, lease in tables.items() if lease.owner == me}
    places = placed(owners, takers)
    return Moves(
        take=tuple(
            table
            for table, place in places.items()
            if place == me
            and table not in running
            and (tables[table].left_ms == 0 or tables[table].owner == me)
        ),
        give=tuple(table for table in running if takers and places.get(table, me) != me),
    )


def pause_ms(
    me: str, leases: Sequence[HeldLease], members: Sequence[Member], *, longest_ms: int
) -> int:
    """How long a process waits before it compares again.

    It waits until the next lease or membership of another process expires. Those of living
    processes are renewed long before.
    """
    lasting = [lease.left_ms for lease in leases if lease.owner != me]
    lasting += [member.left_ms for member in members if member.name != me]
    ends = [left_ms + AFTER_END_MS for left_ms in lasting if left_ms]
    return min([*ends, longest_ms])


def takers_of(members: Sequence[Member]) -> list[Member]:
    """The members that run tables and will continue to.

    A process that alone has lost the bus is not among them, because gateways do not reach its
    tables. If all have lost it, or the others run no tables, it keeps its tables.
    """
    willing = [
        member
        for member in members
        if member.living and not member.drained and member.role != GATEWAY
    ]
    if not any(_has_bus(member) for member in members):
        return willing
    return [member for member in willing if not _is_cut_off(member)] or willing


def _has_bus(member: Member) -> bool:
    state, for_ms = member.bus
    return member.living and state is BusState.CONNECTED and for_ms >= CUT_OFF_MS


def _is_cut_off(member: Member) -> bool:
    return member.bus.state is BusState.LOST and member.bus.for_ms >= CUT_OFF_MS


class Ownership:
    """Takes tables up and hands them over as long as the process runs."""

    def __init__(self, floor: Floor, membership: Membership, *, lease_ms: int) -> None:
        self._floor = floor
        self._store = floor.worker_services.store
        self._clock = floor.worker_services.clock
        self._membership = membership
        self._lease_ms = lease_ms
        self._leaving_ms: dict[str, int] = {}
        """Since when a table waits for the end of its round to be handed over."""
        self._not_before_ms: dict[str, int] = {}
        """When to try again to take up a table that could not be."""
        self._adopted: dict[str, Adoption] = {}
        """Tables that another process should have taken up but did not."""
        self._held: frozenset[str] = frozenset()
        """The tables that any process holds or should take up."""
        self._over_since_ms: dict[str, int] = {}
        """Since when the lease of each table has been expired."""
        self._pause_ms = self._longest_pause_ms
        """How long to wait before the next comparison."""
        self.apart: tuple[str, ...] = ()
        """Living processes that reach only their own tables, although there are others."""
        self.cut_off = False
        """Whether this process alone has lost the bus, so its tables go to other processes."""
        self.gateways = 1
        """How many living processes serve callers, including this one."""

    @property
    def name(self) -> str:
        """The name under which this process leases tables."""
        return self._membership.member.name

    @property
    def _longest_pause_ms(self) -> int:
        return min(STEP_MS_MAX, self._lease_ms // 3)

    @property
    def lag_ms(self) -> int:
        """The current lag of the tables that this process shows behind their records."""
        return self._membership.lag_ms()

    def report_lag(self, lag_ms: Callable[[], int]) -> None:
        """Let this process report the lag of the tables that it shows to the others."""
        self._membership.lag_ms = lag_ms

    @property
    def abandoned(self) -> tuple[str, ...]:
        """The tables that no process has run for longer than a takeover takes."""
        now_ms = self._clock.monotonic_ms()
        return tuple(
            table
            for table, since_ms in self._over_since_ms.items()
            if now_ms - since_ms > self._lease_ms
        )

    def is_resting(self, table: str) -> bool:
        """Whether no process runs a table, and none needs to."""
        return table not in self._held

    async def start(self) -> None:
        """Request a process for every public table, and take up those assigned to this one."""
        await self._floor.in_thread(self._want_public_tables)
        await self.step()

    def _want_public_tables(self) -> None:
        held = {lease.stream for lease in self._store.held_leases(StreamKind.TABLE.prefix)}
        for table in names_in(self._store, StreamKind.TABLE):
            stream = table_stream(table)
            if not table.startswith(PRIVATE_PREFIX) and stream not in held:
                self._store.want_owner(stream)

    async def run(self) -> None:
        """Compare at intervals, until cancelled."""
        outage = OutageLog(logger, "the tables of the house cannot be listed")
        while True:
            await asyncio.sleep(self._pause_ms / 1000)
            self._pause_ms = self._longest_pause_ms
            try:
                await self.step()
                outage.over()
            except StoreError as error:
                outage.failed(error)
            except Exception:
                logger.exception("the tables of the house could not be placed")

    async def step(self) -> None:
        """Compare once: take up tables that are due, and hand others over; raises StoreError."""
        leases, members = await self._floor.in_thread(self._read)
        self._pause_ms = pause_ms(self.name, leases, members, longest_ms=self._longest_pause_ms)
        self._note(leases)
        self._note_members(members)
        if not self._membership.active:
            return
        running = {
            table: mailbox for table, mailbox in self._floor.running.items() if not mailbox.lost
        }
        for table in await self._leave_to_newer(running):
            del running[table]
        due = moves(self.name, leases, members, tuple(running))
        others = frozenset(each.run for each in takers_of(members) if each.name != self.name)
        if self._takes(members):
            # A table that the assigned process has not taken up in time may be readable here.
            orphans = set(self.abandoned) - set(due.take)
            await self._take((*due.take, *orphans))
            self._adopt(orphans, others)
        else:
            self._adopted = {}
        give = [table for table in due.give if table in running and table not in self._adopted]
        await self._give({table: running[table] for table in give})

    def _adopt(self, orphans: AbstractSet[str], others: frozenset[str]) -> None:
        """Keep, for a while, tables that the assigned process has not taken up."""
        now_ms = self._clock.monotonic_ms()
        kept = {
            table: adoption
            for table, adoption in self._adopted.items()
            if adoption.others == others and now_ms < adoption.until_ms
        }
        adopted = orphans & self._floor.running.keys()
        self._adopted = kept | dict.fromkeys(adopted, Adoption(others, now_ms + ADOPTED_MS))

    async def _leave_to_newer(self, running: Mapping[str, Mailbox]) -> list[str]:
        """Hand over tables that need an event that only a newer Openfelt can read.

        This happens in a rolling upgrade, where a table shares its link with tables of a process
        that has been upgraded. The hand in play continues there, with the same cards.
        """
        newer_links = self._floor.worker_services.links.newer
        left = [
            table
            for table, mailbox in running.items()
            if mailbox.table.link in newer_links or (mailbox.stopped and mailbox.stopped.newer)
        ]
        for table in left:
            logger.error(
                "table %s needs an event that only a newer Openfelt can read: it is left to a "
                "newer server. Upgrade this one",
                table,
            )
            self._not_before_ms[table] = self._clock.monotonic_ms() + RETRY_MS
            await self._floor.hand_over(table, running[table])
        return left

    def _takes(self, members: Sequence[Member]) -> bool:
        return any(member.name == self.name for member in takers_of(members))

    def _read(self) -> tuple[Sequence[HeldLease], Sequence[Member]]:
        leases = self._store.held_leases(StreamKind.TABLE.prefix)
        return (
            [lease for lease in leases if NAME.fullmatch(name_of(lease.stream))],
            [self._as_now(member) for member in self._store.members()],
        )

    def _as_now(self, member: Member) -> Member:
        """A member; this process with its current state of the bus, not the last renewed one."""
        if member.name != self.name:
            return member
        return replace(member, bus=self._membership.bus())

    def _note(self, leases: Sequence[HeldLease]) -> None:
        now_ms = self._clock.monotonic_ms()
        self._held = frozenset(name_of(lease.stream) for lease in leases)
        self._floor.run_elsewhere(
            name_of(lease.stream) for lease in leases if lease.left_ms and lease.owner != self.name
        )
        over = [name_of(lease.stream) for lease in leases if not lease.left_ms]
        self._over_since_ms = {table: self._over_since_ms.get(table, now_ms) for table in over}

    def _note_members(self, members: Sequence[Member]) -> None:
        apart, before = apart_in(members), self.apart
        self.apart = apart
        if apart and not before:
            logger.error(
                "servers without --bus share this database: %s. Players at one of them cannot play "
                "at the tables of another. Start all servers with the same --bus nats://HOST:4222",
                ", ".join(apart),
            )
        self.gateways = max(1, sum(each.living and each.role != TABLES for each in members))
        cut_off = any(each.name == self.name and _is_cut_off(each) for each in members)
        cut_off = cut_off and any(_has_bus(each) for each in members)
        if cut_off and not self.cut_off:
            logger.error("only this server has lost the bus: it gives up its tables")
        self.cut_off = cut_off

    async def _take(self, tables: Sequence[str]) -> None:
        now_ms = self._clock.monotonic_ms()
        for table in tables:
            if self._not_before_ms.get(table, 0) > now_ms:
                continue
            try:
                await self._floor.mailbox(table)
                self._not_before_ms.pop(table, None)
            except (Refusal, StoreError) as refusal:
                if isinstance(refusal, Refusal) and refusal.code is RuntimeCode.MOVED:
                    # Another process was faster; if that one ends, the table is due here again.
                    logger.info("table %s is not taken up: %s", table, refusal)
                    continue
                logger.warning("table %s is not taken up: %s", table, refusal)
                self._not_before_ms[table] = now_ms + RETRY_MS

    async def _give(self, tables: Mapping[str, Mailbox]) -> None:
        now_ms = self._clock.monotonic_ms()
        self._leaving_ms = {table: self._leaving_ms.get(table, now_ms) for table in tables}
        for table, mailbox in tables.items():
            waited_ms = now_ms - self._leaving_ms[table]
            # No gateway reaches a table of a process that is cut off, so its round does not end.
            if mailbox.worker.table.playing is None or waited_ms >= PATIENCE_MS or self.cut_off:
                await self._floor.hand_over(table, mailbox)
