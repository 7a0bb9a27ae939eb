"""One round of a table, found in the store with all that proves it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from openfelt.rules.round import BetsClosed, Round, RoundOpened, apply, begin
from openfelt.runtime.rounds.proof import Commitment, RoundProof, Unprovable, make_round_proof
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import table_stream
from openfelt.storage.codec import read_json
from openfelt.storage.door import Store, StoredEvent
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.table.deck import TABLE_DECK
from openfelt.table.events import DeckCommitted

_OF_A_ROUND: Final = frozenset(
    {
        "wagers_set",
        "bets_closed",
        "card_dealt",
        "card_corrected",
        "cards_turned",
        "decision_made",
        "round_settled",
        "round_voided",
        "deck_committed",
    }
)


class NoSuchRound(LookupError):
    """The table, or its round, is not in the store."""


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """A round as the record tells it, with the events that bind the table to its decks."""

    table: str
    state: Round
    commitments: tuple[Commitment, ...]
    bets_closed_version: int
    """0 where bets never closed."""


def read_round(store: Store, table: str, number: int) -> RecordedRound:
    """Find a round in the store; raises NoSuchRound, or CodecError where it cannot be read."""
    stream = table_stream(table)
    if store.head(stream).version == 0:
        raise NoSuchRound(f"There is no table called {table}.")
    rulebook = Rulebook(store)
    codec = EventCodec(rulebook.codec)
    state: Round | None = None
    commitments: list[Commitment] = []
    closed = 0
    for stored in _events_of(store.events(stream), number):
        event: Any = codec.decode(stored)
        if isinstance(event, RoundOpened):
            house = rulebook.house(event.fingerprint)
            if house is None:
                raise NoSuchRound(f"The rules of round {table}/{number} are not in the database.")
            state = begin(house, event)
        elif isinstance(event, DeckCommitted):
            commitments.append(Commitment(deck=event.deck, root=event.root, version=stored.version))
        elif state is not None:
            state = apply(state, event)
            closed = stored.version if isinstance(event, BetsClosed) else closed
    if state is None:
        raise NoSuchRound(f"{table} has no round {number}.")
    return RecordedRound(table, state, tuple(commitments), closed)


def _events_of(events: Iterator[StoredEvent], number: int) -> Iterator[StoredEvent]:
    """The events of one round. Those of other rounds are not decoded, there are many."""
    within = False
    for stored in events:
        if stored.name == "round_opened":
            if within:
                return
            plain = read_json(stored.body)
            within = isinstance(plain, dict) and plain.get("number") == number
            if within:
                yield stored
        elif within and stored.name in _OF_A_ROUND:
            yield stored


def proof_of_round(store: Store, table: str, number: int, *, seat: int | None = None) -> RoundProof:
    """The proof of a finished round, for everybody or for one seat's player.

    Raises NoSuchRound, Unprovable where there is nothing to prove, ProofError where the record
    does not fit together, or CodecError.
    """
    recorded = read_round(store, table, number)
    _check_provable(recorded, f"{table}/{number}")
    secrets = store.secrets(table_stream(table), f"{number}/")
    return make_round_proof(
        recorded.state,
        table=table,
        decks=[SecretDeck.from_json(body) for body in secrets.values()],
        commitments=recorded.commitments,
        bets_closed_version=recorded.bets_closed_version,
        seat=seat,
    )


def _check_provable(recorded: RecordedRound, name: str) -> None:
    """Refuse a round without a proof before any secret is read."""
    state = recorded.state
    if not state.over:
        raise Unprovable(f"Round {name} is not over, and its cards are still secret.")
    if not state.plan:
        raise Unprovable(f"Round {name} was voided before bets closed; no card was dealt.")
    if TABLE_DECK not in {one.deck for one in recorded.commitments}:
        raise Unprovable(
            f"Round {name} has no commitment to the table's deck, so there is no proof: "
            "a live dealer dealt it from real cards."
        )
