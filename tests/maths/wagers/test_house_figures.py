"""Every exact figure of a house at once."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from openfelt.cards import Category
from openfelt.catalog import load_catalog, load_house
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.wagers.house_figures import (
    HouseFigures,
    price_house,
    side_tables,
    with_paytable,
)
from openfelt.rules import WagerKind
from openfelt.rules.fingerprints import fingerprint
from tests.kit.maths.solution import usual_solution


@cache
def stadium() -> HouseFigures:
    return price_house(load_house("stadium"), solution=usual_solution())


def test_terms_are_read_from_the_house() -> None:
    terms = terms_of(load_house("washington"))
    assert terms.blind[Category.FLUSH] == Fraction(3, 2)
    assert terms.qualifying.category is Category.PAIR


@pytest.mark.parametrize("house", ["washington", "california", "stadium", "online"])
def test_every_holdem_house_has_the_same_game(house: str) -> None:
    assert terms_of(load_house(house)) == terms_of(load_house("online"))


def test_houses_that_are_not_solved_are_refused() -> None:
    with pytest.raises(ValueError, match="not Ultimate Texas Hold'em"):
        terms_of(load_house("draw"))


def test_every_play_wager_of_a_house_is_read() -> None:
    house = load_house("online")
    assert house.play is not None
    play = replace(house.play, before_flop=(), on_flop=(2, 5), on_river=(1, 3))
    terms = terms_of(replace(house, play=play))
    assert terms.first_multiples == ()
    assert terms.flop_multiples == (5, 2)
    assert terms.river_multiples == (3, 1)


def test_another_paytable_takes_the_place_of_the_usual_one() -> None:
    table = load_catalog().paytables["bad_beat", "BBB-03"]
    house = with_paytable(load_house("stadium"), table)
    rule = house.wager(WagerKind.BAD_BEAT)
    assert rule is not None
    assert rule.paytable is table
    assert house.fingerprint == fingerprint(house) != load_house("stadium").fingerprint
    with pytest.raises(ValueError, match="no bad_beat wager"):
        with_paytable(load_house("online"), table)


def test_all_side_bets_of_the_stadium_are_priced() -> None:
    assert set(stadium().side_bets) == {"trips", "bad_beat", "play_the_board", "ultimate_pairs"}
    assert stadium().progressive is None
    assert side_tables(load_house("online"), Fraction(0)).bad_beat is None


@pytest.mark.parametrize("wager", ["trips", "bad_beat", "play_the_board", "ultimate_pairs"])
def test_two_wagers_vary_more_together_than_apart(wager: str) -> None:
    """Every side bet wins more often when the game does, so together they swing more."""
    apart = (stadium().solution.variance + stadium().side_bets[wager].variance) ** 0.5
    assert stadium().std_dev_with_game(wager) > apart
    assert 0 < stadium().correlation_with_game(wager) < 1
