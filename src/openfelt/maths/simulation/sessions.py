"""Bankrolls over sessions: how far they swing, and how often they end in ruin."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.simulated_round import FELT, TableRecords
from openfelt.maths.kernels.simulated_runs import (
    PLAYED_OUT,
    REACHED_GOAL,
    ROUNDS_IN_BATCH,
    RUINED,
    SESSION,
    SESSION_STREAMS,
    simulate_sessions,
)
from openfelt.maths.kernels.simulated_settlement import ANTE, BOOKS
from openfelt.maths.parallel import WORKERS_MAX
from openfelt.maths.simulation.intervals import Interval, wilson_interval
from openfelt.maths.simulation.run_checkpoints import BATCHES_IN_BLOCK, stored_sessions
from openfelt.maths.simulation.simulated_table import (
    SEED_MAX,
    Progress,
    SimulatedTable,
    TableSetting,
    check_whole,
    set_table,
)
from openfelt.maths.stored_rows import RowBlocks, counted_rows
from openfelt.maths.strategy.strategies import Strategy
from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.house import House

SESSIONS_MAX = 10**7
SESSION_ROUNDS_MAX = 10**9
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_SESSIONS_AT_ONCE = 64
BLOCK_ROUNDS = BATCHES_IN_BLOCK * ROUNDS_IN_BATCH
"""The most rounds between two checkpoints, unless one session has more."""
_COLUMNS = 4
"""The number of columns about the end of a session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """The result of many sessions that began with the same bankroll."""

    house: str
    fingerprint: str
    strategy: str
    seed: int
    sessions: int
    rounds_max: int
    bankroll_cents: int
    win_goal_cents: int | None
    needed_cents: int
    """The bankroll to begin a round: every wager, and a Play wager in reserve if required."""
    ruined: int
    """Sessions that could not begin another round."""
    reached_goal: int
    played_out: int
    rounds_played: int
    """Rounds of all sessions together."""
    ends_cents: npt.NDArray[np.int64] = field(compare=False, repr=False)
    """The bankroll at the end of each session, lowest first."""
    lowest_cents: npt.NDArray[np.int64] = field(compare=False, repr=False)
    """The lowest bankroll of each session, lowest first."""

    @property
    def ruin_probability(self) -> float:
        """The share of sessions that ended in ruin."""
        return self.ruined / self.sessions

    def ruin_interval(self, confidence: float = 0.95) -> Interval:
        """Wilson's confidence interval of the probability of ruin."""
        return wilson_interval(self.ruined, self.sessions, confidence)

    @property
    def mean_end_cents(self) -> float:
        """The average bankroll at the end."""
        return float(self.ends_cents.sum(dtype=object)) / self.sessions

    def quantile_cents(self, part: float) -> int:
        """The smallest final bankroll that at least this share of sessions did not exceed."""
        if not 0 <= part <= 1:
            raise ValueError(f"a part lies between 0 and 1, not {part!r}")
        place = max(0, -int(-part * self.sessions // 1) - 1)
        return int(self.ends_cents[place])

    def as_json(self) -> dict[str, Any]:
        """Everything except the individual sessions as plain values."""
        figures = asdict(self)
        del figures["ends_cents"], figures["lowest_cents"]
        return figures | {
            "ruin_probability": self.ruin_probability,
            "ruin_interval_95": list(self.ruin_interval(0.95)),
            "ruin_interval_99": list(self.ruin_interval(0.99)),
            "mean_end_cents": self.mean_end_cents,
            "mean_rounds": self.rounds_played / self.sessions,
            "end_quantiles_cents": {str(part): self.quantile_cents(part) for part in QUANTILES},
        }


def play_sessions(
    house: House,
    strategy: Strategy | str,
    setting: TableSetting | None = None,
    *,
    sessions: int,
    rounds: int,
    bankroll_cents: int,
    win_goal_cents: int | None = None,
    seed: int = 1,
    workers: int = 2,
    progress: Progress | None = None,
    kept: bool = False,
    resumed: Progress | None = None,
) -> Sessions:
    """Play sessions of at most ``rounds`` rounds from one seat, each with the same bankroll.

    A session ends in ruin when the bankroll no longer covers the wagers of a round and, if the
    house requires it, the smallest river bet; it ends early when the bankroll has grown by
    ``win_goal_cents``. If credit is short during a round, the hand makes the largest Play wager
    that it covers. The dealer keeps what wagers for the dealer win. ``progress``, ``kept`` and
    ``resumed`` are those of `simulate`, in sessions. Raises ValueError for a bankroll that does not
    cover one round, and as `simulate` does.

    >>> from openfelt.catalog import load_house
    >>> result = play_sessions(
    ...     load_house("online"),
    ...     "published_simple",
    ...     sessions=100,
    ...     rounds=50,
    ...     bankroll_cents=5_000,
    ... )
    >>> result.ruined + result.played_out
    100
    """
    check_whole("sessions", sessions, 1, SESSIONS_MAX)
    check_whole("rounds", rounds, 1, SESSION_ROUNDS_MAX)
    check_whole("seed", seed, 0, SEED_MAX)
    check_whole("workers", workers, 1, WORKERS_MAX)
    check_whole("bankroll_cents", bankroll_cents, 1, AMOUNT_MAX_CENTS)
    if win_goal_cents is not None:
        check_whole("win_goal_cents", win_goal_cents, 1, AMOUNT_MAX_CENTS)
    table = set_table(house, strategy, setting)
    plan = _plan(table, seed, rounds, bankroll_cents, win_goal_cents)
    record, block = plan.as_record(), max(1, BLOCK_ROUNDS // rounds)
    blocks = None
    if kept:
        stored = stored_sessions(table.records, record, seed=seed, sessions=sessions, block=block)
        blocks = RowBlocks(stored=stored, items=block, resumed=resumed)
    ends = counted_rows(
        partial(_play_group, table.records, record, seed),
        range(sessions),
        columns=_COLUMNS,
        at_once=min(block, _SESSIONS_AT_ONCE),
        blocks=blocks,
        workers=workers,
        progress=progress,
    )
    return _result(plan, ends)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """The common part of all sessions."""

    table: SimulatedTable
    seed: int
    rounds: int
    bankroll_cents: int
    win_goal_cents: int | None
    staked_cents: int
    """The stakes when a round begins."""
    needed_cents: int

    def as_record(self) -> np.record:
        """The plan as the kernels take it."""
        record = new_record(SESSION)
        record.rounds_max = self.rounds
        record.bankroll = self.bankroll_cents
        record.goal = self.bankroll_cents + self.win_goal_cents if self.win_goal_cents else 0
        record.staked, record.needed = self.staked_cents, self.needed_cents
        return record


def _plan(
    table: SimulatedTable, seed: int, rounds: int, bankroll_cents: int, win_goal_cents: int | None
) -> _Plan:
    if len(set(table.records.layout.seats[: table.records.layout.hands].tolist())) > 1:
        raise ValueError("a bankroll plays from one seat; give the wagers of one seat")
    staked, needed = _cost_of_a_round(table)
    if bankroll_cents < needed:
        raise ValueError(
            f"a bankroll of {format_cents(bankroll_cents)} does not cover one round, "
            f"which needs {format_cents(needed)}"
        )
    return _Plan(
        table=table,
        seed=seed,
        rounds=rounds,
        bankroll_cents=bankroll_cents,
        win_goal_cents=win_goal_cents,
        staked_cents=staked,
        needed_cents=needed,
    )


def _play_group(
    records: TableRecords, plan: np.record, seed: int, group: Sequence[int]
) -> npt.NDArray[np.int64]:
    """Play some sessions by number, one after another, and return a row for each."""
    rows = np.zeros((len(group), _COLUMNS), dtype=np.int64)
    simulate_sessions(
        np.uint64(seed),
        np.uint64(SESSION_STREAMS + group[0]),
        plan,
        records,
        new_record(FELT),
        new_record(BOOKS),
        rows,
    )
    return rows


def _result(plan: _Plan, ends: npt.NDArray[np.int64]) -> Sessions:
    how = np.bincount(ends[:, 3], minlength=3)
    return Sessions(
        house=plan.table.house.id,
        fingerprint=plan.table.house.fingerprint,
        strategy=plan.table.strategy.name,
        seed=plan.seed,
        sessions=len(ends),
        rounds_max=plan.rounds,
        bankroll_cents=plan.bankroll_cents,
        win_goal_cents=plan.win_goal_cents,
        needed_cents=plan.needed_cents,
        ruined=int(how[RUINED]),
        reached_goal=int(how[REACHED_GOAL]),
        played_out=int(how[PLAYED_OUT]),
        rounds_played=int(ends[:, 2].sum()),
        ends_cents=np.sort(ends[:, 0]),
        lowest_cents=np.sort(ends[:, 1]),
    )


def _cost_of_a_round(table: SimulatedTable) -> tuple[int, int]:
    """The stakes when a round begins, and the bankroll to begin one (R.9)."""
    staked = int(table.records.layout.stakes.sum())
    play = table.house.play
    reserve = 0
    if play and play.reserve_play:
        reserve = int(table.records.layout.stakes[:, :, ANTE].sum()) * min(play.on_river)
    return staked, staked + reserve
