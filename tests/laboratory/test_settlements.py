"""Random and stacked rounds of every house, settled a second time by the laboratory's referee.

Few rounds run here; ``make bench ARGS=laboratory`` plays a million.
"""

from pathlib import Path

import pytest

from tests.laboratory.felt_rounds import check_felt_rounds, check_irregular_rounds
from tests.laboratory.floor_rounds import check_floor_rounds
from tests.laboratory.product_houses import HOUSES

FELT_ROUNDS = 120
FLOOR_ROUNDS = 8
IRREGULAR_ROUNDS = 30

MET = {
    "online": {"ante push", "play push", "blind win", "blind push", "trips win", "folded"},
    "washington": {"bad_beat win", "ultimate_pairs win", "progressive win", "envy win"},
    "california": {"ante returned", "play returned", "blind returned", "trips win"},
    "stadium": {"for the dealer", "play_the_board win", "bad_beat win"},
    "draw": {"ante win", "ante push", "ante lose", "ante_bonus win", "bonus win"},
}
"""What must come up among the rounds of each document; otherwise they prove too little."""


@pytest.mark.parametrize("name", HOUSES)
def test_every_wager_is_settled_as_the_documents_say(name: str) -> None:
    tally = check_felt_rounds(name, seed=1, rounds=FELT_ROUNDS)
    assert tally.rounds == FELT_ROUNDS
    met = {what for what, count in tally.seen.items() if count}
    assert MET[HOUSES[name].like or name] <= met
    for wager in HOUSES[name].payout_aggregates:
        assert f"{wager} cut" in met


WITH_SEVERAL_HANDS = [name for name in HOUSES if (HOUSES[name].like or name) != "online"]


@pytest.mark.clause("R.37", "R.41")
@pytest.mark.parametrize("name", WITH_SEVERAL_HANDS)
def test_hands_that_are_void_or_fouled_are_settled_as_the_rulings_say(name: str) -> None:
    tally = check_irregular_rounds(name, seed=1, rounds=IRREGULAR_ROUNDS)
    assert {"void hand", "fouled hand"} <= {what for what, count in tally.seen.items() if count}


@pytest.mark.parametrize("name", HOUSES)
def test_every_account_changes_as_the_documents_say(name: str, tmp_path: Path) -> None:
    tally = check_floor_rounds(tmp_path, name, seed=1, rounds=FLOOR_ROUNDS)
    assert tally.rounds == FLOOR_ROUNDS
    assert tally.accounts >= FLOOR_ROUNDS
