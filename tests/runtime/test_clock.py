"""The clock of the machine."""

import time
from datetime import date

from openfelt.runtime.clock import SystemClock, day_of


def test_the_wall_clock_is_the_machines() -> None:
    before = time.time_ns() // 1_000_000
    now = SystemClock().wall_ms()
    assert type(now) is int
    assert before <= now <= time.time_ns() // 1_000_000


def test_the_monotonic_clock_never_goes_back() -> None:
    clock = SystemClock()
    readings = [clock.monotonic_ms() for _ in range(1000)]
    assert readings == sorted(readings)
    assert {type(one) for one in readings} == {int}


def test_a_day_begins_at_midnight_utc() -> None:
    assert day_of(1_767_225_600_000) == date(2026, 1, 1)
    assert day_of(1_767_225_599_999) == date(2025, 12, 31)
    assert day_of(0) == date(1970, 1, 1)
