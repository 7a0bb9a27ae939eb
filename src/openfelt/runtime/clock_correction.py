"""The repair of a record whose times are ahead because the clock was: a deed of the operator."""

from openfelt.runtime.clock import FOLLOWED_MS, Clock
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Cause, Commit, Head, Store, tell_damage
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.streams.time_corrections import (
    CLOCK_STREAM,
    ClockCorrected,
    StreamEnd,
    corrections_in,
    may_go_back,
)


class NothingToCorrect(Exception):
    """No time of the record is ahead of the clock."""


def streams_ahead(store: Store, now_ms: int) -> dict[str, Head]:
    """The streams whose last event is ahead of the clock, and not corrected yet."""
    corrections = corrections_in(store)
    return {
        stream: head
        for stream, head in store.heads(damage=tell_damage).items()
        if head.at_ms - now_ms > FOLLOWED_MS
        and not may_go_back(StreamEnd(stream, head.version, head.at_ms), now_ms, corrections)
    }


def correct_clock(store: Store, clock: Clock, *, reason: str, cause: Cause) -> ClockCorrected:
    """Record that times after now are wrong; raises NothingToCorrect if there are none."""
    now_ms = clock.wall_ms()
    ahead = streams_ahead(store, now_ms)
    if not ahead:
        raise NothingToCorrect("No time of the record is ahead of this machine's clock.")
    newest_ms = max(head.at_ms for head in ahead.values())
    correction = ClockCorrected(
        right_ms=now_ms,
        wrong_ms=newest_ms,
        reason=reason,
        streams={stream: head.version for stream, head in ahead.items()},
    )
    append = Append(
        stream=CLOCK_STREAM,
        expected_version=store.head(CLOCK_STREAM).version,
        events=(EventCodec(Codec(lambda _: None)).encode(correction, cause=cause),),
    )
    store.commit(Commit(at_ms=now_ms, appends=(append,)))
    return correction
