"""Ultimate Draw solved on small decks: against the exact count of every hold of every class."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from openfelt.cards import Category, parse_cards
from openfelt.maths.draw import flush_counts, rank_solution
from openfelt.maths.draw.ante_results import (
    DrawQuestion,
    count_hold_results,
    flush_results,
)
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.draw_solution import DrawSolution, solve_draw
from openfelt.maths.draw.holds import Holds
from openfelt.maths.draw.rank_counts import Keep, count_kept_ranks, full_ranks
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.kernels.hold_results import LOSE, UNQUALIFIED, WIN
from openfelt.maths.wagers.side_bet_figures import LOSS
from tests.kit.maths.games import small_deck

pytestmark = pytest.mark.usefixtures("own_cache")

TERMS = DrawTerms(
    Fraction(1, 2),
    {
        Category.FLUSH: Fraction(1),
        Category.FULL_HOUSE: Fraction(2),
        Category.STRAIGHT: Fraction(1, 3),
    },
)
BONUS = dict.fromkeys(Category, LOSS) | {Category.TWO_PAIR: Fraction(1, 2)}


@pytest.fixture(scope="module")
def solution() -> DrawSolution:
    return solve("23JKA", 3)


@pytest.fixture(scope="module")
def every_hold(solution: DrawSolution) -> npt.NDArray[np.int64]:
    return count_all(solution)


def solve(ranks: str, suits: int) -> DrawSolution:
    return solve_draw([card.number for card in small_deck(ranks, suits)], workers=1)


def count_all(solution: DrawSolution) -> npt.NDArray[np.int64]:
    """Every hold of every class, by the count of one hand, which equals enumeration."""
    deck = tuple(solution.holds.classes.deck.tolist())
    hands = solution.holds.hands.tolist()
    return np.array([count_hold_results(hand, deck=deck, workers=1) for hand in hands])


def value_of(
    solution: DrawSolution,
    results: npt.NDArray[np.int64],
    held: Holds | None = None,
    bonus: dict[Category, Fraction] | None = None,
) -> Fraction:
    """The value of some holds, or of the best ones, from all results as they stand."""
    values, scale = solution.rank_values(TERMS, bonus)
    ranks = solution.ranks.results
    values = values - scale * (ranks[:, :, WIN] - ranks[:, :, LOSE])
    values = values + scale * (results[:, :, WIN] - results[:, :, LOSE])
    chosen = values.max(axis=1) if held is None else values[np.arange(len(held)), held]
    counts = solution.holds.classes.hands.counts.tolist()
    total = sum(int(value) * count for value, count in zip(chosen, counts, strict=True))
    none = sum(
        int(deals) * count for deals, count in zip(results[:, 0, UNQUALIFIED], counts, strict=True)
    )
    every = solution.deals * sum(counts)
    return Fraction(total, scale * every) + TERMS.unqualified_pays * Fraction(none, every)


def test_the_best_holds_are_worth_what_the_count_of_every_hold_says(
    solution: DrawSolution, every_hold: npt.NDArray[np.int64]
) -> None:
    best = solution.best(TERMS, workers=1)
    assert solution.value(best.holds, TERMS) == value_of(solution, every_hold)
    assert value_of(solution, every_hold, best.holds) == value_of(solution, every_hold)
    assert best.gain > 0
    assert best.counted < len(best.holds)


def test_the_house_way_is_worth_what_its_own_count_says(
    solution: DrawSolution, every_hold: npt.NDArray[np.int64]
) -> None:
    """That count uses a symmetry and compares no hands."""
    house_way = solution.holds.house_way
    assert solution.value(house_way, TERMS) == value_of(solution, every_hold, house_way)


def test_other_holds_are_best_with_a_bonus(
    solution: DrawSolution, every_hold: npt.NDArray[np.int64]
) -> None:
    best = solution.best(TERMS, BONUS, workers=1)
    value = solution.value(best.holds, TERMS, BONUS)
    assert value == value_of(solution, every_hold, bonus=BONUS)
    assert (best.holds != solution.best(TERMS, workers=1).holds).any()


def test_any_strategy_is_priced(solution: DrawSolution, every_hold: npt.NDArray[np.int64]) -> None:
    holds = np.random.default_rng(18).integers(32, size=len(solution.holds.hands)).astype(np.uint8)
    assert solution.value(holds, TERMS) == value_of(solution, every_hold, holds)


@pytest.mark.sweep
@pytest.mark.parametrize(("ranks", "suits"), [("A2345", 3), ("23JKA", 4), ("5678QK", 3)])
def test_larger_decks_are_solved_as_every_hold_says(ranks: str, suits: int) -> None:
    larger = solve(ranks, suits)
    results = count_all(larger)
    best = larger.best(TERMS, workers=1)
    assert larger.value(best.holds, TERMS) == value_of(larger, results)


def test_ranks_decide_the_rest_of_every_hold(
    solution: DrawSolution, every_hold: npt.NDArray[np.int64]
) -> None:
    """Ranks and drawn flushes together are the count of every hold, class by class.

    A loss that is the same for all holds of a class is left out.
    """
    rows = list(range(0, len(solution.holds.hands), 9))
    changes = solution.flushes.count({row: range(32) for row in rows}, workers=1)
    for row in rows:
        found = solution.ranks.results[row] + [changes[row, hold] for hold in range(32)]
        missing = every_hold[row, :, :UNQUALIFIED] - found
        assert not missing[:, WIN].any()
        assert len(set(missing[:, LOSE].tolist())) == 1


@pytest.mark.sweep
@pytest.mark.parametrize("text", ["Ks Qs 9s 5s 2h", "8c 8d 9h Th Jh", "2s 4s 5s 9s Ks"])
def test_ranks_decide_the_rest_of_holds_of_the_full_deck(text: str) -> None:
    """Of holds that draw three cards at most, the count by ranks takes seconds."""
    hand = sorted(card.number for card in parse_cards(text))
    question = DrawQuestion(tuple(hand), (), FULL_DECK_NUMBERS)
    exact = count_hold_results(hand)
    exact = exact - sum(flush_results(question, range(32), suit) for suit in range(4))
    ranks = [card >> 2 for card in hand]
    different = sorted(set(ranks))
    flush = len({card & 3 for card in hand}) == 1
    patterns = [
        sum(1 << different.index(card >> 2) for card in hand if card & 3 == suit)
        for suit in range(4)
    ]
    full = full_ranks(FULL_DECK_NUMBERS)
    for hold in range(32):
        kept = tuple(rank for place, rank in enumerate(ranks) if hold >> place & 1)
        if len(kept) < 2:
            continue
        thrown = tuple(rank for place, rank in enumerate(ranks) if not hold >> place & 1)
        counts = count_kept_ranks(full, Keep(kept, flush=flush and hold == 31))
        row = counts.thrown[thrown]
        found = counts.plain[row] + counts.by_pattern[row, patterns].sum(axis=0)
        assert found.tolist() == exact[hold, : len(found)].tolist(), hold


def test_limits_hold_before_flushes_are_counted(
    solution: DrawSolution, every_hold: npt.NDArray[np.int64], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each value lies between its limits, but for what is the same for all holds of a class."""
    limits = solution.limits(TERMS)
    flushes = every_hold - np.insert(solution.ranks.results, UNQUALIFIED, 0, axis=2)
    changes = limits.scale * (flushes[:, :, WIN] - flushes[:, :, LOSE])
    spread = (limits.values + changes)[:, :, None] - (limits.values + changes)[:, None, :]
    assert (spread <= limits.most[:, :, None] - limits.least[:, None, :]).all()
    gain = solution.best(TERMS, workers=1).gain
    assert solution.best_gain_limits(TERMS) == (gain, gain)
    monkeypatch.setattr(solution.flushes, "known", lambda wanted: {})
    low, high = solution.best_gain_limits(TERMS)
    assert 0 < low < gain < high


def test_odds_too_fine_to_sum_exactly_are_refused(solution: DrawSolution) -> None:
    with pytest.raises(ValueError, match="too finely divided"):
        solution.rank_values(TERMS.changed("flush", Fraction(1, 10**15)))


def test_a_deck_with_uneven_suits_is_refused() -> None:
    deck = [card.number for card in small_deck("23456789", 2)]
    with pytest.raises(ValueError, match="every one of its ranks"):
        solve_draw(deck[:-1])


def test_a_count_goes_on_where_it_stopped(
    solution: DrawSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = solution.best(TERMS, workers=1)
    monkeypatch.setattr(rank_solution, "count_kept_ranks", None)
    monkeypatch.setattr(flush_counts, "SameRanks", None)
    again = solve("23JKA", 3)
    assert np.array_equal(again.ranks.results, solution.ranks.results)
    assert again.best(TERMS, workers=1).gain == best.gain


def test_an_altered_piece_is_counted_again(solution: DrawSolution, own_cache: Path) -> None:
    for path in own_cache.glob("draw-ranks-*/piece-*.bin"):
        content = bytearray(path.read_bytes())
        content[40] ^= 1
        path.write_bytes(content)
    assert np.array_equal(solve("23JKA", 3).ranks.results, solution.ranks.results)
