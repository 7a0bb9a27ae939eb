"""Questions about one hand, checked, and their answers. This module needs no compiled kernels."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from openfelt.cards import FULL_DECK, Card, format_cards
from openfelt.maths.holdem.terms import HoldemTerms

_SUMS_MAX: Final = 2**62


class ImpossibleQuestionError(ValueError):
    """The cards of the question cannot be dealt like that."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The value of each legal action, in Antes, and the best of them."""

    values: Mapping[str, Fraction]
    """In the order: check or fold first, then bets, largest first."""
    best: str
    """The action with the highest value; among equal values, the one that stakes less."""


def advice_of(values: Mapping[str, Fraction]) -> Advice:
    """Choose the best of these actions, in the order of `Advice.values`."""
    passive, *bets = values
    # The first of equal values is the one that stakes least.
    return Advice(values, max((passive, *reversed(bets)), key=values.__getitem__))


def unseen_cards(
    hole: Sequence[Card], board: Sequence[Card], seen: Sequence[Card], dealer: Sequence[Card]
) -> list[Card]:
    """The cards that may still be anywhere; raises ImpossibleQuestionError."""
    if len(hole) != 2:
        raise ImpossibleQuestionError(f"a hand has two hole cards, not {len(hole)}")
    if len(board) not in (0, 3, 5):
        raise ImpossibleQuestionError(
            f"decisions are made with 0, 3 or 5 cards on the board, not {len(board)}"
        )
    if len(dealer) > 2:
        raise ImpossibleQuestionError(f"a dealer has two hole cards, not {len(dealer)}")
    cards = [*hole, *board, *seen, *dealer]
    twice = sorted({card for card in cards if cards.count(card) > 1})
    if twice:
        verb = "is" if len(twice) == 1 else "are"
        raise ImpossibleQuestionError(f"{format_cards(twice)} {verb} given more than once")
    needed = 7 - len(board) - len(dealer)
    if 52 - len(cards) < needed:
        raise ImpossibleQuestionError(
            f"with {len(seen)} cards seen the deck cannot deal the {needed} still to come"
        )
    return [card for card in FULL_DECK if card not in cards]


def refuse_large_odds(terms: HoldemTerms) -> None:
    """Raise ValueError where sums over all boards, flops and dealer hands could overflow."""
    if terms.most_units * math.comb(50, 5) * 10 * 990 >= _SUMS_MAX:
        raise ValueError("these odds are too large, or too finely divided, to sum exactly")
