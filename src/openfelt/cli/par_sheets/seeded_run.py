"""A seeded run of simulated rounds beside the exact figures, each with its z-score."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
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
LABORATORY_ROUNDS = 500_000_000
"""The rounds of a run for a laboratory."""


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
    run = _run(house, strategy, [name for name in exact if name != GAME], rounds=rounds, seed=seed)
    assert run.base_ev_per_ante is not None
    means = {GAME: run.base_ev_per_ante}
    for totals in run.wagers:
        if totals.wager in exact and totals.net_per_unit is not None:
            means[totals.wager] = totals.net_per_unit
    rows = []
    for name, (mean, variance) in exact.items():
        known = sqrt(variance) if variance is not None else None
        deviation = known or run.std_dev_cents / run.ante_cents
        score = (means[name] - float(mean)) / (deviation / sqrt(rounds))
        words = "Game, per Ante" if name == GAME else WagerKind(name).words
        rows.append((words, signed(means[name], 8), signed(mean, 8), f"{score:+.3f}"))
    return Section(
        "A seeded run",
        (
            f"{rounds:,} simulated rounds with seed {seed}, played as the exact figures assume.",
            "The z-score is the difference in standard errors.",
        ),
        ("wager", "simulated", "exact", "z-score"),
        tuple(rows),
    )


def _run(
    house: House, strategy: Strategy | str, side_bets: Sequence[str], *, rounds: int, seed: int
) -> Simulation:
    kinds = [WagerKind.ANTE, *map(WagerKind, side_bets)]
    # All side bets at once, each paid in full, whatever a house allows on one hand.
    limits = (
        replace(dated, wagers_per_hand_max=None, payout_aggregates=()) for dated in house.limits
    )
    wagers = [Wager(rule.kind, rule.min_cents) for kind in kinds if (rule := house.wager(kind))]
    with watched("Simulating") as progress:
        return simulate(
            replace(house, limits=tuple(limits)),
            strategy,
            wagers=wagers,
            rounds=rounds,
            seed=seed,
            workers=workers_available(),
            progress=progress,
        )


def no_run(house: House) -> Section:
    """What the sheet says where no run was made."""
    return Section(
        "A seeded run",
        (
            (
                "No seeded run was made. For one, run: "
                f"openfelt parsheet {house.id} --rounds {LABORATORY_ROUNDS}"
            ),
        ),
    )
