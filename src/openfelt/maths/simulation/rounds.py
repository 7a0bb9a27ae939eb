"""Full rounds of any house with any strategy, simulated and added up exactly.

All sums are whole numbers, so the result is the same for any number of workers; only printed
figures are rounded. For exact figures, use the solver instead.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any

from openfelt.maths.kernels.simulated_round import ON_RIVER
from openfelt.maths.kernels.simulated_runs import ROUNDS_IN_BATCH
from openfelt.maths.kernels.simulated_settlement import (
    FOR_PLAYER,
    LINE_NAMES,
    LINES,
    LOSE,
    PUSH,
    RETURNED,
    WIN,
)
from openfelt.maths.parallel import WORKERS_MAX, piece_results
from openfelt.maths.simulation.intervals import Interval, normal_interval
from openfelt.maths.simulation.run_checkpoints import (
    BATCHES_IN_BLOCK,
    FinishedBatches,
    RunCheckpoint,
)
from openfelt.maths.simulation.run_sums import RunSums, play_batch
from openfelt.maths.simulation.simulated_table import (
    SEED_MAX,
    Progress,
    SimulatedTable,
    TableSetting,
    check_whole,
    set_table,
)
from openfelt.maths.strategy.strategies import Strategy
from openfelt.rules import Beneficiary
from openfelt.rules.house import GameName, House

ROUNDS_MAX = 10**12
RARE_RESULTS = 30
"""This many results or fewer do not show how often an award occurs."""
BASE_GAME = ("ante", "ante_bonus", "play", "blind")


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerTotals:
    """The totals of one kind of wager over all rounds."""

    wager: str
    beneficiary: str
    staked_cents: int
    net_cents: int
    wins: int
    pushes: int
    losses: int
    returned: int
    """The amount that was returned because the player/dealer's cover was used up."""

    @property
    def net_per_unit(self) -> float | None:
        """The mean net result per unit staked; None for lines without a stake."""
        return self.net_cents / self.staked_cents if self.staked_cents else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """The result of a simulation. Amounts are those of the player, all hands together."""

    house: str
    fingerprint: str
    strategy: str
    seed: int
    rounds: int
    hands: int
    """Hands in each round."""
    ante_cents: int
    """The player's Antes of one round together."""
    wagers: tuple[WagerTotals, ...]
    net_cents: int
    staked_cents: int
    square_sum: int
    """The sum over all rounds of the net result squared."""
    rounds_won: int
    rounds_even: int
    rounds_lost: int
    decisions: Mapping[str, int]
    """The final decisions of hands with an Ante: ``bet_4x``, ..., ``fold``."""
    histogram: tuple[tuple[int, int], ...]
    """Every net result in cents, lowest first, and the number of rounds with it."""
    histogram_unlisted: int
    """Rounds left out of the histogram because there were too many different results."""

    @property
    def mean_cents(self) -> float:
        """The player's mean net result per round."""
        return self.net_cents / self.rounds

    @property
    def std_dev_cents(self) -> float:
        """The standard deviation of a round: s² = (Σx² - (Σx)²/n) / (n - 1)."""
        if self.rounds == 1:
            return 0.0
        spread = Fraction(self.square_sum) - Fraction(self.net_cents**2, self.rounds)
        return sqrt(spread / (self.rounds - 1))

    def interval_cents(self, confidence: float = 0.95) -> Interval:
        """The confidence interval of the mean, by the normal distribution."""
        return normal_interval(self.mean_cents, self.std_dev_cents, self.rounds, confidence)

    @property
    def rare_share(self) -> float:
        """The share of the variance in the 30 results that are furthest from the mean.

        If it is large, the variance comes from a few lucky rounds, and may be quite different in
        another run.
        """
        left, square, mean = RARE_RESULTS, 0.0, self.mean_cents
        for net, count in sorted(self.histogram, key=lambda entry: -abs(entry[0] - mean)):
            taken = min(left, count)
            square += taken * (net - mean) ** 2
            left -= taken
        total = self.std_dev_cents**2 * (self.rounds - 1)
        return min(1.0, square / total) if total else 0.0

    @property
    def ev_per_ante(self) -> float | None:
        """The mean net result in units of the Antes; None if there is no Ante."""
        return self._per_ante(self.mean_cents)

    @property
    def base_ev_per_ante(self) -> float | None:
        """The same for Ante, Blind and Play alone, or Ante and Ante Bonus."""
        return self._per_ante(self._base("net_cents") / self.rounds)

    @property
    def units_staked(self) -> float | None:
        """The average stake of the base game in units of the Ante."""
        return self._per_ante(self._base("staked_cents") / self.rounds)

    @property
    def element_of_risk(self) -> float | None:
        """The loss of the base game per unit staked."""
        staked = self._base("staked_cents")
        return -self._base("net_cents") / staked if staked else None

    def _base(self, name: str) -> int:
        return sum(
            getattr(totals, name)
            for totals in self.wagers
            if totals.wager in BASE_GAME and totals.beneficiary == Beneficiary.PLAYER.value
        )

    def _per_ante(self, cents: float) -> float | None:
        return cents / self.ante_cents if self.ante_cents else None

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values: exact sums in whole numbers, averages as decimals."""
        figures = asdict(self)
        figures["wagers"] = [
            {**asdict(totals), "net_per_unit": totals.net_per_unit} for totals in self.wagers
        ]
        decided = sum(self.decisions.values())
        figures["decisions"] = {name: count / decided for name, count in self.decisions.items()}
        figures["decision_counts"] = dict(self.decisions)
        figures["histogram"] = [list(entry) for entry in self.histogram]
        intervals = {name: self.interval_cents(part) for name, part in _CONFIDENCES.items()}
        return figures | {
            "mean_cents": self.mean_cents,
            "std_dev_cents": self.std_dev_cents,
            **{f"{name}_cents": list(interval) for name, interval in intervals.items()},
            "ev_per_ante": self.ev_per_ante,
            "std_dev": self._per_ante(self.std_dev_cents),
            **{
                name: [self._per_ante(end) for end in interval]
                for name, interval in intervals.items()
            },
            "base_ev_per_ante": self.base_ev_per_ante,
            "units_staked": self.units_staked,
            "element_of_risk": self.element_of_risk,
        }


_CONFIDENCES = {"interval_95": 0.95, "interval_99": 0.99}


def simulate(
    house: House,
    strategy: Strategy | str,
    setting: TableSetting | None = None,
    *,
    rounds: int,
    seed: int = 1,
    workers: int = 2,
    progress: Progress | None = None,
    kept: bool = False,
    resumed: Progress | None = None,
) -> Simulation:
    """Simulate rounds of a house; the same seed gives the same result on any machine.

    ``strategy`` is the name of a shipped strategy, or your own strategy; ``setting`` says who bets
    what. ``progress`` is called with the rounds done and all rounds. A run that is ``kept`` is
    saved to the cache folder every few million rounds: if it is interrupted, it continues from
    there, and once it is finished, it is not played again. ``resumed`` is called with the number of
    rounds that an earlier run has saved, if any, and of all rounds. Raises ValueError for what the
    house does not offer, and for invalid numbers.

    >>> from openfelt.catalog import load_house
    >>> result = simulate(load_house("online"), "published_simple", rounds=20_000, seed=7)
    >>> result.rounds_won + result.rounds_even + result.rounds_lost
    20000
    >>> sum(net * count for net, count in result.histogram) == result.net_cents
    True
    """
    check_whole("rounds", rounds, 1, ROUNDS_MAX)
    check_whole("seed", seed, 0, SEED_MAX)
    check_whole("workers", workers, 1, WORKERS_MAX)
    table = set_table(house, strategy, setting)
    checkpoint = RunCheckpoint(table.records, seed=seed, rounds=rounds) if kept else None
    finished = checkpoint.read() if checkpoint else FinishedBatches()
    if resumed and finished.batches:
        resumed(finished.rounds, rounds)
    batches = -(-rounds // ROUNDS_IN_BATCH)
    play = partial(play_batch, table.records, seed, rounds)
    for missing in finished.missing(batches):
        for place, batch in piece_results(play, missing, workers=workers):
            finished.add(missing[place], batch)
            count = finished.batches
            if checkpoint and (count % BATCHES_IN_BLOCK == 0 or count == batches):
                checkpoint.write(finished)
            if progress:
                progress(finished.rounds, rounds)
    return _result(table, seed, rounds, finished.sums)


def _result(table: SimulatedTable, seed: int, rounds: int, sums: RunSums) -> Simulation:
    layout = table.records.layout
    wagers = tuple(
        WagerTotals(
            wager=LINE_NAMES[line],
            beneficiary=list(Beneficiary)[owner].value,
            staked_cents=sums.staked[owner, line],
            net_cents=sums.net[owner, line],
            wins=sums.results[owner, line, WIN],
            pushes=sums.results[owner, line, PUSH],
            losses=sums.results[owner, line, LOSE],
            returned=sums.results[owner, line, RETURNED],
        )
        for owner in range(2)
        for line in range(LINES)
        if any(sums.results[owner, line])
    )
    lost, even, won = sums.signs.tolist()
    return Simulation(
        house=table.house.id,
        fingerprint=table.house.fingerprint,
        strategy=table.strategy.name,
        seed=seed,
        rounds=rounds,
        hands=int(layout.hands),
        ante_cents=int(layout.stakes[:, FOR_PLAYER, LINE_NAMES.index("ante")].sum()),
        wagers=wagers,
        net_cents=sum(sums.net[FOR_PLAYER]),
        staked_cents=sum(sums.staked[FOR_PLAYER]),
        square_sum=sums.square_sum,
        rounds_won=won,
        rounds_even=even,
        rounds_lost=lost,
        decisions=_decision_counts(table.house, sums),
        histogram=tuple(sorted(sums.nets.items())),
        histogram_unlisted=sums.unlisted,
    )


def _decision_counts(house: House, sums: RunSums) -> dict[str, int]:
    """Final decisions by name, the largest bet first; streets with the same multiple are added."""
    if house.game is GameName.ULTIMATE_DRAW:
        return {}
    by_multiple = sums.decisions.sum(axis=0)
    bets = {
        f"bet_{multiple}x": by_multiple[multiple]
        for multiple in range(len(by_multiple) - 1, 0, -1)
        if by_multiple[multiple]
    }
    return {**bets, "fold": sums.decisions[ON_RIVER, 0]}
