"""Incidents at a table, as messages for staff: what a card is worth that was exposed."""

import math

import pytest

from openfelt.maths.holdem.flashed_values import PUBLISHED
from openfelt.maths.holdem.usual_values import usual_flashed_values
from openfelt.protocol.table_views import FlashedView
from openfelt.rules.irregularity_rules import Moment
from openfelt.server.tables.views import private_view
from openfelt.table.croupier.irregularity_commands import moment_of
from tests.kit.tables import FLOOR, Pit
from tests.server.tables.test_settlement_previews import betting, play_on

ANTES_CENTS = 2_000
"""Two hands with an Ante of $10 each."""


def exposed(pit: Pit, about: str) -> list[FlashedView]:
    """What staff are told about an exposed card of the dealer, or of the board."""
    view = private_view(pit.table, FLOOR, wallet_cents=0, may=[])
    named = ("card_exposed", about)
    ruling = next(one for one in view.rulings if (one.irregularity, one.about) == named)
    return ruling.flashed


def test_an_exposed_card_of_the_dealer_has_its_exact_price() -> None:
    pit = betting("washington").close()
    values = usual_flashed_values()
    told = {one.seen: one for one in exposed(pit, "dealer")}
    assert {name: f"{one.percent}%" for name, one in told.items()} == {
        seen.value: published for seen, published in PUBLISHED.items()
    }
    for name, one in told.items():
        assert one.ante_cents == ANTES_CENTS
        assert one.cents == math.ceil(ANTES_CENTS * values[name])
    assert told["dealer_card"].cents == 272
    # A card of the board is only priced together with one of the dealer.
    board = {one.seen for one in exposed(pit, "common")}
    assert board == {"dealer_and_flop_card", "dealer_and_turn_card"}


def test_after_the_first_decision_no_price_is_kept() -> None:
    pit = betting("washington").close()
    while moment_of(pit.round) is Moment.DEALING:
        assert exposed(pit, "dealer")
        play_on(pit)
    assert exposed(pit, "dealer") == []


@pytest.mark.parametrize("house", ["draw"])
def test_a_house_with_other_terms_is_told_nothing(house: str) -> None:
    assert exposed(betting(house).close(), "dealer") == []
