"""Seven-card hands by the million."""

import sys
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.hands.strengths import STRENGTHS_MAX, hand_tables
from openfelt.maths.kernels.seven_card_evaluator import (
    count_strengths,
    evaluate_checked,
    evaluate_words,
)

_HANDS_IN_BLOCK: Final = 8
_WORDS_IN_BLOCK: Final = 7


def evaluate_hands(
    cards: npt.NDArray[np.uint8], *, check_repeats: bool = True
) -> npt.NDArray[np.uint16]:
    """Return the strength of each hand: larger is better, equal is a tie.

    `cards` is an (N, 7) uint8 array of card numbers, `4 * (rank - 2) + suit` with clubs 0,
    diamonds 1, hearts 2 and spades 3: the number of `openfelt.cards.Card`. Strengths run
    from 1 (7-5-4-3-2, though seven cards always make more than that) to 7,462 (a royal
    flush), the same for all hands of equal worth.

    Raises ValueError for another shape or type, a number above 51, or a card that occurs
    twice in a hand. Where cards cannot repeat, `check_repeats=False` saves about a third of
    the time; the strength of a hand with a repeated card is then undefined.

    >>> from openfelt.cards import parse_cards
    >>> texts = "As Ks Qs Js Ts 2c 3d", "Kd Ks 4c 4h Kh 9s 2d", "Kd Kc 4d 4s Kh 9h 3c"
    >>> numbers = [[card.number for card in parse_cards(text)] for text in texts]
    >>> evaluate_hands(np.array(numbers, dtype=np.uint8)).tolist()
    [7462, 7275, 7275]
    """
    if not isinstance(cards, np.ndarray) or cards.dtype != np.uint8:
        kind = cards.dtype if isinstance(cards, np.ndarray) else type(cards).__name__
        raise ValueError(f"cards must be a NumPy array of uint8 card numbers, not of {kind}")
    if cards.ndim != 2 or cards.shape[1] != 7:
        raise ValueError(f"cards must have the shape (hands, 7), not {cards.shape}")
    hands = cards.shape[0]
    out = np.empty(hands, dtype=np.uint16)
    in_blocks = hands - hands % _HANDS_IN_BLOCK
    bad = _evaluate_blocks(cards[:in_blocks], out[:in_blocks], check_repeats=check_repeats)
    if bad < 0 and in_blocks < hands:
        # The last few hands are padded to a block with a valid hand.
        last = np.tile(np.arange(7, dtype=np.uint8), (_HANDS_IN_BLOCK, 1))
        last[: hands - in_blocks] = cards[in_blocks:]
        last_out = np.empty(_HANDS_IN_BLOCK, dtype=np.uint16)
        bad = _evaluate_blocks(last, last_out, check_repeats=check_repeats)
        bad = bad if bad < 0 else in_blocks + bad
        out[in_blocks:] = last_out[: hands - in_blocks]
    if bad >= 0:
        _complain(cards[bad], bad)
    return out


def _evaluate_blocks(
    cards: npt.NDArray[np.uint8], out: npt.NDArray[np.uint16], *, check_repeats: bool
) -> int:
    tables = hand_tables()
    words = np.ascontiguousarray(cards).reshape(-1).view(np.uint64).reshape(-1, _WORDS_IN_BLOCK)
    # A slice of another array may begin at any byte; kernels need whole words.
    words = np.require(words, requirements=["C", "A"])
    if sys.byteorder == "big":
        words = words.byteswap()
    evaluate = evaluate_checked if check_repeats else evaluate_words
    return evaluate(words, tables.keys, tables.offsets, tables.strengths, tables.flushes, out)


def _complain(hand: npt.NDArray[np.uint8], row: int) -> None:
    numbers = [int(number) for number in hand]
    wrong = next((number for number in numbers if number > 51), None)
    if wrong is not None:
        raise ValueError(f"row {row}: {wrong} is not a card number; card numbers are 0 to 51")
    twice = next(number for number in numbers if numbers.count(number) > 1)
    raise ValueError(f"row {row}: card {twice} occurs twice")


def count_categories() -> dict[Category, int]:
    """Evaluate all C(52,7) = 133,784,560 hands and count them by category.

    >>> count_categories()[Category.ROYAL_FLUSH]
    4324
    """
    tables = hand_tables()
    counts = np.zeros(STRENGTHS_MAX + 1, dtype=np.int32)
    count_strengths(
        tables.keys, tables.masks, tables.offsets, tables.strengths, tables.flushes, counts
    )
    return {
        category: int(counts[1:][tables.categories[1:] == category].sum()) for category in Category
    }
