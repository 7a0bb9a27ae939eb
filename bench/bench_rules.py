"""Whole rounds a second of the rules alone, in one thread, with every check and every event.

One hand plays rounds of each game with wagers on every circle that the house offers by itself, and
random decisions. Where rlcard is installed, it plays its
limit hold'em in turn with us: two random players, which is about as many steps as a round of ours.
"""

import importlib
import random
import time
from collections.abc import Callable
from datetime import date
from functools import partial

from bench.aims import note
from openfelt.cards import FULL_DECK
from openfelt.catalog import load_house
from openfelt.rules import (
    CloseBets,
    Confirm,
    DealCard,
    Hold,
    MakeDecision,
    Phase,
    Round,
    SetWagers,
    Spot,
    TurnCards,
    Wager,
    WagerKind,
    begin,
    choices,
    open_round,
)
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.house import House
from openfelt.rules.referee import act

ROUNDS = 300
TURNS = 5
CARDS_MAX = 15
"""The cards of a round of one hand at most: five each in draw, and five common cards."""
SPOT = Spot(1, 1)
DAY = date(2026, 1, 1)
WAGERS = {
    "online": (Wager(WagerKind.ANTE, 1000), Wager(WagerKind.TRIPS, 500)),
    "draw": (Wager(WagerKind.ANTE, 1000),),
}


def play(house: House, chance: random.Random) -> Round:
    """One whole round of one hand."""
    state = begin(house, open_round(house, number=1, day=DAY))
    state = act(state, SetWagers(SPOT, WAGERS[house.id]), CloseBets())
    deck = iter(chance.sample(FULL_DECK, CARDS_MAX))
    while state.phase is Phase.PLAYING:
        step = state.current_step
        if isinstance(step, Deal):
            state = act(state, DealCard(next(deck)))
        elif isinstance(step, Turn):
            state = act(state, TurnCards())
        else:
            offered = choices(state, SPOT)
            held = Hold(state.hands[SPOT].cards[:2])
            decision = held if offered.may_hold else chance.choice(offered.options).decision
            state = act(state, MakeDecision(SPOT, decision))
    return act(state, Confirm())


def rounds_a_second(game: Callable[[], object]) -> float:
    """How many rounds one second of processor time holds."""
    started = time.process_time()
    for _ in range(ROUNDS):
        game()
    return ROUNDS / (time.process_time() - started)


def rlcards_game() -> Callable[[], object] | None:
    """A game of rlcard, None where it is not installed."""
    try:
        rlcard = importlib.import_module("rlcard")
        agents = importlib.import_module("rlcard.agents")
    except ImportError:
        return None
    table = rlcard.make("limit-holdem")
    table.set_agents([agents.RandomAgent(table.num_actions) for _ in range(table.num_players)])
    return lambda: table.run(is_training=False)


def main() -> None:
    """Play in turn, and print the best of each."""
    chance = random.Random(1)
    games: dict[str, Callable[[], object]] = {}
    for name in WAGERS:
        house = load_house(name)
        games[name] = partial(play, house, chance)
    if (peer := rlcards_game()) is not None:
        games["rlcard"] = peer
    found: dict[str, list[float]] = {name: [] for name in games}
    for _ in range(TURNS):
        for name, game in games.items():
            found[name].append(rounds_a_second(game))
    for name, speeds in found.items():
        print(f"{name:10} {max(speeds):8,.0f} whole rounds a second of processor time")
    note("rules", max(found["online"]))
    if peer is None:
        print("rlcard is not installed, so there is no peer in this run.")


if __name__ == "__main__":
    main()
