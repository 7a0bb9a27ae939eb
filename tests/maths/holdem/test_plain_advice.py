"""Advice without compiled kernels, against the compiled adviser and the plain evaluator."""

from itertools import pairwise
from random import Random

import pytest

from openfelt.cards import FULL_DECK, evaluate, parse_cards
from openfelt.maths import HoldemTerms, advise
from openfelt.maths.holdem.plain_advice import _strengths, _suit_masks, plain_advice
from openfelt.maths.holdem.questions import ImpossibleQuestionError
from tests.kit.maths.games import MANY, ODD, RIVER_ONLY, USUAL


def test_hands_are_ordered_as_the_plain_evaluator_orders_them() -> None:
    random = Random(1)
    hands = [random.sample(FULL_DECK, 7) for _ in range(2_000)]
    # Hands of few ranks or of one suit are rare, and go wrong where others do not.
    hands += [random.sample([c for c in FULL_DECK if c.rank >= 10], 7) for _ in range(1_000)]
    hands += [random.sample([c for c in FULL_DECK if c.suit < 2], 7) for _ in range(1_000)]
    hands += [random.sample([c for c in FULL_DECK if c.rank in (14, 2, 3, 4, 5)], 7)
              for _ in range(500)]  # fmt: skip
    strengths = _strengths(_suit_masks(hands)).tolist()
    plain = [evaluate(hand) for hand in hands]
    assert [strength >> 26 for strength in strengths] == [hand.category for hand in plain]
    order = sorted(range(len(hands)), key=strengths.__getitem__)
    for one, other in pairwise(order):
        assert (strengths[one] == strengths[other]) == (plain[one] == plain[other])
        assert plain[one] <= plain[other]


@pytest.mark.parametrize("terms", [USUAL, ODD, MANY, RIVER_ONLY])
@pytest.mark.parametrize(("board", "seen", "known"), [(3, 0, 0), (3, 6, 1), (5, 0, 0), (5, 4, 2)])
def test_equals_the_compiled_adviser(terms: HoldemTerms, board: int, seen: int, known: int) -> None:
    random = Random(board + 10 * seen + known)
    for _ in range(2 if board == 3 else 10):
        cards = random.sample(FULL_DECK, 2 + board + seen + known)
        hole, rest = cards[:2], cards[2:]
        out, dealer = rest[board : board + seen], rest[board + seen :]
        found = plain_advice(hole, rest[:board], seen=out, dealer=dealer, terms=terms)
        assert found == advise(hole, rest[:board], seen=out, dealer=dealer, terms=terms)


def test_first_decisions_are_looked_up_or_left_to_the_kernels() -> None:
    hole = parse_cards("Kh 5d")
    assert plain_advice(hole) == advise(hole)
    assert plain_advice(hole, seen=parse_cards("Kd")) is None
    assert plain_advice(hole, terms=ODD) is None


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(ImpossibleQuestionError, match="more than once"):
        plain_advice(parse_cards("Kh 5d"), parse_cards("Kh 2c 3c"))
