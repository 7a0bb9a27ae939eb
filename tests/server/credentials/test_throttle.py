"""Throttled sign-ins: who waits after wrong attempts, and who does not."""

import asyncio

import pytest

from openfelt.server.credentials.throttle import (
    FORGIVEN_EACH_MS,
    FORGOTTEN_MS,
    Attempt,
    Throttle,
)
from openfelt.server.errors import Denied
from openfelt.server.settings import AttemptLimits
from tests.kit.floors import StandingClock

TURNS = AttemptLimits(turn_ms=50, longest_turn_ms=50, turn_wait_ms=60_000, waiting_max=3)


async def admitted(throttle: Throttle, *attempts: Attempt) -> list[bool]:
    """Whether each of some attempts may be made at once."""
    seen = []
    for attempt in attempts:
        try:
            await throttle.admit(attempt)
            seen.append(True)
        except Denied:
            seen.append(False)
    return seen


async def test_waits_double_and_are_forgotten() -> None:
    clock = StandingClock()
    throttle = Throttle(AttemptLimits(), clock)
    wrong = Attempt("ann", "203.0.113.9")
    assert await admitted(throttle, *[wrong] * 4) == [True, True, True, False]
    for wait_ms in (5_000, 10_000, 20_000):
        clock.pass_ms(wait_ms - 1)
        assert await admitted(throttle, wrong) == [False]
        clock.pass_ms(1)
        assert await admitted(throttle, wrong) == [True]
    clock.pass_ms(FORGOTTEN_MS + 1)
    assert await admitted(throttle, *[wrong] * 4) == [True, True, True, False]


async def test_a_network_waits_once_many_of_its_addresses_were_wrong() -> None:
    throttle = Throttle(AttemptLimits(free_in_all=1000), StandingClock())
    neighbours = [Attempt("ann", f"2001:db8:1:{number:x}::1") for number in range(20)]
    assert await admitted(throttle, *neighbours) == [True] * 12 + [False] * 8
    assert await admitted(throttle, Attempt("ann", "2001:db8:2::1")) == [True]
    assert await admitted(throttle, Attempt("bob", "2001:db8:1:1::1")) == [True]


async def test_a_success_is_not_counted_and_forgives_its_address() -> None:
    throttle = Throttle(AttemptLimits(), StandingClock())
    attempt = Attempt("ann", "203.0.113.9")
    for _ in range(50):
        await throttle.admit(attempt)
        throttle.succeeded(attempt)
    assert await admitted(throttle, *[attempt] * 3) == [True] * 3


async def test_owners_do_not_take_turns_with_strangers() -> None:
    throttle = Throttle(AttemptLimits(turn_ms=60_000, turn_wait_ms=1), StandingClock())
    strangers = [Attempt("ann", f"198.51.{number}.7") for number in range(12)]
    assert sum(await admitted(throttle, *strangers)) == 11
    assert await admitted(throttle, Attempt("ann", "198.51.0.7", "device")) == [True]
    assert await admitted(throttle, Attempt("ann", "203.0.113.9")) == [False]


async def test_an_attack_that_is_over_is_forgotten_by_and_by() -> None:
    clock = StandingClock()
    limits = AttemptLimits(turn_ms=60_000, turn_wait_ms=1)
    throttle = Throttle(limits, clock)
    await admitted(throttle, *(Attempt("ann", f"198.51.{number}.7") for number in range(11)))
    assert await admitted(throttle, Attempt("ann", "203.0.113.9")) == [False]
    clock.pass_ms(5 * FORGIVEN_EACH_MS)
    late = [Attempt("ann", f"203.0.{number}.9") for number in range(3)]
    assert await admitted(throttle, *late) == [True, True, True]


async def test_the_caller_who_was_wrong_least_often_is_next() -> None:
    throttle = Throttle(TURNS, StandingClock())
    attackers = [Attempt("ann", f"198.51.{number}.7") for number in range(12)]
    await asyncio.gather(*map(throttle.admit, attackers[:10]))
    order: list[str] = []

    async def attempt(name: str, made: Attempt) -> None:
        await throttle.admit(made)
        order.append(name)

    await throttle.admit(Attempt("ann", "192.0.2.1"))
    waiting = [asyncio.create_task(attempt("used", attackers[number])) for number in range(2)]
    await asyncio.sleep(0)
    waiting.append(asyncio.create_task(attempt("new", Attempt("ann", "203.0.113.9"))))
    await asyncio.gather(*waiting)
    assert order[0] == "new"


async def test_a_full_queue_refuses_the_caller_who_was_wrong_most_often() -> None:
    throttle = Throttle(TURNS, StandingClock())
    attackers = [Attempt("ann", f"198.51.{number}.7") for number in range(12)]
    await asyncio.gather(*map(throttle.admit, attackers[:10]))
    await throttle.admit(Attempt("ann", "192.0.2.1"))
    waiting = [asyncio.create_task(throttle.admit(attackers[number])) for number in range(3)]
    await asyncio.sleep(0)
    owner = asyncio.create_task(throttle.admit(Attempt("ann", "203.0.113.9")))
    results = await asyncio.gather(owner, *waiting, return_exceptions=True)
    assert results[0] is None
    assert sum(isinstance(result, Denied) for result in results) == 1


async def test_an_attempt_that_is_given_up_leaves_the_queue() -> None:
    throttle = Throttle(AttemptLimits(turn_ms=60_000, longest_turn_ms=60_000), StandingClock())
    await admitted(throttle, *(Attempt("ann", f"198.51.{number}.7") for number in range(11)))
    waiting = asyncio.create_task(throttle.admit(Attempt("ann", "203.0.113.9")))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_name_is_forgiven_as_a_whole() -> None:
    throttle = Throttle(AttemptLimits(), StandingClock())
    wrong = Attempt("ann", "203.0.113.9")
    await admitted(throttle, *[wrong] * 4, *[Attempt("bob", "203.0.113.9")] * 4)
    throttle.forgive("ann")
    assert await admitted(throttle, wrong, Attempt("bob", "203.0.113.9")) == [True, False]
