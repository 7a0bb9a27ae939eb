"""The check of the cards that a live dealer scanned, in a round's proof."""

from collections.abc import Sequence

from openfelt.rules.dealing import Place
from openfelt.rules.house import DealerMode
from openfelt.rules.round import Phase
from openfelt.runtime.rounds.proof import RoundProof, ScannedCard
from openfelt.runtime.shuffle.merkle import ProofError


def check_scanned(proof: RoundProof, places: Sequence[Place]) -> None:
    """Check the scanned cards; ``places`` are those of the dealer and of the board, in order.

    They are all scanned, and each once, after bets closed and before the seeds are called. A
    virtual round has none. That the cards lay on the table is for its players to see.
    """
    scanned = proof.scanned
    if proof.dealer is not DealerMode.LIVE:
        if scanned:
            raise ProofError("Cards of a virtual table are not scanned.")
        return
    if proof.seeds is None:
        raise ProofError("A live round without commitments before the wagers has no proof.")
    if [scan.place for scan in scanned] != list(places[: len(scanned)]):
        raise ProofError("The scanned cards are not those of the dealer and the board, in order.")
    if len(scanned) < len(places) and (proof.ended is Phase.SETTLED or proof.cards):
        raise ProofError(f"{len(places) - len(scanned)} scanned cards are missing.")
    for scan in scanned:
        _check_when(proof, scan)
    as_dealt = [scan.card for scan in scanned if scan.card is not None]
    in_the_end = [scan.corrected or scan.card for scan in scanned if scan.card is not None]
    for cards in (as_dealt, in_the_end):
        if len(set(cards)) != len(cards):
            raise ProofError("A card was scanned twice.")


def _check_when(proof: RoundProof, scan: ScannedCard) -> None:
    assert proof.seeds is not None
    if scan.card is None and scan.corrected is not None:
        raise ProofError(f"The {scan.place} was never shown, but has a correction.")
    later = (proof.seeds.called_version, proof.seeds.fixed_version)
    if scan.version <= proof.bets_closed_version or any(
        version is not None and scan.version >= version for version in later
    ):
        raise ProofError(
            f"The {scan.place} was scanned with event {scan.version}, which is not between the "
            "end of the bets and the call of the seeds."
        )
