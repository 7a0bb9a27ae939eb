"""Lateness: time that the event loop could not use is counted, small delays are not."""

import asyncio
import time

from openfelt.runtime.lateness import BEAT_MS, TOLERANCE_MS, Lateness, _Beats, _lost_ms


def test_small_delays_do_not_count_and_long_ones_count_whole() -> None:
    beats = _Beats(lost_ms=1000, due_ms=5000)
    assert _lost_ms(beats, 4000) == 1000
    assert _lost_ms(beats, 5000 + TOLERANCE_MS) == 1000
    assert _lost_ms(beats, 5000 + TOLERANCE_MS + 1) == 1000 + TOLERANCE_MS + 1


async def test_a_blocked_loop_is_late_while_it_is_blocked_and_afterwards() -> None:
    lateness = Lateness()
    assert lateness.lost_ms() == 0
    beating = asyncio.create_task(lateness.run())
    await asyncio.sleep(2 * BEAT_MS / 1000)
    before_ms = lateness.lost_ms()
    time.sleep(0.6)  # noqa: ASYNC251 (the loop is blocked on purpose)
    # Known at once, before the next beat has come.
    assert lateness.lost_ms() - before_ms >= 400
    await asyncio.sleep(2 * BEAT_MS / 1000)
    assert lateness.lost_ms() - before_ms >= 400
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)
    assert lateness.lost_ms() == 0
