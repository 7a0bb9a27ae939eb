"""One value of one row is damaged, in any table and column: bytes that are not UTF-8, a text from
nowhere, a number as large as a column holds. It stops its own table at most, the audit says so, and
no message repeats what is there."""

import asyncio
import itertools
import json
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.streams import StreamKind
from openfelt.storage.addresses import open_store
from openfelt.storage.door import StoreError
from tests.kit.audit.damages import (
    PLANTED,
    REFUSED,
    Damage,
    DamagedHouse,
    all_goes_on,
    copied,
    damages,
    whole_house,
)
from tests.kit.audit.tamperer import KEYS
from tests.kit.postgres_server import PostgresServer
from tests.kit.storage.store_places import Place

QUICK = (
    "secrets.key bytes table/draw-1",
    "secrets.body bytes table/live-1key/1",
    "event_forms.name bytes",
    "rule_sets.fingerprint bytes draw",
    "snapshots.body bytes account/supervisor",
    "snapshots.code bytes table/draw-1",
    "events.body text clock/house",
    "events.body bytes purge/draw-1",
    "archives.balances bytes",
    "streams.fence number table/draw-1",
    "streams.name text table/draw-1",
    "transfers.number number",
)
"""The damages that once stopped a server, its chores or an audit; the sweep tries all others."""


@pytest.fixture(scope="session")
def sqlite_whole(tmp_path_factory: pytest.TempPathFactory) -> DamagedHouse:
    """A played house in a file. It stays as it is."""
    folder = tmp_path_factory.mktemp("whole")
    place = Place(folder / "felt.db")
    house = asyncio.run(whole_house(folder, place))
    # One file without a log beside it is simple to copy.
    place.run("PRAGMA journal_mode = DELETE")
    return checked(DamagedHouse(house, place.run, sqlite=True))


@pytest.fixture(scope="session")
def postgres_whole(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> DamagedHouse:
    """A played house in PostgreSQL. It stays as it is."""
    place = Place(postgres.fresh_database(), postgres)
    house = asyncio.run(whole_house(tmp_path_factory.mktemp("whole"), place))
    return checked(DamagedHouse(house, place.run, sqlite=False))


def checked(whole: DamagedHouse) -> DamagedHouse:
    """A house in which an audit finds nothing, so that what it finds later is the damage."""
    assert [str(finding) for finding in whole.house.audited().findings] == []
    return whole


def cards_of(house: DamagedHouse) -> set[str]:
    """Every two cards that lie one upon the other in a deck of the house."""
    pairs: set[str] = set()
    with closing(open_store(house.house.database)) as store:
        for stream in store.streams(StreamKind.TABLE.prefix):
            for name, body in store.secrets(stream).items():
                if not name.startswith("key/"):
                    cards = str(json.loads(body)["cards"]).split()
                    pairs |= {f"{one} {other}" for one, other in itertools.pairwise(cards)}
    assert len(pairs) > 100
    return pairs


class Witness:
    """Looks at what the program does with a damage, and at everything that it says."""

    def __init__(self, house: DamagedHouse, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
        self._house = house
        self._folder = folder
        self._caplog = caplog
        self._cards = cards_of(house)
        self._wrong: list[str] = []
        self._said: list[str] = []

    def look(self, damage: Damage, server: PostgresServer | None) -> list[str]:
        """What is wrong with how a damage is taken; empty where nothing is."""
        self._wrong, self._said = [], []
        self._caplog.clear()
        damaged = copied(self._house, self._folder, server)
        try:
            damaged.run(damage.statement)
        except REFUSED:
            return []
        self._audit(damaged, damage)
        self._open(damaged, damage)
        text = "\n".join((*self._said, self._caplog.text))
        if PLANTED[:10] in text or any(pair in text for pair in self._cards):
            self._wrong.append("what is in the row is quoted")
        return self._wrong

    def _audit(self, damaged: DamagedHouse, damage: Damage) -> None:
        try:
            report = damaged.house.audited()
        except StoreError as error:
            self._said.append(str(error))
            if not damage.stops_all:
                self._wrong.append(f"the audit stops: {error}")
            return
        self._said += map(str, (*report.findings, *report.notes, *report.signers))
        if report.clean and damage.explained is None:
            self._wrong.append("the audit does not find it")

    def _open(self, damaged: DamagedHouse, damage: Damage) -> None:
        try:
            asyncio.run(all_goes_on(damaged, damage, self._folder))
        except StoreError as error:
            self._said.append(str(error))
            if not damage.stops_all:
                self._wrong.append(f"the house stops: {error}")
        except AssertionError:
            if not damage.stops_all:
                raise


@pytest.mark.parametrize("wanted", QUICK)
def test_a_damaged_row_stops_its_own_table_only(
    wanted: str, sqlite_whole: DamagedHouse, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    column, kind, *row = wanted.split()
    witness = Witness(sqlite_whole, tmp_path, caplog)
    damage = next(
        damage
        for damage in damages(sqlite_whole)
        if (f"{damage.table}.{damage.column}", damage.kind) == (column, kind)
        and "".join(row) in damage.row.replace(" ", "")
    )
    assert witness.look(damage, None) == []


@pytest.mark.sweep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("table", KEYS)
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_every_damage_of_every_column(
    kind: str,
    table: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    request: pytest.FixtureRequest,
) -> None:
    house: DamagedHouse = request.getfixturevalue(f"{kind}_whole")
    server: PostgresServer | None = None if house.sqlite else request.getfixturevalue("postgres")
    witness = Witness(house, tmp_path, caplog)
    wrong = {
        f"{damage.column} {damage.kind} {damage.row}": found
        for damage in damages(house)
        if damage.table == table and (found := witness.look(damage, server))
    }
    assert wrong == {}
