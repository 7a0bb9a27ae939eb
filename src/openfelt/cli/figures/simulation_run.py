"""Simulations for the command line, with the exact figures to compare them with."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeVar

from openfelt.cli.complaint import wrong_input
from openfelt.cli.figures.compile_notice import announce_compiling
from openfelt.cli.figures.kept_notice import KeptNotice
from openfelt.cli.figures.number_format import all_both, both, maybe
from openfelt.cli.figures.strategy_choice import playable_strategy, solved_strategy
from openfelt.cli.progress import watched
from openfelt.maths.parallel import workers_available
from openfelt.maths.simulation.exact_rounds import ExactRound, exact_round
from openfelt.maths.simulation.exact_spreads import SHARE_MIN
from openfelt.maths.simulation.intervals import Interval
from openfelt.maths.simulation.rounds import Simulation, simulate
from openfelt.maths.simulation.run_checkpoints import KEPT_ROUNDS
from openfelt.maths.simulation.sessions import Sessions, play_sessions
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.maths.strategy.strategies import Strategy
from openfelt.rules import House, Wager, WagerKind

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The simulation to run, from the options of the command line."""

    house: House
    strategy: str | None
    wagers: list[Wager]
    hands: int
    seed: int

    @property
    def setting(self) -> TableSetting:
        """The bettors and their wagers."""
        return TableSetting(wagers=self.wagers, hands=self.hands)

    @property
    def ante_cents(self) -> int:
        """The Antes of one round together."""
        return self.hands * sum(
            wager.cents for wager in self.wagers if wager.kind is WagerKind.ANTE
        )


@dataclass(frozen=True, slots=True)
class PlayedRounds:
    """A simulation, and the exact figures of the same wagers."""

    house: House
    result: Simulation
    known: ExactRound

    @property
    def known_interval_cents(self) -> Interval | None:
        """A 95% interval from exact variances, where the run's own may be too narrow."""
        spread = self.known.spread
        if spread is None or spread.rare_award(self.result.rounds) is None:
            return None
        return spread.interval_cents(self.result.mean_cents, self.result.rounds, 0.95)

    @property
    def caution(self) -> str | None:
        """Why the run's own interval may be too narrow, and what is better; None if it is not."""
        rounds = self.result.rounds
        if self.known.spread is not None:
            rare = self.known.spread.rare_award(rounds)
            if rare is None:
                return None
            award, share = rare
            times = f"{award.chance * rounds:.3g} times"
            return (
                f"{award.words} is expected {times} in these rounds and accounts for {share:.0%} "
                "of the variance, so the interval of this run's own deviation may be too narrow. "
                "The second one uses the exact variance of each wager and the exact chance of that "
                "award."
            )
        if self.result.rare_share >= SHARE_MIN:
            return (
                f"A few rounds account for {self.result.rare_share:.0%} of the variance, so the "
                "interval may be too narrow. The exact variance of these wagers is not known; play "
                "more rounds."
            )
        return None

    def facts(self) -> dict[str, Any]:
        """The simulation as JSON, with the exact figures under `exact`."""
        figures, interval = self.known, self.known_interval_cents
        exact = {
            **maybe("base_ev_per_ante", figures.ev_per_ante),
            **maybe("units_staked", figures.units_staked),
            **maybe("mean_cents", figures.mean_cents),
            **maybe("variance_cents", figures.variance_cents),
            "std_dev_cents": figures.std_dev_cents,
            "wagers": {name: both("net_per_unit", value) for name, value in figures.wagers.items()},
        }
        if figures.ends is not None:
            names = ("rounds_won", "rounds_even", "rounds_lost")
            exact |= all_both(dict(zip(names, figures.ends, strict=True)))
        return self.result.as_json() | {
            "exact": {name: value for name, value in exact.items() if value is not None},
            "interval_caution": self.caution,
            "interval_95_exact_variance_cents": None if interval is None else list(interval),
        }


def run_rounds(order: Order, rounds: int) -> PlayedRounds:
    """Simulate rounds; the speed is printed on stderr. Long runs are stored on disk."""
    notice = KeptNotice("rounds") if rounds >= KEPT_ROUNDS else None
    try:
        strategy, solution = solved_strategy(order.house, order.strategy)
        exact = exact_round(
            order.house, strategy, order.wagers, hands=order.hands, solution=solution
        )
    except ValueError as error:
        raise wrong_input(error) from error
    result, seconds = _played("Playing", order, strategy, simulate, notice, rounds=rounds)
    _print_speed(rounds - notice.done if notice else rounds, seconds)
    return PlayedRounds(order.house, result, exact)


def run_sessions(
    order: Order, sessions: int, rounds: int, bankroll_cents: int, goal_cents: int | None
) -> Sessions:
    """Simulate sessions with a bankroll; the speed is printed on stderr. Long runs are stored."""
    notice = KeptNotice("sessions") if sessions * rounds >= KEPT_ROUNDS else None
    try:
        strategy = playable_strategy(order.house, order.strategy)
    except ValueError as error:
        raise wrong_input(error) from error
    ended, seconds = _played(
        "Playing sessions",
        order,
        strategy,
        play_sessions,
        notice,
        sessions=sessions,
        rounds=rounds,
        bankroll_cents=bankroll_cents,
        win_goal_cents=goal_cents,
    )
    if not (notice and notice.done):
        # The number of rounds of stored sessions is known only for all sessions together.
        _print_speed(ended.rounds_played, seconds)
    return ended


def _played(
    title: str,
    order: Order,
    strategy: Strategy,
    play: Callable[..., Result],
    notice: KeptNotice | None,
    **amounts: int | None,
) -> tuple[Result, float]:
    """What ``play`` returns for an order, and the seconds that it took.

    With a notice, the run is stored on disk.
    """
    try:
        with watched(title) as progress:
            _warm_up(order, strategy)
            if notice:
                notice.announce(f"repeat the command with --seed {order.seed}")
            began = perf_counter()
            result = play(
                order.house,
                strategy,
                order.setting,
                seed=order.seed,
                workers=workers_available(),
                progress=progress,
                kept=notice is not None,
                resumed=notice,
                **amounts,
            )
        return result, perf_counter() - began
    except ValueError as error:
        raise wrong_input(error) from error


def _warm_up(order: Order, strategy: Strategy) -> None:
    """Play one round, so that the speed does not include compiling kernels."""
    announce_compiling()
    simulate(order.house, strategy, order.setting, rounds=1, workers=1)


def _print_speed(rounds: int, seconds: float) -> None:
    if not rounds:
        return
    speed = rounds / seconds if seconds else 0.0
    sys.stderr.write(f"{rounds:,} rounds in {seconds:.1f} s, {speed:,.0f} a second.\n")
