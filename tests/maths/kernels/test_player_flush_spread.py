"""Flushes that are drawn, by category: the kernels against their plain versions."""

import numpy as np
import pytest

from openfelt.cards import parse_cards
from openfelt.maths.draw import spread_counts
from openfelt.maths.draw.spread_counts import SameRanksSpread
from openfelt.maths.kernels import dealer_flush_spread, player_flush_spread
from tests.kit.maths.games import small_deck

DECK = tuple(card.number for card in small_deck("A2345", 3))
DEALERS = ("category_of", "spread_result", "win_against_flush", "spread_dealers",
           "spread_straight_flush", "spread_two_ranks", "spread_listed_hands")  # fmt: skip
PLAYERS = ("short_dealers", "compare_hands", "spread_flushes", "spread_short_dealers",
           "spread_one_flush", "spread_shorter", "spread_longer", "spread_two_flushes")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "holds"), [("Ac 2c 3c 4d 4h", (4, 19)), ("2c 2d 2h 3c 4d", (7, 9))]
)
def test_kernels_count_what_their_plain_versions_count(
    text: str, holds: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = tuple(sorted(card.number for card in parse_cards(text)))
    compiled = SameRanksSpread(DECK, {hand: holds}).changes(hand)
    for module, names, whole in (
        (dealer_flush_spread, DEALERS, ("count_dealers_spread",)),
        (player_flush_spread, PLAYERS, ("count_players_spread", "count_long_spread")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, getattr(module, name).py_func)
        for name in whole:
            monkeypatch.setattr(spread_counts, name, getattr(module, name).py_func)
    plain = SameRanksSpread(DECK, {hand: holds}).changes(hand)
    assert np.array_equal(plain, compiled)
    assert compiled.any()
