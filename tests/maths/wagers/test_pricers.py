"""Every paytable of the catalog is priced by the pricer of its wager, or by none."""

from fractions import Fraction

import pytest

from openfelt.catalog import load_catalog
from openfelt.maths.wagers.joint_sums import losing_hands
from openfelt.maths.wagers.pricers import PRICERS, price_side_bet
from openfelt.maths.wagers.side_bet_figures import (
    SideBet,
    price_bad_beat,
    price_play_the_board,
    price_trips,
    price_ultimate_pairs,
    progressive_at,
)
from openfelt.rules.paytable import HandPaytable, PairsPaytable, Paytable, ProgressivePaytable

METER = Fraction(1000)


def expected(table: Paytable) -> SideBet | None:
    """The same decision, written down a second time."""
    match table:
        case HandPaytable(wager="trips"):
            return price_trips(table)
        case HandPaytable(wager="bad_beat"):
            return price_bad_beat(table, losing_hands())
        case HandPaytable(wager="play_the_board"):
            return price_play_the_board(table)
        case PairsPaytable():
            return price_ultimate_pairs(table)
        case ProgressivePaytable():
            return progressive_at(table, meter_units=METER)
    return None


@pytest.mark.parametrize("key", load_catalog().paytables, ids=" ".join)
def test_every_paytable_has_the_pricer_of_its_wager(key: tuple[str, str]) -> None:
    table = load_catalog().paytables[key]
    assert price_side_bet(table, meter_units=METER) == expected(table)


def test_every_pricer_has_a_paytable_in_the_catalog() -> None:
    wagers = {wager for wager, _ in load_catalog().paytables}
    assert {kind.value for kind in PRICERS} <= wagers
