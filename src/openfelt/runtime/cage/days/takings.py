"""The takings of every day, table by table: an event for each day, once it is over.

They are kept permanently, even if the rounds of the day have been moved to an archive, so that a
period can be compared with the year before it. Days that were counted while the clock was ahead are
void once that is corrected, and are counted again when they are over.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from openfelt.ledger.table_play import TablePlay, play_after
from openfelt.ledger.takings import Takings, TakingsCounted
from openfelt.runtime.cage.days.day_closings import day_codec
from openfelt.runtime.causes import SYSTEM_CAUSE
from openfelt.runtime.clock import Clock, day_of, end_ms, start_ms
from openfelt.runtime.streams import (
    PRIVATE_PREFIX,
    TAKINGS_STREAM,
    StreamKind,
    kind_of,
    name_of,
)
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.door import Append, Commit, Conflict, Store, StoredEvent
from openfelt.storage.streams.time_corrections import ClockCorrected, corrections_in

BACK_DAYS: Final = 2 * 366
"""How far back missing days are counted: two years."""
DAYS_AT_ONCE_MAX: Final = 31
LATE_MS: Final = 600_000
"""How long after its end a day is counted: by then a process whose clock is behind has ended it
too, and what was decided before midnight is written."""


class TakingsBook:
    """The takings of one store. All calls block."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._codec = day_codec()

    def counted(self, *, after: int = 0) -> Iterator[tuple[int, TakingsCounted]]:
        """The days that have been counted after a version, each with its version."""
        corrections = corrections_in(self._store)
        for stored in self._store.record(TAKINGS_STREAM, after=after):
            if not is_void(stored, corrections):
                yield stored.version, self._codec.decode(stored)

    def count_due(self, clock: Clock) -> int:
        """Count the days that are over, some at a time; returns how many."""
        # The version is read before the list of days, so that a day which another process counts
        # meanwhile is a conflict, however late this one goes on.
        version = self._store.head(TAKINGS_STREAM).version
        days = self._due(day_of(clock.wall_ms() - LATE_MS))
        for counted, day in enumerate(days):
            if not self._count(day, version + counted, clock):
                return counted
        return len(days)

    def _due(self, today: date) -> list[date]:
        last = None
        for _, event in self.counted():
            last = event.day
        if last is not None:
            day = last + timedelta(days=1)
        else:
            first = next(self._store.transfers(), None)
            if first is None:
                return []
            day = max(day_of(first.at_ms), today - timedelta(days=BACK_DAYS))
        archive = self._store.archive(with_state=False)
        if archive is not None:
            # Of a day that an archive has cut, only a part would be counted.
            day = max(day, day_of(archive.at_ms - 1) + timedelta(days=1))
        days = min((today - day).days, DAYS_AT_ONCE_MAX)
        return [day + timedelta(days=number) for number in range(days)]

    def _count(self, day: date, version: int, clock: Clock) -> bool:
        """Count one day after a version; False if another process has written since."""
        number, _ = self._store.book()
        event = TakingsCounted(
            day=day, transfer=number, tables=takings_of(self._store, day, up_to=number)
        )
        append = Append(
            stream=TAKINGS_STREAM,
            expected_version=version,
            events=(self._codec.encode(event, cause=SYSTEM_CAUSE),),
        )
        try:
            self._store.commit(Commit(at_ms=clock.wall_ms(), appends=(append,)))
        except Conflict:
            return False
        return True


def is_void(stored: StoredEvent, corrections: tuple[ClockCorrected, ...]) -> bool:
    """Whether a day was counted by a clock that was ahead, as the record says since."""
    return any(
        correction.is_wrong(stored.stream, stored.version, stored.at_ms)
        for correction in corrections
    )


def takings_of(store: Store, day: date, *, up_to: int = LAST_NUMBER) -> dict[str, Takings]:
    """The takings of every public table on a day, from its transfers up to a number."""
    played: dict[str, TablePlay] = {}
    for stored in store.transfers_between(start_ms(day), end_ms(day)):
        table = name_of(stored.stream)
        if (
            stored.number <= up_to
            and kind_of(stored.stream) is StreamKind.TABLE
            and not table.startswith(PRIVATE_PREFIX)
        ):
            played[table] = play_after(played.get(table, TablePlay()), stored.transfer)
    return {
        table: Takings(drop_cents=play.bought_in_cents, win_cents=play.win_cents)
        for table, play in sorted(played.items())
        if play.bought_in_cents or play.win_cents
    }
