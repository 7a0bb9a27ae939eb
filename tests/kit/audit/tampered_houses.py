"""Databases to tamper with: a played house, signed and published, with a row of every kind."""

import itertools
import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pyotp
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.archive.archive_moves import archive_history
from openfelt.runtime.audit import audit
from openfelt.runtime.audit.report import AuditReport
from openfelt.runtime.notary import Notary
from openfelt.runtime.notary.keys import public_key_of, read_public_key
from openfelt.runtime.rounds.purge import DAY_MS, Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.tables import links, worker
from openfelt.server.accounts import accounts
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.storage.addresses import open_store
from tests.kit.audit.old_floors import old_floor
from tests.kit.floors import StandingClock
from tests.kit.repository import ROOT
from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house
from tests.kit.storage.store_places import Place

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OLD = ROOT / "tests" / "old_databases" / "v0.1.0" / "felt.db"
PUBLISHED = "published.checkpoints"


@dataclass(frozen=True, slots=True)
class House:
    """A database and the file to which its checkpoints were published."""

    database: str
    published: Path
    public_key: str = public_key_of(KEY)
    """The key of the notary that signed them."""

    def audited(self) -> AuditReport:
        """The audit that an operator would run."""
        with closing(open_store(self.database)) as store:
            return audit(
                store,
                public_keys=[self.public_key],
                published=self.published,
                others=ACCOUNT_AUDITS,
            )


OLD_ANSWERS = (
    "INSERT INTO answers (stream, actor, command, digest, body) VALUES"
    f""" ('table/draw-1', 'player:bob', 'first', '{"0" * 64}', '{{"version":0}}'),"""
    f""" ('wallet/bob', 'cashier', 'second', '{"1" * 64}', '{{"version":0}}')"""
)
"""Answers as an earlier version wrote them."""


async def played_house(folder: Path, place: Place) -> House:
    """A house with accounts, rounds at several tables, a link, a purge, snapshots and old answers.

    The place must be an empty database.
    """
    database = str(place.address)
    open_store(database).close()
    place.run(OLD_ANSWERS)
    clock = StandingClock()
    published = folder / PUBLISHED
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "SNAPSHOT_EVERY", 25)
        patch.setattr(links, "LINK_SNAPSHOT_EVERY", 2)
        patch.setattr(accounts, "SNAPSHOT_EVERY", 3)
        async with open_house(folder, database=database, clock=clock) as house:
            notary = Notary(house.services.store, KEY, clock, published=published)
            await _accounts(house)
            await _rounds(house)
            notary.sign()
            clock.pass_ms(91 * DAY_MS)
            store, codec = house.services.store, house.services.floor.tools.codec
            purge = Purge(store, codec, RoundReader(store), clock)
            assert purge.step("draw-1", keep_days=90)
            await house.bet("draw-1", 1)
            notary.sign()
    return House(database, published)


async def old_house(folder: Path) -> House:
    """A copy of a database of version 0.1, played on by this version: it has old answers."""
    path = folder / "old.db"
    shutil.copyfile(OLD, path)
    published = folder / PUBLISHED
    clock = StandingClock()
    with pytest.MonkeyPatch.context() as patch:
        # The same kit wrote the old database, and its store still remembers those command ids.
        patch.setattr("tests.kit.server.open_house._IDS", itertools.count(1_000_000))
        async with open_house(folder, database=str(path), clock=clock) as house:
            await house.bet("stadium-1", 1, 2)
            await house.play("stadium-1")
    shutil.copyfile(f"{OLD}.notary.key.checkpoints", published)
    return House(str(path), published, read_public_key(Path(f"{OLD}.notary.key.pub")))


def archived_house(folder: Path) -> House:
    """A house whose old history is in an archive."""
    path, published = folder / "archived.db", folder / PUBLISHED
    with pytest.MonkeyPatch.context() as patch:
        floor = old_floor(path, patch)
        archive_history(floor.store, str(path), folder / "archive", floor.clock, keep_days=30)
        Notary(floor.store, KEY, floor.clock, published=published).sign()
        floor.store.close()
    return House(str(path), published)


async def _accounts(house: OpenHouse) -> None:
    client = await house.guest()
    body = {"name": "ann", "password": PASSWORD}
    assert (await client.post("/api/v1/sign-up", json=body)).status_code < 300
    eve = await house.supervisor()
    secret = (await eve.post("/api/v1/second-factor", json={})).json()["secret"]
    code = pyotp.TOTP(secret).at(house.clock.wall_ms() // 1000)
    confirmed = await eve.post("/api/v1/second-factor/confirm", json={"code": code})
    assert confirmed.status_code == 200, confirmed.text
    house.services.devices.enrol("cabinet 7", by="supervisor")


async def _rounds(house: OpenHouse) -> None:
    cashier = house.services.floor.cashier
    for player in ("bob", "cat"):
        cashier.deposit(player, 1_000_000, id=f"first of {player}")
    cashier.withdraw("cat", 500, id="second of cat")
    await house.sit("draw-1", "bob", 1)
    for _ in range(2):
        await house.bet("draw-1", 1)
        await house.play("draw-1")
    await house.sit("washington-1", "cat", 1)
    await house.bet("washington-1", 1)
    await house.play("washington-1")
    await house.bet("washington-1", 1)
    await house.deal("washington-1")
