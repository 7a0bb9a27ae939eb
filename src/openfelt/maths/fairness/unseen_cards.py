"""The possible results of a hold'em hand over all cards that its player has not seen.

Given the cards of the players and the board, the dealer's two cards are equally likely to be any
two of the rest, regardless of the players' decisions. So the distribution of a showdown is known
exactly for every hand, folded ones too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Card
from openfelt.maths.fairness.evidence import RATES
from openfelt.maths.hands.evaluator import evaluate_hands

Signs = npt.NDArray[np.int8]
"""By pair of dealer cards: 1 if the hand wins, -1 if it loses, 0 for a tie."""
FOLD_WEIGHT: Final = -1.0
PLAY_WEIGHT: Final = 0.5
"""How strongly a fold and a Play wager indicate what the player expects. The rate of false alarms
is the same for any weights; among those tried, these detect a player who sees a card of the dealer
soonest."""


@dataclass(frozen=True, slots=True)
class Showdowns:
    """The showdowns of some hands against every possible hand of the dealer."""

    signs: tuple[Signs, ...]
    """By hand."""
    actual: tuple[int, ...]
    """By hand, the result against the dealer's actual cards."""
    dealt_pair: int
    """The index of the dealer's actual cards."""

    def followed(self, played: Sequence[bool]) -> tuple[float, list[float]]:
        """How well decisions matched the dealer's cards, for `Evidence.add`.

        ``played`` has for each hand whether it made a Play wager and did not fold.

        The statistic is the sum of decision weights times showdowns, minus its mean over all dealer
        hands. Its distribution does not depend on the decisions, as long as they are made without
        knowing the dealer's cards.
        """
        weights = [PLAY_WEIGHT if is_played else FOLD_WEIGHT for is_played in played]
        total = sum(
            weight * sign.astype(np.float64)
            for weight, sign in zip(weights, self.signs, strict=True)
        )
        centred = np.asarray(total - np.mean(total))
        log_means = [float(np.log(np.mean(np.exp(rate * centred)))) for rate in RATES]
        return float(centred[self.dealt_pair]), log_means


def showdowns(
    hands: Sequence[Sequence[Card]],
    board: Sequence[Card],
    dealer: Sequence[Card],
    *,
    seen: Sequence[Card] = (),
) -> Showdowns:
    """All showdowns of these hands; ``seen`` has other cards that the dealer cannot have.

    Raises ValueError unless there are two cards in each hand, two of the dealer, five of the
    board, and no card twice among them.
    """
    wrong = len(board) != 5 or len(dealer) != 2 or any(len(hand) != 2 for hand in hands)
    seen_numbers = {card.number for hand in (*hands, board, seen) for card in hand}
    own = sorted(card.number for card in dealer)
    if wrong or not hands or seen_numbers & set(own) or len(set(own)) != 2:
        raise ValueError("a showdown has two cards in each hand, five of the board, none twice")
    left = [number for number in range(52) if number not in seen_numbers]
    pairs = list(combinations(left, 2))
    rows = np.empty((len(pairs) + len(hands), 7), dtype=np.uint8)
    rows[:, :5] = [card.number for card in board]
    rows[: len(pairs), 5:] = pairs
    rows[len(pairs) :, 5:] = [[card.number for card in hand] for hand in hands]
    strengths = evaluate_hands(rows).astype(np.int32)
    dealers = strengths[: len(pairs)]
    signs = tuple(
        np.sign(strength - dealers).astype(np.int8) for strength in strengths[len(pairs) :]
    )
    dealt_pair = pairs.index((own[0], own[1]))
    return Showdowns(signs, tuple(int(sign[dealt_pair]) for sign in signs), dealt_pair)
