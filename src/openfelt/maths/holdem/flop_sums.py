"""One hand before the flop, with cards known of the dealer or seen elsewhere.

Every flop is summed over all that may still come, from boards by their ranks and what flushes
change. That takes hundredths of a second, where the adviser prices some two million boards.
"""

import inspect
import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Card
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.game_outcomes import CHECK
from openfelt.maths.holdem.questions import Advice, advice_of, refuse_large_odds, unseen_cards
from openfelt.maths.holdem.terms import HoldemTerms, bet_names
from openfelt.maths.kernels import flashed_decisions, flashed_flops, strength_tables
from openfelt.maths.kernels.flashed_boards import BASE, FLASHED, PLAY, RIVER, WORK
from openfelt.maths.kernels.flashed_flops import SUIT, FlopSums, price_flashed
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.kernels.records import new_record

BOARDS_BY_RANK: Final = 13**5

Cards = tuple[int, ...]
"""Cards by number."""
Space = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""The values of boards by rank, of flops, and of flops with a turn."""


def flop_space(unseen: int, *, turns: bool = False) -> Space:
    """Working space for hands with so many unseen cards, used again for each hand."""
    flops = math.comb(unseen, 3)
    return (
        np.zeros((BOARDS_BY_RANK, 3), dtype=np.int64),
        np.zeros((flops, 3), dtype=np.int64),
        np.zeros((flops * unseen if turns else 0, 3), dtype=np.int64),
    )


def sum_flops(
    terms: HoldemTerms, hole: Cards, dealer: Cards, unseen: Sequence[int], space: Space
) -> FlopSums:
    """Sum every flop of the unseen cards over runouts and the dealer's unknown cards."""
    cards = np.array(unseen, dtype=np.int64)
    flashed = new_record(FLASHED)
    flashed.hole[:] = hole
    flashed.dealer_count = len(dealer)
    flashed.dealer[: len(dealer)] = dealer
    np.add.at(flashed.unseen, cards >> 2, 1)
    np.add.at(flashed.unseen, 13 + (cards & 3), 1 << (cards >> 2))
    for suits, group in ((flashed.hole_suits, hole), (flashed.dealer_suits, dealer)):
        np.add.at(suits, [card & 3 for card in group], 1)
    sums = FlopSums(cards, *space)
    work = new_record(WORK), new_record(SUIT)
    price_flashed(sums, flashed, terms.as_record(), reading_tables(), *work)
    return sums


def deals_with(unseen: int, dealer_cards: int) -> int:
    """Flops, runouts and the dealer's unknown cards, with so many of the dealer's cards known."""
    runouts = math.comb(unseen, 3) * math.comb(unseen - 3, 2)
    return runouts * math.comb(unseen - 5, 2 - dealer_cards)


def seen_advice(
    hole: Sequence[Card],
    *,
    seen: Sequence[Card] = (),
    dealer: Sequence[Card] = (),
    terms: HoldemTerms | None = None,
) -> Advice:
    """The value of every action before the flop, as `advise` returns it.

    Raises ImpossibleQuestionError if cards are missing, too many or repeated, and ValueError for
    odds that are too large, or too finely divided, to sum exactly.

    >>> from openfelt.cards import parse_cards
    >>> seen_advice(parse_cards("Kh 5d"), seen=parse_cards("Kd Ks 5h")).best
    'check'
    """
    terms = terms or HoldemTerms.of()
    unseen = _numbers(unseen_cards(hole, (), seen, dealer))
    refuse_large_odds(terms)
    space = flop_space(len(unseen))
    flops = sum_flops(terms, _numbers(hole), _numbers(dealer), unseen, space).flops
    best = flops[:, RIVER]
    for multiple in terms.flop_multiples:
        best = np.maximum(best, flops[:, BASE] + multiple * flops[:, PLAY])
    deals = deals_with(len(unseen), len(dealer)) * terms.scale
    base, play = int(flops[:, BASE].sum()), int(flops[:, PLAY].sum())
    values = {CHECK: Fraction(int(best.sum()), deals)}
    for action, multiple in zip(
        bet_names(terms.first_multiples), terms.first_multiples, strict=True
    ):
        values[action] = Fraction(base + multiple * play, deals)
    return advice_of(values)


def flop_sources() -> list[Path]:
    """The files that sums over flops depend on, for counts that are kept."""
    own = Path(__file__)
    modules = (flashed_decisions, flashed_flops, strength_tables)
    kernels = {path for module in modules for path in kernel_sources(inspect.getfile(module))}
    terms = Path(inspect.getfile(HoldemTerms))
    return [own, terms, *(own.parents[1] / "hands").glob("*.py"), *kernels]


def _numbers(cards: Sequence[Card]) -> Cards:
    return tuple(card.number for card in cards)
