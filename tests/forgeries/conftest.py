"""Played houses to forge, one in each kind of database, and copies of them."""

import asyncio
import itertools
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.audit.forger import Forger
from tests.kit.audit.tampered_houses import House, played_house
from tests.kit.cases import with_variants
from tests.kit.postgres_server import PostgresServer
from tests.kit.storage.store_places import Place

_COPIES = itertools.count(1)

ForgedHouse = tuple[House, Forger]


@pytest.fixture(scope="session")
def sqlite_house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A played house in a file. It stays as it is."""
    folder = tmp_path_factory.mktemp("house")
    house = asyncio.run(played_house(folder, Place(folder / "felt.db")))
    with closing(sqlite3.connect(house.database)) as connection:
        # One file without a log beside it is simple to copy.
        connection.execute("PRAGMA journal_mode = DELETE")
    return house


@pytest.fixture(scope="session")
def postgres_house(tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer) -> House:
    """A played house in PostgreSQL. It stays as it is."""
    place = Place(postgres.fresh_database(), postgres)
    return asyncio.run(played_house(tmp_path_factory.mktemp("house"), place))


@pytest.fixture(params=with_variants(["sqlite", "postgres"]))
def copied(request: pytest.FixtureRequest, tmp_path: Path) -> ForgedHouse:
    """A copy of a played house, and a forger who writes to it."""
    original: House = request.getfixturevalue(f"{request.param}_house")
    if request.param == "sqlite":
        path = tmp_path / "forged.db"
        shutil.copyfile(original.database, path)
        return House(str(path), original.published), Forger(Place(path).run)
    server: PostgresServer = request.getfixturevalue("postgres")
    name, template = f"forged_{next(_COPIES)}", original.database.partition(":///")[2]
    server.run(f"CREATE DATABASE {name} TEMPLATE {template.partition('?')[0]}")
    run: Callable[[str], list[tuple[object, ...]]] = Place(server.url_of(name), server).run
    return House(server.url_of(name), original.published), Forger(run)
