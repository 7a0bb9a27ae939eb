"""The results of every hold of Ultimate Draw, against plain enumeration with real cards."""

from itertools import islice

import numpy as np
import pytest

from openfelt.cards import Card, parse_cards
from openfelt.maths.draw.ante_results import Results, count_hold_results, deals_of
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.hold_results import LOSE, UNQUALIFIED, WIN
from openfelt.maths.kernels.house_way import house_way_hold, read_after_draw
from tests.kit.maths.games import small_deck
from tests.kit.maths.slow_draw import SmallDraw


def numbers(cards: list[Card]) -> tuple[int, ...]:
    return tuple(card.number for card in cards)


def every_nth_hand(slow: SmallDraw, step: int) -> list[int]:
    return list(islice(slow.representatives(list(slow.held)), 0, None, step))


@pytest.mark.parametrize(
    ("ranks", "suits", "step"),
    [
        ("23456789", 2, 900),
        ("9TJQKA23", 2, 900),
        ("23JKA", 3, 90),
        ("A2345", 3, 90),
        pytest.param("234789JA", 2, 50, marks=pytest.mark.sweep),
        pytest.param("9TJQKA", 3, 200, marks=pytest.mark.sweep),
        pytest.param("2345JA", 3, 200, marks=pytest.mark.sweep),
        pytest.param("A2345", 4, 1500, marks=pytest.mark.sweep),
    ],
)
def test_every_hold_fares_as_enumeration_says(ranks: str, suits: int, step: int) -> None:
    deck = small_deck(ranks, suits)
    slow = SmallDraw(deck)
    for mask in every_nth_hand(slow, step):
        hand = [card for place, card in enumerate(deck) if mask >> place & 1]
        found = count_hold_results(numbers(hand), deck=numbers(deck), workers=1)
        assert found.tolist() == slow.hold_results(mask).tolist(), hand


def test_seen_cards_are_never_dealt() -> None:
    deck = small_deck("23456JKA", 2)
    slow = SmallDraw(deck)
    for text, gone in (
        ("2c 3c 4c Jc Kd", "Ac"),
        ("Jc Kc Ac 2d 3d", "2c"),
        ("2c 2d 5c Kd Ac", "Kc"),
    ):
        hand, seen = parse_cards(text), parse_cards(gone)
        mask, out = (sum(1 << deck.index(card) for card in some) for some in (hand, seen))
        found = count_hold_results(
            numbers(list(hand)), seen=numbers(list(seen)), deck=numbers(deck), workers=2
        )
        assert found.tolist() == slow.hold_results(mask, seen=out).tolist()


def test_a_deck_that_is_too_small_is_refused() -> None:
    deck = numbers(small_deck("23456789", 2))
    with pytest.raises(ValueError, match="need 15 cards that are not seen"):
        count_hold_results(deck[:5], seen=deck[5:7], deck=deck)


@pytest.mark.sweep
@pytest.mark.parametrize("text", ["Ks Qd 9s 5h 2s", "Ks Qs 9s 5s 2h", "8c 8d 9h Th Jh"])
def test_full_deck_hands_agree_with_simulated_deals(text: str) -> None:
    """Each of the 96 frequencies lies within five standard errors of 200,000 random deals."""
    hand = sorted(numbers(list(parse_cards(text))))
    rounds = 200_000
    seen = simulate_holds(hand, rounds)
    exact = count_hold_results(hand) / deals_of()
    error = np.sqrt(exact * (1 - exact) / rounds) + 1e-9
    assert (np.abs(seen / rounds - exact) < 5 * error + 5 / rounds).all()


def simulate_holds(hand: list[int], rounds: int) -> Results:
    random = np.random.default_rng(18)
    rest = np.array([card for card in range(52) if card not in hand])
    order = np.argsort(random.random((rounds, 47)), axis=1)[:, :10]
    reading, cards = reading_tables(), np.array(hand)
    final = np.zeros(5, dtype=np.int64)
    results = np.zeros((32, 3), dtype=np.int64)
    for deal in rest[order]:
        dealer, common = deal[:5].copy(), deal[5:].copy()
        against = read_after_draw(dealer, house_way_hold(dealer, reading), common, final, reading)
        if reading.categories[against] == 0:
            results[:, UNQUALIFIED] += 1
            continue
        for hold in range(32):
            own = read_after_draw(cards, hold, common, final, reading)
            if own != against:
                results[hold, WIN if own > against else LOSE] += 1
    return results
