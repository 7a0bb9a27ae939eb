"""Advice on one hand without compiled kernels: quick to start, for a single question.

Importing the compiler and reading kernels from its cache takes longer than one hand does. Hands are
read with arrays of bit masks here, by another method than the evaluator's, so that the tests
compare two implementations. The compiled adviser answers many questions, and all that needs more
than a flop.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Card, Category
from openfelt.maths.holdem.questions import Advice, advice_of, unseen_cards
from openfelt.maths.holdem.terms import HoldemTerms, bet_names
from openfelt.maths.holdem.usual_values import usual_advice

Numbers = npt.NDArray[np.int64]
Masks = npt.NDArray[np.int32]
"""Masks of ranks, or strengths; half as wide, they take half as long."""
_SUITS: Final = 4
_MASKS: Final = 1 << 13
_BOARDS_AT_ONCE: Final = 64


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
    unseen = unseen_cards(hole, board, seen, dealer)
    runouts = list(combinations(unseen, 5 - len(board)))
    boards = [(*board, *runout) for runout in runouts]
    sums = _sums(terms, hole, boards, dealer, unseen)
    base, play, deals = (int(column.sum()) for column in sums)
    if len(board) == 5:
        values = {"fold": Fraction(-2)}
        multiples = terms.river_multiples
    else:
        # The best decision on each river is a bet, at one of the multiples, or a fold.
        fold = -2 * terms.scale * sums[2]
        bets = [sums[0] + multiple * sums[1] for multiple in terms.river_multiples]
        later = int(np.maximum.reduce([fold, *bets]).sum())
        values = {"check": Fraction(later, deals * terms.scale)}
        multiples = terms.flop_multiples
    for action, multiple in zip(bet_names(multiples), multiples, strict=True):
        values[action] = Fraction(base + multiple * play, deals * terms.scale)
    return advice_of(values)


def _sums(
    terms: HoldemTerms,
    hole: Sequence[Card],
    boards: Sequence[Sequence[Card]],
    dealer: Sequence[Card],
    unseen: Sequence[Card],
) -> tuple[Numbers, Numbers, Numbers]:
    """By board: Ante and Blind, a Play wager of one, both in units, and the number of deals."""
    pairs = [(*dealer, *others) for others in combinations(unseen, 2 - len(dealer))]
    dealer_masks = _suit_masks(pairs)
    dealer_bits = _card_bits(pairs)
    blind = np.array(terms.blind_units, dtype=np.int64)
    qualifying = _least(terms.qualifying.category, terms.qualifying.at_least)
    parts = []
    for first in range(0, len(boards), _BOARDS_AT_ONCE):
        some = boards[first : first + _BOARDS_AT_ONCE]
        masks = _suit_masks(some)
        player = _strengths(masks | _suit_masks([hole]))[:, None]
        against = _strengths(masks[:, :, None] | dealer_masks[:, None, :])
        dealt = (_card_bits(some)[:, None] & dealer_bits[None, :]) == 0
        won, lost = dealt & (player > against), dealt & (player < against)
        qualified = against >= qualifying
        wins, losses = won.sum(axis=1), lost.sum(axis=1)
        ante = (won & qualified).sum(axis=1) - (lost & qualified).sum(axis=1)
        base = terms.scale * (ante - losses) + blind[player[:, 0] >> 26] * wins
        parts.append((base, terms.scale * (wins - losses), dealt.sum(axis=1)))
    base, play, deals = (np.concatenate(column) for column in zip(*parts, strict=True))
    return base, play, deals


# Reading hands ---------------------------------------------------------------------


def _suit_masks(hands: Sequence[Sequence[Card]]) -> Masks:
    """By suit and hand: a mask of ranks."""
    numbers = np.array([[card.number for card in hand] for hand in hands], dtype=np.int32)
    bits = np.left_shift(np.int32(1), numbers >> 2)
    return np.stack(
        [
            np.where(numbers & 3 == suit, bits, 0).sum(axis=1, dtype=np.int32)
            for suit in range(_SUITS)
        ]
    )


def _card_bits(hands: Sequence[Sequence[Card]]) -> Numbers:
    """By hand: a mask of its cards."""
    numbers = np.array([[card.number for card in hand] for hand in hands], dtype=np.int64)
    bits: Numbers = np.left_shift(np.int64(1), numbers).sum(axis=1)
    return bits


@cache
def _rank_tables() -> tuple[Masks, Masks, Masks]:
    """By mask of ranks: how many there are, the top rank of a straight, and the highest ones.

    The last has a row for each number of ranks from 0 to 5: the mask of so many highest ranks.
    """
    masks = np.arange(_MASKS, dtype=np.int32)
    bits = np.stack([masks >> rank & 1 for rank in range(13)])
    straights = np.zeros(_MASKS, dtype=np.int32)
    # Ace to five comes first, so that any higher straight takes its place.
    for top, straight in enumerate([0b1_0000_0000_1111, *(0b11111 << low for low in range(9))]):
        straights[masks & straight == straight] = top + 1
    highest = np.zeros((6, _MASKS), dtype=np.int32)
    for most in range(1, 6):
        left = np.full(_MASKS, most)
        for rank in reversed(range(13)):
            taken = (bits[rank] == 1) & (left > 0)
            highest[most][taken] |= 1 << rank
            left -= taken
    return bits.sum(axis=0, dtype=np.int32), straights, highest


def _strengths(suits: Masks) -> Masks:
    """Numbers that order hands of seven cards, by the masks of their four suits.

    The category is in the bits from 26 on; below it, the ranks that make the hand and then the
    kickers, each as a mask, of which the larger has the higher ranks.
    """
    size, straights, highest = _rank_tables()
    one, two, three, four = suits
    every = one | two | three | four
    pairs = (one & two) | (one & three) | (one & four) | (two & three) | (two & four)
    pairs |= three & four
    trips = (one & two & (three | four)) | (three & four & (one | two))
    quads = one & two & three & four
    # A flush has five cards or more of a suit; seven cards make no more than one.
    flush = np.select([size[suit] >= 5 for suit in suits], list(suits), 0)
    best = _hand(Category.HIGH_CARD, 0, highest[5][every])
    one_pair = _hand(Category.PAIR, pairs, highest[3][every & ~pairs])
    top_two = highest[2][pairs]
    two_pair = _hand(Category.TWO_PAIR, top_two, highest[1][every & ~top_two])
    top_trips = highest[1][trips]
    three_alike = _hand(Category.THREE_OF_A_KIND, top_trips, highest[2][every & ~top_trips])
    full = highest[1][pairs & ~top_trips]
    full_house = _hand(Category.FULL_HOUSE, top_trips, full)
    four_alike = _hand(Category.FOUR_OF_A_KIND, quads, highest[1][every & ~quads])
    in_a_row, in_suit = straights[every], straights[flush]
    straight_flush = np.where(
        in_suit == 10,
        _hand(Category.ROYAL_FLUSH, 0, 0),
        _hand(Category.STRAIGHT_FLUSH, 0, in_suit),
    )
    # The later of these that a hand makes is the better one.
    for made, strength in (
        (size[pairs] == 1, one_pair),
        (size[pairs] >= 2, two_pair),
        (trips != 0, three_alike),
        (in_a_row != 0, _hand(Category.STRAIGHT, 0, in_a_row)),
        (flush != 0, _hand(Category.FLUSH, 0, highest[5][flush])),
        ((trips != 0) & (full != 0), full_house),
        (quads != 0, four_alike),
        (in_suit != 0, straight_flush),
    ):
        best = np.where(made, strength, best)
    return best


def _hand(category: Category, made: Masks | int, kickers: Masks | int) -> Masks:
    strength: Masks = np.asarray((int(category) << 26) + (made << 13) + kickers, dtype=np.int32)
    return strength


def _least(category: Category, at_least: int | None) -> int:
    """The weakest hand of a category, or of its pairs from a rank on."""
    return (int(category) << 26) + ((1 << (at_least - 2) << 13) if at_least else 0)
