"""A floor with old history: play, a pause in which old decks are purged, and play again."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.links import links
from openfelt.runtime.notary import Notary
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.tables import recovery
from openfelt.storage import Store
from tests.kit.audit.audited_floors import DAY_MS, Floor

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def old_floor(path: Path, monkeypatch: pytest.MonkeyPatch, *, store: Store | None = None) -> Floor:
    """A floor that was played on two days, and on one day two months later."""
    monkeypatch.setattr(recovery, "SNAPSHOT_EVERY", 20)
    monkeypatch.setattr(links, "LINK_SNAPSHOT_EVERY", 2)
    floor = Floor(path, store=store)
    floor.link()
    floor.open("wash-1", "washington", link="main")
    floor.open("net-1", "online")
    play(floor)
    floor.clock.now_ms += DAY_MS
    play(floor)
    later(floor, days=60)
    return floor


def play(floor: Floor) -> None:
    """Some rounds, a payment and a signature."""
    for table in ("wash-1", "net-1"):
        floor.play(table, 3)
    floor.cashier.deposit("ann", 100, id=f"{floor.clock.now_ms}")
    DayClosings(floor.store).close_due(floor.clock)
    Notary(floor.store, KEY, floor.clock).sign()


def later(floor: Floor, *, days: int) -> None:
    """Days without play; old decks are purged, and play goes on."""
    floor.clock.now_ms += days * DAY_MS
    purge = Purge(floor.store, floor.tools.codec, RoundReader(floor.store), floor.clock)
    for table in purge.tables():
        while purge.step(table, keep_days=20):
            pass
    play(floor)
