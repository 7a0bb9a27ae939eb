"""The players' seeds: with them neither the house nor the players alone decide the deal.

The house commits to its decks before any wager. A terminal binds itself to its own seed with its
first wager of a round. When bets are closed the table calls the seeds, and the order in which the
decks are dealt follows from all seeds that are revealed. ``docs/internals/shuffle.md`` describes
the procedure and what it proves.

All hashes here are SHA-256 of several parts, each preceded by its length in four bytes,
big-endian. The first part says what is hashed, so no hash can be mistaken for one of another
kind. A seat is written in decimal digits, and hashes and seeds are raw bytes.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from openfelt.rules.persistent_map import with_item
from openfelt.rules.round import Phase, Round
from openfelt.table.events import SeedCommitted, SeedRevealed, SeedsCalled, SeedsFixed

SEED_BYTES: Final = 32
"""The length of a seed."""
SEEDS_MS: Final = 5_000
"""How long a table waits for seeds; a player who withholds one stalls the others no longer."""

_SEED: Final = b"openfelt.seed/1"
_CALLED: Final = b"openfelt.seeds_called/1"
_MIXED: Final = b"openfelt.seeds_mixed/1"
_REVEALED: Final = b"revealed"
_WITHHELD: Final = b"withheld"


def seed_commitment(round_id: str, seat: int, seed: str) -> str:
    """The hash that binds a seat to a seed for one round.

    >>> seed_commitment("table-1/31", 3, "00" * 32)[:16]
    'c8bc59b28942b5ff'
    """
    return _hash([_SEED, round_id.encode(), _digits(seat), bytes.fromhex(seed)])


def seeds_digest(round_id: str, committed: Mapping[int, str]) -> str:
    """The hash of all commitments to seeds of a round, published when the seeds are called."""
    parts = [_CALLED, round_id.encode()]
    for seat, commitment in sorted(committed.items()):
        parts += [_digits(seat), bytes.fromhex(commitment)]
    return _hash(parts)


def mixed_seeds(
    round_id: str, committed: Mapping[int, str], revealed: Mapping[int, str]
) -> str | None:
    """The hash from which the dealing order of every deck follows; None without any seed.

    A withheld seed is represented by its commitment.
    """
    if not revealed:
        return None
    parts = [_MIXED, round_id.encode()]
    for seat, commitment in sorted(committed.items()):
        seed = revealed.get(seat)
        parts += [
            _digits(seat),
            _WITHHELD if seed is None else _REVEALED,
            bytes.fromhex(commitment if seed is None else seed),
        ]
    return _hash(parts)


def _digits(seat: int) -> bytes:
    return str(seat).encode()


def _hash(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(
        b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    ).hexdigest()


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds of one round."""

    committed: Mapping[int, str] = field(default_factory=dict)
    """By seat, the commitment to its seed. Once bets are closed, only of seats in play."""
    called: str | None = None
    """The digest with which the seeds were called, None before."""
    revealed: Mapping[int, str] = field(default_factory=dict)
    withheld: tuple[int, ...] | None = None
    """The seats whose seeds are missing, None until the deal begins."""
    out_of_play: Mapping[int, str] = field(default_factory=dict)
    """The commitments of seats without a hand when bets were closed; they count again if bets are
    opened again."""

    @property
    def fixed(self) -> bool:
        """Whether the dealing order is decided."""
        return self.withheld is not None

    @property
    def awaited(self) -> bool:
        """Whether the seeds are called and not fixed yet."""
        return self.called is not None and not self.fixed

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that are bound to a seed and have not revealed it."""
        return tuple(seat for seat in sorted(self.committed) if seat not in self.revealed)

    @property
    def complete(self) -> bool:
        """Whether every seat that is bound to a seed has revealed it.

        While fewer seeds are revealed than bound, at least one is missing.
        """
        return len(self.revealed) >= len(self.committed) and not self.missing

    def mixed(self, round_id: str) -> str | None:
        """The hash from which the dealing orders follow; None if no seed was revealed."""
        return mixed_seeds(round_id, self.committed, self.revealed)

    def of_seats(self, seats: Iterable[int]) -> "Seeds":
        """The seeds of these seats alone: a seat that has no hand in play contributes none."""
        playing = set(seats)
        committed = {seat: bound for seat, bound in self.committed.items() if seat in playing}
        others = {seat: bound for seat, bound in self.committed.items() if seat not in playing}
        return replace(self, committed=committed, out_of_play=others)

    def reopened(self) -> "Seeds":
        """The seeds once bets are open again: a seat stays bound for the whole round."""
        return replace(self, committed={**self.committed, **self.out_of_play}, out_of_play={})


@dataclass(frozen=True, slots=True)
class FairnessCounts:
    """Counts from a table's first round on that a player cannot check in a single round."""

    rounds: int = 0
    """Rounds settled."""
    rounds_voided: int = 0
    """Rounds declared void after bets were closed."""
    rounds_withdrawn: int = 0
    """Rounds that ended void before bets were closed; no card was dealt."""
    seeds: int = 0
    """Seeds that were revealed in time."""
    seeds_withheld: int = 0

    def with_round(self, state: Round) -> "FairnessCounts":
        """The counts with one more round that is over; it has a plan once bets are closed."""
        if state.phase is Phase.SETTLED:
            return replace(self, rounds=self.rounds + 1)
        if state.plan:
            return replace(self, rounds_voided=self.rounds_voided + 1)
        return replace(self, rounds_withdrawn=self.rounds_withdrawn + 1)


SeedEvent = SeedCommitted | SeedsCalled | SeedRevealed | SeedsFixed


def seeds_after(
    seeds: Seeds, counts: FairnessCounts, event: SeedEvent
) -> tuple[Seeds, FairnessCounts]:
    """The seeds of a round after an event, and the counts of the table."""
    match event:
        case SeedCommitted(seat, commitment):
            committed = with_item(seeds.committed, seat, commitment)
            return replace(seeds, committed=committed), counts
        case SeedsCalled(digest):
            return replace(seeds, called=digest), counts
        case SeedRevealed(seat, seed):
            revealed = with_item(seeds.revealed, seat, seed)
            return replace(seeds, revealed=revealed), counts
        case SeedsFixed(withheld):
            counts = replace(
                counts,
                seeds=counts.seeds + len(seeds.revealed),
                seeds_withheld=counts.seeds_withheld + len(withheld),
            )
            return replace(seeds, withheld=withheld), counts
