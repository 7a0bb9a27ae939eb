"""The progressive link that tables of several simulated processes feed, and its books."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from openfelt.rules.round_events import RoundOpened, RoundSettled
from openfelt.runtime.streams import feed_stream, link_stream, table_stream
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.links.link import Link, apply_link
from openfelt.table.links.link_events import RoundCounted
from openfelt.table.links.link_referee import OpenLink
from tests.simulation.failure import require
from tests.simulation.feed_audit import FeedAudit
from tests.simulation.floor_plan import LINK
from tests.simulation.tally import Tally

OPENING: Final = OpenLink(link=LINK, contribution=Fraction("0.285714"), seed_cents=10_000)
"""Of a dollar, these are no whole cents, so the meter has a fraction."""


class SharedLink:
    """The link of one seed."""

    def __init__(self, store: Store, codec: EventCodec, tables: Iterable[str]) -> None:
        self._store = store
        self._codec = codec
        self._tables = tuple(tables)

    def recorded(self) -> Link:
        """The link by its own record."""
        link = None
        for stored in self._store.events(link_stream(LINK)):
            link = apply_link(link, self._codec.decode(stored))
        assert link is not None
        return link

    def has_counted_all(self) -> bool:
        """Whether no round waits in a feed."""
        folded = self.recorded().folded
        return all(
            self._store.head(feed_stream(LINK, table)).version == folded.get(table, 0)
            for table in self._tables
        )

    def check(self, tally: Tally) -> None:
        """Every settled round is fed and counted once, and shares are paid by the exact meter."""
        feeds = FeedAudit()
        for table in self._tables:
            self._feed(feeds, table)
        link = None
        for stored in self._store.events(link_stream(LINK)):
            event = self._codec.decode(stored)
            if isinstance(event, RoundCounted) and link is not None:
                settled_by = feeds.count(LINK, event)
                exact = link.meter_cents_with(event.wagered_cents)
                require(
                    settled_by == exact or not event.won,
                    "settled by the meter",
                    f"{event} was settled by {settled_by}, and the meter was at {exact}",
                )
                tally.add("rounds of a link")
                tally.add("shares of a meter", event.won)
            link = apply_link(link, event)
        feeds.check(Counter())

    def _feed(self, feeds: FeedAudit, table: str) -> None:
        number = 0
        for stored in self._store.events(table_stream(table)):
            event = self._codec.decode(stored)
            if isinstance(event, RoundOpened):
                number = event.number
            elif isinstance(event, RoundSettled) and event.settlement.meter_cents is not None:
                feeds.settle(table, number, event.settlement.meter_cents)
        for stored in self._store.events(feed_stream(LINK, table)):
            feeds.feed(f"{LINK}/{table}", stored.version, self._codec.decode(stored))
