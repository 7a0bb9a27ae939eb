"""Days that have been closed: an event for each, with the balances of all accounts at its end.

They are part of the chained record, so a later day opens with what the earlier one closed with, and
neither needs the transfers before it. Days that were closed while the clock was ahead are void once
that is corrected, and are closed again when they are over.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cached_property
from typing import Final

from openfelt.ledger.day_close import DayClosed
from openfelt.runtime.cage.days.account_sums import AccountSums
from openfelt.runtime.causes import SYSTEM_CAUSE
from openfelt.runtime.clock import Clock, day_of, end_ms, start_ms
from openfelt.runtime.requests import Answer, digest
from openfelt.runtime.streams import DAYS_STREAM
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Cause, Commit, Conflict, Store, StoredEvent
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.streams.time_corrections import ClockCorrected, corrections_in

DAYS_AT_ONCE_MAX: Final = 31
"""How many days are closed after a pause; earlier ones stay open."""
DAYS_SEARCHED: Final = 400
"""How far a closed day is searched for."""


def day_codec() -> EventCodec:
    """The codec of closed days, which refer to no rules."""
    return EventCodec(Codec(lambda _: None))


class DayClosings:
    """The closed days of one store. All calls block."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._codec = day_codec()

    @cached_property
    def _corrections(self) -> tuple[ClockCorrected, ...]:
        """The corrections of a clock by which days had been closed; raises Damaged."""
        return tuple(
            correction
            for correction in corrections_in(self._store)
            if correction.streams.get(DAYS_STREAM)
        )

    def nearest_before(self, day: date) -> DayClosed | None:
        """The last closed day before this one."""
        first = max(day.toordinal() - DAYS_SEARCHED, 1)
        return self._first(map(date.fromordinal, range(day.toordinal() - 1, first, -1)))

    def nearest_from(self, day: date) -> DayClosed | None:
        """This day if it is closed, otherwise the first closed day after it."""
        last = min(day.toordinal() + DAYS_SEARCHED, date.max.toordinal())
        return self._first(map(date.fromordinal, range(day.toordinal(), last)))

    def last(self, *, up_to: int | None = None) -> DayClosed | None:
        """The day that was closed last, by an event up to a version, if one is given."""
        version = self._last_version(up_to)
        return self._at(version) if version else None

    def _last_version(self, up_to: int | None) -> int:
        version = self._store.head(DAYS_STREAM).version if up_to is None else up_to
        while version and self._stored(version) is None:
            version -= 1
        return version

    def _first(self, days: Iterator[date]) -> DayClosed | None:
        """The first of these days that is closed."""
        wanted = list(days)
        generations = range(len(self._corrections), -1, -1)
        keys = [(SYSTEM_CAUSE.actor, _command(day, nth)) for day in wanted for nth in generations]
        closed = self._store.answers(DAYS_STREAM, keys)
        for key in keys:
            if key in closed:
                event = self._at(Answer.from_json(closed[key].body).version)
                if event is not None:
                    return event
        return None

    def _at(self, version: int) -> DayClosed | None:
        stored = self._stored(version)
        event = None if stored is None else self._codec.decode(stored)
        return event if isinstance(event, DayClosed) else None

    def _stored(self, version: int) -> StoredEvent | None:
        """The event of a version, None if the day was closed by a clock that was ahead."""
        for stored in self._store.events(DAYS_STREAM, after=version - 1, up_to=version):
            return None if self.is_void(stored) else stored
        return None

    def is_void(self, stored: StoredEvent) -> bool:
        """Whether a day was closed by a clock that was ahead, as the record says since."""
        return any(
            correction.is_wrong(stored.stream, stored.version, stored.at_ms)
            for correction in self._corrections
        )

    # Closing ---------------------------------------------------------------------------

    def close_due(self, clock: Clock) -> int:
        """Close the days that are over, up to yesterday; returns how many."""
        closed = 0
        for day in self._due(day_of(clock.wall_ms())):
            closed += self._close(day, clock)
        return closed

    def _due(self, today: date) -> Iterator[date]:
        yesterday, last = today - timedelta(days=1), self.last()
        first = next(self._store.transfers(), None)
        if first is None or first.at_ms >= start_ms(today):
            # Nothing has moved before today.
            return
        day = yesterday
        if last is not None:
            day = max(last.day + timedelta(days=1), today - timedelta(days=DAYS_AT_ONCE_MAX))
        while day <= yesterday:
            yield day
            day += timedelta(days=1)

    def _close(self, day: date, clock: Clock) -> bool:
        """Close one day; False if another process has done so."""
        head = self._store.head(DAYS_STREAM)
        number, balances = self._store.book()
        sums = AccountSums(balances)
        for stored in self._store.transfers_between(end_ms(day), LAST_NUMBER):
            if stored.number <= number:
                sums.take_back(stored.transfer)
        named = {str(account): cents for account, cents in sorted(sums.cents.items())}
        event = DayClosed(day, number, named)
        cause = Cause(
            actor=SYSTEM_CAUSE.actor,
            command=_command(day, len(self._corrections)),
            digest=digest(self._codec.codec, event),
        )
        append = Append(
            stream=DAYS_STREAM,
            expected_version=head.version,
            events=(self._codec.encode(event, cause=cause),),
        )
        try:
            self._store.commit(Commit(at_ms=clock.wall_ms(), appends=(append,)))
        except Conflict:
            return False
        return True


def _command(day: date, corrections: int) -> str:
    """The id of the command that closes a day, by which its event is found."""
    again = f"-{corrections + 1}" if corrections else ""
    return f"close-{day.isoformat()}{again}"
