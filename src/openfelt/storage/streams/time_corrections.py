"""Corrections of wrong times: when a record may go back because a clock was ahead.

The times of a stream never go back. If a clock was a year ahead for a while, all later events of
the streams written during that time would keep it, for a year. A correction is itself an event of
the record: it names the streams with wrong times, the operator and the reason, and nothing that was
written is changed. The next event of such a stream has the right time. It is licensed for that
event alone: a clock that is ahead again later is another fault.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from openfelt.storage.door import Damaged, StoredEvent

CLOCK_KIND: Final = "clock"
"""The kind of the stream that holds corrections."""
CLOCK_STREAM: Final = f"{CLOCK_KIND}/house"
LEAST_MS: Final = 60_000
"""A record goes back by more than this, or not at all: machines differ by less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockCorrected:
    """The operator has declared that the clock was ahead, and times of the record are wrong."""

    right_ms: int
    """The time of the correction, by a clock that is right."""
    wrong_ms: int
    """The latest wrong time; all times between the two were wrong."""
    reason: str
    streams: Mapping[str, int]
    """The streams that ended with a wrong time, each with its version then."""

    def is_wrong(self, stream: str, version: int, at_ms: int) -> bool:
        """Whether an event was written while the clock was ahead."""
        return at_ms > self.right_ms and version <= self.streams.get(stream, 0)


class RecordReader(Protocol):
    """The part of a store that reads only what is authentic."""

    def record(self, stream: str) -> Iterator[StoredEvent]:
        """The events of a stream, up to its head."""
        ...


def corrections_in(store: RecordReader) -> tuple[ClockCorrected, ...]:
    """All corrections of a store; raises Damaged."""
    try:
        return tuple(
            msgspec.json.decode(event.body, type=ClockCorrected)
            for event in store.record(CLOCK_STREAM)
        )
    except msgspec.MsgspecError:
        raise Damaged("events", CLOCK_STREAM, "it is not a correction of the clock") from None


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """The end of a stream."""

    stream: str
    version: int
    at_ms: int


def may_go_back(end: StreamEnd, at_ms: int, corrections: Sequence[ClockCorrected]) -> bool:
    """Whether the next event of a stream may be earlier than its end, whose time was wrong.

    >>> wrong = ClockCorrected(
    ...     right_ms=1_000_000, wrong_ms=9_000_000, reason="", streams={"table/net-1": 7}
    ... )
    >>> may_go_back(StreamEnd("table/net-1", 7, 9_000_000), 1_000_500, [wrong])
    True
    >>> may_go_back(StreamEnd("table/net-1", 8, 9_000_000), 1_000_500, [wrong])
    False
    """
    return end.at_ms - at_ms > LEAST_MS and any(
        correction.right_ms <= at_ms and correction.streams.get(end.stream) == end.version
        for correction in corrections
    )


def next_ms(end: StreamEnd, at_ms: int, corrections: Sequence[ClockCorrected]) -> int:
    """The time of the next event of a stream.

    >>> next_ms(StreamEnd("table/net-1", 7, 500), 400, [])
    500
    """
    return at_ms if may_go_back(end, at_ms, corrections) else max(at_ms, end.at_ms)
