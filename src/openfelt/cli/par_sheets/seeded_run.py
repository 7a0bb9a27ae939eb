"""A seeded run of simulated rounds beside the exact figures, each with its z-score."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from math import lcm
from typing import Any

from openfelt.catalog.amounts_fingerprint import amounts_fingerprint
from openfelt.cli.figures.kept_notice import KeptNotice
from openfelt.cli.figures.number_format import signed
from openfelt.cli.par_sheets.run_frequencies import ExactChances, frequency_section
from openfelt.cli.par_sheets.sheet import RunLine, Section
from openfelt.cli.progress import watched
from openfelt.maths.kernels.random_cards import DEALING, GENERATOR, SEEDING
from openfelt.maths.kernels.simulated_runs import ROUNDS_IN_BATCH
from openfelt.maths.parallel import workers_available
from openfelt.maths.simulation.exact_spreads import may_be_cut
from openfelt.maths.simulation.kept_runs import find_kept_run, kept_runs
from openfelt.maths.simulation.rounds import BASE_GAME, Simulation, simulate
from openfelt.maths.simulation.run_checkpoints import KEPT_ROUNDS
from openfelt.maths.simulation.simulated_table import TableSetting, set_table
from openfelt.maths.strategy.strategies import Strategy
from openfelt.money import format_cents
from openfelt.rules import House, Wager, WagerKind

GAME = "game"
TOGETHER = "together"
"""The name of one unit on every wager, where their joint result is compared too."""
ALL_STAKES = "all_stakes"
"""The name of all wagers with the stakes of the run, which may differ."""
LABORATORY_ROUNDS = 500_000_000
"""The rounds of a run for a laboratory."""
Exact = Mapping[str, tuple[Fraction, Fraction | None]]
"""The exact mean and variance of one unit, of the game, of each side bet, and of all together.

Only a result of all wagers of the run may lack its variance: then that of the run is taken.
"""


_WORDS = {
    GAME: "Game, per Ante",
    TOGETHER: "One unit on every wager, in Antes",
    ALL_STAKES: "All wagers of the run, in Antes",
}
_JOINT = (TOGETHER, ALL_STAKES)
_NO_CHANCES = ExactChances()


@dataclass(frozen=True, slots=True)
class SheetRun:
    """A run on a par sheet: its sections, and the same for programs."""

    section: Section
    """Each wager and all together: the mean beside the exact one."""
    frequencies: Section
    facts: dict[str, Any]
    obtained: tuple[str, str, str]
    """What the run is, how it was made, and the command that makes it again."""


def seeded_run(
    house: House,
    strategy: Strategy | str,
    exact: Exact,
    *,
    rounds: int,
    seed: int,
    chances: ExactChances = _NO_CHANCES,
) -> SheetRun:
    """Simulate the least Ante, with the least of each side bet that has an exact figure.

    Raises ValueError for an invalid number of rounds.
    """
    run = play_run(house, strategy, exact, rounds=rounds, seed=seed)
    facts = {"software": f"openfelt {version('openfelt')}", "kept": False}
    return _sheet_run(house, run, (exact, chances), (_played(run),), facts)


def play_run(
    house: House, strategy: Strategy | str, exact: Iterable[str], *, rounds: int, seed: int
) -> Simulation:
    """Play the rounds. A long run is kept in the cache folder: if interrupted, it goes on there."""
    with watched("Simulating") as progress:
        return simulate(
            house,
            strategy,
            sheet_setting(house, exact),
            rounds=rounds,
            seed=seed,
            workers=workers_available(),
            progress=progress,
            kept=rounds >= KEPT_ROUNDS,
            resumed=KeptNotice("rounds"),
        )


def kept_run(house: House, exact: Exact, *, chances: ExactChances = _NO_CHANCES) -> SheetRun | None:
    """The run that is shipped with the program for this rule data, if there is one.

    It may have been played before a rule that decides no amount, only which hands are shown.
    """
    kept = find_kept_run(house.fingerprint) or find_kept_run(amounts_fingerprint(house))
    if kept is None or not _compares(house, kept.run, exact):
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
    sentences = (played, again, *_other_rule_data(house, run), *_same_deals(run))
    facts = {"software": kept.software, "kept": True, "sha256": kept.sha256}
    return _sheet_run(house, run, (exact, chances), sentences, facts)


def _other_rule_data(house: House, run: Simulation) -> Iterator[str]:
    """Under which rule data a run was played, if not under that of the sheet."""
    if run.fingerprint != house.fingerprint:
        yield (
            f"They were played under the rule data with the fingerprint {run.fingerprint}. It "
            "differs from that of this sheet only in whether a folded hand is shown that wins "
            "nothing, which changes no amount."
        )


def _same_deals(run: Simulation) -> Iterator[str]:
    """Which other kept runs have the same deals, because they have the same seed."""
    same = [
        kept.run.house
        for kept in kept_runs()
        if (kept.run.seed, kept.run.strategy) == (run.seed, run.strategy)
    ]
    if len(same) > 1:
        yield (
            f"The kept runs of {', '.join(same[:-1])} and {same[-1]} have the same seed and "
            "strategy, so they are played with the same deals. What they say about the game, and "
            "about a side bet with the same table, is one sample and not several: their z-scores "
            "are equal, and no sheet confirms another."
        )


def _obtained(house: House, run: Simulation, exact: Exact) -> tuple[str, str, str]:
    """The run among the figures: how it was made, and the command that makes it again.

    `openfelt simulate` accepts what a table accepts, so all side bets of a house at once, or
    awards that a payout aggregate may cut, are played by `openfelt parsheet`.
    """
    wagers = least_stakes(house, exact)
    bets = [
        f"--bet {wager.kind.value}={wager.cents / 100:g}"
        for wager in wagers
        if wager.kind is not WagerKind.ANTE
    ]
    again = f"--rounds {run.rounds} --seed {run.seed}"
    ante = next(wager.cents for wager in wagers if wager.kind is WagerKind.ANTE)
    stakes = " ".join([f"--ante {ante / 100:g}", *bets])
    command = f"simulate {house.id} --strategy {run.strategy} {stakes} {again}"
    try:
        set_table(house, "basic" if house.play else "house_way", TableSetting(wagers=wagers))
        accepted = not may_be_cut(house, wagers)
    except ValueError:
        accepted = False
    named = ", ".join(f"{wager.kind.words} {format_cents(wager.cents)}" for wager in wagers)
    how = f"simulated with the strategy {run.strategy} and these wagers: {named}"
    if not accepted:
        command = f"parsheet {house.id} {again}"
    return "A seeded run", how, f"openfelt {command}"


def _played(run: Simulation) -> str:
    return (
        f"{run.rounds:,} simulated rounds with seed {run.seed}, played as the exact figures "
        f"assume, with the strategy {run.strategy}."
    )


def _random_numbers(run: Simulation) -> str:
    return (
        f"Random numbers: {GENERATOR}. Rounds are played in batches of {ROUNDS_IN_BATCH:,}. Each "
        f"batch has a stream of its own, which {SEEDING} sets from the seed, {run.seed}, and the "
        f"number of the batch, from 0 on; so the run does not depend on the number of threads. "
        f"Cards are dealt by {DEALING}."
    )


def sheet_setting(house: House, exact: Iterable[str]) -> TableSetting:
    """The least Ante and the least of each side bet that has an exact figure.

    If their joint result is compared too, all are of the same amount. They are bet at once and
    paid in full, whatever the house allows on one hand, as the exact figures assume.
    """
    return TableSetting(wagers=least_stakes(house, exact), in_full=True)


def least_stakes(house: House, exact: Iterable[str]) -> list[Wager]:
    """The wagers of that setting."""
    names = list(exact)
    kinds = [WagerKind.ANTE, *(WagerKind(name) for name in names if name not in (GAME, *_JOINT))]
    rules = [rule for kind in kinds if (rule := house.wager(kind))]
    common = common_stake_cents(house, kinds) if TOGETHER in names else None
    return [Wager(rule.kind, common or rule.min_cents) for rule in rules]


def common_stake_cents(house: House, kinds: Iterable[WagerKind]) -> int | None:
    """The least amount that all of these wagers may have; None if there is none."""
    rules = [rule for kind in kinds if (rule := house.wager(kind))]
    step = lcm(*(rule.multiple_of_cents for rule in rules))
    least = -(-max(rule.min_cents for rule in rules) // step) * step
    return least if all(least <= rule.max_cents for rule in rules) else None


def _compares(house: House, run: Simulation, exact: Exact) -> bool:
    """Whether the run has every wager that has an exact figure, and equal stakes for all."""
    staked = {totals.wager: totals.staked_cents for totals in run.wagers}
    wagers = set(exact) - {GAME, *_JOINT}
    if not wagers <= set(staked):
        return False
    if ALL_STAKES in exact and any(
        staked[wager.kind.value] != wager.cents * run.rounds for wager in least_stakes(house, exact)
    ):
        return False
    return TOGETHER not in exact or len({staked[name] for name in (*wagers, "ante")}) == 1


def _sheet_run(
    house: House,
    run: Simulation,
    compared: tuple[Exact, ExactChances],
    sentences: tuple[str, ...],
    facts: dict[str, Any],
) -> SheetRun:
    exact, chances = compared
    lines = [_line(run, name, mean, variance) for name, (mean, variance) in exact.items()]
    rows = tuple(
        (
            line.words,
            format_cents(line.stake_cents),
            signed(line.simulated, 8),
            signed(line.mean, 8),
            f"{line.error:.8f}",
            f"{line.score:+.3f}",
        )
        for line in lines
    )
    error = (
        "The stake is that of one round; for the game and for all wagers, it is the Ante, their "
        "unit. The standard error is the root of: the exact variance of a round, divided by the "
        "number of rounds. The z-score is the difference in standard errors."
    )
    if any(variance is None for _, variance in exact.values()):
        error += " Where no exact variance is counted, it is that of the run."
    columns = ("wager", "stake", "simulated", "exact", "standard error", "z-score")
    section = Section(
        "A seeded run",
        (*sentences, _random_numbers(run), error),
        columns,
        rows,
        run=tuple(lines),
    )
    wagers = [dict(zip(columns, row, strict=True)) for row in rows]
    frequencies, shares = frequency_section(run, chances)
    facts = {"rounds": run.rounds, "seed": run.seed, "strategy": run.strategy, **facts}
    facts |= {"wagers": wagers, "frequencies": shares}
    return SheetRun(section, frequencies, facts, _obtained(house, run, exact))


def _line(run: Simulation, name: str, mean: Fraction, variance: Fraction | None) -> RunLine:
    """The sums of one wager, of the game, or of all wagers, beside their exact figures."""
    if name in (GAME, *_JOINT):
        parts = [part for part in run.wagers if name in _JOINT or part.wager in BASE_GAME]
        stake_cents = run.ante_cents
    else:
        parts = [part for part in run.wagers if part.wager == name]
        stake_cents = sum(part.staked_cents for part in parts) // run.rounds
    own = Fraction(run.std_dev_cents / run.ante_cents) ** 2
    return RunLine(
        words=_WORDS.get(name) or WagerKind(name).words,
        net_cents=sum(part.net_cents for part in parts),
        stake_cents=stake_cents,
        rounds=run.rounds,
        mean=mean,
        variance=own if variance is None else variance,
    )


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
