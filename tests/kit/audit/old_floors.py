"""A floor with old history: play, a pause in which old decks are purged, and play again."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.links import links
from openfelt.runtime.notary import Notary
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.tables.recovery import snapshots
from openfelt.runtime.tables.worker import TableWorker
from openfelt.storage import Store
from tests.kit.audit.audited_floors import DAY_MS, Floor

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
TABLES = ("wash-1", "net-1")


def old_floor(path: Path, monkeypatch: pytest.MonkeyPatch, *, store: Store | None = None) -> Floor:
    """A floor that was played on two days, and on one day two months later."""
    _often_snapshots(monkeypatch)
    floor = Floor(path, store=store)
    floor.link()
    floor.open("wash-1", "washington", link="main")
    floor.open("net-1", "online")
    play(floor)
    floor.clock.now_ms += DAY_MS
    play(floor)
    later(floor, days=60)
    return floor


@dataclass(frozen=True)
class KeptFloor:
    """The database of such a floor in a file that stays as it is, to be copied."""

    path: Path
    now_ms: int

    @classmethod
    def played(cls, path: Path) -> "KeptFloor":
        """Play on a new file."""
        with pytest.MonkeyPatch.context() as patches:
            floor = old_floor(path, patches)
        floor.store.close()
        return cls(path, floor.clock.now_ms)

    def taken_up(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> Floor:
        """The floor on a copy of the database, as another process takes it up."""
        _often_snapshots(monkeypatch)
        floor = Floor(self.path, seed=2, store=store)
        floor.clock.now_ms = self.now_ms
        for table in TABLES:
            floor.workers[table] = TableWorker.start(floor.worker_services, table, None)
        return floor


def _often_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables and links write snapshots after a few events."""
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 20)
    monkeypatch.setattr(links, "LINK_SNAPSHOT_EVERY", 2)


def play(floor: Floor) -> None:
    """Some rounds, a payment and a signature."""
    for table in TABLES:
        floor.play(table, 3)
    floor.cashier.deposit("ann", 100, id=f"{floor.clock.now_ms}")
    DayClosings(floor.store).close_due(floor.clock)
    Notary(floor.store, KEY, floor.clock).sign()


def later(floor: Floor, *, days: int) -> None:
    """Days without play; old decks are purged, and play goes on."""
    floor.clock.now_ms += days * DAY_MS
    purge = Purge(floor.store, floor.worker_services.codec, RoundReader(floor.store), floor.clock)
    for table in purge.tables():
        while purge.step(table, keep_days=20):
            pass
    play(floor)
