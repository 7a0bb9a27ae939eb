"""Real play beside theory, up to date with the record: tables, dealers, players and shuffles.

Each event is read once in the life of the process, from some days back on, a bounded number at a
time. What is kept is sums and some points of each chart, so a round costs the same however long the
history is. Views wait for one round at most: all that takes long is done before the figures are
locked.
"""

import logging
import threading
import time
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Final

from openfelt.cards import FULL_DECK
from openfelt.maths.fairness.shuffle_counts import ShuffleCounts
from openfelt.runtime.clock import DAY_MS, Clock, day_of
from openfelt.runtime.rounds.record_search import events_backwards
from openfelt.runtime.shuffle.deck_secrets import stored_decks
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import PRIVATE_PREFIX, StreamKind, name_of
from openfelt.server.supervision.event_times import last_before
from openfelt.server.supervision.real_play.player_evidence import PlayersWatch
from openfelt.server.supervision.real_play.round_facts import READ, RoundFacts, RoundFactsReader
from openfelt.server.supervision.real_play.subject_figures import SubjectFigures, compute_odds
from openfelt.server.supervision.real_play.wager_odds import Compute
from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import Damaged, Head, KeyFailure, Store, StoredEvent, tell_damage
from openfelt.storage.event_forms import ROUND_SETTLED, ROUND_VOIDED, EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.table.deck import TABLE_DECK, seat_decks

DAYS: Final = 30
"""How far back the figures reach after a start."""
EVENTS_MAX: Final = 400_000
"""How many events of a table are read at most after a start: the newest."""
AT_ONCE: Final = 5_000
"""How many events of all tables are read in one turn."""
REST_SECONDS: Final = 0.001
"""The pause after each round, in which the event loop goes on."""
BACK: Final = 20_000
"""How many events are looked through for the dealer who was there before the first round."""
TERMINALS_MAX: Final = 64
"""How many terminals' decks of a round are watched at most; the next round has others."""
HOUSE: Final = ("house", "")
Subject = tuple[str, str]
"""``house``, ``table`` or ``dealer``, and the name."""

logger = logging.getLogger(__name__)


def watched_decks(facts: RoundFacts) -> tuple[str, ...]:
    """The terminals' own decks of a round that are watched: in a hall some of them, by turns."""
    seats = sorted({spot.seat for spot in facts.hands})
    first = facts.number * TERMINALS_MAX % len(seats) if len(seats) > TERMINALS_MAX else 0
    chosen = (seats[first:] + seats[:first])[:TERMINALS_MAX]
    return seat_decks(facts.house, sorted(chosen))


@dataclass(slots=True)
class DealerDay:
    """Irregularities at a dealer's tables on one day, UTC."""

    day: date
    voids: int = 0
    corrections: int = 0


@dataclass(slots=True)
class _Reading:
    version: int
    rounds: RoundFactsReader
    dealer: str | None


@dataclass(slots=True)
class FairnessWatch:
    """The figures of the whole house. ``refresh`` blocks."""

    store: Store
    codec: EventCodec
    rulebook: Rulebook
    clock: Clock
    compute: Compute | None = None
    """Computes the odds of wagers in another process; None for within this one."""
    subjects: dict[Subject, SubjectFigures] = field(default_factory=dict)
    dealers: dict[str, DealerDay] = field(default_factory=dict)
    players: PlayersWatch = field(default_factory=PlayersWatch)
    shuffles: ShuffleCounts = field(default_factory=ShuffleCounts)
    terminal_decks: int = 0
    """How many of the shuffles are those of terminals' own decks."""
    behind: int = 0
    """How many events have not been read yet."""
    unreadable: set[str] = field(default_factory=set)
    """Tables whose record could not be read; what came before is still counted."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while figures change, and by those who read them."""
    _refreshing: threading.Lock = field(default_factory=threading.Lock)
    """Held while the record is read: one thread reads it at a time."""
    _tables: dict[str, _Reading] = field(default_factory=dict)

    def count_behind(self) -> None:
        """Count how much is new in the record, and read none of it."""
        with self._refreshing:
            self._count_behind(self._heads())

    def refresh(self) -> None:
        """Count a part of what is new in the record."""
        with self._refreshing:
            heads, left = self._heads(), AT_ONCE
            self._count_behind(heads)
            for table, (stream, head) in heads.items():
                try:
                    left -= self._count_new(table, stream, head, at_most=left)
                except (CodecError, Damaged, KeyFailure) as error:
                    # The audit says what is wrong; figures go on without the table.
                    logger.error("the fairness of %s cannot be counted: %s", table, error)
                    with self.lock:
                        self.unreadable.add(table)
            self._count_behind(heads)

    def _heads(self) -> dict[str, tuple[str, Head]]:
        heads = self.store.heads(StreamKind.TABLE.prefix, damage=tell_damage)
        tables = {name_of(stream): (stream, head) for stream, head in heads.items()}
        return {
            table: stream_head
            for table, stream_head in tables.items()
            if not table.startswith(PRIVATE_PREFIX) and table not in self.unreadable
        }

    def _count_behind(self, heads: dict[str, tuple[str, Head]]) -> None:
        self.behind = sum(
            head.version - self._tables[table].version
            if table in self._tables
            else min(head.version, EVENTS_MAX)
            for table, (_, head) in heads.items()
            if table not in self.unreadable
        )

    def _count_new(self, table: str, stream: str, head: Head, *, at_most: int) -> int:
        """Count some new events of a table; returns how many."""
        if not at_most:
            return 0
        reading = self._tables.get(table) or self._begun(stream, head)
        self._tables[table] = reading
        before = reading.version
        up_to = min(head.version, before + at_most)
        for stored in self.store.events(stream, after=before, up_to=up_to):
            self._count(table, reading, stored)
            # The store may fail before the next one, and no round is counted twice.
            reading.version = stored.version
        reading.version = up_to
        return up_to - before

    def _begun(self, stream: str, head: Head) -> _Reading:
        before, _ = last_before(self.store, stream, head, self.clock.wall_ms() - DAYS * DAY_MS)
        version = max(before, head.version - EVENTS_MAX)
        return _Reading(
            version, RoundFactsReader(self.codec, self.rulebook), self._dealer_at(stream, version)
        )

    def _dealer_at(self, stream: str, version: int) -> str | None:
        for stored in islice(events_backwards(self.store, stream, version), BACK):
            if stored.name == "dealer_changed":
                dealer: str | None = read_json(stored.open_body)["dealer"]
                return dealer
        return None

    def _count(self, table: str, reading: _Reading, stored: StoredEvent) -> None:
        if stored.name == "dealer_changed":
            reading.dealer = read_json(stored.open_body).get("dealer")
        if stored.name in (ROUND_VOIDED, "card_corrected") and reading.dealer is not None:
            with self.lock:
                self._count_mishap(reading.dealer, stored)
        if stored.name not in READ:
            return
        facts = reading.rounds.take(stored)
        if facts is None:
            if stored.name == ROUND_SETTLED:
                reading.rounds.used()
            return
        decks = self._decks(facts, stored)
        compute_odds(facts, self.compute)
        with self.lock:
            self._add(table, reading.dealer, facts, stored.at_ms)
            for name, deck in decks.items():
                self._add_deck(name, deck)
        reading.rounds.used()
        time.sleep(REST_SECONDS)

    def _decks(self, facts: RoundFacts, stored: StoredEvent) -> dict[str, SecretDeck]:
        """The shuffler's own decks of a finished round: sums are kept of them, and no card."""
        names = (TABLE_DECK, *watched_decks(facts))
        bodies = stored_decks(self.store, stored.stream, facts.number, names=names)
        return {name: SecretDeck.from_json(body) for name, body in bodies.items()}

    def _add_deck(self, name: str, deck: SecretDeck) -> None:
        cards = [card.number for card in deck.cards]
        if len(cards) == len(FULL_DECK):
            self.shuffles.add(cards)
        else:
            # The commitment depends on a secret key, so it has nothing to do with the order.
            self.shuffles.add_part(cards, salt=deck.root.encode())
        self.terminal_decks += name != TABLE_DECK

    def _count_mishap(self, dealer: str, stored: StoredEvent) -> None:
        day = day_of(stored.at_ms)
        counted = self.dealers.get(dealer)
        if counted is None or counted.day != day:
            counted = self.dealers[dealer] = DealerDay(day)
        counted.voids += stored.name == ROUND_VOIDED
        counted.corrections += stored.name == "card_corrected"

    def _add(self, table: str, dealer: str | None, facts: RoundFacts, at_ms: int) -> None:
        subjects: list[Subject] = [HOUSE, ("table", table)]
        if dealer is not None:
            subjects.append(("dealer", dealer))
        for subject in subjects:
            self.subjects.setdefault(subject, SubjectFigures()).add(facts, at_ms)
        if not facts.irregular and facts.whole and facts.dealer:
            self.players.add(facts)
