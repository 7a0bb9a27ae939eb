"""Our rulings, where a golden round alone would not prove all that they say."""

from fractions import Fraction

import pytest

from openfelt.catalog import load_house
from openfelt.rules import DecidedBy, RefusalCode, Settlement, Spot, VoidRound
from openfelt.rules.dealing import hands_max
from openfelt.rules.lines import Result
from openfelt.rules.progressive import Meter
from tests.kit.felt import played
from tests.kit.own_houses import own_house
from tests.kit.playthroughs.driver import play
from tests.kit.playthroughs.parser import FOLDER, playthrough_files, read_playthrough

BOARD = "8h 7s 6d Kd 2c"
DEALER = "Ks Qh"


@pytest.mark.clause("R.5")
@pytest.mark.parametrize("house", ["washington", "online", "stadium"])
@pytest.mark.parametrize(
    ("own", "decisions", "result", "payout_cents"),
    [
        ("Tc 9c", "4x", "win", 1000),
        ("8c 8d", "4x", "push", 0),
        ("Kc Qd", "4x", "push", 0),
        ("Ac 3d", "4x", "lose", 0),
        ("Tc 9c", "check, check, fold", "lose", 0),
    ],
)
def test_the_blind_pays_from_a_straight_up_and_only_on_a_win(
    house: str, own: str, decisions: str, result: str, payout_cents: int
) -> None:
    cards = {"1.1": own, "dealer": DEALER, "common": BOARD}
    felt = played(house, bets={"1.1": "ante 10"}, cards=cards, decisions={"1.1": decisions})
    line = felt.line("1.1", "blind")
    assert (line.result.value, line.payout_cents) == (result, payout_cents)


@pytest.mark.clause("R.10")
def test_the_record_says_that_the_clock_decided() -> None:
    table = play(read_playthrough(FOLDER / "stadium" / "the_clock_folds.txt"))
    (hand,) = table.state.hands.values()
    assert [(str(one.decision), one.by) for one in hand.decisions] == [
        ("check", DecidedBy.CLOCK),
        ("check", DecidedBy.CLOCK),
        ("fold", DecidedBy.CLOCK),
    ]


@pytest.mark.clause("R.11")
def test_a_shared_deck_serves_22_hands() -> None:
    assert hands_max(load_house("washington")) == 22


@pytest.mark.clause("R.28")
def test_a_deck_serves_8_hands_of_ultimate_draw() -> None:
    assert hands_max(load_house("draw")) == 8
    own_house("draw", {"table.seats": 8})


@pytest.mark.clause("R.13")
def test_a_confirmed_round_cannot_be_voided() -> None:
    felt = played(
        "online",
        bets={"1.1": "ante 10"},
        cards={"1.1": "Tc 9c", "dealer": DEALER, "common": BOARD},
        decisions={"1.1": "4x"},
    )
    felt.refuses(VoidRound("too late"), RefusalCode.ROUND_OVER)


@pytest.mark.clause("R.18")
def test_a_bank_never_wins_or_loses_more_than_its_wager() -> None:
    playthrough = read_playthrough(FOLDER / "california" / "every_street.txt")
    changing_hands_cents = 20500
    for cover_dollars in range(1, 260, 4):
        playthrough.headers["banker"] = [f"seat 3, ${cover_dollars}"]
        settlement = play(playthrough).state.settlement
        assert settlement is not None
        used_cents = sum(
            line.payout_cents + (line.taken_cents if line.result is Result.LOSE else 0)
            for line in settlement.lines
        )
        assert used_cents == min(changing_hands_cents, cover_dollars * 100)
        assert settlement.cover_left_cents == cover_dollars * 100 - used_cents
        assert abs(settlement.bank_net_cents) <= cover_dollars * 100


# The link --------------------------------------------------------------------


def balanced(meter: Meter) -> bool:
    """Nothing is lost between what went in and what is there or was paid."""
    return meter.seeded + meter.contributed == (
        meter.amount + meter.reserve + meter.awarded + meter.envied
    )


def progressive_rounds() -> list[Settlement]:
    """The settlements of Washington's golden rounds with the progressive wager."""
    tables = [play(read_playthrough(file)) for file in playthrough_files()]
    settlements = [table.state.settlement for table in tables if table.playthrough.meter_cents]
    return [one for one in settlements if one is not None]


@pytest.mark.clause("R.23")
def test_the_books_of_a_link_balance_to_the_last_fraction() -> None:
    rule = own_house("washington", {"progressive.contribution": "33.3%"}).progressive
    assert rule is not None
    meter = Meter.fresh(rule)
    rounds = progressive_rounds()
    assert len(rounds) > 5
    for settlement in rounds:
        wagered = sum(one.stake_cents for one in settlement.lines if one.wager == "progressive")
        meter = meter.contribute(rule, wagered)
        assert balanced(meter)
        meter = meter.pay(rule, settlement.lines, from_meter_cents=settlement.meter_paid_cents)
        assert balanced(meter)
    assert meter.contributed > 0
    assert meter.awarded > 0
    assert meter.envied > 0
    assert meter.amount.denominator > 1


DRAW_PROGRESSIVE = """
version = 1
source = "A table of the tests."

[[paytable]]
name = "LINK"
wager = "progressive"
clause = "R.21"
reads = "dealt_five"
rows = [
  { hand = "royal flush", share = "100%" },
  { hand = "straight flush", share = "10%" },
  { hand = "four of a kind", for_one = 100 },
]
"""


@pytest.mark.clause("R.21", "R.23")
def test_both_games_may_feed_one_meter() -> None:
    wager = {"min_cents": 100, "max_cents": 100, "multiple_of_cents": 100, "paytable": "LINK"}
    link = {"contribution": "75%", "seed_cents": 1_000_000}
    holdem = own_house("washington", {"progressive": link})
    draw = own_house(
        "draw",
        {"wagers.progressive": wager, "progressive": link},
        paytables=DRAW_PROGRESSIVE,
    )
    rule = holdem.progressive
    assert rule is not None
    assert draw.progressive == rule
    meter = Meter.fresh(rule).contribute(rule, 100).contribute(rule, 100)
    felt = played(
        draw,
        bets={"1.1": "ante 10, progressive 1"},
        cards={"1.1": "9h 8h 7h 6h 5h", "dealer": "Ks Kd 9s 5s 2s", "common": "2c 3d 4s 7d Jc"},
        decisions={"1.1": "hold 9h 8h 7h 6h 5h"},
        meter_cents=meter.display_cents,
    )
    assert meter.amount == 1_000_000 + Fraction(3, 4) * 200
    line = felt.line("1.1", "progressive")
    assert line.payout_cents == 100_015
    paid = meter.pay(rule, felt.settlement.lines, from_meter_cents=felt.settlement.meter_paid_cents)
    assert balanced(paid)
    assert paid.amount == rule.seed_cents


@pytest.mark.clause("R.22")
def test_envy_is_not_paid_to_the_winners_own_other_hands() -> None:
    house = own_house("washington", {"table.hands_per_seat": 2, "limits": [], "table.seats": 3})
    felt = played(
        house,
        bets=dict.fromkeys(("1.1", "1.2", "2.1"), "ante 10, progressive 1"),
        cards={
            "1.1": "9h 8h",
            "1.2": "Ac Kd",
            "2.1": "Qc Qd",
            "dealer": "Ks Js",
            "common": "7h 6h 5h Kc 2d",
        },
        decisions=dict.fromkeys(("1.1", "1.2", "2.1"), "4x"),
        meter_cents=1_000_000,
    )
    assert [line.spot for line in felt.settlement.lines if line.wager == "envy"] == [Spot(2, 1)]


@pytest.mark.clause("R.15")
@pytest.mark.parametrize(("unit_cents", "paid_cents"), [(1, 750), (25, 750), (100, 700)])
def test_three_to_two_is_rounded_down_to_the_houses_unit(unit_cents: int, paid_cents: int) -> None:
    felt = played(
        own_house("washington", {"rounding_unit_cents": unit_cents}),
        bets={"1.1": "ante 5"},
        cards={"1.1": "Ah 5h", "dealer": "Qs Qd", "common": "Kh 9h 2h Kc 4d"},
        decisions={"1.1": "4x"},
    )
    assert felt.line("1.1", "blind").payout_cents == paid_cents
