"""Replays: every frame shows what the rules let the player see at that moment, and no more."""

import re
from typing import get_args

import msgspec
import pytest

from openfelt.cards import FULL_DECK
from openfelt.protocol.replay import (
    CardCorrected,
    CardDealt,
    CardsTurned,
    DecisionMade,
    Happened,
    ReplayStep,
    ReplayView,
    RoundSettled,
    RoundVoided,
)
from openfelt.rules.dealing import Place
from openfelt.rules.house import DealerMode
from openfelt.rules.round_actions import SwapCards
from openfelt.runtime.rounds.record import RoundReader
from openfelt.server.history.replay import own_lines, replay_steps
from openfelt.server.supervision.frozen_rounds import RoundFreezer
from openfelt.table.commands import OpenBets
from tests.kit.floors import Shift, steps_of_a_round
from tests.kit.repository import ROOT
from tests.kit.server.played_rounds import HOUSES, PLAYERS, played, recorded_for, states, visible
from tests.kit.tables import FLOOR

CARDS = {str(card) for card in FULL_DECK}
WORDS = {text: str(card) for card in FULL_DECK for text in (card.words, card.symbol)}
PAGE = ROOT / "docs" / "reference" / "rest.md"


def named(step: ReplayStep) -> set[str]:
    """Every card that a step names, in its values, its frames or its words."""
    frames = msgspec.json.encode(step).decode()
    words = {short for long, short in WORDS.items() if long in step.text}
    return {text for text in re.findall(r"\b[2-9TJQKA][cdhs]\b", frames) if text in CARDS} | words


WAYS = [
    (name, virtual)
    for name, house in HOUSES.items()
    for virtual in (True, False)
    if virtual or house.dealer_mode is not DealerMode.VIRTUAL
]


@pytest.mark.parametrize(("house", "virtual"), WAYS)
def test_a_frame_names_no_card_that_the_rules_hide(
    shift: Shift, house: str, *, virtual: bool
) -> None:
    desk = played(shift, HOUSES[house], virtual=virtual)
    for player in PLAYERS[: HOUSES[house].seats]:
        recorded, seat = recorded_for(desk, player)
        seen = [visible(state, seat) for state in states(recorded)]
        steps = replay_steps(recorded, seat=seat, player=player)
        assert len(steps) > 5
        at = 0
        for step in steps:
            # Each frame is what the rules show at one moment, and moments come in order.
            at = next(place for place in range(at, len(seen)) if seen[place] == named(step))
        assert named(steps[-1]) == seen[-1]


@pytest.mark.parametrize("house", HOUSES)
def test_the_last_frame_is_the_round_as_it_ended(shift: Shift, house: str) -> None:
    desk = played(shift, HOUSES[house])
    recorded, seat = recorded_for(desk, "ann")
    steps = replay_steps(recorded, seat=seat, player="ann")
    lines = own_lines(steps)
    settlement = desk.round.settlement
    assert settlement is not None
    assert [(line.wager, line.payout_cents) for line in lines] == [
        (line.wager, line.payout_cents)
        for hand in desk.round.hands_of(seat)
        for line in settlement.of_seat(seat)
        if line.spot == hand.spot
    ]
    assert steps[0].text == "No more bets."
    assert isinstance(steps[-1].what, RoundSettled)
    assert steps[-1].text.startswith("The round is settled. You ")
    if house != "california":
        # There ann banks, and has no wagers of her own.
        assert steps[-1].what.net_cents == settlement.net_cents(seat)
    for step in steps:
        for hand in step.own.values():
            assert (hand.choices, hand.may_hold, hand.clock_decides) == ([], False, None)


def test_at_a_stadium_other_terminals_do_not_appear(shift: Shift) -> None:
    desk = played(shift, HOUSES["stadium"])
    recorded, seat = recorded_for(desk, "bob")
    for step in replay_steps(recorded, seat=seat, player="bob"):
        assert step.public.hands == {}
        assert {hand.seat for hand in step.own.values()} <= {seat}
        assert not re.search(r"Seat [13]", step.text)


def test_a_void_round_says_so(shift: Shift) -> None:
    desk = shift.open_table(HOUSES["washington"], mode=DealerMode.LIVE).sit("ann", 1, 500)
    for command, by in steps_of_a_round(desk):
        desk.do(command, by)
        if desk.table.playing and desk.round.hands and desk.round.street:
            desk.void()
            break
    recorded, seat = recorded_for(desk, "ann")
    steps = replay_steps(recorded, seat=seat, player="ann")
    assert steps[-1].what == RoundVoided(reason="the shuffler failed")
    assert steps[-1].text == "The round is void: “the shuffler failed”."
    assert {line.result for line in own_lines(steps)} == {"returned"}


@pytest.mark.clause("R.31")
def test_two_cards_that_were_swapped_are_never_shown_at_both_places(shift: Shift) -> None:
    """The record has two corrections; between them one card is in the hand and on the board."""
    desk = shift.open_table(HOUSES["washington"], mode=DealerMode.LIVE).sit("ann", 1, 500)
    desk.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").close().deal("Ac Ad 2h 3h")
    desk.choose("ann", "1.1", "check").deal("Kc 7d 9s")
    hand, board, dealer = map(Place.parse, ("hand 1.1 card 2", "common card 1", "dealer card 1"))
    desk.do(SwapCards(hand, board), FLOOR).do(SwapCards(hand, dealer), FLOOR)
    desk.choose("ann", "1.1", "2x").deal("4s 5s").turn().confirm()
    recorded, seat = recorded_for(desk, "ann")
    steps = replay_steps(recorded, seat=seat, player="ann")
    swapped = [step.text for step in steps if isinstance(step.what, CardCorrected)]
    assert swapped == [
        "Hand 1, card 2, corrected: king of clubs.",
        "Board, card 1, corrected: ace of diamonds.",
        "Hand 1, card 2, corrected: two of hearts.",
    ]
    for step in steps:
        own = [card for view in step.own.values() for card in view.cards if card]
        cards = [card for card in (*own, *step.public.common, *step.public.dealer) if card]
        assert len(cards) == len(set(cards))
    frozen = RoundFreezer(shift.store, RoundReader(shift.store)).freeze(desk.table.id, 1)
    assert "corrected" in frozen.body


def test_a_replay_has_a_bound(shift: Shift, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openfelt.server.history.replay.STEPS_MAX", 5)
    desk = played(shift, HOUSES["draw"])
    recorded, seat = recorded_for(desk, "ann")
    assert len(replay_steps(recorded, seat=seat, player="ann")) == 5


def test_steps_have_values_and_only_what_the_player_may_see(shift: Shift) -> None:
    desk = played(shift, HOUSES["draw"])
    recorded, seat = recorded_for(desk, "ann")
    happened = [step.what for step in replay_steps(recorded, seat=seat, player="ann")]
    cards = [what for what in happened if isinstance(what, CardDealt)]
    assert {what.card is None for what in cards if (what.lies, what.seat) == ("hand", 1)} == {False}
    assert {what.card for what in cards if what.seat != 1} == {None}
    decisions = {what.seat: what.decision for what in happened if isinstance(what, DecisionMade)}
    assert set(decisions) == {1, 2, 3}
    assert decisions[1] is not None
    assert (decisions[1].kind, decisions[2], decisions[3]) == ("hold", None, None)
    turned = {what.lies: what.cards for what in happened if isinstance(what, CardsTurned)}
    assert turned["dealer"] == [str(card) for card in desk.round.dealer]
    assert turned["common"] == [str(card) for card in desk.round.common]


def test_a_banker_sees_what_the_bank_has_brought(shift: Shift) -> None:
    desk = played(shift, HOUSES["california"])
    banker, settlement = desk.round.opened.banker, desk.round.settlement
    assert banker is not None
    assert settlement is not None
    recorded, seat = recorded_for(desk, PLAYERS[banker.seat - 1])
    assert seat == banker.seat
    last = replay_steps(recorded, seat=seat, player=PLAYERS[seat - 1])[-1].what
    assert last == RoundSettled(net_cents=settlement.bank_net_cents)
    assert settlement.bank_net_cents != 0


@pytest.mark.parametrize("form", [ReplayView, ReplayStep, *get_args(Happened)])
def test_the_page_of_the_reference_lists_every_value(form: type[msgspec.Struct]) -> None:
    page = PAGE.read_text(encoding="utf-8").partition("## Rounds")[2].partition("## Staff")[0]
    tag = form.__struct_config__.tag
    row = page
    if tag is not None:
        (row,) = re.findall(rf"^\| `{tag}` \|.*$", page, flags=re.MULTILINE)
    missing = [name for name in form.__struct_fields__ if f"`{name}`" not in row]
    assert not missing
