"""Ultimate Draw: what flushes that the dealer draws change, by what the player ends with.

The same sums as in `dealer_flushes`, told apart by the categories that an Ante Bonus can pay.
`docs/internals/exact-draw.md` derives them.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.dealer_flushes import (
    FOUR_STATES,
    StrongDraws,
    add_four,
    count_odd_cards,
    hands_by_ranks,
    other_rank,
    strong_draws,
    three_ranks,
    weigh_further_draw,
)
from openfelt.maths.kernels.flush_tables import OneSuit, SuitedGroups, flush_of, hands_without
from openfelt.maths.kernels.hold_results import (
    DRAWS,
    FULL_HOUSES,
    HIGH_CARDS,
    LOSE,
    RANKS,
    RESULTS,
    STRAIGHT_FLUSHES,
    STRAIGHTS,
    UNQUALIFIED,
    WIN,
    Holds,
    add_result,
    own_strength,
    strength_of,
    weigh_draw,
)
from openfelt.maths.kernels.unqualified_pairs import bits

BELOW_FLUSH, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH, ROYAL_FLUSH = range(6)
SPREAD = 6
"""The categories that are told apart: what is below a flush, and each of the others."""
FOURS = 7297
"""The weakest four of a kind."""
ROYAL = 7462
"""The royal flush, the strongest hand."""


@kernel
def category_of(strength: int) -> int:
    """Return which of the categories that are told apart a hand belongs to."""
    if strength <= STRAIGHTS:
        return BELOW_FLUSH
    if strength < FULL_HOUSES:
        return FLUSH
    if strength < FOURS:
        return FULL_HOUSE
    if strength < STRAIGHT_FLUSHES:
        return FOUR_OF_A_KIND
    return STRAIGHT_FLUSH if strength < ROYAL else ROYAL_FLUSH


@kernel
def spread_result(out: npt.NDArray[np.int64], strength: int, dealer: int, deals: int) -> None:
    """Count deals that end with these two hands, by category of the player's."""
    first = RESULTS * category_of(strength)
    add_result(out[first : first + RESULTS], strength, dealer, deals)


@kernel
def win_against_flush(out: npt.NDArray[np.int64], strength: int, deals: int) -> None:
    """Count deals in which a strong hand wins, in place of meeting an unqualified dealer.

    They are in the loss that is the same for all holds, of hands below a flush.
    """
    first = RESULTS * category_of(strength)
    out[first + WIN] += deals
    out[first + UNQUALIFIED] -= deals
    out[LOSE] -= deals
    out[UNQUALIFIED] += deals


@kernel
def count_dealers_spread(
    suit: OneSuit, groups: SuitedGroups, holds: Holds, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add what the dealer's flushes change beside a loss of all that were without a pair."""
    odd_ways = np.zeros(RANKS, dtype=np.int64)
    fours = np.zeros((RANKS, RANKS, FOUR_STATES), dtype=np.int64)
    for group in range(groups.keys.size):
        dealers = groups.drawn[group]
        if not groups.suited[group]:
            continue
        if dealers == 1:
            count_odd_cards(groups, group, odd_ways)
        for number in range(suit.starts[dealers], suit.starts[dealers + 1]):
            draw = suit.masks[number]
            hands = 0 if draw & ~suit.free else hands_without(groups, group, draw)
            if hands == 0:
                continue
            flush = flush_of(groups.masks[group] | draw, reading)
            plain = strength_of(groups.keys[group] + suit.keys[draw], reading)
            spread_dealers(suit, holds, draw, hands, flush, plain, reading, out)
            if plain > HIGH_CARDS:
                spread_straight_flush(suit, groups, group, holds, draw, flush, plain, reading, out)
            elif dealers == 1:
                add_four(groups.masks[group], odd_ways, bits(draw - 1), fours)
            elif dealers == 2:
                spread_two_ranks(suit, groups, group, holds, draw, reading, out)
    spread_listed_hands(suit, holds, fours, strong_draws(suit, holds, reading), reading, out)


@kernel
def spread_dealers(
    suit: OneSuit, holds: Holds, draw: int, hands: int, flush: int, plain: int,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add what one flush of the dealer changes for holds that draw no more cards."""
    dealers = bits(draw)
    # Three different ranks make neither a full house nor four of a kind.
    most = dealers if plain > HIGH_CARDS else min(dealers, 2)
    for drawn in range(most + 1):
        if holds.starts[drawn] == holds.starts[drawn + 1]:
            continue
        deals = hands * suit.factors[drawn, dealers - drawn]
        first = draw
        while True:
            if bits(first) == drawn:
                for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
                    own = own_strength(holds, hold, suit.keys[first], reading)
                    spread_result(out[hold], own, flush, deals)
                    spread_result(out[hold], own, plain, -deals)
                    spread_result(out[hold], 0, flush, -deals)
                    spread_result(out[hold], 0, plain, deals)
            if first == 0:
                break
            first = (first - 1) & draw


@kernel
def spread_straight_flush(
    suit: OneSuit, groups: SuitedGroups, group: int, holds: Holds, draw: int, flush: int,
    plain: int, reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Correct holds that draw more cards than the dealer, and would not lose to a straight."""
    dealers = groups.drawn[group]
    for drawn in range(dealers + 1, DRAWS):
        more = drawn - dealers
        for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
            held = holds.keys[hold] + suit.keys[draw]
            for further in range(suit.draws.starts[more], suit.draws.starts[more + 1]):
                own = strength_of(held + suit.draws.keys[further], reading)
                if own < plain:
                    continue
                deals = weigh_further_draw(suit, groups, group, draw, further)
                if deals:
                    deals *= suit.factors[dealers, more]
                    spread_result(out[hold], own, flush, deals)
                    spread_result(out[hold], own, plain, -deals)


@kernel
def spread_two_ranks(
    suit: OneSuit, groups: SuitedGroups, group: int, holds: Holds, draw: int, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Let full houses and fours of a kind win against a flush for which the dealer drew two cards.

    They have the two ranks that were drawn, so that hands are alike which have the same of these.
    """
    low, high = bits((draw & -draw) - 1), bits((draw & (draw - 1)) - 1)
    hands = np.zeros(0, dtype=np.int64)
    for drawn in range(3, DRAWS):
        more = drawn - 2
        for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
            if three_ranks(holds.masks[hold] | draw):
                continue
            if hands.size == 0:
                hands = hands_by_ranks(groups, group, draw, low, high)
            held = holds.keys[hold] + suit.keys[draw]
            for further in range(suit.draws.starts[more], suit.draws.starts[more + 1]):
                own = strength_of(held + suit.draws.keys[further], reading)
                if own < FULL_HOUSES:
                    continue
                deals = 0
                for state in range(4):
                    suit.left[low] -= 1 + (state & 1)
                    suit.left[high] -= 1 + (state >> 1)
                    deals += hands[state] * weigh_draw(suit.draws, further, suit.left)
                    suit.left[low] += 1 + (state & 1)
                    suit.left[high] += 1 + (state >> 1)
                win_against_flush(out[hold], own, deals * suit.factors[2, more])


@kernel
def spread_listed_hands(
    suit: OneSuit, holds: Holds, fours: npt.NDArray[np.int64], strong: StrongDraws,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Let full houses and fours of a kind win against a flush from four cards.

    They have two ranks, the one that the dealer draws and another, so `fours` has all that the
    draws depend on.
    """
    for drawn in range(2, DRAWS):
        for rank in range(RANKS):
            place = drawn * RANKS + rank
            for row in range(strong.starts[place], strong.starts[place + 1]):
                hold, further = strong.holds[row], strong.furthers[row]
                other = other_rank(suit.draws, further, rank)
                deals = 0
                for state in range(FOUR_STATES):
                    if fours[rank, other, state]:
                        of_rank = 1 + (state % 3 == 1)
                        of_other = state // 3 + (state % 3 == 2)
                        suit.left[rank] -= of_rank
                        suit.left[other] -= of_other
                        ways = weigh_draw(suit.draws, further, suit.left)
                        suit.left[rank] += of_rank
                        suit.left[other] += of_other
                        deals += fours[rank, other, state] * ways
                drawn_keys = suit.keys[1 << rank] + suit.draws.keys[further]
                own = strength_of(holds.keys[hold] + drawn_keys, reading)
                win_against_flush(out[hold], own, deals * suit.factors[1, drawn - 1])
