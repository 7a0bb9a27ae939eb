"""Processor time of a running server, by thread, as Linux counts it."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

_NANOSECONDS = 1_000_000_000
_TICKS = os.sysconf("SC_CLK_TCK")
_PROC = Path("/proc")
_USER, _CHILDREN_SYSTEM = 11, 14
"""Where `stat` has the times of a process and of its ended children, after the program's name."""


@dataclass(frozen=True, slots=True)
class ProcessorTime:
    """How many seconds a server has had a processor, or has waited for one."""

    loop: float = 0.0
    """The thread of the event loop."""
    others: float = 0.0
    """All other threads, and the processes that the server has started."""
    loop_waited: float = 0.0
    """How long the event loop was ready to run while other threads had the processors."""

    def __add__(self, other: Self) -> "ProcessorTime":
        return ProcessorTime(
            self.loop + other.loop,
            self.others + other.others,
            self.loop_waited + other.loop_waited,
        )

    def __sub__(self, other: Self) -> "ProcessorTime":
        return ProcessorTime(
            self.loop - other.loop,
            self.others - other.others,
            self.loop_waited - other.loop_waited,
        )


def processor_time(server: int) -> ProcessorTime:
    """What a server has used since its start, by the number of its process; nothing where the
    system does not say."""
    try:
        ran, waited, _ = (_PROC / f"{server}/task/{server}/schedstat").read_text().split()
    except OSError:
        return ProcessorTime()
    loop = int(ran) / _NANOSECONDS
    return ProcessorTime(
        loop=loop,
        others=max(_used_by(server) - loop, 0.0),
        loop_waited=int(waited) / _NANOSECONDS,
    )


def _used_by(process: int) -> float:
    """What a process, all its threads and all processes that it has started have used, also those
    that have ended: a sum over the threads that are there would fall when one of them ends."""
    folder = _PROC / str(process)
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0  # it has ended, and its time is among that of its parent's ended children
    own = sum(int(ticks) for ticks in fields[_USER : _CHILDREN_SYSTEM + 1]) / _TICKS
    return own + sum(_used_by(child) for child in _children(folder))


def _children(folder: Path) -> Iterator[int]:
    for listed in (folder / "task").glob("*/children"):
        with suppress(OSError):  # the thread has ended
            yield from map(int, listed.read_text().split())
