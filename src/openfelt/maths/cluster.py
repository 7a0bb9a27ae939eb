"""A crew of Dask workers on many machines, for counts that take hours.

It needs the packages of the extra `dask`. Nothing else in the mathematics imports this module, so
Dask is loaded only if it is used.
"""

import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from distributed import Client, as_completed

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")
_CODE = ("maths", "rules", "cards", "money")
_AHEAD_MIN = 32
_AHEAD_PER_THREAD = 3
WAIT_S = 10
"""How long a scheduler may take to answer, and then to get a worker."""


class ClusterError(Exception):
    """The cluster cannot compute; the message is a sentence."""


class OtherCodeError(ClusterError):
    """A worker runs different code from this process, so its results could differ too."""


@contextmanager
def cluster_at(address: str) -> Iterator["Cluster"]:
    """The workers of the Dask scheduler at an address, such as ``tcp://10.0.0.5:8786``.

    Certificates for ``tls://`` are those of Dask's own configuration. Raises ClusterError if the
    scheduler does not answer, or has no worker, for `WAIT_S` seconds.
    """
    try:
        client = Client(address, timeout=WAIT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"No Dask scheduler answers at {address}.") from error
    try:
        try:
            client.wait_for_workers(1, timeout=WAIT_S)
        except TimeoutError as error:
            raise ClusterError(
                f"The Dask scheduler at {address} has no workers. On each machine, run: "
                f"dask worker {address}"
            ) from error
        yield Cluster(client, address)
    finally:
        client.close()


class Cluster:
    """A crew: the workers of one scheduler. A piece whose worker dies goes to another one."""

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address

    def results(
        self, task: Callable[[_Piece], _Result], pieces: Sequence[_Piece]
    ) -> Iterator[tuple[int, _Result]]:
        """Compute every piece, and yield its number and result as soon as it is finished."""
        if not pieces:
            return
        # A task's result rather than data, so that it is computed again if its worker dies.
        packed = self._client.submit(bytes, pickle.dumps(task), pure=False)
        numbers = iter(range(len(pieces)))
        running: dict[str, int] = {}
        finished = as_completed([], loop=self._client.loop)

        def submit_some() -> None:
            while len(running) < self._ahead() and (number := next(numbers, -1)) >= 0:
                future = self._client.submit(
                    _computed, packed, code_digest(), pieces[number], pure=False
                )
                running[future.key] = number
                finished.add(future)

        submit_some()
        try:
            for future in finished:
                if future.cancelled():
                    raise ClusterError(
                        f"The Dask scheduler at {self._address} is gone. Counts that store their "
                        "pieces continue: start it again, and run the same command."
                    )
                result: _Result = future.result()
                number = running.pop(future.key)
                submit_some()
                yield number, result
        finally:
            finished.clear()

    def run_everywhere(self, function: Callable[[], _Result]) -> list[_Result]:
        """The results of a function on each worker."""
        return list(self._client.run(function).values())

    def _ahead(self) -> int:
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        threads = sum(int(worker["nthreads"]) for worker in workers)
        return max(_AHEAD_MIN, _AHEAD_PER_THREAD * threads)


@cache
def code_digest() -> str:
    """A hash of all code that figures depend on, by which two processes compare their code.

    >>> len(code_digest())
    64
    """
    digest = hashlib.sha256()
    for package in _CODE:
        root = Path(str(files("openfelt") / package))
        for path in sorted(root.rglob("*")):
            if path.suffix in {".py", ".toml", ".json"}:
                digest.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return digest.hexdigest()


def _computed(packed: bytes, digest: str, piece: _Piece) -> Any:
    """The result of one piece, on a worker."""
    if code_digest() != digest:
        raise OtherCodeError(
            "A worker of the cluster has another version of Openfelt. Install the same one on "
            "every machine, and start the workers again."
        )
    return _task(packed)(piece)


@lru_cache(maxsize=2)
def _task(packed: bytes) -> Callable[[Any], Any]:
    task: Callable[[Any], Any] = pickle.loads(packed)  # noqa: S301 - Dask unpickles everything it is sent.
    return task
