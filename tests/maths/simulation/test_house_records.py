from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from openfelt.cards import Category
from openfelt.catalog import load_house
from openfelt.maths import TableSetting, simulate
from openfelt.maths.hands.strengths import weakest_of
from openfelt.maths.kernels.simulated_settlement import ANTE, BLIND, FOR_DEALER, FOR_PLAYER, TRIPS
from openfelt.maths.simulation.house_records import house_in_full, house_tables, lay_table
from openfelt.rules import Banker, Spot, Wager
from tests.kit.felt import wagers_of
from tests.kit.own_houses import own_house


def test_paytables_become_awards_by_strength() -> None:
    tables = house_tables(load_house("washington"))
    flush = tables.awards[BLIND, weakest_of(Category.FLUSH)]
    assert (tables.pays[BLIND, flush], tables.per[BLIND, flush]) == (3, 2)
    assert tables.awards[BLIND, weakest_of(Category.STRAIGHT) - 1] == 0
    assert tables.awards[TRIPS, weakest_of(Category.THREE_OF_A_KIND) - 1] == 0
    assert tables.awards[TRIPS, weakest_of(Category.THREE_OF_A_KIND)] > 0
    assert tables.blind_units[weakest_of(Category.FLUSH)] * 2 == 3 * tables.blind_scale


@pytest.mark.parametrize(
    ("qualifies", "weakest"),
    [
        ({"hand": "high card"}, 1),
        ({"hand": "pair"}, 1278),
        ({"hand": "pair", "at_least": "4"}, 1718),
        ({"hand": "straight"}, weakest_of(Category.STRAIGHT)),
    ],
)
def test_the_qualifying_hand_becomes_a_strength(qualifies: Mapping[str, str], weakest: int) -> None:
    house = own_house("online", {"dealer_qualifies": dict(qualifies)})
    assert house_tables(house).qualifying == weakest


def test_wagers_lie_on_their_lines_and_hands_are_settled_in_order() -> None:
    spots = {Spot(2, 1): "ante 10, tip ante 2", Spot(1, 2): "ante 10", Spot(1, 1): "ante 20"}
    layout = lay_table(
        load_house("stadium"), {spot: wagers_of(text) for spot, text in spots.items()}
    )
    assert layout.hands == 3
    assert layout.seats[:3].tolist() == [1, 1, 2]
    assert layout.order[:3].tolist() == [2, 1, 0]
    assert layout.stakes[:3, FOR_PLAYER, ANTE].tolist() == [2000, 1000, 1000]
    assert layout.stakes[:3, FOR_PLAYER, BLIND].tolist() == [2000, 1000, 1000]
    assert layout.stakes[:3, FOR_DEALER, BLIND].tolist() == [0, 0, 200]
    assert (layout.cover_cents, layout.has_progressive) == (-1, np.False_)


def _wagers(text: str) -> dict[Spot, tuple[Wager, ...]]:
    return {Spot(1, 1): wagers_of(text)}


@pytest.mark.parametrize(
    ("house", "wagers", "banker", "words"),
    [
        ("washington", "ante 1", None, "Ante is at least \\$5.00"),
        ("washington", "trips 5", None, "needs a wager on Ante"),
        ("online", "ante 5, bonus 1", None, "Bonus is not offered"),
        ("online", "", None, "No wager has been made"),
        ("california", "ante 5", None, "player/dealer"),
        ("online", "ante 5", Banker(1, 1000), "The house banks"),
    ],
)
def test_what_the_house_does_not_take_is_refused(
    house: str, wagers: str, banker: Banker | None, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        lay_table(load_house(house), _wagers(wagers), banker=banker)


def test_impossible_meters_and_endless_amounts_are_refused() -> None:
    house = load_house("washington")
    with pytest.raises(ValueError, match="meter"):
        lay_table(house, _wagers("ante 5"), meter_cents=-1)
    # No house file has such a limit any more, but a record of an earlier version may.
    online = load_house("online")
    raised = tuple(replace(rule, max_cents=10**12) for rule in online.wagers)
    high = replace(online, wagers=raised)
    with pytest.raises(ValueError, match="too large"):
        lay_table(high, {Spot(1, 1): wagers_of("ante 9000000000")})
    many = {Spot(seat, 1): wagers_of("ante 10") for seat in range(1, 66)}
    with pytest.raises(ValueError, match="64 hands"):
        lay_table(load_house("stadium"), many)


def test_in_full_a_hand_has_any_number_of_wagers_under_another_fingerprint() -> None:
    house = load_house("washington")
    bets = _wagers("ante 5, trips 5, bad_beat 5, ultimate_pairs 5, progressive 1")
    with pytest.raises(ValueError, match="at most"):
        lay_table(house, bets)
    assert lay_table(house_in_full(house), bets).hands == 1
    assert house_in_full(house).fingerprint != house.fingerprint


def test_a_run_in_full_is_a_run_of_the_house_that_it_is_asked_for() -> None:
    house = load_house("washington")
    (wagers,) = _wagers("ante 5").values()
    setting = TableSetting(wagers=wagers, in_full=True)
    assert simulate(house, "basic", setting, rounds=10).fingerprint == house.fingerprint
