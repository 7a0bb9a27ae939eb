"""Every contract is tried on a SQLite file and on a PostgreSQL database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from openfelt.storage import Store
from tests.kit.postgres_server import PostgresServer
from tests.kit.storage.store_places import Place


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        place = Place(tmp_path / "felt.db")
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        place = Place(server.fresh_database(), server)
    yield place
    place.close()


@pytest.fixture
def store(place: Place) -> Store:
    """A store on an empty database."""
    return place.open()
