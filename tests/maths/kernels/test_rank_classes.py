"""The parts of the count of all classes: ranks by inclusion and exclusion, and suits by formula."""

from itertools import product

import numpy as np
import pytest

from openfelt.maths.draw import rank_counts
from openfelt.maths.draw.dealer_groups import DealerHands, dealer_hands
from openfelt.maths.draw.rank_counts import Keep, count_kept_ranks, full_ranks
from openfelt.maths.kernels import rank_classes, suited_ways
from openfelt.maths.kernels.rank_classes import (
    FOUR_SUITED,
    PLAIN,
    Kept,
    RankHolds,
    add_plain_row,
    add_suited_row,
)
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
    for name in (
        "outcomes_of",
        "sum_blocked",
        "avoid_thrown",
        "sum_standing",
        "add_plain_row",
        "add_suited_row",
        "same_hand",
        "leave_ranks",
    ):
        monkeypatch.setattr(rank_classes, name, getattr(rank_classes, name).py_func)
    monkeypatch.setattr(rank_counts, "count_kept", rank_classes.count_kept.py_func)
    plain = count_kept_ranks(full, keep)
    assert np.array_equal(plain.plain, compiled.plain)
    assert np.array_equal(plain.by_pattern, compiled.by_pattern)


def one_row(hand: list[int], kind: int, suited: int = 0, odd: int = 0) -> RankHolds:
    """One hand of the dealer, by numbers of cards of each rank."""
    none = np.zeros(1, dtype=np.int64)
    return RankHolds(
        keys=none.astype(np.uint64),
        strengths=none,
        drawn=none,
        starts=np.array([0, 1]),
        hands=np.array([hand], dtype=np.int8),
        kinds=np.array([kind], dtype=np.int8),
        signs=np.ones(1, dtype=np.int8),
        suited=np.array([suited]),
        odd=np.array([odd], dtype=np.int8),
    )


def one_kept(hand: list[int]) -> Kept:
    """A hand of the player, nothing of which is kept."""
    different = [rank for rank in range(13) if hand[rank]]
    return Kept(
        ranks=np.zeros(13, dtype=np.int8),
        key=np.uint64(0),
        size=0,
        standing=0,
        thrown=np.zeros(1, dtype=np.int64),
        hands=np.array([hand], dtype=np.int8),
        different=np.array([(different + [13] * 5)[:5]], dtype=np.int8),
    )


ONE = np.ones((1, 1), dtype=np.int64)


@pytest.mark.parametrize("compiled", [True, False])
def test_suits_of_ranks_beside_another_hand(compiled: bool) -> None:
    add = add_plain_row if compiled else add_plain_row.py_func
    hand, other = [0] * 13, [0] * 13
    for mine, taken in product(range(4), range(5)):
        hand[3], other[3] = mine, taken
        hand[7], other[7] = 1, 2
        left = [suit for suit in range(4) if suit >= taken]
        chosen = sum(1 for mask in range(16) if mask.bit_count() == mine and _within(mask, left))
        ways = np.zeros((1, 1), dtype=np.int64)
        add(one_row(hand, PLAIN), 0, one_kept(other), ONE[0], 4, ONE, ways)
        assert ways[0, 0] == 2 * chosen


def _within(mask: int, suits: list[int]) -> bool:
    return all(suit in suits for suit in range(4) if mask >> suit & 1)


@pytest.mark.parametrize("compiled", [True, False])
def test_patterns_name_the_ranks_of_a_hand(compiled: bool) -> None:
    """The player has ranks 1, 4 and 12; the dealer four of a suit, and one more card."""
    add = add_suited_row if compiled else add_suited_row.py_func
    player = [0] * 13
    player[1], player[4], player[12] = 2, 2, 1
    four = 1 << 4 | 1 << 5 | 1 << 6 | 1 << 9
    found = np.zeros((1, 32, 1), dtype=np.int64)
    add(one_row([0] * 13, FOUR_SUITED, four, 12), 0, one_kept(player), ONE[0], 4, ONE, found)
    assert {int(n): int(found[0, n, 0]) for n in np.flatnonzero(found)} == {0b10: 3, 0b110: -1}
