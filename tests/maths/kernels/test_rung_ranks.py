"""The results of a hold by the dealer's rung: the kernel against its plain version."""

import numpy as np
import pytest

from openfelt.cards import Category, Hand, Rank, evaluate, parse_cards
from openfelt.maths.draw import rung_counts
from openfelt.maths.draw.rank_counts import Keep, full_ranks, thrown_with
from openfelt.maths.draw.rung_counts import count_rung_ranks
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels import rung_ranks
from openfelt.maths.kernels.hand_reader import read_five
from openfelt.maths.kernels.rung_ranks import rung_of
from tests.kit.maths.games import small_deck

FULL = full_ranks([card.number for card in small_deck("23JKA", 4)])


@pytest.mark.parametrize("keep", [Keep((0, 0, 12)), Keep((1, 1, 11, 11)), Keep((0, 1, 9, 11, 12))])
def test_a_kernel_counts_what_its_plain_version_counts(
    keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    thrown = thrown_with(FULL, keep)
    compiled = count_rung_ranks(FULL, keep, thrown)
    for name in ("rung_of", "rung_outcomes", "column_work", "add_columns"):
        monkeypatch.setattr(rung_ranks, name, getattr(rung_ranks, name).py_func)
    monkeypatch.setattr(rung_counts, "count_rungs", rung_ranks.count_rungs.py_func)
    plain = count_rung_ranks(FULL, keep, thrown)
    assert np.array_equal(plain.plain, compiled.plain)
    assert np.array_equal(plain.by_pattern, compiled.by_pattern)
    assert compiled.plain.any()


@pytest.mark.parametrize(
    ("cards", "rung"),
    [
        ("2c 3d 4h 5s 7c", -1),
        ("9c Jd Qh Ks Ac", -1),
        ("2c 2d 3h 4s 5c", 0),
        ("2c 2d Qh Ks Ac", 0),
        ("3c 3d 2h 4s 5c", 1),
        ("Tc Td Jh Qs Ac", 8),
        ("Ac Ad 2h 3s 4c", 12),
        ("Ac Ad Jh Qs Kc", 12),
        ("2c 2d 3h 3s 4c", 13),
        ("Ac Ad Kh Ks Qc", 13),
        ("2c 2d 2h 3s 4c", 14),
        ("Ac Ad Ah Ks Qc", 14),
        ("Ac 2d 3h 4s 5c", -1),
        ("2c 4c 6c 8c Tc", -1),
        ("2c 2d 2h 3s 3c", -1),
    ],
)
def test_the_rung_of_a_hand(cards: str, rung: int) -> None:
    numbers = np.array([card.number for card in parse_cards(cards)])
    assert rung_of(int(read_five(numbers, reading_tables()))) == rung
    hand: Hand = evaluate(parse_cards(cards))
    if hand.category is Category.PAIR:
        assert list(Rank)[rung] == hand.first_rank
