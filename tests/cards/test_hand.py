"""The plain evaluator against the published counts and against a slow reference.

The reference counts ranks, sorts them and compares tuples; it shares neither code
nor method with the evaluator, which looks masks of bits up in tables.
"""

import pickle
import random
import tomllib
from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openfelt.cards import FULL_DECK, Card, Category, Hand, Rank, Suit, evaluate, parse_cards
from openfelt.cards.hand import hand_strength
from tests.kit.cases import case
from tests.kit.repository import KNOWN_VALUES

Worth = tuple[str, tuple[int, ...]]


def published(name: str) -> dict[str, Any]:
    return tomllib.loads((KNOWN_VALUES / f"{name}_card_counts.toml").read_text(encoding="utf-8"))


ORDER = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
SHAPES = {
    (1, 1, 1, 1, 1): "high card",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two pair",
    (3, 1, 1): "three of a kind",
    (3, 2): "full house",
    (4, 1): "four of a kind",
}


def slow_worth(cards: tuple[Card, ...]) -> Worth:
    """The category of five cards and the ranks that decide, most frequent first."""
    count = Counter(int(card.rank) for card in cards)
    by_weight = sorted(count.items(), key=lambda item: (item[1], item[0]), reverse=True)
    ranks = tuple(rank for rank, _ in by_weight)
    shape = SHAPES[tuple(number for _, number in by_weight)]
    if len(ranks) < 5:
        return shape, ranks
    if ranks == (14, 5, 4, 3, 2):
        ranks = (5, 4, 3, 2, 1)
    in_sequence = ranks[0] - ranks[4] == 4
    if len({card.suit for card in cards}) > 1:
        return ("straight" if in_sequence else shape), ranks
    if not in_sequence:
        return "flush", ranks
    return ("royal flush" if ranks[0] == 14 else "straight flush"), ranks


def slow_order(worth: Worth) -> tuple[int, tuple[int, ...]]:
    return ORDER.index(worth[0]), worth[1]


# One hand of every worth first, then every hand against those.


@cache
def one_of_each() -> dict[Worth, int]:
    """The strength of one hand of every worth: all rank patterns unsuited, then suited."""
    found = {}
    for ranks in combinations_with_replacement(Rank, 5):
        if max(Counter(ranks).values()) <= 4:
            # A step of one suit from card to card never gives the same card twice,
            # since equal ranks stand side by side; and it never gives a flush.
            cards = tuple(Card.of(rank, Suit(n % 4)) for n, rank in enumerate(ranks))
            found[slow_worth(cards)] = hand_strength(cards)
    for ranks in combinations(Rank, 5):
        cards = tuple(Card.of(rank, Suit.HEARTS) for rank in ranks)
        found[slow_worth(cards)] = hand_strength(cards)
    return found


@pytest.mark.clause("C.ranking.3", "O.ranking.order", "O.ranking.ace", "C.ranking.3.4")
def test_the_7462_different_hands_are_in_order() -> None:
    strengths = [one_of_each()[worth] for worth in sorted(one_of_each(), key=slow_order)]
    assert len(strengths) == published("five")["distinct_strengths"]
    assert all(low < high for low, high in pairwise(strengths))


# Chunks of similar length, by the lowest card of the hand.
CHUNKS = [(0, 2), (2, 4), (4, 6), (6, 9), (9, 13), (13, 18), (18, 48)]


@pytest.mark.sweep
@pytest.mark.parametrize(("first", "end"), CHUNKS)
def test_every_five_card_hand_is_worth_what_the_slow_reference_says(first: int, end: int) -> None:
    expected = one_of_each()
    for low in range(first, end):
        lowest = FULL_DECK[low]
        for others in combinations(FULL_DECK[low + 1 :], 4):
            cards = (lowest, *others)
            assert hand_strength(cards) == expected[slow_worth(cards)], cards


@pytest.mark.sweep
def test_all_five_card_hands_are_counted_as_published() -> None:
    known = published("five")
    strengths = Counter(map(hand_strength, combinations(FULL_DECK, 5)))
    categories: Counter[str] = Counter()
    for strength, count in strengths.items():
        categories[Category(strength >> 20).words] += count
    assert len(strengths) == known["distinct_strengths"]
    assert categories == known["counts"]
    assert categories.total() == known["hands"]


@pytest.mark.parametrize("name", ["five", "seven"])
def test_the_published_counts_add_up(name: str) -> None:
    known = published(name)
    assert sum(known["counts"].values()) == known["hands"]
    assert set(known["counts"]) == set(ORDER)


# Six and seven cards.

SIX_OR_SEVEN = st.integers(6, 7).flatmap(
    lambda size: st.permutations(FULL_DECK).map(lambda deck: tuple(deck[:size]))
)


def best_of_all_fives(cards: tuple[Card, ...]) -> Worth:
    return max(map(slow_worth, combinations(cards, 5)), key=slow_order)


@pytest.mark.clause(
    "R.1",
    "W.overview.best_hand",
    "O.overview.best_hand",
    "S.overview.best_hand",
    "S.13",
    "C.standards.best_hand",
    "C.10.2",
    "C.7",
    "O.ranking.highest",
)
@settings(deadline=None, max_examples=300)
@given(SIX_OR_SEVEN)
def test_the_best_five_of_six_or_seven(cards: tuple[Card, ...]) -> None:
    hand = evaluate(cards)
    best = best_of_all_fives(cards)
    assert hand.strength == one_of_each()[best]
    assert slow_worth(hand.cards) == best
    assert len(set(hand.cards)) == 5
    assert set(hand.cards) <= set(cards)


@pytest.mark.parametrize("size", [6, 7])
def test_the_best_five_of_many_random_deals(size: int) -> None:
    rng = random.Random(size)
    categories: Counter[str] = Counter()
    for _ in range(4000):
        cards = tuple(rng.sample(FULL_DECK, size))
        best = best_of_all_fives(cards)
        assert hand_strength(cards) == one_of_each()[best], cards
        categories[best[0]] += 1
    assert len(categories) >= 8


# Seven cards made to hold several hands at once: the best one counts.
CROWDED = [
    ("As Ks Qs Js Ts 9s 8s", "royal flush", "As Ks Qs Js Ts"),
    ("9s Ks Qs Js Ts As Ad", "royal flush", "As Ks Qs Js Ts"),
    ("9s Ks Qs Js Ts 8s Ad", "straight flush", "Ks Qs Js Ts 9s"),
    ("As 2s 3s 4s 5s 6s 7d", "straight flush", "6s 5s 4s 3s 2s"),
    ("As 2s 3s 4s 5s 6d 7d", "straight flush", "5s 4s 3s 2s As"),
    ("4c 4d 4h 4s Kc Kd Kh", "four of a kind", "4c 4d 4h 4s Kc"),
    ("4c 4d 4h 4s 2c 2d 3h", "four of a kind", "4c 4d 4h 4s 3h"),
    ("Kc Kd Kh 4c 4d 4h 2s", "full house", "Kc Kd Kh 4c 4d"),
    ("4c 4d 4h Kc Kd Qh Qs", "full house", "4c 4d 4h Kc Kd"),
    ("Ah Kh 9h 4h 2h As Ac", "flush", "Ah Kh 9h 4h 2h"),
    ("Ah Kh 9h 8h 7h 6h 2h", "flush", "Ah Kh 9h 8h 7h"),
    ("6h 7d 8c 9s Th Ts Tc", "straight", "Th 9s 8c 7d 6h"),
    ("Ah 2d 3c 4s 5h 6h 9d", "straight", "6h 5h 4s 3c 2d"),
    ("Ah 2d 3c 4s 5h Kh Kd", "straight", "5h 4s 3c 2d Ah"),
    ("Ah Kd Qc Js Th 2h 3d", "straight", "Ah Kd Qc Js Th"),
    ("Kh Ad 2c 3s 4h Qh Jd", "high card", "Ad Kh Qh Jd 4h"),
    ("9h 9d 9c As Kh 4d 2c", "three of a kind", "9h 9d 9c As Kh"),
    ("Ah Ad Kc Ks Qh Qd 2c", "two pair", "Ah Ad Kc Ks Qh"),
    ("Ah Ad Kc Ks Qh Jd 2c", "two pair", "Ah Ad Kc Ks Qh"),
    ("2h 2d 3c 3s 4h 4d Ac", "two pair", "4h 4d 3c 3s Ac"),
    ("8h 8d Ac 3s 4h 9d Kc", "pair", "8h 8d Ac Kc 9d"),
    ("8h 7d Ac 3s 4h 9d Kc", "high card", "Ac Kc 9d 8h 7d"),
]


@pytest.mark.parametrize(("cards", "category", "used"), CROWDED)
def test_the_best_hand_and_the_five_cards_that_make_it(
    cards: str, category: str, used: str
) -> None:
    hand = evaluate(parse_cards(cards))
    assert hand.category.words == category
    assert hand.cards == parse_cards(used)


# Comparisons.

BETTER_FIRST = [
    case("As Ad 2c 3h 4d", "Ks Kd Ac Qh Jd", proves="C.ranking.3.1"),
    case("As Ad 2c 2h 3d", "Ks Kd Qc Qh Ad", proves="C.ranking.3.2"),
    case("As Ad 3c 3h 2d", "Ac Ah 2s 2h Kd", proves="C.ranking.3.2"),
    case("As Ad 3c 3h Kd", "Ac Ah 3s 3d Qd", proves="C.ranking.3.2"),
    case("9s 9d 9c 3h Kd", "8s 8d 8c Ah Kd", proves="C.ranking.3.3"),
    case("Ts 9d 8c 7h 6d", "9s 8d 7c 6h 5d", proves="C.ranking.3.4"),
    case("6s 5d 4c 3h 2d", "5s 4d 3c 2h Ad", proves="C.ranking.3.4"),
    case("Ks 9s 8s 4s 3s", "Kh 9h 8h 4h 2h", proves="C.ranking.3.5"),
    case("3s 3d 3c 2h 2d", "2s 2d 2c Ah Ad", proves="C.ranking.3.6"),
    case("3s 3d 3c 3h 2d", "2s 2d 2c 2h Ad", proves="C.ranking.3.7"),
    case("9s 8s 7s 6s 5s", "8h 7h 6h 5h 4h", proves="C.ranking.3.8"),
    case("As Ks Qs Js Ts", "Kh Qh Jh Th 9h", proves="C.ranking.3.9"),
]


@pytest.mark.parametrize(("better", "worse"), BETTER_FIRST)
def test_the_better_hand_of_one_category_wins(better: str, worse: str) -> None:
    high, low = evaluate(parse_cards(better)), evaluate(parse_cards(worse))
    assert high > low
    assert low < high
    assert high != low
    assert high >= low


@pytest.mark.clause("C.ranking.1")
def test_no_suit_outranks_another() -> None:
    hands = {evaluate(Card.of(Rank(n), suit) for n in (14, 12, 9, 5, 2)) for suit in Suit}
    assert len(hands) == 1
    assert evaluate(parse_cards("2c 2d 7h 8s Jc")) == evaluate(parse_cards("2h 2s 7c 8d Jd"))


def test_hands_compare_with_hands_only() -> None:
    hand = evaluate(parse_cards("2c 2d 7h 8s Jc"))
    assert hand != hand.strength
    with pytest.raises(TypeError):
        assert hand < 5  # type: ignore[operator]
    assert pickle.loads(pickle.dumps(hand)) == hand
    with pytest.raises(AttributeError):
        hand.strength = 0  # type: ignore[misc]


# Names.

NAMES = [
    case("As Ks Qs Js Ts", "Royal flush", proves="O.ranking.royal_flush"),
    case("Ks Qs Js Ts 9s", "Straight flush, king high", proves="O.ranking.straight_flush"),
    case("As 2s 3s 4s 5s", "Straight flush, five high", proves="O.ranking.straight_flush"),
    case("6s 6h 6d 6c 5s", "Four of a kind, sixes", proves="O.ranking.four_of_a_kind"),
    case("Ks Kh Kd 4c 4s", "Full house, kings over fours", proves="O.ranking.full_house"),
    case("6s 6h 6d Ac As", "Full house, sixes over aces", proves="O.ranking.full_house"),
    case("As 9s 7s 4s 2s", "Flush, ace high", proves="O.ranking.flush"),
    case("As Kd Qs Js Ts", "Straight, ace high", proves="O.ranking.straight"),
    case("As 2d 3s 4s 5s", "Straight, five high", proves="O.ranking.straight"),
    case("Ts Td Th 4s 5s", "Three of a kind, tens", proves="O.ranking.three_of_a_kind"),
    case("6s 6d 5h 5s As", "Two pair, sixes and fives", proves="O.ranking.two_pair"),
    case("2s 2d 5h 7s As", "Pair of twos", proves="O.ranking.pair"),
    case("Ks 2d 5h 7s Js", "King high", proves="O.ranking.high_card"),
]


@pytest.mark.parametrize(("cards", "name"), NAMES)
def test_a_hand_is_named_as_a_dealer_announces_it(cards: str, name: str) -> None:
    assert evaluate(parse_cards(cards)).name == name
    assert str(evaluate(reversed(parse_cards(cards)))) == name


def test_a_name_says_the_ranks_that_make_the_hand_and_no_other() -> None:
    """A name is looked up by some bits of the strength; here it is put together from the ranks."""
    chance = random.Random(1)
    for number in range(6000):
        hand = evaluate(chance.sample(FULL_DECK, 5 + number % 3))
        first, _, third, fourth, _ = hand.ranks
        names = {
            Category.FULL_HOUSE: f"Full house, {first.plural} over {fourth.plural}",
            Category.TWO_PAIR: f"Two pair, {first.plural} and {third.plural}",
            Category.THREE_OF_A_KIND: f"Three of a kind, {first.plural}",
            Category.FOUR_OF_A_KIND: f"Four of a kind, {first.plural}",
            Category.PAIR: f"Pair of {first.plural}",
            Category.HIGH_CARD: f"{first.word.capitalize()} high",
        }
        suited = f"{hand.category.words.capitalize()}, {first.word} high"
        assert hand.name == names.get(hand.category, suited)


def test_a_category_inside_a_sentence() -> None:
    phrases = [category.phrase for category in Category]
    assert phrases[:4] == ["a high card", "a pair", "two pair", "three of a kind"]
    assert phrases[6:] == ["a full house", "four of a kind", "a straight flush", "a royal flush"]


# Wrong input.


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("", "five to seven cards, not 0"),
        ("As Ks Qs Js", "five to seven cards, not 4"),
        ("As Ks Qs Js Ts 9s 8s 7s", "five to seven cards, not 8"),
        ("As Ks Qs Js As", "the hand contains the same card twice"),
        ("As Ks Qs Js 2d 2d 3c", "the hand contains the same card twice"),
    ],
)
def test_what_is_no_hand_is_refused(cards: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(parse_cards(cards))


def test_a_hand_can_be_put_in_a_set_by_its_worth() -> None:
    twos: set[Hand] = {evaluate(parse_cards(c)) for c in ("2c 2d 7h 8s Jc", "2h 2s 7c 8d Jd")}
    assert len(twos) == 1
