"""The Stadium document, where a whole round is more than its clause needs."""

from dataclasses import replace

import pytest

from openfelt.cards import parse_cards
from openfelt.catalog import CatalogError, load_house
from openfelt.rules import (
    CloseBets,
    Phase,
    RefusalCode,
    SetWagers,
    Spot,
    Wager,
    WagerKind,
    choices,
    view,
)
from openfelt.rules.dealing import Deal, Lies, dealing_plan
from openfelt.rules.house import DealerMode, Procedure
from tests.kit.felt import Felt, play_stakes, wagers_of
from tests.kit.own_houses import own_house

HOUSE = load_house("stadium")
OPTIONS = [
    WagerKind.TRIPS,
    WagerKind.BAD_BEAT,
    WagerKind.ULTIMATE_PAIRS,
    WagerKind.PLAY_THE_BOARD,
]
CARDS = {"1.1": "Tc 9c", "1.2": "Ac 3d", "dealer": "Ks Qh", "common": "8h 7s 6d Kd 2c"}


@pytest.mark.clause("S.letter.configurations", "S.overview.dealer_mode")
def test_a_setting_decides_between_a_live_and_a_virtual_dealer() -> None:
    assert HOUSE.dealer_mode is DealerMode.EITHER
    for mode in ("live", "virtual"):
        assert own_house("stadium", {"table.dealer": mode}).dealer_mode == mode
    with pytest.raises(CatalogError, match=r"table\.dealer"):
        own_house("stadium", {"table.dealer": "absent"})


@pytest.mark.clause("S.letter.configurations")
@pytest.mark.parametrize("mode", ["live", "virtual", "either"])
def test_the_same_cards_pay_alike_under_a_live_and_a_virtual_dealer(mode: str) -> None:
    felt = Felt(own_house("stadium", {"table.dealer": mode})).bet("1.1", "ante 10").close()
    felt.run(CARDS, {"1.1": "4x"}).confirm()
    assert felt.settlement.bank_net_cents == -(1000 + 4000 + 1000)


@pytest.mark.clause("S.letter.optional_wagers", "S.overview.optional_wagers", "S.2")
@pytest.mark.parametrize("option", OPTIONS)
def test_each_option_can_be_taken_left_and_switched_off(option: WagerKind) -> None:
    ante, bonus = Wager(WagerKind.ANTE, 1000), Wager(option, 500)
    for wagers in ((ante,), (ante, bonus)):
        Felt(HOUSE).do(SetWagers(Spot(1, 1), wagers))
    without = replace(HOUSE, wagers=tuple(one for one in HOUSE.wagers if one.kind is not option))
    Felt(without).refuses(SetWagers(Spot(1, 1), (ante, bonus)), RefusalCode.NOT_OFFERED)


@pytest.mark.clause("S.1")
def test_when_the_countdown_has_ended_no_wager_is_taken() -> None:
    assert HOUSE.clock is not None
    assert HOUSE.clock.wager_seconds > 0
    felt = Felt(HOUSE).bet("1.1", "ante 10").do(CloseBets())
    more = SetWagers(Spot(1, 2), (Wager(WagerKind.ANTE, 1000),))
    felt.refuses(more, RefusalCode.WAGERS_CLOSED)


@pytest.mark.clause("S.3")
@pytest.mark.parametrize("hands", [1, 2, 3])
def test_a_setting_allows_one_two_or_three_hands(hands: int) -> None:
    felt = Felt(own_house("stadium", {"table.hands_per_seat": hands}))
    for hand in range(1, hands + 1):
        felt.bet(f"1.{hand}", "ante 10")
    beyond = SetWagers(Spot(1, hands + 1), (Wager(WagerKind.ANTE, 1000),))
    felt.refuses(beyond, RefusalCode.NO_SUCH_SPOT)


@pytest.mark.clause("S.4", "S.overview.two_cards")
@pytest.mark.parametrize("procedure", list(HOUSE.procedures))
def test_players_cards_lie_face_up_and_the_dealers_face_down(procedure: Procedure) -> None:
    plan = dealing_plan(HOUSE, procedure, [Spot(1, 1), Spot(1, 2)])
    deals = [step for step in plan if isinstance(step, Deal) and step.place.lies is not Lies.COMMON]
    assert [(str(step.place), step.face_up) for step in deals] == [
        ("dealer card 1", False),
        ("dealer card 2", False),
        ("hand 1.1 card 1", True),
        ("hand 1.1 card 2", True),
        ("hand 1.2 card 1", True),
        ("hand 1.2 card 2", True),
    ]
    felt = Felt(HOUSE, procedure=procedure).bet("1.1", "ante 10").close().run(CARDS)
    shown = view(felt.state, seat=None)
    assert shown.hands[0].cards == parse_cards("Tc 9c")
    assert shown.dealer == (None, None)


@pytest.mark.clause("S.5")
def test_a_setting_allows_wagers_for_the_dealer() -> None:
    Felt(HOUSE).bet("1.1", "ante 10, tip ante 5")
    without = Felt(replace(HOUSE, dealer_wagers=None))
    tip = SetWagers(Spot(1, 1), wagers_of("ante 10, tip ante 5"))
    without.refuses(tip, RefusalCode.NOT_OFFERED)


@pytest.mark.clause("S.6", "S.8", "S.10")
def test_each_hand_of_a_player_decides_for_itself() -> None:
    felt = Felt(HOUSE).bet("1.1", "ante 10").bet("1.2", "ante 10").close().run(CARDS)
    felt.choose("1.1", "4x")
    assert not choices(felt.state, Spot(1, 1))
    assert choices(felt.state, Spot(1, 2))
    felt.run(CARDS, {"1.2": "check, check, fold"})
    assert [str(hand.final_decision) for hand in felt.state.hands.values()] == ["bet 4x", "fold"]


@pytest.mark.clause("S.15", "S.15.reconciled")
def test_confirming_ends_the_round_and_settles_it() -> None:
    felt = Felt(HOUSE).bet("1.1", "ante 10").close().run(CARDS, {"1.1": "4x"})
    before = felt.state
    assert (before.phase, before.settlement) == (Phase.READY, None)
    after = felt.confirm().state
    assert (after.phase, len(felt.settlement.lines)) == (Phase.SETTLED, 3)


@pytest.mark.clause("S.overview.early_bets", "S.overview.preflop", "S.overview.flop")
@pytest.mark.clause("S.overview.river")
def test_the_earlier_the_bet_the_larger_it_may_be() -> None:
    felt = Felt(HOUSE).bet("1.1", "ante 10").close().run(CARDS)
    assert play_stakes(felt, "1.1") == {3: 3000, 4: 4000}
    assert play_stakes(felt.choose("1.1", "check").run(CARDS), "1.1") == {2: 2000}
    assert play_stakes(felt.choose("1.1", "check").run(CARDS), "1.1") == {1: 1000}
