"""The health of the notary."""

import logging

import pytest

from openfelt.server.store.notary_health import (
    LATE_LEAST_MS,
    REMINDER_MS,
    NotaryHealth,
    NotaryProblem,
)
from tests.kit.floors import StandingClock


def test_a_server_without_a_notary_is_well() -> None:
    clock = StandingClock()
    health = NotaryHealth(clock, pause_ms=None)
    clock.pass_ms(10 * LATE_LEAST_MS)
    assert (health.problem, health.status, health.age_ms) == (None, "off", 0)


def test_a_notary_that_does_nothing_is_late() -> None:
    clock = StandingClock()
    health = NotaryHealth(clock, pause_ms=1000)
    clock.pass_ms(LATE_LEAST_MS)
    assert (health.problem, health.status) == (None, "ok")
    clock.pass_ms(1)
    assert (health.problem, health.status) == (NotaryProblem.LATE, "late")
    health.done()
    assert (health.status, health.age_ms) == ("ok", 0)


def test_a_slow_notary_has_more_time() -> None:
    clock = StandingClock()
    health = NotaryHealth(clock, pause_ms=3_600_000)
    clock.pass_ms(4 * 3_600_000)
    assert health.status == "ok"


def test_a_failure_is_logged_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    health = NotaryHealth(StandingClock(), pause_ms=1000)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            health.failed(NotaryProblem.KEY, ValueError("no key"))
        assert health.status == "key"
        health.failed(NotaryProblem.STORE, ValueError("no disk"))
        for _ in range(2):
            health.done()
    assert [record.message for record in caplog.records] == [
        "checkpoints are not signed: no key",
        "checkpoints are not signed: no disk",
        "checkpoints are signed again",
    ]


def test_a_failure_that_lasts_is_logged_again_every_hour(caplog: pytest.LogCaptureFixture) -> None:
    clock = StandingClock()
    health = NotaryHealth(clock, pause_ms=1000)
    with caplog.at_level(logging.WARNING):
        for _ in range(10):
            health.failed(NotaryProblem.OLDER, ValueError("an old copy"))
            clock.pass_ms(REMINDER_MS // 4)
    assert len(caplog.records) == 3
