"""Recently read rounds, so that a round that a hall of terminals asks for is read once.

All terminals of a stadium verify a round as soon as it is over. The first of them has it read,
the others wait for that reading and share it, together with the list of the round's seeds.
"""

import asyncio
import gzip
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import Final, Protocol, TypeVar

from openfelt.runtime.rounds.proof_forms import seed_list_json
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.runtime.rounds.round_proofs import RoundProofs

EVENTS_MAX: Final = 100_000
"""How many events of rounds are kept in memory; a stadium of 2,000 terminals has about 14,000
in a round, which take 10 MB."""
ROUNDS_MAX: Final = 100
SECONDS_MAX: Final = 600
"""How long a round is kept: hands that were not shown must not outlive their purge in memory."""

_Result = TypeVar("_Result")


class Pool(Protocol):
    """Runs slow work in a thread."""

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Run some work and return its result."""
        ...


class RecentRound:
    """A finished round, and what its players ask for."""

    def __init__(self, reader: RoundReader, recorded: RecordedRound) -> None:
        self.recorded = recorded
        self.read_at = time.monotonic()
        self.seats: dict[str, int] = {}
        """The seats of players who have asked for the round, and are known to have played it."""
        self._reader = reader

    @cached_property
    def proofs(self) -> RoundProofs:
        """The proofs of the round; raises Unprovable."""
        return self._reader.proofs(self.recorded)

    @cached_property
    def seed_list(self) -> bytes:
        """The list of the round's seeds as JSON; raises ProofError."""
        return seed_list_json(self.proofs.seed_list()).encode()

    @cached_property
    def seed_list_packed(self) -> bytes:
        """The same, packed with gzip, which halves it."""
        return gzip.compress(self.seed_list, mtime=0)


class RecentRounds:
    """Reads rounds, and keeps the last ones that were over. For one event loop."""

    def __init__(self, reader: RoundReader, pool: Pool) -> None:
        self._reader = reader
        self._pool = pool
        self._rounds: OrderedDict[tuple[str, int], RecentRound] = OrderedDict()
        self._reading: dict[tuple[str, int], asyncio.Task[RecentRound]] = {}
        self._events = 0

    def cached(self, table: str, number: int) -> RecentRound | None:
        """A round that has been read lately, None for another."""
        self._forget_old()
        return self._rounds.get((table, number))

    async def get(self, table: str, number: int, *, version: int | None = None) -> RecentRound:
        """A round by its number, and by the version of any of its events if that is known.

        Raises NoSuchRound and CodecError.
        """
        key = table, number
        if (recent := self.cached(table, number)) is not None:
            return recent
        reading = self._reading.get(key)
        if reading is None:
            reading = asyncio.create_task(self._read(table, number, version))
            self._reading[key] = reading
            reading.add_done_callback(lambda _: self._reading.pop(key, None))
        # Reading continues for the other callers if one has gone.
        return await asyncio.shield(reading)

    async def _read(self, table: str, number: int, version: int | None) -> RecentRound:
        recorded = await self._pool.run(lambda: self._reader.read(table, number, version=version))
        recent = RecentRound(self._reader, recorded)
        if recorded.ended is not None:
            self._keep((table, number), recent)
        return recent

    def _keep(self, key: tuple[str, int], recent: RecentRound) -> None:
        self._rounds[key] = recent
        self._events += len(recent.recorded.events)
        asyncio.get_running_loop().call_later(SECONDS_MAX, self._forget_old)
        while len(self._rounds) > 1 and (
            self._events > EVENTS_MAX or len(self._rounds) > ROUNDS_MAX
        ):
            self._forget_oldest()

    def _forget_old(self) -> None:
        read_before = time.monotonic() - SECONDS_MAX
        while self._rounds and next(iter(self._rounds.values())).read_at <= read_before:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        _, oldest = self._rounds.popitem(last=False)
        self._events -= len(oldest.recorded.events)
