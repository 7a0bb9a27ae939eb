"""A database server in place of the disk: processes lose their connections, and no byte tears.

What a loss of power leaves of PostgreSQL's own files is its business. Here all processes are
gone at once, right after a commit that none of them has heard of.
"""

from random import Random

from openfelt.storage.postgres import PostgresStore
from tests.simulation.disk import Disk, Image, Tear
from tests.simulation.sim_clock import SimulatedClock

_NOTHING = Image(b"", b"")


class PostgresDisk(Disk):
    """One empty database of a server, with the clock of the simulation."""

    def __init__(self, database: str, clock: SimulatedClock) -> None:
        super().__init__(None, clock, lambda *_: self._connected())
        self._database = database

    @property
    def database(self) -> str:
        """The address of the database."""
        return self._database

    def _connected(self) -> PostgresStore:
        return PostgresStore(self._database, now_ms=self._clock.wall_ms, connections_max=2)

    def open_to_look(self) -> PostgresStore:
        """Open a store through which the auditor looks."""
        store = self._connected()
        self._opened.append(store)
        return store

    def image(self) -> Image:
        """The files are the server's."""
        return _NOTHING

    def torn(self, before: Image, random: Random) -> Tear:
        """A commit that the server has confirmed is there."""
        return Tear("just after the commit", _NOTHING, whole=True)

    def lose_power(self, left: Image) -> None:
        """Every connection is gone."""
        self.close_all()
