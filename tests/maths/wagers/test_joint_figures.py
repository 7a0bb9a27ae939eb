"""The game and its side bets taken together."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from openfelt.cards import Category
from openfelt.catalog import load_catalog, load_house
from openfelt.maths.holdem.solver import solve_holdem
from openfelt.maths.simulation.rounds import simulate
from openfelt.maths.simulation.simulated_table import TableSetting
from openfelt.maths.strategy.prices import perfect_strategy
from openfelt.maths.wagers.joint_figures import JointFigures, SideTables, join_wagers
from openfelt.maths.wagers.joint_sums import losing_hands
from openfelt.rules import Wager, WagerKind
from openfelt.rules.paytable import (
    HandPaytable,
    PairsPaytable,
    ProgressivePaytable,
    ProgressiveReads,
)
from tests.kit.maths.solution import usual_solution

PAYTABLES = load_catalog().paytables


def everything() -> SideTables:
    """Every side bet there is, on one hand."""
    trips, beat = PAYTABLES["trips", "UTH-01"], PAYTABLES["bad_beat", "BBB-01"]
    board, pairs = PAYTABLES["play_the_board", "PTB-01"], PAYTABLES["ultimate_pairs", "UPB-2"]
    progressive = PAYTABLES["progressive", "PRG-01"]
    assert isinstance(trips, HandPaytable)
    assert isinstance(beat, HandPaytable)
    assert isinstance(board, HandPaytable)
    assert isinstance(pairs, PairsPaytable)
    assert isinstance(progressive, ProgressivePaytable)
    return SideTables(trips, beat, board, pairs, progressive, Fraction(10_000))


@cache
def figures() -> JointFigures:
    return join_wagers(usual_solution(), everything())


# Stephen How, Discount Gambling, "Bad Beat Bonus": losing hands among all deals.
PUBLISHED_LOSERS = {
    Category.STRAIGHT_FLUSH: 10_300_592,
    Category.FOUR_OF_A_KIND: 471_040_512,
    Category.FULL_HOUSE: 8_435_225_376,
    Category.FLUSH: 19_434_208_592,
    Category.STRAIGHT: 18_271_076_976,
    Category.THREE_OF_A_KIND: 64_049_759_448,
}


def test_losing_hands_are_the_published_ones() -> None:
    losing = losing_hands()
    assert {category: losing[category] for category in PUBLISHED_LOSERS} == PUBLISHED_LOSERS
    deals = 2_781_381_002_400
    assert deals - sum(losing.values()) == 113_130_263_816


def test_every_two_wagers_have_a_covariance_the_same_both_ways() -> None:
    found = figures()
    for one in found.means:
        for other in found.means:
            assert found.covariances[one, other] == found.covariances[other, one]


def test_no_stakes_have_a_negative_variance() -> None:
    names = list(figures().means)
    matrix = [[float(figures().covariances[one, other]) for other in names] for one in names]
    assert np.linalg.eigvalsh(np.array(matrix)).min() > 0


def test_the_variance_of_one_wager_is_its_own() -> None:
    assert figures().variance({"trips": 2}) == 4 * figures().covariances["trips", "trips"]
    stakes: dict[str, Fraction | int] = {"game": 1, "trips": Fraction(1, 2)}
    assert figures().variance(stakes) == (
        figures().covariances["game", "game"]
        + figures().covariances["game", "trips"]
        + figures().covariances["trips", "trips"] / 4
    )
    assert figures().expected(stakes) == figures().means["game"] + figures().means["trips"] / 2


def test_stakes_on_an_unknown_wager_are_refused() -> None:
    with pytest.raises(KeyError):
        figures().variance({"bonus": 1})


def test_a_short_deck_is_refused() -> None:
    short = solve_holdem(deck=[4 * rank + suit for rank in range(4) for suit in range(3)])
    with pytest.raises(ValueError, match="whole deck"):
        join_wagers(short, SideTables())


def test_the_game_alone_has_only_itself() -> None:
    found = join_wagers(usual_solution(), SideTables())
    assert set(found.means) == {"game"}
    assert set(found.covariances) == {("game", "game")}


@pytest.mark.slow
def test_perfect_play_simulated_swings_as_much_as_counted() -> None:
    """Every wager with a bounded tail at one unit, played by the solution's own decisions."""
    kinds = (WagerKind.ANTE, WagerKind.TRIPS, WagerKind.PLAY_THE_BOARD, WagerKind.ULTIMATE_PAIRS)
    result = simulate(
        load_house("stadium"),
        perfect_strategy(usual_solution()),
        TableSetting(wagers=[Wager(kind, 1000) for kind in kinds]),
        rounds=1_000_000,
        seed=11,
    )
    stakes = {"game": 1, "trips": 1, "play_the_board": 1, "ultimate_pairs": 1}
    exact = float(figures().variance(stakes)) ** 0.5
    assert result.std_dev_cents / 1000 == pytest.approx(exact, rel=0.02)
    error = exact / result.rounds**0.5
    assert result.mean_cents / 1000 == pytest.approx(
        float(figures().expected(stakes)), abs=5 * error
    )


@pytest.mark.sweep
def test_a_progressive_of_seven_cards_follows_the_game_closely() -> None:
    """A royal flush in seven cards pays the Blind 500 to 1 as well, unless it is the board's."""
    table = everything().progressive
    assert table is not None
    seven = replace(table, reads=ProgressiveReads.FINAL_SEVEN)
    tables = replace(everything(), progressive=seven)
    found = join_wagers(usual_solution(), tables)
    names = list(found.means)
    matrix = [[float(found.covariances[one, other]) for other in names] for one in names]
    assert np.linalg.eigvalsh(np.array(matrix)).min() > 0
    # The meter's whole 10,000 with 4,324 royals of 133,784,560 hands, 20 in 21 not on the board.
    royal = 4_324 / 133_784_560 * 10_000 * (505 * 20 / 21)
    assert float(found.covariances["game", "progressive"]) > royal
    flop = figures().covariances["game", "progressive"]
    assert found.covariances["game", "progressive"] > 10 * flop
    trips = found.covariances["trips", "progressive"]
    assert trips > figures().covariances["trips", "progressive"]
