"""Advice on one hand without compiled kernels: quick to start, for a single question.

Importing the compiler, or NumPy alone, takes longer than one hand does. Boards and dealer hands
are counted here in plain Python, by kinds of cards that are worth the same, and read by the rules'
own evaluator. It shares nothing with the kernels, so that the tests compare two implementations.
The compiled adviser answers many questions, and all that needs more than a flop.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from openfelt.cards import Card, Suit
from openfelt.cards.hand import hand_strength
from openfelt.maths.holdem.questions import Advice, advice_of, unseen_cards
from openfelt.maths.holdem.terms import HoldemTerms, bet_names
from openfelt.maths.holdem.usual_values import usual_advice

Cards = tuple[Card, ...]
Kind = tuple[int, bool]
"""A rank, and whether the card is of the suit of three or more cards on the board."""
_FLUSH: Final = 5
_CATEGORY_SHIFT: Final = 20
_FIRST_RANK_SHIFT: Final = 16


def plain_advice(
    hole: Sequence[Card],
    board: Sequence[Card] = (),
    *,
    seen: Sequence[Card] = (),
    dealer: Sequence[Card] = (),
    terms: HoldemTerms | None = None,
) -> Advice | None:
    """The value of every legal action, as `advise` returns it; None if that needs the kernels.

    Raises ImpossibleQuestionError if cards are missing, too many or repeated.

    >>> from openfelt.cards import parse_cards
    >>> plain_advice(parse_cards("7h 2d"), parse_cards("Ac Kc Qd Jd 9s")).best
    'fold'
    """
    terms = terms or HoldemTerms.of()
    if not board:
        return usual_advice(hole, seen, dealer, terms)
    question = _Question(tuple(hole), tuple(dealer), unseen_cards(hole, board, seen, dealer), terms)
    base, play, later, deals = 0, 0, 0, 0
    for (full_board, suit), times in _boards(tuple(board), question.unseen).items():
        ante_and_blind, play_of_one, hands = question.price(full_board, suit)
        bets = (ante_and_blind + multiple * play_of_one for multiple in terms.river_multiples)
        base += times * ante_and_blind
        play += times * play_of_one
        later += times * max(-2 * terms.scale * hands, *bets)
        deals += times * hands
    deals *= terms.scale
    if len(board) == 5:
        values, multiples = {"fold": Fraction(-2)}, terms.river_multiples
    else:
        values, multiples = {"check": Fraction(later, deals)}, terms.flop_multiples
    for action, multiple in zip(bet_names(multiples), multiples, strict=True):
        values[action] = Fraction(base + multiple * play, deals)
    return advice_of(values)


def _boards(board: Cards, unseen: Sequence[Card]) -> Counter[tuple[Cards, Suit | None]]:
    """One board of each kind, with the suit of three or more of its cards, and how many there are.

    Boards are alike if their cards have the same ranks, and the same of these are of that suit.
    """
    first: dict[tuple[Kind | Suit | None, ...], tuple[Cards, Suit | None]] = {}
    often: Counter[tuple[Cards, Suit | None]] = Counter()
    for runout in combinations(unseen, 5 - len(board)):
        full_board = board + runout
        suits = [card.suit for card in full_board]
        suit = next((candidate for candidate in suits[:3] if suits.count(candidate) >= 3), None)
        kinds = sorted((card.rank, card.suit is suit) for card in runout)
        often[first.setdefault((suit, *kinds), (full_board, suit))] += 1
    return often


@dataclass(frozen=True, slots=True)
class _Question:
    """A hand, and what is known of the other cards."""

    hole: Cards
    dealer: Cards
    """The dealer's cards that are known."""
    unseen: Sequence[Card]
    terms: HoldemTerms

    def price(self, board: Cards, suit: Suit | None) -> tuple[int, int, int]:
        """Ante and Blind, and a Play wager of one, in units, and the number of dealer hands."""
        terms, player = self.terms, hand_strength(self.hole + board)
        least = terms.qualifying
        qualifying = least.category << _CATEGORY_SHIFT
        qualifying |= (least.at_least or 0) << _FIRST_RANK_SHIFT
        won, lost, ante, hands = 0, 0, 0, 0
        for strength, often in self._dealers(board, suit):
            hands += often
            if strength < player:
                won += often
                if strength >= qualifying:
                    ante += often
            elif strength > player:
                lost += often
                if strength >= qualifying:
                    ante -= often
        blind = terms.blind_units[player >> _CATEGORY_SHIFT]
        return terms.scale * (ante - lost) + blind * won, terms.scale * (won - lost), hands

    def _dealers(self, board: Cards, suit: Suit | None) -> Iterable[tuple[int, int]]:
        """The strengths of the hands that the dealer may have, and how often each comes."""
        kinds: dict[Kind, list[Card]] = {}
        for card in self.unseen:
            if card not in board:
                kinds.setdefault((card.rank, card.suit is suit), []).append(card)
        known_cards = self.dealer + board
        if len(self.dealer) == 2:
            yield hand_strength(known_cards), 1
            return
        if len(self.dealer) == 1:
            for cards in kinds.values():
                yield hand_strength((cards[0], *known_cards)), len(cards)
            return
        reader = _Reader(board, suit)
        listed = [(reader.parts(cards[0]), cards) for cards in kinds.values()]
        for place, (parts, cards) in enumerate(listed):
            count = len(cards)
            if count > 1:
                yield reader.read(parts, parts, cards[0], cards[1]), count * (count - 1) // 2
            for other_parts, others in listed[:place]:
                yield reader.read(parts, other_parts, cards[0], others[0]), count * len(others)


_READ: Final[dict[int, int]] = {}
"""Strengths by a number of the ranks, or below zero by those of a flush."""
Parts = tuple[int, int, int]
"""A card's part in the number of the ranks, in the ranks of the suit, and in its length."""


class _Reader:
    """Reads two cards with a board. Each set of ranks, and each flush, is evaluated once."""

    __slots__ = ("_board", "_key", "_length", "_mask", "_suit")

    def __init__(self, board: Cards, suit: Suit | None) -> None:
        self._board, self._suit = board, suit
        keys, masks, lengths = zip(*map(self.parts, board), strict=True)
        self._key, self._mask, self._length = sum(keys), sum(masks), sum(lengths)

    def parts(self, card: Card) -> Parts:
        """What a card adds: no rank is held more than four times, so digits to base five do."""
        suited = card.suit is self._suit
        return 5 ** (card.rank - 2), (1 << card.rank) * suited, int(suited)

    def read(self, first_parts: Parts, second_parts: Parts, first: Card, second: Card) -> int:
        """The strength of the board with two cards."""
        if self._length + first_parts[2] + second_parts[2] >= _FLUSH:
            key = -(self._mask | first_parts[1] | second_parts[1])
        else:
            key = self._key + first_parts[0] + second_parts[0]
        strength = _READ.get(key)
        if strength is None:
            strength = _READ[key] = hand_strength((first, second, *self._board))
        return strength
