"""A seeded run of simulated rounds beside the exact figures, each with its z-score."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.metadata import version
from math import lcm, sqrt
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
TOGETHER = "together"
"""The name of one unit on every wager, where their joint result is compared too."""
LABORATORY_ROUNDS = 500_000_000
"""The rounds of a run for a laboratory."""
Exact = Mapping[str, tuple[Fraction, Fraction | None]]
"""The exact mean and variance of one unit, of the game, of each side bet, and of all together.

Only a result of all wagers of the run may lack its variance: then that of the run is taken.
"""


_WORDS = {GAME: "Game, per Ante", TOGETHER: "One unit on every wager, in Antes"}


@dataclass(frozen=True, slots=True)
class SheetRun:
    """A run on a par sheet: its section, and the same for programs."""

    section: Section
    facts: dict[str, Any]


def seeded_run(
    house: House, strategy: Strategy | str, exact: Exact, *, rounds: int, seed: int
) -> SheetRun:
    """Simulate the least Ante, with the least of each side bet that has an exact figure.

    Raises ValueError for an invalid number of rounds.
    """
    run = play_run(house, strategy, exact, rounds=rounds, seed=seed)
    return _sheet_run(
        run,
        exact,
        (_played(run),),
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
        f"{_played(run)} They were played once by {kept.software}, and their sums are kept with "
        f"the program; their SHA-256 is {kept.sha256}."
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


def _played(run: Simulation) -> str:
    return (
        f"{run.rounds:,} simulated rounds with seed {run.seed}, played as the exact figures "
        f"assume, with the strategy {run.strategy}."
    )


def sheet_setting(house: House, exact: Iterable[str]) -> TableSetting:
    """The least Ante and the least of each side bet that has an exact figure.

    If their joint result is compared too, all are of the same amount.
    """
    names = list(exact)
    kinds = [WagerKind.ANTE, *(WagerKind(name) for name in names if name not in (GAME, TOGETHER))]
    rules = [rule for kind in kinds if (rule := house.wager(kind))]
    common = common_stake_cents(house, kinds) if TOGETHER in names else None
    return TableSetting(wagers=[Wager(rule.kind, common or rule.min_cents) for rule in rules])


def common_stake_cents(house: House, kinds: Iterable[WagerKind]) -> int | None:
    """The least amount that all of these wagers may have; None if there is none."""
    rules = [rule for kind in kinds if (rule := house.wager(kind))]
    step = lcm(*(rule.multiple_of_cents for rule in rules))
    least = -(-max(rule.min_cents for rule in rules) // step) * step
    return least if all(least <= rule.max_cents for rule in rules) else None


def _unlimited(house: House) -> House:
    """All side bets at once, each paid in full, whatever a house allows on one hand."""
    limits = (
        replace(dated, wagers_per_hand_max=None, payout_aggregates=()) for dated in house.limits
    )
    return replace(house, limits=tuple(limits))


def _compares(run: Simulation, exact: Exact) -> bool:
    """Whether the run has every wager that has an exact figure, and equal stakes for all."""
    staked = {totals.wager: totals.staked_cents for totals in run.wagers}
    wagers = set(exact) - {GAME, TOGETHER}
    if not wagers <= set(staked):
        return False
    return TOGETHER not in exact or len({staked[name] for name in (*wagers, "ante")}) == 1


def _sheet_run(
    run: Simulation, exact: Exact, sentences: tuple[str, ...], facts: dict[str, Any]
) -> SheetRun:
    assert run.base_ev_per_ante is not None
    assert run.ev_per_ante is not None
    means = {GAME: run.base_ev_per_ante, TOGETHER: run.ev_per_ante}
    for totals in run.wagers:
        if totals.wager in exact and totals.net_per_unit is not None:
            means[totals.wager] = totals.net_per_unit
    rows = []
    for name, (mean, variance) in exact.items():
        own = run.std_dev_cents / run.ante_cents
        deviation = own if variance is None else sqrt(variance)
        score = (means[name] - float(mean)) / (deviation / sqrt(run.rounds))
        words = _WORDS.get(name) or WagerKind(name).words
        rows.append((words, signed(means[name], 8), signed(mean, 8), f"{score:+.3f}"))
    error = "The z-score is the difference in standard errors, from the exact variance."
    if any(variance is None for _, variance in exact.values()):
        error += " Where no exact variance is counted, it is that of the run."
    columns = ("wager", "simulated", "exact", "z-score")
    section = Section(
        "A seeded run",
        (*sentences, error),
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
