"""Several hands in a progressive, against every deal of a small deck settled by the rules."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

from openfelt.cards import Card, Category, Hand, evaluate
from openfelt.catalog import load_catalog, load_house
from openfelt.maths.wagers.progressive_hands import (
    ProgressiveHand,
    house_progressive_hand,
    progressive_hand,
)
from openfelt.maths.wagers.side_bet_figures import price_progressive, progressive_at
from openfelt.rules.house import SeveralWinners
from openfelt.rules.paytable import ProgressivePaytable, ProgressiveReads, ProgressiveRow
from openfelt.rules.progressive import Entry, _shares
from openfelt.rules.wagers import Spot
from tests.kit.maths.games import small_deck

WASHINGTON = load_house("washington")
METER, SEED = 9_000_000, 1_000_000
UNIT = 100


def table() -> ProgressivePaytable:
    found = load_catalog().paytables["progressive", "PRG-01"]
    assert isinstance(found, ProgressivePaytable)
    return found


def deals(deck: list[Card], hands: int) -> Iterator[tuple[tuple[Card, ...], list[Entry]]]:
    """Every flop with every way to deal the hands, in order of seats."""
    row_of = cache(lambda cards: table().row_for(evaluate(cards)))

    def holes(rest: list[Card], left: int) -> Iterator[list[tuple[Card, ...]]]:
        if not left:
            yield []
            return
        for hole in combinations(rest, 2):
            others = [card for card in rest if card not in hole]
            yield from ([hole, *more] for more in holes(others, left - 1))

    for flop in combinations(deck, 3):
        made: dict[tuple[Card, ...], tuple[Hand, ProgressiveRow | None]] = {}
        rest = [card for card in deck if card not in flop]
        for hole in combinations(rest, 2):
            cards = (*hole, *flop)
            made[hole] = evaluate(cards), row_of(cards)
        for dealt in holes(rest, hands):
            yield (
                flop,
                [Entry(Spot(seat, 1), UNIT, *made[hole]) for seat, hole in enumerate(dealt, 1)],
            )


def plain(deck: list[Card], hands: int, rule: SeveralWinners) -> tuple[Fraction, Fraction]:
    """Mean and variance of a hand's net result, settled by the rules of a table.

    All hands are counted: where winners are paid in order, the first seat gets more than the last.
    """
    assert WASHINGTON.progressive is not None
    terms = replace(WASHINGTON.progressive, several_winners=rule, seed_cents=SEED)
    count = total = squares = 0
    for _, entered in deals(deck, hands):
        shares = _shares(WASHINGTON, terms, entered, METER)
        envied = sum(one.row.envy_for_one for one in entered if one.row)
        for own in entered:
            paid = UNIT * (envied - 1 - (own.row.envy_for_one if own.row else 0))
            if own.spot in shares:
                paid += shares[own.spot].cents
            elif own.row:
                paid += UNIT * (own.row.for_one or 0)
            count, total, squares = count + 1, total + paid, squares + paid * paid
    mean = Fraction(total, count * UNIT)
    return mean, Fraction(squares, count * UNIT**2) - mean**2


def counted(deck: list[Card], hands: int, rule: SeveralWinners) -> ProgressiveHand:
    numbers = tuple(card.number for card in deck)
    seed = Fraction(SEED, UNIT)
    return progressive_hand(
        table(), hands=hands, several_winners=rule, seed_units=seed, deck=numbers
    )


@pytest.mark.parametrize(
    ("ranks", "hands", "rule"),
    [
        ("AKQJT", 2, SeveralWinners.SPLIT),
        # Royal flush and straight flush in one round; with a seed that differs from the meter.
        pytest.param("AKQJT98", 2, SeveralWinners.SPLIT, marks=pytest.mark.sweep),
        pytest.param("AKQJT98", 2, SeveralWinners.IN_ORDER, marks=pytest.mark.sweep),
        pytest.param("AKQJT", 3, SeveralWinners.IN_ORDER, marks=pytest.mark.sweep),
        pytest.param("3456789", 2, SeveralWinners.SPLIT, marks=pytest.mark.sweep),
        # Two straight flushes in one round divide a tenth of the meter.
        pytest.param("3456789", 2, SeveralWinners.IN_ORDER, marks=pytest.mark.sweep),
        pytest.param("AKQJT9", 3, SeveralWinners.SPLIT, marks=pytest.mark.sweep),
    ],
)
def test_equals_every_deal_settled_by_the_rules(
    ranks: str, hands: int, rule: SeveralWinners
) -> None:
    deck = small_deck(ranks, 2)
    found, meter = counted(deck, hands, rule), Fraction(METER, UNIT)
    assert (found.expected(meter), found.variance(meter)) == plain(deck, hands, rule)


def test_one_hand_has_the_figures_of_the_wager_alone() -> None:
    meter = Fraction(10_000)
    alone = house_progressive_hand(WASHINGTON, hands=1)
    assert alone is not None
    bet = progressive_at(table(), meter_units=meter)
    assert alone.expected(meter) == bet.expected == price_progressive(table()).expected(meter)
    assert alone.variance(meter) == bet.variance
    assert alone.break_even_meter == price_progressive(table()).break_even_meter()


def test_sharing_costs_less_than_the_envy_of_one_hand_brings() -> None:
    meter, one = Fraction(10_000), price_progressive(table())
    for hands in (2, 6):
        found = house_progressive_hand(WASHINGTON, hands=hands)
        assert found is not None
        assert found.envy_return == (hands - 1) * one.envy_per_other_hand
        lost = one.expected(meter, hands=hands) - found.expected(meter)
        assert 0 < lost < one.return_per_meter_unit * meter / 1000


def test_only_winners_of_one_flop_divide_a_share() -> None:
    # Two hands divide a tenth of the meter with 5-6 and 10-J of a suit on 7, 8 and 9 of it, and
    # alike on the other flops of three consecutive ranks.
    meter = Fraction(10_000)
    alone = house_progressive_hand(WASHINGTON, hands=1)
    two = house_progressive_hand(WASHINGTON, hands=2)
    assert alone is not None
    assert two is not None
    # From 3-4-5 to 9-10-J. On 10-J-Q one of the two is royal, and the other wins a tenth of the
    # seed, which is as much as the meter here.
    flops = 4 * 7
    both = Fraction(2 * flops, comb(52, 3) * comb(49, 2) * comb(47, 2))
    lost = both * Fraction(1, 10) * meter / 2
    assert alone.expected(meter) + two.envy_return - two.expected(meter) == lost


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reads": ProgressiveReads.FINAL_SEVEN}, "hole cards and flop"),
        ({"rows": (ProgressiveRow(Category.FLUSH, None, 40, None, 3, "Flush"),)}, "Envy"),
    ],
)
def test_other_tables_are_refused(changes: dict[str, object], words: str) -> None:
    other = replace(table(), **changes)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=words):
        progressive_hand(
            other, hands=2, several_winners=SeveralWinners.SPLIT, seed_units=Fraction(1)
        )


def test_a_deck_deals_no_more_hands_than_it_has_cards() -> None:
    with pytest.raises(ValueError, match="not enough"):
        counted(small_deck("AKQJT", 2), 4, SeveralWinners.SPLIT)
