"""A countdown gives lost time back, and no more than that."""

from openfelt.runtime.tables.countdown import GIVEN_BACK_MAX_MS, Countdown
from tests.kit.floors import StandingClock


class Lost:
    """The time that a process has lost, as a test says."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


def test_a_clock_runs_out_after_its_time() -> None:
    clock, lost = StandingClock(), Lost()
    countdown = Countdown(clock, lost)
    assert (countdown.running, countdown.left_ms, countdown.given_back_ms) == (False, None, 0)
    countdown.start(1000)
    clock.pass_ms(1200)
    assert (countdown.running, countdown.left_ms) == (True, -200)
    countdown.stop()
    assert countdown.left_ms is None


def test_time_that_the_process_has_lost_is_given_back() -> None:
    clock, lost = StandingClock(), Lost()
    lost.ms = 70_000
    countdown = Countdown(clock, lost)
    countdown.start(1000)
    clock.pass_ms(5400)
    lost.ms += 5000
    assert (countdown.left_ms, countdown.given_back_ms) == (600, 5000)
    countdown.give_back(400)
    assert countdown.left_ms == 1000


def test_the_next_clock_starts_anew() -> None:
    clock, lost = StandingClock(), Lost()
    countdown = Countdown(clock, lost)
    countdown.start(1000)
    countdown.give_back(5000)
    lost.ms += 5000
    countdown.start(1000)
    assert (countdown.left_ms, countdown.given_back_ms) == (1000, 0)


def test_a_process_that_is_always_late_does_not_keep_a_table_for_ever() -> None:
    clock, lost = StandingClock(), Lost()
    countdown = Countdown(clock, lost)
    countdown.start(1000)
    clock.pass_ms(10 * GIVEN_BACK_MAX_MS)
    lost.ms = 9 * GIVEN_BACK_MAX_MS
    countdown.give_back(GIVEN_BACK_MAX_MS)
    assert countdown.given_back_ms == GIVEN_BACK_MAX_MS
    assert (countdown.left_ms or 0) < 0
