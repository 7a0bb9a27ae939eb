"""Processor time of a running server, by thread, as Linux counts it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

_NANOSECONDS = 1_000_000_000
_PROC = Path("/proc")


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
    used = ProcessorTime()
    for process, thread, ran, waited in _threads(server):
        if process == thread == server:
            used += ProcessorTime(loop=ran, loop_waited=waited)
        else:
            used += ProcessorTime(others=ran)
    return used


def _threads(process: int) -> Iterator[tuple[int, int, float, float]]:
    """The threads of a process and of those that it has started, with their times."""
    for folder in sorted((_PROC / str(process) / "task").glob("*")):
        try:
            ran, waited, _ = (folder / "schedstat").read_text().split()
            started = (folder / "children").read_text().split()
        except OSError:
            continue  # it has ended meanwhile
        yield process, int(folder.name), int(ran) / _NANOSECONDS, int(waited) / _NANOSECONDS
        for child in started:
            yield from _threads(int(child))
