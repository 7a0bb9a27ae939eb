"""Odds, rows and patterns: how a paytable is read."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openfelt.cards import Category, Rank, evaluate, parse_cards
from openfelt.catalog import load_catalog
from openfelt.rules.paytable import (
    EVEN_MONEY,
    HALF,
    HandMinimum,
    HandPaytable,
    Odds,
    PairsPaytable,
    ProgressivePaytable,
)
from tests.kit.cases import case
from tests.kit.own_houses import own_house

PAYOUTS = [
    case(EVEN_MONEY, 1001, 1, 1001),
    case(Odds(500), 1000, 1, 500_000),
    case(Odds(3, 2), 1000, 1, 1500),
    case(Odds(3, 2), 1001, 1, 1501, proves="R.15"),
    case(Odds(3, 2), 1, 1, 1, proves="R.15"),
    case(Odds(3, 2), 500, 100, 700, proves="R.15"),
    case(Odds(3, 2), 500, 50, 750, proves="R.15"),
    case(Odds(3, 2), 700, 500, 1000, proves="R.15"),
    case(HALF, 1000, 1, 500),
    case(HALF, 1001, 1, 500, proves="R.15"),
    case(HALF, 1, 1, 0, proves="R.15"),
    case(HALF, 500, 100, 200, proves="R.15"),
    case(HALF, 900, 1000, 0, proves="R.15"),
    case(Odds(7, 3), 10**12, 1, 2_333_333_333_333),
]


@pytest.mark.parametrize(("odds", "stake_cents", "unit_cents", "payout_cents"), PAYOUTS)
def test_a_payout_is_rounded_down_to_the_unit(
    odds: Odds, stake_cents: int, unit_cents: int, payout_cents: int
) -> None:
    assert odds.payout_cents(stake_cents, unit_cents=unit_cents) == payout_cents


@settings(deadline=None)
@given(
    st.integers(1, 10_000),
    st.integers(1, 100),
    st.integers(0, 10**12),
    st.sampled_from([1, 5, 100]),
)
def test_a_payout_is_never_above_the_odds_and_less_than_a_unit_below(
    pays: int, per: int, stake_cents: int, unit_cents: int
) -> None:
    payout = Odds(pays, per).payout_cents(stake_cents, unit_cents=unit_cents)
    exact = Fraction(stake_cents * pays, per)
    assert payout % unit_cents == 0
    assert 0 <= exact - payout < unit_cents


def test_odds_are_printed_as_on_the_felt() -> None:
    assert [str(odds) for odds in (Odds(3, 2), Odds(10_000), EVEN_MONEY)] == [
        "3 to 2",
        "10,000 to 1",
        "1 to 1",
    ]
    assert Odds(3, 2).ratio == Fraction(3, 2)


PAIR = HandMinimum(Category.PAIR)
TENS = HandMinimum(Category.PAIR, Rank.TEN)
STRAIGHT = HandMinimum(Category.STRAIGHT)

MINIMUMS = [
    case(PAIR, "As Kd Qc Jh 9d", False),
    case(PAIR, "2s 2d 3c 4h 5d", True),
    case(PAIR, "2s 2d 2c 4h 5d", True),
    case(TENS, "9s 9d Ac Kh Qd", False, proves="R.8"),
    case(TENS, "Ts Td 2c 3h 4d", True, proves="R.8"),
    case(TENS, "As Ad 2c 3h 4d", True),
    case(TENS, "2s 2d 3c 3h 4d", True),
    case(STRAIGHT, "As Ad Ac Kh Qd", False),
    case(STRAIGHT, "As 2d 3c 4h 5d", True),
    case(STRAIGHT, "2s 4s 6s 8s Ts", True),
]


@pytest.mark.parametrize(("minimum", "cards", "met"), MINIMUMS)
def test_a_hand_meets_a_minimum_or_not(minimum: HandMinimum, cards: str, met: bool) -> None:
    assert minimum.met_by(evaluate(parse_cards(cards))) is met


@pytest.mark.parametrize(
    "house_id",
    [
        case("washington", proves="W.10 W.ace.12"),
        case("online", proves="O.7"),
        case("california", proves="C.9 C.10"),
        case("stadium", proves="S.12"),
        case("draw", proves="D.9"),
    ],
)
def test_in_every_house_a_pair_qualifies_the_dealer(house_id: str) -> None:
    assert own_house(house_id).dealer_qualifies == PAIR


def test_minimums_in_words() -> None:
    assert [str(PAIR), str(TENS)] == ["pair", "pair of tens or better"]


def hand_table(wager: str, name: str) -> HandPaytable:
    table = load_catalog().paytables[wager, name]
    assert isinstance(table, HandPaytable)
    return table


HAND_ODDS = [
    ("blind", "UTH-01", "As Ks Qs Js Ts", "500 to 1"),
    ("blind", "UTH-01", "9s Ks Qs Js Ts", "50 to 1"),
    ("blind", "UTH-01", "9s 8s 2s 3s 4s", "3 to 2"),
    ("blind", "UTH-01", "As 2s 3s 4s 5d", "1 to 1"),
    ("blind", "UTH-01", "As Ac Ah 4s 5d", None),
    ("trips", "UTH-01", "As Ac Ah 4s 5d", "3 to 1"),
    ("trips", "UTH-01", "As Ac 4h 4s 5d", None),
    ("bad_beat", "BBB-01", "Ks Qs Js Ts 9s", "10,000 to 1"),
    ("play_the_board", "PTB-01", "Ts Tc 2h 3d 4s", "1 to 1"),
    ("play_the_board", "PTB-01", "9s 9c 2h 3d 4s", None),
    ("play_the_board", "PTB-01", "2s 2c 3h 3d 4s", "3 to 1"),
    ("bonus", "UDP-01", "2s 2c 3h 3d 4s", "1 to 1"),
    ("bonus", "UDP-01", "As Ac 3h 2d 4s", None),
    ("ante_bonus", "UDP-ANTE", "2s 4s 6s 8s Ts", "1 to 1"),
    ("ante_bonus", "UDP-ANTE", "2s 3s 4s 5s 6d", None),
]


@pytest.mark.parametrize(("wager", "name", "cards", "odds"), HAND_ODDS)
def test_a_table_pays_by_the_row_of_the_hand(
    wager: str, name: str, cards: str, odds: str | None
) -> None:
    found = hand_table(wager, name).odds_for(evaluate(parse_cards(cards)))
    assert (str(found) if found else None) == odds


HOLE_ODDS = [
    case("UPB-1", "As Ad", "Ac Ah", "30 to 1"),
    case("UPB-2", "As Ad", "Ac Ah", "1,000 to 1", proves="W.pairs.note R.7"),
    case("UPB-2", "As Ad", "Kc Kh", "30 to 1", proves="W.pairs.note R.7"),
    case("UPB-2", "Ks Kd", "Ac Ah", "10 to 1", proves="W.pairs.note"),
    case("UPB-2", "As Ks", "Ac Ah", "25 to 1"),
    case("UPB-2", "Ks As", "2c 3h", "25 to 1"),
    case("UPB-2", "As Qs", "2c 3h", "20 to 1"),
    case("UPB-2", "Js As", "2c 3h", "20 to 1"),
    case("UPB-2", "As Kd", "2c 3h", "15 to 1"),
    case("UPB-2", "Js Jd", "2c 3h", "10 to 1"),
    case("UPB-2", "As Qd", "2c 3h", "5 to 1"),
    case("UPB-2", "Ts Td", "2c 3h", "3 to 1"),
    case("UPB-2", "2s 2d", "2c 3h", "3 to 1"),
    case("UPB-2", "As Ts", "2c 3h", None),
    case("UPB-2", "Ks Qs", "2c 3h", None),
    case("UPB-2", "7s 2d", "7c 7h", None),
    case("UPB-3", "As Ks", "2c 3h", "20 to 1"),
    case("UPB-3", "As Kd", "2c 3h", "10 to 1", proves="R.7"),
    case("UPB-3", "As Td", "2c 3h", None, proves="R.7"),
    case("UPB-3", "Ks Kd", "2c 3h", "5 to 1", proves="R.7"),
    case("UPB-4", "Ah Ad", "2c 3h", "100 to 1", proves="R.7"),
    case("UPB-4", "Ad Ah", "2c 3h", "100 to 1", proves="R.7"),
    case("UPB-4", "As Ah", "2c 3h", "30 to 1", proves="R.7"),
    case("UPB-4", "2s 2h", "2c 3h", "4 to 1"),
    case("UPB-5", "Ah Ad", "2c 3h", "50 to 1"),
    case("UPB-5", "Ac Ad", "2c 3h", "25 to 1"),
    case("UPB-6", "Ah Ad", "2c 3h", "25 to 1"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "hole", "dealer", "odds"), HOLE_ODDS)
def test_the_first_row_that_fits_the_hole_cards_pays(
    name: str, hole: str, dealer: str, odds: str | None
) -> None:
    table = load_catalog().paytables["ultimate_pairs", name]
    assert isinstance(table, PairsPaytable)
    row = table.row_for(parse_cards(hole), parse_cards(dealer))
    assert (str(row.odds) if row else None) == odds


def test_only_table_2_looks_at_the_dealer() -> None:
    tables = [
        table for (wager, _), table in load_catalog().paytables.items() if wager == "ultimate_pairs"
    ]
    needing = [t.name for t in tables if isinstance(t, PairsPaytable) and t.needs_dealer]
    assert (len(tables), needing) == (6, ["UPB-2"])


@pytest.mark.parametrize(
    ("cards", "label"),
    [
        ("As Ks Qs Js Ts", "Royal flush"),
        ("2s 3s 4s 5s 6s", "Straight flush"),
        ("2s 2d 2h 4s 6s", "Three of a kind"),
        ("2s 2d 4h 4s 6s", None),
    ],
)
def test_a_progressive_award_by_hand(cards: str, label: str | None) -> None:
    table: ProgressivePaytable = own_house("washington").progressive_table()
    row = table.row_for(evaluate(parse_cards(cards)))
    assert (row.label if row else None) == label
