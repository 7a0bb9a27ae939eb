"""A seeded run of simulated rounds beside the exact figures, each with its z-score."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt

from openfelt.cli.figures.number_format import signed
from openfelt.cli.par_sheets.sheet import Section
from openfelt.cli.progress import watched
from openfelt.maths.parallel import workers_available
from openfelt.maths.simulation.rounds import Simulation, simulate
from openfelt.maths.strategy.strategies import Strategy
from openfelt.rules import House, Wager, WagerKind

GAME = "game"


SIDE_BETS_AT_ONCE = 2
"""A house may limit the wagers of a hand, so side bets are simulated by twos."""


def seeded_run(
    house: House,
    strategy: Strategy | str,
    exact: Mapping[str, tuple[Fraction, Fraction | None]],
    *,
    rounds: int,
    seed: int,
) -> Section:
    """Simulate the least Ante, with the least of each side bet that has an exact figure.

    `exact` has the mean and the variance of one unit, for the game and each side bet. Without a
    variance, that of the run is taken. Raises ValueError for an invalid number of rounds.
    """
    side_bets = [name for name in exact if name != GAME]
    groups = [
        side_bets[start : start + SIDE_BETS_AT_ONCE]
        for start in range(0, max(1, len(side_bets)), SIDE_BETS_AT_ONCE)
    ]
    runs = [_run(house, strategy, group, rounds=rounds, seed=seed) for group in groups]
    assert runs[0].base_ev_per_ante is not None
    means = {GAME: runs[0].base_ev_per_ante}
    for run in runs:
        for totals in run.wagers:
            if totals.wager in exact and totals.net_per_unit is not None:
                means[totals.wager] = totals.net_per_unit
    rows = []
    for name, (mean, variance) in exact.items():
        known = sqrt(variance) if variance is not None else None
        deviation = known or runs[0].std_dev_cents / runs[0].ante_cents
        score = (means[name] - float(mean)) / (deviation / sqrt(rounds))
        words = "Game, per Ante" if name == GAME else WagerKind(name).words
        rows.append((words, signed(means[name], 8), signed(mean, 8), f"{score:+.3f}"))
    again = " Side bets are simulated by twos, in runs of their own." if side_bets else ""
    return Section(
        "A seeded run",
        (
            f"{rounds:,} simulated rounds with seed {seed}, played as the exact figures assume.",
            f"The z-score is the difference in standard errors.{again}",
        ),
        ("wager", "simulated", "exact", "z-score"),
        tuple(rows),
    )


def _run(
    house: House, strategy: Strategy | str, side_bets: Sequence[str], *, rounds: int, seed: int
) -> Simulation:
    kinds = [WagerKind.ANTE, *map(WagerKind, side_bets)]
    wagers = [Wager(rule.kind, rule.min_cents) for kind in kinds if (rule := house.wager(kind))]
    with watched("Simulating") as progress:
        return simulate(
            house,
            strategy,
            wagers=wagers,
            rounds=rounds,
            seed=seed,
            threads=workers_available(),
            progress=progress,
        )
