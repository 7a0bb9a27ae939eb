"""Frame limits: what one socket and one address may send, and how much is read in one turn."""

import pytest

from openfelt.server.process.frame_limits import (
    ADDRESS_FRAMES,
    FRAMES,
    FRAMES_OF_BUSY_ADDRESS,
    SLICE_BYTES,
    FrameLimits,
    TerminalSocket,
    frames_limited_by,
)
from openfelt.server.process.text_frames import CheckedText
from tests.kit.floors import StandingClock
from tests.kit.fuzz.frames import CONTINUATION, PING, TEXT, frame


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


def test_the_library_gets_no_frame_of_a_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames are counted by their heads alone: what is refused is never read by the library."""
    read: list[bytes] = []
    monkeypatch.setattr(CheckedText, "data_received", lambda _, part: read.append(part))
    ended: list[int] = []
    monkeypatch.setattr(TerminalSocket, "_end_flood", lambda _: ended.append(1))
    monkeypatch.setattr(TerminalSocket, "_address", "here")
    monkeypatch.setattr(TerminalSocket, "_open", True)
    terminal = object.__new__(frames_limited_by(FrameLimits(StandingClock())))
    terminal._unread = bytearray()
    terminal._frame_left, terminal._in_parts, terminal.close_sent = 0, False, False
    ping, part = frame(PING, b""), frame(TEXT, b"a", final=False)
    terminal._unread += ping * FRAMES.burst
    terminal._read_other_frames()
    assert (read, ended) == ([ping * FRAMES.burst], [])
    for flood in (ping, part + frame(CONTINUATION, b"", final=False) * 3):
        terminal._unread += flood
        terminal._read_other_frames()
        terminal._in_parts = False
    assert (len(read), ended) == (1, [1, 1])
