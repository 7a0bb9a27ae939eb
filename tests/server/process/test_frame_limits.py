"""Frame limits: what one socket and one address may send, and how much is read in one turn."""

from openfelt.server.process.frame_limits import (
    ADDRESS_FRAMES,
    FRAMES,
    FRAMES_OF_BUSY_ADDRESS,
    SLICE_BYTES,
    FrameLimits,
)
from tests.kit.floors import StandingClock


def test_a_socket_has_a_burst_and_then_one_frame_a_second() -> None:
    clock = StandingClock()
    limits = FrameLimits(clock)
    assert limits.allow("one", "here", FRAMES.burst)
    assert not limits.allow("one", "here", 1)
    assert limits.allow("two", "here", FRAMES.burst)
    clock.pass_ms(1000)
    assert limits.allow("one", "here", 1)
    assert not limits.allow("one", "here", 1)


def test_a_busy_address_closes_those_who_flood_and_not_those_who_answer_pings() -> None:
    clock = StandingClock()
    limits = FrameLimits(clock)
    assert limits.allow("quiet", "hall", 1)
    for socket in range(ADDRESS_FRAMES.burst // FRAMES.burst + 1):
        limits.allow(f"attacker {socket}", "hall", FRAMES.burst)
    # The address is over its limit: a new socket gets less than it would elsewhere.
    assert not limits.allow("another", "hall", FRAMES.burst)
    assert limits.allow("another", "elsewhere", 1)
    for _ in range(FRAMES_OF_BUSY_ADDRESS.burst * 3):
        clock.pass_ms(20_000)
        for socket in range(200):
            limits.allow(f"attacker {socket}", "hall", FRAMES.burst)
        assert limits.allow("quiet", "hall", 1)


def test_one_turn_reads_few_frames() -> None:
    assert SLICE_BYTES // 6 <= 200
