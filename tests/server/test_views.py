"""Tables as messages: nobody is sent a card that they may not see."""

import random
from collections.abc import Iterator

import msgspec
import pytest

from openfelt.rules import House
from openfelt.rules.house import DealerMode
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase
from openfelt.server.messages import PrivateView, PublicView
from openfelt.server.views import private_key, private_view, public_view
from openfelt.table.commands import Person, Role, TakeBank
from openfelt.table.state import Table
from tests.own_houses import own_house
from tests.tables import SECONDS, Pit

HOUSES = {
    name: own_house(name, {"table.dealer": "either"})
    for name in ("washington", "stadium", "draw", "online")
}
DECISIONS = ["check", "4x", "2x", "1x", "fold"]
PEOPLE = {"ann": 1, "bob": 2}


def player(name: str) -> Person:
    return Person(Role.PLAYER, name)


def seen_by(table: Table, name: str | None) -> tuple[PublicView, PrivateView]:
    viewer = player(name) if name else None
    return (
        public_view(table, meter_cents=None, stopped=None),
        private_view(table, viewer, wallet_cents=0),
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


def test_a_stadium_sends_nobody_the_hands_of_others() -> None:
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
    assert private.win_cents == private.bet_cents + private.net_cents
    results = {line.wager: (line.result, line.payout_cents) for line in private.hands["1.1"].lines}
    assert results == {
        "ante": ("win", 1000),
        "play": ("win", 4000),
        "blind": ("push", 0),
        "trips": ("lose", 0),
    }


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


def test_the_key_of_a_private_view_changes_whenever_the_view_does() -> None:
    before: dict[str, tuple[object, PrivateView]] = {}
    for pit in moments(HOUSES["stadium"], 3):
        for name in (*PEOPLE, "cat"):
            seen = private_view(pit.table, player(name), wallet_cents=0)
            key = private_key(pit.table, player(name))
            if name in before and before[name][0] == key:
                assert before[name][1] == seen
            before[name] = key, seen


def test_a_cardroom_table_tells_the_cover_and_who_banks_next() -> None:
    pit = Pit("california").sit("ann", 1, 5000).sit("bob", 2, 500).sit("cat", 3, 500)
    assert public_view(pit.table, meter_cents=None, stopped=None).banks_next == 1
    pit.do(TakeBank(1, 100_000), "ann").bet("bob", "2.1", "ante 10")
    public, private = seen_by(pit.table, "ann")
    assert public.round is not None
    assert (public.round.cover_cents, public.round.cover_left_cents) == (100_000, 100_000)
    assert (public.bank_offered_to, public.banks_next) == (None, 1)
    assert (private.bet_cents, private.net_cents) == (100_000, 0)
