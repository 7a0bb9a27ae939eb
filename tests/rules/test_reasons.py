"""Why wagers ended as they did: the values say what the settlement's own sentence says, no more."""

from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import patch

import pytest

from openfelt.catalog import load_catalog
from openfelt.catalog.clauses import outcomes_of
from openfelt.rules import Line, Round
from openfelt.rules.lines import Why
from openfelt.rules.reasons import Reasons
from tests.kit.felt import Felt
from tests.kit.playthroughs.driver import play
from tests.kit.playthroughs.parser import FOLDER, playthrough_files, read_playthrough
from tools.terminal_words import hand_names


def of_round(state: Round) -> Iterator[tuple[Line, Why]]:
    """Every line of a round with its values."""
    assert state.settlement is not None
    reasons = Reasons(state)
    for spot in state.hands:
        lines = [line for line in state.settlement.lines if line.spot == spot]
        yield from zip(lines, reasons.of_hand(lines), strict=True)


def as_stored(state: Round) -> Round:
    """A round as a store gives it back: without the values, which no record keeps."""
    assert state.settlement is not None
    lines = tuple(replace(line, why=None) for line in state.settlement.lines)
    return replace(state, settlement=replace(state.settlement, lines=lines))


def golden(name: str) -> Round:
    """The end of a golden round."""
    return play(read_playthrough(FOLDER / f"{name}.txt")).state


ROUNDS = [play(read_playthrough(file)).state for file in playthrough_files()]
LINES = [line for state in ROUNDS for line in of_round(state)]


def test_a_settlement_has_its_values_and_evaluates_no_hand_again() -> None:
    evaluators = ("ultimate_holdem", "ultimate_draw", "paytable")
    for state in ROUNDS:
        expected = list(of_round(state))
        with patch.multiple("openfelt.rules.reasons", settle_hand=None, entries=None):
            assert list(of_round(state)) == expected
        for module in evaluators:
            with patch(f"openfelt.rules.{module}.evaluate", None):
                assert list(of_round(state)) == expected


def test_a_settlement_from_a_store_has_the_same_values() -> None:
    for state in ROUNDS:
        values = [why for _, why in of_round(as_stored(state))]
        assert values == [why for _, why in of_round(state)]


def test_golden_rounds_have_every_outcome_of_every_house() -> None:
    houses = load_catalog().houses.values()
    wanted = {outcome for house in houses for outcome in outcomes_of(house)}
    assert {line.outcome for line, _ in LINES} == wanted


def test_no_line_names_a_hand_that_its_sentence_does_not_name() -> None:
    """A folded hand that no viewer is shown is named nowhere, nor a dealer who stays hidden."""
    for line, why in LINES:
        for name in (why.hand, why.dealer_hand):
            ties = line.outcome.endswith(".tie") and why.hand == why.dealer_hand
            assert name is None or ties or name.lower() in line.because.lower(), line.because


def test_every_value_of_a_sentence_is_there() -> None:
    names = {name.lower(): name for name in hand_names()}
    for line, why in LINES:
        said = line.because.lower()
        spoken = [name for name in names if name in said]
        # "Two pair, kings and fours" has "pair" in it, so only the longest names count.
        longest = {
            one for one in spoken if not any(one in other for other in spoken if other != one)
        }
        assert longest <= {str(value).lower() for value in why}, line.because
        if " to 1" in said and "loses to" not in said:
            assert why.pays is not None
            assert why.pays in line.because


@pytest.mark.parametrize(
    ("name", "outcome", "why"),
    [
        ("washington/fold_loses_everything", "ante.fold", Why()),
        ("washington/fold_loses_everything", "blind.fold", Why()),
        ("online/not_qualified_wins", "ante.not_qualified", Why(dealer_hand="Ace high")),
        (
            "draw/half_ante_rounded_down",
            "ante.not_qualified",
            Why(dealer_hand="Queen high", pays="1 to 2"),
        ),
        (
            "stadium/bad_beat_of_the_dealer",
            "bad_beat.win",
            Why(dealer_hand="Straight, ten high", pays="20 to 1"),
        ),
    ],
)
def test_the_values_of_a_line(name: str, outcome: str, why: Why) -> None:
    found = [values for line, values in of_round(golden(name)) if line.outcome == outcome]
    assert why in found, found


def test_two_who_earn_envy_are_told_apart() -> None:
    """All other players have a line for each of them, and either of them has one for the other."""
    felt = Felt("washington")
    for seat in (1, 2, 3):
        felt.bet(f"{seat}.1", "ante 10, progressive 1")
    cards = {"1.1": "As Ks", "2.1": "9s 8s", "3.1": "5c 5d", "dealer": "4c 4d"}
    felt.close().run(
        cards | {"common": "Qs Js Ts 2h 3h"}, dict.fromkeys(("1.1", "2.1", "3.1"), "4x")
    )
    felt.confirm(2_000_000)
    told: dict[int, list[tuple[int | None, str | None, str | None]]] = {}
    for line, why in of_round(felt.state):
        if line.wager == "envy":
            told.setdefault(line.spot.seat, []).append((why.seat, why.award, why.pays))
            assert f"Seat {why.seat} made a {str(why.award).lower()}" in line.because
    royal, straight = (1, "Royal flush", "400 for 1"), (2, "Straight flush", "200 for 1")
    assert told == {1: [straight], 2: [royal], 3: [straight, royal]}


def test_a_bank_that_ends_within_a_line_says_how_far_it_reached() -> None:
    covered = [
        (line, why.covered_cents) for line, why in LINES if line.uncovered_cents and line.odds
    ]
    assert covered
    for line, cents in covered:
        assert cents == line.payout_cents


def test_hands_that_a_replay_does_not_have_are_not_guessed() -> None:
    """A stadium's replay has the player's own hands alone, but the lines of all players."""
    jackpots = [
        (replace(as_stored(state), hands={line.spot: state.hands[line.spot]}), line.spot)
        for state in ROUNDS
        if state.settlement
        for line in state.settlement.lines
        if line.wager == "envy" or line.outcome == "progressive.win"
    ]
    assert jackpots
    seen = set()
    for state, spot in jackpots:
        for line, why in of_round(state):
            assert line.spot == spot
            if line.wager == "envy":
                assert why == Why()
            if line.outcome == "progressive.win" and why.pays == "10% of the meter":
                assert (why.meter_cents, why.winners) == (None, None)
            seen.add((line.outcome, why.pays))
    assert {("envy.win", None), ("progressive.win", "10% of the meter")} <= seen
