"""The exact figures of the optional wagers."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest

from openfelt.cards import Category, Rank
from openfelt.catalog import load_catalog
from openfelt.maths.hands.deal_counts import dealer_pairs, hole_pairs
from openfelt.maths.wagers.side_bet_figures import (
    price_bad_beat,
    price_play_the_board,
    price_progressive,
    price_trips,
    price_ultimate_pairs,
    progressive_at,
)
from openfelt.rules.paytable import (
    EVEN_MONEY,
    HandMinimum,
    HandPaytable,
    HandRow,
    PairsPaytable,
    ProgressivePaytable,
)

PAYTABLES = load_catalog().paytables


def hand_table(wager: str, name: str) -> HandPaytable:
    table = PAYTABLES[wager, name]
    assert isinstance(table, HandPaytable)
    return table


def pairs_table(name: str) -> PairsPaytable:
    table = PAYTABLES["ultimate_pairs", name]
    assert isinstance(table, PairsPaytable)
    return table


def progressive_table() -> ProgressivePaytable:
    table = PAYTABLES["progressive", "PRG-01"]
    assert isinstance(table, ProgressivePaytable)
    return table


def as_printed(part: Fraction, digits: int) -> str:
    """A part as a percentage with so many digits, rounded as documents round."""
    percent = Decimal(part.numerator) * 100 / Decimal(part.denominator)
    return f"{percent.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)}%"


@pytest.mark.clause(
    "W.paytables.UTH-01", "W.paytables.UTH-02", "W.paytables.UTH-03", "W.paytables.UTH-04"
)
@pytest.mark.parametrize("name", ["UTH-01", "UTH-02", "UTH-03", "UTH-04"])
def test_trips_advantages_are_those_that_washington_publishes(name: str) -> None:
    table = hand_table("trips", name)
    assert as_printed(price_trips(table).house_advantage, 2) == table.claimed_advantage


@pytest.mark.clause("O.return.trips")
def test_the_online_trips_return_is_that_of_its_table() -> None:
    assert as_printed(1 + price_trips(hand_table("trips", "UTH-03")).expected, 1) == "96.5%"


def test_trips_wins_with_three_of_a_kind_or_better() -> None:
    better = sum((4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620))
    assert price_trips(hand_table("trips", "UTH-01")).hit_frequency == Fraction(better, 133_784_560)


def test_play_the_board_wins_with_tens_or_better() -> None:
    bet = price_play_the_board(hand_table("play_the_board", "PTB-01"))
    wins = 4 + 36 + 624 + 3_744 + 5_108 + 10_200 + 54_912 + 123_552 + 1_098_240 * 5 // 13
    assert bet.hit_frequency == Fraction(wins, 2_598_960)
    assert bet.awards[-2].deals == 1_098_240 * 5 // 13


# Stephen How, Discount Gambling: losing hands among all deals; the rest of all deals lose.
LOSING_HANDS = {
    Category.STRAIGHT_FLUSH: 10_300_592,
    Category.FOUR_OF_A_KIND: 471_040_512,
    Category.FULL_HOUSE: 8_435_225_376,
    Category.FLUSH: 19_434_208_592,
    Category.STRAIGHT: 18_271_076_976,
    Category.THREE_OF_A_KIND: 64_049_759_448,
}


def test_bad_beat_advantage_is_the_published_one() -> None:
    bet = price_bad_beat(hand_table("bad_beat", "BBB-02"), LOSING_HANDS)
    assert bet.deals == 2_781_381_002_400
    assert as_printed(bet.house_advantage, 4) == "14.7868%"


@pytest.mark.parametrize("name", ["UPB-2", "UPB-4"])
def test_ultimate_pairs_equal_a_look_at_every_deal(name: str) -> None:
    """Only a pair of aces can look at the dealer; every other hole is one look for 1,225."""
    table = pairs_table(name)
    counted: Counter[str] = Counter()
    for hole in hole_pairs():
        dealers = dealer_pairs(hole)
        seen = dealers if hole[0].rank is Rank.ACE else dealers[:1]
        for dealer in seen:
            row = table.row_for(hole, dealer)
            counted[row.label if row else "All others"] += 1225 // len(seen)
    assert counted == {award.label: award.deals for award in price_ultimate_pairs(table).awards}


@pytest.mark.parametrize(
    ("name", "advantage"),
    [
        ("UPB-1", "8.90%"),
        ("UPB-2", "8.54%"),
        ("UPB-3", "4.52%"),
        ("UPB-4", "4.68%"),
        ("UPB-5", "4.90%"),
        ("UPB-6", "6.79%"),
    ],
)
def test_ultimate_pairs_advantages(name: str, advantage: str) -> None:
    assert as_printed(price_ultimate_pairs(pairs_table(name)).house_advantage, 2) == advantage


def test_progressive_figures_follow_from_five_card_counts() -> None:
    figures = price_progressive(progressive_table())
    fixed = 624 * 300 + 3_744 * 50 + 5_108 * 40 + 10_200 * 30 + 54_912 * 9
    assert figures.fixed_return == Fraction(fixed, 2_598_960)
    assert figures.return_per_meter_unit == Fraction(4 * 10 + 36, 25_989_600)
    for hands in (1, 6):
        meter = figures.break_even_meter(hands=hands)
        assert meter is not None
        assert figures.expected(meter, hands=hands) == 0


def test_envy_grows_with_the_number_of_hands() -> None:
    figures = price_progressive(progressive_table())
    one, two, three = (figures.expected(Fraction(0), hands=hands) for hands in (1, 2, 3))
    assert two - one == three - two == Fraction(4 * 400 + 36 * 200, 2_598_960)


def test_the_progressive_at_a_standing_meter_agrees_with_its_figures() -> None:
    meter = Fraction(12_345)
    bet = progressive_at(progressive_table(), meter_units=meter)
    assert bet.expected == price_progressive(progressive_table()).expected(meter)
    assert bet.deals == 2_598_960
    assert bet.variance > 0


def test_a_progressive_without_a_share_is_fair_at_no_meter_or_at_any() -> None:
    rows = [replace(row, share=None, for_one=500) for row in progressive_table().rows]
    poor = price_progressive(replace(progressive_table(), rows=tuple(rows[:2])))
    assert poor.break_even_meter() is None
    rich = price_progressive(replace(progressive_table(), rows=tuple(rows)))
    assert rich.break_even_meter() == 0


def test_ties_lose_a_bad_beat_that_pays_every_losing_hand() -> None:
    rows = [HandRow(HandMinimum(category), EVEN_MONEY, "") for category in reversed(Category)]
    table = HandPaytable("ALL", 1, "", "bad_beat", "R.6", tuple(rows))
    ties = 113_130_263_816
    losing = dict.fromkeys(Category, 0) | {Category.HIGH_CARD: 2_781_381_002_400 - ties}
    assert price_bad_beat(table, losing).awards[-1].deals == ties


@pytest.mark.parametrize("price", [price_trips, lambda table: price_bad_beat(table, LOSING_HANDS)])
def test_tables_by_the_rank_of_a_pair_are_refused(price: Callable[[HandPaytable], object]) -> None:
    row = HandRow(HandMinimum(Category.PAIR, Rank.JACK), EVEN_MONEY, "Jacks or better")
    with pytest.raises(ValueError, match="rank of a pair"):
        price(HandPaytable("OWN", 1, "", "trips", "R.1", (row,)))


def test_the_volatility_index_is_that_of_nine_results_in_ten() -> None:
    bet = price_trips(hand_table("trips", "UTH-01"))
    assert bet.volatility == pytest.approx(1.645 * bet.std_dev, rel=1e-3)
