"""Every contract is tried on a SQLite file and on a PostgreSQL database."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.storage import Store
from tests.kit.fixtures import empty_place
from tests.kit.storage.store_places import Place


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty database of each kind; a contract is not a contract on one of them alone."""
    with closing(empty_place(request, tmp_path)) as place:
        yield place


@pytest.fixture
def store(place: Place) -> Store:
    """A store on an empty database."""
    return place.open()
