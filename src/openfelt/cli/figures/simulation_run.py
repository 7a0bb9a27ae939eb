"""Simulations for the command line, with the exact figures to compare them with."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Any, TypeVar

from openfelt.cli.complaint import wrong_input
from openfelt.cli.figures.compile_notice import announce_compiling
from openfelt.cli.figures.kept_notice import KeptNotice
from openfelt.cli.figures.number_format import both
from openfelt.cli.figures.strategy_choice import playable_strategy
from openfelt.cli.progress import watched
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.parallel import workers_available
from openfelt.maths.simulation.intervals import Interval
from openfelt.maths.simulation.known_spreads import SHARE_MIN, KnownSpread, known_spread
from openfelt.maths.simulation.rounds import Simulation, simulate
from openfelt.maths.simulation.run_checkpoints import KEPT_ROUNDS
from openfelt.maths.simulation.sessions import Sessions, play_sessions
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.maths.strategy.figures import StrategyFigures, known_figures
from openfelt.maths.strategy.strategies import Strategy
from openfelt.maths.wagers.house_figures import side_tables
from openfelt.maths.wagers.side_bet_figures import SideBet
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
    exact_game: StrategyFigures | None
    exact_sides: Mapping[str, SideBet]
    spread: KnownSpread | None
    """The exact facts about the spread of a round."""

    @property
    def known_interval_cents(self) -> Interval | None:
        """A 95% interval from exact variances, where the run's own may be too narrow."""
        if self.spread is None or self.spread.rare_award(self.result.rounds) is None:
            return None
        return self.spread.interval_cents(self.result.mean_cents, self.result.rounds, 0.95)

    @property
    def caution(self) -> str | None:
        """Why the run's own interval may be too narrow, and what is better; None if it is not."""
        rounds = self.result.rounds
        if self.spread is not None:
            rare = self.spread.rare_award(rounds)
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
        exact: dict[str, Any] = {}
        if self.exact_game:
            exact |= both("base_ev_per_ante", self.exact_game.ev_per_ante)
            exact |= both("units_staked", self.exact_game.units_staked)
        exact["wagers"] = {
            name: both("net_per_unit", bet.expected) for name, bet in self.exact_sides.items()
        }
        interval = self.known_interval_cents
        return self.result.as_json() | {
            "exact": exact,
            "interval_caution": self.caution,
            "interval_95_exact_variance_cents": None if interval is None else list(interval),
        }


def run_rounds(order: Order, rounds: int) -> PlayedRounds:
    """Simulate rounds; the speed is printed on stderr. Long runs are stored on disk."""
    notice = KeptNotice("rounds") if rounds >= KEPT_ROUNDS else None
    strategy, result, seconds = _played("Playing", order, simulate, notice, rounds=rounds)
    _print_speed(rounds - notice.done if notice else rounds, seconds)
    game = _exact_game(order, strategy.name)
    spread = known_spread(order.house, game, order.wagers, hands=order.hands)
    return PlayedRounds(order.house, result, game, _exact_sides(order), spread)


def run_sessions(
    order: Order, sessions: int, rounds: int, bankroll_cents: int, goal_cents: int | None
) -> Sessions:
    """Simulate sessions with a bankroll; the speed is printed on stderr. Long runs are stored."""
    notice = KeptNotice("sessions") if sessions * rounds >= KEPT_ROUNDS else None
    _, ended, seconds = _played(
        "Playing sessions",
        order,
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
    play: Callable[..., Result],
    notice: KeptNotice | None,
    **amounts: int | None,
) -> tuple[Strategy, Result, float]:
    """The strategy of an order, what ``play`` returns for it, and the seconds that it took.

    With a notice, the run is stored on disk.
    """
    try:
        strategy = playable_strategy(order.house, order.strategy)
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
        return strategy, result, perf_counter() - began
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


def _exact_game(order: Order, strategy: str) -> StrategyFigures | None:
    """The exact figures of the game, unless payouts of this Ante are rounded."""
    try:
        terms = terms_of(order.house)
    except ValueError:
        return None
    antes = [wager.cents for wager in order.wagers if wager.kind is WagerKind.ANTE]
    unit = order.house.rounding_unit_cents
    if any((ante * odds) % unit for ante in antes for odds in terms.blind):
        return None
    return known_figures(strategy, terms)


def _exact_sides(order: Order) -> dict[str, SideBet]:
    """The exact figures of the side bets of the simulation, except the progressive."""
    try:
        terms_of(order.house)
    except ValueError:
        return {}
    # A progressive depends on its meter and on the other hands in it.
    made = {wager.kind for wager in order.wagers} - {WagerKind.PROGRESSIVE}
    try:
        return side_tables(order.house, Fraction(0), wagers=made).price()
    except ValueError:
        # A table of a kind that is not counted exactly can still be simulated.
        return {}
