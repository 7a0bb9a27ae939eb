"""A strategy's name means the same in the library and on the command line."""

import pytest

from openfelt.catalog import load_house
from openfelt.cli.figures.strategy_choice import playable_strategy
from openfelt.maths import STRATEGIES, HoldemStrategy, find_strategy, simulate
from openfelt.maths.strategy import strategy_names
from openfelt.maths.strategy.prices import perfect_strategy
from tests.kit.maths.solution import solve_once, usual_solution
from tests.kit.own_houses import REMOVED, own_house


@pytest.fixture
def _solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_names, "solve_holdem", solve_once)


def test_shipped_names_in_any_spelling() -> None:
    assert find_strategy(" Published-Simple") is STRATEGIES["published_simple"]
    assert find_strategy("house way", load_house("draw")) is STRATEGIES["house_way"]


@pytest.mark.usefixtures("_solved")
def test_perfect_is_solved_in_the_library_as_on_the_command_line() -> None:
    online = load_house("online")
    expected = perfect_strategy(usual_solution())
    for found in (
        find_strategy("perfect"),
        find_strategy("Perfect", online),
        playable_strategy(online, "perfect"),
    ):
        assert isinstance(found, HoldemStrategy)
        assert found == expected
        assert found.flop_bets is not None
        assert expected.flop_bets is not None
        assert (found.flop_bets == expected.flop_bets).all()
    by_name, by_value = (
        simulate(online, strategy, rounds=2_000, seed=3) for strategy in ("perfect", expected)
    )
    assert by_name == by_value
    assert by_name.strategy == "perfect"


def test_a_wrong_name_lists_those_that_can_be_played() -> None:
    with pytest.raises(ValueError, match="no strategy is called 'mine'; try perfect, basic, "):
        find_strategy("mine")
    draw = load_house("draw")
    with pytest.raises(ValueError, match=r"'basic'; try perfect, house_way, basic_draw, best"):
        simulate(draw, "basic", rounds=1)
    with pytest.raises(ValueError, match="for online is called 'house_way'; try perfect, basic"):
        find_strategy("house_way", load_house("online"))
    only_3x = own_house("online", {"play.before_flop": [3]})
    with pytest.raises(ValueError, match="bets 4x before the flop"):
        find_strategy("basic", only_3x)


def test_perfect_play_of_draw_is_kept_for_the_published_terms() -> None:
    assert find_strategy("perfect", load_house("draw")).name == "best_draw"
    with pytest.raises(ValueError, match="not kept for the terms of draw; try openfelt edge draw"):
        find_strategy("perfect", own_house("draw", {"ante_bonus": REMOVED}))
