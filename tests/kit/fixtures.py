"""Fixtures of several packages; a conftest.py imports those that its tests need."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.floors import Shift
from tests.kit.postgres_server import PostgresServer
from tests.kit.storage.store_places import Place


@pytest.fixture
def shift(tmp_path: Path) -> Iterator[Shift]:
    """A process on an empty file; processes beside it are closed with it."""
    with closing(Shift(tmp_path / "felt.db")) as shift:
        yield shift


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
