"""Tables as messages: no viewer is sent a card that they may not see."""

import random
from collections.abc import Iterator

import msgspec
import pytest

from openfelt.protocol.table_views import ClockRuleView, ClockView, PrivateView, PublicView, WhyView
from openfelt.rules import House, VoidRound
from openfelt.rules.house import DealerMode
from openfelt.rules.lines import Why
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.tables.stops import StopReason
from openfelt.server.tables.computer_players import NAMES
from openfelt.server.tables.views import private_view, public_view
from openfelt.table.commands import LeaveSeat, OpenBets, Person, ResumeClock, Role, TakeBank
from openfelt.table.croupier.permits import Permits
from openfelt.table.permissions import Outside
from openfelt.table.state import Table
from tests.kit.felt import TODAY
from tests.kit.own_houses import own_house
from tests.kit.tables import SECONDS, Pit

HOUSES = {
    name: own_house(name, {"table.dealer": "either"})
    for name in ("washington", "stadium", "draw", "online")
}
CARDROOM = own_house("california", {"table.dealer": "either"})
DECISIONS = ["check", "4x", "2x", "1x", "fold"]
PEOPLE = {"ann": 1, "bob": 2}


def player(name: str) -> Person:
    return Person(Role.PLAYER, name)


def seen_by(table: Table, name: str | None) -> tuple[PublicView, PrivateView]:
    viewer = player(name) if name else None
    may = Permits(table, Outside(day=TODAY)).of(viewer) if viewer else []
    return (
        public_view(table, meter_cents=None, stopped=None),
        private_view(table, viewer, wallet_cents=0, may=may),
    )


def moments(house: House, seed: int) -> Iterator[Pit]:
    """A table of two at every moment of a round that its clock plays."""
    pit = Pit(house, mode=DealerMode.VIRTUAL, clock=SECONDS, seed=seed)
    seats = dict(list(PEOPLE.items())[: house.seats])
    for name, seat in seats.items():
        pit.sit(name, seat, 1000)
    yield pit
    for name, seat in seats.items():
        pit.bet(name, f"{seat}.1", "ante 10")
        yield pit
    chance = random.Random(seed)
    while pit.table.playing:
        if chance.random() < 0.5 and house.id != "draw":
            for name, seat in seats.items():
                try:
                    pit.choose(
                        name, f"{seat}.1", chance.choice(["check", "4x", "2x", "1x", "fold"])
                    )
                except Refusal:
                    continue
                yield pit
        if pit.table.clock:
            pit.time_ends()
        yield pit


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
def test_no_message_holds_a_card_that_is_hidden_from_its_viewer(house: House, seed: int) -> None:
    for pit in moments(house, seed):
        state = pit.table.round
        if state is None:
            continue
        for name in (*PEOPLE, None):
            seat = PEOPLE.get(name or "")
            text = "".join(msgspec.json.encode(view).decode() for view in seen_by(pit.table, name))
            hidden = {*state.common[state.common_face_up :]}
            hidden |= set() if state.dealer_face_up else {*state.dealer}
            for spot, hand in state.hands.items():
                if spot.seat != seat and not hand.face_up:
                    hidden |= {*hand.cards}
            if state.house.deck.value == "per_terminal":
                # Another terminal's deck may hold the same card as one that is shown.
                shown = {card for hand in state.hands.values() for card in hand.cards}
                hidden -= shown
            assert not [card for card in hidden if f'"{card}"' in text], (name, state.phase)


def test_a_stadium_sends_no_viewer_the_hands_of_others() -> None:
    for pit in moments(HOUSES["stadium"], 1):
        public, private = seen_by(pit.table, "ann")
        assert public.round is None or public.round.hands == {}
        assert set(private.hands) <= {"1.1"}
        assert not any(deck.startswith("seat-") for deck in public.commitments)


def test_meters_of_an_own_round() -> None:
    pit = Pit("online", private_to="ann", tops={"table": "As Ah Kc Kd 2c 7d 9h Js 3c"})
    pit.sit("ann", 1, 1000).bet("ann", "1.1", "ante 10, trips 5")
    _, private = seen_by(pit.table, "ann")
    assert (private.credit_cents, private.bet_cents, private.win_cents) == (97500, 2500, 0)
    assert "close_bets" in private.may
    pit.close("ann").choose("ann", "1.1", "4x")
    assert pit.phase is Phase.SETTLED
    public, private = seen_by(pit.table, "ann")
    assert public.round is not None
    assert public.round.dealer_made == "Pair of kings"
    assert (private.bet_cents, private.net_cents) == (6500, 4500)
    assert private.win_cents == private.net_cents, "stakes that came back are no win"
    results = {line.wager: (line.result, line.payout_cents) for line in private.hands["1.1"].lines}
    assert results == {
        "ante": ("win", 1000),
        "play": ("win", 4000),
        "blind": ("push", 0),
        "trips": ("lose", 0),
    }


@pytest.mark.clause("R.12")
def test_every_viewer_is_told_a_hands_net_without_what_its_tips_have_won() -> None:
    """Winnings of wagers for the dealer are the dealer's, at another player's seat too."""
    limits = {"min_cents": 100, "max_cents": 10_000, "multiple_of_cents": 100}
    tips = {f"dealer_wagers.{name}": cents for name, cents in limits.items()}
    cardroom = own_house("california", {"table.dealer": "either", **tips})
    pit = Pit(cardroom, mode=DealerMode.VIRTUAL, clock=SECONDS, tops={"table": PLAYER_WINS})
    pit.sit("ann", 1, 5000).sit("bob", 2, 500)
    pit.do(TakeBank(1, 100_000), "ann").bet("bob", "2.1", "ante 10, tip ante 5").time_ends()
    for decision in ("check", "check", "1x"):
        pit.choose("bob", "2.1", decision)
    public, bank = seen_by(pit.table, "ann")
    assert public.round is not None
    hand = public.round.hands["2.1"]
    own = seen_by(pit.table, "bob")[1]
    # Ante and Play win $10 each for the player; the Ante and the Play of the tip $5 each.
    assert sum(line.payout_cents for line in hand.lines) == 3000
    assert hand.net_cents == own.hands["2.1"].net_cents == own.net_cents == own.win_cents == 2000
    assert hand.bank_net_cents == bank.net_cents == -3000


@pytest.mark.clause("S.5")
def test_a_live_dealer_and_supervisors_see_the_wagers_for_the_dealer() -> None:
    pit = Pit(HOUSES["stadium"], mode=DealerMode.LIVE)
    dan, eve = Person(Role.DEALER, "dan"), Person(Role.FLOOR, "eve")

    def bets(viewer: Person | None) -> tuple[int, int, int | None] | None:
        seen = private_view(pit.table, viewer, wallet_cents=0, may=[]).dealer_bets
        return (seen.wagers, seen.cents, seen.won_cents) if seen else None

    pit.sit("ann", 1, 1000).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    assert bets(dan) is None
    pit.bet("ann", "1.1", "ante 10, tip ante 5")
    assert bets(dan) == bets(eve) == (2, 1000, None)
    assert pit.table.dealer == "dan"
    for other in (Person(Role.DEALER, "dora"), player("ann"), None):
        assert bets(other) is None


def test_a_void_round_wins_nothing() -> None:
    pit = (
        Pit("online", private_to="ann")
        .sit("ann", 1, 1000)
        .bet("ann", "1.1", "ante 10")
        .close("ann")
    )
    pit.do(VoidRound("A misdeal"), "eve")
    private = seen_by(pit.table, "ann")[1]
    assert (private.credit_cents, private.net_cents, private.win_cents) == (100_000, 0, 0)


def test_a_clock_shows_the_time_to_decide_and_the_table_its_own_times() -> None:
    """Not those of the house, and not the time in which terminals still show the cards."""
    house = HOUSES["washington"]
    assert house.clock is None
    pit = Pit(house, mode=DealerMode.VIRTUAL, clock=SECONDS, reveal_ms=2000)
    pit.sit("ann", 1, 1000).bet("ann", "1.1", "ante 10")
    totals = [seen_by(pit.table, "ann")[0].clock]
    totals.append(seen_by(pit.time_ends().table, "ann")[0].clock)
    assert [clock.total_ms for clock in totals if clock] == [25_000, 15_000]
    assert pit.table.clock is not None
    assert pit.table.clock.ms == 17_000
    assert seen_by(pit.do(ResumeClock(3000), "openfelt").table, "ann")[0].clock == ClockView(
        number=3, gives_time_for="decisions", total_ms=3000
    )
    rule = seen_by(pit.table, "ann")[0].clock_rule
    assert rule == ClockRuleView(wager_seconds=25, decision_seconds=15)


def test_choices_come_with_their_price_and_what_the_clock_would_do() -> None:
    pit = Pit(HOUSES["stadium"], mode=DealerMode.VIRTUAL).sit("ann", 1, 1000)
    pit.bet("ann", "1.1", "ante 10").time_ends()
    hand = seen_by(pit.table, "ann")[1].hands["1.1"]
    assert [(one.kind, one.multiple, one.cost_cents) for one in hand.choices] == [
        ("check", None, 0),
        ("bet", 3, 3000),
        ("bet", 4, 4000),
    ]
    assert hand.clock_decides == "check"
    assert seen_by(pit.table, "bob")[1].hands == {}


def test_each_terminal_of_a_stadium_is_told_the_commitment_to_its_own_deck() -> None:
    pit = Pit(HOUSES["stadium"], mode=DealerMode.VIRTUAL).sit("ann", 1, 1000).sit("bob", 2, 1000)
    # They know it before they bet.
    roots = [seen_by(pit.table, name)[1].deck_root for name in ("ann", "bob", "cat")]
    assert roots == [pit.table.commitments["seat-1"], pit.table.commitments["seat-2"], None]
    assert [*seen_by(pit.table, "ann")[0].commitments] == ["table"]


def test_a_shared_deck_belongs_to_no_seat() -> None:
    pit = Pit("online", mode=DealerMode.VIRTUAL).sit("ann", 1, 1000).bet("ann", "1.1", "ante 10")
    public, private = seen_by(pit.table, "ann")
    assert [*public.commitments] == ["table"]
    assert private.deck_root is None


def test_a_cardroom_table_tells_the_cover_and_who_banks_next() -> None:
    pit = Pit("california").sit("ann", 1, 5000).sit("bob", 2, 500).sit("cat", 3, 500)
    assert public_view(pit.table, meter_cents=None, stopped=None).banks_next == 1
    pit.do(TakeBank(1, 100_000), "ann").bet("bob", "2.1", "ante 10")
    public, private = seen_by(pit.table, "ann")
    assert public.round is not None
    assert (public.round.cover_cents, public.round.cover_left_cents) == (100_000, 100_000)
    assert (public.bank_offered_to, public.banks_next) == (None, 1)
    assert (private.bet_cents, private.net_cents) == (100_000, 0)


# Seat 2 gets two nines, the bank two kings, and neither improves.
BANK_WINS = "9c Ks 9d Kd 2c 7d 8h Js 3c"
PLAYER_WINS = "Kc 9s Kd 9d 2c 7d 8h Js 3c"


@pytest.mark.parametrize(
    ("top", "net", "win"),
    [(BANK_WINS, 2000, 2000), (PLAYER_WINS, -2000, 0)],
)
def test_the_banker_is_told_what_the_bank_has_brought(top: str, net: int, win: int) -> None:
    pit = Pit(CARDROOM, mode=DealerMode.VIRTUAL, clock=SECONDS, tops={"table": top})
    pit.sit("ann", 1, 5000).sit("bob", 2, 500)
    pit.do(TakeBank(1, 100_000), "ann").bet("bob", "2.1", "ante 10")
    assert [seen_by(pit.table, name)[1].collection_cents for name in PEOPLE] == [0, 0]
    pit.time_ends()
    assert [seen_by(pit.table, name)[1].collection_cents for name in PEOPLE] == [200, 100]
    for decision in ("check", "check", "fold" if net > 0 else "1x"):
        pit.choose("bob", "2.1", decision)
    assert pit.phase is Phase.SETTLED
    _, bank = seen_by(pit.table, "ann")
    assert (bank.bet_cents, bank.net_cents, bank.win_cents) == (100_000, net, win)
    assert [seen_by(pit.table, name)[1].collection_cents for name in PEOPLE] == [200, 100]
    assert bank.credit_cents == 500_000 + net - 200


def test_a_void_round_gives_the_collection_back() -> None:
    pit = Pit(CARDROOM, mode=DealerMode.VIRTUAL, clock=SECONDS)
    pit.sit("ann", 1, 5000).sit("bob", 2, 500)
    pit.do(TakeBank(1, 100_000), "ann").bet("bob", "2.1", "ante 10").time_ends()
    pit.void("misdeal")
    assert [seen_by(pit.table, name)[1].collection_cents for name in PEOPLE] == [0, 0]


def test_the_seats_of_the_house_are_told() -> None:
    pit = Pit(CARDROOM, mode=DealerMode.VIRTUAL).sit("ann", 1, 5000)
    pit.sit(NAMES[0], 7, 500).sit(NAMES[1], 6, 500)
    public, _ = seen_by(pit.table, "ann")
    assert (public.seats_taken, public.computer_seats) == ([1, 6, 7], [6, 7])


def test_a_line_tells_why_in_values() -> None:
    pit = Pit("online", private_to="ann", tops={"table": "As Ah Kc Kd 2c 7d 9h Js 3c"})
    pit.sit("ann", 1, 1000).bet("ann", "1.1", "ante 10, trips 5")
    pit.close("ann").choose("ann", "1.1", "4x")
    lines = {line.wager: line for line in seen_by(pit.table, "ann")[1].hands["1.1"].lines}
    assert {wager: line.outcome for wager, line in lines.items()} == {
        "ante": "ante.win",
        "play": "play.win",
        "blind": "blind.push",
        "trips": "trips.lose",
    }
    assert lines["ante"].why == WhyView(hand="Pair of aces", dealer_hand="Pair of kings")
    assert lines["trips"].why == WhyView(hand="Pair of aces")


def test_a_decision_comes_in_words_and_in_values() -> None:
    tops = {"table": "As Ah Kc Kd 2c 7d 9h Js 3c 4c 5c 6c 8c Tc"}
    pit = Pit(HOUSES["draw"], mode=DealerMode.VIRTUAL, tops=tops).sit("ann", 1, 1000)
    pit.bet("ann", "1.1", "ante 10").close("ann").choose("ann", "1.1", "hold As Ah Kc Kd")
    (decision,) = seen_by(pit.table, "ann")[1].hands["1.1"].decisions
    assert (decision.decision, decision.kind) == ("hold As Ah Kc Kd", "hold")
    assert decision.cards == ["As", "Ah", "Kc", "Kd"]
    assert decision.multiple is None


def test_a_void_round_has_the_code_of_a_reason_that_every_table_knows() -> None:
    pit = Pit("washington").sit("ann", 1, 500)
    for reason, code in (("Malfunction.", "malfunction"), ("A fly on the felt.", None)):
        pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").do(VoidRound(reason), "eve")
        public, private = seen_by(pit.table, "ann")
        assert public.round is not None
        assert (public.round.void_reason, public.round.void_code) == (reason, code)
        assert {line.outcome for line in private.hands["1.1"].lines} == {"void"}


def test_a_table_that_has_stopped_says_so_by_its_code() -> None:
    stopped = StopReason(RuntimeCode.SHUFFLER_FAILED, "The shuffler has failed its self-test.")
    view = public_view(Pit("washington").table, meter_cents=None, stopped=stopped)
    assert (view.stopped, view.stopped_code) == (stopped.sentence, "shuffler_failed")


def test_a_player_who_takes_a_seat_is_not_shown_the_hand_that_was_played_there() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").close().deal("As Kd 2c 3d").choose("ann", "1.1", "check")
    pit.do(VoidRound("Misdeal."), "eve")
    assert seen_by(pit.table, "ann")[1].hands["1.1"].cards == ["As", "Kd"]
    pit.do(LeaveSeat(1), "ann").sit("bob", 1, 500)
    private = seen_by(pit.table, "bob")[1]
    assert (private.seat, private.hands, private.win_cents) == (1, {}, 0)


def test_the_values_of_a_line_are_those_of_the_rules_in_their_order() -> None:
    assert WhyView.__struct_fields__ == Why._fields
