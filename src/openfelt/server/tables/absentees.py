"""Players and dealers whose terminals are gone, so that the others do not wait forever.

A seat whose terminal is gone passes the bank after a moment, and is released with its credit after
a while, once it has nothing in play. Wagers on the felt are played: the clock decides for them, and
at a table without a clock the house does. A dealer whose terminal is gone is signed off, so that
the players know why no card is dealt; their wagers stay in place.

None of this depends on a viewer: absences are kept in a separate schedule, which is rebuilt from
the tables' records after a restart. Time counts from then on, so that a terminal has time to come
back. An idle table costs nothing until one of its absences is due.
"""

import asyncio
import heapq
import logging
import secrets
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.rules.round_actions import SetWagers
from openfelt.rules.round_events import RoundSettled, RoundVoided
from openfelt.runtime.commits import CommitReport
from openfelt.runtime.requests import Request
from openfelt.runtime.streams import StreamKind
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.mailbox import Mailbox
from openfelt.server.tables.absence_rules import ABSENCE, ABSENT_MS, Next, next_step
from openfelt.server.tables.computer_players import NAMES
from openfelt.table.commands import SYSTEM, TableCommand
from openfelt.table.events import (
    BankDeclined,
    DealerChanged,
    SeatLeft,
    SeatTaken,
    TableEvent,
)
from openfelt.table.state import Table

RETRY_MS: Final = 5_000
"""When an absence is checked again after its command was refused or could not be given."""
_EVENTS: Final = (SeatTaken, SeatLeft, DealerChanged, BankDeclined, RoundSettled, RoundVoided)
"""The events after which another absence may be due."""

logger = logging.getLogger(__name__)


class Absentees:
    """The players and dealers of all tables whose terminals are gone, and since when."""

    def __init__(self, floor: Floor, *, shared: bool = False) -> None:
        """``shared`` tables may be run by other processes, which then look after them."""
        self._floor = floor
        self._shared = shared
        self.on_terminals: Callable[[str, str, int], None] = lambda *_: None
        """Called with a table, a person and 1 or -1 when a terminal of this process comes or
        goes."""
        self.knows_terminals: Callable[[], bool] = lambda: True
        """Whether the terminals of other processes are known now; if not, no player is absent."""
        self._clock = floor.worker_services.clock
        self._here: Counter[tuple[str, str]] = Counter()
        """How many terminals each person has at each table."""
        self._lock = threading.Lock()
        self._since_ms: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """By table and person, since when the last terminal is gone."""
        self._schedule: list[tuple[int, str, str]] = []
        """When to check a person of a table, the next one first."""
        self._news = asyncio.Event()
        self._acting: dict[str, asyncio.Task[None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        floor.worker_services.people.ask_absent(self.absent)
        floor.attend(self)

    # Terminals -------------------------------------------------------------------------

    def arrive(self, table: str, person: str, *, told: bool = True) -> None:
        """A terminal of a person has connected to a table; ``told`` if it did so here."""
        if told:
            self.on_terminals(table, person, 1)
        self._here[table, person] += 1
        self._forget(table, person)

    def depart(self, table: str, person: str, *, told: bool = True) -> None:
        """A terminal of a person has disconnected from a table; ``told`` if it did so here."""
        if told:
            self.on_terminals(table, person, -1)
        self._here[table, person] -= 1
        if self._here[table, person] > 0:
            return
        del self._here[table, person]
        running = self._floor.running.get(table)
        if running is not None and _expects(running.worker.table, person):
            self._miss(table, person)

    def absent(self, table: str) -> Mapping[str, int]:
        """How long each absent person of a table has been gone; called in any thread."""
        if not self.knows_terminals():
            return {}
        now_ms = self._clock.monotonic_ms()
        with self._lock:
            since_ms = dict(self._since_ms.get(table, {}))
        gone_ms = {person: now_ms - since for person, since in since_ms.items()}
        return {person: ms for person, ms in gone_ms.items() if ms >= ABSENT_MS}

    # Tables ----------------------------------------------------------------------------

    def taken_up(self, mailbox: Mailbox) -> None:
        """Count the people of a table that this process begins to run as absent."""
        table = mailbox.worker.table
        with self._lock:
            absent_since = self._since_ms.pop(table.id, {})
        dealer = () if table.dealer is None else (table.dealer,)
        for person in (*table.sitting, *dealer):
            if _expects(table, person) and not self._here[table.id, person]:
                self._miss(table.id, person, since_ms=absent_since.get(person))

    def put_down(self, mailbox: Mailbox) -> None:
        """Absences are kept, unless another process may take the table up."""
        if self._shared:
            with self._lock:
                self._since_ms.pop(mailbox.table.id, None)

    def committed(self, committed: CommitReport) -> None:
        """Note what a table has written; called in the thread that wrote it."""
        if committed.kind is not StreamKind.TABLE or self._loop is None:
            return
        events = tuple(event for event in committed.events if isinstance(event, _EVENTS))
        if events:
            self._loop.call_soon_threadsafe(self._note, committed.name, events)

    def _note(self, name: str, events: Iterable[TableEvent]) -> None:
        running = self._floor.running.get(name)
        if running is None:
            return
        table = running.worker.table
        for event in events:
            match event:
                case SeatTaken(_, person) | DealerChanged(str(person)):
                    if _expects(table, person) and not self._here[name, person]:
                        self._miss(name, person)
                case RoundSettled() | RoundVoided():
                    self._hold_seats(table)
        if table.player_banked:
            self._look_again(name)

    def _hold_seats(self, table: Table) -> None:
        """A seat is held for its whole time after a round that it has played."""
        played = {spot.seat for spot in table.round.hands} if table.round else set()
        if table.round and table.round.opened.banker:
            played.add(table.round.opened.banker.seat)
        for person in tuple(self._since_ms.get(table.id, ())):
            if table.seat_of(person) in played:
                self._miss(table.id, person)

    def _look_again(self, table: str) -> None:
        """Check the absent people of a table again: the bank may be offered to one of them."""
        for person in self._since_ms.get(table, ()):
            self._look_at(table, person, self._clock.monotonic_ms())

    # The schedule ----------------------------------------------------------------------

    def _miss(self, table: str, person: str, *, since_ms: int | None = None) -> None:
        now_ms = self._clock.monotonic_ms()
        with self._lock:
            self._since_ms[table][person] = now_ms if since_ms is None else since_ms
        self._look_at(table, person, now_ms)

    def _forget(self, table: str, person: str) -> None:
        with self._lock:
            missed = self._since_ms.get(table)
            if missed is not None:
                missed.pop(person, None)
                if not missed:
                    del self._since_ms[table]

    def _look_at(self, table: str, person: str, at_ms: int) -> None:
        heapq.heappush(self._schedule, (at_ms, table, person))
        if self._schedule[0][0] == at_ms:
            self._news.set()

    async def run(self) -> None:
        """Check absences when they are due, until cancelled."""
        self._loop = asyncio.get_running_loop()
        for mailbox in tuple(self._floor.running.values()):
            self.taken_up(mailbox)
        try:
            while True:
                self._news.clear()
                await self._wait()
                self._begin(self._due())
        finally:
            self._loop = None
            acting = tuple(self._acting.values())
            for task in acting:
                task.cancel()
            await asyncio.gather(*acting, return_exceptions=True)

    async def _wait(self) -> None:
        timeout = None
        if self._schedule:
            timeout = max(0, self._schedule[0][0] - self._clock.monotonic_ms()) / 1000
        try:
            async with asyncio.timeout(timeout):
                await self._news.wait()
        except TimeoutError:
            pass

    def _due(self) -> dict[str, set[str]]:
        """The people to check now, by table."""
        due: defaultdict[str, set[str]] = defaultdict(set)
        now_ms = self._clock.monotonic_ms()
        while self._schedule and self._schedule[0][0] <= now_ms:
            _, table, person = heapq.heappop(self._schedule)
            if person in self._since_ms.get(table, ()):
                due[table].add(person)
        return due

    def _begin(self, due: Mapping[str, set[str]]) -> None:
        """Check each table separately, so that a slow one does not hold up the others."""
        for table, people in due.items():
            if table in self._acting:
                for person in people:
                    self._look_at(table, person, self._clock.monotonic_ms() + RETRY_MS)
                continue
            task = asyncio.create_task(self._act(table, people), name=f"absent at {table}")
            self._acting[table] = task
            task.add_done_callback(lambda _, table=table: self._acting.pop(table, None))  # type: ignore[misc]

    async def _act(self, table: str, people: set[str]) -> None:
        try:
            mailbox = await self._floor.mailbox(table)
            await asyncio.gather(*(self._act_for(mailbox, person) for person in people))
        except Exception as error:
            if not isinstance(error, Refusal):
                logger.exception("absences at %s could not be checked", table)
            for person in people:
                self._look_at(table, person, self._clock.monotonic_ms() + RETRY_MS)

    async def _act_for(self, mailbox: Mailbox, person: str) -> None:
        """Take the due action for a person, and note when to check again."""
        table = mailbox.worker.table
        now_ms = self._clock.monotonic_ms()
        since_ms = self._since_ms.get(table.id, {}).get(person)
        if since_ms is None:
            return
        if not _expects(table, person):
            self._forget(table.id, person)
            return
        if not self.knows_terminals():
            self._look_at(table.id, person, now_ms + RETRY_MS)
            return
        step = next_step(table, person, now_ms - since_ms)
        if step.command is not None and await self._refused(mailbox, step.command):
            step = Next(in_ms=RETRY_MS)
        if step.in_ms is not None:
            self._look_at(table.id, person, now_ms + step.in_ms)

    async def _refused(self, mailbox: Mailbox, command: TableCommand) -> bool:
        # Only the system takes wagers back; all else is a supervisor's command.
        by = SYSTEM if isinstance(command, SetWagers) else ABSENCE
        request = Request(by=by, command=command, id=secrets.token_hex(16))
        return not (await mailbox.ask(request)).accepted


def _expects(table: Table, person: str) -> bool:
    """Whether a person's terminal belongs at a table. A private table keeps its player's seat."""
    if table.opened.private_to is not None or person in NAMES:
        return False
    return person == table.dealer or table.seat_of(person) is not None
