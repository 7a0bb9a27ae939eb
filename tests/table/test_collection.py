"""The flat collection of a table that its players bank."""

import pytest

from openfelt.catalog import load_house
from openfelt.rules import Banker
from openfelt.table.collection import banker_due_max_cents, dues, player_due_cents
from tests.kit.felt import Felt


@pytest.mark.clause("R.20", "C.19.no_percentage")
@pytest.mark.parametrize(
    ("ante_cents", "due_cents"), [(0, 0), (500, 100), (2500, 100), (2600, 200), (20_000, 200)]
)
def test_a_hand_pays_the_flat_amount_of_its_band(ante_cents: int, due_cents: int) -> None:
    assert player_due_cents(load_house("california"), ante_cents) == due_cents


def test_a_house_without_bands_collects_nothing() -> None:
    assert player_due_cents(load_house("washington"), 1000) == 0
    assert banker_due_max_cents(load_house("washington")) == 0
    assert banker_due_max_cents(load_house("california")) == 300


@pytest.mark.clause("R.20")
def test_every_seat_pays_and_the_banker_by_the_largest_ante() -> None:
    felt = Felt("california", banker=Banker(1, 20_000)).bet("3.1", "ante 10").bet("5.1", "ante 50")
    banker = felt.state.opened.banker
    assert banker is not None
    assert dues(felt.state) == {3: 100, 5: 200, banker.seat: 300}
