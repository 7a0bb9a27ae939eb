"""Ante, Play and Blind of Ultimate Texas Hold'em, settled case by case."""

import pytest

from openfelt.catalog import load_house
from openfelt.rules import Banker
from openfelt.rules.dealing import Street
from openfelt.rules.decisions import Bet, Check, Decision, Fold, Hold
from openfelt.rules.house import House, Procedure
from openfelt.rules.ultimate_holdem import decisions_on, may_decide
from tests.kit.cases import case
from tests.kit.felt import Felt, played
from tests.kit.own_houses import own_house

BETS = "ante 10"


def settled(
    house: House | str,
    deal: tuple[str, str, str],
    decisions: str,
    *,
    wagers: str = BETS,
    procedure: Procedure | None = None,
) -> Felt:
    """One hand against the dealer: the player's cards, the dealer's, the board."""
    hole, dealer, board = deal
    return played(
        house,
        bets={"1.1": wagers},
        cards={"1.1": hole, "dealer": dealer, "common": board},
        decisions={"1.1": decisions},
        procedure=procedure,
        banker=Banker(7, 10**9) if house == "california" else None,
    )


def said(felt: Felt) -> str:
    """Each wager of the hand: result, what was paid on top, clause."""
    return "; ".join(
        f"{line.wager} {line.result} {line.payout_cents} {line.clause}"
        for line in felt.settlement.lines
    )


DRY = "2c 7d 9h Js 3c"
"""A board that gives no hand more than a pair of its own."""

WIN = ("As Ah", "Kc Kd", DRY)
LOSE = ("Ks Kh", "Ac Ad", DRY)
TIE = ("4s 5h", "4c 5d", "Ac Kd Qh 9s 9c")
NO_PAIR_WIN = ("As Kh", "Qc 8d", DRY)
NO_PAIR_LOSE = ("Qs 8h", "Ac Kd", DRY)
NO_PAIR_TIE = ("4s 5h", "4c 5d", "Ac Kd Qh 9s 8c")
FLUSH_WIN = ("As 2s", "Kc Kd", "9s 7s 4s Jd 3c")
STRAIGHT_WIN = ("Ts 8h", "Ac Ad", DRY)
STRAIGHT_LOSE = ("Ts 8h", "Ac 4c", "2c 7c 9h Jc 3d")
TRIPS_WIN = ("9s 9d", "Ac Ad", DRY)
FULL_WIN = ("9s 9d", "Ac Ad", "2c 2d 9h Js 3c")
QUADS_WIN = ("9s 9d", "Ac Ad", "9c 2d 9h Js 3c")
STRAIGHT_FLUSH_WIN = ("9s 8s", "Ac Ad", "7s 6s 5s Jd 3c")
ROYAL_WIN = ("As Ks", "Ac Ad", "Qs Js Ts 2d 3c")

WASHINGTON = [
    case(WIN, "4x", "ante win 1000 W.11a; play win 4000 W.11a; blind push 0 W.11e",
         proves="W.11 W.11a W.11e R.5 W.overview.head_to_head"),
    case(WIN, "check, 2x", "ante win 1000 W.11a; play win 2000 W.11a; blind push 0 W.11e",
         proves="W.11a"),
    case(LOSE, "3x", "ante lose 0 W.11b; play lose 0 W.11b; blind lose 0 W.11b",
         proves="W.11b R.5"),
    case(TIE, "check, check, 1x", "ante push 0 W.11c; play push 0 W.11c; blind push 0 W.11c",
         proves="W.11c R.5"),
    case(NO_PAIR_WIN, "4x", "ante push 0 W.12; play win 4000 W.11a; blind push 0 W.11e",
         proves="W.10a W.12 W.13 R.4"),
    case(NO_PAIR_LOSE, "4x", "ante push 0 W.12; play lose 0 W.11b; blind lose 0 W.11b",
         proves="W.10a W.12 W.13 R.4"),
    case(NO_PAIR_TIE, "4x", "ante push 0 W.12; play push 0 W.11c; blind push 0 W.11c",
         proves="W.12 W.13"),
    case(WIN, "check, check, fold", "ante lose 0 R.2; blind lose 0 R.2", proves="R.2 W.8a"),
    case(NO_PAIR_WIN, "check, check, fold", "ante lose 0 R.2; blind lose 0 R.2", proves="R.2"),
    case(TRIPS_WIN, "4x", "ante win 1000 W.11a; play win 4000 W.11a; blind push 0 W.11e",
         proves="W.11e R.5"),
    case(STRAIGHT_WIN, "4x", "ante win 1000 W.11a; play win 4000 W.11a; blind win 1000 W.11d",
         proves="W.11d R.5"),
    case(STRAIGHT_LOSE, "4x", "ante lose 0 W.11b; play lose 0 W.11b; blind lose 0 W.11b",
         proves="W.11b W.11d R.5"),
    case(FLUSH_WIN, "4x", "ante win 1000 W.11a; play win 4000 W.11a; blind win 1500 W.11d",
         proves="W.11d"),
    case(FULL_WIN, "4x", "ante win 1000 W.11a; play win 4000 W.11a; blind win 3000 W.11d",
         proves="W.11d"),
    case(QUADS_WIN, "4x", "ante win 1000 W.11a; play win 4000 W.11a; blind win 10000 W.11d",
         proves="W.11d"),
    case(STRAIGHT_FLUSH_WIN, "4x",
         "ante win 1000 W.11a; play win 4000 W.11a; blind win 50000 W.11d", proves="W.11d"),
    case(ROYAL_WIN, "4x", "ante win 1000 W.11a; play win 4000 W.11a; blind win 500000 W.11d",
         proves="W.11d"),
]  # fmt: skip


@pytest.mark.parametrize(("deal", "decisions", "expected"), WASHINGTON)
def test_a_hand_in_washington(deal: tuple[str, str, str], decisions: str, expected: str) -> None:
    assert said(settled("washington", deal, decisions)) == expected


OTHER_HOUSES = [
    case("online", WIN, "ante win 1000 O.9a; play win 4000 O.9b; blind push 0 O.9.note",
         proves="O.9 O.9a O.9b O.9.note O.overview.against_dealer O.overview.objective"),
    case("online", LOSE, "ante lose 0 O.8; play lose 0 O.8; blind lose 0 O.8", proves="O.8 O.7"),
    case("online", TIE, "ante push 0 O.10; play push 0 O.10; blind push 0 O.10", proves="O.10"),
    case("online", NO_PAIR_WIN, "ante push 0 O.7; play win 4000 O.9b; blind push 0 O.9.note",
         proves="O.7 O.9.exception"),
    case("online", NO_PAIR_LOSE, "ante push 0 O.7; play lose 0 O.8; blind lose 0 O.8",
         proves="O.7 O.8.exception"),
    case("online", FLUSH_WIN, "ante win 1000 O.9a; play win 4000 O.9b; blind win 1500 O.9c",
         proves="O.9c"),
    case("california", WIN, "ante win 1000 C.15; play win 4000 C.15; blind push 0 C.11.4",
         proves="C.11 C.11.1 C.11.4 C.13 C.13.1 C.15 C.10 C.10.3 C.standards.head_to_head"),
    case("california", LOSE, "ante lose 0 C.11.2; play lose 0 C.11.2; blind lose 0 C.11.2",
         proves="C.11.2 C.12"),
    case("california", TIE, "ante push 0 C.11.3; play push 0 C.11.3; blind push 0 C.11.3",
         proves="C.11.3 C.14"),
    case("california", NO_PAIR_WIN, "ante push 0 C.9.1; play win 4000 C.15; blind push 0 C.11.4",
         proves="C.9 C.9.1 C.9.2"),
    case("california", NO_PAIR_LOSE,
         "ante push 0 C.9.1; play lose 0 C.11.2; blind lose 0 C.11.2",
         proves="C.9.2 C.note.qualifying"),
    case("california", FLUSH_WIN, "ante win 1000 C.15; play win 4000 C.15; blind win 1500 C.13.2",
         proves="C.13.2 C.16"),
    case("stadium", WIN, "ante win 1000 S.13a; play win 4000 S.13a; blind push 0 S.13e",
         proves="S.13a S.13e S.paytables.ante S.15.reconciled"),
    case("stadium", LOSE, "ante lose 0 S.13b; play lose 0 S.13b; blind lose 0 S.13b",
         proves="S.13b"),
    case("stadium", TIE, "ante push 0 S.13c; play push 0 S.13c; blind push 0 S.13c",
         proves="S.13c"),
    case("stadium", NO_PAIR_WIN, "ante push 0 S.14; play win 4000 S.13a; blind push 0 S.13e",
         proves="S.14"),
    case("stadium", FLUSH_WIN, "ante win 1000 S.13a; play win 4000 S.13a; blind win 1500 S.13d",
         proves="S.13d"),
]  # fmt: skip


@pytest.mark.parametrize(("house_id", "deal", "expected"), OTHER_HOUSES)
def test_a_hand_in_the_other_houses(
    house_id: str, deal: tuple[str, str, str], expected: str
) -> None:
    assert said(settled(house_id, deal, "4x")) == expected


COMMUNITY_FIRST = [
    case(WIN, "ante win 1000 W.ace.13a; play win 4000 W.ace.13a; blind push 0 W.ace.13e",
         proves="W.ace.13 W.ace.13a W.ace.13e"),
    case(LOSE, "ante lose 0 W.ace.13b; play lose 0 W.ace.13b; blind lose 0 W.ace.13b",
         proves="W.ace.13b"),
    case(TIE, "ante push 0 W.ace.13c; play push 0 W.ace.13c; blind push 0 W.ace.13c",
         proves="W.ace.13c"),
    case(FLUSH_WIN, "ante win 1000 W.ace.13a; play win 4000 W.ace.13a; blind win 1500 W.ace.13d",
         proves="W.ace.13d"),
    case(NO_PAIR_WIN, "ante push 0 W.ace.14; play win 4000 W.ace.13a; blind push 0 W.ace.13e",
         proves="W.ace.14 W.ace.15 W.ace.12a"),
    case(NO_PAIR_LOSE, "ante push 0 W.ace.14; play lose 0 W.ace.13b; blind lose 0 W.ace.13b",
         proves="W.ace.14 W.ace.15 W.ace.12a"),
]  # fmt: skip


@pytest.mark.parametrize(("deal", "expected"), COMMUNITY_FIRST)
def test_a_hand_dealt_community_first_cites_its_own_clauses(
    deal: tuple[str, str, str], expected: str
) -> None:
    felt = settled("washington", deal, "4x", procedure=Procedure.COMMUNITY_FIRST)
    assert said(felt) == expected


FOLDS = [
    case("online", "ante lose 0 O.6a; blind lose 0 O.6a", proves="O.6a"),
    case("california", "ante lose 0 C.6.1; blind lose 0 C.6.1", proves="C.6.1"),
    case("stadium", "ante lose 0 R.2; blind lose 0 R.2", proves="R.2 S.10a"),
]


@pytest.mark.parametrize(("house_id", "expected"), FOLDS)
def test_a_fold_loses_ante_and_blind(house_id: str, expected: str) -> None:
    assert said(settled(house_id, WIN, "check, check, fold")) == expected


@pytest.mark.clause("R.2")
@pytest.mark.parametrize("house_id", ["washington", "online", "california", "stadium"])
def test_a_fold_loses_the_ante_even_where_the_dealer_does_not_qualify(house_id: str) -> None:
    felt = settled(house_id, NO_PAIR_LOSE, "check, check, fold")
    assert felt.line("1.1", "ante").net_cents == -1000


# The blind's odds on amounts that do not divide.
ROUNDED = [
    case(1, "5.01", 751),
    case(1, "5.00", 750),
    case(5, "5.05", 755),
    case(50, "5.50", 800),
    case(100, "5.00", 700),
    case(500, "15.00", 2000),
]


OPTIONAL = ("trips", "bad_beat", "ultimate_pairs", "progressive")


@pytest.mark.clause("R.15")
@pytest.mark.parametrize(("unit_cents", "ante", "payout_cents"), ROUNDED)
def test_three_to_two_is_rounded_down_to_the_houses_unit(
    unit_cents: int, ante: str, payout_cents: int
) -> None:
    steps = {f"wagers.{kind}.multiple_of_cents": unit_cents for kind in OPTIONAL}
    smallest = {f"wagers.{kind}.min_cents": unit_cents for kind in OPTIONAL}
    house = own_house(
        "washington",
        {"rounding_unit_cents": unit_cents, "wagers.ante.multiple_of_cents": unit_cents}
        | steps
        | smallest
        | {"wagers.progressive.max_cents": unit_cents},
    )
    felt = settled(house, FLUSH_WIN, "4x", wagers=f"ante {ante}")
    assert felt.line("1.1", "blind").payout_cents == payout_cents


@pytest.mark.clause("R.12", "S.5")
def test_wagers_for_the_dealer_are_settled_with_the_hand() -> None:
    felt = settled("stadium", FLUSH_WIN, "4x", wagers="ante 10, tip ante 4, tip trips 2")
    tips = {
        line.wager: line.net_cents for line in felt.settlement.lines if line.beneficiary == "dealer"
    }
    assert tips == {"ante": 400, "play": 1600, "blind": 600, "trips": 1400}


@pytest.mark.clause("R.12")
def test_a_fold_loses_the_dealers_ante_too() -> None:
    felt = settled("stadium", WIN, "check, check, fold", wagers="ante 10, tip ante 4")
    assert felt.line("1.1", "ante", tip=True).net_cents == -400
    assert felt.line("1.1", "blind", tip=True).net_cents == -400


WORDS = [
    (WIN, "4x", "ante", "Pair of aces beats the dealer's pair of kings."),
    (LOSE, "4x", "play", "Pair of kings loses to the dealer's pair of aces."),
    (TIE, "4x", "ante", "Pair of nines ties the dealer's."),
    (NO_PAIR_WIN, "4x", "ante", "The dealer's queen high does not qualify."),
    (WIN, "4x", "blind", "Pair of aces wins, but with less than the table pays."),
    (FLUSH_WIN, "4x", "blind", "Flush, ace high pays 3 to 2."),
    (WIN, "check, check, fold", "blind", "The hand was folded."),
]


@pytest.mark.parametrize(("deal", "decisions", "wager", "words"), WORDS)
def test_every_line_says_why(
    deal: tuple[str, str, str], decisions: str, wager: str, words: str
) -> None:
    assert settled("washington", deal, decisions).line("1.1", wager).because == words


@pytest.mark.parametrize("house_id", ["online", "washington", "california", "stadium"])
@pytest.mark.parametrize("street", [Street.BEFORE_FLOP, Street.ON_FLOP, Street.ON_RIVER])
def test_a_decision_that_may_be_made_is_one_of_those_offered(house_id: str, street: Street) -> None:
    house = load_house(house_id)
    offered = decisions_on(house, street)
    bets: list[Decision] = [Bet(multiple) for multiple in range(-1, 7)]
    for decision in (Check(), Fold(), Hold(()), *bets):
        assert may_decide(house, street, decision) == (decision in offered)
