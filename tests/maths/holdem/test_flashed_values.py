"""What seeing cards of the dealer is worth."""

import math
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from openfelt.cards import FULL_DECK, Card
from openfelt.maths import HoldemTerms, advise, solve_holdem, stored_counts
from openfelt.maths.holdem import flashed_values as flashed
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.holdem.flashed_values import (
    PUBLISHED,
    FlashedValue,
    Seen,
    dealt_classes,
    flashed_values,
    known_flashed_value,
    price_dealt,
)
from openfelt.maths.parallel import Progress
from tests.kit.maths.games import ODD, USUAL, small_deck
from tests.kit.maths.slow_flashed import slow_out_of_play, slow_own_decks, slow_value

KEPT = tuple(kind for kind in Seen if known_flashed_value(kind, USUAL) is not None)
PLACES = {
    Seen.DEALER_CARD: (1, "none"),
    Seen.DEALER_AND_FLOP_CARD: (1, "flop"),
    Seen.DEALER_AND_TURN_CARD: (1, "turn"),
    Seen.BOTH_DEALER_CARDS: (2, "none"),
}


@pytest.mark.parametrize(
    ("terms", "ranks", "suits"),
    # Two suits of five ranks make flushes and straights, three ranks in four suits full houses.
    [
        (USUAL, "9TJQK", 2),
        pytest.param(ODD, "23456", 2, marks=pytest.mark.sweep),
        pytest.param(ODD, "8QK", 4, marks=pytest.mark.sweep),
    ],
)
def test_small_decks_by_plain_enumeration(terms: HoldemTerms, ranks: str, suits: int) -> None:
    deck = small_deck(ranks, suits)
    found = flashed_values(list(PLACES), terms, deck=[card.number for card in deck])
    for kind, (known, place) in PLACES.items():
        assert found[kind].ev_per_ante == slow_value(terms, deck, known, place), kind


@pytest.mark.parametrize(
    ("kind", "count", "terms", "ranks", "suits"),
    [
        (Seen.OTHER_CARD, 1, USUAL, "TJQKA", 2),
        (Seen.OTHER_CARD, 1, ODD, "23456", 2),
        pytest.param(Seen.OTHER_CARD, 1, USUAL, "8QK", 4, marks=pytest.mark.sweep),
        pytest.param(Seen.TWO_HANDS, 2, USUAL, "9TJQKA", 2, marks=pytest.mark.sweep),
        pytest.param(Seen.TWO_HANDS, 2, ODD, "8QK", 4, marks=pytest.mark.sweep),
    ],
)
def test_cards_out_of_play_on_small_decks_by_plain_enumeration(
    kind: Seen, count: int, terms: HoldemTerms, ranks: str, suits: int
) -> None:
    deck = small_deck(ranks, suits)
    found = flashed_values([kind], terms, deck=[card.number for card in deck])
    assert found[kind].ev_per_ante == slow_out_of_play(terms, deck, count)


@pytest.mark.variant
def test_a_hand_of_another_terminal_is_worth_what_its_new_cards_are() -> None:
    """Of eleven cards, four are left for each copy: six hands, four with one card of the first.

    With 52 cards, 45 are left, and the same argument gives 903, 86 and 1 of 990.
    """
    deck = small_deck("9TJQKA", 2)[:11]
    values = [slow_out_of_play(USUAL, deck, count) for count in range(3)]
    left = len(deck) - 7
    weights = (1, 2 * (left - 2), math.comb(left - 2, 2))
    assert sum(weights) == math.comb(left, 2)
    expected = sum(weight * value for weight, value in zip(weights, values, strict=True))
    seen = slow_own_decks(USUAL, deck, same_terminal=False)
    assert seen == expected / math.comb(left, 2)
    assert values[0] < seen < values[2]
    # Both hands from one copy: the same as from one shared deck.
    assert slow_own_decks(USUAL, deck, same_terminal=True) == values[2]
    assert (1, 2 * 43, math.comb(43, 2), math.comb(45, 2)) == (1, 86, 903, 990)


@pytest.mark.parametrize(
    ("hole", "dealer"),
    [("Ah Kh", "Qh Jh"), ("7c 2d", "7d 7h"), ("9s 8s", "Ts 3d"), ("5d 5c", "Ac")],
)
def test_hands_of_the_whole_deck_as_the_adviser_counts_them(hole: str, dealer: str) -> None:
    cards = [[Card.parse(text) for text in words.split()] for words in (hole, dealer)]
    advice = advise(cards[0], dealer=cards[1], workers=1)
    numbers = tuple(tuple(sorted(card.number for card in part)) for part in cards)
    best = price_dealt(USUAL, FULL_DECK_NUMBERS, (numbers[0], numbers[1]))
    assert best == advice.values[advice.best]


def test_classes_stand_for_all_hands() -> None:
    for known in (1, 2):
        classes = dealt_classes(FULL_DECK_NUMBERS, known)
        assert sum(classes.values()) == 1326 * math.comb(50, known)
    assert len(FULL_DECK) == 52
    assert all(set(hole).isdisjoint(dealer) for hole, dealer in dealt_classes(range_deck(), 2))


def range_deck() -> tuple[int, ...]:
    return tuple(card.number for card in small_deck("23456", 3))


def test_more_seen_is_worth_more() -> None:
    deck = [card.number for card in small_deck("9TJQKA", 2)]
    found = flashed_values(list(Seen), USUAL, deck=deck)
    values = {kind: value.ev_per_ante for kind, value in found.items()}
    assert values[Seen.DEALER_CARD] < values[Seen.DEALER_AND_FLOP_CARD]
    assert values[Seen.DEALER_AND_FLOP_CARD] < values[Seen.DEALER_AND_TURN_CARD]
    assert values[Seen.DEALER_CARD] < values[Seen.BOTH_DEALER_CARDS]
    alone = solve_holdem(USUAL, deck=deck).ev_per_ante
    assert alone <= values[Seen.OTHER_CARD] <= values[Seen.TWO_HANDS]
    assert isinstance(values[Seen.DEALER_CARD], Fraction)


def test_an_interrupted_count_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_counts, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(flashed, "_BLOCK", 16)
    deck = [card.number for card in small_deck("9TJQK", 2)]
    kinds = [Seen.DEALER_CARD, Seen.DEALER_AND_TURN_CARD]
    resumed: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise InterruptedError

    def count(workers: int, progress: Progress | None = None) -> Mapping[Seen, FlashedValue]:
        return flashed_values(
            kinds,
            deck=deck,
            workers=workers,
            progress=progress,
            kept=True,
            resumed=lambda *amounts: resumed.append(amounts),
        )

    with pytest.raises(InterruptedError):
        count(1, stop)
    assert resumed == []
    again = count(2)
    assert again == flashed_values(kinds, deck=deck)
    classes = again[Seen.DEALER_CARD].classes
    assert len(resumed) == 1
    assert classes // 3 < resumed[0][0] < classes
    # A finished count is not made again, and other terms or cards are another count.
    monkeypatch.setattr(flashed, "sum_flops", None)
    assert count(1) == again
    assert resumed[1] == (classes, classes)
    with pytest.raises(TypeError):
        flashed_values(kinds, ODD, deck=deck, kept=True)
    with pytest.raises(TypeError):
        flashed_values([Seen.OTHER_CARD], deck=deck, kept=True)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KEPT)
def test_kept_values_are_counted_again(kind: Seen) -> None:
    kept = known_flashed_value(kind, USUAL)
    assert kept is not None
    assert flashed_values([kind], USUAL, workers=2)[kind].ev_per_ante == kept


def test_published_values_are_reproduced() -> None:
    assert set(PUBLISHED) <= set(KEPT)
    for kind in PUBLISHED:
        kept = known_flashed_value(kind, USUAL)
        assert kept is not None
        assert f"{float(kept):.4%}" == PUBLISHED[kind]
        assert known_flashed_value(kind, ODD) is None
