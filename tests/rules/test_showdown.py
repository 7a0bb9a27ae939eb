"""The showdown of W and C: the dealer's hand, the Antes that go back, then hand after hand."""

import pytest

from openfelt.cards import Card
from openfelt.rules import CorrectCard, House, Phase, Spot, TurnCards, apply, replay, view
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.house import Procedure
from openfelt.rules.irregularity_rules import About, Effect, Irregularity
from openfelt.rules.round_actions import SwapCards
from openfelt.rules.round_events import (
    AntesReturned,
    Banker,
    CardsTurned,
    IrregularityDeclared,
)
from openfelt.rules.showdown import dealer_qualified
from tests.kit.cases import case
from tests.kit.felt import Felt
from tests.kit.own_houses import own_house

CARDS = {
    "1.1": "Kd Js",
    "2.1": "Ks 5d",
    "3.1": "6s 5h",
    "dealer": "7c 6d",
    "common": "Ah Qs 9d 4c 2h",
}
DECISIONS = {"1.1": "check, check, 1x", "2.1": "check, check, fold", "3.1": "check, check, 1x"}


def before_showdown(
    house: House | str, *, procedure: Procedure | None = None, banker: Banker | None = None
) -> Felt:
    """Three hands have decided, and the dealer's two cards are turned next."""
    felt = Felt(house, procedure=procedure, banker=banker)
    for spot in DECISIONS:
        felt.bet(spot, "ante 10, trips 5" if spot == "2.1" else "ante 10")
    return felt.close().run(CARDS, DECISIONS, until=Lies.DEALER)


def shown(felt: Felt) -> list[str]:
    """The hands that a spectator sees."""
    return [str(hand.spot) for hand in view(felt.state, seat=None).hands if None not in hand.cards]


@pytest.mark.parametrize(
    "procedure",
    [
        case(Procedure.HANDHELD, proves="W.9 W.11 W.12 W.13 R.14"),
        case(Procedure.COMMUNITY_FIRST, proves="W.ace.11 W.ace.13 W.ace.14 W.ace.15 R.14"),
    ],
)
def test_the_antes_go_back_before_any_hand_is_turned(procedure: Procedure) -> None:
    felt = before_showdown("washington", procedure=procedure)
    felt.do(TurnCards())
    seen = view(felt.state, seat=None)
    assert (seen.dealer_made, seen.dealer_qualified) == ("Ace high", False)
    assert [hand.ante_returned for hand in seen.hands] == [True, False, True]
    assert shown(felt) == []
    assert felt.events[-2:] == [
        CardsTurned(Lies.DEALER, 2),
        AntesReturned((Spot(3, 1), Spot(1, 1))),
    ]
    turned = []
    while felt.state.phase is not Phase.READY:
        felt.do(TurnCards())
        turned.append(shown(felt))
    # From right to left; the folded hand is shown because of its Trips wager.
    assert turned == [["3.1"], ["2.1", "3.1"], ["1.1", "2.1", "3.1"]]
    assert replay(felt.state.house, felt.events) == felt.state
    felt.confirm()
    assert [line.wager for line in felt.settlement.lines[:2]] == ["ante", "ante"]


@pytest.mark.clause("W.9", "W.10", "W.11")
def test_no_ante_goes_back_if_the_dealer_qualifies() -> None:
    felt = before_showdown("washington")
    felt.do(CorrectCard(Place(Lies.DEALER, None, 1), Card.parse("Qc"))).do(TurnCards())
    seen = view(felt.state, seat=None)
    assert seen.dealer_qualified is True
    assert not any(hand.ante_returned for hand in seen.hands)
    assert not any(isinstance(event, AntesReturned) for event in felt.events)


def test_a_corrected_card_takes_the_return_back_before_it_is_booked() -> None:
    felt = before_showdown("washington").do(TurnCards())
    felt.do(CorrectCard(Place(Lies.DEALER, None, 1), Card.parse("Qc")))
    seen = view(felt.state, seat=None)
    assert seen.dealer_qualified is True
    assert not any(hand.ante_returned for hand in seen.hands)
    while felt.state.phase is not Phase.READY:
        felt.do(TurnCards())
    felt.confirm()
    assert {line.outcome for line in felt.settlement.lines} & {"ante.not_qualified"} == set()


@pytest.mark.clause("W.12", "W.ace.14", "R.14")
@pytest.mark.parametrize("swapped", [False, True])
def test_the_antes_go_back_after_a_correction_that_shows_an_unqualified_dealer(
    *, swapped: bool
) -> None:
    felt = before_showdown("washington")
    dealer = Place(Lies.DEALER, None, 1)
    other = Place(Lies.HAND, Spot(3, 1), 1)
    if swapped:
        # The dealer has a queen that was scanned in the place of the seven, which hand 3 holds.
        felt.do(CorrectCard(dealer, Card.parse("Qc"))).do(CorrectCard(other, Card.parse("7c")))
    else:
        felt.do(CorrectCard(dealer, Card.parse("Qc")))
    felt.do(TurnCards())
    assert view(felt.state, seat=None).dealer_qualified is True
    corrected = SwapCards(dealer, other) if swapped else CorrectCard(dealer, Card.parse("7c"))
    felt.do(corrected)
    assert felt.events[-1] == AntesReturned((Spot(3, 1), Spot(1, 1)))
    assert [hand.ante_returned for hand in view(felt.state, seat=None).hands] == [True, False, True]
    felt.do(CorrectCard(dealer, Card.parse("8c")))
    assert sum(isinstance(event, AntesReturned) for event in felt.events) == 1
    assert replay(felt.state.house, felt.events) == felt.state


@pytest.mark.clause("W.12", "R.14")
def test_once_a_hand_is_turned_the_antes_go_back_with_the_settlement() -> None:
    felt = before_showdown("washington")
    felt.do(CorrectCard(Place(Lies.DEALER, None, 1), Card.parse("Qc"))).do(TurnCards())
    felt.do(TurnCards()).do(CorrectCard(Place(Lies.DEALER, None, 1), Card.parse("7c")))
    assert not any(isinstance(event, AntesReturned) for event in felt.events)
    while felt.state.phase is not Phase.READY:
        felt.do(TurnCards())
    felt.confirm()
    assert felt.line("1.1", "ante").outcome == "ante.not_qualified"


@pytest.mark.clause("R.41", "R.14")
def test_a_hand_that_is_fouled_after_the_return_loses_its_ante() -> None:
    felt = before_showdown("washington").do(TurnCards())
    fouled = IrregularityDeclared(
        irregularity=Irregularity.HAND_FOULED,
        about=About.HAND,
        effect=Effect.LOSE_HAND,
        clause="R.41",
        spot=Spot(3, 1),
    )
    felt.state = apply(felt.state, fouled)
    seen = view(felt.state, seat=None)
    assert [hand.ante_returned for hand in seen.hands] == [True, False, False]
    while felt.state.phase is not Phase.READY:
        felt.do(TurnCards())
    felt.confirm()
    assert felt.line("3.1", "ante").net_cents == -1000
    assert felt.line("1.1", "ante").net_cents == 0


@pytest.mark.clause("C.6", "C.7", "C.9", "C.9.1", "C.10", "C.10.1", "R.14")
def test_at_a_player_banked_table_hands_are_exposed_one_by_one_from_the_bankers_left() -> None:
    felt = before_showdown("california", banker=Banker(4, 100_000))
    felt.do(TurnCards())
    assert (view(felt.state, seat=None).dealer_qualified, shown(felt)) == (False, [])
    assert not any(isinstance(event, AntesReturned) for event in felt.events)
    turned = []
    while felt.state.phase is not Phase.READY:
        felt.do(TurnCards())
        turned.append(felt.events[-1])
    # The folded hand in seat 2 has lost its Trips wager.
    assert turned == [CardsTurned(Lies.HAND, 2, (Spot(seat, 1),)) for seat in (1, 3)]


@pytest.mark.clause("C.9.1", "C.10.1", "R.14")
def test_the_hand_on_the_bankers_left_comes_first() -> None:
    felt = Felt("california", banker=Banker(2, 100_000))
    for spot in ("1.1", "3.1"):
        felt.bet(spot, "ante 10")
    felt.close().run(
        {place: cards for place, cards in CARDS.items() if place != "2.1"},
        {"1.1": "check, check, 1x", "3.1": "check, check, 1x"},
    )
    turned = [event for event in felt.events if isinstance(event, CardsTurned)]
    assert [event.spots for event in turned[-2:]] == [(Spot(3, 1),), (Spot(1, 1),)]


def test_rules_without_the_setting_turn_all_hands_at_once() -> None:
    old = own_house("washington", {"table.showdown": "together"})
    felt = before_showdown(old)
    felt.do(TurnCards()).do(TurnCards())
    assert felt.state.phase is Phase.READY
    assert felt.events[-1] == CardsTurned(Lies.HAND, 2, (Spot(1, 1), Spot(2, 1), Spot(3, 1)))


@pytest.mark.clause("D.9")
def test_a_draw_dealer_qualifies_by_the_hand_after_the_draw() -> None:
    felt = Felt("draw").bet("1.1", "ante 10").close()
    felt.deal("Ah As 4c 5d 9d").deal("Kc Qd 8s 6h 3c").deal("Kd 7d 9h Jc 4s")
    felt.choose("1.1", "hold Ah As").do(TurnCards())
    assert dealer_qualified(felt.state) is None
    felt.do(TurnCards())
    assert dealer_qualified(felt.state) is True
