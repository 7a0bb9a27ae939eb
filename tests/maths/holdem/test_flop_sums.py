"""The first decision by boards of ranks and flushes, against boards that are priced one by one."""

from random import Random

import pytest

from openfelt.cards import FULL_DECK, Category, parse_cards
from openfelt.maths import HoldemTerms, advise
from openfelt.maths.holdem.flop_sums import seen_advice
from openfelt.maths.holdem.questions import ImpossibleQuestionError
from tests.kit.maths.games import EARLY, GENEROUS, MANY, ODD, RIVER_ONLY, USUAL


@pytest.mark.parametrize("terms", [USUAL, ODD, GENEROUS, MANY, RIVER_ONLY, EARLY])
@pytest.mark.parametrize(("seen", "known"), [(24, 0), (26, 1), (20, 2)])
def test_equals_the_adviser(terms: HoldemTerms, seen: int, known: int) -> None:
    random = Random(seen + known)
    for _ in range(2):
        cards = random.sample(FULL_DECK, 2 + seen + known)
        hole, out, dealer = cards[:2], cards[2 : 2 + seen], cards[2 + seen :]
        found = seen_advice(hole, seen=out, dealer=dealer, terms=terms)
        assert found == advise(hole, seen=out, dealer=dealer, terms=terms)


@pytest.mark.parametrize(
    ("hole", "seen"),
    # Nothing, one suit and all suits are touched; the hand may make a flush or not.
    [("Ah Kh", "2c 2d"), ("7c 2d", "7d 7h Qs 3c"), ("9s 8s", "Ts Js"), ("5d 5c", "")],
)
def test_equals_the_adviser_with_the_whole_deck(hole: str, seen: str) -> None:
    cards, out = parse_cards(hole), parse_cards(seen)
    assert seen_advice(cards, seen=out) == advise(cards, seen=out)


def test_suits_of_which_few_cards_are_left() -> None:
    # All spades but five are seen, so that flushes of spades need all of these.
    hole, seen = parse_cards("Ah 9d"), parse_cards("As Ks Qs Js Ts 9s 2s 3s")
    assert seen_advice(hole, seen=seen, terms=ODD) == advise(hole, seen=seen, terms=ODD)


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(ImpossibleQuestionError, match="more than once"):
        seen_advice(parse_cards("Kh 5d"), seen=parse_cards("Kh"))
    with pytest.raises(ValueError, match="too large"):
        seen_advice(parse_cards("Kh 5d"), terms=HoldemTerms.of({Category.STRAIGHT: 10**12}))
