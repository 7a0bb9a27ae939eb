"""Losses to the dealer's flushes by category: the kernels against their plain versions."""

import numpy as np
import pytest

from openfelt.cards import Card
from openfelt.maths.draw import loss_counts
from openfelt.maths.draw.ante_results import draw_tables
from openfelt.maths.draw.loss_counts import SameRanksLosses, _flush_hands
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels import dealer_flush_losses
from tests.kit.maths.games import small_deck

DECK = tuple(card.number for card in small_deck("2345JA", 3))
KERNELS = (
    "add_fours",
    "hands_with_four",
    "hands_with_high",
    "low_cards",
    "hands_of_groups",
    "pairs_with",
    "hands_beside_card",
    "write_runs",
)
CALLED = ("count_short_losses", "count_long_losses", "held_draws")


def losses(hold: int) -> list[int]:
    hand = tuple(Card.parse(text).number for text in ("4h", "5c", "5d", "Jc", "Ac"))
    found: list[int] = SameRanksLosses(DECK, {hand: [hold]}).losses(hand)[0].tolist()
    return found


@pytest.mark.parametrize("hold", [0, 0b00001, 0b00011, 0b10011, 0b10111])
def test_kernels_count_what_their_plain_versions_count(
    hold: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = losses(hold)
    for name in KERNELS:
        monkeypatch.setattr(dealer_flush_losses, name, getattr(dealer_flush_losses, name).py_func)
    for name in CALLED:
        monkeypatch.setattr(loss_counts, name, getattr(dealer_flush_losses, name).py_func)
    assert losses(hold) == compiled
    assert any(compiled)


def test_the_dealers_hands_are_listed_as_the_plain_version_lists_them() -> None:
    live = sum(1 << rank for rank in {card >> 2 for card in DECK})
    compiled = _flush_hands(DECK)
    plain = dealer_flush_losses.list_flush_hands.py_func(
        live, draw_tables(DECK).mask_keys, reading_tables()
    )
    assert plain.live == compiled.live
    for field in compiled._fields[1:]:
        listed = getattr(compiled, field)
        assert np.array_equal(getattr(plain, field), listed)
        assert listed.any()
