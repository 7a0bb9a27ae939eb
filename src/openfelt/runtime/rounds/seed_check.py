"""The check of the players' seeds in a round's proof."""

from openfelt.rules.house import BankKind, Deck, House
from openfelt.runtime.rounds.proof import ProvedSeed, ProvedSeeds, RoundProof, mixture
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.table.seeds import seed_commitment, seeds_digest


class SeedListMissing(ProofError):
    """The proof needs the list of the round's seeds, which is a separate document."""


def check_seeds(proof: RoundProof, house: House) -> tuple[ProvedSeed, ...]:
    """Check the seeds of a round; raises ProofError for the first fault.

    They are of seats that played, were committed to before bets closed, called with the digest of
    all commitments, and are what was committed to. No card left a deck before they were fixed, and
    the order of the decks follows from all of them.
    """
    seeds = proof.seeds
    if seeds is None:
        return ()
    if seeds.seeds is None:
        raise SeedListMissing(
            f"The list of the seeds of round {proof.round_id} is not with the proof."
        )
    seats = [seed.seat for seed in seeds.seeds]
    if seats != sorted(set(seats)):
        raise ProofError("The seeds are not listed once each, in the order of the seats.")
    _check_seats(proof, house, seats)
    _check_bound(proof, seeds)
    for seed in seeds.seeds:
        _check_seed(proof, seed)
    _check_call(proof, seeds, seeds.seeds)
    if seeds.mixed != mixture(proof.round_id, seeds.seeds):
        raise ProofError("The dealing order does not follow from the seeds that are listed.")
    fixed, closed = seeds.fixed_version, proof.bets_closed_version
    if fixed is None and proof.cards:
        raise ProofError("Cards were dealt, although the seeds were never fixed.")
    if fixed is not None and fixed <= (seeds.called_version or closed):
        raise ProofError(f"The seeds were fixed with event {fixed}, before they were called.")
    return seeds.seeds


def _check_seats(proof: RoundProof, house: House, seats: list[int]) -> None:
    """Only seats of the house that played have seeds: those with hands, and the banker's.

    With a seed of a seat that is not there, a house that has seen all others could still choose
    the order. A proof does not name the banker, who has no hand. Where each terminal has its own
    deck, a proof does not list the other terminals' hands.
    """
    if seats and not 1 <= min(seats) <= max(seats) <= house.seats:
        raise ProofError(
            f"{house.name} has {house.seats} seats, and a seed names a seat that does not exist."
        )
    if house.deck is not Deck.SHARED:
        return
    others = sorted(set(seats) - {spot.seat for spot in proof.spots})
    bankers = 1 if house.bank.kind is BankKind.PLAYER_DEALER else 0
    if len(others) > bankers:
        raise ProofError(f"There is a seed of seat {others[-1]}, which did not play the round.")


def _check_bound(proof: RoundProof, seeds: ProvedSeeds) -> None:
    bound = seeds.bound_version
    if (bound is None) != (not seeds.seeds):
        raise ProofError("The commitments to the seeds have no event, or an event too many.")
    if bound is not None and bound >= proof.bets_closed_version:
        raise ProofError(
            f"The last commitment to a seed is event {bound}, "
            f"which is not before bets closed with event {proof.bets_closed_version}."
        )


def _check_seed(proof: RoundProof, seed: ProvedSeed) -> None:
    if seed.seed is not None:
        commitment = seed_commitment(proof.round_id, seed.seat, seed.seed)
        if commitment != seed.commitment:
            raise ProofError(f"The seed of seat {seed.seat} is not the one that it committed to.")


def _check_call(proof: RoundProof, seeds: ProvedSeeds, listed: tuple[ProvedSeed, ...]) -> None:
    called, digest = seeds.called_version, seeds.digest
    if (digest is None) != (called is None):
        raise ProofError("The call of the seeds has no digest, or no event.")
    if called is None:
        # A round may be void before its seeds are called.
        if listed and seeds.fixed_version is not None:
            raise ProofError("The seeds were never called.")
        return
    if called <= proof.bets_closed_version:
        raise ProofError(
            f"The seeds were called with event {called}, "
            f"before bets closed with event {proof.bets_closed_version}."
        )
    committed = {seed.seat: seed.commitment for seed in listed}
    if digest != seeds_digest(proof.round_id, committed):
        raise ProofError("The digest of the call is not that of the commitments to the seeds.")
