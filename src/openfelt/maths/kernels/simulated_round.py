"""One simulated round: cards dealt, decisions by a strategy, every wager settled."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import (
    cards_key,
    cards_mask,
    read_five,
    read_with_two,
)
from openfelt.maths.kernels.house_way import HOLD_ALL, house_way_hold, read_after_draw
from openfelt.maths.kernels.random_cards import deal_cards
from openfelt.maths.kernels.simulated_settlement import (
    ANTE,
    FOR_DEALER,
    FOR_PLAYER,
    HANDS_MAX,
    LINES,
    MULTIPLES_MAX,
    PROGRESSIVE,
    cover_lines,
    cut_payouts,
    settle_draw_hand,
    settle_holdem_hand,
    settle_progressive,
)
from openfelt.maths.kernels.strategy_features import (
    FLOP_SIZE,
    HOLD_BY_HOUSE_WAY,
    HOLD_BY_TABLE,
    LOW_FLOP_BET,
    fits_any,
    flop_features,
    looks_up_bet,
    river_counts,
    river_features,
    starting_hand,
)

BEFORE_FLOP, ON_FLOP, ON_RIVER = range(3)
NO_LIMIT = 1 << 62
"""A credit that no round can use up."""

FELT = np.dtype(
    [
        ("random", np.uint64, (4,)),
        # The dealer's cards, then the common cards, then others.
        ("deck", np.int64, (52,)),
        # By hand: two hole cards, or five.
        ("cards", np.int64, (HANDS_MAX, 5)),
        # By hand: the Play wager as a multiple of the Ante, 0 for none; or the cards held.
        ("multiples", np.int64, (HANDS_MAX,)),
        # By street and multiple, how often it was chosen so far; a fold is multiple 0.
        ("decisions", np.int64, (3, MULTIPLES_MAX + 1)),
        ("awards", np.int64, (HANDS_MAX,)),
        ("features", np.int64, (FLOP_SIZE,)),
        ("counts", np.int64, (5,)),
        ("final", np.int64, (5,)),
        # The board of hold'em, in the form in which hands are evaluated with it.
        ("board_key", np.uint64),
        ("board_mask", np.uint64),
        ("board_strength", np.int64),
    ],
    align=True,
)
"""The cards and decisions of the current round; overwritten by the next."""


class TableRecords(NamedTuple):
    """The data that all rounds of a simulation share."""

    house: np.record
    layout: np.record
    strategy: np.record
    reading: np.record


@kernel
def deal_round(felt: np.record, house: np.record, layout: np.record) -> None:
    """Deal to the dealer and the board, then to every hand (R.11)."""
    size = 5 if house.is_draw else 2
    deal_cards(felt.random, felt.deck, 0, size + 5)
    first = size + 5
    for hand in range(layout.hands):
        if house.own_decks and hand > 0 and layout.seats[hand] != layout.seats[hand - 1]:
            first = size + 5
        deal_cards(felt.random, felt.deck, first, size)
        for place in range(size):
            felt.cards[hand, place] = felt.deck[first + place]
        first += size


@kernel
def affordable(wanted: int, street: int, house: np.record, ante: int, credit: int) -> int:
    """Return the largest Play wager up to the wanted one that the credit covers (R.9)."""
    if wanted * ante <= credit:
        return wanted
    best = 0
    for place in range(MULTIPLES_MAX):
        multiple = house.multiples[street, place]
        if multiple < wanted and multiple * ante <= credit:
            best = max(best, multiple)
    return best


@kernel
def read_board(felt: np.record, reading: np.record) -> None:
    """Prepare the five community cards of hold'em for evaluating hands."""
    board = felt.deck[2:7]
    felt.board_key = cards_key(board, 5, reading.keys)
    felt.board_mask = cards_mask(board, 5, reading.masks)
    felt.board_strength = read_five(board, reading)


@kernel
def flop_wish(hole: npt.NDArray[np.int64], table: TableRecords, felt: np.record) -> int:
    """Return the multiple that the strategy bets on the flop, 0 to check."""
    board, strategy = felt.deck[2:7], table.strategy
    if strategy.exact_flop:
        bet = looks_up_bet(hole, board, strategy.flop_classes, strategy.flop_bets)
        if bet == LOW_FLOP_BET:
            return int(strategy.flop_low_multiple)
        return int(strategy.flop_multiple if bet else 0)
    flop_features(hole, board, table.reading, felt.features)
    bets = fits_any(felt.features, strategy.flop_boxes, strategy.flop_lows, strategy.flop_highs)
    return int(strategy.flop_multiple if bets else 0)


@kernel
def best_river_multiple(counts: npt.NDArray[np.int64], strength: int, house: np.record) -> int:
    """Weigh every river bet against a fold, which loses Ante and Blind; 0 to fold.

    A win brings Play, a qualified dealer's Ante and the Blind's award, a loss costs Play,
    a qualified dealer's Ante and the Blind. Equal values are played.
    """
    wins, losses = counts[0], counts[1]
    ante_and_blind = house.blind_scale * (counts[2] - counts[3] - losses) + (
        house.blind_units[strength] * wins
    )
    best, best_value = 0, -2 * house.blind_scale * counts[4]
    for place in range(MULTIPLES_MAX):
        multiple = house.multiples[ON_RIVER, place]
        if multiple == 0:
            break
        value = house.blind_scale * multiple * (wins - losses) + ante_and_blind
        if value > best_value or (value == best_value and best == 0):
            best, best_value = multiple, value
    return best


@kernel
def river_wish(hole: npt.NDArray[np.int64], table: TableRecords, felt: np.record) -> int:
    """Return the multiple that the strategy bets on the river, 0 to fold."""
    house, strategy, reading = table.house, table.strategy, table.reading
    key, mask = felt.board_key, felt.board_mask
    strength = read_with_two(key, mask, hole[0], hole[1], reading)
    if strategy.perfect_river:
        river_counts(hole, key, mask, strength, house.qualifying, reading, felt.counts)
        return best_river_multiple(felt.counts, strength, house)
    river_features(
        hole, felt.deck[2:7], key, mask, felt.board_strength, strength,
        strategy.counts_outs, reading, felt.features,
    )  # fmt: skip
    bets = fits_any(felt.features, strategy.river_boxes, strategy.river_lows, strategy.river_highs)
    return strategy.river_multiple if bets else 0


@kernel
def decide_hands(table: TableRecords, felt: np.record, credit: int) -> None:
    """Take every hand with an Ante through the three streets."""
    layout = table.layout
    for hand in range(layout.hands):
        felt.multiples[hand] = 0
    for street in range(3):
        for hand in range(layout.hands):
            ante = layout.stakes[hand, FOR_PLAYER, ANTE]
            if ante == 0 or felt.multiples[hand]:
                continue
            cost = ante + layout.stakes[hand, FOR_DEALER, ANTE]
            hole = felt.cards[hand]
            if street == BEFORE_FLOP:
                wish = table.strategy.before_flop[starting_hand(hole[0], hole[1])]
            elif street == ON_FLOP:
                wish = flop_wish(hole, table, felt)
            else:
                wish = river_wish(hole, table, felt)
            chosen = affordable(wish, street, table.house, cost, credit)
            if chosen or street == ON_RIVER:
                felt.decisions[street, chosen] += 1
            felt.multiples[hand] = chosen
            credit -= chosen * cost


@kernel
def settle_holdem_round(
    felt: np.record, house: np.record, layout: np.record, reading: np.record, books: np.record
) -> int:
    """Settle a round of hold'em after its last decision; return the cover that is left."""
    clear(books, layout.hands)
    key, mask = felt.board_key, felt.board_mask
    dealer_cards = felt.deck[:2]
    dealer = read_with_two(key, mask, dealer_cards[0], dealer_cards[1], reading)
    allowed = house.dealer_rows[52 * dealer_cards[0] + dealer_cards[1]]
    for hand in range(layout.hands):
        first, second = felt.cards[hand, 0], felt.cards[hand, 1]
        player = read_with_two(key, mask, first, second, reading)
        rows = house.hole_rows[52 * first + second] & allowed
        settle_holdem_hand(
            books, house, layout.stakes, hand, felt.multiples[hand],
            player, dealer, felt.board_strength, rows,
        )  # fmt: skip
        if layout.has_progressive:
            if house.reads_early:
                felt.final[:3] = felt.deck[2:5]
                felt.final[3], felt.final[4] = first, second
                player = read_five(felt.final, reading)
            felt.awards[hand] = house.awards[PROGRESSIVE, player]
    return settle_whole(felt, house, layout, books, dealer >= house.qualifying)


@kernel
def settle_whole(
    felt: np.record, house: np.record, layout: np.record, books: np.record, qualified: bool
) -> int:
    """Settle what concerns all hands together: the bank's cover, aggregates and the progressive."""
    left = layout.cover_cents
    if left >= 0:
        left = cover_lines(books, house, layout, qualified)
    if layout.has_aggregates:
        cut_payouts(books, house, layout)
    if layout.has_progressive:
        settle_progressive(books, house, layout, felt.awards)
    return int(left)


@kernel
def clear(books: np.record, hands: int) -> None:
    """Empty the books for a new round."""
    for hand in range(hands):
        for beneficiary in range(2):
            for line in range(LINES):
                books.results[hand, beneficiary, line] = 0
                books.stakes[hand, beneficiary, line] = 0
                books.returned[hand, beneficiary, line] = 0
                books.payouts[hand, beneficiary, line] = 0


@kernel
def play_holdem(table: TableRecords, felt: np.record, books: np.record, credit: int) -> None:
    """Play one round of Ultimate Texas Hold'em."""
    deal_round(felt, table.house, table.layout)
    read_board(felt, table.reading)
    decide_hands(table, felt, credit)
    settle_holdem_round(felt, table.house, table.layout, table.reading, books)


@kernel
def hold_by_table(cards: npt.NDArray[np.int64], holds: npt.NDArray[np.uint8]) -> int:
    """Look up what to hold; return it as bits in the order of the cards as dealt."""
    number = 0
    for place in range(5):
        number += CHOOSE[cards[place], lower_cards(cards, place) + 1]
    held = 0
    for place in range(5):
        if holds[number] >> lower_cards(cards, place) & 1:
            held |= 1 << place
    return held


@kernel
def lower_cards(cards: npt.NDArray[np.int64], place: int) -> int:
    """Count the cards of five that are lower than one of them."""
    lower = 0
    for other in range(5):
        lower += cards[other] < cards[place]
    return lower


@kernel
def settle_draw_round(
    felt: np.record, house: np.record, layout: np.record, reading: np.record,
    books: np.record, holds: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Settle a round of Ultimate Draw after the holds; return the cover that is left."""
    clear(books, layout.hands)
    common = felt.deck[5:10]
    dealer_cards = felt.deck[:5]
    held = house_way_hold(dealer_cards, reading)
    dealer = read_after_draw(dealer_cards, held, common, felt.final, reading)
    for hand in range(layout.hands):
        cards = felt.cards[hand]
        player = read_after_draw(cards, holds[hand], common, felt.final, reading)
        settle_draw_hand(books, house, layout.stakes, hand, player, dealer)
        if layout.has_progressive:
            if house.reads_early:
                player = read_five(cards, reading)
            felt.awards[hand] = house.awards[PROGRESSIVE, player]
    return settle_whole(felt, house, layout, books, dealer >= house.qualifying)


@kernel
def play_draw(table: TableRecords, felt: np.record, books: np.record) -> None:
    """Play one round of Ultimate Draw; `felt.multiples` has the holds of the hands."""
    layout, strategy, reading = table.layout, table.strategy, table.reading
    deal_round(felt, table.house, layout)
    for hand in range(layout.hands):
        cards = felt.cards[hand]
        held = HOLD_ALL
        if strategy.hold_rule == HOLD_BY_HOUSE_WAY:
            held = house_way_hold(cards, reading)
        elif strategy.hold_rule == HOLD_BY_TABLE:
            held = hold_by_table(cards, strategy.holds)
        felt.multiples[hand] = held
    settle_draw_round(felt, table.house, layout, reading, books, felt.multiples)
