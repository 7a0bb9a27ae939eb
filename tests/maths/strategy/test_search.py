"""The search adds up exact gains, and the shipped basic strategy is what it finds."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from openfelt.maths import STRATEGIES, find_basic_strategy, price_strategy, solve_holdem
from openfelt.maths.strategy.prices import first_choices
from openfelt.maths.strategy.search import Gains, _choose_lines, _Search, _written
from openfelt.maths.strategy.strategies import HoldemStrategy, StrategyLine
from tests.kit.maths.games import ODD, USUAL, small_deck
from tests.kit.maths.solution import usual_solution

DECK = [card.number for card in small_deck("AKQJT987", 3)]


def _fit(gains: Gains, lines: tuple[StrategyLine, ...]) -> NDArray[np.bool_]:
    names = gains.street.features
    fits = np.zeros(len(gains.codes), dtype=bool)
    for limits in (limits for one in lines for limits in one.boxes):
        inside = np.ones(len(gains.codes), dtype=bool)
        for name, low, high in limits:
            column = gains.features[:, names.index(name)]
            inside &= (low <= column) & (column <= high)
        fits |= inside
    return fits


@pytest.mark.parametrize("terms", [USUAL, ODD])
def test_gains_are_what_the_lines_bring(terms: object) -> None:
    solution = solve_holdem(terms, deck=DECK)  # type: ignore[arg-type]
    basic = STRATEGIES["basic"]
    assert isinstance(basic, HoldemStrategy)
    strategy = replace(basic, before_flop={max(solution.terms.first_multiples): "AK, QQ+"})
    search = _Search(solution)
    whole = price_strategy(strategy, solution)
    first_bets = first_choices(strategy, solution.terms)
    units = solution.deals * solution.terms.scale

    river = search.river_gains(strategy, whole.flop_choices, first_bets)
    never = price_strategy(replace(strategy, on_river=()), solution)
    gained = int(river.gains[_fit(river, strategy.on_river)].sum())
    assert gained == (whole.ev_per_ante - never.ev_per_ante) * units

    flop = search.flop_gains(whole.flop_checks, first_bets)
    later = price_strategy(replace(strategy, on_flop=()), solution)
    gained = int(flop.gains[_fit(flop, strategy.on_flop)].sum())
    assert gained == (whole.ev_per_ante - later.ev_per_ante) * units


def test_chosen_lines_gain_what_they_claim_and_more_lines_gain_more() -> None:
    search = _Search(solve_holdem(deck=DECK))
    first_bets = np.full(169, -1, dtype=np.int64)
    no_bets = np.full(search.flop_codes.shape, -1, dtype=np.int8)
    basic = STRATEGIES["basic"]
    assert isinstance(basic, HoldemStrategy)
    gains = search.river_gains(basic, no_bets, first_bets)
    chosen = _choose_lines(gains, 3, search.word_price)
    assert [len(lines.choices) for lines in chosen] == [0, 1, 2, 3]
    for lines in chosen:
        assert lines.gain == int(gains.gains[lines.covered].sum())
        assert lines.gain == int(gains.gains[_fit(gains, _written(gains, lines))].sum())
    assert [lines.gain for lines in chosen] == sorted({lines.gain for lines in chosen})
    # No single line does better than the best one, whatever its words.
    best = max(
        int(gains.gains[gains.fits((family, place, -1, -1))].sum())
        for family, subjects in enumerate(gains.street.subjects)
        for place in range(len(subjects.parts))
    )
    assert chosen[1].gain >= best


def test_a_small_deck_gets_a_strategy_of_its_own() -> None:
    solution = solve_holdem(deck=DECK)
    told: list[str] = []
    found = find_basic_strategy(solution, lines=5, report=told.append)
    assert found == find_basic_strategy(solution, lines=5)
    assert told[-1] == "\n".join(found.describe())
    assert len(found.before_flop) + len(found.on_flop) + len(found.on_river) <= 5
    shorter = find_basic_strategy(solution, lines=3)
    costs = [price_strategy(one, solution).cost for one in (found, shorter)]
    assert costs[0] <= costs[1]


@pytest.mark.parametrize("lines", [2, 13])
def test_too_few_or_too_many_lines_are_refused(lines: int) -> None:
    with pytest.raises(ValueError, match="3 to 12 lines"):
        find_basic_strategy(lines=lines)


@pytest.mark.sweep
def test_the_shipped_basic_strategy_is_the_one_that_is_found() -> None:
    assert find_basic_strategy(usual_solution()) == STRATEGIES["basic"]
