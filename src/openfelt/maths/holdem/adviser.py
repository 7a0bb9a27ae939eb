"""Advice on one hand: the exact value of every legal action, given any seen cards."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from openfelt.cards import Card
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import cell_name, cell_of
from openfelt.maths.holdem.game_outcomes import CHECK, FOLD
from openfelt.maths.holdem.questions import (
    Advice,
    ImpossibleQuestionError,
    advice_of,
    refuse_large_odds,
    unseen_cards,
)
from openfelt.maths.holdem.solver import solve_holdem
from openfelt.maths.holdem.terms import HoldemTerms, bet_names
from openfelt.maths.holdem.usual_values import usual_first_values
from openfelt.maths.kernels.advice import BASE, DEALERS, PLAY, QUESTION, TOTAL, price_showdown
from openfelt.maths.kernels.early_advice import CHECKED, price_flop, price_start
from openfelt.maths.kernels.records import new_record
from openfelt.maths.parallel import Progress, ProgressCount, share_out, workers_available

__all__ = ["Advice", "ImpossibleQuestionError", "advise", "first_values", "unseen_question"]


@dataclass(frozen=True, slots=True)
class _Question:
    """A checked question, as the kernels take it."""

    terms: HoldemTerms
    board: npt.NDArray[np.int64]
    unseen: npt.NDArray[np.int64]
    """The cards that may still be anywhere."""
    record: np.record
    """The hand, the dealer's known cards and the unseen by rank and by suit."""

    @classmethod
    def of(
        cls,
        terms: HoldemTerms,
        hole: Sequence[Card],
        board: Sequence[Card],
        dealer: Sequence[Card],
        unseen: Sequence[Card],
    ) -> "_Question":
        record = new_record(QUESTION)
        record.hole[:] = _numbers(hole)
        record.dealer_count = len(dealer)
        record.dealer[: len(dealer)] = _numbers(dealer)
        numbers = _numbers(unseen)
        np.add.at(record.unseen, numbers >> 2, 1)
        np.add.at(record.unseen, 13 + (numbers & 3), 1 << (numbers >> 2))
        return cls(terms, _numbers(board), numbers, record)

    @property
    def records(self) -> tuple[np.record, np.record, np.record, np.record]:
        """The records that kernels take together: question, terms, look-ups, working space."""
        return self.record, self.terms.as_record(), reading_tables(), new_record(DEALERS)


def unseen_question(terms: HoldemTerms, hole: Sequence[Card]) -> _Question:
    """A hand of which nothing else is known, as the kernels take it; the board comes later."""
    return _check(terms, hole, (), (), ())


def advise(
    hole: Sequence[Card],
    board: Sequence[Card] = (),
    *,
    seen: Sequence[Card] = (),
    dealer: Sequence[Card] = (),
    terms: HoldemTerms | None = None,
    solve: bool = True,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Advice:
    """Return the exact value of every legal action for a hand that has not bet yet.

    `board` has no card before the flop, three on the flop, five on the river. `seen` are
    cards known to be out of play: the player's other hands, exposed hands, burned cards.
    `dealer` are the dealer's own hole cards, where one or both were flashed.

    Before the flop, with other cards seen, it takes seconds. `workers` threads share that work,
    and what `progress` raises ends it; without `workers`, every processor takes part. With nothing
    seen, unusual terms are solved for all hands, once and in much memory; without `solve`, only
    this hand is priced.

    Raises ImpossibleQuestionError if cards are missing, too many or repeated.

    >>> from openfelt.cards import parse_cards
    >>> advice = advise(parse_cards("Kh 5d"))
    >>> advice.best, {action: round(float(value), 4) for action, value in advice.values.items()}
    ('bet_4x', {'check': -0.1511, 'bet_4x': -0.1176, 'bet_3x': -0.1839})
    >>> advise(parse_cards("7h 2d"), parse_cards("Ac Kc Qd Jd 9s")).best
    'fold'
    """
    terms = terms or HoldemTerms.of()
    question = _check(terms, hole, board, seen, dealer)
    if len(board) == 5:
        values = _river_values(question)
    elif len(board) == 3:
        values = _flop_values(question)
    elif seen or dealer or not (solve or terms == HoldemTerms.of()):
        values = _start_values(question, workers=workers, progress=progress)
    else:
        values = dict(first_values(terms)[cell_name(cell_of(hole))])
    return advice_of(values)


def _check(
    terms: HoldemTerms,
    hole: Sequence[Card],
    board: Sequence[Card],
    seen: Sequence[Card],
    dealer: Sequence[Card],
) -> _Question:
    unseen = unseen_cards(hole, board, seen, dealer)
    refuse_large_odds(terms)
    return _Question.of(terms, hole, board, dealer, unseen)


def _numbers(cards: Sequence[Card]) -> npt.NDArray[np.int64]:
    return np.array([card.number for card in cards], dtype=np.int64)


def _river_values(question: _Question) -> dict[str, Fraction]:
    record, terms, reading, dealers = question.records
    price_showdown(question.board, record, terms, reading, dealers)
    base, play, fold = dealers.prices.tolist()
    deals = int(dealers.counts[TOTAL]) * question.terms.scale
    offered = question.terms.river_multiples
    bets = _bets(offered, base, play, deals)
    return {FOLD: Fraction(fold, deals), **bets}


def _bets(multiples: Sequence[int], base: int, play: int, deals: int) -> dict[str, Fraction]:
    """The values of bets, from Ante and Blind and a Play wager of one over all deals."""
    values = (Fraction(base + multiple * play, deals) for multiple in multiples)
    return dict(zip(bet_names(multiples), values, strict=True))


def _flop_values(question: _Question) -> dict[str, Fraction]:
    record, terms, reading, dealers = question.records
    out = np.empty(4, dtype=np.int64)
    price_flop(question.board, question.unseen, record, terms, reading, dealers, out)
    base, play, check, count = out.tolist()
    deals = count * question.terms.scale
    bets = _bets(question.terms.flop_multiples, base, play, deals)
    return {CHECK: Fraction(check, deals), **bets}


def _start_values(
    question: _Question, *, workers: int | None = None, progress: Progress | None = None
) -> dict[str, Fraction]:
    workers = workers or workers_available()
    cards = question.unseen
    flops = math.comb(cards.size, 3)
    by_flop = np.zeros((workers, flops, 3), dtype=np.int64)
    counts = np.zeros(workers, dtype=np.int64)

    def price(worker: int, highest: int) -> None:
        record, terms, reading, dealers = question.records
        counts[worker] += price_start(
            highest, cards, record, terms, reading, dealers, by_flop[worker]
        )

    # The highest positions have the most boards under them: they go first.
    positions = list(range(cards.size - 1, 3, -1))
    count_of_positions = ProgressCount(progress, len(positions))
    share_out(price, positions, workers=workers, progress=count_of_positions)
    sums = by_flop.sum(axis=0)
    best = sums[:, CHECKED]
    for multiple in question.terms.flop_multiples:
        best = np.maximum(best, sums[:, BASE] + multiple * sums[:, PLAY])
    # Every board comes with each of its ten flops.
    deals = 10 * int(counts.sum()) * question.terms.scale
    base, play = int(sums[:, BASE].sum()), int(sums[:, PLAY].sum())
    bets = _bets(question.terms.first_multiples, base, play, deals)
    return {CHECK: Fraction(int(best.sum()), deals), **bets}


@lru_cache(maxsize=16)
def first_values(terms: HoldemTerms) -> Mapping[str, Mapping[str, Fraction]]:
    """Return the value of every action before the flop, by starting hand, with nothing seen.

    Values for the usual terms are shipped; others are solved once per process.

    >>> first_values(HoldemTerms.of())["AA"]["bet_4x"] > 3
    True
    """
    if terms == HoldemTerms.of():
        return usual_first_values()
    hands = solve_holdem(terms).starting_hands
    return {name: hand.values for name, hand in hands.items()}
