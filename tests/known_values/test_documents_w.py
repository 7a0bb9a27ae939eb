"""Washington's document, where a whole round is more than its clause needs."""

from datetime import date

import pytest

from openfelt.catalog import load_house
from openfelt.rules import (
    Beneficiary,
    Phase,
    RefusalCode,
    SetWagers,
    Spot,
    Wager,
    WagerKind,
    choices,
    view,
)
from openfelt.rules.dealing import Deal, Decide, ReturnAntes, Step, Turn, dealing_plan
from openfelt.rules.house import Procedure
from openfelt.rules.lines import PaidBy
from openfelt.rules.wager_rules import ante_max_cents
from tests.kit.felt import Felt, play_stakes, played, wagers_of
from tests.kit.own_houses import own_house

HOUSE = load_house("washington")
TWO_HANDS = [Spot(1, 1), Spot(4, 1)]
BETS = {"1.1": "ante 10, trips 5", "2.1": "ante 10"}
CARDS = {"1.1": "As Ks", "2.1": "9d 9c", "dealer": "4c 4d", "common": "Qs Js 2d 7h 3h"}


def told(step: Step) -> str:
    """A step of a plan in few words."""
    match step:
        case Deal(place, face_up):
            return f"{place} {'up' if face_up else 'down'}"
        case Turn(lies, up_to, spot):
            return f"turn {lies} {spot or up_to}"
        case ReturnAntes():
            return "return antes"
        case Decide(street):
            return street.words


@pytest.mark.clause("W.1", "W.3", "W.4", "W.5", "W.6", "W.7", "W.8", "W.9")
def test_the_handheld_procedure() -> None:
    assert HOUSE.procedure is Procedure.HANDHELD
    assert [told(step) for step in dealing_plan(HOUSE, Procedure.HANDHELD, TWO_HANDS)] == [
        "hand 1.1 card 1 down",
        "hand 1.1 card 2 down",
        "hand 4.1 card 1 down",
        "hand 4.1 card 2 down",
        "dealer card 1 down",
        "dealer card 2 down",
        "before the flop",
        "common card 1 up",
        "common card 2 up",
        "common card 3 up",
        "on the flop",
        "common card 4 up",
        "common card 5 up",
        "on the river",
        "turn dealer 2",
        "return antes",
        "turn hand 4.1",
        "turn hand 1.1",
    ]


@pytest.mark.clause("W.ace.3", "W.ace.4", "W.ace.6", "W.ace.7", "W.ace.8", "W.ace.9")
@pytest.mark.clause("W.ace.10", "W.ace.11")
def test_the_community_first_procedure() -> None:
    assert [told(step) for step in dealing_plan(HOUSE, Procedure.COMMUNITY_FIRST, TWO_HANDS)] == [
        *(f"common card {n} down" for n in range(1, 6)),
        "hand 1.1 card 1 down",
        "hand 1.1 card 2 down",
        "hand 4.1 card 1 down",
        "hand 4.1 card 2 down",
        "dealer card 1 down",
        "dealer card 2 down",
        "before the flop",
        "turn common 3",
        "on the flop",
        "turn common 5",
        "on the river",
        "turn dealer 2",
        "return antes",
        "turn hand 4.1",
        "turn hand 1.1",
    ]


@pytest.mark.parametrize(
    "procedure",
    [
        pytest.param(Procedure.HANDHELD, marks=pytest.mark.clause("W.3", "W.5", "W.7", "W.9")),
        pytest.param(
            Procedure.COMMUNITY_FIRST,
            marks=pytest.mark.clause("W.ace.3", "W.ace.7", "W.ace.9", "W.ace.11"),
        ),
    ],
)
def test_what_another_seat_sees_on_every_street(procedure: Procedure) -> None:
    felt = Felt("washington", procedure=procedure)
    for spot, wagers in BETS.items():
        felt.bet(spot, wagers)
    felt.close()
    seen = []
    for decisions in ("check", "check", "1x"):
        felt.run(CARDS)
        shown = view(felt.state, seat=2)
        own = next(hand for hand in shown.hands if hand.spot == Spot(2, 1))
        other = next(hand for hand in shown.hands if hand.spot == Spot(1, 1))
        assert None not in own.cards
        assert set(other.cards) == {None}
        assert set(shown.dealer) == {None}
        seen.append(sum(card is not None for card in shown.common))
        felt.run(CARDS, {"1.1": decisions, "2.1": decisions})
    assert seen == [0, 3, 5]
    shown = view(felt.state, seat=2)
    assert None not in (*shown.dealer, *(card for hand in shown.hands for card in hand.cards))


@pytest.mark.parametrize(
    "procedure",
    [
        pytest.param(Procedure.HANDHELD, marks=pytest.mark.clause("W.4b.i")),
        pytest.param(Procedure.COMMUNITY_FIRST, marks=pytest.mark.clause("W.ace.6b.i")),
    ],
)
def test_a_hand_that_has_bet_has_nothing_left_to_decide(procedure: Procedure) -> None:
    felt = Felt("washington", procedure=procedure)
    felt.bet("1.1", "ante 10").bet("2.1", "ante 10").close().run(CARDS).choose("1.1", "3x")
    for decision in ("check", "check", "fold"):
        assert not choices(felt.state, Spot(1, 1))
        assert choices(felt.state, Spot(2, 1))
        wagers = felt.state.hands[Spot(1, 1)].wagers
        felt.run(CARDS, {"2.1": decision})
        assert felt.state.hands[Spot(1, 1)].wagers == wagers
    assert felt.state.phase is Phase.READY


@pytest.mark.clause("W.overview.early_bets", "W.overview.preflop", "W.overview.flop")
@pytest.mark.clause("W.overview.river")
@pytest.mark.parametrize("procedure", list(HOUSE.procedures))
def test_the_earlier_the_bet_the_larger_it_may_be(procedure: Procedure) -> None:
    felt = Felt(HOUSE, procedure=procedure).bet("1.1", "ante 10").close().run(CARDS)
    assert play_stakes(felt, "1.1") == {3: 3000, 4: 4000}
    assert play_stakes(felt.choose("1.1", "check").run(CARDS), "1.1") == {2: 2000}
    assert play_stakes(felt.choose("1.1", "check").run(CARDS), "1.1") == {1: 1000}


@pytest.mark.clause("W.intro.1", "W.overview.trips_optional", "W.bad_beat.1", "W.pairs.1")
def test_the_options_are_offered_and_no_player_has_to_take_them() -> None:
    assert {rule.kind.words for rule in HOUSE.wagers} == {
        "Ante",
        "Blind",
        "Trips",
        "Bad Beat",
        "Ultimate Pairs",
        "Progressive",
    }
    felt = Felt("washington").bet("1.1", "ante 10")
    assert [wager.kind.words for wager in felt.state.hands[Spot(1, 1)].wagers] == ["Ante", "Blind"]


@pytest.mark.clause("W.additional.1")
@pytest.mark.parametrize("kind", list(WagerKind))
def test_players_do_not_wager_on_the_dealer(kind: WagerKind) -> None:
    wagers = (Wager(WagerKind.ANTE, 1000), Wager(kind, 500, Beneficiary.DEALER))
    Felt("washington").refuses(SetWagers(Spot(1, 1), wagers), RefusalCode.NOT_OFFERED)


@pytest.mark.clause("W.overview.head_to_head", "W.additional.1", "W.additional.2", "W.intro.1")
def test_no_money_passes_between_players() -> None:
    decisions = {"1.1": "4x", "2.1": "4x"}
    alone = played("washington", bets={"1.1": "ante 10"}, cards=CARDS, decisions=decisions)
    both = played(
        "washington",
        bets={"1.1": "ante 10", "2.1": "ante 50, trips 20"},
        cards=CARDS,
        decisions=decisions,
    )
    assert both.settlement.of_seat(1) == alone.settlement.of_seat(1)
    assert {line.paid_by for line in both.settlement.lines} == {PaidBy.BANK}
    net_cents = sum(line.net_cents for line in both.settlement.lines)
    assert net_cents == -both.settlement.bank_net_cents


@pytest.mark.clause("W.intro.2")
@pytest.mark.parametrize(
    ("day", "most_cents"),
    [
        (date(2023, 8, 18), 30000 // 4),
        (date(2023, 8, 19), 40000 // 4),
        (date(2026, 1, 1), 40000 // 4),
    ],
)
def test_the_law_limits_the_ante_through_the_largest_play_wager(day: date, most_cents: int) -> None:
    generous = own_house("washington", {"wagers.ante.max_cents": 100000})
    assert ante_max_cents(generous, generous.limits_on(day)) == most_cents


@pytest.mark.clause("W.intro.2")
def test_the_law_limits_every_other_wager_too() -> None:
    generous = own_house("washington", {"wagers.trips.max_cents": 100000})
    for day, most in ((date(2023, 8, 18), 5), (date(2023, 8, 19), 400)):
        felt = Felt(generous, day=day).bet("1.1", f"ante 10, trips {most}")
        wagers = (Wager(WagerKind.ANTE, 1000), Wager(WagerKind.TRIPS, most * 100 + 100))
        felt.refuses(SetWagers(Spot(1, 1), wagers), RefusalCode.ABOVE_MAXIMUM)


@pytest.mark.clause("W.pairs.participation")
@pytest.mark.parametrize("kind", [WagerKind.ULTIMATE_PAIRS, WagerKind.BAD_BEAT])
def test_no_wager_is_added_once_cards_are_out(kind: WagerKind) -> None:
    felt = Felt("washington").bet("1.1", "ante 10, trips 5")
    wagers = Wager(WagerKind.ANTE, 1000), Wager(WagerKind.TRIPS, 500), Wager(kind, 500)
    Felt("washington").do(SetWagers(Spot(1, 1), wagers))
    felt.close().deal("As").refuses(SetWagers(Spot(1, 1), wagers), RefusalCode.WAGERS_CLOSED)


@pytest.mark.clause("W.bad_beat.2")
@pytest.mark.parametrize("others", ["", "ante 10", "trips 5", "ante 10, ultimate_pairs 5"])
def test_bad_beat_is_taken_only_beside_ante_blind_and_trips(others: str) -> None:
    wagers = (*wagers_of(others), Wager(WagerKind.BAD_BEAT, 500))
    Felt("washington").refuses(SetWagers(Spot(1, 1), wagers), RefusalCode.NEEDS_WAGER)
    felt = Felt("washington").bet("1.1", "ante 10, trips 5, bad_beat 5")
    kinds = [wager.kind for wager in felt.state.hands[Spot(1, 1)].wagers]
    assert {WagerKind.ANTE, WagerKind.BLIND, WagerKind.TRIPS} <= set(kinds)


@pytest.mark.clause("W.pairs.4")
def test_a_folded_hand_with_ultimate_pairs_keeps_its_cards() -> None:
    felt = Felt("washington").bet("1.1", "ante 10, ultimate_pairs 5").bet("2.1", "ante 10").close()
    felt.run(CARDS, {"1.1": "check, check, fold", "2.1": "check, check, fold"})
    shown = {hand.spot: hand.cards for hand in view(felt.state, seat=None).hands}
    assert None not in shown[Spot(1, 1)]
    assert set(shown[Spot(2, 1)]) == {None}


@pytest.mark.clause("W.12", "W.13", "W.ace.14", "W.ace.15")
@pytest.mark.parametrize("procedure", list(HOUSE.procedures))
def test_refunds_come_before_any_hand_is_read(procedure: Procedure) -> None:
    felt = played(
        "washington",
        bets={"1.1": "ante 10, trips 5", "2.1": "ante 10", "3.1": "ante 10"},
        cards={
            "1.1": "Kd Js",
            "2.1": "Ks 5d",
            "3.1": "6s 5h",
            "dealer": "7c 6d",
            "common": "Ah Qs 9d 4c 2h",
        },
        decisions=dict.fromkeys(("1.1", "2.1", "3.1"), "check, check, 1x"),
        procedure=procedure,
    )
    order = [(line.spot.seat, line.wager) for line in felt.settlement.lines]
    assert order == [
        (3, "ante"),
        (2, "ante"),
        (1, "ante"),
        (3, "play"),
        (3, "blind"),
        (2, "play"),
        (2, "blind"),
        (1, "play"),
        (1, "blind"),
        (1, "trips"),
    ]


@pytest.mark.clause("W.additional.4", "R.14")
@pytest.mark.parametrize(
    ("order", "seats"), [("right_to_left", [3, 2, 1]), ("left_to_right", [1, 2, 3])]
)
def test_the_house_chooses_the_order_of_settlement(order: str, seats: list[int]) -> None:
    felt = played(
        own_house("washington", {"table.settlement_order": order}),
        bets=dict.fromkeys(("1.1", "2.1", "3.1"), "ante 10"),
        cards={**CARDS, "3.1": "Th 8h"},
        decisions={"1.1": "4x", "2.1": "4x", "3.1": "4x"},
    )
    assert [line.spot.seat for line in felt.settlement.lines if line.wager == "ante"] == seats


@pytest.mark.clause("W.9", "W.10", "W.ace.11", "W.ace.12")
@pytest.mark.parametrize(
    ("dealer", "name", "qualified"),
    [("4c 4d", "Pair of fours", True), ("Kh 8c", "King high", False)],
)
def test_the_dealers_hand_is_named_and_a_pair_qualifies(
    dealer: str, name: str, qualified: bool
) -> None:
    for procedure in HOUSE.procedures:
        felt = played(
            "washington",
            bets={"1.1": "ante 10"},
            cards={**CARDS, "dealer": dealer},
            decisions={"1.1": "4x"},
            procedure=procedure,
        )
        assert felt.settlement.dealer_hand == name
        assert felt.settlement.dealer_qualified is qualified
