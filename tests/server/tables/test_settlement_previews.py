"""The settlement as the dealer sees it before confirming: it is what is then settled."""

import random

import pytest

from openfelt.cards import FULL_DECK, Card, parse_cards
from openfelt.protocol.table_views import WhyView
from openfelt.rules import (
    Bet,
    Check,
    Confirm,
    CorrectCard,
    DealCard,
    Fold,
    MakeDecision,
    Phase,
    RefusalCode,
    Spot,
    TurnCards,
    choices,
)
from openfelt.rules.dealing import Deal, Lies, Place, Turn
from openfelt.rules.decisions import Decision, Hold
from openfelt.rules.house import DealerMode
from openfelt.rules.round_actions import CloseBets
from openfelt.rules.round_events import BetsClosed
from openfelt.server.tables.settlement_previews import settlement_preview
from openfelt.server.tables.views import private_view, public_view
from openfelt.table.commands import OpenBets, Person, Role, TakeBank
from tests.kit.tables import DEALER, FLOOR, Pit

SHUFFLED = random.Random(4).sample(FULL_DECK, len(FULL_DECK))
HOUSES = ["washington", "california", "draw", "stadium"]


def betting(house: str) -> Pit:
    """Three players sit at a live table; two of them have bet."""
    pit = Pit(house, mode=DealerMode.LIVE)
    for seat, player in enumerate(("ann", "bob", "cyd"), start=1):
        pit.sit(player, seat, 500)
    if pit.table.player_banked:
        pit.do(TakeBank(1, 10_000), "ann")
    else:
        pit.do(OpenBets(), "dan")
    return pit.bet("bob", "2.1", "ante 10").bet("cyd", "3.1", "ante 10")


def play_on(pit: Pit) -> bool:
    """Deal, turn or decide once; False once the round is ready."""
    step = pit.round.current_step
    if isinstance(step, Deal):
        lying = {*pit.round.dealer, *pit.round.common}.union(
            *(hand.cards for hand in pit.round.hands.values())
        )
        pit.do(DealCard(next(card for card in SHUFFLED if card not in lying)), DEALER)
    elif isinstance(step, Turn):
        pit.do(TurnCards(), DEALER)
    elif pit.round.pending:
        spot = min(pit.round.pending)
        options = choices(pit.round, spot)
        decision = Hold(()) if options.may_hold else options.options[-1].decision
        pit.do(MakeDecision(spot, decision), pit.table.seats[spot.seat].player)
    return pit.phase is Phase.PLAYING


@pytest.mark.parametrize("house", HOUSES)
def test_what_is_laid_out_is_what_is_settled(house: str) -> None:
    pit = betting(house)
    assert settlement_preview(pit.table, pit.outside) is None
    pit.close()
    while True:
        if pit.phase is Phase.PLAYING:
            assert settlement_preview(pit.table, pit.outside) is None, "a card may be face down"
        if not play_on(pit):
            break
    preview = settlement_preview(pit.table, pit.outside)
    assert preview is not None
    pit.confirm()
    settlement = pit.round.settlement
    assert settlement is not None
    assert settlement_preview(pit.table, pit.outside) is None
    assert preview.taken_cents - preview.paid_cents == settlement.bank_net_cents
    assert preview.cover_left_cents == settlement.cover_left_cents
    if house == "stadium":
        # The terminals settle: the dealer is shown no player's hand.
        assert (preview.order, preview.lines) == ([], {})
        return
    shown = public_view(pit.table, meter_cents=None, stopped=None).round
    assert shown is not None
    assert preview.lines == {spot: hand.lines for spot, hand in shown.hands.items()}
    # From right to left, or from the left of the player who banks.
    assert preview.order == (["2.1", "3.1"] if house == "california" else ["3.1", "2.1"])


def test_players_are_not_sent_it() -> None:
    pit = betting("washington").close()
    while play_on(pit):
        pass
    preview = settlement_preview(pit.table, pit.outside)
    for viewer, sees in (
        (DEALER, True),
        (FLOOR, True),
        (Person(Role.PLAYER, "bob"), False),
        (None, False),
    ):
        view = private_view(pit.table, viewer, wallet_cents=0, may=[], preview=preview)
        assert (view.preview is not None) is sees
        assert bool(view.rulings) is sees


def folding_live() -> Pit:
    """Bob has folded with a Trips wager that loses, and every card is turned that has to be."""
    pit = Pit("california", mode=DealerMode.LIVE)
    for seat, player in enumerate(("ann", "bob", "cyd"), start=1):
        pit.sit(player, seat, 500)
    pit.do(TakeBank(1, 10_000), "ann")
    pit.bet("bob", "2.1", "ante 10, trips 5").bet("cyd", "3.1", "ante 10").close()
    cards = iter(parse_cards("Jc 8s Ks 4c 3h Qh Jh 7s 6d 2c 9d"))
    while pit.phase is Phase.PLAYING:
        if isinstance(pit.round.current_step, Deal):
            pit.do(DealCard(next(cards)), DEALER)
        elif isinstance(pit.round.current_step, Turn):
            pit.do(TurnCards(), DEALER)
        else:
            spot = min(pit.round.pending)
            river: Decision = Fold() if spot == FOLDED else Bet(1)
            decision = river if pit.round.street == "on_river" else Check()
            pit.do(MakeDecision(spot, decision), pit.table.seats[spot.seat].player)
    return pit


FOLDED = Spot(2, 1)


@pytest.mark.clause("C.6", "C.6.1")
def test_the_dealer_collects_the_trips_of_a_fold_without_its_hand() -> None:
    pit = folding_live()
    preview = settlement_preview(pit.table, pit.outside)
    assert preview is not None
    trips = preview.lines["2.1"][-1]
    assert (trips.wager, trips.result, trips.outcome) == ("trips", "lose", "trips.fold")
    assert trips.why == WhyView()
    shown = public_view(pit.table, meter_cents=None, stopped=None).round
    assert shown is not None
    assert (shown.hands["2.1"].cards, shown.hands["2.1"].made) == ([None, None], None)


@pytest.mark.clause("C.17", "R.31")
def test_a_correction_that_makes_a_fold_win_has_it_turned_before_the_round_is_confirmed() -> None:
    pit = folding_live()
    pit.do(CorrectCard(Place(Lies.COMMON, None, 2), Card.parse("Jd")), FLOOR)
    # Three jacks, and not a pair of them, lie face down now.
    assert settlement_preview(pit.table, pit.outside) is None
    assert pit.phase is Phase.PLAYING
    pit.refuses(Confirm(), DEALER, RefusalCode.NOT_FINISHED)
    shown = public_view(pit.table, meter_cents=None, stopped=None).round
    assert shown is not None
    assert (shown.step, shown.step_place) == ("turn", "hand 2.1")
    pit.do(TurnCards(), DEALER)
    pit.confirm()
    shown = public_view(pit.table, meter_cents=None, stopped=None).round
    assert shown is not None
    assert shown.hands["2.1"].cards == ["Jc", "4c"]
    assert shown.hands["2.1"].lines[-1].outcome == "trips.win"


def test_a_virtual_table_has_none() -> None:
    pit = Pit("online", mode=DealerMode.VIRTUAL).sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    assert settlement_preview(pit.table, pit.outside) is None


def test_bets_close_only_with_the_chips_that_were_compared() -> None:
    pit = betting("washington")
    pit.refuses(CloseBets(3_999), DEALER, RefusalCode.FELT_DIFFERS)
    pit.refuses(CloseBets(-1), DEALER, RefusalCode.MALFORMED)
    pit.do(CloseBets(4_000), DEALER)
    assert BetsClosed(4_000) in pit.events
