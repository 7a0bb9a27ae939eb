"""Rounds of a stadium with a live dealer: scanned cards beside the terminals' own decks."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

from openfelt.cards import FULL_DECK, Card
from openfelt.rules import CloseBets, Confirm, DealCard, SetWagers, TurnCards
from openfelt.rules.dealing import Turn
from openfelt.rules.house import DealerMode
from openfelt.table.commands import (
    SYSTEM,
    ChangeDealer,
    EndTime,
    OpenBets,
    RevealSeed,
    SeededWagers,
)
from openfelt.table.seeds import seed_commitment
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Desk, Shift

SEATS: Final = (1, 2, 3)


def live_table(shift: Shift, *, seats: Iterable[int] = SEATS) -> Desk:
    """A stadium table whose dealer has signed on, with players at some seats."""
    desk = shift.open_table("stadium", mode=DealerMode.LIVE).do(ChangeDealer("dan"), "eve")
    for seat in seats:
        desk.sit(f"player-{seat}", seat, 5000)
    return desk


def seeds_for(random: Random, seats: Iterable[int] = SEATS) -> dict[int, str]:
    """A seed for each seat."""
    return {seat: random.randbytes(32).hex() for seat in seats}


def cards_for(random: Random) -> list[Card]:
    """Seven cards for a live dealer to scan."""
    return random.sample(FULL_DECK, 7)


def bet(desk: Desk, seeds: Mapping[int, str | None]) -> Desk:
    """Open bets, let each seat bet with its seed or without, and close them."""
    desk.do(OpenBets(), "dan")
    for seat, seed in seeds.items():
        wagers = SetWagers(spot_of(f"{seat}.1"), wagers_of("ante 10"))
        commitment = seed and seed_commitment(desk.table.round_id, seat, seed)
        seeded = SeededWagers(wagers, commitment) if commitment else wagers
        desk.do(seeded, f"player-{seat}")
    return desk.do(CloseBets(), "dan")


def scan(desk: Desk, cards: Iterable[Card]) -> Desk:
    """Scan cards one after another."""
    for card in cards:
        desk.do(DealCard(card), "dan")
    return desk


def reveal(desk: Desk, seeds: Mapping[int, str | None], *, withheld: Iterable[int] = ()) -> Desk:
    """Let the seats reveal their seeds, except for some; then their time is up."""
    for seat, seed in seeds.items():
        if seed is not None and seat not in withheld:
            desk.do(RevealSeed(seat, seed), f"player-{seat}")
    if set(withheld) & {seat for seat, seed in seeds.items() if seed is not None}:
        assert desk.table.clock is not None
        desk.do(EndTime(desk.table.clock.number), SYSTEM)
    return desk


def finish(desk: Desk, *, decision: str = "4x") -> Desk:
    """Let every hand decide, turn the cards and confirm the round."""
    while desk.table.playing is not None:
        if isinstance(desk.round.current_step, Turn):
            desk.do(TurnCards(), "dan")
        elif desk.round.street is not None:
            spot = min(desk.round.pending)
            first = desk.round.street.value == "before_flop" or decision == "fold"
            chosen = decision if first else "check"
            if decision == "fold":
                chosen = "fold" if desk.round.street.value == "on_river" else "check"
            desk.choose(f"player-{spot.seat}", str(spot), chosen)
        else:
            desk.do(Confirm(), "dan")
    return desk


def live_round(
    shift: Shift, random: Random, *, withheld: Iterable[int] = (), decision: str = "4x"
) -> Desk:
    """A whole round with seeds."""
    desk, seeds = live_table(shift), seeds_for(random)
    bet(desk, seeds)
    scan(desk, cards_for(random))
    reveal(desk, seeds, withheld=withheld)
    return finish(desk, decision=decision)
