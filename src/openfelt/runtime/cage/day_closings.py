"""Days that have been closed: an event for each, with the balances of all accounts at its end.

They stand in the chained record, so a later day opens with what the earlier one closed with, and
neither needs the transfers before it.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Final

from openfelt.ledger.day_close import DayClosed
from openfelt.runtime.cage.account_sums import AccountSums
from openfelt.runtime.causes import SYSTEM_CAUSE
from openfelt.runtime.clock import Clock, day_of
from openfelt.runtime.requests import Answer, digest
from openfelt.runtime.streams import DAYS_STREAM
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Cause, Commit, Conflict, Store
from openfelt.storage.event_forms import EventCodec

DAY_MS: Final = 86_400_000
DAYS_AT_ONCE_MAX: Final = 31
"""How many days are closed after a pause; earlier ones stay open."""
DAYS_SEARCHED: Final = 400
"""How far a closed day is searched for."""


def day_codec() -> EventCodec:
    """The codec of closed days, which refer to no rules."""
    return EventCodec(Codec(lambda _: None))


def start_ms(day: date) -> int:
    """The first moment of a day, UTC.

    >>> start_ms(date(2026, 1, 1))
    1767225600000
    """
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000


def end_ms(day: date) -> int:
    """The first moment after a day, UTC."""
    return start_ms(day) + DAY_MS


class DayClosings:
    """The closed days of one store. All calls block."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._codec = day_codec()

    def nearest_before(self, day: date) -> DayClosed | None:
        """The last closed day before this one."""
        first = max(day.toordinal() - DAYS_SEARCHED, 1)
        return self._first(map(date.fromordinal, range(day.toordinal() - 1, first, -1)))

    def nearest_from(self, day: date) -> DayClosed | None:
        """This day if it is closed, or else the first closed day after it."""
        last = min(day.toordinal() + DAYS_SEARCHED, date.max.toordinal())
        return self._first(map(date.fromordinal, range(day.toordinal(), last)))

    def last(self) -> DayClosed | None:
        """The day that was closed last."""
        version = self._store.head(DAYS_STREAM).version
        return self._at(version) if version else None

    def _first(self, days: Iterator[date]) -> DayClosed | None:
        """The first of these days that is closed."""
        keys = [(SYSTEM_CAUSE.actor, _command(day)) for day in days]
        closed = self._store.answers(DAYS_STREAM, keys)
        for key in keys:
            if key in closed:
                return self._at(Answer.from_json(closed[key].body).version)
        return None

    def _at(self, version: int) -> DayClosed | None:
        for stored in self._store.events(DAYS_STREAM, after=version - 1, up_to=version):
            event = self._codec.decode(stored)
            return event if isinstance(event, DayClosed) else None
        return None

    # Closing ---------------------------------------------------------------------------

    def close_due(self, clock: Clock) -> int:
        """Close the days that are over, up to yesterday; gives how many."""
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
        """Close one day; False where another process has done so."""
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
            command=_command(day),
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


def _command(day: date) -> str:
    """The id of the command that closes a day, by which its event is found."""
    return f"close-{day.isoformat()}"
