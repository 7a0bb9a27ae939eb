"""Work divided among threads, or among the workers of a crew such as a cluster.

Kernels release the global interpreter lock, so threads suffice for the processors of one machine.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from threading import Event, Lock
from typing import Protocol, TypeVar

WORKERS_MAX = 256
_Chunk = TypeVar("_Chunk")
_Result = TypeVar("_Result")


class Progress(Protocol):
    """Reports progress. It is called from worker threads, but never by two at the same time."""

    def __call__(self, done: int, total: int, /) -> object: ...


class Crew(Protocol):
    """Computes the pieces of a long count somewhere."""

    def results(
        self, task: Callable[[_Chunk], _Result], pieces: Sequence[_Chunk]
    ) -> Iterator[tuple[int, _Result]]:
        """Compute every piece, and yield its number and result as soon as it is finished."""
        ...


_CREW: ContextVar[Crew | None] = ContextVar("crew", default=None)
_WORKERS: ContextVar[int | None] = ContextVar("workers", default=None)


@contextmanager
def working(*, workers: int | None = None, crew: Crew | None = None) -> Iterator[None]:
    """Compute with this many threads, or give the pieces of long counts to a crew.

    >>> with working(workers=3):
    ...     workers_available()
    3
    """
    before = _WORKERS.set(workers), _CREW.set(crew)
    try:
        yield
    finally:
        _WORKERS.reset(before[0])
        _CREW.reset(before[1])


def workers_available() -> int:
    """The number of threads to compute with: every processor that this process may use."""
    chosen = _WORKERS.get()
    if chosen is not None:
        return chosen
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Not every system supports affinity.
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

    Calls with the same worker number never overlap, so each worker may have its own arrays. An
    exception of a job or of the progress ends the work: the other workers finish their chunks and
    take no more.

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


def piece_results(
    task: Callable[[_Chunk], _Result],
    pieces: Sequence[_Chunk],
    *,
    workers: int | None = None,
) -> Iterator[tuple[int, _Result]]:
    """Compute every piece, and yield its number and result as soon as it is finished.

    Other processes may compute, so the task must be a function of a module, or a `partial` of one,
    and must change nothing but caches. The results come in any order.

    >>> sorted(piece_results(abs, [-5, 7, -6], workers=2))
    [(0, 5), (1, 7), (2, 6)]
    """
    crew = _CREW.get()
    if crew is None:
        crew = _Threads(workers or workers_available())
    return crew.results(task, pieces)


class _Threads:
    """The threads of this process."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def results(
        self, task: Callable[[_Chunk], _Result], pieces: Sequence[_Chunk]
    ) -> Iterator[tuple[int, _Result]]:
        pool = ThreadPoolExecutor(self._workers)
        numbers = iter(range(len(pieces)))
        running: dict[Future[_Result], int] = {}
        try:
            while True:
                # A few pieces ahead keep every thread busy without accumulating results.
                while len(running) < 3 * self._workers and (number := next(numbers, -1)) >= 0:
                    running[pool.submit(task, pieces[number])] = number
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(done), done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def slices(length: int, pieces: int) -> list[slice]:
    """Divide a length into about `pieces` slices.

    >>> slices(5, 2)
    [slice(0, 3, None), slice(3, 5, None)]
    """
    step = max(1, -(-length // pieces))
    return [slice(start, min(start + step, length)) for start in range(0, length, step)]
