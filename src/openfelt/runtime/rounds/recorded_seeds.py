"""The seeds of a round, and the cards that a live dealer scanned, as its record has them."""

from dataclasses import replace

from openfelt.rules.dealing import Deal, Place, dealing_plan
from openfelt.rules.house import House, Procedure
from openfelt.rules.round_events import CardCorrected, CardDealt
from openfelt.runtime.rounds.proof import ProvedSeed, ProvedSeeds, ScannedCard, mixture
from openfelt.table.events import SeedCommitted, SeedRevealed, SeedsCalled, SeedsFixed


class RecordedSeeds:
    """The seeds of a round while it is read from the record."""

    def __init__(self) -> None:
        self._committed: dict[int, tuple[str, int]] = {}
        self._revealed: dict[int, str] = {}
        self._digest: str | None = None
        self._called_version: int | None = None
        self._fixed_version: int | None = None

    def take(
        self, event: SeedCommitted | SeedsCalled | SeedRevealed | SeedsFixed, version: int
    ) -> None:
        """Take an event about seeds, with its version."""
        match event:
            case SeedCommitted(seat, commitment):
                self._committed[seat] = commitment, version
            case SeedsCalled(digest):
                self._digest, self._called_version = digest, version
            case SeedRevealed(seat, seed):
                self._revealed[seat] = seed
            case SeedsFixed():
                self._fixed_version = version

    def proved(self, seats: set[int], name: str) -> ProvedSeeds:
        """The seeds of these seats; those of seats without a hand in play do not count."""
        bound = {seat: self._committed[seat] for seat in sorted(self._committed) if seat in seats}
        seeds = tuple(
            ProvedSeed(seat=seat, commitment=commitment, seed=self._revealed.get(seat))
            for seat, (commitment, _) in bound.items()
        )
        return ProvedSeeds(
            bound_version=max((version for _, version in bound.values()), default=None),
            digest=self._digest,
            called_version=self._called_version,
            fixed_version=self._fixed_version,
            mixed=mixture(name, seeds),
            seeds=seeds,
        )


class RecordedScans:
    """The cards of the dealer and of the board while a round is read from the record."""

    def __init__(self) -> None:
        self._scans: dict[Place, ScannedCard] = {}
        self._hands_dealt = False

    def take(self, event: CardDealt | CardCorrected, version: int) -> None:
        """Take a card with its version. Corrections after the deal are kept separately."""
        if event.place.spot is not None:
            self._hands_dealt = True
            return
        before = self._scans.get(event.place)
        if before is not None and self._hands_dealt:
            self._scans[event.place] = replace(before, corrected=event.card)
        else:
            scan = ScannedCard(place=event.place, version=version, card=event.card)
            self._scans[event.place] = scan

    def scanned(self, house: House, procedure: Procedure) -> tuple[ScannedCard, ...]:
        """The cards in the order of the plan."""
        steps = dealing_plan(house, procedure, ())
        places = (step.place for step in steps if isinstance(step, Deal))
        return tuple(self._scans[place] for place in places if place in self._scans)
