"""A whole round settled: the order, the void, and what is announced."""

import pytest

from openfelt.rules import Banker, Refusal, RefusalCode, settle
from openfelt.rules.house import BankKind
from openfelt.rules.lines import PaidBy, Result
from openfelt.rules.settlement import settlement_spots
from tests.kit.cases import case
from tests.kit.felt import Felt, played
from tests.kit.own_houses import own_house

CARDS = {
    "1.1": "As Ah",
    "2.1": "Ks Kh",
    "3.1": "8s 8h",
    "4.1": "4s 5h",
    "dealer": "Qc Td",
    "common": "2c 7d 9h Js 3c",
}
BETS = dict.fromkeys(("1.1", "2.1", "3.1", "4.1"), "ante 10")
PLAYS = {"1.1": "4x", "2.1": "4x", "3.1": "4x", "4.1": "check, check, fold"}

ORDERS = [
    case("washington", {}, None, "4 3 2 1", proves="R.14 W.11 W.13"),
    case("washington", {"table.settlement_order": "left_to_right"}, None, "1 2 3 4",
         proves="R.14 W.additional.4"),
    case("california", {}, 7, "1 2 3 4", proves="R.14 C.9 C.10"),
]  # fmt: skip


@pytest.mark.parametrize(("house_id", "changes", "banker", "order"), ORDERS)
def test_hands_are_settled_in_the_houses_order(
    house_id: str, changes: dict[str, str], banker: int | None, order: str
) -> None:
    felt = Felt(own_house(house_id, changes), banker=Banker(banker, 10**6) if banker else None)
    for spot, wagers in BETS.items():
        felt.bet(spot, wagers)
    assert " ".join(str(spot.seat) for spot in settlement_spots(felt.close().state)) == order


@pytest.mark.clause("R.14", "R.18")
@pytest.mark.parametrize(
    ("banker", "order"), [(1, "2 3 5"), (2, "3 5 1"), (4, "5 1 2 3"), (5, "1 2 3"), (7, "1 2 3 5")]
)
def test_clockwise_from_the_bankers_left(banker: int, order: str) -> None:
    felt = Felt("california", banker=Banker(banker, 10**6))
    for seat in {1, 2, 3, 5} - {banker}:
        felt.bet(f"{seat}.1", "ante 10")
    assert " ".join(str(spot.seat) for spot in settlement_spots(felt.close().state)) == order


@pytest.mark.clause("W.12", "W.13")
def test_antes_go_back_before_any_hand_is_read() -> None:
    felt = played("washington", bets=BETS, cards=CARDS, decisions=PLAYS)
    lines = [f"{line.spot.seat} {line.wager} {line.result}" for line in felt.settlement.lines]
    assert lines == [
        "3 ante push",
        "2 ante push",
        "1 ante push",
        "4 ante lose",
        "4 blind lose",
        "3 play win",
        "3 blind push",
        "2 play win",
        "2 blind push",
        "1 play win",
        "1 blind push",
    ]
    assert (felt.settlement.dealer_hand, felt.settlement.dealer_qualified) == ("Queen high", False)


def test_other_houses_settle_hand_by_hand() -> None:
    felt = played("stadium", bets=BETS, cards=CARDS, decisions=PLAYS)
    seats = [line.spot.seat for line in felt.settlement.lines]
    assert seats == sorted(seats, reverse=True)


@pytest.mark.clause("W.9", "W.ace.11")
def test_the_dealers_hand_is_named_only_where_it_was_shown() -> None:
    shown = played("washington", bets={"1.1": "ante 10"}, cards=CARDS, decisions={"1.1": "4x"})
    assert shown.settlement.dealer_hand == "Queen high"
    hidden = played(
        "washington",
        bets={"1.1": "ante 10"},
        cards=CARDS,
        decisions={"1.1": "check, check, fold"},
    )
    assert hidden.settlement.dealer_hand is None
    assert hidden.settlement.dealer_qualified is None


def test_a_settled_round_gives_the_same_settlement_again() -> None:
    felt = played("washington", bets=BETS, cards=CARDS, decisions=PLAYS)
    assert settle(felt.state) == felt.settlement
    assert felt.settlement.meter_cents is None


@pytest.mark.clause("R.21")
def test_a_settled_progressive_is_settled_again_by_the_meter_of_its_record() -> None:
    felt = played(
        "washington",
        bets={"1.1": "ante 10, progressive 1"},
        cards={"1.1": "6s 5s", "dealer": "Ac Kd", "common": "7s 8s 9s 2d 3c"},
        decisions={"1.1": "4x"},
        meter_cents=1_234_500,
    )
    assert felt.settlement.meter_cents == 1_234_500
    assert felt.line("1.1", "progressive").payout_cents == 123_450
    assert settle(felt.state) == felt.settlement
    other = settle(felt.state, meter_cents=1_000_000)
    assert (other.meter_cents, other.meter_paid_cents) == (1_000_000, 100_000)


@pytest.mark.clause("W.12")
def test_every_line_names_its_outcome() -> None:
    felt = played("washington", bets=BETS, cards=CARDS, decisions=PLAYS)
    outcomes = {(str(line.spot), line.wager): line.outcome for line in felt.settlement.lines}
    assert outcomes["1.1", "ante"] == "ante.not_qualified"
    assert outcomes["1.1", "play"] == "play.win"
    assert outcomes["1.1", "blind"] == "blind.push"
    assert outcomes["4.1", "ante"] == "ante.fold"
    for line in felt.settlement.lines:
        assert line.clause == felt.state.clause(line.outcome)


@pytest.mark.parametrize("decisions", [{}, {"1.1": "check"}, {"1.1": "check, check"}])
def test_a_round_that_is_not_finished_is_not_settled(decisions: dict[str, str]) -> None:
    felt = Felt("washington").bet("1.1", "ante 10").close().run(CARDS, decisions)
    with pytest.raises(Refusal) as refused:
        settle(felt.state)
    assert refused.value.code is RefusalCode.NOT_FINISHED


VOIDS = [
    case("washington", "W.irregularities", proves="W.irregularities R.13"),
    case("online", "O.malfunction", proves="O.malfunction R.13"),
    case("california", "R.13", proves="R.13"),
    case("stadium", "S.screen.malfunction", proves="S.screen.malfunction R.13"),
]


@pytest.mark.parametrize(("house_id", "clause"), VOIDS)
@pytest.mark.parametrize("decisions", ["check", "4x", "check, check, fold"])
def test_a_void_returns_every_wager_by_its_clause(
    house_id: str, clause: str, decisions: str
) -> None:
    banker = Banker(7, 12_345) if house_id == "california" else None
    felt = Felt(house_id, banker=banker).bet("1.1", "ante 10, trips 5").close()
    felt.run(CARDS, {"1.1": decisions}).void()
    lines = felt.settlement.lines
    assert {line.result for line in lines} == {Result.RETURNED}
    assert {line.outcome for line in lines} == {"void"}
    assert {line.clause for line in lines} == {clause}
    assert all(line.net_cents == 0 and line.payout_cents == 0 for line in lines)
    staked = sum(wager.cents for hand in felt.state.hands.values() for wager in hand.wagers)
    assert sum(line.returned_cents for line in lines) == staked
    assert felt.settlement.cover_left_cents == (12_345 if banker else None)


@pytest.mark.clause("R.13")
def test_a_void_takes_a_progressive_contribution_back_from_the_link() -> None:
    felt = Felt("washington").bet("1.1", "ante 10, progressive 1").close().void()
    line = felt.line("1.1", "progressive")
    assert (line.returned_cents, line.paid_by) == (100, PaidBy.LINK)
    assert felt.settlement.link_net_cents == 0
    assert felt.settlement.meter_paid_cents == 0


def test_a_draw_round_can_be_banked_by_a_player() -> None:
    house = own_house(
        "draw",
        {"bank.kind": "player_dealer", "table.settlement_order": "from_bankers_left"},
    )
    assert house.bank.kind is BankKind.PLAYER_DEALER
    felt = played(
        house,
        banker=Banker(6, 1500),
        bets={"1.1": "ante 10"},
        cards={
            "1.1": "2s 4s 6s 8s Ts",
            "dealer": "9d 9h 2d 5c 7h",
            "common": "3c 6h 8d Tc Qh",
        },
        decisions={"1.1": "hold 2s 4s 6s 8s Ts"},
    )
    paid = {line.wager: (line.payout_cents, line.uncovered_cents) for line in felt.settlement.lines}
    assert paid == {"ante": (1000, 0), "ante_bonus": (500, 500)}
    assert felt.settlement.cover_left_cents == 0
