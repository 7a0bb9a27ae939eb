"""The seeds of one terminal, and the roots that it saw before it bet.

A terminal binds itself to a new seed with its first wager of each round and reveals it when the
table calls the seeds. It remembers which decks the table had committed to by then, so that it
can check afterwards that its round was dealt from them.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from openfelt.runtime.rounds.proof import RoundProof, round_id
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.table.deck import TABLE_DECK
from openfelt.table.seeds import SEED_BYTES, seed_commitment

ROUNDS_KEPT: Final = 100
"""For how many rounds a terminal remembers what it saw."""


@dataclass(slots=True)
class OwnRound:
    """What a terminal knows of a round before any card is dealt."""

    table: str
    number: int
    seat: int
    roots: Mapping[str, str]
    """The roots that the table had published before the first wager."""
    seed: str = field(default_factory=lambda: secrets.token_hex(SEED_BYTES))
    revealed: bool = False

    @property
    def commitment(self) -> str:
        """What is sent with the first wager."""
        return seed_commitment(round_id(self.table, self.number), self.seat, self.seed)

    def check(self, proof: RoundProof) -> None:
        """Check what only this terminal can know; raises ProofError.

        ``openfelt.runtime.rounds.check`` checks the proof itself.
        """
        if (proof.table, proof.number) != (self.table, self.number):
            raise ProofError("The proof is of another round.")
        proved = {commitment.deck: commitment.root for commitment in proof.commitments}
        for deck, root in self.roots.items():
            if proved.get(deck) != root:
                raise ProofError(f"The deck {deck} is not the one that was sealed before the bet.")
        if proof.seeds is None:
            raise ProofError("The round was dealt without the seed of this terminal.")
        own = {seed.seat: seed for seed in proof.seeds.seeds or ()}.get(self.seat)
        if own is None or own.commitment != self.commitment:
            raise ProofError("The round was dealt without the seed of this terminal.")
        if self.revealed and own.seed != self.seed:
            raise ProofError("The seed of this terminal was revealed and not used.")


def roots_seen(public: Mapping[str, object], private: Mapping[str, object]) -> dict[str, str]:
    """The roots of the table's deck and of the terminal's own, as its views show them now."""
    commitments, seat = public.get("commitments"), private.get("seat")
    own = private.get("deck_root")
    roots = dict(commitments) if isinstance(commitments, dict) else {}
    if isinstance(own, str) and private.get("deck_round") == public.get("deck_round"):
        roots[f"seat-{seat}"] = own
    wanted = (TABLE_DECK, f"seat-{seat}")
    return {deck: root for deck, root in roots.items() if deck in wanted}
