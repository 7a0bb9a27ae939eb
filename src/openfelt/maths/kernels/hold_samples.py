"""Ultimate Draw: every hold of a hand played against the same random deals."""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import HIGH_CARDS
from openfelt.maths.kernels.house_way import house_way_hold, read_after_draw
from openfelt.maths.kernels.random_cards import deal_cards, seed_stream

HOLDS = 32
_CARDS = 52


@kernel
def sample_holds(
    hands: npt.NDArray[np.int64], first: int, stop: int, samples: int, seed: int,
    pays: npt.NDArray[np.float64], reading: np.record, out: npt.NDArray[np.float64],
) -> None:  # fmt: skip
    """Write the mean result of every hold of some hands, in Antes.

    Each hand has its own stream of random numbers. `pays` has the payout of each category besides
    the Ante, and at its end the payout for an unqualified dealer.
    """
    state = np.zeros(4, dtype=np.uint64)
    deck = np.zeros(_CARDS - 5, dtype=np.int64)
    final = np.zeros(5, dtype=np.int64)
    for row in range(first, stop):
        seed_stream(np.uint64(seed), np.uint64(row), state)
        unseen = 0
        for card in range(_CARDS):
            if not (hands[row] == card).any():
                deck[unseen] = card
                unseen += 1
        for _ in range(samples):
            deal_cards(state, deck, 0, 10)
            dealer = np.sort(deck[:5])
            common = deck[5:10]
            other = read_after_draw(dealer, house_way_hold(dealer, reading), common, final, reading)
            for hold in range(HOLDS):
                own = read_after_draw(hands[row], hold, common, final, reading)
                result = pays[reading.categories[own]]
                if other <= HIGH_CARDS:
                    result += pays[-1]
                else:
                    result += (own > other) - (own < other)
                out[row, hold] += result / samples
