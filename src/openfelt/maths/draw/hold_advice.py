"""Advice on one hand of Ultimate Draw: the exact value of every hold, given any seen cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from openfelt.cards import FULL_DECK, Card, Category, format_cards
from openfelt.maths.draw.ante_results import HOLDS, count_hold_results, deals_of
from openfelt.maths.draw.bonus import award_nets
from openfelt.maths.draw.draw_figures import DrawTerms, refuse_another_hand
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.adviser import ImpossibleQuestionError
from openfelt.maths.kernels.hold_counts import CATEGORIES, count_final_hands
from openfelt.maths.kernels.hold_results import LOSE, UNQUALIFIED, WIN
from openfelt.maths.parallel import Progress
from openfelt.maths.wagers.side_bet_figures import LOSS
from openfelt.rules.paytable import HandPaytable

_HAND = 5
_LEAST_UNSEEN = 10


@dataclass(frozen=True, slots=True)
class HoldValue:
    """One way to hold a hand: the results of the Ante, and its value."""

    held: tuple[Card, ...]
    win: Fraction
    lose: Fraction
    unqualified: Fraction
    """How often the dealer does not qualify."""
    categories: Mapping[Category, Fraction]
    """How often the hand ends in each category."""
    ante: Fraction
    """The expected result of the Ante without its Ante Bonus, in Antes."""
    ante_bonus: Fraction
    bonus: Fraction
    """The expected result of the Bonus wager, in Antes; 0 without one."""

    @property
    def tie(self) -> Fraction:
        """How often the hand ties with a qualified dealer."""
        return 1 - self.win - self.lose - self.unqualified

    @property
    def value(self) -> Fraction:
        """The expected result of all wagers, in Antes."""
        return self.ante + self.ante_bonus + self.bonus


def advise_draw(
    hand: Sequence[Card],
    terms: DrawTerms,
    *,
    bonus: HandPaytable | None = None,
    bonus_units: Fraction = Fraction(0),
    seen: Sequence[Card] = (),
    workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[HoldValue, ...]:
    """Return the exact value of every hold of five cards, the best first.

    `bonus_units` are the units bet on the Bonus per Ante, which the table `bonus` pays. `seen` are
    cards that are known to be out of play. This takes some seconds of processor time. Of equal
    values, the hold that keeps the most cards comes first. Raises ImpossibleQuestionError for cards
    that are missing, too many or repeated, and ValueError for a Bonus that pays by the rank of a
    pair, and for a dealer who qualifies with a hand other than a pair.

    >>> from openfelt.cards import parse_cards
    >>> terms = DrawTerms(Fraction(1, 2), {Category.FLUSH: Fraction(1)})
    >>> advise_draw(parse_cards("Ks Kd"), terms)
    Traceback (most recent call last):
    openfelt.maths.holdem.questions.ImpossibleQuestionError: a hand has five cards, not 2
    """
    refuse_another_hand(terms)
    cards = _check(hand, seen)
    if bonus and any(row.hand.at_least for row in bonus.rows):
        raise ValueError(f"{bonus.name} pays by the rank of a pair, which is not counted")
    nets = dict.fromkeys(Category, LOSS) | (award_nets(bonus) if bonus else {})
    numbers = [card.number for card in cards]
    gone = [card.number for card in seen]
    results = count_hold_results(numbers, seen=gone, workers=workers, progress=progress)
    unseen = [card.number for card in FULL_DECK if card.number not in {*numbers, *gone}]
    deals = deals_of(len(unseen))
    values = []
    for hold in range(HOLDS):
        final = np.zeros(CATEGORIES, dtype=np.int64)
        count_final_hands(np.array(numbers), hold, np.array(unseen), reading_tables(), final)
        draws = comb(len(unseen), _HAND - hold.bit_count())
        often = {category: Fraction(int(final[category]), draws) for category in Category}
        win, lose, none = (
            Fraction(int(results[hold, result]), deals) for result in (WIN, LOSE, UNQUALIFIED)
        )
        values.append(
            HoldValue(
                held=tuple(card for place, card in enumerate(cards) if hold >> place & 1),
                win=win,
                lose=lose,
                unqualified=none,
                categories=often,
                ante=win - lose + terms.unqualified_pays * none,
                ante_bonus=_mean(terms.ante_bonus, often),
                bonus=bonus_units * _mean(nets, often),
            )
        )
    return tuple(sorted(values, key=lambda hold: (hold.value, len(hold.held)), reverse=True))


def _mean(pays: Mapping[Category, Fraction], often: Mapping[Category, Fraction]) -> Fraction:
    return sum((pays[category] * often[category] for category in pays), Fraction(0))


def _check(hand: Sequence[Card], seen: Sequence[Card]) -> tuple[Card, ...]:
    """The hand, lowest card first."""
    if len(hand) != _HAND:
        raise ImpossibleQuestionError(f"a hand has five cards, not {len(hand)}")
    cards = [*hand, *seen]
    again = sorted({card for card in cards if cards.count(card) > 1})
    if again:
        verb = "is" if len(again) == 1 else "are"
        raise ImpossibleQuestionError(f"{format_cards(again)} {verb} given more than once")
    if len(FULL_DECK) - len(cards) < _LEAST_UNSEEN:
        raise ImpossibleQuestionError("too many cards are seen for the dealer's hand and the draw")
    return tuple(sorted(hand, key=lambda card: card.number))
