"""Rounds as a table plays them: whole stories of live and virtual dealers."""

from collections import Counter

import pytest

from openfelt.cards import Card, parse_cards
from openfelt.rules import (
    Bet,
    Check,
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    DecidedBy,
    Fold,
    Hold,
    MakeDecision,
    Phase,
    Refusal,
    RefusalCode,
    SetWagers,
    Spot,
    Wager,
    WagerKind,
)
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.house import DealerMode
from openfelt.rules.round_actions import SwapCards
from openfelt.rules.round_events import CardDealt, RoundSettled
from openfelt.table.commands import ChangeDealer, ChangeLink, ExpireRound, LeaveSeat, OpenBets
from openfelt.table.croupier.croupier import direct
from openfelt.table.deck import deck_of
from openfelt.table.events import AbsenceNoted, DeckCommitted
from openfelt.table.refusal import TableCode
from tests.kit.felt import spot_of, wagers_of
from tests.kit.own_houses import own_house
from tests.kit.tables import DEALER, FLOOR, Pit, replayed

ONE = Spot(1, 1)


def scanned(place: str, position: int, card: str) -> CorrectCard:
    """A correction of a scanned card: of the dealer, the common cards or a hand such as 1.1."""
    if place[0].isdigit():
        seat, hand = map(int, place.split("."))
        where = Place(Lies.HAND, Spot(seat, hand), position)
    else:
        where = Place(Lies(place), None, position)
    return CorrectCard(where, Card.parse(card))


# A live table ----------------------------------------------------------------------------


def live() -> Pit:
    """Ann and Bob have bet at a live table, and their cards are scanned."""
    pit = Pit("washington").sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, trips 5").bet("bob", "2.1", "ante 20").close()
    return pit.deal("As Ah 2s 7h Kc Kd")


@pytest.mark.clause("W.3", "W.5", "W.7", "W.9")
def test_a_round_with_real_cards_from_the_first_wager_to_the_last_payment() -> None:
    pit = live()
    assert (pit.credit("ann"), pit.credit("bob")) == (47_500, 46_000)
    pit.choose("ann", "1.1", "4x").choose("bob", "2.1", "check").deal("Ac 7d 9h")
    pit.choose("bob", "2.1", "check").deal("Js 3c").choose("bob", "2.1", "fold").turn()
    assert pit.phase is Phase.READY
    pit.confirm()
    # Three aces beat a pair of kings: Ante 10 and Play 40 even, Blind back, Trips 3 to 1.
    assert pit.credit("ann") == 50_000 + 1_000 + 4_000 + 1_500
    assert pit.credit("bob") == 50_000 - 4_000
    assert pit.cents("house:table-1") == 4_000 - 6_500


def test_the_next_round_has_the_next_number_and_a_clean_felt() -> None:
    pit = live().void().do(OpenBets(), "dan")
    assert (pit.table.rounds, pit.table.round_id) == (2, "table-1/2")
    assert not pit.round.hands


def test_a_wrong_card_is_put_right_before_the_round_is_confirmed() -> None:
    pit = live().choose("ann", "1.1", "4x").choose("bob", "2.1", "4x").deal("Ac 7d 9h Js 3c")
    pit.turn().do(scanned("common", 1, "4c"), "eve").do(scanned("dealer", 2, "Qd"), "eve")
    assert pit.round.common == parse_cards("4c 7d 9h Js 3c")
    assert pit.round.dealer == parse_cards("Kc Qd")
    pit.confirm()
    assert pit.line("1.1", "trips").net_cents == -500
    assert pit.round.settlement is not None
    assert pit.round.settlement.dealer_hand == "King high"


def test_two_cards_scanned_in_each_other_s_place_change_places_by_way_of_a_third() -> None:
    pit = live()
    pit.refuses(scanned("1.1", 1, "2s"), "dan", RefusalCode.CARD_ALREADY_DEALT)
    for correction in (("1.1", 1, "5c"), ("2.1", 1, "As"), ("1.1", 1, "2s")):
        pit.do(scanned(*correction), "dan")
    assert pit.round.hands[ONE].cards == parse_cards("2s Ah")
    assert pit.round.hands[Spot(2, 1)].cards == parse_cards("As 7h")


@pytest.mark.clause("R.13", "W.irregularities")
def test_a_void_gives_every_wager_back() -> None:
    pit = live().choose("ann", "1.1", "4x")
    assert pit.credit("ann") == 43_500
    pit.void("the shuffler failed")
    assert (pit.credit("ann"), pit.credit("bob")) == (50_000, 50_000)
    assert pit.table.results[0].void


def test_a_live_round_without_bets_is_voided_and_the_table_continues() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").bet("ann", "1.1", "")
    pit.do(LeaveSeat(1), "ann").void("Nobody has bet").do(OpenBets(), "dan")
    assert pit.table.rounds == 2


def test_staff_does_for_a_player_who_is_gone_what_the_clock_would() -> None:
    pit = live().choose("bob", "2.1", "4x").told(absent_ms={"ann": 31_000})
    pit.do(MakeDecision(ONE, Check()), "dan").deal("Qc 7d 9h")
    assert AbsenceNoted(1, 31_000) in pit.events
    pit.do(MakeDecision(ONE, Check()), "eve").deal("Js 3c").do(MakeDecision(ONE, Fold()), "dan")
    made = pit.round.hands[ONE].decisions
    assert [(str(one.decision), one.by) for one in made] == [
        ("check", DecidedBy.FLOOR),
        ("check", DecidedBy.FLOOR),
        ("fold", DecidedBy.FLOOR),
    ]


def test_a_player_cannot_sign_a_decision_as_another() -> None:
    pit = live().do(MakeDecision(ONE, Check(), DecidedBy.CLOCK), "ann")
    assert pit.round.hands[ONE].decisions[0].by is DecidedBy.PLAYER
    pit.do(MakeDecision(Spot(2, 1), Check(), DecidedBy.PLAYER), "eve")
    assert pit.round.hands[Spot(2, 1)].decisions[0].by is DecidedBy.FLOOR


@pytest.mark.clause("R.9")
def test_a_play_wager_is_covered_by_the_credit_of_its_own_seat() -> None:
    pit = Pit("washington").sit("ann", 1, 30).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.refuses(SetWagers(ONE, wagers_of("ante 11")), "ann", RefusalCode.CREDIT_SHORT)
    pit.bet("ann", "1.1", "ante 10").close().deal("As Ah Kc Kd")
    for multiple in (3, 4):
        pit.refuses(MakeDecision(ONE, Bet(multiple)), "ann", RefusalCode.CREDIT_SHORT)
    assert pit.credit("ann") == 1_000


# Draw ------------------------------------------------------------------------------------


def draw() -> Pit:
    pit = Pit("draw").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, bonus 5").close()
    return pit.deal("As Ah 4c 8d Jc").deal("Kc Kd 2h 5s 9c").deal("Ac 7d 9h Js 3c")


@pytest.mark.clause("D.5", "D.6", "D.7")
def test_a_round_of_draw_with_real_cards() -> None:
    pit = draw().choose("ann", "1.1", "hold As Ah").turn().confirm()
    # Two aces draw Ac 7d 9h: three aces win Ante and Bonus.
    assert pit.line("1.1", "ante").payout_cents == 1_000
    assert pit.line("1.1", "bonus").payout_cents > 0


@pytest.mark.clause("D.6a", "R.27")
def test_the_house_way_is_held_whichever_card_is_named_first() -> None:
    for by in ("eve", "dan"):
        pit = draw().told(absent_ms={"ann": 60_000})
        pit.do(MakeDecision(ONE, Hold(parse_cards("Ah As"))), by)
        assert pit.round.hands[ONE].held == parse_cards("As Ah")


def test_a_corrected_card_of_a_held_hand_stays_held() -> None:
    pit = draw().choose("ann", "1.1", "hold As Ah").do(scanned("1.1", 2, "Ad"), "eve")
    hand = pit.round.hands[ONE]
    assert hand.cards == parse_cards("As Ad 4c 8d Jc")
    assert hand.held == parse_cards("As Ad")
    pit.do(scanned("1.1", 3, "4h"), "eve")
    assert pit.round.hands[ONE].held == parse_cards("As Ad")
    assert pit.turn().confirm().line("1.1", "ante").payout_cents == 1_000


@pytest.mark.clause("R.26", "R.27")
def test_staff_plays_an_absent_hand_of_draw_the_house_way_and_learns_no_card_by_asking() -> None:
    pit = draw()
    words = pit.refuses(MakeDecision(ONE, Hold(())), "eve", TableCode.NOT_ALLOWED)
    assert words == "For an absent player the hand can only be played the house way."
    pit.do(MakeDecision(ONE, Hold(parse_cards("As Ah"))), "eve")
    assert pit.round.hands[ONE].decisions[0].by is DecidedBy.FLOOR


# Cards that were scanned in the wrong order --------------------------------------


def at(place: str) -> Place:
    return Place.parse(place)


@pytest.mark.clause("R.31")
def test_two_cards_that_were_scanned_in_the_wrong_order_are_exchanged_in_one_act() -> None:
    """The dealer may until the first decision; two corrections would both be refused."""
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.close().deal("As Ah Kc Kd")
    pit.refuses(scanned("1.1", 1, "Kc"), "dan", RefusalCode.CARD_ALREADY_DEALT)
    swap = SwapCards(at("hand 1.1 card 1"), at("dealer card 1"), round=1)
    pit.do(swap, "dan")
    assert pit.round.hands[ONE].cards == parse_cards("Kc Ah")
    assert pit.round.dealer == parse_cards("As Kd")
    pit.refuses(
        SwapCards(at("hand 1.1 card 1"), at("dealer card 1"), round=2), "eve", RefusalCode.TOO_LATE
    )
    # A swap is two corrections, and two of them would be four.
    pit.refuses(swap, "dan", TableCode.NEEDS_SUPERVISOR)
    pit.do(scanned("dealer", 1, "Qs"), "dan").do(scanned("dealer", 1, "As"), "eve")
    pit.do(swap, "eve").choose("ann", "1.1", "check").deal("2c 7d 9h")
    board = SwapCards(at("common card 1"), at("common card 3"))
    pit.refuses(board, "dan", TableCode.NEEDS_SUPERVISOR)
    pit.do(board, "eve")
    assert pit.round.common == parse_cards("9h 7d 2c")
    assert replayed(pit.opened, pit.events) == pit.table


@pytest.mark.clause("R.31", "D.4b")
def test_exchanged_draw_cards_and_holds_name_the_cards_that_lie_there() -> None:
    pit = draw().choose("ann", "1.1", "hold As Ah")
    (dealer, *_), (first, *_) = pit.round.dealer, pit.round.hands[ONE].cards
    pit.do(SwapCards(at("hand 1.1 card 1"), at("dealer card 1")), "eve")
    hand = pit.round.hands[ONE]
    assert (hand.cards[0], pit.round.dealer[0]) == (dealer, first)
    assert hand.held == (dealer, Card.parse("Ah"))


# Virtual tables --------------------------------------------------------------------------


def test_the_first_wager_opens_the_round_whose_deck_a_virtual_table_has_committed_to() -> None:
    pit = Pit(own_house("washington", {"table.dealer": "virtual"})).sit("ann", 1, 500)
    pit.bet("ann", "1.1", "ante 10")
    assert pit.names == ["DeckCommitted", "SeatTaken", "BoughtIn", "RoundOpened", "WagersSet"]
    assert list(pit.table.commitments) == ["table"]
    pit.bet("ann", "1.1", "ante 20")
    assert pit.names[5:] == ["WagersSet"]


def test_a_wager_that_is_refused_opens_nothing() -> None:
    pit = Pit("online", private_to="ann").sit("ann", 1, 500)
    pit.refuses(SetWagers(ONE, wagers_of("ante 0.50")), "ann", RefusalCode.BELOW_MINIMUM)
    pit.refuses(SetWagers(ONE, wagers_of("ante 300")), "ann", RefusalCode.CREDIT_SHORT)
    assert pit.table.rounds == 0


@pytest.mark.clause("O.1", "O.2", "O.3", "O.4b")
def test_a_private_round_goes_as_fast_as_its_player() -> None:
    tops = {"table": "As Ah Kc Kd Ac 7d 9h Js 3c"}
    pit = Pit("online", private_to="ann", tops=tops).sit("ann", 1, 500)
    first = pit.table.commitments
    pit.bet("ann", "1.1", "ante 10").close("ann")
    assert pit.round.hands[ONE].cards == parse_cards("As Ah")
    pit.choose("ann", "1.1", "4x")
    assert (pit.phase, pit.credit("ann")) == (Phase.SETTLED, 55_000)
    pit.bet("ann", "1.1", "ante 10").close("ann")
    assert pit.table.rounds == 2
    assert pit.table.commitments != first


@pytest.mark.clause("O.unfinished")
def test_a_private_round_waits_and_is_refunded_after_thirty_days() -> None:
    pit = Pit("online", private_to="ann").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    pit.close("ann")
    assert pit.table.clock is None
    pit.refuses(ExpireRound(1, 29), "openfelt", TableCode.NOT_EXPIRED)
    pit.do(ExpireRound(1, 30), "openfelt")
    assert (pit.phase, pit.credit("ann")) == (Phase.VOIDED, 50_000)
    assert pit.round.void_reason == "Not finished within 30 days."


@pytest.mark.clause("S.1", "R.33")
def test_a_player_alone_at_a_stadium_deals_before_the_time_is_up() -> None:
    pit = Pit("stadium", mode=DealerMode.VIRTUAL).sit("ann", 17, 500)
    pit.bet("ann", "17.1", "ante 10")
    assert pit.table.clock is not None
    pit.sit("bob", 18, 500)
    # Another player may still want to bet, with or without chips down.
    pit.refuses(CloseBets(), "ann", TableCode.NOT_ALLOWED)
    pit.do(LeaveSeat(18), "bob").do(CloseBets(), "ann")
    assert pit.phase is Phase.PLAYING


@pytest.mark.clause("S.1", "R.33")
def test_at_a_live_table_a_player_alone_waits_for_the_dealer() -> None:
    pit = Pit("stadium", mode=DealerMode.LIVE).sit("ann", 17, 500).do(OpenBets(), "dan")
    pit.bet("ann", "17.1", "ante 10")
    pit.refuses(CloseBets(), "ann", TableCode.NOT_ALLOWED)


@pytest.mark.clause("S.5", "R.35")
def test_no_wager_for_the_dealer_is_taken_after_the_deal() -> None:
    pit = Pit("stadium", mode=DealerMode.VIRTUAL).sit("ann", 17, 500)
    pit.bet("ann", "17.1", "ante 10, tip ante 5").bet("ann", "17.1", "ante 10").do(
        CloseBets(), "ann"
    )
    for late in ("ante 10, tip ante 5", "ante 10, tip trips 5"):
        pit.refuses(SetWagers(Spot(17, 1), wagers_of(late)), "ann", RefusalCode.WAGERS_CLOSED)


@pytest.mark.clause("R.33")
def test_a_player_closes_bets_only_if_no_other_player_is_kept_from_betting() -> None:
    house = own_house("washington", {"table.dealer": "virtual"})
    pit = Pit(house).sit("ann", 1, 500).sit("bob", 2, 500)
    pit.bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 10")
    pit.refuses(CloseBets(), "ann", TableCode.NOT_ALLOWED)
    pit.bet("bob", "2.1", "").close("ann")
    assert pit.phase is Phase.PLAYING


# The stadium -----------------------------------------------------------------------------


@pytest.mark.clause("S.3", "R.11")
def test_each_terminal_of_a_virtual_stadium_has_a_deck_of_its_own() -> None:
    pit = Pit("stadium", mode=DealerMode.VIRTUAL).sit("ann", 17, 500).sit("bob", 1999, 500)
    for hand in ("17.1", "17.2", "17.3"):
        pit.bet("ann", hand, "ante 10")
    pit.bet("bob", "1999.1", "ante 20").time_ends()
    committed = [event.deck for event in pit.events if isinstance(event, DeckCommitted)]
    assert committed == ["table", "seat-17", "seat-1999"]
    dealt = [event for event in pit.events if isinstance(event, CardDealt)]
    assert Counter(deck_of(pit.round.house, event.place) for event in dealt) == {
        "table": 7,
        "seat-17": 6,
        "seat-1999": 2,
    }
    at_table = {*pit.round.dealer, *pit.round.common}
    assert not at_table & {*pit.decks["seat-17"], *pit.decks["seat-1999"]}
    assert len(pit.decks["seat-17"]) == 45


@pytest.mark.clause("R.11", "S.overview.dealer_mode", "S.15")
def test_beside_a_live_stadium_dealer_the_hands_are_virtual_and_hold_no_card_of_the_table() -> None:
    tops = {"seat-5": "9c Kd As Ah"}
    pit = Pit("stadium", mode=DealerMode.LIVE, tops=tops).sit("ann", 5, 500).sit("bob", 6, 500)
    assert list(pit.table.commitments) == ["seat-5", "seat-6"]
    pit.do(OpenBets(), "dan").bet("ann", "5.1", "ante 10").bet("bob", "6.1", "ante 10").close()
    pit.deal("9c Td Jh 3s 4s Kc")
    assert "SeedsFixed" not in pit.names
    pit.deal("Kd")
    table_cards = set(parse_cards("9c Td Jh 3s 4s Kc Kd"))
    assert len(pit.decks["seat-5"]) == 52
    assert pit.round.hands[spot_of("5.1")].cards == tuple(parse_cards("As Ah"))
    for hand in pit.round.hands.values():
        assert len(hand.cards) == 2
        assert not table_cards & set(hand.cards)
    pit.choose("ann", "5.1", "4x").choose("bob", "6.1", "4x").turn()
    assert pit.names[-1] == "CardsTurned"
    assert pit.confirm().phase is Phase.SETTLED


@pytest.mark.clause("R.31")
def test_a_live_stadium_dealer_corrects_table_cards_but_not_to_one_that_a_terminal_holds() -> None:
    tops = {"seat-5": "As Ah"}
    pit = Pit("stadium", mode=DealerMode.LIVE, tops=tops).sit("ann", 5, 500).do(OpenBets(), "dan")
    pit.bet("ann", "5.1", "ante 10").close().deal("9c Td").do(scanned("common", 1, "9d"), "dan")
    pit.deal("Jh 3s 4s Kc Kd")
    pit.refuses(scanned("common", 1, "9h"), "dan", TableCode.NEEDS_SUPERVISOR)
    pit.do(scanned("common", 1, "9h"), "eve")
    pit.refuses(scanned("common", 1, "As"), "eve", RefusalCode.CARD_ALREADY_DEALT)
    pit.refuses(scanned("5.1", 1, "9c"), "eve", TableCode.CARDS_ARE_VIRTUAL)


def test_a_dealer_deals_no_card_to_a_terminal() -> None:
    """A deck that was lost in an outage does not let a person choose the cards."""
    pit = Pit("stadium", mode=DealerMode.LIVE).sit("ann", 5, 500).do(OpenBets(), "dan")
    pit.bet("ann", "5.1", "ante 10").close().deal("9c Td Jh 3s 4s Kc Kd")
    fixed = pit.names.index("SeedsFixed") + 1
    table = replayed(pit.opened, pit.events[:fixed])
    for by in (DEALER, FLOOR):
        with pytest.raises(Refusal) as caught:
            direct(table, DealCard(Card.parse("As")), by=by, outside=pit.outside)
        assert caught.value.code is TableCode.CARDS_ARE_VIRTUAL


@pytest.mark.clause("S.5", "S.5.ante", "S.5.bonus", "R.12")
@pytest.mark.clause("R.31")
def test_what_wagers_for_the_dealer_win_goes_to_the_dealer_who_closed_the_bets() -> None:
    tops = {"seat-1": "As Ah"}
    pit = Pit("stadium", mode=DealerMode.LIVE, tops=tops).sit("ann", 1, 1000)
    pit.do(ChangeDealer("dan"), "dan").do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, tip ante 2, tip trips 1").close()
    pit.deal("Ac 7d 9h Js 3c Kc Kd").choose("ann", "1.1", "4x").turn()
    assert pit.credit("ann") == 100_000 - 2_000 - 400 - 100 - 4_000 - 800
    pit.do(ChangeDealer("dot"), "eve").do(Confirm(), "eve")
    # The dealer's Ante 2 and Play 8 win even, the dealer's Trips 3 to 1; the stakes go back.
    assert (pit.cents("tips:dan"), pit.cents("tips:dot")) == (1_000 + 300, 0)
    assert pit.credit("ann") == 100_000 + 5_000


# The progressive -------------------------------------------------------------------------


def linked() -> Pit:
    pit = Pit("washington", link="link-1").sit("ann", 1, 500).do(OpenBets(), "dan")
    return pit.told(meter_cents=1_000_000)


def test_a_paused_progressive_takes_no_new_wager_but_lets_one_lie() -> None:
    pit = linked().bet("ann", "1.1", "ante 10, progressive 1").told(link_takes_wagers=False)
    pit.bet("ann", "1.1", "ante 20, progressive 1").bet("ann", "1.1", "ante 20")
    again = SetWagers(ONE, wagers_of("ante 20, progressive 1"))
    pit.refuses(again, "ann", TableCode.LINK_PAUSED)


def test_a_table_without_a_link_takes_no_progressive_wager() -> None:
    pit = linked().void().do(ChangeLink(None), "eve").do(OpenBets(), "dan")
    pit.refuses(SetWagers(ONE, wagers_of("ante 10, progressive 1")), "ann", TableCode.NO_LINK)


@pytest.mark.parametrize("claimed", [None, 0, 99_999_999])
def test_a_round_is_settled_by_the_meter_of_the_link_whatever_the_command_says(
    claimed: int | None,
) -> None:
    pit = linked().bet("ann", "1.1", "ante 10, progressive 1").close().deal("9s Ts Kc Kd")
    pit.choose("ann", "1.1", "4x").deal("Js Qs Ks 2d 3d").turn().told(seed_cents=7)
    pit.do(Confirm(claimed, claimed), "dan")
    settled = pit.events[-1]
    assert isinstance(settled, RoundSettled)
    assert settled.settlement.meter_cents == 1_000_000
    assert settled.settlement.seed_cents == 7
    assert pit.line("1.1", "progressive").payout_cents == 100_000
    # The link has not counted the round, so the money is at the table's own account there.
    assert pit.cents(f"reserve:link-1/{pit.table.id}") == 100 - 100_000
    assert pit.cents("reserve:link-1") == 0


def test_a_progressive_round_is_not_confirmed_while_the_meter_is_unknown() -> None:
    pit = linked().bet("ann", "1.1", "ante 10, progressive 1").close().deal("9s Ts Kc Kd")
    pit.choose("ann", "1.1", "4x").deal("Js Qs Ks 2d 3d").turn().told(meter_cents=None)
    pit.refuses(Confirm(1_000_000), "dan", RefusalCode.METER_NEEDED)


def test_a_wager_of_zero_is_not_placed() -> None:
    pit = linked().do(SetWagers(ONE, (Wager(WagerKind.ANTE, 0),)), "ann")
    assert not pit.round.hands
