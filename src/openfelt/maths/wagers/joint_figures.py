"""The game and its side bets together: means and covariances of all wagers.

Wagers on one hand share cards, so their variances do not simply add up. Here every covariance is an
exact fraction over all deals. Trips and Play the Board are settled by hole cards and board, Bad
Beat by the dealer's cards too, Ultimate Pairs by the hole cards alone, a progressive by hole cards
and flop; each product is summed over the cards that settle both.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.hands.deal_counts import seven_card_counts
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.strengths import STRENGTHS_MAX
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.kernels.joint_products import (
    BAD_BEAT,
    GAME,
    GAME_BAD_BEAT,
    GAME_TRIPS,
    TRIPS,
    TRIPS_BAD_BEAT,
    read_flops,
)
from openfelt.maths.kernels.outcomes import FLOPS_OF_A_BOARD
from openfelt.maths.wagers.joint_pairs import board_strengths, special_deals, strengths_of
from openfelt.maths.wagers.joint_sums import (
    BoardSums,
    Nets,
    best_decisions,
    first_bet_over_flops,
    sum_boards,
)
from openfelt.maths.wagers.pricers import PRICERS
from openfelt.maths.wagers.side_bet_figures import SideBet
from openfelt.rules.paytable import (
    HandPaytable,
    PairsPaytable,
    ProgressivePaytable,
    ProgressiveReads,
)

GAME_NAME: Final = "game"
"""Ante, Blind and Play together, per Ante."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SideTables:
    """The side bets that are bet with the game, None for those that are not."""

    trips: HandPaytable | None = None
    bad_beat: HandPaytable | None = None
    play_the_board: HandPaytable | None = None
    ultimate_pairs: PairsPaytable | None = None
    progressive: ProgressivePaytable | None = None
    meter_units: Fraction = Fraction(0)
    """The progressive's fixed meter, in units of the wager."""

    def price(self) -> dict[str, SideBet]:
        """The exact figures of each wager alone."""
        tables = {kind: getattr(self, kind.value) for kind in PRICERS}
        return {
            kind.value: PRICERS[kind].price(table, self.meter_units)
            for kind, table in tables.items()
            if table
        }


@dataclass(frozen=True, slots=True)
class JointFigures:
    """Means and covariances of the net results of game and side bets, per unit of each."""

    means: Mapping[str, Fraction]
    covariances: Mapping[Pair, Fraction]
    """For each pair of wagers, in both orders; that of a wager with itself is its variance."""
    side_bets: Mapping[str, SideBet]
    """The side bets by themselves."""

    def expected(self, stakes: Mapping[str, Fraction | int]) -> Fraction:
        """The expected net result of these stakes together."""
        return sum((stake * self.means[name] for name, stake in stakes.items()), Fraction(0))

    def variance(self, stakes: Mapping[str, Fraction | int]) -> Fraction:
        """The variance of the net result of these stakes together.

        Raises KeyError for a wager that is not among them.
        """
        return sum(
            (
                first * second * self.covariances[wager, other_wager]
                for wager, first in stakes.items()
                for other_wager, second in stakes.items()
            ),
            Fraction(0),
        )


def join_wagers(solution: HoldemSolution, tables: SideTables) -> JointFigures:
    """Find every mean and covariance of a solved game and its side bets, exactly.

    Takes a second or two on top of the solution. Raises ValueError for a deck of fewer than
    52 cards, and for a table that pays by the rank of a pair where only categories are
    counted.

    >>> from openfelt.catalog import load_catalog
    >>> from openfelt.maths import solve_holdem
    >>> trips = load_catalog().paytables["trips", "UTH-01"]
    >>> figures = join_wagers(solve_holdem(), SideTables(trips=trips))
    >>> f"{float(figures.covariances['game', 'trips']):.4f}"
    '5.4104'
    """
    return _Join(solution, tables).figures()


class _Join:
    """One joint computation: the passes it needs, and the products taken from them."""

    def __init__(self, solution: HoldemSolution, tables: SideTables) -> None:
        if solution.classes.deck.size != 52:
            raise ValueError("side bets are joined with the whole deck only")
        self.solution = solution
        self.tables = tables
        self.bets = tables.price()
        self.scales = {name: _scale(bet) for name, bet in self.bets.items()}
        self.scales[GAME_NAME] = solution.terms.scale
        self.decisions = best_decisions(solution)
        self.nets = self._nets()
        self.sums = self._sum_boards(self.nets)
        self.products: dict[Pair, int] = {}

    def _sum_boards(self, nets: Nets) -> BoardSums:
        return sum_boards(self.solution.classes, self.solution.terms, self.decisions, nets)

    def figures(self) -> JointFigures:
        self._over_boards("trips", self.sums)
        if self.tables.ultimate_pairs:
            self._over_holes(self.tables.ultimate_pairs)
        progressive = self.tables.progressive
        if progressive and progressive.reads is ProgressiveReads.FINAL_SEVEN:
            self._over_categories(progressive)
        elif progressive:
            self._over_flops(progressive)
        means = {GAME_NAME: self.solution.ev_per_ante}
        means |= {name: bet.expected for name, bet in self.bets.items()}
        covariances = {(GAME_NAME, GAME_NAME): self.solution.variance}
        covariances |= {(name, name): bet.variance for name, bet in self.bets.items()}
        for (wager, other_wager), product in self.products.items():
            units = self.solution.deals * self.scales[wager] * self.scales[other_wager]
            covariance = Fraction(product, units) - means[wager] * means[other_wager]
            covariances[wager, other_wager] = covariances[other_wager, wager] = covariance
        return JointFigures(means, covariances, self.bets)

    def _nets(self) -> Nets:
        """The side bets' nets in whole numbers, as the pass over boards takes them."""
        nothing = np.zeros(10, dtype=np.int64)
        tables = self.tables
        return Nets(
            trips=self._by_category(tables.trips) if tables.trips else nothing,
            bad_beat=self._by_category(tables.bad_beat) if tables.bad_beat else nothing,
            bad_beat_loss=-self.scales["bad_beat"] if tables.bad_beat else 0,
            boards=self._board_nets(tables.play_the_board) if tables.play_the_board else None,
        )

    def _by_category(self, table: HandPaytable) -> npt.NDArray[np.int64]:
        scale = self.scales[table.wager]
        nets = np.full(10, -scale, dtype=np.int64)
        for row in table.rows:
            nets[row.hand.category] = int(row.odds.ratio * scale)
        return nets

    def _board_nets(self, table: HandPaytable) -> npt.NDArray[np.int64]:
        scale = self.scales[table.wager]
        by_strength = np.full(STRENGTHS_MAX + 1, -scale, dtype=np.int64)
        for row in table.rows:
            by_strength[strengths_of(row.hand)] = int(row.odds.ratio * scale)
        return by_strength[board_strengths(self.solution.classes.boards.cards)]

    def _product(self, wager: str, other_wager: str, total: int) -> None:
        if wager in self.scales and other_wager in self.scales:
            self.products[wager, other_wager] = total

    def _over_boards(self, by_category: str, sums: BoardSums) -> None:
        """Products of wagers that are settled by hole cards, board and dealer.

        ``by_category`` is the wager whose nets took the place of Trips in these sums.
        """
        rows = sums.rows
        self._product(GAME_NAME, by_category, int(rows[:, GAME_TRIPS].sum()))
        self._product(GAME_NAME, "bad_beat", int(rows[:, GAME_BAD_BEAT].sum()))
        self._product(by_category, "bad_beat", int(rows[:, TRIPS_BAD_BEAT].sum()))
        if self.nets.boards is not None:
            for name, column in ((GAME_NAME, GAME), (by_category, TRIPS), ("bad_beat", BAD_BEAT)):
                total = _dot(rows[:, column], self.nets.boards)
                self._product(name, "play_the_board", total)
        if int(rows[:, GAME].sum()) != self.solution.ev_per_ante * (
            self.solution.deals * self.solution.terms.scale
        ):
            raise AssertionError("the game's sum over boards is not that of its solution")

    def _over_categories(self, table: ProgressivePaytable) -> None:
        """Products with a progressive that reads all seven cards, which is settled like Trips."""
        scale = self.scales["progressive"]
        by_category = _progressive_nets(table, self.bets["progressive"], scale)
        nets = np.array([by_category[category] for category in Category], dtype=np.int64)
        sums = self._sum_boards(replace(self.nets, trips=nets))
        self._over_boards("progressive", sums)
        counts = seven_card_counts()
        deals = self.solution.deals // sum(counts.values())
        trips = self.nets.trips
        both = sum(n * int(trips[c]) * by_category[c] for c, n in counts.items())
        self._product("trips", "progressive", both * deals)
        if self.tables.ultimate_pairs:
            self._pairs_with("progressive", sums.cells[:, 0] * FLOPS_OF_A_BOARD)

    def _over_holes(self, table: PairsPaytable) -> None:
        """Products with Ultimate Pairs, by starting hand, and for its award by dealer's cards."""
        self._special = special_deals(table, self.solution, self.decisions, self.tables)
        self._pairs_with(GAME_NAME, self.solution.first_values.max(axis=1))
        cells = self.sums.cells * FLOPS_OF_A_BOARD
        for number, name in enumerate(("trips", "bad_beat", "play_the_board")):
            if name in self.scales:
                self._pairs_with(name, cells[:, number])

    def _pairs_with(self, name: str, by_cell: npt.NDArray[np.int64]) -> None:
        """Multiply a wager's sums by starting hand with the nets of Ultimate Pairs."""
        scale = self.scales["ultimate_pairs"]
        nets = [int(net * scale) for net in self._special.cell_nets]
        total = sum(int(value) * net for value, net in zip(by_cell, nets, strict=True))
        extra = self._special.extra_product(name) * scale * self.scales[name]
        self._product(name, "ultimate_pairs", total + int(extra))

    def _over_flops(self, table: ProgressivePaytable) -> None:
        """Products with the progressive, by starting hand and flop."""
        classes = self.solution.classes
        made = np.empty((len(classes.flops.cards), classes.hand_cells.size), dtype=np.int8)
        read_flops(classes.flops.cards, classes.deck, reading_tables(), made)
        scale = self.scales["progressive"]
        nets = _progressive_nets(table, self.bets["progressive"], scale)
        for name, values in self._flop_values().items():
            weighted = values * classes.flops.counts[:, None]
            total = sum(
                int(weighted[made == category].sum()) * nets[category] for category in Category
            )
            if name == "ultimate_pairs":
                total += int(self._special.extra_product("progressive") * scale * self.scales[name])
            self._product(name, "progressive", total)

    def _flop_values(self) -> dict[str, npt.NDArray[np.int64]]:
        """The net result of each wager by flop class and hand, over turn, river and dealer."""
        solution, first = self.solution, self.decisions.first_bets
        hands = solution.classes.hand_cells
        best = solution.best_on_flop
        game = np.where((first[hands] == 0)[None, :], self.sums.over_flops(0), best)
        for number in range(1, int(first.max(initial=0)) + 1):
            bet = first_bet_over_flops(solution, number)
            np.copyto(game, bet, where=(first[hands] == number)[None, :])
        values = {GAME_NAME: game}
        for number, name in ((1, "trips"), (2, "bad_beat"), (3, "play_the_board")):
            if name in self.scales:
                values[name] = self.sums.over_flops(number)
        if "ultimate_pairs" in self.scales:
            scale = self.scales["ultimate_pairs"]
            nets = np.array([int(net * scale) for net in self._special.cell_nets])
            per_hand = nets[hands] * solution.runouts
            values["ultimate_pairs"] = np.broadcast_to(per_hand, best.shape)
        return values


def _progressive_nets(table: ProgressivePaytable, bet: SideBet, scale: int) -> dict[Category, int]:
    nets = dict.fromkeys(Category, -scale)
    for row, award in zip(table.rows, bet.awards, strict=False):
        nets[row.category] = int(award.net * scale)
    return nets


def _scale(bet: SideBet) -> int:
    return math.lcm(*(award.net.denominator for award in bet.awards))


def _dot(first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]) -> int:
    """A sum of products in Python integers, which do not overflow."""
    return sum(int(left) * int(right) for left, right in zip(first, second, strict=True))
