"""Ultimate Draw: what becomes of flushes that the player draws, by their category.

The same sums as in `flush_results` and `flush_gains`. There, only what a flush changes is counted;
here, all its wins, losses and ties with a qualified dealer, and what its ranks alone would have
brought is taken away from the hands below a flush. `docs/internals/exact-draw.md` derives it.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.dealer_flush_spread import category_of
from openfelt.maths.kernels.flush_dealers import HAND, hands_left, other_suits
from openfelt.maths.kernels.flush_gains import count_dealers
from openfelt.maths.kernels.flush_results import (
    BELOW_STRAIGHTS,
    flush_draws,
    sum_by_rank,
    sum_within,
    weigh_further_draws,
    weigh_one_draw,
)
from openfelt.maths.kernels.flush_tables import OneSuit, SuitedGroups, flush_of, hands_without
from openfelt.maths.kernels.hand_reader import STRENGTHS
from openfelt.maths.kernels.hold_results import (
    FULL_HOUSES,
    HIGH_CARDS,
    LOSE,
    RANKS,
    RESULTS,
    STRAIGHT_FLUSHES,
    STRAIGHTS,
    WIN,
    Holds,
    strength_of,
)
from openfelt.maths.kernels.quick_gains import ALL_RANKS, add_rows, makes_straight, sum_submasks
from openfelt.maths.kernels.suit_patterns import SuitPatterns
from openfelt.maths.kernels.unqualified_pairs import bits

TIE = 2
"""What is counted beside wins and losses; the rest are unqualified dealers."""


class ShortDealers(NamedTuple):
    """The dealer's hands that draw one card or none, for one suit."""

    below: npt.NDArray[np.int64]
    """By a rank that is drawn, and by mask: hands that then have a pair to a straight, and have
    no cards of the suit but those of the mask. The row after the ranks has hands that draw none."""
    full: npt.NDArray[np.int64]
    """The same for hands that then have a full house or four of a kind."""
    flushes: npt.NDArray[np.int64]
    """By strength: standing flushes of other suits up to it."""
    own: npt.NDArray[np.int64]
    """Groups with standing flushes of the suit, and those with four cards of it."""
    own_hands: npt.NDArray[np.int64]
    """How many hands of these groups are of the suit."""


@kernel
def short_dealers(suit: OneSuit, groups: SuitedGroups, reading: np.record) -> ShortDealers:
    """Add up the dealer's hands that draw one card or none."""
    below = np.zeros((RANKS + 1, 1 << RANKS), dtype=np.int64)
    full = np.zeros((RANKS + 1, 1 << RANKS), dtype=np.int64)
    flushes = np.zeros(STRENGTHS, dtype=np.int64)
    own = np.zeros(groups.keys.size, dtype=np.int64)
    own_hands = np.zeros(groups.keys.size, dtype=np.int64)
    found = 0
    for group in range(groups.keys.size):
        strength = groups.strengths[group]
        if groups.drawn[group] > 1:
            continue
        is_full = FULL_HOUSES <= strength < STRAIGHT_FLUSHES
        if groups.suited[group] or (strength > STRAIGHTS and not is_full):
            others = hands_without(groups, group, ALL_RANKS)
            flushes[strength] += others
            own[found] = group
            own_hands[found] = hands_without(groups, group, 0) - others
            found += own_hands[found] > 0
            continue
        for rank in range(RANKS) if strength == 0 else range(RANKS, RANKS + 1):
            made = strength
            if made == 0:
                made = strength_of(groups.keys[group] + suit.keys[1 << rank], reading)
            if made >= FULL_HOUSES:
                add_rows(groups, group, full[rank])
            elif made > HIGH_CARDS:
                add_rows(groups, group, below[rank])
    for rank in range(RANKS + 1):
        sum_submasks(below[rank])
        sum_submasks(full[rank])
    for strength in range(1, STRENGTHS):
        flushes[strength] += flushes[strength - 1]
    return ShortDealers(below, full, flushes, own[:found], own_hands[:found])


@kernel
def compare_hands(out: npt.NDArray[np.int64], strength: int, dealer: int, deals: int) -> None:
    """Count deals that end with these two hands, if the dealer qualifies."""
    if dealer > HIGH_CARDS:
        out[WIN if strength > dealer else LOSE if strength < dealer else TIE] += deals


@kernel
def spread_flushes(
    suit: OneSuit, holds: Holds, drawn: int, draw: int, dealer: int, deals: int,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the flushes of all holds against one hand of the dealer."""
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        flush = flush_of(holds.masks[hold] | draw, reading)
        plain = strength_of(holds.keys[hold] + suit.keys[draw], reading)
        first = RESULTS * category_of(flush)
        compare_hands(out[hold, first : first + RESULTS], flush, dealer, deals)
        compare_hands(out[hold], plain, dealer, -deals)


@kernel
def count_players_spread(
    suit: OneSuit, groups: SuitedGroups, holds: Holds, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the player's flushes of a suit, of holds of this suit alone. The dealer's hand is true.

    `out` has wins, losses and ties for each category of `category_of`.
    """
    ways = np.zeros(suit.draws.keys.size, dtype=np.int64)
    weights = np.zeros(suit.draws.keys.size, dtype=np.int64)
    within = np.zeros(1 << RANKS, dtype=np.int64)
    by_rank = np.zeros((RANKS + 1, 1 << RANKS), dtype=np.int64)
    # Hands from a pair to three of a kind are all alike: without its flush, the player's hand is
    # a straight or has no pair.
    middle = np.zeros(suit.masks.size, dtype=np.int64)
    slow = np.zeros(suit.masks.size, dtype=np.bool_)
    flushes = flush_draws(suit, holds)
    spread_short_dealers(suit, groups, holds, flushes, reading, slow, out)
    straights = flushes[slow[flushes]]
    for group in range(groups.keys.size):
        wanted = flushes if groups.drawn[group] > 1 else straights
        if wanted.size == 0 or hands_without(groups, group, 0) == 0:
            continue
        many = sum_within(groups, group, wanted.size, within)
        one_more = groups.drawn[group] - 1
        if holds.starts[one_more] < holds.starts[one_more + 1]:
            sum_by_rank(groups, group, by_rank)
        for number in wanted:
            draw = suit.masks[number]
            drawn = bits(draw)
            hands = within[ALL_RANKS & ~draw] if many else hands_without(groups, group, draw)
            if hands and groups.drawn[group] <= drawn:
                middle[number] += spread_shorter(
                    suit, groups, group, hands, holds, drawn, draw, reading, out
                )
            elif hands:
                if drawn == one_more:
                    weigh_one_draw(suit, draw, by_rank, weights)
                else:
                    more = groups.drawn[group] - drawn
                    weigh_further_draws(suit, groups, group, draw, more, ways, weights)
                middle[number] += spread_longer(
                    suit, groups, group, holds, drawn, draw, weights, reading, out
                )
                if groups.suited[group]:
                    spread_two_flushes(
                        suit, groups, group, many, within, holds, drawn, draw, reading, out
                    )  # fmt: skip
    for number in range(suit.masks.size):
        draw = suit.masks[number]
        if middle[number]:
            spread_flushes(
                suit, holds, bits(draw), draw, BELOW_STRAIGHTS, middle[number], reading, out
            )


@kernel
def spread_short_dealers(
    suit: OneSuit, groups: SuitedGroups, holds: Holds, flushes: npt.NDArray[np.int64],
    reading: np.record, slow: npt.NDArray[np.bool_], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add flushes against dealers who draw one card or none, but for `slow` draws.

    These give one of the holds a straight flush.
    """
    short = short_dealers(suit, groups, reading)
    for number in flushes:
        draw = suit.masks[number]
        drawn = bits(draw)
        slow[number] = makes_straight(suit, holds, drawn, draw, reading)
        if not slow[number]:
            spread_one_flush(suit, groups, short, holds, drawn, draw, reading, out)


@kernel
def spread_one_flush(
    suit: OneSuit, groups: SuitedGroups, short: ShortDealers, holds: Holds, drawn: int, draw: int,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add a flush that is no straight against dealers who draw one card or none."""
    rest = ALL_RANKS & ~draw
    once = suit.factors[0, drawn]
    after_one = suit.factors[1, drawn - 1]
    below = once * short.below[RANKS, rest]
    full = once * short.full[RANKS, rest]
    for rank in range(RANKS):
        if draw >> rank & 1:
            below += after_one * short.below[rank, rest]
            full += after_one * short.full[rank, rest]
    every = short.flushes[STRENGTHS - 1]
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        flush = flush_of(holds.masks[hold] | draw, reading)
        first = RESULTS * category_of(flush)
        weaker, as_strong = short.flushes[flush - 1], short.flushes[flush]
        out[hold, first + WIN] += below + once * weaker
        out[hold, first + TIE] += once * (as_strong - weaker)
        out[hold, first + LOSE] += full + once * (every - as_strong)
        out[hold, LOSE] -= below + full + once * every
    for number in range(short.own.size):
        group, hands = short.own[number], short.own_hands[number]
        if groups.masks[group] & draw:
            continue
        if groups.drawn[group] == 0:
            dealer = groups.strengths[group]
            spread_flushes(suit, holds, drawn, draw, dealer, once * hands, reading, out)
            continue
        for rank in range(RANKS):
            if draw >> rank & 1:
                dealer = flush_of(groups.masks[group] | 1 << rank, reading)
                spread_flushes(suit, holds, drawn, draw, dealer, after_one * hands, reading, out)


@kernel
def spread_shorter(
    suit: OneSuit, groups: SuitedGroups, group: int, hands: int, holds: Holds, drawn: int,
    draw: int, reading: np.record, out: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Add one flush against dealers who draw no more cards.

    Returns the deals in which the dealer has a pair to three of a kind, which are not added.
    """
    fewer = groups.drawn[group]
    deals = hands * suit.factors[fewer, drawn - fewer]
    if fewer == 0:
        spread_flushes(suit, holds, drawn, draw, groups.strengths[group], deals, reading, out)
        return 0
    middle = 0
    # The sets of one card are the quickest to list, and most hands of the dealer draw one card.
    rest = draw
    first = draw & -draw if fewer == 1 else draw
    while first:
        if bits(first) == fewer:
            if groups.suited[group]:
                dealer = flush_of(groups.masks[group] | first, reading)
            else:
                dealer = strength_of(groups.keys[group] + suit.keys[first], reading)
            if dealer > BELOW_STRAIGHTS:
                spread_flushes(suit, holds, drawn, draw, dealer, deals, reading, out)
            elif dealer > HIGH_CARDS:
                middle += deals
        if fewer == 1:
            rest ^= first
            first = rest & -rest
        else:
            first = (first - 1) & draw
    return int(middle)


@kernel
def spread_longer(
    suit: OneSuit, groups: SuitedGroups, group: int, holds: Holds, drawn: int, draw: int,
    weights: npt.NDArray[np.int64], reading: np.record, out: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Add one flush against dealers who draw more cards, like `spread_shorter`."""
    more = groups.drawn[group] - drawn
    factor = suit.factors[drawn, more]
    held = groups.keys[group] + suit.keys[draw]
    middle = 0
    for further in range(suit.draws.starts[more], suit.draws.starts[more + 1]):
        if weights[further] == 0:
            continue
        deals = factor * weights[further]
        dealer = strength_of(held + suit.draws.keys[further], reading)
        if dealer > BELOW_STRAIGHTS:
            spread_flushes(suit, holds, drawn, draw, dealer, deals, reading, out)
        elif dealer > HIGH_CARDS:
            middle += deals
    return int(middle)


@kernel
def spread_two_flushes(
    suit: OneSuit, groups: SuitedGroups, group: int, many: bool, within: npt.NDArray[np.int64],
    holds: Holds, drawn: int, draw: int, reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Correct for dealers who draw more cards and a flush, too, which was read as five ranks."""
    more = groups.drawn[group] - drawn
    for number in range(suit.starts[more], suit.starts[more + 1]):
        both = suit.masks[number] | draw
        if both & ~suit.free or suit.masks[number] & draw:
            continue
        hands = within[ALL_RANKS & ~both] if many else hands_without(groups, group, both)
        deals = suit.factors[drawn, more] * hands
        flush = flush_of(groups.masks[group] | both, reading)
        plain = strength_of(groups.keys[group] + suit.keys[both], reading)
        spread_flushes(suit, holds, drawn, draw, flush, deals, reading, out)
        spread_flushes(suit, holds, drawn, draw, plain, -deals, reading, out)


@kernel
def count_long_spread(
    suit: OneSuit, kept: int, taken: npt.NDArray[np.int64], unseen: int, patterns: SuitPatterns,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the flushes of a player who keeps one card of the suit, or none.

    `kept` is the mask of what is kept, `taken` has the ranks that are taken in each other suit, and
    `unseen` is how many cards the player's hand leaves.
    """
    drawn = HAND - bits(kept)
    others = other_suits(suit, taken, patterns, reading)
    room = hands_left()
    every = 1
    for place in range(HAND):
        every = every * (unseen - drawn - place) // (place + 1)
    every *= suit.factors[0, drawn]
    for number in range(suit.starts[drawn], suit.starts[drawn + 1]):
        draw = suit.masks[number]
        if draw & ~suit.free:
            continue
        found = count_dealers(suit, others, kept, draw, patterns, reading, room)
        qualified = every - found.unqualified
        first = RESULTS * category_of(flush_of(kept | draw, reading))
        lost = found.strong_flushes - found.equal_flushes
        plain_lost, plain_tied = qualified, 0
        if patterns.straights[kept | draw]:
            plain_tied = found.equal_straights
            plain_lost = found.straights - plain_tied + found.flushes + found.full
        else:
            lost += found.full
        out[first + WIN] += qualified - lost - found.equal_flushes
        out[first + LOSE] += lost
        out[first + TIE] += found.equal_flushes
        out[WIN] -= qualified - plain_lost - plain_tied
        out[LOSE] -= plain_lost
        out[TIE] -= plain_tied
