"""Corrections of wrong times: when a record may go back because a clock was ahead.

The times of a stream never go back. If a clock was a year ahead for a while, all later events of
the streams that were written meanwhile would have that time, for a year. A correction is itself
an event of the record: it names the wrong times, the operator and the reason, and nothing that
was written is changed. From then on, the next event of such a stream has the right time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from openfelt.storage.door import StoredEvent

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


class EventReader(Protocol):
    """A store, as far as it reads events."""

    def events(self, stream: str) -> Iterator[StoredEvent]:
        """The events of a stream."""
        ...


def corrections_in(store: EventReader) -> tuple[ClockCorrected, ...]:
    """All corrections of a store."""
    return tuple(
        msgspec.json.decode(event.body, type=ClockCorrected) for event in store.events(CLOCK_STREAM)
    )


def may_go_back(before_ms: int, at_ms: int, corrections: Sequence[ClockCorrected]) -> bool:
    """Whether an event may be earlier than the one before it, whose time was wrong.

    >>> wrong = ClockCorrected(right_ms=1_000_000, wrong_ms=9_000_000, reason="")
    >>> may_go_back(9_000_000, 1_000_500, [wrong]), may_go_back(9_000_000, 1_000_500, [])
    (True, False)
    """
    return before_ms - at_ms > LEAST_MS and any(
        correction.right_ms <= at_ms and before_ms <= correction.wrong_ms
        for correction in corrections
    )


def next_ms(head_ms: int, at_ms: int, corrections: Sequence[ClockCorrected]) -> int:
    """The time of the next event of a stream, after an event of ``head_ms``.

    >>> next_ms(500, 400, [])
    500
    """
    return at_ms if may_go_back(head_ms, at_ms, corrections) else max(at_ms, head_ms)
