"""A link's record for people: awards with their hands, and actions with their reasons.

The record is read from its newest end, a bounded part at a time. The rounds that won are found in
the records of their tables by the time of their commit, which the feed of the table shares.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from openfelt.cards import UNKNOWN_CARD
from openfelt.rules.lines import PaidBy
from openfelt.rules.progressive import progressive_hand
from openfelt.rules.round import Round
from openfelt.rules.round_events import RoundSettled
from openfelt.rules.wagers import Spot
from openfelt.runtime.rounds.record import NoSuchRound, RoundReader
from openfelt.runtime.rounds.recorded_round import seat_players
from openfelt.runtime.streams import feed_stream, link_stream, name_of, table_stream
from openfelt.server.supervision.event_times import last_before
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, Irrecoverable, KeyFailure, Store, StoredEvent
from openfelt.storage.event_forms import ROUND_SETTLED, EventCodec
from openfelt.table.links.link_events import LinkEvent, RoundCounted

READ_MAX: Final = 5000
"""How many events of a link are read for one part of its record."""
LISTED_MAX: Final = 50
KEPT_MAX: Final = 500
"""How many rounds' awards are kept in memory."""
NEAR: Final = 2000
"""How many events after the time of an award the search for its round begins."""


@dataclass(frozen=True, slots=True)
class HandAward:
    """The award of one hand from a link."""

    spot: Spot
    player: str | None
    """The account of the player."""
    wager: str
    made: str | None
    """The hand by its name, None if its cards are no longer known."""
    cents: int


@dataclass(frozen=True, slots=True)
class LinkEntry:
    """A line of a link's record."""

    stored: StoredEvent
    event: LinkEvent
    awards: tuple[HandAward, ...] = ()


class LinkRecord:
    """Reads the records of links. All calls block."""

    def __init__(self, store: Store, codec: EventCodec, reader: RoundReader) -> None:
        self._store = store
        self._codec = codec
        self._reader = reader
        self._kept: OrderedDict[tuple[str, int], tuple[HandAward, ...]] = OrderedDict()

    def part(self, link: str, before: int | None) -> tuple[list[LinkEntry], int | None]:
        """Entries before a version, the newest first, and where the next older part begins."""
        stream = link_stream(link)
        high = self._store.head(stream).version if before is None else before - 1
        low = max(0, high - READ_MAX)
        entries: list[LinkEntry] = []
        for stored in reversed(list(self._store.events(stream, after=low, up_to=high))):
            event: LinkEvent = self._codec.decode(stored)
            if isinstance(event, RoundCounted):
                if not event.awarded_cents + event.envied_cents:
                    continue
                entries.append(LinkEntry(stored, event, self._awards(event, stored)))
            else:
                entries.append(LinkEntry(stored, event))
            if len(entries) == LISTED_MAX:
                return entries, stored.version if stored.version > 1 else None
        return entries, low + 1 if low else None

    def _awards(self, event: RoundCounted, stored: StoredEvent) -> tuple[HandAward, ...]:
        key = (event.table, event.round)
        awards = self._kept.get(key)
        if awards is None:
            try:
                awards = self._read_awards(event, self._settled_ms(event, stored))
            except (CodecError, Damaged, Irrecoverable, KeyFailure, NoSuchRound):
                # The audit says what is wrong; the amounts of the link's record are shown alone.
                return ()
            self._kept[key] = awards
            while len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        return awards

    def _settled_ms(self, event: RoundCounted, stored: StoredEvent) -> int:
        """When a round was settled: when its table fed it, or counted as earlier versions did."""
        feed = feed_stream(name_of(stored.stream), event.table)
        for fed in self._store.events(feed, after=max(0, event.fed - 1), up_to=event.fed):
            return fed.at_ms
        return stored.at_ms

    def _read_awards(self, event: RoundCounted, at_ms: int) -> tuple[HandAward, ...]:
        stream = table_stream(event.table)
        before, _ = last_before(self._store, stream, self._store.head(stream), at_ms)
        # A clock that was set back leaves events a little out of order.
        events = self._reader.events_of(event.table, event.round, last=before + NEAR)
        if events[-1].name != ROUND_SETTLED:
            return ()
        recorded = self._reader.read(event.table, event.round, version=events[0].version)
        state, settled = recorded.final(), recorded.events[-1][0]
        assert isinstance(settled, RoundSettled)
        players = seat_players(events)
        return tuple(
            HandAward(
                line.spot,
                players.get(line.spot.seat),
                line.wager,
                _made(state, line.spot),
                line.payout_cents,
            )
            for line in settled.settlement.lines
            if line.paid_by is PaidBy.LINK and line.payout_cents
        )


def _made(state: Round, spot: Spot) -> str | None:
    """The name of the hand that the progressive read; None for a hand that was never shown."""
    hand = state.hands.get(spot)
    if hand is None or not hand.face_up or UNKNOWN_CARD in (*hand.cards, *state.common):
        return None
    return progressive_hand(state, hand, state.house.progressive_table().reads).name
