"""The floor is called: the table is on hold, and goes on with the time that it had (R.42)."""

import pytest

from openfelt.cards import Card
from openfelt.rules import CloseBets, Confirm, CorrectCard, DealCard, Phase, SetWagers, TurnCards
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.rules.wagers import Spot
from openfelt.table.commands import (
    SYSTEM,
    CallFloor,
    CountFelt,
    DeclareIrregularity,
    OpenBets,
    ReopenBets,
    ResumePlay,
)
from openfelt.table.incidents import HOLD_MAX_MS, HOLDS_MAX, ClockFor, FloorCalled, PlayResumed
from openfelt.table.refusal import TableCode
from openfelt.table.state import RunningClock
from tests.kit.felt import wagers_of
from tests.kit.tables import DEALER, FLOOR, SECONDS, Pit, replayed

ONE = Spot(1, 1)


def betting() -> Pit:
    pit = Pit("washington", clock=SECONDS).sit("ann", 1, 500).sit("bob", 2, 500)
    return pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 10")


def deciding() -> Pit:
    return betting().close().deal("As Ah 2s 7h Kc Kd")


@pytest.mark.clause("R.42")
def test_the_decision_clock_stands_and_goes_on_with_the_time_it_had() -> None:
    pit = deciding()
    assert pit.table.clock is not None
    number = pit.table.clock.number
    pit.told(clock_left_ms=9_250).do(CallFloor("Seat 2 objects."), DEALER)
    assert FloorCalled(ClockFor.DECISIONS, 9_250, "Seat 2 objects.") in pit.events
    assert pit.table.clock == RunningClock(number + 1, ClockFor.FLOOR, HOLD_MAX_MS)
    pit.told(clock_left_ms=1).do(ResumePlay(), DEALER)
    assert pit.table.clock == RunningClock(number + 2, ClockFor.DECISIONS, 9_250)
    assert pit.table.incidents.hold is None
    # The clock that stood has not decided for a player meanwhile.
    assert pit.round.pending == {ONE, Spot(2, 1)}
    pit.choose("ann", "1.1", "4x")
    assert replayed(pit.opened, pit.events) == pit.table


@pytest.mark.clause("R.42")
def test_the_betting_clock_stands_too_and_no_more_than_it_had_comes_back() -> None:
    pit = betting().told(clock_left_ms=10**9).do(CallFloor(), DEALER)
    assert pit.table.incidents.hold == FloorCalled(ClockFor.WAGERS, 25_000)
    pit.refuses(SetWagers(ONE, wagers_of("ante 20")), "ann", TableCode.ON_HOLD)
    pit.refuses(CloseBets(), DEALER, TableCode.ON_HOLD)
    # What an absent player has bet is still taken back.
    pit.do(SetWagers(Spot(2, 1), ()), SYSTEM)
    pit.do(ResumePlay(), FLOOR).bet("ann", "1.1", "ante 20")


@pytest.mark.clause("R.42")
def test_a_hold_ends_by_itself() -> None:
    pit = deciding().told(clock_left_ms=4_000).do(CallFloor(), DEALER).time_ends()
    assert pit.events[-2] == PlayResumed(in_time=False)
    assert pit.table.clock is not None
    assert (pit.table.clock.gives_time_for, pit.table.clock.ms) == (ClockFor.DECISIONS, 4_000)


@pytest.mark.clause("R.42")
def test_the_floor_is_called_a_few_times_in_a_round() -> None:
    pit = deciding()
    for _ in range(HOLDS_MAX):
        pit.do(CallFloor(), DEALER).do(ResumePlay(), DEALER)
    pit.refuses(CallFloor(), DEALER, TableCode.NOT_ON_HOLD)
    pit.void().do(OpenBets(), "dan").do(CallFloor(), DEALER)


def test_cards_wait_too_and_staff_put_things_right_meanwhile() -> None:
    pit = betting().close().deal("As").do(CallFloor(), DEALER)
    pit.refuses(DealCard(Card.parse("Ah")), DEALER, TableCode.ON_HOLD)
    pit.do(CorrectCard(Place(Lies.HAND, ONE, 1), Card.parse("Ac")), DEALER)
    pit.do(DeclareIrregularity(Irregularity.CARD_EXPOSED, About.HAND, ONE), DEALER)
    pit.do(ResumePlay(), DEALER).deal("Ah")


def test_the_end_of_a_round_waits_too() -> None:
    pit = deciding().choose("ann", "1.1", "4x").choose("bob", "2.1", "4x").deal("Ac 7d 9h Js 3c")
    pit.do(CallFloor(), DEALER)
    pit.refuses(TurnCards(), DEALER, TableCode.ON_HOLD)
    pit.do(ResumePlay(), DEALER).turn().do(CallFloor(), DEALER)
    pit.refuses(Confirm(), DEALER, TableCode.ON_HOLD)
    # No clock ran, so none goes on.
    pit.do(ResumePlay(), DEALER)
    assert pit.table.clock is None
    pit.confirm()


def test_what_ends_the_moment_ends_the_hold() -> None:
    """A void round, the last hand that was waited for, and bets that are opened again."""
    void = deciding().do(CallFloor(), DEALER).void()
    assert (void.phase, void.table.incidents.hold, void.table.clock) == (Phase.VOIDED, None, None)
    last = deciding().choose("ann", "1.1", "4x").do(CallFloor(), DEALER)
    last.do(DeclareIrregularity(Irregularity.HAND_TOUCHED, About.HAND, Spot(2, 1)), FLOOR)
    assert last.table.incidents.hold is None
    last.deal("Ac")
    again = betting().close().do(CallFloor(), DEALER).do(CountFelt(4_000), DEALER)
    again.do(ReopenBets(), FLOOR)
    assert again.table.incidents.hold is None
    assert again.table.clock is not None
    assert again.table.clock.gives_time_for is ClockFor.WAGERS
