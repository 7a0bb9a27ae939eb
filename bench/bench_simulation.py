"""Simulated rounds per second, compared with the rules engine that settles real tables."""

import time
from collections.abc import Callable
from datetime import date
from random import Random

from openfelt.catalog import load_house
from openfelt.maths.simulation.rounds import simulate
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.rules import (
    Check,
    CloseBets,
    Confirm,
    DealCard,
    House,
    MakeDecision,
    Phase,
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
)
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.round_actions import Action
from openfelt.table import cards_for_round

REPEATS = 3
THREADS = 2


def engine_round(house: House, random: Random) -> None:
    """One round through the rules engine: check twice, then bet 1x."""
    state = begin(house, open_round(house, number=1, day=date(2026, 1, 1)))

    def do(action: Action) -> None:
        nonlocal state
        for event in decide(state, action):
            state = apply(state, event)

    spot = Spot(1, 1)
    do(SetWagers(spot, (Wager(WagerKind.ANTE, 1000),)))
    do(CloseBets())
    cards = iter(cards_for_round(state, random.randrange))
    while state.phase is Phase.PLAYING:
        step = state.current_step
        if isinstance(step, Deal):
            do(DealCard(next(cards)))
        elif isinstance(step, Turn):
            do(TurnCards())
        else:
            options = [option.decision for option in choices(state, spot).options]
            do(MakeDecision(spot, Check() if Check() in options else options[-1]))
    do(Confirm(0))


def rate(rounds: int, run: Callable[[], object]) -> tuple[float, float]:
    """Rounds a second of wall time, and of processor time."""
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return rounds / (time.perf_counter() - wall), rounds / (time.process_time() - cpu)


def main() -> None:
    """Print the rates; the contenders take turns."""
    online, draw, stadium = map(load_house, ("online", "draw", "stadium"))
    random = Random(1)

    def by_engine() -> None:
        for _ in range(300):
            engine_round(online, random)

    contenders: dict[str, tuple[int, Callable[[], object]]] = {
        "rules engine, one thread": (300, by_engine),
        "look-up strategy": (
            4_000_000,
            lambda: simulate(online, "published_simple", rounds=4_000_000, workers=THREADS),
        ),
        "perfect river play": (
            500_000,
            lambda: simulate(online, "simple_perfect_river", rounds=500_000, workers=THREADS),
        ),
        "Stadium, three hands": (
            1_000_000,
            lambda: simulate(
                stadium,
                "published_simple",
                TableSetting(hands=3),
                rounds=1_000_000,
                workers=THREADS,
            ),
        ),
        "Ultimate Draw, house way": (
            4_000_000,
            lambda: simulate(draw, "house_way", rounds=4_000_000, workers=THREADS),
        ),
    }
    for house, strategy in ((online, "simple_perfect_river"), (draw, "house_way")):
        simulate(house, strategy, rounds=1)  # compile or load kernels before timing
    best = dict.fromkeys(contenders, (0.0, 0.0))
    for _ in range(REPEATS):
        for name, (rounds, run) in contenders.items():
            best[name] = max(best[name], rate(rounds, run))
    engine = best["rules engine, one thread"]
    print(f"{'':28}{'rounds/s':>12}{'per CPU second':>16}{'CPU ratio':>11}")
    for name, (wall, cpu) in best.items():
        print(f"{name:28}{wall:12,.0f}{cpu:16,.0f}{cpu / engine[1]:10,.0f}x")


if __name__ == "__main__":
    main()
