"""A house and the wagers on its table, as the records that the kernels settle by.

The referee of the rules checks the wagers, so wagers that a table refuses cannot be simulated.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np
import numpy.typing as npt

from openfelt.cards import FULL_DECK, Card, Hand
from openfelt.cards.card import Rank, Suit
from openfelt.maths.hands.strengths import STRENGTHS_MAX, hand_tables
from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.simulated_runs import NET_MAX_CENTS
from openfelt.maths.kernels.simulated_settlement import (
    ANTE,
    ANTE_BONUS,
    AWARDS_MAX,
    BLIND,
    FOR_DEALER,
    FOR_PLAYER,
    HANDS_MAX,
    HOUSE,
    LAYOUT,
    LINE_NAMES,
    PLAY,
    PROGRESSIVE,
)
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import (
    Banker,
    Beneficiary,
    CloseBets,
    Refusal,
    Round,
    SetWagers,
    Spot,
    Wager,
    apply,
    begin,
    decide,
    open_round,
)
from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import Cover, DatedLimits, Deck, GameName, House, SeveralWinners
from openfelt.rules.paytable import (
    HandMinimum,
    HandPaytable,
    Odds,
    PairsPaytable,
    Paytable,
    ProgressivePaytable,
    ProgressiveReads,
)
from openfelt.rules.round_actions import Action
from openfelt.rules.settlement import settlement_spots

_PAIRS_OF_CARDS = 52 * 52


def house_tables(house: House) -> np.record:
    """Translate a house's rules into a record.

    >>> from openfelt.catalog import load_house
    >>> from openfelt.maths.kernels.simulated_settlement import BLIND
    >>> tables = house_tables(load_house("washington"))
    >>> royal = tables.awards[BLIND, 7462]
    >>> int(tables.pays[BLIND, royal]), int(tables.per[BLIND, royal])
    (500, 1)
    """
    tables = new_record(HOUSE)
    tables.per[:] = 1
    tables.share_denominators[:] = 1
    tables.share_groups[:] = -1
    for rule in house.wagers:
        if rule.paytable:
            _enter_paytable(tables, rule.kind.value, rule.paytable)
    if house.ante_bonus:
        _enter_paytable(tables, LINE_NAMES[ANTE_BONUS], house.ante_bonus)
    tables.blind_scale = lcm(*tables.per[BLIND].tolist())
    units = tables.pays[BLIND] * tables.blind_scale // tables.per[BLIND]
    tables.blind_units[:] = units[tables.awards[BLIND]]
    if house.play:
        streets = house.play.before_flop, house.play.on_flop, house.play.on_river
        for street, multiples in enumerate(streets):
            tables.multiples[street, : len(multiples)] = multiples
    tables.refunds_first = house.refund_antes_first
    tables.folds_first = house.bank.folds_first
    tables.is_draw = house.game is GameName.ULTIMATE_DRAW
    tables.own_decks = house.deck is Deck.PER_TERMINAL
    tables.qualifying = _weakest(house.dealer_qualifies)
    tables.unit_cents = house.rounding_unit_cents
    if house.progressive:
        tables.seed_cents = house.progressive.seed_cents
        tables.splits_shares = house.progressive.several_winners is SeveralWinners.SPLIT
    tables.losses_use_cover = house.bank.cover is Cover.ACTION
    return tables


def _enter_paytable(tables: np.record, name: str, table: Paytable) -> None:
    line = LINE_NAMES.index(name)
    rows = slice(1, len(table.rows) + 1)
    if rows.stop > AWARDS_MAX:
        raise ValueError(f"{table.name} has {len(table.rows)} rows; 63 can be simulated")
    match table:
        case HandPaytable():
            tables.awards[line] = _by_hand(table)
            odds = [row.odds for row in table.rows]
        case PairsPaytable():
            tables.hole_rows[:], tables.dealer_rows[:] = _pair_rows(table)
            odds = [row.odds for row in table.rows]
        case ProgressivePaytable():
            tables.awards[line] = _by_category(table)
            odds = [Odds(row.for_one or 0) for row in table.rows]
            shares = [row.share or Fraction(0) for row in table.rows]
            tables.share_numerators[rows] = [share.numerator for share in shares]
            tables.share_denominators[rows] = [share.denominator for share in shares]
            largest_first = sorted({share for share in shares if share}, reverse=True)
            tables.share_groups[rows] = [
                largest_first.index(share) if share else -1 for share in shares
            ]
            tables.groups = len(largest_first)
            tables.share_wholes[rows] = [share == 1 for share in shares]
            tables.envy[rows] = [row.envy_for_one for row in table.rows]
            tables.reads_early = table.reads is not ProgressiveReads.FINAL_SEVEN
    tables.pays[line, rows] = [award.pays for award in odds]
    tables.per[line, rows] = [award.per for award in odds]


@lru_cache(maxsize=1)
def _kinds_of_hand() -> tuple[tuple[Hand, ...], npt.NDArray[np.int64]]:
    """A hand of each category and leading rank, and which of them each strength belongs to.

    Rows of paytables depend on nothing else.
    """
    plain = hand_tables().plain_strengths[1:]
    kinds, place = np.unique(plain >> 16, return_inverse=True)
    hands = tuple(_example(int(plain[plain >> 16 == kind][0])) for kind in kinds)
    return hands, np.asarray(place, dtype=np.int64)


def _example(strength: int) -> Hand:
    ranks = [Rank(strength >> shift & 15) for shift in (16, 12, 8, 4, 0)]
    return Hand(strength=strength, among=tuple(Card.of(rank, Suit.CLUBS) for rank in ranks))


def _award_numbers(numbers: Iterable[int]) -> npt.NDArray[np.uint8]:
    """Spread one award number for each kind of hand over all strengths; 0 is no hand."""
    _, place = _kinds_of_hand()
    return np.concatenate(([0], np.array(list(numbers))[place])).astype(np.uint8)


@lru_cache(maxsize=64)
def _by_hand(table: HandPaytable) -> npt.NDArray[np.uint8]:
    return _award_numbers(
        next((number for number, row in enumerate(table.rows, 1) if row.matches(hand)), 0)
        for hand in _kinds_of_hand()[0]
    )


def _by_category(table: ProgressivePaytable) -> npt.NDArray[np.uint8]:
    rows = [table.row_for(hand) for hand in _kinds_of_hand()[0]]
    return _award_numbers(table.rows.index(row) + 1 if row else 0 for row in rows)


def _weakest(minimum: HandMinimum) -> int:
    """The lowest strength that meets the minimum; better hands meet it too."""
    hands, place = _kinds_of_hand()
    met = np.array([minimum.met_by(hand) for hand in hands])[place]
    return int(np.argmax(met)) + 1 if met.any() else STRENGTHS_MAX + 1


@lru_cache(maxsize=16)
def _pair_rows(table: PairsPaytable) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """For every two cards, the rows that they match as a player's and allow as the dealer's."""
    hole_rows = np.zeros(_PAIRS_OF_CARDS, dtype=np.uint64)
    dealer_rows = np.zeros(_PAIRS_OF_CARDS, dtype=np.uint64)
    for first in FULL_DECK:
        for second in FULL_DECK:
            if first is second:
                continue
            cards = (first, second)
            place = 52 * first.number + second.number
            for number, row in enumerate(table.rows):
                bit = np.uint64(1 << number)
                if any(pattern.matches(cards) for pattern in row.hole):
                    hole_rows[place] |= bit
                if not row.dealer or any(pattern.matches(cards) for pattern in row.dealer):
                    dealer_rows[place] |= bit
    return hole_rows, dealer_rows


# The wagers on the table -------------------------------------------------------


def house_in_full(house: House) -> House:
    """The house without limits on the wagers of a hand and on what a round pays on a wager."""
    limits = (
        replace(dated, wagers_per_hand_max=None, payout_aggregates=()) for dated in house.limits
    )
    return house_with(house, limits=tuple(limits))


def lay_table(
    house: House,
    wagers: Mapping[Spot, Iterable[Wager]],
    *,
    banker: Banker | None = None,
    meter_cents: int | None = None,
    day: date | None = None,
) -> np.record:
    """Place wagers on a house's table, through its referee, and return them as a record.

    The meter, where a hand plays the progressive, is its seed unless given. The limits are
    those of the day, or the latest. Raises ValueError with the referee's message for wagers
    that the house refuses.

    >>> from openfelt.catalog import load_house
    >>> from openfelt.maths.kernels.simulated_settlement import BLIND
    >>> from openfelt.rules import WagerKind
    >>> layout = lay_table(load_house("washington"), {Spot(1, 1): [Wager(WagerKind.ANTE, 500)]})
    >>> int(layout.stakes[0, 0, BLIND])
    500
    """
    day = day or _newest_limits(house)
    state = _with_wagers(house, wagers, banker, day)
    if len(state.hands) > HANDS_MAX:
        raise ValueError(f"a simulated round has {HANDS_MAX} hands at most, not {len(state.hands)}")
    if meter_cents is None:
        meter_cents = house.progressive.seed_cents if house.progressive else 0
    if type(meter_cents) is not int or not 0 <= meter_cents <= AMOUNT_MAX_CENTS:
        raise ValueError(f"a meter must be a whole number of cents from 0 on, not {meter_cents!r}")
    layout = new_record(LAYOUT)
    layout.hands = len(state.hands)
    places = {spot: place for place, spot in enumerate(state.hands)}
    layout.order[: len(places)] = [places[spot] for spot in settlement_spots(state)]
    for spot, hand in state.hands.items():
        layout.seats[places[spot]] = spot.seat
        for wager in hand.wagers:
            owner = FOR_PLAYER if wager.beneficiary is Beneficiary.PLAYER else FOR_DEALER
            layout.stakes[places[spot], owner, LINE_NAMES.index(wager.kind.value)] = wager.cents
    layout.cover_cents = banker.cover_cents if banker else -1
    layout.meter_cents = meter_cents
    layout.has_progressive = bool(layout.stakes[:, FOR_PLAYER, PROGRESSIVE].any())
    most_cents = _check_size(house_tables(house), layout)
    _enter_aggregates(layout, house.limits_on(day), most_cents)
    return layout


def _enter_aggregates(layout: np.record, limits: DatedLimits | None, most_cents: int) -> None:
    """Enter the payout aggregates that this round can reach, given the most that it can pay."""
    for aggregate in limits.payout_aggregates if limits else ():
        if aggregate.max_cents < most_cents:
            layout.aggregates[LINE_NAMES.index(aggregate.wager.value)] = aggregate.max_cents
    layout.has_aggregates = bool(layout.aggregates.any())
    if layout.has_aggregates and most_cents**2 >= 1 << 62:
        raise ValueError("these wagers are too large to be simulated with payout aggregates")


def _newest_limits(house: House) -> date:
    return max((limits.since for limits in house.limits), default=date(2000, 1, 1))


def _with_wagers(
    house: House, wagers: Mapping[Spot, Iterable[Wager]], banker: Banker | None, day: date
) -> Round:
    try:
        state = begin(house, open_round(house, number=1, day=day, banker=banker))
        actions: list[Action] = [SetWagers(spot, tuple(bets)) for spot, bets in wagers.items()]
        for action in (*actions, CloseBets()):
            for event in decide(state, action):
                state = apply(state, event)
    except Refusal as refusal:
        raise ValueError(f"{house.id}: {refusal}") from refusal
    return state


def _check_size(house: np.record, layout: np.record) -> int:
    """Refuse amounts whose sums and squares might overflow 64 bits; return the most paid."""
    largest = [
        max(-(-pays // per) + 1 for pays, per in zip(*row, strict=True))
        for row in zip(house.pays.tolist(), house.per.tolist(), strict=True)
    ]
    stakes = layout.stakes.astype(object)
    stakes[:, :, PLAY] = stakes[:, :, ANTE] * int(house.multiples.max())
    stakes[:, :, ANTE_BONUS] = stakes[:, :, ANTE]
    highest = int(stakes.max())
    envy = int(house.envy.max()) * int(layout.hands) ** 2 * highest
    most = int((stakes * np.array(largest, dtype=object)).sum()) + int(layout.meter_cents) + envy
    widest = max(int(house.pays.max()), int(house.share_numerators.max()))
    if most >= NET_MAX_CENTS or widest * max(highest, int(layout.meter_cents)) >= 1 << 62:
        raise ValueError("these wagers are too large to be simulated in whole cents")
    return most
