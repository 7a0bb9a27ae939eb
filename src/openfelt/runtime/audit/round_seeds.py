"""The audit of the players' seeds, event by event."""

from collections.abc import Iterator

from openfelt.rules.round import Phase
from openfelt.runtime.audit.fault import Fault
from openfelt.table.events import SeedCommitted, SeedRevealed, SeedsCalled, SeedsFixed
from openfelt.table.seeds import Seeds, seed_commitment, seeds_digest
from openfelt.table.state import Table

SeedEvent = SeedCommitted | SeedsCalled | SeedRevealed | SeedsFixed


def seed_faults(table: Table, event: SeedEvent) -> Iterator[Fault]:
    """Faults of an event about seeds, given the table as it was before."""
    seeds, state = table.seeds, table.playing
    if seeds is None or state is None:
        yield Fault("An event about seeds is in a round without seeds.", "a round", "none")
        return
    betting = state.phase is Phase.WAGERING
    if betting != isinstance(event, SeedCommitted):
        when = "while bets were open" if betting else "after bets closed"
        yield Fault(f"A {_NAMES[type(event)]} of {table.round_id} is out of turn.", "none", when)
    if seeds.fixed:
        yield Fault(
            f"A {_NAMES[type(event)]} of {table.round_id} came after the deal began.",
            "no such event",
            "one",
        )
    yield from _faults(table, seeds, event)


_NAMES = {
    SeedCommitted: "commitment to a seed",
    SeedsCalled: "call of the seeds",
    SeedRevealed: "seed",
    SeedsFixed: "beginning of the deal",
}


def _faults(table: Table, seeds: Seeds, event: SeedEvent) -> Iterator[Fault]:
    name = table.round_id
    match event:
        case SeedCommitted(seat, commitment):
            if seat in seeds.committed:
                yield Fault(
                    f"Seat {seat} of {name} is bound to a second seed.",
                    seeds.committed[seat],
                    commitment,
                )
        case SeedsCalled(digest):
            if digest != (wanted := seeds_digest(name, seeds.committed)):
                yield Fault(f"The seeds of {name} were called with another digest.", wanted, digest)
        case SeedRevealed(seat, seed):
            revealed = seed_commitment(name, seat, seed)
            if seeds.called is None or seeds.committed.get(seat) != revealed:
                yield Fault(
                    f"The seed of seat {seat} of {name} is not the one that it is bound to.",
                    f"a seed called for, with the commitment {seeds.committed.get(seat)}",
                    f"one with the commitment {revealed}",
                )
        case SeedsFixed(withheld):
            if withheld != seeds.missing or (seeds.committed and seeds.called is None):
                yield Fault(
                    f"The withheld seeds of {name} are not those that are missing.",
                    f"seats {seeds.missing}, after a call",
                    f"seats {withheld}",
                )
