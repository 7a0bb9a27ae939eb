"""A seeded run of simulated rounds beside the exact figures, each with its z-score."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.metadata import version
from math import sqrt
from typing import Any

from openfelt.cli.figures.kept_notice import KeptNotice
from openfelt.cli.figures.number_format import signed
from openfelt.cli.par_sheets.sheet import Section
from openfelt.cli.progress import watched
from openfelt.maths.parallel import workers_available
from openfelt.maths.simulation.kept_runs import find_kept_run
from openfelt.maths.simulation.rounds import Simulation, simulate
from openfelt.maths.simulation.run_checkpoints import KEPT_ROUNDS
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.maths.strategy.strategies import Strategy
from openfelt.rules import House, Wager, WagerKind

GAME = "game"
LABORATORY_ROUNDS = 500_000_000
"""The rounds of a run for a laboratory."""
Exact = Mapping[str, tuple[Fraction, Fraction | None]]
"""The exact mean and variance of one unit, of the game and of each side bet."""


@dataclass(frozen=True, slots=True)
class SheetRun:
    """A run on a par sheet: its section, and the same for programs."""

    section: Section
    facts: dict[str, Any]


def seeded_run(
    house: House, strategy: Strategy | str, exact: Exact, *, rounds: int, seed: int
) -> SheetRun:
    """Simulate the least Ante, with the least of each side bet that has an exact figure.

    `exact` has the mean and the variance of one unit, for the game and each side bet. Without a
    variance, that of the run is taken. Raises ValueError for an invalid number of rounds.
    """
    run = play_run(house, strategy, exact, rounds=rounds, seed=seed)
    return _sheet_run(
        run,
        exact,
        (f"{rounds:,} simulated rounds with seed {seed}, played as the exact figures assume.",),
        {"software": f"openfelt {version('openfelt')}", "kept": False},
    )


def play_run(
    house: House, strategy: Strategy | str, exact: Iterable[str], *, rounds: int, seed: int
) -> Simulation:
    """Play the rounds. A long run is kept in the cache folder: if interrupted, it goes on there."""
    with watched("Simulating") as progress:
        return simulate(
            _unlimited(house),
            strategy,
            sheet_setting(house, exact),
            rounds=rounds,
            seed=seed,
            workers=workers_available(),
            progress=progress,
            kept=rounds >= KEPT_ROUNDS,
            resumed=KeptNotice("rounds"),
        )


def kept_run(house: House, exact: Exact) -> SheetRun | None:
    """The run that is shipped with the program for this rule data, if there is one."""
    kept = find_kept_run(house.fingerprint)
    if kept is None or not _compares(kept.run, exact):
        return None
    run = kept.run
    played = (
        f"{run.rounds:,} simulated rounds with seed {run.seed}, played as the exact figures "
        f"assume. They were played once by {kept.software}, and their sums are kept with the "
        f"program; their SHA-256 is {kept.sha256}."
    )
    again = (
        "To play them again, with a progress bar and checkpoints, run: "
        f"openfelt parsheet {house.id} --rounds {run.rounds} --seed {run.seed}"
    )
    return _sheet_run(
        run,
        exact,
        (played, again),
        {"software": kept.software, "kept": True, "sha256": kept.sha256},
    )


def sheet_setting(house: House, exact: Iterable[str]) -> TableSetting:
    """The least Ante and the least of each side bet that has an exact figure."""
    kinds = [WagerKind.ANTE, *(WagerKind(name) for name in exact if name != GAME)]
    rules = [rule for kind in kinds if (rule := house.wager(kind))]
    return TableSetting(wagers=[Wager(rule.kind, rule.min_cents) for rule in rules])


def _unlimited(house: House) -> House:
    """All side bets at once, each paid in full, whatever a house allows on one hand."""
    limits = (
        replace(dated, wagers_per_hand_max=None, payout_aggregates=()) for dated in house.limits
    )
    return replace(house, limits=tuple(limits))


def _compares(run: Simulation, exact: Exact) -> bool:
    """Whether the run has every wager that has an exact figure."""
    return set(exact) - {GAME} <= {totals.wager for totals in run.wagers}


def _sheet_run(
    run: Simulation, exact: Exact, sentences: tuple[str, ...], facts: dict[str, Any]
) -> SheetRun:
    assert run.base_ev_per_ante is not None
    means = {GAME: run.base_ev_per_ante}
    for totals in run.wagers:
        if totals.wager in exact and totals.net_per_unit is not None:
            means[totals.wager] = totals.net_per_unit
    rows = []
    for name, (mean, variance) in exact.items():
        known = sqrt(variance) if variance is not None else None
        deviation = known or run.std_dev_cents / run.ante_cents
        score = (means[name] - float(mean)) / (deviation / sqrt(run.rounds))
        words = "Game, per Ante" if name == GAME else WagerKind(name).words
        rows.append((words, signed(means[name], 8), signed(mean, 8), f"{score:+.3f}"))
    columns = ("wager", "simulated", "exact", "z-score")
    section = Section(
        "A seeded run",
        (*sentences, "The z-score is the difference in standard errors."),
        columns,
        tuple(rows),
    )
    wagers = [dict(zip(columns, row, strict=True)) for row in rows]
    return SheetRun(section, {"rounds": run.rounds, "seed": run.seed, **facts, "wagers": wagers})


def no_run(house: House) -> Section:
    """The sheet's text where no run was made."""
    return Section(
        "A seeded run",
        (
            (
                "No seeded run was made. For one, run: "
                f"openfelt parsheet {house.id} --rounds {LABORATORY_ROUNDS}"
            ),
        ),
    )
