"""The parts of the count of all classes: ranks by inclusion and exclusion, and suits by formula."""

from itertools import product

import numpy as np
import pytest

from openfelt.maths.draw import rank_counts
from openfelt.maths.draw.dealer_groups import DealerHands, dealer_hands
from openfelt.maths.draw.rank_counts import Keep, count_kept_ranks, full_ranks
from openfelt.maths.kernels import rank_classes, suited_ways
from openfelt.maths.kernels.rank_classes import pattern_of, ways_to_have
from tests.kit.maths.games import small_deck

DECK = tuple(card.number for card in small_deck("23JKA", 3))


@pytest.fixture(scope="module")
def hands() -> DealerHands:
    return dealer_hands(DECK)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("taken", [DECK[:5], (DECK[0], DECK[1], DECK[4], DECK[9], DECK[14])])
def test_hands_that_are_left_are_as_many_as_are_dealt(
    hands: DealerHands,
    taken: tuple[int, ...],
    compiled: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By group, ranks and the cards of a suit, against all hands of the deck."""
    if not compiled:
        plain = suited_ways.count_suited_ways.py_func
        monkeypatch.setattr("openfelt.maths.draw.dealer_groups.count_suited_ways", plain)
    dealt = hands.left_by(taken)
    for suit in range(3):
        groups = hands.suited_groups(taken, suit)
        found: dict[tuple[int, int], int] = {}
        for row in range(len(groups.ways)):
            place = (int(groups.kinds[row]), int(groups.inside[row]))
            found[place] = found.get(place, 0) + int(groups.ways[row])
        expected = dict.fromkeys(found, 0)
        for kind, places in zip(*np.nonzero(dealt[suit]), strict=True):
            inside = sum(1 << int(hands.ranks[kind, p]) for p in range(5) if places >> p & 1)
            expected[int(kind), inside] += int(dealt[suit, kind, places])
        assert found == expected


@pytest.mark.parametrize("keep", [Keep((0, 12)), Keep((1, 1, 11, 12)), Keep((0, 1, 9, 11, 12))])
def test_a_kernel_counts_what_its_plain_version_counts(
    keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = full_ranks(DECK)
    compiled = count_kept_ranks(full, keep)
    for name in ("outcomes_of", "sum_blocked", "add_row", "pattern_of", "ways_to_have"):
        monkeypatch.setattr(rank_classes, name, getattr(rank_classes, name).py_func)
    monkeypatch.setattr(rank_counts, "count_kept", rank_classes.count_kept.py_func)
    plain = count_kept_ranks(full, keep)
    assert np.array_equal(plain.plain, compiled.plain)
    assert np.array_equal(plain.by_pattern, compiled.by_pattern)


@pytest.mark.parametrize("compiled", [True, False])
def test_suits_of_ranks_beside_another_hand(compiled: bool) -> None:
    ways = ways_to_have if compiled else ways_to_have.py_func
    hand, other = np.zeros((2, 13), dtype=np.int8)
    for mine, taken in product(range(4), range(5)):
        hand[3], other[3] = mine, taken
        hand[7], other[7] = 1, 2
        left = [suit for suit in range(4) if suit >= taken]
        chosen = sum(1 for mask in range(16) if mask.bit_count() == mine and _within(mask, left))
        assert ways(hand, other, 4) == 2 * chosen


def _within(mask: int, suits: list[int]) -> bool:
    return all(suit in suits for suit in range(4) if mask >> suit & 1)


@pytest.mark.parametrize("compiled", [True, False])
def test_patterns_name_the_ranks_of_a_hand(compiled: bool) -> None:
    pattern = pattern_of if compiled else pattern_of.py_func
    different = np.array([1, 4, 12, 13, 13], dtype=np.int8)
    assert pattern(1 << 4 | 1 << 5, different) == 0b10
    assert pattern(0x1FFF, different) == 0b111
