"""The check of the players' seeds in a round's proof."""

from openfelt.runtime.rounds.proof import ProvedSeed, ProvedSeeds, RoundProof, mixture
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.table.seeds import seed_commitment, seeds_digest


class SeedListMissing(ProofError):
    """The proof needs the list of the round's seeds, which is a document of its own."""


def check_seeds(proof: RoundProof) -> tuple[ProvedSeed, ...]:
    """Check the seeds of a round; raises ProofError for the first fault.

    They were committed to before bets closed, called with the digest of all commitments, and
    are what was committed to. No card left a deck before they were fixed, and the order of the
    decks follows from all of them.
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
        found = seed_commitment(proof.round_id, seed.seat, seed.seed)
        if found != seed.commitment:
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
