"""Work shared among threads. Kernels release the global interpreter lock, so threads suffice."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event, Lock
from typing import Protocol, TypeVar

_Chunk = TypeVar("_Chunk")


class Progress(Protocol):
    """Reports progress. Called from the working threads, never by two at once."""

    def __call__(self, done: int, total: int, /) -> object: ...


def workers_available() -> int:
    """The number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Not every system knows affinity.
        return os.cpu_count() or 1


class ProgressCount:
    """Counts finished chunks over all stages of a computation."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0
        self._lock = Lock()

    def step(self) -> None:
        """Report one more finished chunk."""
        with self._lock:
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)


def share_out(
    job: Callable[[int, _Chunk], object],
    chunks: Sequence[_Chunk],
    *,
    workers: int,
    progress: ProgressCount,
) -> None:
    """Call `job(worker, chunk)` for every chunk; a free worker takes the next one.

    Calls with the same worker number never overlap, so each worker may have its own arrays. What a
    job or the progress raises ends the work: the other workers finish their chunk and take no more.

    >>> done = []
    >>> share_out(
    ...     lambda _, chunk: done.append(chunk),
    ...     [1, 2, 3],
    ...     workers=2,
    ...     progress=ProgressCount(None, 3),
    ... )
    >>> sorted(done)
    [1, 2, 3]
    """
    turns = count()
    lock, failed = Lock(), Event()

    def work(worker: int) -> None:
        while not failed.is_set():
            with lock:
                turn = next(turns)
            if turn >= len(chunks):
                return
            try:
                job(worker, chunks[turn])
                progress.step()
            except BaseException:
                failed.set()
                raise

    with ThreadPoolExecutor(max_workers=workers) as crew:
        for done in [crew.submit(work, worker) for worker in range(workers)]:
            done.result()


def slices(length: int, pieces: int) -> list[slice]:
    """Cut a length into about `pieces` slices.

    >>> slices(5, 2)
    [slice(0, 3, None), slice(3, 5, None)]
    """
    step = max(1, -(-length // pieces))
    return [slice(start, min(start + step, length)) for start in range(0, length, step)]
