"""The Ultimate Draw document, where a whole round is more than its clause needs."""

import pytest

from openfelt.cards import format_cards, parse_cards
from openfelt.catalog import load_house
from openfelt.rules import Spot, view
from openfelt.rules.dealing import Deal, Decide, Lies, Turn, dealing_plan
from openfelt.rules.house import Procedure
from openfelt.rules.ultimate_draw import house_way
from tests.kit.felt import Felt

HOUSE = load_house("draw")
CARDS = {"1.1": "Ac Ad Qh 8c 6s", "dealer": "Ks Kd 9s 5s 2s", "common": "2c 3d 4s 7h Jc"}


@pytest.mark.clause("D.2", "R.29")
@pytest.mark.parametrize("wagers", ["ante 10", "bonus 5", "ante 10, bonus 5"])
def test_a_player_opens_with_ante_bonus_or_both(wagers: str) -> None:
    felt = Felt(HOUSE).bet("1.1", wagers)
    assert len(felt.state.hands[Spot(1, 1)].wagers) == len(wagers.split(","))


@pytest.mark.clause("D.3", "D.4", "D.5", "D.6", "D.7")
def test_the_order_of_the_deal() -> None:
    plan = dealing_plan(HOUSE, Procedure.DRAW, [Spot(1, 1), Spot(2, 1)])
    deals = [step for step in plan if isinstance(step, Deal)]
    assert [step.place.lies for step in deals] == [Lies.HAND] * 10 + [Lies.DEALER] * 5 + (
        [Lies.COMMON] * 5
    )
    assert not any(step.face_up for step in deals)
    after = plan[len(deals) :]
    assert isinstance(after[0], Decide)
    assert [step.lies for step in after[1:] if isinstance(step, Turn)] == [
        Lies.DEALER,
        Lies.COMMON,
        Lies.HAND,
    ]


@pytest.mark.parametrize(
    ("procedure", "spots"),
    [
        pytest.param(Procedure.DRAW, [1, 2, 3, 4, 5], marks=pytest.mark.clause("D.4a")),
        pytest.param(Procedure.DRAW_FROM_FIVE, [5, 4, 3, 2, 1], marks=pytest.mark.clause("D.4b")),
    ],
)
def test_the_draw_cards_are_spread_from_spot_1_or_laid_out_from_spot_5(
    procedure: Procedure, spots: list[int]
) -> None:
    assert procedure in HOUSE.procedures
    plan = dealing_plan(HOUSE, procedure, [Spot(1, 1)])
    places = [step.place for step in plan if isinstance(step, Deal)]
    assert [place.position for place in places if place.lies is Lies.COMMON] == spots


@pytest.mark.clause("D.4", "D.6", "D.7")
def test_the_dealers_and_the_draw_cards_are_hidden_until_all_have_decided() -> None:
    felt = Felt(HOUSE).bet("1.1", "ante 10").close().run(CARDS)
    shown = view(felt.state, seat=1)
    assert {*shown.dealer, *shown.common} == {None}
    assert shown.hands[0].cards == parse_cards(CARDS["1.1"])
    felt.run(CARDS, {"1.1": "hold Ac Ad"})
    shown = view(felt.state, seat=1)
    assert shown.dealer == parse_cards(CARDS["dealer"])
    assert shown.common == parse_cards(CARDS["common"])


@pytest.mark.parametrize(
    ("cards", "held"),
    [
        pytest.param("Ks Kd 9s 5s 2s", "Ks Kd", marks=pytest.mark.clause("D.6a", "R.26")),
        pytest.param("9c 9d 5h 5s Kd", "9c 9d 5h 5s", marks=pytest.mark.clause("D.6a", "R.26")),
        pytest.param("9c 9d 9h Kd 4s", "9c 9d 9h", marks=pytest.mark.clause("D.6a", "R.26")),
        pytest.param("9c 9d 9h 9s 4d", "9c 9d 9h 9s 4d", marks=pytest.mark.clause("R.26")),
        pytest.param("9c 8d 7h 6s 5c", "9c 8d 7h 6s 5c", marks=pytest.mark.clause("R.26")),
        pytest.param("9h 8h 7h 2h 6c", "9h 8h 7h 2h", marks=pytest.mark.clause("D.6b", "R.26")),
        pytest.param("Ad Jc Th 9s 8d", "Jc Th 9s 8d", marks=pytest.mark.clause("D.6c", "R.26")),
        pytest.param("Ah 2c 3d 4s 9h", "Ah 2c 3d 4s", marks=pytest.mark.clause("D.6c", "R.26")),
        pytest.param("Ac Kd Qh Js 5c", "Ac Kd Qh Js", marks=pytest.mark.clause("D.6c", "R.26")),
        pytest.param("Ac Kd Qh Ts 5c", "Ac Kd Qh", marks=pytest.mark.clause("D.6d", "R.26")),
        pytest.param("Jc 9d 7h 5s 2c", "Jc", marks=pytest.mark.clause("D.6d", "R.26")),
        pytest.param("Tc 9d 7h 5s 2c", "", marks=pytest.mark.clause("D.6e", "R.26")),
    ],
)
def test_the_first_rule_of_the_house_way_that_fits_counts(cards: str, held: str) -> None:
    assert format_cards(house_way(parse_cards(cards))) == held


@pytest.mark.clause("D.12", "D.13")
@pytest.mark.parametrize(
    ("hand", "ante_bonus", "bonus"),
    [
        ("As Ks Qs Js Ts", 50, 500),
        ("9h 8h 7h 6h 5h", 25, 150),
        ("9c 9d 9h 9s 4d", 6, 25),
        ("9c 9d 9h 4s 4d", 2, 9),
        ("Kh Jh 8h 4h 3h", 1, 7),
        ("9c 8d 7h 6s 5c", 0, 6),
        ("9c 9d 9h 4s Kd", 0, 3),
        ("9c 9d 4h 4s Kd", 0, 1),
        ("9c 9d 7h 4s Kd", 0, -1),
    ],
)
def test_the_house_pays_by_the_documents_tables_even_if_the_hand_loses(
    hand: str, ante_bonus: int, bonus: int
) -> None:
    # The dealer stands on a full house, tens over twos, which beats most of these hands.
    cards = {"1.1": hand, "dealer": "Tc Td Th 2c 2d", "common": "Ac Qc 6c 5d Jd"}
    felt = Felt(HOUSE).bet("1.1", "ante 10, bonus 10").close()
    felt.run(cards, {"1.1": f"hold {hand}"}).confirm()
    lines = [one for one in felt.settlement.lines if one.wager == "ante_bonus"]
    assert sum(line.payout_cents for line in lines) == ante_bonus * 1000
    assert felt.line("1.1", "bonus").net_cents == bonus * 1000
    assert (felt.line("1.1", "ante").net_cents > 0) is (ante_bonus > 2)
