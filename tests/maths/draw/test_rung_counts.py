"""The results of Ultimate Draw by the dealer's final hand, against plain enumeration."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from openfelt.cards import Card
from openfelt.maths.draw.ante_results import deals_of
from openfelt.maths.draw.hold_lines import basic_draw_lines, held_by_lines
from openfelt.maths.draw.holds import DrawHolds, Holds, draw_holds
from openfelt.maths.draw.house_way_ante import count_house_way_ante
from openfelt.maths.draw.rung_counts import count_rung_results, rung_frequencies, rung_nets
from tests.kit.maths.games import small_deck
from tests.kit.maths.rung_draws import RUNGS, RungDraw, RungReferee

pytestmark = pytest.mark.usefixtures("own_cache")


def holds_of(ranks: str, suits: int) -> DrawHolds:
    return draw_holds(tuple(card.number for card in small_deck(ranks, suits)))


def texts(numbers: list[int]) -> tuple[str, ...]:
    return tuple(str(Card(number)) for number in numbers)


def some_holds(hand: list[int], random: np.random.Generator) -> list[int]:
    """A hold of each number of cards, of one suit where there is one."""
    chosen = []
    for size in range(6):
        of_size = [hold for hold in range(32) if hold.bit_count() == size]
        suits = [{card & 3 for p, card in enumerate(hand) if hold >> p & 1} for hold in of_size]
        suited = [hold for hold, held in zip(of_size, suits, strict=True) if len(held) <= 1]
        chosen.append(int(random.choice(suited or of_size)))
    return chosen


def counted_nets(holds: DrawHolds, row: int, hold: int) -> list[int]:
    chosen = np.array([hold], dtype=np.uint8)
    return rung_nets(holds, np.array([row]), chosen, np.array([1]), workers=1)


@pytest.mark.parametrize(
    ("ranks", "suits", "hands"),
    [
        ("23JKA", 3, 8),
        ("2TJQKA", 3, 2),
        ("A2345JQK", 2, 4),
        pytest.param("A23456", 3, 6, marks=pytest.mark.sweep),
        pytest.param("6789TJQK", 2, 12, marks=pytest.mark.sweep),
        pytest.param("23JKA", 4, 4, marks=pytest.mark.sweep),
        pytest.param("2345A", 4, 4, marks=pytest.mark.sweep),
    ],
)
def test_classes_win_and_lose_by_rung_as_enumeration_says(
    ranks: str, suits: int, hands: int
) -> None:
    slow = RungDraw(small_deck(ranks, suits))
    holds = holds_of(ranks, suits)
    random = np.random.default_rng(7)
    for row in random.choice(len(holds.hands), size=hands, replace=False).tolist():
        hand = holds.hands[row].tolist()
        chosen = some_holds(hand, random)
        for hold, nets in zip(chosen, slow.rung_nets(slow.mask_of(hand), chosen), strict=True):
            assert counted_nets(holds, row, hold) == nets, (texts(hand), hold)


def strategies(holds: DrawHolds) -> list[Holds]:
    """The house way, the basic strategy, and holds at random."""
    basic = held_by_lines(basic_draw_lines(), holds.hands)
    random = np.random.default_rng(3).integers(32, size=len(holds.hands)).astype(np.uint8)
    return [holds.house_way, basic, random]


def test_classes_win_and_lose_by_rung_as_the_referee_says() -> None:
    holds = holds_of("23JKA", 3)
    referee = RungReferee(texts(holds.classes.deck.tolist()))
    random = np.random.default_rng(11)
    for row in random.choice(len(holds.hands), size=4, replace=False).tolist():
        hand = holds.hands[row].tolist()
        hold = int(random.choice(some_holds(hand, random)))
        held = [card for place, card in enumerate(hand) if hold >> place & 1]
        _, nets = referee.rung_nets(texts(hand), texts(held))
        assert counted_nets(holds, row, hold) == [nets[rung] for rung in range(RUNGS)]


@pytest.mark.sweep
@pytest.mark.parametrize("ranks", ["23JKA", "A2345"])
def test_strategies_win_and_lose_by_rung_as_the_referee_says(ranks: str) -> None:
    """Over all deals of 15 cards."""
    holds = holds_of(ranks, 3)
    referee = RungReferee(texts(holds.classes.deck.tolist()))
    times = holds.classes.hands.counts.tolist()
    every = deals_of(10) * sum(times)
    for chosen in strategies(holds):
        often, nets = Counter[int](), Counter[int]()
        for row, hand in enumerate(holds.hands.tolist()):
            held = [card for place, card in enumerate(hand) if chosen[row] >> place & 1]
            counts = referee.rung_nets(texts(hand), texts(held))
            for total, part in zip((often, nets), counts, strict=True):
                total.update({rung: n * times[row] for rung, n in part.items()})
        for rung, counted in enumerate(count_rung_results(holds, chosen, workers=1)):
            assert counted.often == Fraction(often[rung], every)
            assert counted.win_less_lose == Fraction(nets[rung], every)


def test_the_house_way_loses_by_rung_as_the_symmetry_says() -> None:
    """Wins less losses of all rungs up to one, from deals in which both hands would qualify."""
    slow, holds = RungDraw(small_deck("23JKA", 3)), holds_of("23JKA", 3)
    counted = count_rung_results(holds, holds.house_way, workers=1)
    ante = count_house_way_ante(tuple(holds.classes.deck.tolist()), workers=1)
    both = slow.both_below()
    assert both[0] == ante.both_unqualified
    unqualified, nets = ante.unqualified, -ante.lost_to_dealer
    for rung, below in zip(counted, both[1:], strict=True):
        unqualified, nets = unqualified + rung.often, nets - rung.win_less_lose
        assert nets == below - unqualified


@pytest.mark.parametrize(("ranks", "suits"), [("23JKA", 4), ("2TJQKA", 3), ("6789TJQK", 2)])
def test_the_dealer_ends_on_each_rung_as_enumeration_says(ranks: str, suits: int) -> None:
    slow, holds = RungDraw(small_deck(ranks, suits)), holds_of(ranks, suits)
    total = np.zeros(RUNGS)
    whole = sum(1 << place for place in range(len(slow.deck)))
    finals = np.array([mask for mask, rung in enumerate(slow.rung) if rung >= 0])
    for mask, held in slow.held.items():
        # The draws are the other cards of a final hand that has none of the discards.
        ends = finals[(finals & held == held) & (finals & (mask & ~held) == 0)]
        drawn = 5 - held.bit_count()
        left = (whole & ~mask).bit_count()
        share = 1 / np.prod([(left - n) / (n + 1) for n in range(drawn)])
        total += np.bincount(slow.rung[ends], minlength=RUNGS) * share
    counted = [float(often) for often in rung_frequencies(holds)]
    assert counted == pytest.approx((total / len(slow.held)).tolist())
