"""Strategies priced exactly: against the solver, plain enumeration, and simulation."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from openfelt.cards import Card
from openfelt.catalog import load_house
from openfelt.maths import (
    STRATEGIES,
    HoldemStrategy,
    HoldemTerms,
    perfect_strategy,
    price_strategy,
    simulate,
    solve_holdem,
)
from openfelt.maths.strategy.strategies import box, line
from tests.kit.maths.games import GENEROUS, MANY, ODD, OTHER_MULTIPLES, USUAL, small_deck
from tests.kit.maths.slow_strategy import play_slowly
from tests.kit.maths.solution import usual_price, usual_solution


def shipped(name: str) -> HoldemStrategy:
    strategy = STRATEGIES[name]
    assert isinstance(strategy, HoldemStrategy)
    return strategy


MANY_FEATURES = HoldemStrategy(
    name="many_features",
    title="A line for every feature",
    before_flop={3: "AA, KQs, QJo"},
    on_flop=(
        line("high cards", box(high=(14, None), overcards=(1, None), flop_made=0)),
        line("draws", box(straight_draw=(1, None), low=(11, None), flop_high=(None, 13))),
        line("flushes", box(flush_draw=(2, None), uses_hole=0)),
    ),
    on_river=(
        line("kickers", box(kickers_above=(None, 1), board_made=(1, 2), pocket=0)),
        line("outs", box(outs=(2, 6), high=(12, None))),
        line("pairs", box(hidden_pair=(11, 13), low=(None, 12))),
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranks", "suits", "terms", "strategy"),
    [
        ("AKQJT", 2, USUAL, shipped("published_simple")),
        ("AKQJT", 2, GENEROUS, replace(shipped("basic"), before_flop={5: "AK, QQ"})),
        ("AKQJT", 2, ODD, MANY_FEATURES),
        (
            "AKQJT",
            2,
            MANY,
            replace(MANY_FEATURES, before_flop={1: "QJo"}, flop_multiple=3, river_multiple=2),
        ),
        pytest.param("AKQJ", 3, ODD, MANY_FEATURES, marks=pytest.mark.sweep),
        ("AKQJ", 3, USUAL, shipped("simple_perfect_river")),
        pytest.param("65432A", 2, USUAL, shipped("never_raise"), marks=pytest.mark.sweep),
    ],
)
def test_equals_plain_enumeration(
    ranks: str, suits: int, terms: HoldemTerms, strategy: HoldemStrategy
) -> None:
    deck = tuple(small_deck(ranks, suits))
    solution = solve_holdem(terms, deck=[card.number for card in deck])
    price = price_strategy(strategy, solution, workers=2)
    slow = play_slowly(strategy, terms, deck)
    assert price.distribution == dict(slow.distribution)
    assert {action: share * price.deals for action, share in price.decisions.items()} == {
        action: slow.decisions[action] for action in price.actions
    }
    mean = sum(net * count for net, count in slow.distribution.items()) / price.deals
    assert price.ev_per_ante == mean
    assert price.cost == solution.ev_per_ante - mean >= 0


def test_perfect_play_is_priced_as_the_solver_prices_it() -> None:
    deck = [card.number for card in small_deck("AKQJT9", 3)]
    for terms in (USUAL, ODD, GENEROUS, *OTHER_MULTIPLES):
        solution = solve_holdem(terms, deck=deck)
        price = price_strategy(perfect_strategy(solution), solution)
        assert price.cost == 0
        assert np.array_equal(price.outcomes, solution.outcomes)
        assert np.array_equal(price.first_values, solution.first_values)
        assert np.array_equal(price.flop_checks, solution.flop_checks)


@pytest.mark.slow
def test_perfect_play_with_the_whole_deck_costs_nothing() -> None:
    solution = usual_solution()
    price = price_strategy(perfect_strategy(solution), solution)
    assert price.ev_per_ante == solution.ev_per_ante
    assert np.array_equal(price.outcomes, solution.outcomes)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["basic", "published_simple"])
def test_simulation_comes_close(name: str) -> None:
    price = usual_price(name)
    rounds = 4_000_000
    result = simulate(load_house("online"), name, rounds=rounds, seed=11)
    assert result.ev_per_ante is not None
    off = abs(result.ev_per_ante - float(price.ev_per_ante))
    assert off < 4 * price.std_dev / sqrt(rounds)
    for action, count in result.decisions.items():
        share = float(price.decisions[action])
        assert abs(count / rounds - share) < 4 * sqrt(share * (1 - share) / rounds)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"before_flop": {5: "AA"}}, "bets 5x before the flop"),
        ({"flop_multiple": 3}, "bets 3x on the flop, where 2x counts"),
        ({"river_multiple": 2}, "bets 2x on the river, where 1x counts"),
        ({"flop_bets": np.zeros((1755, 1326), dtype=np.uint8)}, "for another deck"),
    ],
)
def test_bets_that_are_not_offered_are_refused(changes: dict[str, object], words: str) -> None:
    deck = [card.number for card in small_deck("AKQJ", 3)]
    solution = solve_holdem(deck=deck)
    strategy = replace(shipped("published_simple"), **changes)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=words):
        price_strategy(strategy, solution)


def test_progress_runs_to_its_end() -> None:
    steps: list[tuple[int, int]] = []
    cards: list[Card] = small_deck("AKQJ", 4)
    solution = solve_holdem(deck=[card.number for card in cards])
    price_strategy(
        shipped("basic"), solution, progress=lambda done, total: steps.append((done, total))
    )
    assert [done for done, _ in steps] == list(range(1, len(steps) + 1))
    assert steps[-1][0] == steps[-1][1]
