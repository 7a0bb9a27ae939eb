"""The check of the players' seeds in a round's proof."""

from openfelt.runtime.rounds.proof import ProvedSeed, ProvedSeeds, RoundProof
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.table.seeds import seed_commitment, seeds_digest


def check_seeds(proof: RoundProof) -> tuple[ProvedSeed, ...]:
    """Check the seeds of a round; raises ProofError for the first fault.

    They were committed to before bets closed, called with the digest of all commitments, and
    are what was committed to. No card was dealt before they were fixed.
    """
    seeds = proof.seeds
    if seeds is None:
        return ()
    seats = [seed.seat for seed in seeds.seeds]
    if seats != sorted(set(seats)):
        raise ProofError("The seeds are not listed once each, in the order of the seats.")
    for seed in seeds.seeds:
        _check_seed(proof, seed)
    _check_call(proof, seeds)
    fixed, closed = seeds.fixed_version, proof.bets_closed_version
    if fixed is None and proof.cards:
        raise ProofError("Cards were dealt, although the seeds were never fixed.")
    if fixed is not None and fixed <= (seeds.called_version or closed):
        raise ProofError(f"The seeds were fixed with event {fixed}, before they were called.")
    return seeds.seeds


def _check_seed(proof: RoundProof, seed: ProvedSeed) -> None:
    if seed.version >= proof.bets_closed_version:
        raise ProofError(
            f"The commitment to the seed of seat {seed.seat} is event {seed.version}, "
            f"which is not before bets closed with event {proof.bets_closed_version}."
        )
    if seed.seed is not None:
        found = seed_commitment(proof.round_id, seed.seat, seed.seed)
        if found != seed.commitment:
            raise ProofError(f"The seed of seat {seed.seat} is not the one that it committed to.")


def _check_call(proof: RoundProof, seeds: ProvedSeeds) -> None:
    called, digest = seeds.called_version, seeds.digest
    if (digest is None) != (called is None):
        raise ProofError("The call of the seeds has no digest, or no event.")
    if called is None:
        # A round may be void before its seeds are called.
        if seeds.seeds and seeds.fixed_version is not None:
            raise ProofError("The seeds were never called.")
        return
    if called <= proof.bets_closed_version:
        raise ProofError(
            f"The seeds were called with event {called}, "
            f"before bets closed with event {proof.bets_closed_version}."
        )
    committed = {seed.seat: seed.commitment for seed in seeds.seeds}
    if digest != seeds_digest(proof.round_id, committed):
        raise ProofError("The digest of the call is not that of the commitments to the seeds.")
