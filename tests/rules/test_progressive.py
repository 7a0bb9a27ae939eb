"""The progressive: awards, Envy, several winners, and the books of the link."""

from dataclasses import replace
from fractions import Fraction

import pytest

from openfelt.catalog import CatalogError
from openfelt.rules import House, Spot, settle
from openfelt.rules.house import ProgressiveRule, SeveralWinners
from openfelt.rules.lines import PaidBy
from openfelt.rules.progressive import Meter, entries
from tests.kit.cases import case
from tests.kit.felt import Felt, played
from tests.kit.own_houses import OWN_DECKS, own_house

FOLD = "check, check, fold"
METER = 1_000_000
"""$10,000.00 on the display."""

AWARDS = [
    case("As Ks", "Qs Js Ts 2d 3c", 1_000_000, "R.21", proves="R.21"),
    case("6s 5s", "7s 8s 9s 2d 3c", 100_000, "R.21", proves="R.21"),
    case("6s 6d", "6c 6h 9s 2d 3c", 30_000, "R.21", proves="R.21"),
    case("6s 6d", "6c 9h 9s 2d 3c", 5_000, "R.21", proves="R.21"),
    case("6s 2s", "7s Ks 9s 2d 3c", 4_000, "R.21", proves="R.21"),
    case("6s 5d", "7s 8s 9s 2d 3c", 3_000, "R.21", proves="R.21"),
    case("6s 6d", "6c 8s 9s 2d 3c", 900, "R.21", proves="R.21"),
    case("6s 6d", "8c 8s 9s 2d 3c", 0, "R.21", proves="R.21"),
    # Turn and river do not count.
    case("6s 6d", "2c 8s 9s 6h 6c", 0, "R.21", proves="R.21"),
]


@pytest.mark.parametrize(("hole", "board", "award_cents", "clause"), AWARDS)
def test_an_award_is_read_from_hole_cards_and_flop(
    hole: str, board: str, award_cents: int, clause: str
) -> None:
    felt = played(
        "washington",
        bets={"1.1": "ante 10, progressive 1"},
        cards={"1.1": hole, "dealer": "Ac Kd", "common": board},
        decisions={"1.1": FOLD},
        meter_cents=METER,
    )
    line = felt.line("1.1", "progressive")
    assert (line.payout_cents, line.clause) == (award_cents, clause)
    assert (line.returned_cents, line.paid_by) == (0, PaidBy.LINK)
    assert line.net_cents == award_cents - 100
    share = award_cents if award_cents >= 100_000 else 0
    assert felt.settlement.meter_paid_cents == share


FINAL_SEVEN = """
version = 1
source = "The tests."
[[paytable]]
name = "OWN-7"
wager = "progressive"
clause = "R.21"
reads = "final_seven"
rows = [
  { hand = "royal flush", share = "100%" },
  { hand = "straight flush", share = "10%" },
  { hand = "four of a kind", for_one = 300 },
]
[[paytable]]
name = "OWN-5"
wager = "progressive"
clause = "R.21"
reads = "dealt_five"
rows = [
  { hand = "royal flush", share = "100%", envy = 10 },
  { hand = "straight flush", share = "10%" },
  { hand = "four of a kind", for_one = 300 },
]
"""


@pytest.mark.clause("R.21", "R.3")
@pytest.mark.parametrize("decisions", ["4x", FOLD])
def test_a_table_may_read_the_final_seven(decisions: str) -> None:
    house = own_house("washington", {"wagers.progressive.paytable": "OWN-7"}, paytables=FINAL_SEVEN)
    felt = played(
        house,
        bets={"1.1": "ante 10, progressive 1"},
        cards={"1.1": "6s 6d", "dealer": "Ac Kd", "common": "2c 8s 9s 6h 6c"},
        decisions={"1.1": decisions},
        meter_cents=METER,
    )
    assert felt.line("1.1", "progressive").payout_cents == 30_000


def draw_house(table: str) -> House:
    """Ultimate Draw with a progressive paid by one of the tables above."""
    return own_house(
        "draw",
        {
            "wagers.progressive": {
                "min_cents": 100,
                "max_cents": 100,
                "multiple_of_cents": 100,
                "paytable": table,
            },
            "progressive": {"contribution": "50%", "seed_cents": 1000},
        },
        paytables=FINAL_SEVEN,
    )


@pytest.mark.clause("R.21", "R.23")
@pytest.mark.parametrize(
    ("dealt", "hold", "draw", "award_cents"),
    [
        ("6s 6d 6c 6h 2s", "6s 6d 6c 6h", "2c 3c 8d 9d Jc", 30_000),
        ("6s 6d 6c 6h 2s", "", "2c 3c 8d 9d Jc", 30_000),
        # Four of a kind by the draw comes too late.
        ("6s 6d 6c 2s 4h", "6s 6d 6c", "6h 3c 8d 9d Jc", 0),
    ],
)
def test_ultimate_draw_reads_the_five_cards_before_the_draw(
    dealt: str, hold: str, draw: str, award_cents: int
) -> None:
    felt = played(
        draw_house("OWN-5"),
        bets={"1.1": "bonus 5, progressive 1"},
        cards={"1.1": dealt, "dealer": "Ac Kd 9h 7c 3d", "common": draw},
        decisions={"1.1": f"hold {hold}"},
        meter_cents=METER,
    )
    assert felt.line("1.1", "progressive").payout_cents == award_cents


@pytest.mark.clause("R.21")
def test_ultimate_draw_has_no_final_seven() -> None:
    with pytest.raises(CatalogError) as refused:
        draw_house("OWN-7")
    assert refused.value.where == "wagers.progressive.paytable"
    assert refused.value.problem == "reads final_seven, which ultimate_draw does not deal"


# Several winners -------------------------------------------------------------------

TWO_STRAIGHT_FLUSHES = {
    "1.1": "Ts Js",
    "2.1": "5s 6s",
    "3.1": "2d 2h",
    "dealer": "Ac Kd",
    "common": "7s 8s 9s 2c 3c",
}
ROYAL_AND_STRAIGHT_FLUSH = TWO_STRAIGHT_FLUSHES | {
    "1.1": "As Ks",
    "2.1": "8s 9s",
    "common": "Qs Js Ts 2c 3c",
}
WINNERS = [
    # In Washington seat 2 is settled before seat 1.
    case("split", TWO_STRAIGHT_FLUSHES, METER, (50_000, 50_000), proves="R.24"),
    case("in_order", TWO_STRAIGHT_FLUSHES, METER, (90_000, 100_000), proves="R.24"),
    case("split", TWO_STRAIGHT_FLUSHES, 1_000_015, (50_000, 50_000), proves="R.24 R.15"),
    # The royal flush wins the meter, which is seeded again at once with $10,000.00.
    case("split", ROYAL_AND_STRAIGHT_FLUSH, METER, (1_000_000, 100_000), proves="R.24"),
    case("split", ROYAL_AND_STRAIGHT_FLUSH, 2_345_678, (2_345_678, 100_000), proves="R.24"),
    case("in_order", ROYAL_AND_STRAIGHT_FLUSH, METER, (900_000, 100_000), proves="R.24"),
    case("split", TWO_STRAIGHT_FLUSHES, 0, (0, 0)),
    case("split", TWO_STRAIGHT_FLUSHES, 19, (0, 0), proves="R.15"),
]


@pytest.mark.parametrize(("several", "cards", "meter_cents", "awards"), WINNERS)
def test_several_winners_of_a_share(
    several: str, cards: dict[str, str], meter_cents: int, awards: tuple[int, int]
) -> None:
    house = own_house("washington", {"progressive.several_winners": several})
    felt = played(
        house,
        bets={"1.1": "ante 10, progressive 1", "2.1": "ante 10, progressive 1"},
        cards=cards,
        decisions={"1.1": FOLD, "2.1": FOLD},
        meter_cents=meter_cents,
    )
    found = tuple(felt.line(spot, "progressive").payout_cents for spot in ("1.1", "2.1"))
    assert found == awards
    assert felt.settlement.meter_cents == meter_cents
    assert felt.settlement.meter_paid_cents == sum(awards)


@pytest.mark.clause("R.24")
def test_a_meter_won_whole_begins_again_at_the_seed_of_its_link() -> None:
    felt = played(
        own_house("washington"),
        bets={"1.1": "ante 10, progressive 1", "2.1": "ante 10, progressive 1"},
        cards=ROYAL_AND_STRAIGHT_FLUSH,
        decisions={"1.1": FOLD, "2.1": FOLD},
        meter_cents=METER,
    )
    by_link = settle(felt.state, meter_cents=METER, seed_cents=50_000)
    awards = [line.payout_cents for line in by_link.lines if line.wager == "progressive"]
    assert sorted(awards) == [5_000, METER]
    assert by_link.seed_cents == 50_000
    recorded = replace(felt.state, settlement=by_link)
    assert settle(recorded) == by_link


def test_a_share_is_rounded_down_to_the_houses_unit() -> None:
    house = own_house("washington", {"rounding_unit_cents": 100})
    felt = played(
        house,
        bets={"1.1": "ante 10, progressive 1", "2.1": "ante 10, progressive 1"},
        cards=TWO_STRAIGHT_FLUSHES,
        decisions={"1.1": FOLD, "2.1": FOLD},
        meter_cents=1_003_999,
    )
    assert felt.line("1.1", "progressive").payout_cents == 50_100


SENTENCES = [
    # several winners, cards: what seat 1 and seat 2 read
    case("split", TWO_STRAIGHT_FLUSHES,
         "Straight flush, jack high wins 10% of the meter of $10,000.00, divided by 2.",
         "Straight flush, nine high wins 10% of the meter of $10,000.00, divided by 2."),
    case("in_order", TWO_STRAIGHT_FLUSHES,
         "Straight flush, jack high wins 10% of the meter of $9,000.00.",
         "Straight flush, nine high wins 10% of the meter of $10,000.00."),
    case("split", ROYAL_AND_STRAIGHT_FLUSH,
         "Royal flush wins 100% of the meter of $10,000.00.",
         "Straight flush, queen high wins 10% of the meter of $10,000.00."),
]  # fmt: skip


@pytest.mark.clause("R.24")
@pytest.mark.parametrize(("several", "cards", "first", "second"), SENTENCES)
def test_the_sentence_says_which_meter_was_divided_by_how_many(
    several: str, cards: dict[str, str], first: str, second: str
) -> None:
    felt = played(
        own_house("washington", {"progressive.several_winners": several}),
        bets=dict.fromkeys(("1.1", "2.1", "3.1"), "ante 10, progressive 1"),
        cards=cards,
        decisions=dict.fromkeys(("1.1", "2.1", "3.1"), FOLD),
        meter_cents=METER,
    )
    lines = [felt.line(spot, "progressive") for spot in ("1.1", "2.1", "3.1")]
    assert [line.because for line in lines[:2]] == [first, second]
    assert lines[2].because.endswith(" is less than the progressive pays.")
    outcomes = ["progressive.win", "progressive.win", "progressive.lose"]
    assert [line.outcome for line in lines] == outcomes


# Envy ------------------------------------------------------------------------------


def envied(felt: Felt) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for line in felt.settlement.lines:
        if line.wager == "envy":
            assert (line.stake_cents, line.paid_by, line.clause) == (0, PaidBy.LINK, "R.22")
            assert line.outcome == "envy.win"
            found.setdefault(str(line.spot), []).append(line.payout_cents)
    return found


@pytest.mark.clause("R.22", "W.intro.1")
def test_envy_goes_to_every_other_hand_with_the_wager() -> None:
    bets = dict.fromkeys(("1.1", "2.1", "3.1"), "ante 10, progressive 1") | {"4.1": "ante 10"}
    felt = played(
        "washington",
        bets=bets,
        cards=ROYAL_AND_STRAIGHT_FLUSH | {"4.1": "4d 5d"},
        decisions=dict.fromkeys(bets, FOLD),
        meter_cents=METER,
    )
    # The royal flush of seat 1 pays 400 for 1, the straight flush of seat 2 pays 200.
    assert envied(felt) == {"1.1": [20_000], "2.1": [40_000], "3.1": [20_000, 40_000]}
    words = {line.because for line in felt.settlement.lines if line.wager == "envy"}
    assert "Seat 1 made a royal flush: Envy pays 400 for 1." in words


@pytest.mark.clause("R.22")
def test_no_envy_for_a_players_own_other_hands() -> None:
    house = own_house(
        "washington",
        {"table.hands_per_seat": 3} | OWN_DECKS,
    )
    spots = ("1.1", "1.2", "2.1")
    felt = played(
        house,
        bets=dict.fromkeys(spots, "ante 10, progressive 1"),
        cards=ROYAL_AND_STRAIGHT_FLUSH | {"1.2": "4d 5d", "2.1": "4h 5h"},
        decisions=dict.fromkeys(spots, FOLD),
        meter_cents=METER,
    )
    assert envied(felt) == {"2.1": [40_000]}


def test_lesser_awards_bring_no_envy() -> None:
    felt = played(
        "washington",
        bets=dict.fromkeys(("1.1", "2.1"), "ante 10, progressive 1"),
        cards={"1.1": "6s 6d", "2.1": "2d 3h", "dealer": "Ac Kd", "common": "6c 6h 9s 2c 3c"},
        decisions={"1.1": FOLD, "2.1": FOLD},
        meter_cents=METER,
    )
    assert envied(felt) == {}


def test_only_hands_with_the_wager_are_in_the_progressive() -> None:
    felt = Felt("washington").bet("1.1", "ante 10").bet("2.1", "ante 10, progressive 1").close()
    felt.run(TWO_STRAIGHT_FLUSHES, {"1.1": "4x", "2.1": "4x"})
    found = entries(felt.state, [Spot(1, 1), Spot(2, 1)])
    assert [(str(entry.spot), entry.stake_cents) for entry in found] == [("2.1", 100)]


# The books -------------------------------------------------------------------------

RULE = ProgressiveRule(
    contribution=Fraction(1, 3), seed_cents=10_000, several_winners=SeveralWinners.SPLIT
)


def balanced(meter: Meter) -> bool:
    put_in = meter.seeded + meter.contributed
    there = meter.amount + meter.reserve
    whole = there.denominator == 1 and meter.reserve_cents == there - meter.display_cents
    return whole and put_in == there + meter.awarded + meter.envied + meter.handed_back


@pytest.mark.clause("R.23")
def test_fractions_of_a_cent_are_carried() -> None:
    meter = Meter.fresh(RULE)
    assert (meter.display_cents, balanced(meter)) == (10_000, True)
    for contributions, shown in [(1, 10_033), (2, 10_066), (3, 10_100)]:
        meter = meter.contribute(RULE, 100)
        assert meter.display_cents == shown
        assert meter.contributed == 100 * contributions
        assert balanced(meter)
    assert meter.amount == 10_100
    assert meter.reserve == 200


def won_by_two(meter_cents: int) -> Felt:
    """A royal flush and a straight flush in one round, on a meter with the seed of the rule."""
    return played(
        own_house("washington", {"progressive.seed_cents": RULE.seed_cents}),
        bets=dict.fromkeys(("1.1", "2.1", "3.1"), "ante 10, progressive 1"),
        cards=ROYAL_AND_STRAIGHT_FLUSH,
        decisions=dict.fromkeys(("1.1", "2.1", "3.1"), FOLD),
        meter_cents=meter_cents,
    )


@pytest.mark.clause("R.23")
def test_a_meter_that_was_won_starts_at_its_seed_again() -> None:
    meter = Meter.fresh(RULE).contribute(RULE, 1000)
    assert meter.display_cents == 10_333
    settlement = won_by_two(meter.display_cents).settlement
    assert settlement.meter_paid_cents == 10_333 + 1_000
    paid = meter.pay(RULE, settlement.lines, from_meter_cents=settlement.meter_paid_cents)
    # The house tops up whole cents; the third of a cent is carried into the next meter.
    assert paid.amount == 10_000 + Fraction(1, 3)
    assert paid.seeded == 10_000 + 10_000 + 1_000
    assert paid.awarded == 11_333
    assert paid.envied == 120_000
    assert paid.reserve == Fraction(2000, 3) - 120_000
    assert balanced(paid)


def test_fixed_awards_do_not_touch_the_meter() -> None:
    felt = played(
        "washington",
        bets={"1.1": "ante 10, progressive 1"},
        cards={"1.1": "6s 6d", "dealer": "Ac Kd", "common": "6c 6h 9s 2d 3c"},
        decisions={"1.1": "4x"},
        meter_cents=METER,
    )
    meter = Meter.fresh(RULE).pay(
        RULE, felt.settlement.lines, from_meter_cents=felt.settlement.meter_paid_cents
    )
    assert meter.amount == meter.seeded == 10_000
    assert meter.reserve == -30_000
    assert balanced(meter)


@pytest.mark.clause("R.23")
def test_a_meter_below_its_seed_is_topped_up_in_whole_cents() -> None:
    meter = Meter.fresh(RULE).contribute(RULE, 1).contribute(RULE, 1)
    paid = meter.pay_out(RULE, awarded_cents=1_000, envied_cents=7, from_meter_cents=1_000)
    assert paid.amount == 10_000 + Fraction(2, 3)
    assert paid.seeded == 11_000
    assert paid.reserve == Fraction(4, 3) - 7
    assert balanced(paid)


@pytest.mark.clause("R.23")
def test_a_meter_that_still_shows_more_than_its_seed_is_not_topped_up() -> None:
    meter = Meter.fresh(RULE).contribute(RULE, 9_000)
    paid = meter.pay_out(RULE, awarded_cents=1_000, envied_cents=0, from_meter_cents=1_000)
    assert paid.amount == 12_000
    assert paid.seeded == 10_000
    assert balanced(paid)


@pytest.mark.clause("R.23")
def test_a_meter_stops_at_its_ceiling_and_the_rest_goes_to_the_reserve() -> None:
    meter = Meter.fresh(RULE)
    for wagered_cents, amount, reserve in [
        (100, 10_000 + Fraction(100, 3), Fraction(200, 3)),
        (100, Fraction(10_050), Fraction(150)),
        (100, Fraction(10_050), Fraction(250)),
    ]:
        meter = meter.contribute(RULE, wagered_cents, ceiling_cents=10_050)
        assert (meter.amount, meter.reserve) == (amount, reserve)
        assert balanced(meter)
    # A ceiling that is lowered takes nothing away.
    assert meter.contribute(RULE, 100, ceiling_cents=10_020).amount == 10_050


@pytest.mark.clause("R.23")
def test_the_books_end_at_nothing() -> None:
    meter = Meter.fresh(RULE).contribute(RULE, 100)
    ended = meter.hand_back()
    assert ended.amount == ended.reserve == 0
    assert ended.handed_back == 10_100
    assert balanced(ended)


def test_fractions_that_were_dropped_before_cannot_be_booked() -> None:
    meter = replace(Meter.fresh(RULE), reserve=Fraction(1, 2))
    with pytest.raises(ValueError, match="not whole cents together"):
        _ = meter.reserve_cents
