"""The results of a table, a dealer or the house, wager by wager, and the hands dealt there."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from openfelt.cards import Category, evaluate
from openfelt.maths.fairness.bands import Spread
from openfelt.rules.house import GameName
from openfelt.rules.lines import Line, Result
from openfelt.rules.wagers import Beneficiary
from openfelt.server.supervision.real_play.round_facts import RoundFacts
from openfelt.server.supervision.real_play.wager_odds import (
    GAME_LINES,
    GAMES,
    Basis,
    Compute,
    KnownOdds,
    Unknown,
    wager_odds,
)

POINTS_MAX: Final = 48
"""How many points a chart has at most; when they are used up, every second one is dropped."""


@dataclass(frozen=True, slots=True)
class SeriesPoint:
    """The state of a wager after some rounds."""

    rounds: int
    win_cents: int
    spread: Spread


@dataclass(slots=True)
class WagerSeries:
    """The course of one wager."""

    rounds: int = 0
    hands: int = 0
    stakes_cents: int = 0
    win_cents: int = 0
    """The bank's win on it, less payouts; aggregates that cut an award are not applied."""
    spread: Spread = field(default_factory=Spread)
    basis: Basis | None = None
    """None while nothing could be compared."""
    unknown: Unknown | None = None
    """Why rounds are missing in the comparison, None if none are."""
    left_out: int = 0
    """How many rounds are missing in it."""
    points: list[SeriesPoint] = field(default_factory=list)
    _step: int = 1

    def add(self, odds: KnownOdds | Unknown, results: list[tuple[int, int]]) -> None:
        """Add a round: the stake and what the bank won, for each hand."""
        if not isinstance(odds, KnownOdds):
            self.unknown = odds
            self.left_out += 1
            return
        self.basis = odds.basis
        self.rounds += 1
        self.hands += len(results)
        self.stakes_cents += sum(stake for stake, _ in results)
        self.win_cents += sum(win for _, win in results)
        self.spread.add_round(odds.odds, [stake for stake, _ in results])
        if self.rounds % self._step == 0:
            self.points.append(SeriesPoint(self.rounds, self.win_cents, self.spread.copy()))
        if len(self.points) > POINTS_MAX:
            # The points that are left are evenly spaced at twice the distance.
            self.points = self.points[1::2]
            self._step *= 2

    @property
    def p_value(self) -> float:
        """The probability that chance alone goes so far; with best play, in the players' favour."""
        return self.spread.p_value(self.win_cents, low_only=self.basis == "best_play")


@dataclass(slots=True)
class DealtHands:
    """The hands of a subject's rounds, one of each kind a round, so that they are independent."""

    dealers: dict[GameName, Counter[Category]] = field(default_factory=lambda: defaultdict(Counter))
    boards: Counter[Category] = field(default_factory=Counter)
    wins: int = 0
    """Rounds in which the first player's cards beat the dealer's, folded or not."""
    losses: int = 0

    def add(self, facts: RoundFacts) -> None:
        """Add a round all of whose cards are known."""
        if not facts.hands or not facts.dealer:
            return
        first = facts.hands[min(facts.hands)]
        if facts.house.game is GameName.ULTIMATE_HOLDEM:
            if len(facts.board) != 5:
                return
            self.boards[evaluate(facts.board).category] += 1
            mine, theirs = evaluate((*first, *facts.board)), evaluate((*facts.dealer, *facts.board))
        else:
            # The first five cards; what a player holds changes the rest.
            mine, theirs = evaluate(first[:5]), evaluate(facts.dealer[:5])
        self.dealers[facts.house.game][theirs.category] += 1
        self.wins += mine > theirs
        self.losses += mine < theirs


@dataclass(slots=True)
class SubjectFigures:
    """Everything that is counted of one table or one dealer."""

    rounds: int = 0
    since_ms: int | None = None
    wagers: dict[str, WagerSeries] = field(default_factory=dict)
    hands: DealtHands = field(default_factory=DealtHands)

    def add(self, facts: RoundFacts, at_ms: int) -> None:
        """Add a settled round."""
        self.rounds += 1
        self.since_ms = at_ms if self.since_ms is None else self.since_ms
        if not facts.irregular and facts.whole:
            self.hands.add(facts)
        if facts.irregular or facts.player_banks:
            # A bank that covers a part only, or cards out of play, make another game of it.
            return
        for wager, results in results_of(facts).items():
            series = self.wagers.setdefault(wager, WagerSeries())
            series.add(wager_odds(facts.house, wager), results)


def compute_odds(facts: RoundFacts, compute: Compute | None = None) -> None:
    """Compute the odds of a round's wagers, which are kept from then on."""
    for wager in results_of(facts):
        wager_odds(facts.house, wager, compute)


def results_of(facts: RoundFacts) -> dict[str, list[tuple[int, int]]]:
    """By wager, the stake and what the bank won, for each hand that bet it."""
    by_hand: dict[tuple[str, object], list[Line]] = defaultdict(list)
    game = GAMES[facts.house.game]
    for line in _compared(facts):
        wager = game if line.wager in GAME_LINES else line.wager
        by_hand[wager, line.spot].append(line)
    results: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for (wager, _), lines in by_hand.items():
        counted = [line for line in lines if wager != game or line.wager == "ante"]
        stake = sum(line.stake_cents for line in counted)
        win = -sum(line.net_cents + line.over_aggregate_cents for line in lines)
        if stake:
            results[wager].append((stake, win))
    return results


def _compared(facts: RoundFacts) -> Iterator[Line]:
    for line in facts.settlement.lines:
        own = line.beneficiary is Beneficiary.PLAYER and line.result is not Result.RETURNED
        if own and line.wager != "envy":
            yield line
