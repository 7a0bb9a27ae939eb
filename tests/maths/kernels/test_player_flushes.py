"""Flushes that are drawn: the kernels against their plain versions, and by category."""

import numpy as np
import pytest

from openfelt.cards import parse_cards
from openfelt.maths.draw import flush_changes
from openfelt.maths.draw.flush_changes import SameRanks
from openfelt.maths.kernels import dealer_flushes, flush_gains, player_flushes, quick_gains
from openfelt.maths.kernels.hold_results import RESULTS, UNQUALIFIED
from openfelt.maths.kernels.result_columns import SPREAD
from tests.kit.maths.games import small_deck

DECK = tuple(card.number for card in small_deck("A2345", 3))
PARTS = (
    (dealer_flushes, ("spread_result", "win_against_flush", "add_dealers", "add_straight_flush",
                      "add_two_ranks", "add_listed_hands")),
    (quick_gains, ("compare_hands", "first_column", "add_gains")),
    (player_flushes, ("quick_dealers", "add_gains", "add_quick_gains", "add_all_quick_gains",
                      "add_shorter", "add_longer", "add_two_flushes")),
    (flush_gains, ("first_column", "add_standing", "add_fours", "add_high_cards", "add_no_cards")),
)  # fmt: skip
WHOLE = ("count_gains_on_flushes", "count_players_flushes", "count_long_flushes")


def numbers_of(text: str) -> tuple[int, ...]:
    return tuple(sorted(card.number for card in parse_cards(text)))


@pytest.mark.parametrize("spread", [False, True])
@pytest.mark.parametrize(
    ("text", "holds"), [("Ac 2c 3c 4d 4h", (4, 19)), ("2c 2d 2h 3c 4d", (7, 9))]
)
def test_kernels_count_what_their_plain_versions_count(
    text: str, holds: tuple[int, ...], spread: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = numbers_of(text)
    compiled = SameRanks(DECK, {hand: holds}, spread=spread).changes(hand)
    for module, names in PARTS:
        for name in names:
            monkeypatch.setattr(module, name, getattr(module, name).py_func)
    for name in WHOLE:
        monkeypatch.setattr(flush_changes, name, getattr(flush_changes, name).py_func)
    plain = SameRanks(DECK, {hand: holds}, spread=spread).changes(hand)
    assert np.array_equal(plain, compiled)
    assert compiled.any()


@pytest.mark.parametrize("text", ["Ac 2c 3c 4d 4h", "2c 2d 2h 3c 4d"])
def test_all_categories_together_are_the_count_without_them(text: str) -> None:
    hand, holds = numbers_of(text), range(32)
    together = SameRanks(DECK, {hand: holds}).changes(hand)
    spread = SameRanks(DECK, {hand: holds}, spread=True).changes(hand)
    by_category = spread.reshape(len(holds), SPREAD, RESULTS)
    assert np.array_equal(by_category.sum(axis=1)[:, :UNQUALIFIED], together)
    assert by_category[:, 1:].any()
