"""Players who leave rounds unfinished until their stakes are returned, counted from the record.

A player who walks away from a losing round gets the stake back after some days (O.unfinished). A
supervisor should know who does so often, how often, and for how much.
"""

import threading
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from openfelt.rules.round_events import BetsClosed, RoundOpened, RoundVoided
from openfelt.runtime.streams import StreamKind
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Store, StoredEvent, tell_damage
from openfelt.storage.event_forms import ROUND_OPENED, ROUND_VOIDED, EventCodec
from openfelt.table.commands import Actor
from openfelt.table.events import SeatTaken
from openfelt.table.void_reasons import is_unfinished

_READ: Final = ("seat_taken", ROUND_OPENED, "bets_closed", ROUND_VOIDED)
"""The events that are decoded; all others are skipped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkedAway:
    """The rounds that one player has left unfinished."""

    player: str
    rounds: int
    returned_cents: int
    """The stakes that went back to the player."""


@dataclass(slots=True)
class _Counted:
    """The counts of one table so far."""

    version: int = 0
    dealt: bool = False
    closed_by: str | None = None
    """The player who has closed the bets of the last round, as players of private tables do."""
    players: dict[int, str] = field(default_factory=dict)
    rounds: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    cents: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))


class UnfinishedRounds:
    """Counts refunded rounds; what has been read once is not read again."""

    def __init__(self, store: Store, codec: EventCodec) -> None:
        self._store = store
        self._codec = codec
        self._tables: defaultdict[str, _Counted] = defaultdict(_Counted)
        self._lock = threading.Lock()
        self.counts: tuple[WalkedAway, ...] = ()
        """The counts of the last reading, most rounds first."""

    def read(self) -> tuple[WalkedAway, ...]:
        """Read what is new in the record; it takes a while the first time."""
        with self._lock:
            heads = self._store.heads(StreamKind.TABLE.prefix, damage=tell_damage)
            for stream, head in heads.items():
                counted = self._tables[stream]
                if counted.version < head.version:
                    self._read_table(stream, counted, up_to=head.version)
            self.counts = self._added_up()
        return self.counts

    def _read_table(self, stream: str, counted: _Counted, *, up_to: int) -> None:
        events = self._store.events(stream, after=counted.version, up_to=up_to, damage=tell_damage)
        for stored in events:
            if stored.name in _READ:
                self._count(counted, stored)
            # The store may fail before the next one, and no round is counted twice.
            counted.version = stored.version
        counted.version = up_to

    def _count(self, counted: _Counted, stored: StoredEvent) -> None:
        try:
            event = self._codec.decode(stored)
        except CodecError:
            # The audit reports damaged events; here the others still count.
            return
        match event:
            case SeatTaken(seat, player):
                counted.players[seat] = player
            case RoundOpened():
                counted.dealt = False
            case BetsClosed():
                counted.dealt = True
                counted.closed_by = Actor.parse(stored.cause.actor).player
            case RoundVoided(_, settlement) if counted.dealt and is_unfinished(event):
                returned_cents: defaultdict[str, int] = defaultdict(int)
                for line in settlement.lines:
                    # The seat may have been taken before what is in the database.
                    seated = counted.players.get(line.spot.seat, counted.closed_by)
                    if seated is not None:
                        returned_cents[seated] += line.returned_cents
                for player, cents in returned_cents.items():
                    counted.rounds[player] += 1
                    counted.cents[player] += cents

    def _added_up(self) -> tuple[WalkedAway, ...]:
        rounds: defaultdict[str, int] = defaultdict(int)
        cents: defaultdict[str, int] = defaultdict(int)
        for counted in self._tables.values():
            for player, count in counted.rounds.items():
                rounds[player] += count
                cents[player] += counted.cents[player]
        walked = [
            WalkedAway(player=player, rounds=count, returned_cents=cents[player])
            for player, count in rounds.items()
        ]
        return tuple(sorted(walked, key=lambda line: (-line.rounds, line.player)))

    def flagged(self, rounds_min: int) -> int:
        """How many players had left at least this many rounds unfinished at the last count."""
        return sum(walked.rounds >= rounds_min for walked in self.counts)
