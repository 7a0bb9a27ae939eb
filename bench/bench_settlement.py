"""The time to settle a full table of 22 hands, compared with evaluating their cards alone."""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from openfelt.cards import evaluate
from openfelt.catalog import load_house
from openfelt.rules import (
    CloseBets,
    DealCard,
    MakeDecision,
    Phase,
    Round,
    SetWagers,
    Spot,
    TurnCards,
    Wager,
    WagerKind,
    apply,
    begin,
    choices,
    decide,
    open_round,
    settle,
)
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.round_actions import Action
from openfelt.table import cards_for_round

HANDS = 22
ROUNDS = 200
WAGERS = (
    Wager(WagerKind.ANTE, 1000),
    Wager(WagerKind.TRIPS, 500),
    Wager(WagerKind.BAD_BEAT, 500),
    Wager(WagerKind.ULTIMATE_PAIRS, 500),
)


def step(state: Round, action: Action) -> Round:
    """The state after an action."""
    for event in decide(state, action):
        state = apply(state, event)
    return state


def dealt_round(rng: random.Random) -> Round:
    """A round of 22 hands with six wagers each, dealt and decided, ready to be settled."""
    house = replace(load_house("washington"), seats=HANDS)
    state = begin(house, open_round(house, number=1, day=date(2026, 1, 1)))
    for seat in range(1, HANDS + 1):
        state = step(state, SetWagers(Spot(seat, 1), WAGERS))
    state = step(state, CloseBets())
    cards = iter(cards_for_round(state, rng.randrange))
    while state.phase is Phase.PLAYING:
        now = state.current_step
        if isinstance(now, Deal):
            state = step(state, DealCard(next(cards)))
        elif isinstance(now, Turn):
            state = step(state, TurnCards())
        else:
            spot = min(state.pending)
            decision = rng.choice(choices(state, spot).options).decision
            state = step(state, MakeDecision(spot, decision))
    return state


def read_all(state: Round) -> None:
    """Evaluate every hand of the round, which any settlement must do."""
    for hand in state.hands.values():
        evaluate((*hand.cards, *state.common))


def seconds(work: Callable[[Round], object], states: list[Round]) -> float:
    """The processor time that the work takes on all rounds."""
    start = time.process_time()
    for state in states:
        work(state)
    return time.process_time() - start


def main() -> None:
    """Settle and read the same rounds in turn, and print the best time of each."""
    rng = random.Random(1)
    states = [dealt_round(rng) for _ in range(ROUNDS)]
    settling, reading = [], []
    for _ in range(5):
        settling.append(seconds(settle, states))
        reading.append(seconds(read_all, states))
    per_hand = min(settling) / (ROUNDS * HANDS) * 1e6
    per_evaluation = min(reading) / (ROUNDS * HANDS) * 1e6
    wagers = sum(len(hand.wagers) for state in states for hand in state.hands.values())
    print(f"{ROUNDS} rounds of {HANDS} hands, {wagers / (ROUNDS * HANDS):.1f} wagers a hand")
    print(f"settle()    {per_hand:6.1f} µs a hand, {per_hand * HANDS / 1000:.2f} ms a round")
    print(f"evaluate()  {per_evaluation:6.1f} µs a hand of seven cards")
    print(f"ratio       {per_hand / per_evaluation:6.1f}")


if __name__ == "__main__":
    main()
