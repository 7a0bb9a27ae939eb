"""What a hand may do now, and what the clock does for it."""

import pytest

from openfelt.cards import format_cards
from openfelt.rules import (
    Bet,
    Check,
    Fold,
    Hold,
    Refusal,
    RefusalCode,
    Spot,
    choices,
    clock_decision,
)
from openfelt.rules.choices import Choices
from tests.kit.cases import case
from tests.kit.felt import Felt
from tests.kit.own_houses import own_house

CARDS = {"1.1": "As Ah", "2.1": "Ks Kh", "dealer": "2c 7d", "common": "9c Td Jh 3s 4s"}
ONE, TWO = Spot(1, 1), Spot(2, 1)


def offered(found: Choices) -> str:
    return ", ".join(f"{one.decision} for {one.cost_cents}" for one in found.options)


def playing(*decisions: str, wagers: str = "ante 10", house: str = "washington") -> Felt:
    felt = Felt(house).bet("1.1", wagers).close()
    return felt.run(CARDS, {"1.1": ", ".join(decisions)} if decisions else {})


PASSED = ("check", "check")
OFFERS = [
    case((), None, "check for 0, bet 3x for 3000, bet 4x for 4000", proves="W.4 W.4a W.4b R.9"),
    case((), 4000, "check for 0, bet 3x for 3000, bet 4x for 4000", proves="R.9"),
    case((), 3999, "check for 0, bet 3x for 3000", proves="R.9"),
    case((), 2999, "check for 0", proves="R.9"),
    case((), 0, "check for 0", proves="R.9"),
    case(("check",), None, "check for 0, bet 2x for 2000", proves="W.6a W.6b R.9"),
    case(("check",), 1999, "check for 0", proves="R.9"),
    case(PASSED, None, "fold for 0, bet 1x for 1000", proves="W.8a W.8b R.9 R.2"),
    case(PASSED, 999, "fold for 0", proves="R.9"),
    case(("4x",), None, "", proves="W.4b.i"),
    case(("check", "2x"), None, "", proves="S.8b.i"),
    case((*PASSED, "fold"), None, ""),
]


@pytest.mark.parametrize(("decisions", "credit_cents", "offer"), OFFERS)
def test_each_street_offers_its_decisions_as_far_as_the_credit_goes(
    decisions: tuple[str, ...], credit_cents: int | None, offer: str
) -> None:
    found = choices(playing(*decisions).state, ONE, credit_cents=credit_cents)
    assert offered(found) == offer
    assert bool(found) == bool(offer)


@pytest.mark.parametrize(
    ("house_id", "offer"),
    [
        case("online", "check for 0, bet 3x for 3000, bet 4x for 4000", proves="O.4 O.4a O.4b"),
        case("stadium", "check for 0, bet 3x for 3000, bet 4x for 4000", proves="S.6 S.6a S.6b"),
    ],
)
def test_other_houses_offer_the_same_before_the_flop(house_id: str, offer: str) -> None:
    assert offered(choices(playing(house=house_id).state, ONE)) == offer


@pytest.mark.clause("R.12")
def test_a_play_wager_costs_the_dealers_part_too() -> None:
    felt = playing(wagers="ante 10, tip ante 5", house="stadium")
    assert offered(choices(felt.state, ONE, credit_cents=5999)) == "check for 0, bet 3x for 4500"


def test_a_house_sets_its_own_multiples() -> None:
    house = own_house("online", {"play.before_flop": [2, 5], "play.on_flop": []})
    felt = Felt(house).bet("1.1", "ante 10").close().run(CARDS)
    assert offered(choices(felt.state, ONE)) == "check for 0, bet 2x for 2000, bet 5x for 5000"
    felt.choose("1.1", "check").deal("9c Td Jh")
    assert offered(choices(felt.state, ONE)) == "check for 0"


def test_there_are_no_choices_before_the_deal_or_for_hands_that_are_not_there() -> None:
    felt = Felt("washington").bet("1.1", "ante 10")
    assert not choices(felt.state, ONE)
    assert not choices(felt.close().state, ONE)
    assert not choices(felt.run(CARDS).state, TWO)
    assert not choices(felt.void().state, ONE)


def test_in_order_only_the_first_hand_has_choices() -> None:
    house = own_house("washington", {"table.turns": "in_order"})
    felt = Felt(house).bet("1.1", "ante 10").bet("2.1", "ante 10").close().run(CARDS)
    assert choices(felt.state, ONE)
    assert not choices(felt.state, TWO)
    felt.choose("1.1", "check")
    assert not choices(felt.state, ONE)
    assert choices(felt.state, TWO)


def drawing() -> Felt:
    felt = Felt("draw").bet("1.1", "bonus 5").close()
    return felt.deal("As Kd 9c 5h 2s").deal("3c 4c 6d 7d 8h").deal("Th Jh Qh Kh Ah")


@pytest.mark.clause("D.5")
def test_in_ultimate_draw_a_hand_may_hold() -> None:
    felt = drawing()
    found = choices(felt.state, ONE)
    assert (found.may_hold, found.options) == (True, ())
    assert found
    felt.choose("1.1", "hold As")
    assert not choices(felt.state, ONE)


@pytest.mark.parametrize(
    ("decisions", "decision"),
    [
        case((), Check(), proves="R.10"),
        case(("check",), Check(), proves="R.10"),
        case(PASSED, Fold(), proves="R.10"),
    ],
)
def test_the_clock_checks_and_at_the_river_folds(
    decisions: tuple[str, ...], decision: Check | Fold | Bet
) -> None:
    felt = playing(*decisions)
    assert clock_decision(felt.state, ONE) == decision
    assert decision in [one.decision for one in choices(felt.state, ONE, credit_cents=0).options]


@pytest.mark.clause("R.27")
def test_the_clock_plays_the_house_way_in_ultimate_draw() -> None:
    decision = clock_decision(drawing().state, ONE)
    assert isinstance(decision, Hold)
    assert format_cards(decision.cards) == "As Kd"


def test_the_clock_has_nothing_to_decide_where_nothing_is_due() -> None:
    before, decided, ended = playing().state, playing("4x").state, playing("check").void().state
    moments = [
        (Felt("washington").bet("1.1", "ante 10").state, ONE),
        (Felt("washington").bet("1.1", "ante 10").close().state, ONE),
        (before, TWO),
        (decided, ONE),
        (ended, ONE),
    ]
    for state, spot in moments:
        with pytest.raises(Refusal) as refused:
            clock_decision(state, spot)
        assert refused.value.code is RefusalCode.NO_DECISION_DUE
        assert refused.value.sentence == f"Hand {spot} has nothing to decide now."
