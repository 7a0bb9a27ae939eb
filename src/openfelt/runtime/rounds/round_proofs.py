"""The proofs of one finished round, public and for each seat.

In a hall thousands of terminals ask for theirs at the same time. The shared part is computed once,
and each proof then needs only the decks of its own seat.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

from openfelt.rules.round import Round
from openfelt.runtime.rounds.proof import (
    RoundProof,
    SeedList,
    Unprovable,
    check_dealt,
    make_round_proof,
    round_id,
)
from openfelt.runtime.rounds.proof_forms import read_proof
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.runtime.shuffle.deck_secrets import kept_proofs, stored_decks
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import table_stream
from openfelt.storage.door import KeyLost, Store
from openfelt.table.deck import TABLE_DECK, seat_decks


class RoundProofs:
    """Makes the proofs of one round. All calls block, and may come from several threads."""

    def __init__(self, store: Store, recorded: RecordedRound) -> None:
        """Raises Unprovable if there is nothing to prove."""
        _check_provable(recorded)
        self._store = store
        self._recorded = recorded

    def public(self) -> RoundProof:
        """The proof that shows what every player saw; raises ProofError if it cannot be made."""
        return self.of_seat(None)

    def of_seat(self, seat: int | None) -> RoundProof:
        """The proof for one seat's player; raises ProofError if it cannot be made."""
        recorded, house = self._recorded, self._recorded.opened.house
        hall = seat is not None and not house.shows_all_hands
        # A stadium has a deck for each terminal; decoding all of them would take long.
        own = seat_decks(house, [seat]) if hall and seat is not None else None
        try:
            decks = self._decks(own) if own is None else (*self._table_deck, *self._decks(own))
            kept = None if decks else self._kept.get(str(seat) if hall else "public")
        except KeyLost as error:
            raise Unprovable(f"This round can no longer be proved. {error}") from error
        if kept is not None:
            return read_proof(kept)
        if recorded.purged and not decks:
            name = round_id(recorded.table, recorded.number)
            raise Unprovable(f"The proof of round {name} is no longer kept.")
        return make_round_proof(
            self._final,
            table=recorded.table,
            decks=decks,
            commitments=recorded.commitments,
            bets_closed_version=recorded.bets_closed_version or 0,
            seeds=recorded.seeds,
            scanned=recorded.scanned,
            seat=seat,
        )

    def _decks(self, names: Iterable[str] | None) -> tuple[SecretDeck, ...]:
        """The secret decks with these names, or all; none if they have been purged."""
        stream = table_stream(self._recorded.table)
        bodies = stored_decks(self._store, stream, self._recorded.number, names=names)
        # The tree by which a deck is checked opens its cards too.
        return tuple(SecretDeck.from_json(body, keep_tree=True) for body in bodies.values())

    @cached_property
    def _table_deck(self) -> tuple[SecretDeck, ...]:
        return self._decks([TABLE_DECK])

    def seed_list(self) -> SeedList:
        """The list of the round's seeds; raises ProofError in a round without any."""
        recorded = self._recorded
        if recorded.seeds is None or recorded.seeds.seeds is None:
            name = round_id(recorded.table, recorded.number)
            raise ProofError(f"Round {name} was dealt without seeds.")
        return SeedList(table=recorded.table, number=recorded.number, seeds=recorded.seeds.seeds)

    @cached_property
    def _final(self) -> Round:
        return self._recorded.final()

    @cached_property
    def _kept(self) -> Mapping[str, str]:
        return kept_proofs(self._store, self._recorded.table, self._recorded.number)


def _check_provable(recorded: RecordedRound) -> None:
    """Refuse a round without a proof before any secret is read."""
    name = round_id(recorded.table, recorded.number)
    bets_closed = recorded.bets_closed_version is not None
    check_dealt(name, over=recorded.ended is not None, bets_closed=bets_closed)
    committed = {commitment.deck for commitment in recorded.commitments}
    if TABLE_DECK not in committed and recorded.scanned is None:
        raise Unprovable(
            f"Round {name} has no commitment to a deck before its wagers, so there is no proof: "
            "a live dealer dealt it from real cards."
        )
