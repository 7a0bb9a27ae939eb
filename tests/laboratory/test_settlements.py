"""Random and stacked rounds of every house, settled a second time by the laboratory's referee.

Few rounds run here; ``make bench ARGS=laboratory`` plays a million.
"""

from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from openfelt.rules import SetWagers, settle
from tests.kit.felt import Felt
from tests.laboratory.felt_rounds import check_felt_rounds, check_irregular_rounds
from tests.laboratory.floor_rounds import check_floor_rounds
from tests.laboratory.product_houses import HOUSES
from tests.laboratory.ready_rounds import Ready, check_ready_rounds, ready_rounds
from tests.laboratory.referee_sheet import Decision

READY_ROUNDS = 300
FELT_ROUNDS = 60
FLOOR_ROUNDS = 8
IRREGULAR_ROUNDS = 30
STEP_BY_STEP_ROUNDS = 12

MET = {
    "online": {"ante push", "play push", "blind win", "blind push", "trips win", "folded"},
    "washington": {"bad_beat win", "ultimate_pairs win", "progressive win", "envy win"},
    "california": {"ante returned", "play returned", "blind returned", "trips win"},
    "stadium": {"for the dealer", "play_the_board win", "bad_beat win"},
    "draw": {"ante win", "ante push", "ante lose", "ante_bonus win", "bonus win"},
}
"""What must come up among the rounds of each document; otherwise they prove too little."""


@pytest.mark.parametrize("name", HOUSES)
def test_every_wager_is_settled_as_the_documents_say(name: str) -> None:
    tally = check_ready_rounds(name, seed=1, rounds=READY_ROUNDS)
    tally.add(check_felt_rounds(name, seed=1, rounds=FELT_ROUNDS))
    assert tally.rounds == READY_ROUNDS + FELT_ROUNDS
    met = {what for what, count in tally.seen.items() if count}
    assert MET[HOUSES[name].like or name] <= met
    for wager in HOUSES[name].payout_aggregates:
        assert f"{wager} cut" in met


WITH_SEVERAL_HANDS = [name for name in HOUSES if (HOUSES[name].like or name) != "online"]


@pytest.mark.clause("R.37", "R.41")
@pytest.mark.parametrize("name", WITH_SEVERAL_HANDS)
def test_hands_that_are_void_or_fouled_are_settled_as_the_rulings_say(name: str) -> None:
    tally = check_irregular_rounds(name, seed=1, rounds=IRREGULAR_ROUNDS)
    assert {"void hand", "fouled hand"} <= {what for what, count in tally.seen.items() if count}


@pytest.mark.parametrize("name", HOUSES)
def test_every_account_changes_as_the_documents_say(name: str, tmp_path: Path) -> None:
    tally = check_floor_rounds(tmp_path, name, seed=1, rounds=FLOOR_ROUNDS)
    assert tally.rounds == FLOOR_ROUNDS
    assert tally.accounts >= FLOOR_ROUNDS


@pytest.mark.parametrize("name", HOUSES)
def test_rounds_that_wait_to_be_settled_are_those_that_play_reaches(name: str) -> None:
    rounds = ready_rounds(name, Random(f"step by step {name}"))
    for ready in islice(rounds, STEP_BY_STEP_ROUNDS):
        played = step_by_step(ready)
        shown = {spot: replace(hand, face_up=False) for spot, hand in played.state.hands.items()}
        for value in ("phase", "dealer", "dealer_face_up", "common", "common_face_up"):
            assert getattr(ready.state, value) == getattr(played.state, value), value
        assert ready.state.hands == shown
        settlement = settle(ready.state, meter_cents=ready.meter_cents)
        assert settlement == played.confirm(ready.meter_cents).settlement


def step_by_step(ready: Ready) -> Felt:
    """The same round, bet and dealt and decided one action after the other."""
    opened, sheet = ready.state.opened, ready.sheet
    felt = Felt(ready.state.house, procedure=opened.procedure, banker=opened.banker)
    for spot, wagers in ready.asked.items():
        felt.do(SetWagers(spot, wagers))
    cards = {f"{hand.seat}.{hand.number}": " ".join(hand.cards) for hand in sheet.hands}
    cards |= {"dealer": " ".join(sheet.dealer), "common": " ".join(sheet.common)}
    decisions = {
        f"{hand.seat}.{hand.number}": ",".join(map(in_words, hand.decisions))
        for hand in sheet.hands
    }
    return felt.close().run(cards, decisions)


def in_words(decision: Decision) -> str:
    """A decision as the kit reads it."""
    if decision.word == "hold":
        return f"hold {' '.join(decision.held)}"
    return f"{decision.times}x" if decision.word == "bet" else decision.word
