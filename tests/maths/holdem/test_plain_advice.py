"""Advice without compiled kernels, against the compiled adviser."""

from random import Random

import pytest

from openfelt.cards import FULL_DECK, parse_cards
from openfelt.maths import HoldemTerms, advise
from openfelt.maths.holdem.plain_advice import plain_advice
from openfelt.maths.holdem.questions import ImpossibleQuestionError
from tests.kit.maths.games import MANY, ODD, RIVER_ONLY, USUAL


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


@pytest.mark.parametrize("hole", ["Ah Kc", "5c 4c", "8d 8h"])
@pytest.mark.parametrize("board", ["2c 7c 9c", "2c 7c 9d", "2c 2d 2h", "Tc Jc Qc"])
def test_flops_of_every_pattern(hole: str, board: str) -> None:
    cards = parse_cards(hole), parse_cards(board)
    assert plain_advice(*cards) == advise(*cards)


@pytest.mark.parametrize("board", ["2c 7c 9c Jc Kc", "2c 7c 9c Jc Kd", "9c 9s Tc Ts Td"])
def test_rivers_that_flush_or_pair(board: str) -> None:
    cards = parse_cards("9d 3c"), parse_cards(board)
    assert plain_advice(*cards) == advise(*cards)


def test_first_decisions_are_looked_up_or_left_to_the_kernels() -> None:
    hole = parse_cards("Kh 5d")
    assert plain_advice(hole) == advise(hole)
    assert plain_advice(hole, seen=parse_cards("Kd")) is None
    assert plain_advice(hole, terms=ODD) is None


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(ImpossibleQuestionError, match="more than once"):
        plain_advice(parse_cards("Kh 5d"), parse_cards("Kh 2c 3c"))
