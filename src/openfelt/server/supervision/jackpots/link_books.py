"""The books of progressive links, up to date with the record and checked against the ledger.

A link's meter carries its totals since it was opened. Its books of the day are the difference of
two meters: the present one and that of midnight UTC. A short record is read whole for the latter;
of a long one only what is newer than its snapshot is, and the books say since when they count.
"""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from openfelt.ledger import Account, AccountKind
from openfelt.rules.progressive import Meter
from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock, day_of, start_ms
from openfelt.runtime.links.links import Links
from openfelt.runtime.links.versioned_link import FedRound, VersionedLink
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import (
    StreamKind,
    feed_of,
    feeds_prefix,
    link_stream,
    names_in,
)
from openfelt.server.errors import not_found
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.links.link import Link, apply_link

REPLAYED_MAX: Final = 20_000
"""How long a record is at most that is read whole for the books of the day."""
ATTEMPTS_MAX: Final = 20
_NOTHING: Final = Fraction(0)
NO_METER: Final = Meter(
    amount=_NOTHING,
    reserve=_NOTHING,
    seeded=_NOTHING,
    contributed=_NOTHING,
    awarded=_NOTHING,
    envied=_NOTHING,
)
"""The meter of a link before it was opened."""


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """A link's record beside its accounts in the ledger, at one moment.

    The reserve includes what tables have fed to the link and it has not counted yet.
    """

    at_ms: int
    meter_cents: int
    meter_ledger_cents: int
    reserve_cents: int
    reserve_ledger_cents: int

    @property
    def difference_cents(self) -> int:
        """By how much the ledger differs from the record, in either account; it must be zero."""
        meter = abs(self.meter_ledger_cents - self.meter_cents)
        return meter + abs(self.reserve_ledger_cents - self.reserve_cents)


@dataclass(frozen=True, slots=True)
class LinkBooks:
    """A link with its meter at the opening of the books, and what the ledger has."""

    link: Link
    since_ms: int | None
    """When ``opening`` was the meter, None for a link that was opened later."""
    opening: Meter
    reconciliation: Reconciliation


@dataclass(frozen=True, slots=True)
class _Counted:
    current: VersionedLink
    since_ms: int | None
    opening: Meter


class LinkAccountant:
    """Keeps the books of all links. All calls block."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock, links: Links) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._links = links
        self._counted: dict[str, _Counted] = {}
        self._lock = threading.Lock()

    def all(self) -> list[LinkBooks]:
        """The books of every link, by name."""
        return [self.of(name) for name in sorted(names_in(self._store, StreamKind.LINK))]

    def of(self, name: str) -> LinkBooks:
        """The books of a link as they are now; raises Denied."""
        for _ in range(ATTEMPTS_MAX):
            with self._lock:
                counted = self._count(name)
            link = counted.current.link
            if link is None:
                raise not_found(f"There is no link {name}.")
            current = self._links.reload(name)
            checked = self._reconciled(link, current.waiting)
            if (counted.current.version, current.feeds) == (current.version, self._feeds(name)):
                # No round was fed or counted between the record and the ledger.
                return LinkBooks(link, counted.since_ms, counted.opening, checked)
        raise Refusal(RuntimeCode.BUSY, "The link is busy; try again.")

    def _reconciled(self, link: Link, waiting: Iterable[FedRound]) -> Reconciliation:
        """The accounts of a link and of its tables at it, beside the link and what waits."""
        of_tables = self._store.balances(f"{AccountKind.RESERVE}:{link.id}/")
        reserve = self._store.balance(Account(AccountKind.RESERVE, link.id))
        return Reconciliation(
            self._clock.wall_ms(),
            link.meter.display_cents,
            self._store.balance(Account(AccountKind.METER, link.id)),
            link.meter.reserve_cents + sum(fed.fed.net_cents for fed in waiting),
            reserve + sum(of_tables.values()),
        )

    def _feeds(self, name: str) -> dict[str, int]:
        """The versions of the feeds of a link, by table."""
        heads = self._store.heads(feeds_prefix(name))
        return {feed_of(stream)[1]: head.version for stream, head in heads.items()}

    def _count(self, name: str) -> _Counted:
        """The link with what is new in its record."""
        midnight_ms = start_ms(day_of(self._clock.wall_ms()))
        counted = self._counted.get(name) or self._begun(name)
        link, version = counted.current.link, counted.current.version
        since_ms, opening = counted.since_ms, counted.opening
        # The books of a link that was opened today begin with nothing.
        is_older = self._opened_ms(name) < midnight_ms
        if since_ms is not None and since_ms < midnight_ms:
            since_ms = None
        for stored in self._store.record(link_stream(name), after=version):
            if since_ms is None and is_older and link is not None and stored.at_ms >= midnight_ms:
                since_ms, opening = midnight_ms, link.meter
            link, version = apply_link(link, self._codec.decode(stored)), stored.version
        if since_ms is None and is_older and link is not None:
            since_ms, opening = midnight_ms, link.meter
        kept = _Counted(VersionedLink(link, version), since_ms, opening)
        if link is not None:
            self._counted[name] = kept
        return kept

    def _begun(self, name: str) -> _Counted:
        head = self._store.head(link_stream(name))
        if head.version <= REPLAYED_MAX:
            return _Counted(VersionedLink(None, 0), None, NO_METER)
        current = self._links.get(name)
        assert current.link is not None
        return _Counted(current, self._clock.wall_ms(), current.link.meter)

    def _opened_ms(self, name: str) -> int:
        first = next(iter(self._store.events(link_stream(name), after=0, up_to=1)), None)
        # What is missing here is in an archive, and so is older.
        return first.at_ms if first is not None else 0
