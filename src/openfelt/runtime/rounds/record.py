"""Rounds read from the store, with what their proofs are made of. All calls block.

A round is found by its number, from the newest end of its table's record, or by the version of any
event within it. The many events of other rounds are not decoded.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from openfelt.rules.round import begin
from openfelt.rules.round_events import (
    DecisionMade,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.runtime.rounds.proof import RoundProof
from openfelt.runtime.rounds.record_search import events_backwards, last_opening, opened_number
from openfelt.runtime.rounds.recorded_round import (
    COMMITMENT,
    RecordedRound,
    RoundReading,
)
from openfelt.runtime.rounds.round_proofs import RoundProofs
from openfelt.runtime.shuffle.deck_secrets import ShownParts
from openfelt.runtime.streams import table_stream
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Store, StoredEvent
from openfelt.storage.event_forms import ROUND_ENDS, ROUND_OPENED, EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.storage.shown_names import shown


class NoSuchRound(LookupError):
    """The table, the round or its rules are not in the store."""


Steps = Callable[[int], object]
"""Called with how many events have just been read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedRound:
    """The opening and the end of a finished round, without what happened in between."""

    opened: RoundOpened
    opened_ms: int
    end: RoundSettled | RoundVoided
    ended_ms: int
    version: int
    """The version of the event that ended it."""


# Reading ---------------------------------------------------------------------


class RoundReader:
    """Reads rounds and their proofs from a store."""

    def __init__(self, store: Store, rulebook: Rulebook | None = None) -> None:
        self._store = store
        self._rulebook = rulebook or Rulebook(store)
        self._codec = EventCodec(self._rulebook.codec)

    def read(
        self,
        table: str,
        number: int,
        *,
        version: int | None = None,
        up_to: int | None = None,
    ) -> RecordedRound:
        """A round by its number, found quickly if the version of any of its events is given.

        ``up_to`` is the version at which it ended, where the caller knows it.

        Raises NoSuchRound, or CodecError if the record cannot be read or the version is not
        within the round.
        """
        stream = table_stream(table)
        first = (
            self.opening(table, number) if version is None else self.opening_before(table, version)
        )
        opened = self._codec.decode(first)
        if not isinstance(opened, RoundOpened) or opened.number != number:
            raise CodecError(
                f"Event {version} of {shown(stream)} does not belong to round {number}."
            )
        house = self._rulebook.house(opened.fingerprint)
        if house is None:
            raise NoSuchRound(f"The rules of round {table}/{number} are not in the database.")
        parts = ShownParts(self._store, table, number)
        reading = RoundReading(self._codec, table, begin(house, opened), parts)
        for stored in self._sealed_before(stream, first.version):
            reading.seal(stored)
        return reading.read(self._store.events(stream, after=first.version, up_to=up_to))

    def opening(self, table: str, number: int, *, last: int | None = None) -> StoredEvent:
        """The event that opened a round, by the round's number.

        ``last`` is a version at or after the opening, if the caller knows one: the search begins
        there, and otherwise at the newest round. Raises NoSuchRound, or CodecError if the record
        cannot be read.
        """
        stream = table_stream(table)
        head = self._store.head(stream).version
        if head == 0:
            raise NoSuchRound(f"There is no table called {table}.")
        for stored in events_backwards(
            self._store, stream, head if last is None else min(last, head)
        ):
            if stored.name == ROUND_OPENED and (opened := opened_number(stored)) <= number:
                if opened == number:
                    return stored
                break
        raise NoSuchRound(f"{table} has no round {number}.")

    def opening_before(self, table: str, version: int) -> StoredEvent:
        """The event that opened the round to which another event belongs; raises CodecError."""
        stream = table_stream(table)
        opening = last_opening(self._store, stream, version)
        if opening is None:
            raise CodecError(f"No round is open at event {version} of {shown(stream)}.")
        return opening

    def events_of(self, table: str, number: int, *, last: int | None = None) -> list[StoredEvent]:
        """The events of a round, from its opening to its end, or so far; see ``opening``."""
        first = self.opening(table, number, last=last)
        events = []
        for stored in self._store.events(first.stream, after=first.version - 1):
            events.append(stored)
            if stored.name in ROUND_ENDS:
                break
        return events

    def _sealed_before(self, stream: str, version: int) -> list[StoredEvent]:
        """The commitments between the end of the round before and the opening at this version."""
        sealed: list[StoredEvent] = []
        for stored in events_backwards(self._store, stream, version - 1):
            if stored.name in ROUND_ENDS:
                break
            if stored.name == COMMITMENT:
                sealed.append(stored)
        return sealed[::-1]

    def ended(self, table: str) -> Iterator[EndedRound]:
        """Each finished round of a table, newest first.

        It reads backwards and decodes nothing else, so the last few rounds are found quickly.
        """
        stream, end = table_stream(table), None
        for stored in events_backwards(self._store, stream, self._store.head(stream).version):
            if stored.name in ROUND_ENDS:
                end = stored
            elif stored.name == ROUND_OPENED and end is not None:
                yield self._ended(stored, end)
                end = None

    def ended_between(
        self, table: str, start_ms: int, end_ms: int, *, steps: Steps
    ) -> Iterator[EndedRound]:
        """Each round of a table that ended from one time until before another, oldest first.

        Every event up to then is read, but only openings and ends are decoded; ``steps`` is called
        for each event.
        """
        opening: StoredEvent | None = None
        for stored in self._store.events(table_stream(table)):
            steps(1)
            if stored.at_ms >= end_ms:
                break
            if stored.name == ROUND_OPENED:
                opening = stored
            elif stored.name in ROUND_ENDS and opening is not None and stored.at_ms >= start_ms:
                yield self._ended(opening, stored)

    def _ended(self, opening: StoredEvent, end: StoredEvent) -> EndedRound:
        return EndedRound(
            opened=self._codec.decode(opening),
            opened_ms=opening.at_ms,
            end=self._codec.decode(end),
            ended_ms=end.at_ms,
            version=end.version,
        )

    def seat_of_wager(self, table: str, version: int) -> int:
        """The seat of the event with this version, which stakes a wager or a bank."""
        for stored in self._store.events(table_stream(table), after=version - 1, up_to=version):
            event = self._codec.decode(stored)
            if isinstance(event, RoundOpened) and event.banker is not None:
                return event.banker.seat
            if isinstance(event, WagersSet | DecisionMade):
                return event.spot.seat
        raise CodecError(f"Event {version} of {table} stakes nothing.")

    def proof(self, recorded: RecordedRound, *, seat: int | None = None) -> RoundProof:
        """The proof of a finished round, public or for one seat's player.

        Raises Unprovable if there is nothing to prove, and ProofError if the record is
        inconsistent.
        """
        return self.proofs(recorded).of_seat(seat)

    def proofs(self, recorded: RecordedRound) -> RoundProofs:
        """The proofs of a finished round, for callers that need many; raises Unprovable."""
        return RoundProofs(self._store, recorded)


def proof_of_round(store: Store, table: str, number: int, *, seat: int | None = None) -> RoundProof:
    """The proof of a finished round, by its number; raises as ``RoundReader`` does."""
    reader = RoundReader(store)
    return reader.proof(reader.read(table, number), seat=seat)
